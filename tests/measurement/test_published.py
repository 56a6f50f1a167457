"""Published numbers are ours, too, and the page that says so is up to date."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from published import ALL

ROOT = Path(__file__).parents[2]
EVERY = [one for rows in ALL.values() for one in rows]


@pytest.mark.parametrize("one", EVERY, ids=lambda one: f"{one.source}: {one.what}")
def test_our_number_is_the_published_one(one):
    same = abs(one.ours() - float(one.theirs)) <= 0.5 * 10**-one.digits + 1e-12
    assert same != bool(one.why), f"{one.ours()} and {one.theirs}"


def test_the_page_is_up_to_date():
    spec = importlib.util.spec_from_file_location("make_fidelity", ROOT / "docs/make_fidelity.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = module.PAGE.read_text(encoding="utf-8")
    assert written == module.page(), "docs/fidelity.md is out of date; run python docs/make_fidelity.py"
