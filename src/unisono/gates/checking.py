"""Running the checks of a file, each on its own: one that cannot be run does not keep the others from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar, cast

from unisono.comparison import Comparison, compare, compare_models
from unisono.data import Data
from unisono.errors import UnisonoError, plural
from unisono.execution import Progress, Workers
from unisono.formats import read
from unisono.formats.entry import DataLike
from unisono.gates.definition import Check, GivenFiles, read_checks
from unisono.gates.gate import DIGITS, Outcome, check_side, non_inferior, outcome_of
from unisono.measurement.registry import default_measure, parse_measure
from unisono.preparation import prepare
from unisono.results import Captioned, Result, Table, Tabled

_Found = TypeVar("_Found")
_VERDICTS = {"passed": "passed", "failed": "FAILED", "error": "ERROR"}


@dataclass(frozen=True)
class CheckDone:
    """A check that was run.

    Attributes
    ----------
    name : str
        What it is called.
    outcomes : tuple of Outcome
        What was found, one for each model; empty if the check could not be run.
    error : UnisonoError or None
        Why it could not be run.
    seconds : float
        How long it took.
    notes : tuple of str
        What one should know about it, such as who counts as a person.
    """

    name: str
    outcomes: tuple[Outcome, ...]
    error: UnisonoError | None
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """Whether it passed, failed, or could not be run (error)."""
        if self.error is not None:
            return "error"
        return "passed" if all(one.passed for one in self.outcomes) else "failed"

    @property
    def said(self) -> str:
        """What was found, or why nothing was, without a full stop."""
        return str(self.error) if self.error is not None else "; ".join(one.said for one in self.outcomes)

    @property
    def sentence(self) -> str:
        """The same with the check's name, without a full stop."""
        named = bool(self.outcomes) and self.name == _joined_names(self.outcomes)
        alone = (
            all(one.said.startswith(one.name) for one in self.outcomes) if named else self.said.startswith(self.name)
        )
        return self.said if alone else f"{self.name}: {self.said}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        outcomes = [one.to_dict() for one in self.outcomes]
        return {
            "name": self.name,
            "status": self.status,
            "said": self.said,
            "outcomes": outcomes,
            "notes": [*self.notes],
        }


class Checked(tuple[CheckDone, ...], Tabled):
    """All checks of a file."""

    def having(self, status: str) -> list[CheckDone]:
        """Return those that passed, failed, or could not be run (error)."""
        return [one for one in self if one.status == status]

    @property
    def summary(self) -> str:
        """How many passed, as a sentence."""
        failed, error = (len(self.having(status)) for status in ("failed", "error"))
        if not failed + error:
            return f"{plural(len(self), 'check')}: all passed."
        parts = [f"{failed:,} failed"] * bool(failed) + [f"{error:,} could not be run"] * bool(error)
        return f"{plural(len(self), 'check')}: {' and '.join(parts)}."

    def rows(self) -> list[tuple[str, str, str, float | None, float | None, float | None]]:
        """Return a row for each outcome: the check, its verdict, the condition, the value and its limits."""
        found: list[tuple[str, str, str, float | None, float | None, float | None]] = []
        for one in self:
            for it in one.outcomes:
                low, high = (None, None) if it.interval is None else (it.interval.low, it.interval.high)
                verdict = _VERDICTS["passed" if it.passed else "failed"]
                own = it.name if it.name in one.name else f"{one.name}: {it.name}"
                name = own if len(one.outcomes) > 1 else one.name
                found.append((name, verdict, it.condition, it.value, low, high))
            if one.error is not None:
                found.append((one.name, _VERDICTS["error"], "", None, None, None))
        return found

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the checks as a table, and a sentence on each that did not pass."""
        table = Table(("check", "verdict", "condition", "value", "from", "to"), self.rows(), DIGITS)
        said = [f"{one.sentence}." for one in self if one.status != "passed"]
        return [Captioned("Checks", table)], [*said, self.summary, *(f"Note: {note}." for note in self.notes)]

    @property
    def notes(self) -> list[str]:
        """The notes of all checks, each with the check's name."""
        return [f"{one.name}: {note}" for one in self for note in one.notes]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"checks": [one.to_dict() for one in self]}


def run_checks(path: Path, *, rng: int = 42, workers: Workers = None, progress: Progress | None = None) -> Checked:
    """Run the checks of a file unisono.toml, or of that in a folder.

    Parameters
    ----------
    path : path
        The file or the folder.
    rng : int
        Seed.
    workers : int, Executor or None
        How many CPU cores to use, or an executor; by default all cores.
    progress : callable, optional
        Called with (done, total) after each check.
    """
    checks, known = read_checks(path), _Known(rng, workers)
    found: list[CheckDone] = []
    for check in checks:
        found.append(known.run(check))
        if progress is not None:
            progress(len(found), len(checks))
    return Checked(_named_apart(found, checks))


@dataclass(frozen=True)
class _Known:
    """What was read and measured already; several checks of the same data share it."""

    seed: int
    workers: Workers
    data: list[tuple[GivenFiles, Data | UnisonoError]] = field(default_factory=list)
    results: list[tuple[GivenFiles, str, Result | UnisonoError]] = field(default_factory=list)

    def run(self, check: Check) -> CheckDone:
        begun = perf_counter()
        found: tuple[Outcome, ...] = ()
        notes: tuple[str, ...] = ()
        problem = None
        try:
            found, notes = self._outcomes(check)
        except UnisonoError as error:
            problem = error
        name = check.name or _named(check, found)
        return CheckDone(name, found, problem, perf_counter() - begun, notes)

    def _outcomes(self, check: Check) -> tuple[tuple[Outcome, ...], tuple[str, ...]]:
        data = self._read(check.source)
        given: dict[str, Any] = {"rng": self.seed, "workers": self.workers}
        if check.gate is not None:
            return (outcome_of(check.gate, self._measured(check, data), check.category),), ()
        assert check.margin is not None
        found: Sequence[Comparison]
        notes: tuple[str, ...] = ()
        if check.against is not None:
            before = self._read(check.against)
            found = compare(before, data, check.measure or (), names=("before", "now"), **given)
        else:
            models = compare_models(data, check.models, check.humans or None, check.measure, **given)
            found, notes = [one.comparison for one in models.models], models.notes
        return tuple(non_inferior(one, check.margin, check.on) for one in found), notes

    def _read(self, source: GivenFiles) -> Data:
        known = next((one for key, one in self.data if key == source), None)
        if known is None:
            try:
                given = cast(DataLike, read(source.paths, **source.read))
                known = prepare(given, **source.prepare)
            except UnisonoError as error:
                known = error
            self.data.append((source, known))
        return cast(Data, _or_raised(known))

    def _measured(self, check: Check, data: Data) -> Result:
        measure = default_measure(data) if check.measure is None else parse_measure(check.measure, "measure")
        if check.gate is not None:
            check_side(check.gate, measure.declaration.name, measure.declaration.scale)
        named = str(measure)
        known = next((one for key, name, one in self.results if (key, name) == (check.source, named)), None)
        if known is None:
            try:
                known = measure.compute(data, rng=self.seed, workers=self.workers)
            except UnisonoError as error:
                known = error
            self.results.append((check.source, named, known))
        return _or_raised(known)


def _named_apart(found: Sequence[CheckDone], checks: Sequence[Check]) -> list[CheckDone]:
    """Add files, conditions and at last numbers to names that several checks have: names identify tests."""
    files = [", ".join(path.name for path in check.source.paths) for check in checks]
    conditions = [", ".join(dict.fromkeys(it.condition for it in one.outcomes)) for one in found]
    names = [one.name for one in found]
    for more in (files, conditions, [*map(str, range(1, len(found) + 1))]):
        alike: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            alike.setdefault(name, []).append(place)
        for places in alike.values():
            if len({more[place] for place in places}) > 1:
                for place in places:
                    names[place] += f" ({more[place]})" if more[place] else ""
    return [replace(one, name=name) for one, name in zip(found, names, strict=True)]


def _named(check: Check, outcomes: tuple[Outcome, ...]) -> str:
    """Name a check that has no name of its own."""
    if outcomes:
        return _joined_names(outcomes)
    return check.measure or " ".join(path.name for path in check.source.paths)


def _joined_names(outcomes: tuple[Outcome, ...]) -> str:
    return ", ".join(dict.fromkeys(one.name for one in outcomes))


def _or_raised(found: _Found | UnisonoError) -> _Found:
    if isinstance(found, UnisonoError):
        raise found
    return found
