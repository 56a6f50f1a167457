"""Every public name has an example in its documentation, says what its parameters are, and prints what it says."""

from __future__ import annotations

import doctest
import inspect
import re
from types import ModuleType

import pytest

import unisono
from unisono import shuffling, studies

PACKAGES = (unisono, shuffling, studies)
EXEMPT = {
    "__version__",  # no function or class
    "DataLike",  # the name of a type
    "UnisonoError",  # errors are raised, not called
    "DataError",
    "OptionError",
}
NAMED = re.compile(r"^See Also\n-{8}\n(.+)$", flags=re.M)


def public() -> dict[str, object]:
    """Give everything public by the name that users write."""
    found = {f"{module.__name__}.{name}": getattr(module, name) for module in PACKAGES for name in module.__all__}
    return {
        name: one
        for name, one in found.items()
        if not isinstance(one, ModuleType) and name.rpartition(".")[2] not in EXEMPT
    }


PUBLIC = public()
CLASSES = [name for name, one in PUBLIC.items() if inspect.isclass(one)]
FUNCTIONS = [name for name in PUBLIC if name not in CLASSES]
OWN = ("self", "cls", "args", "kwargs", "iterable")
"""Names of parameters that the language gives, as those of a tuple."""


def documentation(name: str) -> str:
    """Give the documentation of a name itself, not that of a class from which it inherits."""
    return inspect.cleandoc(PUBLIC[name].__doc__ or "")


def headings(text: str) -> list[str]:
    return re.findall(r"^(\w[\w ]+)\n-{3,}$", text, flags=re.M)


def explained(text: str) -> set[str]:
    """Give the names under Parameters and Attributes."""
    parts = re.findall(r"^(?:Parameters|Attributes)\n-{10}\n(.*?)(?=^\w[\w ]+\n-{3,}$|\Z)", text, flags=re.M | re.S)
    lines = re.findall(r"^([*\w][\w, *]*?)(?: :.*)?$", "\n".join(parts), flags=re.M)
    return {name.strip(" *") for line in lines for name in line.split(",")}


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_print_what_they_say(name, tmp_path, monkeypatch):
    """An example imports what it uses, and may write files; that of a class uses it, or makes one of its objects."""
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(documentation(name), {}, name, None, None)
    assert test.examples, f"{name} has no example"
    lines: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=lines.append, clear_globs=False)
    assert not failed, "".join(lines)
    made = name in CLASSES and any(isinstance(one, PUBLIC[name]) for one in test.globs.values())
    assert made or any(name in example.source for example in test.examples), f"no example of {name} uses it"


def test_see_also_names_what_is_public():
    for name in PUBLIC:
        found = NAMED.search(documentation(name))
        assert found, f"{name} names nothing to see"
        home = name.rpartition(".")[0]
        for other in found[1].split(", "):
            assert f"{home}.{other}" in PUBLIC or f"unisono.{other}" in PUBLIC, f"{name}: see also {other}"
            assert other != name.rpartition(".")[2], f"{name} names itself"


def test_functions_explain_their_parameters_and_what_they_return():
    for name in FUNCTIONS:
        text = documentation(name)
        assert explained(text) == set(inspect.signature(PUBLIC[name]).parameters), name
        assert "Returns" in headings(text), f"{name} does not say what it returns"


def test_classes_explain_what_they_are_made_of():
    """A class explains its own attributes, and inherits the explanations of others."""
    for name in CLASSES:
        bases = [one for one in PUBLIC[name].__mro__ if one.__module__.startswith("unisono")]
        known = set().union(*(explained(inspect.cleandoc(one.__doc__ or "")) for one in bases))
        assert set(inspect.signature(PUBLIC[name]).parameters) - set(OWN) <= known, name


def test_exemptions_are_public_names():
    assert {name for module in PACKAGES for name in module.__all__} >= EXEMPT
