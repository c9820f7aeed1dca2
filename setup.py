"""Builds the wheel: `pip install --no-build-isolation .` from a checkout, offline.

The package is a folder that CMake makes, build/<preset>/python/tandem. `make python` hands over the
one of the release build, in TANDEM_PYTHON_PACKAGE; otherwise the library is built here, without
program and tests. From the environment: TANDEM_CUDA (ON, OFF or AUTO; OFF unless set), CMAKE_ARGS,
CMAKE_BUILD_PARALLEL_LEVEL.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = Path(__file__).resolve().parent
HEADER = (SOURCES / "include/tandem/version.h").read_text()
VERSION = re.search(r'TANDEM_VERSION "(.+)"', HEADER).group(1)


class BuildPackage(build_ext):
    """Puts the folder that CMake makes where setuptools collects what goes into the wheel."""

    def build_extension(self, extension):
        made = os.environ.get("TANDEM_PYTHON_PACKAGE") or self.build_by_cmake()
        target = Path(self.get_ext_fullpath(extension.name)).parent
        shutil.copytree(
            made, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )

    def build_by_cmake(self):
        build = Path(self.build_temp).resolve()
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
        off = ("PROGRAM", "TESTS", "BENCHES", "EXAMPLES", "FUZZERS")
        subprocess.run(
            ["cmake", "-S", str(SOURCES), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
             "-DTANDEM_INSTALL=OFF", *(f"-DTANDEM_BUILD_{part}=OFF" for part in off),
             "-DTANDEM_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
             f"-DTANDEM_CUDA={os.environ.get('TANDEM_CUDA', 'OFF')}",
             *(["-GNinja"] if shutil.which("ninja") else []),
             *shlex.split(os.environ.get("CMAKE_ARGS", ""))],
            check=True,
        )
        subprocess.run(
            ["cmake", "--build", str(build), "--target", "tandem_python_package",
             "--parallel", jobs],
            check=True,
        )
        return build / "python/tandem"


# All that is made on the way lands in build/, as everything does.
made = SOURCES / "build" / "wheel"
made.mkdir(parents=True, exist_ok=True)
setup(version=VERSION, packages=[], ext_modules=[Extension("tandem._tandem", [])],
      cmdclass={"build_ext": BuildPackage}, zip_safe=False,
      options={"build": {"build_base": str(made)}, "egg_info": {"egg_base": str(made)}})
