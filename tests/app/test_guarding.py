"""Only the user's own browser reaches the app, and only its own pages change anything."""

from __future__ import annotations

import pytest
from app_helpers import TOKEN

ADDRESSES = ("/", "/static/app.css", "/data/0/places/1.json", "/nowhere")


@pytest.mark.parametrize("address", ADDRESSES)
def test_nobody_is_let_in_without_the_token(app, address):
    answer = app.stranger().get(address)
    assert answer.status == 403
    assert "the terminal" in answer.text
    assert app.stranger().get("/?token=wrong").status == 403
    assert app.stranger().get(address, Cookie=f"unisono-{app.port}=wrong").status == 403


def test_the_token_becomes_a_cookie_that_only_the_browser_sees(app):
    browser = app.stranger()
    cookie = browser.get(f"/?token={TOKEN}").headers["Set-Cookie"]
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert TOKEN not in cookie
    page = browser.get("/")
    assert page.status == 200
    assert TOKEN not in page.text


@pytest.mark.parametrize(
    "host", ["example.org", "example.org:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.example:{port}"]
)
def test_a_foreign_host_is_refused(app, host):
    """A name of somebody else can be made to point to this computer."""
    assert app.browser.get("/", Host=host.format(port=app.port)).status == 403


@pytest.mark.parametrize(
    "origin", ["https://example.org", "null", "http://127.0.0.1:1", "http://127.0.0.1:{port}.org", None]
)
def test_a_foreign_origin_changes_nothing(app, origin):
    given = None if origin is None else origin.format(port=app.port)
    assert app.browser.send("/example", Origin=given).status == 403
    assert app.browser.tell("/drop", {}, Origin=given).status == 403
    assert app.browser.ask("PUT", "/drop/1/name", b"x", Origin=given).status == 403
    assert not app.state.home.entries()


def test_a_page_of_another_site_is_refused_even_with_our_origin(app):
    assert app.browser.send("/example", Sec_Fetch_Site="cross-site").status == 403


def test_every_answer_is_protected(app):
    for address in ("/", "/static/app.css", "/nowhere", "/data/unknown"):
        headers = app.browser.get(address).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] in ("no-store", "no-cache")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize(
    "name", ["../serving.py", "..%2fserving.py", "app.css/..", "nothing.js", "base.html", "%00.js"]
)
def test_only_what_pages_need_is_served(app, name):
    assert app.browser.get(f"/static/{name}").status == 404
