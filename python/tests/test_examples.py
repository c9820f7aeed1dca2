"""The examples run, and say what they should."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples/python"
EXPECTED = {
    "contact_curve.py": "curve",
    "robot_arm.py": "free",
    "ambient_occlusion.py": "darkest",
    "clash_report.py": "crossing",
}


def test_all_examples_are_known():
    assert {file.name for file in EXAMPLES.glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_example(name, tmp_path):
    ran = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True,
                         cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg",
                                            "MPLCONFIGDIR": str(tmp_path)})
    assert ran.returncode == 0, ran.stderr
    assert EXPECTED[name] in ran.stdout
