"""`unisono measure`: how far annotators agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.groups import groups_of
from unisono.cli.measuring import ladder_of, with_base
from unisono.cli.options import (
    SEED,
    AsCsv,
    AsJson,
    AsLatex,
    Base,
    DaskAddress,
    Measures,
    Paths,
    Seed,
    WorkerCount,
    crew,
    refuse_several,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.data import Data
from unisono.errors import DataError, OptionError
from unisono.measurement.completing import FEW_ANNOTATORS, FEW_UNITS

if TYPE_CHECKING:
    from unisono.measurement.registry import Measure


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
            help="The value without each annotator; by default up to "
            f"{FEW_ANNOTATORS} annotators and {FEW_UNITS:,} units.",
        ),
    ] = None,
    pairwise: Annotated[bool, typer.Option("--pairwise", help="The value of every pair of annotators.")] = False,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", help="A group of annotators, e.g. experts=anna,bert; give several to compare them."),
    ] = None,
    ladder: Annotated[
        bool,
        typer.Option("--ladder", help="Say which magnitude of which error gives the agreement: what the number means."),
    ] = False,
    seed: Seed = SEED,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_latex: AsLatex = False,
) -> None:
    """Measure how far annotators agree."""
    from unisono.measurement.registry import parse_measure

    refuse_several(json=as_json, csv=as_csv, latex=as_latex)
    if ladder and (as_csv or as_latex):
        raise OptionError("--ladder is shown on the terminal and with --json, not in tables")
    chosen = [parse_measure(text) for text in measures or ()]
    groups = groups_of(group)
    corpus = reading.data(paths)
    for members in groups.values():
        corpus.select(annotators=members)  # tells of unknown names before the long work
    chosen, started = with_base(chosen, reading, corpus, base)
    found: list[dict[str, Any]] = []
    failed: list[str] = []
    with crew(workers, dask) as hands:
        for one in chosen:
            try:
                with progress_bar(str(one)) as tell:
                    result = one.compute(corpus, base=started, rng=seed, workers=hands, progress=tell)
                    few = 3 <= result.n_annotators <= FEW_ANNOTATORS and result.n_units <= FEW_UNITS
                    more: dict[str, Any] = {
                        "without": result.leave_one_out() if (few if leave_one_out is None else leave_one_out) else [],
                        "pairs": result.pairwise() if pairwise else [],
                        "groups": result.groups(groups) if groups else [],
                    }
                    if ladder:
                        more["ladder"] = ladder_of(
                            corpus, one, result.agreement, base=started, seed=seed, hands=hands, tell=tell
                        )
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
        from unisono.reporting import exported

        write = exported.as_csv if as_csv else exported.as_latex
        print("\n".join(write(**details) for details in found), end="")
    elif not as_json:
        _show(found, [_hint(paths, one, base, reading, seed, ladder) for one in chosen])


def _print_json(found: list[dict[str, Any]], data: Data, reading: Reading) -> None:
    results = []
    for details in found:
        rest = {name: value for name, value in details.items() if name not in ("result", "ladder")}
        result = details["result"].to_dict() if "result" in details else {}
        rungs = {"ladder": details["ladder"].to_dict()} if "ladder" in details else {}
        results.append({**result, **rungs, **rest})
    dropped = {"dropped": dict(data.dropped)} if data.dropped else {}
    said = {"options": reading.said()} if reading.said() else {}
    print(
        json.dumps({"results": results, **said, **dropped}, ensure_ascii=False, allow_nan=False, indent=1, default=list)
    )


def _show(found: list[dict[str, Any]], hints: list[str]) -> None:
    from unisono.cli.screen import screen
    from unisono.reporting.terminal import show

    for index, (details, hint) in enumerate(zip(found, hints, strict=True)):
        if index:
            screen.print()
        rungs = [str(details.pop("ladder"))] if "ladder" in details else []
        show(screen, remarks=rungs, hints=[hint], **details)


def _hint(paths: list[Path], one: Measure, base: Path | None, reading: Reading, seed: int, ladder: bool) -> str:
    """Say how to see where annotators differ."""
    words = ["-m", str(one)]
    words += [] if base is None else ["--base", str(base)]
    words += [] if seed == SEED else ["--seed", str(seed)]
    words += ["--ladder"] if ladder else []
    return f"See where: {reading.command('report', paths, *words)} -o report.html"


def _nobody_shares(data: Data) -> bool:
    """Tell whether there are several documents, each of one annotator only."""
    alone = [len(data.select(annotators=[name]).documents) for name in data.annotators]
    return len(data.documents) > 1 and sum(alone) == len(data.documents)
