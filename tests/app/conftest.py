"""The app for tests."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")
pytest.importorskip("uvicorn", reason="the extra app is not installed")

from app_helpers import App


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """Start the app once for the tests of a module."""
    found = App(tmp_path_factory.mktemp("app"))
    yield found
    found.close()


@pytest.fixture
def app(running):
    """Provide the app without any data that is open."""
    yield running
    for one in list(running.state.library):
        running.state.library.forget(one.entry.id)
    for entry in running.state.home.entries():
        running.state.home.forget(entry.id)
