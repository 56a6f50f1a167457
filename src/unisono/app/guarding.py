"""Who may talk to the app: a browser on this computer that was given the token, and pages of the app itself.

Other pages that are open in the same browser must not reach it, by whatever trick: each request names the host that it
was meant for (which defeats names that are made to point here), brings the cookie, and, if it changes something, comes
from a page of the app.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse

from unisono.app.templating import page

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SAFE_METHODS = ("GET", "HEAD")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers would not say where a form comes from
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
OWN_POLICY = "X-Own-Policy"
"""A header by which a page says that it has a policy of its own, in its head."""


class Guard:
    """Lets through only requests of the user's own browser, and adds headers that protect the pages.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    port : int
        The port at which it listens.
    token : str
        What the first address has to contain.
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._token = token
        self._cookie = f"unisono-{port}"  # cookies of one computer do not tell ports apart
        self._secret = secrets.token_urlsafe(32)
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the app do it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = self._refused(scope, headers)
        if answer is None and (given := _token_in(scope)) is not None:
            answer = self._welcomed(*given)
        if answer is None and not self._is_known(headers):
            answer = _refusal("Open the address that the terminal shows: it has the key to this page.")

        async def protect(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message))
            await send(message)

        await (self._app if answer is None else answer)(scope, receive, protect)

    def _refused(self, scope: Scope, headers: Headers) -> HTMLResponse | None:
        """Return an answer to a request that comes from elsewhere, or is meant for something else."""
        host = headers.get("host", "")
        if host not in self._hosts:
            return _refusal("This address does not belong to the app; use the one that the terminal shows.")
        if scope["method"] in _SAFE_METHODS:
            return None
        if headers.get("origin") != f"http://{host}" or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _refusal("Another page tried to change something in the app; nothing was changed.")
        return None

    def _welcomed(self, given: str, wanted: str) -> HTMLResponse:
        """Give the cookie to whoever has the token; the page that follows has an address without it."""
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return _refusal("This address is no longer valid, because the app was restarted; use the new one.")
        # not a redirect: a browser that came from elsewhere, such as a link in a mail, would not bring the cookie
        address = f"/data/{wanted}" if wanted.isalnum() else "/"
        answer = HTMLResponse(page("enter", address=address))
        answer.set_cookie(self._cookie, self._secret, path="/", httponly=True, samesite="strict")
        return answer

    def _is_known(self, headers: Headers) -> bool:
        return any(
            secrets.compare_digest(value.encode(), self._secret.encode())
            for line in headers.getlist("cookie")
            for name, value in _cookies(line).items()
            if name == self._cookie
        )


def _cookies(line: str) -> Mapping[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(line).items()}
    except CookieError:
        return {}


def _token_in(scope: Scope) -> tuple[str, str] | None:
    """Return the token of the first address, and which data it leads to."""
    if scope["path"] != "/" or scope["method"] != "GET":
        return None
    found = parse_qs(scope["query_string"].decode("latin-1"))
    return (found["token"][0], found.get("to", [""])[0]) if "token" in found else None


def _refusal(why: str) -> HTMLResponse:
    return HTMLResponse(page("message", title="Not allowed", sentences=[why], entry=None, opened=None), status_code=403)


def _add_headers(headers: MutableHeaders) -> None:
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    if OWN_POLICY in headers:
        del headers[OWN_POLICY]
        headers["Content-Security-Policy"] = "frame-ancestors 'none'"
    else:
        headers["Content-Security-Policy"] = _POLICY
