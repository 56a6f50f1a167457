"""The layout: names say what a thing is and where it is; imports go one way, those inside functions included."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

import unisono

SOURCE = Path(unisono.__file__).parent
ROLES = {
    "DECLARATIONS",
    "ROUTES",
    "FAMILY",
    "FORMAT",
    "read",
    "write",
    "read_worked",
    "prepare",
    "Settings",
    "AlignJob",
    "SampleJob",
    "expect",
    "run_alignment",
}
"""The same role in parallel modules: what a family or a format declares, what a command runs."""


@cache
def modules() -> dict[str, ast.Module]:
    """Parse every module of the package."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(("unisono", *(part for part in parts if part != "__init__")))
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def defined(tree: ast.Module) -> set[str]:
    """Give the public names that a module defines itself."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("_")}


def test_one_thing_has_one_name():
    """Different things have different names, so that a search finds one place."""
    homes = defaultdict(list)
    for module, tree in modules().items():
        for name in defined(tree) - ROLES:
            homes[name].append(module)
    # a command of cli/ is named like the function that it calls, and compat/ has the names of other packages
    apart = ("unisono.cli.", "unisono.compat.")
    shared = {name: [m for m in places if not m.startswith(apart)] for name, places in homes.items()}
    doubled = {name: places for name, places in shared.items() if len(places) > 1}
    assert not doubled, "\n".join(f"{name}: {', '.join(places)}" for name, places in sorted(doubled.items()))


def imports(module: str, tree: ast.Module, known: set[str]) -> set[str]:
    """Give the modules that a module imports, anywhere in it, but for type checking only."""
    checking = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for child in (block.body if not ast.unparse(block.test).startswith("not") else block.orelse)
        for node in ast.walk(child)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in checking:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in names if name in known} or {node.module}
    return {name for name in found if name in known} - {module}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Give the strongly connected components of more than one module (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in graph[name]:
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == name:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    for name in graph:
        if name not in index:
            visit(name)
    return found


def test_no_module_imports_itself_in_a_circle():
    """Imports inside functions count: a circle that is hidden is a circle."""
    trees = modules()
    graph = {name: imports(name, tree, set(trees)) for name, tree in trees.items()}
    graph["unisono"] = set()  # it names all public modules by strings, and imports them when a name is used
    assert not circles(graph)


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


@pytest.mark.parametrize("package", ["unisono", "unisono.shuffling", "unisono.studies"])
def test_no_public_name_is_that_of_a_module(package):
    """Else importing the module would put it where the function was."""
    found = importlib.import_module(package)
    inside = {module.name for module in pkgutil.iter_modules(found.__path__)}
    assert (inside & set(found.__all__)) <= {"shuffling", "studies"}


def test_only_the_command_line_knows_its_options():
    """Messages mention parameters (`errors.mention`); cli/ writes them as options."""
    flags = []
    for module, tree in modules().items():
        if module.startswith("unisono.cli") or module == "unisono.reporting.page_assets":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.replace("(", " ").replace("`", " ").split()
                flags += [
                    f"{module}:{node.lineno} {w}"
                    for w in words
                    if w.startswith("--") and w[2:3].isalpha() and ":" not in w and "{" not in w and ";" not in w
                ]
    assert not flags, "\n".join(flags)


def test_test_files_have_different_names():
    """Test files of one name cannot be collected together."""
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, times in names.items() if times > 1] == []
