"""Measuring, and looking at what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from unisono.app.answering import NotThereError, in_data, in_page, opened_of, shown, state_of, to
from unisono.app.guarding import OWN_POLICY
from unisono.app.measuring_form import USUAL_SEED, ParameterField, fields_of, measure_in, seed_in
from unisono.app.open_routes import job_state
from unisono.app.opened import MeasuringRun, Opened
from unisono.app.reading_form import Form, Problem, layer_fixes, problem_of
from unisono.app.templating import bar_style, page
from unisono.comparison import ModelsComparison
from unisono.data import Normalizations
from unisono.errors import OptionError
from unisono.measurement.registry import Measure, declared, parse_measure
from unisono.output import lies_in
from unisono.reporting.answer import answer_of
from unisono.reporting.cards import card_of
from unisono.reporting.full_report.full_page import PageBar, report_page


def measuring(request: Request, form: Form) -> Response:
    """Show which measures fit, and what was measured."""
    return _measuring(request, opened_of(request))


def _measuring(request: Request, opened: Opened, problem: Problem | None = None, form: Form | None = None) -> Response:
    if opened.data is None:
        return to(f"/data/{opened.entry.id}")
    job = opened.advice()
    job.wait(1.0)
    advice = opened.advised
    failed = None if job.error is None else problem_of(job.error)
    chosen = _chosen(request, opened, form)
    given = {} if chosen is None else _given(opened, chosen)
    return shown(
        "measure",
        opened,
        advice=advice,
        failed=failed,
        layers=[] if advice is None else layer_fixes(advice.layers),
        chosen=chosen,
        declaration=None if chosen is None else chosen.declaration,
        fields=[] if chosen is None else _fields(chosen, given, form),
        models=opened.models,
        left_out=[name for name in opened.curators if name != given.get("reference")],
        runs=[run_view(request, opened, run) for run in reversed(opened.runs.values())],
        problem=problem,
        seed=USUAL_SEED if form is None else form.text("seed"),
    )


def _chosen(request: Request, opened: Opened, form: Form | None) -> Any:
    """Return the measure whose parameters are shown: the one of the address, or the first that fits."""
    written = request.query_params.get("m") or (form.text("measure") if form is not None else "")
    if written:
        try:
            return parse_measure(written)
        except OptionError:
            return parse_measure(written.partition("(")[0])
    advice = opened.advised
    if advice is None:
        return None
    if advice.take:
        return parse_measure(advice.take[0].measures[0])
    return parse_measure(advice.fitting[0].name) if advice.fitting else None


def _fields(chosen: Measure, given: Mapping[str, Any], form: Form | None) -> list[ParameterField]:
    """Return the fields for the parameters of a measure, with what was typed into them."""
    fields = fields_of(chosen.declaration, given)
    return fields if form is None else [replace(one, value=form.text(f"p.{one.name}")) for one in fields]


def _given(opened: Opened, chosen: Measure) -> dict[str, Any]:
    """Return the parameters that are in the fields: a curator is the reference of a measure that takes one."""
    takes = any(one.name == "reference" for one in chosen.declaration.parameters)
    of_curator = {"reference": opened.curators[0]} if takes and len(opened.curators) == 1 else {}
    return {**of_curator, **chosen.given}


def begin_run(request: Request, form: Form) -> Response:
    """Begin to measure."""
    opened = opened_of(request)
    try:
        one, seed = measure_in(form), seed_in(form)
        more: dict[str, Any] = {"ladder": bool(form.text("ladder"))}
        if form.text("subsets"):
            more["subsets"] = form.text("subsets") == "yes"
        if form.text("models"):
            more["models"] = opened.models
        if form.text("base"):
            more["base"] = _below(form.text("base"), opened)
            one.check_base(more["base"])
    except OptionError as error:
        return _measuring(request, opened, replace(problem_of(error), field=error.parameter or ""), form)
    run = opened.measure(str(one), seed, more)
    run.job.wait(0.7)
    return to(f"/data/{opened.entry.id}/measure?m={quote(str(one), safe='')}#run-{run.number}")


def _below(given: str, opened: Opened) -> Path:
    """Return a path that is where the data is."""
    place = opened.around / given
    if not lies_in(place, opened.around) or not place.exists():
        raise OptionError(f"there is no such file in {opened.around}, where the data is", "base")
    return place


def end_run(request: Request, form: Form) -> Response:
    """Cancel a run, or forget it."""
    opened = opened_of(request)
    run = _run(request, opened)
    if run.job.is_running:
        run.job.cancel()
    else:
        opened.remove(run.number)
    return to(f"/data/{opened.entry.id}/measure")


def run_states(request: Request, sent: Any) -> Mapping[str, Any]:
    """Say how far all runs are."""
    opened = opened_of(request)
    advice = opened.advice() if opened.data is not None else None
    return {
        "runs": {str(run.number): job_state(run.job) for run in [*opened.runs.values()]},
        "advice": None if advice is None else advice.state,
    }


def run_view(request: Request, opened: Opened, run: MeasuringRun) -> dict[str, Any]:
    """Describe a run for a page."""
    measured = run.measured
    result = None if measured is None else measured.result
    given = {
        **opened.entry.reading,
        **({"annotators": run.annotators} if run.annotators else {}),
        "measure": run.measure,
        **({"rng": run.seed} if run.seed != USUAL_SEED else {}),
    }
    write = state_of(request).commands
    return {
        "run": run,
        "title": declared(run.measure.partition("(")[0]).title,
        "state": job_state(run.job),
        "card": None if result is None else card_of(result, run.measure),
        "answer": () if measured is None or result is None else answer_of(measured).sentences,
        "problem": None if run.job.error is None else problem_of(run.job.error),
        "aligns": declared(run.measure.partition("(")[0]).align is not None and run.measured is not None,
        "command": write("measure", opened.paths, given),
        "models": _on_models(run.models),
        "comparing": write("compare", opened.paths, {**given, "models": run.more["models"]}) if run.models else "",
    }


def _on_models(found: ModelsComparison | str | None) -> list[str]:
    """Say what came out for models."""
    if found is None or isinstance(found, str):
        return [] if found is None else [found]
    return found.tabled()[1][: len(found.models)]


def decide_on_run(request: Request, form: Form) -> Response:
    """Go to the desk, with the places of a run."""
    opened = opened_of(request)
    run = _run(request, opened)
    if opened.aligner(run) != opened.aligner():
        opened.draft_anew({**opened.entry.drafting, "measure": opened.aligner(run)})
    return to(f"/data/{opened.entry.id}/decide")


def look(request: Request, form: Form) -> Response:
    """Show the report of a run."""
    opened = opened_of(request)
    run = _run(request, opened)
    if run.measured is None:
        return to(f"/data/{opened.entry.id}/measure#run-{run.number}")
    if run.page is None:
        run.page = _report(opened, [run])
    return HTMLResponse(run.page, headers={OWN_POLICY: "1"})


def look_together(request: Request, form: Form) -> Response:
    """Show the reports of all runs in one page."""
    opened = opened_of(request)
    runs = [run for run in [*opened.runs.values()] if run.measured is not None]
    if not runs:
        return to(f"/data/{opened.entry.id}/measure")
    return HTMLResponse(_report(opened, runs), headers={OWN_POLICY: "1"})


def _report(opened: Opened, runs: Sequence[MeasuringRun]) -> str:
    measured = [run.measured for run in runs if run.measured is not None]
    data = next(one.result.data for one in measured if one.result is not None)
    alignments = next((run.alignments for run in runs if run.alignments), None)
    same = opened.aligner(runs[0]) == opened.aligner() and not isinstance(data, Normalizations)
    desk = f"/data/{opened.entry.id}/decide" if same else ""
    bar = PageBar(page("bar", entry=opened.entry, step="measure"), bar_style(), desk)
    models = next((run.models for run in runs if isinstance(run.models, ModelsComparison)), None)
    return report_page(measured, data, title=opened.entry.name, alignments=alignments, bar=bar, models=models)


def _run(request: Request, opened: Opened) -> MeasuringRun:
    found = opened.runs.get(int(request.path_params["run"]))
    if found is None:
        raise NotThereError(
            "this run no longer exists, because the app was restarted or the data was read again; measure again"
        )
    return found


ROUTES = [
    Route("/data/{id}/measure", in_page(measuring)),
    Route("/data/{id}/runs", in_page(begin_run), methods=["POST"]),
    Route("/data/{id}/runs.json", in_data(run_states)),
    Route("/data/{id}/runs/all", in_page(look_together)),
    Route("/data/{id}/runs/{run:int}", in_page(look)),
    Route("/data/{id}/runs/{run:int}/decide", in_page(decide_on_run), methods=["POST"]),
    Route("/data/{id}/runs/{run:int}/end", in_page(end_run), methods=["POST"]),
]
