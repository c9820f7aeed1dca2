"""The type stubs: they name all that there is, with its parameters, and nothing else."""

import ast
import enum
import inspect
import re
from pathlib import Path

import pytest

import tandem
from tandem import collision, cuda

PACKAGE = Path(tandem.__file__).parent


def stub_of(name):
    return ast.parse((PACKAGE / f"{name}.pyi").read_text())


def parameters(function):
    """The names of a stub's parameters, without self."""
    given = function.args
    all_of_them = given.posonlyargs + given.args + given.kwonlyargs
    return tuple(a.arg for a in all_of_them if a.arg != "self")


def declared(body):
    """Functions and other names of a stub's module or class: name to the set of parameter lists."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            is_property = any(getattr(d, "id", "") == "property" for d in node.decorator_list)
            found.setdefault(node.name, set())
            if not is_property:
                found[node.name].add(parameters(node))
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = set()
        elif isinstance(node, ast.Assign):
            found[node.targets[0].id] = set()
    return found


def actual(function):
    """The parameter lists of a function, also of pybind11, which tells them in the docstring."""
    try:
        names = tuple(inspect.signature(function).parameters)
        return {tuple(name for name in names if name != "self")}
    except ValueError:
        pass
    lists = set()
    for line in re.findall(r"^(?:\d+\. )?\w+\((.*)\) -> .*$", function.__doc__ or "", re.M):
        # Commas inside of brackets and quotes are no ends of parameters.
        line = re.sub(r"\[[^\[\]]*\]", "", line)
        line = re.sub(r"<[^>]*>|\([^()]*\)|\[[^\[\]]*\]|'[^']*'", "", line)
        names = (part.split(":")[0].split("=")[0].strip() for part in line.split(","))
        lists.add(tuple(name for name in names if name and name not in ("self", "*", "arg0")))
    return lists


MODULES = {"__init__": tandem, "sim": tandem.sim, "collision": collision}
if cuda.built:
    MODULES["cuda"] = cuda
CLASSES = [
    (stub, node.name)
    for stub in MODULES for node in stub_of(stub).body
    if isinstance(node, ast.ClassDef) and node.name != "Named"
]


@pytest.mark.parametrize("stub", MODULES)
def test_functions(stub):
    functions = {name: lists for name, lists in declared(stub_of(stub).body).items() if lists}
    for name, lists in functions.items():
        assert lists == actual(getattr(MODULES[stub], name)), name


def test_all_that_is_public_is_in_the_stub():
    named = set(declared(stub_of("__init__").body))
    named |= {name for stub, name in CLASSES if stub == "__init__"}
    imported = {alias.name for node in stub_of("__init__").body if isinstance(node, ast.ImportFrom)
                for alias in node.names if alias.asname}
    assert set(tandem.__all__) <= named | imported, sorted(set(tandem.__all__) - named - imported)


@pytest.mark.parametrize("stub, name", CLASSES)
def test_classes(stub, name):
    classes = (node for node in stub_of(stub).body if isinstance(node, ast.ClassDef))
    node = next(node for node in classes if node.name == name)
    real = getattr(MODULES[stub], name)
    shown = declared(node.body)
    for member, lists in shown.items():
        if stub == "collision" and member == "names":
            continue  # made by __init__
        assert hasattr(real, member), f"{name}.{member} does not exist"
        if lists and not member.startswith("__"):
            assert lists == actual(inspect.getattr_static(real, member).__func__
                                   if isinstance(inspect.getattr_static(real, member), staticmethod)
                                   else getattr(real, member)), f"{name}.{member}"
        if member == "__init__" and real.__init__.__doc__ and issubclass(type(real), type):
            assert lists == actual(real.__init__), f"{name}.__init__"
    if isinstance(real, enum.EnumMeta):
        assert {m: ast.literal_eval(n.value) for n in node.body for m in [n.targets[0].id]} == {
            m: v.value for m, v in real.__members__.items()}
    elif hasattr(real, "__members__"):  # of pybind11
        assert set(shown) == set(real.__members__)
    else:
        public = {member for member in vars(real) if not member.startswith("_")}
        missing = sorted(public - set(shown))
        assert not missing, f"{name} has {missing}, which the stub does not show"
