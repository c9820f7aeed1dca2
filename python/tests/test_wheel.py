"""The wheel: installs without the network, needs nothing but the C++ runtime, and works
elsewhere.
"""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
SYSTEM = re.compile(r"^(ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so)")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    package = Path(os.environ["TANDEM_BINARY_DIR"]) / "python/tandem"
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps",
                    "--no-index", "-w", str(folder), str(SOURCES)],
                   check=True, env={**os.environ, "TANDEM_PYTHON_PACKAGE": str(package)})
    (made,) = folder.glob("*.whl")
    return made


def test_it_holds_the_package(wheel):
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        stubs = "__init__.pyi", "sim.pyi", "cuda.pyi", "collision.pyi"
        for name in "__init__.py", "py.typed", *stubs:
            assert f"tandem/{name}" in names
        metadata = files.read(next(name for name in names if name.endswith("METADATA"))).decode()
        assert "Requires-Dist: numpy" in metadata
        # Whoever passes on a library passes on its licence.
        carried = [name for name in names if re.match(r"tandem/lib.*\.so", name)]
        assert len([name for name in names if name.startswith("tandem/licenses/")]) == len(carried)
        assert not [name for name in names if "__pycache__" in name]


def test_it_needs_the_runtime_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path)
    package = tmp_path / "tandem"
    carried = {file.name for file in package.glob("lib*.so*")}
    assert any(name.startswith("libtbb") for name in carried), "the wheel has no threads"
    for file in package.glob("*.so*"):
        listed = subprocess.run(["readelf", "-d", str(file)], check=True, capture_output=True,
                                text=True).stdout
        for needed in re.findall(r"NEEDED.*\[(.*)\]", listed):
            assert needed in carried or SYSTEM.match(needed), f"{file.name} needs {needed}"


def test_it_installs_and_runs_elsewhere(wheel, tmp_path):
    # numpy comes from the system; nothing of the build is on the path.
    venv.create(tmp_path / "there", with_pip=True, system_site_packages=True)
    python = tmp_path / "there/bin/python"
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(wheel)],
                   check=True, env=clean, cwd=tmp_path)
    code = """
import tandem
knot = tandem.Model(tandem.make_shape("knot", 2000), threads=0)
print(tandem.__file__)
print(len(tandem.collide_batch(knot, knot, [tandem.Pose()] * 8, threads=0).pairs) // 8)
print(*sorted({line.split()[-1] for line in open("/proc/self/maps") if "libtbb.so" in line}))
"""
    ran = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True,
                         env=clean, cwd=tmp_path)
    where, pairs, threads = ran.stdout.splitlines()
    assert where.startswith(str(tmp_path)) and int(pairs) > 2000
    assert threads.startswith(str(tmp_path)), f"oneTBB comes from {threads}, not from the wheel"
