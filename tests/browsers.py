"""A real browser for tests of pages: Chromium, driven by playwright."""

from __future__ import annotations

import shutil

import pytest

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


@pytest.fixture
def shut_out():
    """Give what axe finds that shuts somebody out: rules and the elements that break them."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

    def violations(page, rules=None):
        options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
        found = axe.Axe().run(page, options=options).response["violations"]
        return [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]

    return violations
