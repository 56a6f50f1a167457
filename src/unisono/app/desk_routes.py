"""Deciding, and giving back what was decided."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from unisono.adjudication import TextGold
from unisono.adjudication.adjudicators import decided_data
from unisono.app import giving
from unisono.app.answering import in_data, in_page, opened_of, shown, state_of, to
from unisono.app.desk import Desk
from unisono.app.drafting_form import drafting_in
from unisono.app.open_routes import job_state
from unisono.app.opened import Opened
from unisono.app.people import files_of_others, people_in, person_of, suffix_of
from unisono.app.place_views import decision_view
from unisono.app.reading_form import Form, problem_of
from unisono.app.views import Views, views_of
from unisono.data import Corpus
from unisono.errors import DataError, OptionError, UnisonoError
from unisono.formats import write


def deciding(request: Request, form: Form) -> Response:
    """Show the desk."""
    return _deciding(request, opened_of(request))


def _deciding(request: Request, opened: Opened, error: UnisonoError | None = None) -> Response:
    if opened.data is None:
        return to(f"/data/{opened.entry.id}")
    job = opened.drafting()
    job.wait(0.8)
    wrong, of_files = error or job.error, False
    try:
        desk = opened.desk()
    except DataError as unread:
        desk, wrong, of_files = None, unread, True
    return shown(
        "decide",
        opened,
        state=job_state(job),
        desk=desk,
        problem=None if wrong is None else problem_of(wrong),
        drafting=opened.entry.drafting,
        user=person_of(opened) or _user(),
        named=bool(person_of(opened)),
        kind=_kind(opened, desk),
        others=files_of_others(opened),
        of_files=of_files or getattr(error, "parameter", None) == "decisions",
    )


def _kind(opened: Opened, desk: Desk | None) -> str:
    """Return what is decided about, which decides on the fields for drafts."""
    if desk is not None and isinstance(desk.draft, TextGold):
        return "texts"
    return "units" if isinstance(opened.data, Corpus) else "items"


def draft_anew(request: Request, form: Form) -> Response:
    """Draft the gold standard in another way."""
    opened = opened_of(request)
    try:
        opened.draft_anew(drafting_in(form))
    except OptionError as error:
        return _deciding(request, opened, error)
    return to(f"/data/{opened.entry.id}/decide")


def choose_people(request: Request, form: Form) -> Response:
    """Keep decisions in another file, and take what others decided into account."""
    opened = opened_of(request)
    try:
        opened.decide_in(*people_in(form, opened))
    except UnisonoError as error:
        return _deciding(request, opened, error)
    return to(f"/data/{opened.entry.id}/decide")


def measure_people(request: Request, form: Form) -> Response:
    """Open what people decided as data of their own, to measure how well they agree."""
    state, opened = state_of(request), opened_of(request)
    desk, _ = _at_desk(opened)
    try:
        data = decided_data(desk.draft, desk.histories)
    except DataError as error:
        return _deciding(request, opened, error)
    place = state.home.make("decided", opened.entry.id) / f"decisions on {opened.paths[0].stem}.{suffix_of(data)}"
    write(data, place, overwrite=True)
    found = state.library.open([place])
    found.read()
    return to(f"/data/{found.entry.id}")


def draft_state(request: Request, sent: Any) -> Mapping[str, Any]:
    """Say how far the draft is."""
    return job_state(opened_of(request).drafting())


def offering_state(request: Request, sent: Any) -> Mapping[str, Any]:
    """Say how far trying the formats is."""
    opened = opened_of(request)
    return job_state(opened.offering(_at_desk(opened)[0]))


def overview(request: Request, sent: Any) -> Mapping[str, Any]:
    """Return the places, and what they have in common."""
    desk, views = _at_desk(opened_of(request))
    hidden = bool(request.query_params.get("hidden"))
    return {**views.overview(hidden=hidden), "progress": desk.progress(), "last": desk.last}


def one_place(request: Request, sent: Any) -> Mapping[str, Any]:
    """Return one place."""
    desk, views = _at_desk(opened_of(request))
    return views.place(_number(desk, request.path_params["number"]))


def keep_decision(request: Request, sent: Any) -> Mapping[str, Any]:
    """Keep a decision; it is on the disk before the answer is sent."""
    desk, _ = _at_desk(opened_of(request))
    number = _number(desk, sent.get("place"))
    made = desk.decide(number, sent, str(sent.get("seen", "")))
    return {
        "place": number,
        "status": desk.status(number),
        "decision": decision_view(made),
        "progress": desk.progress(),
    }


def undo(request: Request, sent: Any) -> Mapping[str, Any]:
    """Take the last decision back."""
    desk, _ = _at_desk(opened_of(request))
    number = desk.undo(str(sent.get("by", "")))
    return {
        "place": number,
        "status": None if number is None else desk.status(number),
        "progress": desk.progress(),
    }


def _at_desk(opened: Opened) -> tuple[Desk, Views]:
    desk = opened.desk()
    if desk is None:
        opened.drafting().wait()
        if (error := opened.drafting().error) is not None:
            raise error
        desk = opened.desk()
    if desk is None:
        raise DataError("there is no draft; reload this page")
    if desk.views is None:
        desk.views = views_of(desk)
    return desk, desk.views


def _number(desk: Desk, given: Any) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given < len(desk.places):
        raise DataError("this place no longer exists; reload this page")
    return given


def _user() -> str:
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""


def giving_back(request: Request, form: Form) -> Response:
    """Show what can be written."""
    return _giving(request, opened_of(request))


def _giving(
    request: Request,
    opened: Opened,
    error: UnisonoError | None = None,
    done: Any = None,
    form: Form | None = None,
) -> Response:
    if opened.data is None:
        return to(f"/data/{opened.entry.id}")
    job = opened.drafting()
    job.wait(0.8)
    if job.is_running:
        return shown("drafting", opened, state=job_state(job))
    if job.error is not None:
        return shown("give", opened, draft=None, problem=problem_of(job.error), **_NOTHING)
    desk, _ = _at_desk(opened)
    offering = opened.offering(desk)
    offering.wait(0.8 if error is None and done is None else None)  # what was done must be told now
    if offering.is_running:
        return shown("offering", opened, state=job_state(offering))
    if offering.error is not None:
        return shown("give", opened, draft=None, problem=problem_of(offering.error), **_NOTHING)
    draft, every = desk.settled(), offering.result
    wanted = request.query_params.get("format") or ("" if form is None else form.text("format"))
    chosen = next((one for one in every if one.name == wanted and not one.refused), None) or next(
        one for one in every if not one.refused
    )
    return shown(
        "give",
        opened,
        draft=draft,
        notes=draft.notes if opened.entry.others or draft.notes[1:] else (),  # one alone counts what the page counts
        summary=giving.summary(draft),
        progress=desk.progress(),
        offers=every,
        chosen=chosen,
        problem=None if error is None else problem_of(error),
        done=done,
        name="" if form is None else form.text("path"),
        command=state_of(request).commands("gold", opened.paths, _gold_as(opened, desk, chosen)),
    )


def _gold_as(opened: Opened, desk: Desk, chosen: giving.Offer) -> Mapping[str, Any]:
    """Return the parameters of a command that writes the same."""
    kept = opened.counting()
    whose = {"annotators": kept} if kept else {}
    return {
        **opened.entry.reading,
        **whose,
        **desk.how,
        "decisions": [str(history.path) for history in desk.histories],
        "path": f"gold{chosen.suffix}",
        **({} if chosen.suffix else {"to": chosen.name}),
        "plain": True,
    }


_NOTHING: Mapping[str, Any] = {
    "notes": (),
    "summary": {},
    "progress": {},
    "offers": [],
    "chosen": None,
    "done": None,
    "name": "",
    "command": "",
}


def write_gold(request: Request, form: Form) -> Response:
    """Write the gold standard beside the data."""
    opened = opened_of(request)
    desk, _ = _at_desk(opened)
    gold = giving.Giving(desk.settled(), plain=not form.text("shares"))
    try:
        done = giving.give(gold, form.text("format"), form.text("path"), opened.around, opened.paths)
    except UnisonoError as error:
        return _giving(request, opened, error, form=form)
    return _giving(request, opened, done=done, form=form)


def download_gold(request: Request, form: Form) -> Response:
    """Send the gold standard to the browser."""
    opened = opened_of(request)
    desk, _ = _at_desk(opened)
    gold = giving.Giving(desk.settled(), plain=not form.text("shares"))
    path, folder = giving.download(gold, form.text("format"))
    return FileResponse(path, filename=path.name, background=BackgroundTask(folder.cleanup))


def download_decisions(request: Request, form: Form) -> Response:
    """Send the file of decisions to the browser."""
    desk, _ = _at_desk(opened_of(request))
    if not desk.path.exists():
        raise DataError("nothing has been decided yet")
    return FileResponse(desk.path, filename=desk.path.name)


ROUTES = [
    Route("/data/{id}/decide", in_page(deciding)),
    Route("/data/{id}/decide", in_page(draft_anew), methods=["POST"]),
    Route("/data/{id}/people", in_page(choose_people), methods=["POST"]),
    Route("/data/{id}/people/agreement", in_page(measure_people), methods=["POST"]),
    Route("/data/{id}/draft.json", in_data(draft_state)),
    Route("/data/{id}/offers.json", in_data(offering_state)),
    Route("/data/{id}/desk.json", in_data(overview)),
    Route("/data/{id}/places/{number:int}.json", in_data(one_place)),
    Route("/data/{id}/decisions", in_data(keep_decision), methods=["POST"]),
    Route("/data/{id}/undo", in_data(undo), methods=["POST"]),
    Route("/data/{id}/give", in_page(giving_back)),
    Route("/data/{id}/give", in_page(write_gold), methods=["POST"]),
    Route("/data/{id}/download", in_page(download_gold), methods=["POST"]),
    Route("/data/{id}/decisions.jsonl", in_page(download_decisions)),
]
