"""Opening data and looking at what was found."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from unisono.app.answering import (
    NotThereError,
    in_data,
    in_page,
    opened_of,
    sentence,
    shown,
    state_of,
    to,
)
from unisono.app.dropping import Drop, example
from unisono.app.found import found_in
from unisono.app.jobs import BackgroundJob
from unisono.app.opened import Opened
from unisono.app.reading_form import OUR_COLUMNS, Form, Problem, choices_in, cleaners, fixed_choices, problem_of
from unisono.app.roles import CURATOR, proposals, roles_in
from unisono.data.unit_kinds import COMPOSITE, UNIT_KINDS
from unisono.errors import DataError, OptionError, UnisonoError
from unisono.formats import FORMATS
from unisono.remaining import as_words

_ONWARD = ("measure", "decide")
"""The screens to which the preview leads."""
KIND_WORDS = {
    "spans": "units (spans)",
    "events": "events with their arguments",
    "items": "labels of items",
    "tokens": "labels of tokens",
}
"""Kinds of annotations, if they are not called by their names."""


def start(request: Request, form: Form) -> Response:
    """Show where to begin."""
    return _opening(request)


def _opening(request: Request, problem: Problem | None = None, written: str = "") -> Response:
    answer = shown("open", recent=state_of(request).home.entries(), problem=problem, written=written)
    answer.status_code = 200 if problem is None else 400
    return answer


def open_path(request: Request, form: Form) -> Response:
    """Open files or a folder by their paths."""
    try:
        return to(_address(_opened_by_path(request, form)))
    except UnisonoError as error:
        return _opening(request, problem_of(error), form.text("path"))


def _opened_by_path(request: Request, form: Form) -> Opened:
    given = [line.strip("\"'") for line in form.lines("path")]
    if not given:
        raise OptionError("write the path of a file or a folder")
    paths = [Path(os.path.expanduser(one)) for one in given]
    for path in paths:
        if not path.is_absolute():
            raise DataError(f"{path}: write the whole path, such as {Path.home() / path}")
    return state_of(request).library.open(paths)


def open_example(request: Request, form: Form) -> Response:
    """Open the built-in data."""
    state = state_of(request)
    return to(_address(state.library.open([example(state.home)])))


def forget_data(request: Request, form: Form) -> Response:
    """Take data off the list of what was opened."""
    state_of(request).library.forget(form.text("id"))
    return to("/")


def begin_drop(request: Request, sent: Any) -> Mapping[str, Any]:
    """Begin to take files that were dropped."""
    drop = Drop(state_of(request).home)
    state_of(request).drops[drop.id] = drop
    return {"id": drop.id}


async def drop_file(request: Request) -> Response:
    """Take a file that was dropped."""
    drop = state_of(request).drops.get(request.path_params["drop"])
    try:
        if drop is None:
            raise NotThereError("drop the files again")
        await drop.add(request.path_params["name"], request.stream())
    except UnisonoError as error:
        if drop is not None:
            drop.abandon()
        return JSONResponse({"error": sentence(problem_of(error))}, 400)
    return JSONResponse({})


def finish_drop(request: Request, sent: Any) -> Mapping[str, Any]:
    """Open what was dropped."""
    state = state_of(request)
    drop = state.drops.pop(request.path_params["drop"], None)
    if drop is None:
        raise NotThereError("drop the files again")
    return {"address": _address(state.library.open([drop.finish()]))}


def show_found(request: Request, form: Form) -> Response:
    """Show what was found; whoever wanted to go on is led there if nothing is wrong."""
    opened = opened_of(request)
    if (then := request.query_params.get("then")) in _ONWARD and opened.reading.wait(0.8) and opened.data is not None:
        return to(f"{_address(opened)}/{then}")
    return _preview(request, opened)


def read_again(request: Request, form: Form) -> Response:
    """Read data in another way, and perhaps go on to another screen."""
    opened = opened_of(request)
    try:
        if form.text("fix"):
            how = fixed_choices(opened.entry.reading, form.text("fix"), form.text("value"))
        elif form.text("usual"):
            how = {}
        else:
            how = choices_in(form)
        if form.text("roles"):
            opened.assign(roles_in(form, _annotators(opened)))
    except OptionError as error:
        return _preview(request, opened, error)
    how = _of_kind(how, opened.entry.reading)
    if how != opened.entry.reading:
        opened.read(how)
    then = form.text("then")
    return to(f"{_address(opened)}?then={then}" if then in _ONWARD else _address(opened))


def _of_kind(how: dict[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return choices without the layers and features of spans if relations are read from now on, or the reverse."""
    now, then = how.get("units"), before.get("units")
    if now == then or not {now, then}.intersection(COMPOSITE):
        return how
    return {name: value for name, value in how.items() if name not in ("layers", "features")}


def _annotators(opened: Opened) -> list[str]:
    """Return everybody who is in the data."""
    whole = None if opened.contents is None else opened.contents.whole
    return [] if whole is None else [*whole.annotators]


def _preview(request: Request, opened: Opened, error: UnisonoError | None = None) -> Response:
    contents = opened.contents
    if contents is None:
        opened.reading.wait(0.8)  # most data is there by then, without a page in between
        contents = opened.contents
    if contents is None:
        return shown("reading", opened)
    wrong = error or contents.error
    return shown(
        "preview",
        opened,
        found=found_in(contents),
        ready=contents.data is not None,
        guesses=contents.guesses,
        skipped=[sentence(problem_of(one)) for one in contents.skipped],
        problem=None if wrong is None else problem_of(wrong),
        chosen=opened.entry.reading,
        roles=opened.entry.roles,
        proposed=proposals(_annotators(opened), opened.entry.roles),
        curator=CURATOR,
        formats=FORMATS,
        kinds=[(name, KIND_WORDS.get(name, name)) for name in (*UNIT_KINDS, "items", "tokens")],
        our_columns=OUR_COLUMNS,
        cleaners=cleaners(),
        command=_command(request, opened),
    )


def _command(request: Request, opened: Opened) -> str:
    """Write the command that measures the same; with models, the one that compares them with people."""
    kept = opened.counting() if opened.data is not None else []
    given = {**opened.entry.reading, **({"annotators": kept} if kept else {})}
    if not opened.models:
        return state_of(request).commands("measure", opened.paths, given)
    return state_of(request).commands("compare", opened.paths, {**given, "models": opened.models})


def reading_state(request: Request, sent: Any) -> Mapping[str, Any]:
    """Say how far reading is."""
    return job_state(opened_of(request).reading)


def job_state(job: BackgroundJob) -> dict[str, Any]:
    """Describe work that is going on."""
    left = job.left
    return {
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "about": job.about,
        "left": "" if left is None or job.elapsed < 2 else f"{as_words(left)} left",
        "elapsed": round(job.elapsed),
    }


def _address(opened: Opened) -> str:
    return f"/data/{opened.entry.id}"


ROUTES = [
    Route("/", in_page(start)),
    Route("/open", in_page(open_path), methods=["POST"]),
    Route("/example", in_page(open_example), methods=["POST"]),
    Route("/forget", in_page(forget_data), methods=["POST"]),
    Route("/drop", in_data(begin_drop), methods=["POST"]),
    Route("/drop/{drop}", in_data(finish_drop), methods=["POST"]),
    Route("/drop/{drop}/{name:path}", drop_file, methods=["PUT"]),
    Route("/data/{id}", in_page(show_found)),
    Route("/data/{id}", in_page(read_again), methods=["POST"]),
    Route("/data/{id}/reading", in_data(reading_state)),
]
