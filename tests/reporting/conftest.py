"""A real browser for pages: Chromium, driven by playwright."""

from __future__ import annotations

import pytest
import report_pages
from browsers import browser, shut_out  # noqa: F401 (fixtures)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Give pages by name, each made when first asked for."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def file(name):
        if name not in made:
            made[name] = folder / f"{name}.html"
            page = getattr(report_pages, f"{name}_page")()
            made[name].write_bytes(page.encode(errors="backslashreplace"))
        return made[name].as_uri()

    return file


@pytest.fixture(scope="module")
def window(browser):  # noqa: F811 (a fixture)
    """One window for all pages: opening another takes as long as most tests."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


@pytest.fixture
def opened(window, files):
    """Open a page and collect what it complains about and asks for; both must stay empty."""
    complaints, requests, names = [], [], set()
    listeners = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "dialog": lambda dialog: complaints.append(dialog.message),
        "request": lambda request: requests.append(request.url.partition("#")[0]),
    }

    def open_page(name, *, scheme="light", width=1280, fragment="", forced_colors="none"):
        names.add(name)
        window.goto("about:blank")  # a fragment alone would load nothing
        window.set_viewport_size({"width": width, "height": 900})
        window.emulate_media(media="screen", color_scheme=scheme, forced_colors=forced_colors)
        window.goto(files(name) + fragment)
        return window

    for event, listener in listeners.items():
        window.on(event, listener)
    yield open_page
    window.goto("about:blank")
    for event, listener in listeners.items():
        window.remove_listener(event, listener)
    assert complaints == []
    assert set(requests) <= {files(name) for name in names}
