"""`unisono measure`: how far annotators agree."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.groups import groups_of
from unisono.cli.options import (
    AsCsv,
    AsJson,
    AsLatex,
    Base,
    DaskAddress,
    Measures,
    Paths,
    Seed,
    WorkerCount,
    base_corpus,
    crew,
    refuse_several,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers

if TYPE_CHECKING:
    from unisono.measures.registry import Measure

_FEW_ANNOTATORS = 6
_FEW_UNITS = 2000


@reads
def measure(
    reading: Reading,
    paths: Paths,
    measures: Measures = None,
    base: Base = None,
    leave_one_out: Annotated[
        bool | None,
        typer.Option(
            "--leave-one-out/--no-leave-one-out",
            help=f"γ without each annotator; by default up to {_FEW_ANNOTATORS} annotators and {_FEW_UNITS:,} units.",
        ),
    ] = None,
    pairwise: Annotated[bool, typer.Option("--pairwise", help="γ of every pair of annotators.")] = False,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", help="A group of annotators, e.g. experts=anna,bert; give several to compare them."),
    ] = None,
    ladder: Annotated[
        bool,
        typer.Option("--ladder", help="Say which magnitude of which error gives the agreement: what the number means."),
    ] = False,
    seed: Seed = 42,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_latex: AsLatex = False,
) -> None:
    """Measure how far annotators agree."""
    from unisono.measures.registry import default_measure, parse_measure

    refuse_several(json=as_json, csv=as_csv, latex=as_latex)
    if ladder and (as_csv or as_latex):
        raise OptionError("--ladder is shown on the terminal and with --json, not in tables")
    chosen = [parse_measure(text) for text in measures or ()]
    groups = groups_of(group)
    corpus = reading.data(paths)
    for members in groups.values():
        corpus.select(annotators=members)  # tells of unknown names before the long work
    if base is not None and not chosen:
        chosen = [parse_measure("text-gamma")]
    chosen = chosen or [default_measure(corpus)]
    started = base_corpus(reading, base, [one.declaration.takes_base for one in chosen])
    found: list[dict[str, Any]] = []
    failed: list[str] = []
    with crew(workers, dask) as hands:
        for one in chosen:
            try:
                with progress_bar(str(one)) as tell:
                    result = one.compute(corpus, base=started, rng=seed, workers=hands, progress=tell)
                    few = 3 <= result.n_annotators <= _FEW_ANNOTATORS and result.n_units <= _FEW_UNITS
                    more: dict[str, Any] = {
                        "without": result.leave_one_out() if (few if leave_one_out is None else leave_one_out) else [],
                        "pairs": result.pairwise() if pairwise else [],
                        "groups": result.groups(groups) if groups else [],
                    }
                    if ladder:
                        more["ladder"] = _ladder(corpus, one, result.agreement, started, seed, hands, tell)
            except DataError as error:
                failed.append(f"{one}: {error}")
                found.append({"measure": one.declaration.name, "value": None, "undefined": str(error)})
                continue
            found.append({"result": result, **more})
            if result.undefined and not (pairwise or groups) and (reason := one.unfit(corpus)) is not None:
                failed.append(f"{one}: {reason}")
    if failed and len(paths) > 1 and _nobody_shares(corpus):
        failed.append(
            "each file has a document of its own; if they hold one annotator each of the same text, "
            "give them a column document, or say --pattern"
        )
    if as_json:
        _print_json(found, corpus, reading)
    if failed:
        raise DataError("; ".join(failed))
    if as_csv or as_latex:
        from unisono.report import exported

        write = exported.as_csv if as_csv else exported.as_latex
        print("\n".join(write(**details) for details in found), end="")
    elif not as_json:
        _show(found, [_hint(paths, one, base, reading) for one in chosen])


def _print_json(found: list[dict[str, Any]], data: Data, reading: Reading) -> None:
    results = []
    for details in found:
        rest = {name: value for name, value in details.items() if name not in ("result", "ladder")}
        result = details["result"].to_dict() if "result" in details else {}
        rungs = {"ladder": details["ladder"].to_dict()} if "ladder" in details else {}
        results.append({**result, **rungs, **rest})
    dropped = {"dropped": dict(data.dropped)} if isinstance(data, Corpus) and data.dropped else {}
    said = {"options": reading.said()} if reading.said() else {}
    print(
        json.dumps({"results": results, **said, **dropped}, ensure_ascii=False, allow_nan=False, indent=1, default=list)
    )


def _show(found: list[dict[str, Any]], hints: list[str]) -> None:
    from unisono.cli.screen import screen
    from unisono.report.terminal import show

    for index, (details, hint) in enumerate(zip(found, hints, strict=True)):
        if index:
            screen.print()
        rungs = [str(details.pop("ladder"))] if "ladder" in details else []
        show(screen, hints=[*rungs, hint], **details)


def _hint(paths: list[Path], one: Measure, base: Path | None, reading: Reading) -> str:
    """Say how to see where annotators differ."""
    words = ["unisono", "report", *map(str, paths), "-m", str(one)]
    if base is not None:
        words += ["--base", str(base)]
    return f"See where: {shlex.join([*words, *reading.said()])} -o report.html"


class _NoLadder(str):
    """Why there is no ladder."""

    def to_dict(self) -> dict[str, str]:
        return {"undefined": str(self)}


def _ladder(
    corpus: Data,
    one: Measure,
    agreement: float | None,
    base: Corpus | None,
    seed: int,
    hands: Workers,
    tell: Progress | None,
) -> Any:
    """Find what the agreement means in errors, or say why it cannot be found; the value stays what it is."""
    from unisono.shuffling import ladder

    if agreement is None:
        return _NoLadder("No ladder: there is no value to compare with.")
    try:
        return ladder(corpus, str(one), value=agreement, base=base, rng=seed, workers=hands, progress=tell)
    except DataError as error:
        return _NoLadder(f"No ladder: {error}.")


def _nobody_shares(data: Data) -> bool:
    """Tell whether there are several documents, each of one annotator only."""
    alone = [len(data.select(annotators=[name]).documents) for name in data.annotators]
    return len(data.documents) > 1 and sum(alone) == len(data.documents)
