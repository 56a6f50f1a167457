"""A real browser for pages: Chromium, driven by playwright."""

from __future__ import annotations

import shutil

import pytest
import report_pages

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser():
    """Chromium as the system has it; nothing is downloaded."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no chromium on this machine; on Debian: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture(scope="module")
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


@pytest.fixture
def opened(browser, files):
    """Open a page and collect what it complains about and asks for; both must stay empty."""
    contexts, complaints, requests, names = [], [], [], set()

    def open_page(name, *, scheme="light", width=1280, fragment="", **more):
        names.add(name)
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url.partition("#")[0]))
        page.goto(files(name) + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert set(requests) <= {files(name) for name in names}


@pytest.fixture
def shut_out():
    """Give what axe finds that shuts somebody out: rules and the elements that break them."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

    def violations(page, rules=None):
        options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
        found = axe.Axe().run(page, options=options).response["violations"]
        return [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]

    return violations
