"""Every public function has an example in its documentation, and examples print what they say."""

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
CALLED = [name for name, one in PUBLIC.items() if not inspect.isclass(one)]
"""Functions; results and data are shown by the functions that make them."""


def documentation(name: str) -> str:
    """Give the documentation of a name itself, not that of a class from which it inherits."""
    return inspect.cleandoc(PUBLIC[name].__doc__ or "")


def examples(name: str) -> doctest.DocTest:
    return doctest.DocTestParser().get_doctest(documentation(name), {}, name, None, None)


@pytest.mark.parametrize("name", CALLED)
def test_examples_print_what_they_say(name, tmp_path, monkeypatch):
    """An example imports what it uses, and may write files."""
    monkeypatch.chdir(tmp_path)
    test = examples(name)
    assert test.examples, f"{name} has no example"
    assert any(name in example.source for example in test.examples), f"no example of {name} uses it"
    lines: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=lines.append)
    assert not failed, "".join(lines)


@pytest.mark.parametrize("name", CALLED)
def test_see_also_names_what_is_public(name):
    found = NAMED.search(documentation(name))
    assert found, f"{name} names nothing to see"
    home = name.rpartition(".")[0]
    for other in found[1].split(", "):
        assert f"{home}.{other}" in PUBLIC or f"unisono.{other}" in PUBLIC, f"{name}: see also {other}"
        assert other != name.rpartition(".")[2], f"{name} names itself"


def test_exemptions_are_public_names():
    assert {name for module in PACKAGES for name in module.__all__} >= EXEMPT
