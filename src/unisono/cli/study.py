"""`unisono study`: texts, guidelines and groups of annotators, in tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.help import OUTPUT
from unisono.cli.measuring import parsed_measures
from unisono.cli.options import Force, Measures, SeededCrew, n_bytes, with_groups
from unisono.cli.printing import Printing, print_json
from unisono.cli.progress import progress_bar
from unisono.cli.reading import SkipBad, report_skipped
from unisono.cli.spelling import as_key, naming_keys
from unisono.errors import DataError, listed, spelled_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.studies.definition import Definition
    from unisono.studies.result import Study

_MUCH = 100_000
"""Bytes of a study that take a second to measure: each text is measured several times."""


@with_groups
def study(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A study.toml, or a folder laid out as GUIDELINE/GROUP/ANNOTATOR/TEXT, optionally zipped.",
        ),
    ],
    crew: SeededCrew,
    printing: Printing,
    measures: Measures = None,
    output: Annotated[
        Path | None, OUTPUT("FILE", "An HTML page to write instead of printing tables.", "--output", "-o")
    ] = None,
    reports: Annotated[
        bool,
        OUTPUT(
            "",
            "Beside the page, write a folder with a report on each set of guidelines, to which the page links.",
            "--reports/--no-reports",
        ),
    ] = True,
    skip_bad: SkipBad = False,
    force: Force = False,
) -> None:
    """Measure all texts, guidelines and groups of a study.

    Every text is measured under every set of guidelines, for all annotators, each group and each pair of groups.

    Examples
    --------
    unisono study study.toml
    unisono study project/ -m u-alpha -o study.html
    """
    crew.start_early([path], measures or ["gamma"], long=n_bytes([path]) > _MUCH)
    from unisono.output import refuse
    from unisono.reporting.pieces import refuse_page_name
    from unisono.studies import study as measured
    from unisono.studies.measuring import DEFAULT
    from unisono.studies.written import PREPARE

    printing.check(output=output is not None)
    if output is not None:
        refuse_page_name(output)
        refuse(output, overwrite=force, inputs=[path])
    parsed_measures(measures)  # reports what is wrong before the long work
    definition = _definition(path, skip_bad, crew.workers)
    pages = _report_files(definition, output, path, force) if output is not None and reports else {}
    found = []
    with crew.hands() as workers:
        for name in measures or definition.measures or (DEFAULT,):
            with progress_bar(name) as tell, naming_keys(frozenset(PREPARE)):
                found.append(
                    measured(
                        definition.title, definition.guidelines, name, rng=crew.seed, workers=workers, progress=tell
                    )
                )
    if all(one.is_empty for one in found):
        raise _nothing(found, path)
    if printing.as_json:
        print_json({"studies": [one.to_dict() for one in found], "dropped": definition.dropped})
        return
    if output is not None:
        _write(definition, found, output, pages, force)
        return
    shown = [one.tabled() for one in found]
    printing.print_tables(
        [table for some, _ in shown for table in some], [sentence for _, some in shown for sentence in some]
    )


def _report_files(definition: Definition, output: Path, path: Path, force: bool) -> dict[str, Path]:
    """Name the reports beside the page, and reject names that are taken."""
    from unisono.output import refuse
    from unisono.reporting.study_page import report_files

    folder = output.with_name(f"{output.stem}-reports")
    files = report_files(definition, folder)
    for file in files.values():
        if folder.is_dir():
            refuse(file, overwrite=force, inputs=[path])
    if folder.exists() and not folder.is_dir():
        raise DataError("this is not a folder, but reports would be written there; choose another name", path=folder)
    return files


def _write(definition: Definition, found: Sequence[Study], output: Path, pages: dict[str, Path], force: bool) -> None:
    """Write the reports, and the page that leads to them."""
    from urllib.parse import quote

    from unisono.reporting.pieces import write_page
    from unisono.reporting.study_page import guideline_report, study_page

    made: dict[Path, str] = {}
    addresses: dict[str, str] = {}
    for name, file in pages.items():
        with progress_bar(f"report on {name}"):
            page = guideline_report(definition, found, name)
        if page is not None:
            made[file] = page
            addresses[name] = f"{quote(file.parent.name)}/{quote(file.name)}"
    left_out = [f"{said}." for said in _left_out(definition)]
    page = study_page(definition, found, left_out, reports=addresses)
    for file, report in made.items():
        file.parent.mkdir(exist_ok=True)
        write_page(report, file, overwrite=force)
    write_page(page, output, overwrite=force)
    more = f", with reports in {output.stem}-reports" if made else ""
    print(f"{output}: open it in a browser{more}", file=sys.stderr)


def _definition(path: Path, skip_bad: bool, workers: int | None) -> Definition:
    """Read the study, and report what was left out."""
    from unisono.data.unit_kinds import summed_others, told_others
    from unisono.studies import read_study
    from unisono.studies.written import PREPARE, READ_ONE, STUDY

    bad: list[DataError] = []
    try:
        with naming_keys(frozenset({*STUDY, *READ_ONE, *PREPARE})), progress_bar("read") as tell:
            definition = read_study(path, bad=bad.append if skip_bad else None, workers=workers, progress=tell)
    finally:
        report_skipped(bad)
    others = told_others(summed_others(one.corpus.others for one in definition.guidelines))
    for said in (*_left_out(definition), *(spelled_out(sentence, as_key) for sentence in others)):
        print(said, file=sys.stderr)
    return definition


def _nothing(found: Sequence[Study], path: Path) -> DataError:
    """Explain that nothing has a value, and why."""
    places: dict[str, dict[str, None]] = {}
    for part in (part for one in found for part in one.parts):
        for text, cell in part.cells.items():
            places.setdefault(cell.undefined or "no value", {})[f"{text} in {part.guideline}"] = None
    said = [f"{reason} ({listed([*where], 3)})" for reason, where in places.items()]
    return DataError(f"nothing can be measured: {'; '.join(said) or 'there are no texts'}", path=path)


def _left_out(definition: Definition) -> list[str]:
    """List what was left out or changed, and in which guidelines."""
    from unisono.data.left_out import told_dropped

    counts = [("", definition.dropped), *((f" in {one.name}", one.corpus.dropped) for one in definition.guidelines)]
    return [f"left out or changed{where}: {said}" for where, dropped in counts for said in told_dropped(dropped)]
