"""The public interface: one page lists it, types are checked, and nothing hides anything."""

from __future__ import annotations

import inspect
import subprocess
import sys

import numpy as np
import pytest

import unisono
from unisono import OptionError
from unisono.demo import demo_path

TABLE = [[1, 2, 3, 3, 2, 1, 4, 1, 2], [1, 2, 3, 3, 2, 2, 4, 1, 2]]
"""Two annotators, one per row."""


def test_dir_shows_public_names_only():
    shown = dir(unisono)
    assert shown == sorted(unisono.__all__)
    assert not {"importlib", "annotations", "TYPE_CHECKING", "drawing"} & set(shown)
    assert [name for name in shown if name.startswith("_")] == ["__version__"]


def test_every_name_is_there_and_documented():
    for name in unisono.__all__:
        found = getattr(unisono, name)
        assert name == "__version__" or inspect.getdoc(found), name


def test_star_import_gives_the_public_names():
    scope: dict[str, object] = {}
    exec("from unisono import *", scope)
    assert set(unisono.__all__) <= set(scope)


IMPORT_FIRST = """
import importlib
import sys

for first in ("measurement.registry", "adjudication", "reporting.terminal", "shuffling.curves", "studies", "results"):
    for name in [name for name in sys.modules if name.partition(".")[0] == "unisono"]:
        del sys.modules[name]
    module = importlib.import_module(f"unisono.{first}")
    assert module is sys.modules[f"unisono.{first}"], first
    import unisono
    for name in ("gold", "measure", "measures", "plan", "report"):
        assert callable(getattr(unisono, name)), (first, name)
    assert "gamma" in unisono.measures(), first
"""


def test_importing_a_module_hides_no_function():
    """In a process of its own, so that nothing of the package is imported yet."""
    subprocess.run([sys.executable, "-c", IMPORT_FIRST], check=True)


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import unisono, sys; print([m for m in ('numpy', 'scipy', 'numba', 'narwhals', 'lxml') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_bare_table_needs_rows():
    for table in (TABLE, np.array(TABLE), tuple(map(tuple, TABLE))):
        with pytest.raises(
            OptionError, match=r"rows: a bare table is ambiguous; pass rows='items' .* rows='annotators'"
        ):
            unisono.krippendorff_alpha(table)
        # https://en.wikipedia.org/wiki/Krippendorff's_alpha has such a table with annotators in rows
        by_annotators = unisono.krippendorff_alpha(table, distance="interval", rows="annotators").value
        by_items = unisono.krippendorff_alpha(np.array(table).T, distance="interval", rows="items").value
        assert by_annotators == by_items == pytest.approx(0.93, abs=0.02)
        assert unisono.krippendorff_alpha(table, distance="interval", rows="items").value < 0.2


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: unisono.gamma(demo_path(), alpha="x"), "alpha"),
        (lambda: unisono.gamma(demo_path(), rng="x"), "rng"),
        (lambda: unisono.gamma(demo_path(), rng=True), "rng"),
        (lambda: unisono.gamma(demo_path(), precision="0.1"), "precision"),
        (lambda: unisono.gamma(demo_path(), confidence=2), "confidence"),
        (lambda: unisono.gamma(demo_path(), delta_empty=0), "delta_empty"),
        (lambda: unisono.gamma(demo_path(), chance=3), "chance"),
        (lambda: unisono.gamma(demo_path(), time_limit=-1), "time_limit"),
        (lambda: unisono.gamma(demo_path(), workers=1.5), "workers"),
        (lambda: unisono.gamma(demo_path(), workers="2"), "workers"),
        (lambda: unisono.gamma(demo_path(), rows="columns"), "rows"),
        (lambda: unisono.gamma(demo_path(), rows="items"), "rows"),
        (lambda: unisono.gamma(None), "corpus"),
        (lambda: unisono.cohen_kappa(None), "data"),
        (lambda: unisono.text_gamma(demo_path(), gaps="yes"), "gaps"),
        (lambda: unisono.text_gamma(demo_path(), base=3), "base"),
        (lambda: unisono.measure(None, demo_path()), "name"),
        (lambda: unisono.measure("gamma", demo_path(), rng="x"), "rng"),
        (lambda: unisono.measure("gamma", demo_path(), base="x.jsonl"), "base"),
        (lambda: unisono.read(None), "paths"),
        (lambda: unisono.read(3), "paths"),
        (lambda: unisono.write(None, "x.csv"), "data"),
        (lambda: unisono.write(demo_path(), None), "path"),
        (lambda: unisono.gold(demo_path(), support="x"), "support"),
        (lambda: unisono.plan(demo_path(), width="x"), "width"),
        (lambda: unisono.compare(demo_path(), demo_path(), rng="x"), "rng"),
        (lambda: unisono.shuffling.shuffle(demo_path(), "position", magnitude="high"), "magnitude"),
    ],
)
def test_wrong_parameters_are_named(call, parameter):
    with pytest.raises(OptionError) as caught:
        call()
    assert caught.value.parameter == parameter
    assert str(caught.value).startswith(f"{parameter}: ")
    assert "--" not in str(caught.value)


def test_unknown_parameters_are_named():
    with pytest.raises(OptionError, match="cohen-kappa has no parameter 'nonsense'; available: feature, unmarked"):
        unisono.cohen_kappa({"anna": [1], "bert": [1]}, nonsense=3)
