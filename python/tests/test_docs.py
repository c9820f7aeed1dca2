"""Every example of a docstring or a document runs and prints what it shows."""

import doctest
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import tandem
from tandem import _tandem, collision, convert, cuda

SOURCES = Path(__file__).parents[2]


def documented():
    """Everything public with its name: modules, functions, classes and what is in them."""
    for module in tandem, tandem.sim, cuda:
        yield module.__name__, module
    for module in _tandem, tandem.sim, collision, convert, *([_tandem._cuda] if cuda.built else []):
        for name, value in vars(module).items():
            if name.startswith("_") or not (inspect.isclass(value) or callable(value)):
                continue
            yield name, value
            if inspect.isclass(value):
                for member, inner in vars(value).items():
                    if not member.startswith("_"):
                        yield f"{name}.{member}", inner


EXAMPLES = {name: value.__doc__ for name, value in documented() if ">>>" in (value.__doc__ or "")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_docstrings(name):
    example = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    result = doctest.DocTestRunner().run(example)
    assert result.attempted > 0 and result.failed == 0


def test_functions_and_classes_have_docstrings():
    assert len(EXAMPLES) > 35
    for name, value in documented():
        if inspect.isclass(value) or inspect.isbuiltin(value) or inspect.isfunction(value):
            if "." not in name:
                # pybind11 puts the signature first.
                signatures = r"^(\w+\(.*|Overloaded function\.|\d+\. .*)$"
                text = re.sub(signatures, "", value.__doc__ or "", flags=re.M)
                assert text.strip(), f"{name} has no docstring"


def blocks(document):
    return re.findall(r"^```python\n(.*?)^```$", document.read_text(), re.M | re.S)


DOCUMENTS = [
    "README.md", "docs/python.md", "docs/coming-from-trimesh.md", "docs/coming-from-python-fcl.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_code_of_documents_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tandem.write_mesh(tandem.make_shape("torus", 500), "ring.ply")
    code = blocks(SOURCES / name)
    assert code, f"{name} shows no Python: is the test broken?"
    names = {"np": np, "tandem": tandem}
    for block in code:
        if ">>>" in block:
            example = doctest.DocTestParser().get_doctest(block, names, name, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            assert runner.run(example, clear_globs=False).failed == 0
            names.update(example.globs)
        else:
            exec(compile(block, name, "exec"), names)


def test_readme_shows_about_ten_lines():
    assert 8 <= len([line for line in blocks(SOURCES / "README.md")[0].splitlines() if line]) <= 14
