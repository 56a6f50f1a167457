"""`unisono measure`: how well annotators agree."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.cli.gating import Gating, check_sides, judge
from unisono.cli.help import MEASURING
from unisono.cli.interrupts import Interrupted
from unisono.cli.measuring import (
    FEW,
    base_corpus,
    failure,
    ladder_of,
    measures_to_take,
    parsed_measures,
)
from unisono.cli.options import SEED, Base, Groups, Ladder, Measures, Paths, Stream, TimedCrew, with_groups
from unisono.cli.printing import OneByOne, Printing, print_json, screen
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.cli.spelling import told
from unisono.cli.values import groups_in, names_in, names_out
from unisono.errors import DataError, KeepingError, OptionError, UnisonoError

if TYPE_CHECKING:
    from unisono.data import Data
    from unisono.measurement.registry import Measure
    from unisono.results import Result
    from unisono.streaming.measuring import Streaming


@dataclass(frozen=True)
class Besides:
    """What to compute besides the value of a measure."""

    leave_one_out: bool | None = MEASURING.field(
        None,
        "",
        f"Also compute the value without each annotator; by default up to {FEW}.",
        "--leave-one-out/--no-leave-one-out",
    )
    pairwise: bool = MEASURING.field(False, "", "Also compute the value of every pair of annotators.", "--pairwise")
    group: Groups = None
    ladder: Ladder = False

    def refuse_streaming(self) -> None:
        """Raise OptionError if something is wanted that needs all data at once."""
        wanted = {
            "--leave-one-out": self.leave_one_out,
            "--pairwise": self.pairwise,
            "--group": self.group,
            "--ladder": self.ladder,
        }
        for option, value in wanted.items():
            if value:
                raise OptionError(
                    f"{option} cannot be combined with --stream, because it measures the data several times; leave one "
                    "of them out, or run one command per choice of --annotators, each with its own folder"
                )

    def subsets(self, result: Result, **crew: Any) -> dict[str, Any]:
        """Measure some of the annotators; `crew` are workers and progress."""
        from unisono.measurement.completing import FEW_ANNOTATORS, FEW_UNITS

        few = 3 <= result.n_annotators <= FEW_ANNOTATORS and result.n_units <= FEW_UNITS
        return {
            "without": result.leave_one_out(**crew)
            if (few if self.leave_one_out is None else self.leave_one_out)
            else [],
            "pairs": result.pairwise(**crew) if self.pairwise else [],
            "groups": result.groups(groups_in(self.group), **crew) if self.group else [],
        }


@with_groups
def measure(
    paths: Paths,
    reading: Reading,
    besides: Besides,
    gating: Gating,
    crew: TimedCrew,
    printing: Printing,
    measures: Measures = None,
    base: Base = None,
    stream: Stream = None,
) -> None:
    """Measure how well annotators agree.

    Prints the value, its interval, and the documents and annotators that stand out. Without -m, the measure that suits
    the data best is used; `unisono advise` explains the choice. The exit status is 1 if there is nothing to compare,
    and 3 if the value is not as high as --fail-under asks for.

    Examples
    --------
    unisono measure annotations.csv
    unisono measure annotations.csv -m "gamma(alpha=3,beta=1)" -m cu-alpha --json
    """
    if stream is None:  # a stream saves memory, and each process would need its own
        crew.start_early(paths, measures)
    printing.check()
    if besides.ladder and (printing.as_csv or printing.as_latex):
        raise OptionError("--ladder is shown on the terminal and with --json, not in tables")
    gate = gating.gate()
    named = crew.limited(parsed_measures(measures))
    groups = groups_in(besides.group)
    given = {"base": base_corpus(reading, base, named), "seed": crew.seed}
    with ExitStack() as until_the_end:
        streaming = None
        if stream is not None:
            besides.refuse_streaming()
            opened = reading.streaming(paths, stream, named, crew.seed, base)
            streaming = until_the_end.enter_context(opened)
        data = reading.data(paths, crew.workers) if streaming is None else streaming.data
        for members in groups.values():
            data.select(annotators=members)  # reports unknown names before the long work
        chosen = crew.limited(measures_to_take(named, data, base))
        check_sides(gate, chosen)
        for said in [] if streaming is None else filter(None, map(streaming.in_memory, chosen)):
            print(said, file=sys.stderr)
        with crew.hands() as workers, _keeping(stream if streaming is not None and streaming.keeps else None):
            found = [
                _measured(number, one, data, besides, {**given, "workers": workers}, streaming)
                for number, one in enumerate(chosen)
            ]
        if printing.as_json:
            _print_json(found, data, reading)
        _check(found, data, several=len(paths) > 1)
        if not printing.as_json:
            _print(found, printing, [_hints(one, crew.seed, reading, paths, base) for one in found])
        judge(gate, [one.result for one in found if one.result is not None])


@contextmanager
def _keeping(stream: Path | None) -> Iterator[None]:
    """Say how to continue, if the work is interrupted, or those who do it are gone, and something is kept."""
    kept = f"what was done is kept in {stream}, and the same command continues"
    try:
        yield
    except Interrupted as ended:
        if stream is None:
            raise
        raise Interrupted(ended.number, f"interrupted; {kept}") from None
    except UnisonoError as error:
        from unisono.processes import WorkersGoneError

        if stream is None or not isinstance(error, WorkersGoneError):
            raise
        raise WorkersGoneError(f"{error}; {kept}") from None


@dataclass(frozen=True)
class _Found:
    """A measure and its result, or why it has none."""

    measure: Measure
    result: Result | None = None
    subsets: dict[str, Any] = field(default_factory=dict)
    ladder: Any = None
    """A ladder, or why there is none; None if it was not asked for."""
    failed: str = ""

    def to_dict(self) -> dict[str, Any]:
        if self.result is None:
            return {"measure": self.measure.declaration.name, "value": None, "undefined": self.failed}
        documents = OneByOne(lambda document: document.to_dict(), self.result.documents)
        found = {**self.result.summary(), "documents": documents}
        if self.ladder is None:
            return {**found, **self.subsets}
        ladder = {"undefined": self.ladder} if isinstance(self.ladder, str) else self.ladder.to_dict()
        return {**found, "ladder": ladder, **self.subsets}


def _measured(
    number: int, one: Measure, data: Data, besides: Besides, given: dict[str, Any], streaming: Streaming | None
) -> _Found:
    """Compute a measure, and what was requested besides its value."""
    with progress_bar(str(one)) as tell:
        work = {"base": given["base"], "workers": given["workers"], "progress": tell}
        try:
            if streaming is None:
                result = one.compute(data, rng=given["seed"], **work)
            else:
                result = streaming.measure(one, number, **work)
            subsets = besides.subsets(result, workers=given["workers"], progress=tell)
            ladder = ladder_of(data, one, result.agreement, **given, progress=tell) if besides.ladder else None
        except KeepingError:
            raise
        except DataError as error:
            return _Found(one, failed=told(error))
    return _Found(one, result, subsets, ladder, _nothing(one, data, result, subsets, groups_in(besides.group)))


def _nothing(
    one: Measure, data: Data, result: Result, subsets: dict[str, Any], groups: Mapping[str, Sequence[str]]
) -> str:
    """Explain that there was nothing to compare, for all annotators or any of the pairs and groups; empty if not."""
    rows = [*subsets["pairs"], *subsets["groups"]]
    if not result.undefined or any(row["value"] is not None for row in rows):
        return ""
    reason = one.unfit(data)
    if not reason or not rows:
        return reason or ""
    parts = [*((row["annotator_1"], row["annotator_2"]) for row in subsets["pairs"]), *groups.values()]
    if any(one.unfit(data.select(annotators=who)) is None for who in parts):
        return ""  # there was something, but it shows no agreement beyond chance
    return "; ".join(dict.fromkeys(row["undefined"] for row in rows))


def _check(found: Sequence[_Found], data: Data, several: bool) -> None:
    """Raise DataError if a measure could not be computed."""
    failed = [failure(one.measure, one.failed) for one in found if one.failed]
    if failed and several and _nobody_shares(data):
        failed.append(
            "each file is a separate document; if each contains one annotator's work on the same text, "
            "add a column document, or use --pattern"
        )
    if failed:
        raise DataError("; ".join(failed))


def _nobody_shares(data: Data) -> bool:
    """Whether there are several documents, each with only one annotator."""
    alone = [len(data.select(annotators=[name]).documents) for name in data.annotators]
    return len(data.documents) > 1 and sum(alone) == len(data.documents)


def _print_json(found: Sequence[_Found], data: Data, reading: Reading) -> None:
    options = {"options": reading.words()} if reading.words() else {}
    dropped = {"dropped": dict(data.dropped)} if data.dropped else {}
    others = {"others": besides} if (besides := getattr(data, "others", None)) else {}
    print_json({"results": [one.to_dict() for one in found], **options, **dropped, **others})


def _print(found: Sequence[_Found], printing: Printing, hints: Sequence[Sequence[str]]) -> None:
    if printing.as_csv or printing.as_latex:
        from unisono.reporting import exported

        write = partial(exported.as_csv, safe=printing.safe_csv) if printing.as_csv else exported.as_latex
        print("\n".join(write(one.result, **one.subsets) for one in found if one.result), end="")
        return
    from unisono.reporting.terminal import show

    console = screen()
    for index, (one, told_next) in enumerate(zip(found, hints, strict=True)):
        if index:
            console.print()
        if one.result is not None:
            remarks = [] if one.ladder is None else [str(one.ladder)]
            show(console, one.result, remarks=remarks, hints=told_next, **one.subsets)


def _hints(one: _Found, seed: int, reading: Reading, paths: list[Path], base: Path | None) -> list[str]:
    """Return the command that shows where annotators differ, and one that compares labels in another way."""
    words = ["-m", str(one.measure)]
    words += [] if base is None else ["--base", str(base)]
    words += [] if seed == SEED else ["--seed", str(seed)]
    words += [] if one.ladder is None or isinstance(one.ladder, str) else ["--ladder"]
    hints = [f"See where: {reading.command('report', paths, *words)} -o report.html"]
    for other in getattr(one.result, "instead", ())[:1]:
        changed = replace(reading, missing=names_out([*names_in(reading.missing or ""), *other.missing]) or None)
        hints.append(f"If {other.condition}: {changed.command('measure', paths, '-m', other.measure)}")
    return hints
