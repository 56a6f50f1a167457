"""What all answers share: the app's state, data by its address, and errors as sentences."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from unisono.app.desk import ConflictError
from unisono.app.home import Home
from unisono.app.opened import Library, Opened
from unisono.app.reading_form import Form, Problem, problem_of
from unisono.app.templating import page
from unisono.errors import DataError, UnisonoError

_LARGEST = 2**20
Answering: TypeAlias = Callable[[Request], Awaitable[Response]]


class Commands(Protocol):
    """Writes a command that does the same in a terminal."""

    def __call__(self, name: str, paths: Sequence[Path], given: Mapping[str, Any]) -> str:
        """Receive the command's name, what it reads, and parameters by their names in Python."""


class State:
    """What the app knows.

    Attributes
    ----------
    library : Library
        The data that is open.
    home : Home
        What is kept on this computer.
    commands : Commands
        Writes commands.
    drops : dict
        Files that are being dropped.
    """

    def __init__(self, home: Home, commands: Commands) -> None:
        self.home = home
        self.library = Library(home)
        self.commands = commands
        self.drops: dict[str, Any] = {}


class PlainData(JSONResponse):
    """Plain data for scripts; what cannot be encoded, such as half a character, becomes another character."""

    def render(self, content: Any) -> bytes:
        """Write the data."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode(errors="replace")


class NotThereError(DataError):
    """What an address names is not there."""


def state_of(request: Request) -> State:
    """Return what the app knows."""
    found: State = request.app.state.unisono
    return found


def opened_of(request: Request) -> Opened:
    """Return the data that an address names."""
    found = state_of(request).library.get(request.path_params["id"])
    if found is None:
        raise NotThereError("this data is not open, or has been moved; open it again")
    return found


async def form_of(request: Request) -> Form:
    """Return the fields that were sent."""
    async with request.form(max_files=0, max_fields=20_000, max_part_size=2**20) as sent:
        return Form([(name, value) for name, value in sent.multi_items() if isinstance(value, str)])


def shown(template: str, opened: Opened | None = None, **values: Any) -> HTMLResponse:
    """Return a page about data."""
    return HTMLResponse(page(template, entry=None if opened is None else opened.entry, opened=opened, **values))


def to(address: str) -> RedirectResponse:
    """Lead to another page after a form was sent."""
    return RedirectResponse(address, status_code=303)


def in_page(answer: Callable[..., Any]) -> Answering:
    """Show errors as sentences in a page; answers that are plain functions are given in a thread."""
    return _answering(answer, _page_of_error)


def in_data(answer: Callable[..., Any]) -> Answering:
    """Give plain data, and errors as sentences in it."""
    return _answering(answer, _data_of_error)


def _answering(answer: Callable[..., Any], failed: Callable[[Request, Problem, int], Response]) -> Answering:
    @wraps(answer)
    async def answered(request: Request) -> Response:
        try:
            found = await run_in_threadpool(answer, request, await _sent(request))
        except ConflictError as error:
            return failed(request, problem_of(error), 409)
        except NotThereError as error:
            return failed(request, problem_of(error), 404)
        except UnisonoError as error:
            return failed(request, problem_of(error), 400)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)  # for a report of the mistake
            said = f"unisono failed with {type(error).__name__} ({error}); please report this"
            return failed(request, Problem(said, "", "", []), 400)
        return found if isinstance(found, Response) else PlainData(found)

    return answered


async def _sent(request: Request) -> Any:
    """Return what was sent: the fields of a form, or what a script sent as JSON."""
    if request.method != "POST":
        return Form([])
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/json":
        return await form_of(request)
    content = bytearray()
    async for block in request.stream():
        content += block
        if len(content) > _LARGEST:
            raise DataError("the request is too large; send less at once")
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise DataError("the request cannot be read; reload the page and try again") from None
    if not isinstance(found, dict):
        raise DataError("the request cannot be read; reload the page and try again")
    return found


def _page_of_error(request: Request, problem: Problem, status: int) -> Response:
    found = state_of(request).library.known(request.path_params.get("id", ""))
    values = {"title": "That did not work", "sentences": [sentence(problem)], "opened": found}
    return HTMLResponse(page("message", entry=None if found is None else found.entry, **values), status)


def _data_of_error(request: Request, problem: Problem, status: int) -> Response:
    return PlainData({"error": sentence(problem), "field": problem.field}, status)


def sentence(problem: Problem) -> str:
    """Return what is wrong as a whole sentence."""
    words = f"{problem.where}: {problem.message}" if problem.where else problem.message
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '!', '?')) else '.'}"
