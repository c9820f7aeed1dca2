# Shortcuts; CMakePresets.json has the builds, tools/ the scripts. Everything lands in build/.
.DEFAULT_GOAL := help
.PHONY: help run test python bench check format install clean
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
STEPS ?=
jobs := $(shell nproc 2>/dev/null || echo 2)

# Configures the release build, each time, as packages may have come since. Tests whose packages are
# missing are left out.
configure = cmake --preset release --log-level=WARNING >/dev/null
build = cmake --build --preset release

help:
	@echo 'make run      build the program and run its demo'
	@echo 'make test     build everything and run all tests'
	@echo 'make python   build the wheel of the Python package, build/wheels/'
	@echo 'make bench    build the benchmarks and print their tables'
	@echo 'make check    formatting, clang-tidy, sanitizers, clang, fuzzers, exhaustive sweeps'
	@echo '              (STEPS="format tidy" picks steps, FUZZ_SECONDS=600 fuzzes for longer)'
	@echo 'make format   format the sources in place'
	@echo 'make install  install library and program under PREFIX ($(PREFIX))'
	@echo 'make clean    remove build/'

run:
	@tools/setup run
	@$(configure)
	@$(build) --target tandem_program
	@build/release/apps/tandem/tandem demo --picture build/knots.png

test:
	@tools/setup test
	@cmake --preset release -DTANDEM_REQUIRE_TEST_PACKAGES=ON
	@$(build)
	@ctest --preset release -j$(jobs)

# Debian's interpreter, as CMake finds it.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)

python:
	@tools/setup python
	@cmake --preset release --log-level=WARNING -DPython_EXECUTABLE=$(PYTHON) >/dev/null
	@$(build) --target tandem_python_package
	@TANDEM_PYTHON_PACKAGE=$(CURDIR)/build/release/python/tandem $(PYTHON) -m pip wheel -q --no-build-isolation \
	  --no-deps --no-index -w build/wheels .
	@ls build/wheels/*.whl

bench:
	@tools/setup bench
	@$(configure)
	@$(build) --target bench

check:
	@tools/setup check
	@tools/check $(STEPS)

format:
	@tools/format

install:
	@tools/setup run
	@$(configure)
	@$(build) --target tandem tandem_program
	@cmake --install build/release --prefix "$(PREFIX)"

clean:
	@rm -rf build
