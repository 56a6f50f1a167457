"""The app for tests."""

from __future__ import annotations

import re

import pytest
from browsers import browser, shut_out  # noqa: F401 (fixtures)

pytest.importorskip("starlette", reason="the extra app is not installed")
pytest.importorskip("uvicorn", reason="the extra app is not installed")

from app_helpers import App, Program


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


@pytest.fixture
def program(tmp_path):
    """Start the app as people do; it is ended in the end."""
    programs = []

    def start(*arguments):
        programs.append(Program(tmp_path / "home", *arguments))
        return programs[-1]

    yield start
    for one in programs:
        one.end()


@pytest.fixture
def window(browser):  # noqa: F811 (a fixture)
    """Open windows, and collect what their pages complain about, which must stay empty."""
    complaints, contexts = [], []

    def opened(width=1280, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        return page

    yield opened
    for context in contexts:
        context.close()
    # a decision that is refused is told by the page, and by the browser; so is a server that was killed
    told = r"status of (400|409)|net::ERR_(CONNECTION_|CONTENT_LENGTH_|EMPTY_RESPONSE|INCOMPLETE_)"
    assert [one for one in complaints if not re.search(told, one)] == []
