# Looks for Python, its headers and pybind11; sets TANDEM_HAS_PYTHON.
set(TANDEM_HAS_PYTHON OFF)
# Debian's own interpreter comes before others on the PATH, as its packages (numpy, pytest) are for it;
# -DPython_EXECUTABLE chooses another one.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 QUIET)
if(Python_FOUND AND pybind11_FOUND)
  set(TANDEM_HAS_PYTHON ON)
else()
  if(TANDEM_REQUIRE_TEST_PACKAGES OR NOT TANDEM_BUILD_TESTS)
    message(FATAL_ERROR "tandem: no Python 3.9 with its headers or no pybind11 2.10, which the Python "
                        "package needs (Debian: python3-dev, pybind11-dev)")
  endif()
  message(STATUS "tandem: no Python with its headers or no pybind11, so the Python package is left "
                 "out (Debian: python3-dev, pybind11-dev)")
endif()

