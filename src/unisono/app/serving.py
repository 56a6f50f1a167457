"""Serving the app on this computer, until somebody ends it."""

from __future__ import annotations

import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from unisono.app import desk_routes, open_routes, run_routes
from unisono.app.answering import Commands, State
from unisono.app.guarding import Guard
from unisono.app.home import Home, default_home
from unisono.app.templating import page, static
from unisono.errors import DataError, OptionError

USUAL_PORT = 8642
_HOST = "127.0.0.1"


def site(state: State) -> Starlette:
    """Return the app, which nothing guards yet."""
    routes = [
        *open_routes.ROUTES,
        *run_routes.ROUTES,
        *desk_routes.ROUTES,
        Route("/static/{name}", _static),
    ]
    found = Starlette(routes=routes, exception_handlers={HTTPException: _unknown})
    found.state.unisono = state
    return found


async def _static(request: Request) -> Response:
    found = static(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    content, kind = found
    return Response(content, media_type=f"{kind}; charset=utf-8", headers={"Cache-Control": "no-cache"})


async def _unknown(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = "There is no such page." if status == 404 else "This address does not accept this kind of request."
    return HTMLResponse(page("message", title="Nothing here", sentences=[words], entry=None, opened=None), status)


def run_app(
    paths: Sequence[Path],
    *,
    commands: Commands,
    port: int | None = None,
    decisions: Sequence[Path] = (),
    browse: bool = True,
    tell: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
) -> None:
    """Serve the app until it is interrupted.

    Parameters
    ----------
    paths : sequence of path
        Data to open at once.
    commands : callable
        Writes commands that do the same in a terminal.
    port : int, optional
        Where to listen; if not given, the usual port, or any that is free.
    decisions : sequence of path, optional
        Where decisions about this data are kept, if not beside it; further files have what other people decided.
    browse : bool
        Whether to open a browser.
    tell : callable
        Takes lines for the terminal.
    """
    state = State(Home(default_home()), commands)
    opened = state.library.open(paths, decisions) if paths else None
    try:
        listening = _listening(port)
    except BaseException:
        state.library.close()
        raise
    number = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://{_HOST}:{number}/?token={token}"
    if opened is not None:
        address += f"&to={opened.entry.id}"
    tell(f"unisono is running on this computer only; open it in a browser:\n\n  {address}\n\nPress Ctrl-C to stop it.")
    if browse:
        threading.Timer(0.5, _browse, [address]).start()
    guarded = Guard(site(state), number, token)
    config = uvicorn.Config(
        guarded,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    try:
        _Server(config).run(sockets=[listening])
    finally:
        state.library.close()
        with suppress(OSError):
            listening.close()
    tell("unisono has stopped; all decisions are saved.")


class _Server(uvicorn.Server):
    """A server that Ctrl-C ends without being an error."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End; a second signal does not wait for answers that are being given."""
        super().handle_exit(sig, frame)
        if sig == signal.SIGINT:
            self._captured_signals.clear()  # else it would be raised again at the end


def _listening(port: int | None) -> socket.socket:
    """Return a socket at the port, or, if none is given, at the usual one or any other that is free."""
    for number in [port] if port is not None else [USUAL_PORT, 0]:
        # named TCP, or asyncio would leave Nagle's algorithm on, and each answer would take 40 ms more
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if sys.platform != "win32":
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((_HOST, number))
            found.listen(128)
        except (OSError, OverflowError) as error:
            found.close()
            if port is not None:
                reason = getattr(error, "strerror", None) or str(error)
                raise OptionError(
                    f"{port} cannot be used ({reason}); choose another, or leave it out", "port"
                ) from None
        else:
            return found
    raise DataError("there is no free port; close another program")


def _browse(address: str) -> None:
    with suppress(Exception):  # a browser is a convenience: the address has been printed
        webbrowser.open(address)
