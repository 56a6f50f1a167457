"""Data that is open: where it is, what it holds, what was measured, and the desk at which people decide."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unisono.adjudication.decision_files import beside
from unisono.adjudication.settling import AnyGold
from unisono.app.desk import Desk
from unisono.app.giving import offers
from unisono.app.home import Entry, Home
from unisono.app.jobs import BackgroundJob, Helpers
from unisono.app.roles import curators_among, models_among
from unisono.app.work import PREPARING, Contents, advice_on, draft_of, measure_data, read_contents
from unisono.data import Corpus, Data
from unisono.errors import DataError
from unisono.measurement.advice import Advice
from unisono.measurement.completing import Measured
from unisono.measurement.registry import aligning_measure, parse_measure
from unisono.preparation import prepare

_OF_CHANCE = ("chance", "precision", "confidence", "time_limit")
"""Parameters that do not change how units are aligned."""


@dataclass
class MeasuringRun:
    """A measurement.

    Attributes
    ----------
    number : int
        Its number among those of the data, from 1.
    measure : str
        What is measured, with its parameters.
    seed : int
        The seed of its random numbers.
    more : dict
        What else was asked for: subsets, the ladder, a pre-annotation, models to compare with people.
    annotators : list of str
        Whose work was measured; empty if that of all who were chosen.
    job : BackgroundJob
        The work.
    """

    number: int
    measure: str
    seed: int
    more: Mapping[str, Any]
    annotators: Sequence[str]
    job: BackgroundJob
    page: str | None = field(default=None, repr=False)

    @property
    def measured(self) -> Measured | None:
        """The result; None as long as there is none."""
        return None if self.job.result is None else self.job.result[0]

    @property
    def alignments(self) -> Any:
        """Alignments to look at, if the measure makes none."""
        return None if self.job.result is None else self.job.result[1]

    @property
    def models(self) -> Any:
        """Models compared with people, or why they cannot be; None if that was not asked for."""
        return None if self.job.result is None else self.job.result[2]


class Opened:
    """Data that is open.

    Parameters
    ----------
    entry : Entry
        Where it is, and how it is read.
    home : Home
        Where that is remembered.
    helpers : Helpers
        Those who do what takes long.
    """

    def __init__(self, entry: Entry, home: Home, helpers: Helpers) -> None:
        self.helpers = helpers
        self.entry = entry
        self.home = home
        self.lock = threading.RLock()
        self.reading: BackgroundJob
        self.runs: dict[int, MeasuringRun] = {}
        self._advice: BackgroundJob | None = None
        self._draft: BackgroundJob | None = None
        self._desk: Desk | None = None
        self._offering: tuple[int, BackgroundJob] | None = None
        self._n_runs = 0
        self.read()

    @property
    def paths(self) -> list[Path]:
        """Where the data is."""
        return [Path(place) for place in self.entry.paths]

    @property
    def around(self) -> Path:
        """The folder that the data is in: nothing is written elsewhere."""
        return Path(os.path.commonpath([path.parent for path in self.paths]))

    @property
    def contents(self) -> Contents | None:
        """What was read; None while it is being read."""
        if self.reading.is_running:
            return None
        return Contents(error=self.reading.error) if self.reading.result is None else self.reading.result

    @property
    def data(self) -> Data | None:
        """The data as it is measured; None if it is not there yet, or something is wrong with it."""
        return None if self.contents is None else self.contents.data

    def read(self, how: Mapping[str, Any] | None = None) -> None:
        """Read the data, as before or in another way; what was made of it before is gone."""
        with self.lock:
            if how is not None:
                self.entry.reading = dict(how)
            self.close()
            chosen = self.entry.reading
            reading = {name: value for name, value in chosen.items() if name not in PREPARING}
            preparing = {name: value for name, value in chosen.items() if name in PREPARING}
            self.reading = BackgroundJob(self.helpers, read_contents, self.paths, reading, preparing)
            self.home.remember(self.entry)

    def assign(self, roles: Mapping[str, str]) -> None:
        """Note who is a model or a curator; what was measured stays."""
        with self.lock:
            if dict(roles) != self.entry.roles:
                self.entry.roles = dict(roles)
                self.home.remember(self.entry)
                self._advice = None
                self._forget_draft()

    @property
    def models(self) -> list[str]:
        """Who of the annotators is a model."""
        return [] if self.data is None else models_among(self.data.annotators, self.entry.roles)

    @property
    def curators(self) -> list[str]:
        """Who of the annotators is a curator."""
        return [] if self.data is None else curators_among(self.data.annotators, self.entry.roles)

    def counting(self, reference: str = "") -> list[str]:
        """Return whose work counts if that of curators does not, except that of a reference; empty if everybody's."""
        left_out = {name for name in self.curators if name != reference}
        return [name for name in self._ready().annotators if name not in left_out] if left_out else []

    def advice(self) -> BackgroundJob:
        """Return the work of finding out which measures fit; its result is an `Advice`."""
        with self.lock:
            if self._advice is None:
                self._advice = BackgroundJob(self.helpers, advice_on, self._of(self.counting()))
            return self._advice

    @property
    def advised(self) -> Advice | None:
        """Which measures fit, if that is known by now."""
        return None if self._advice is None else self._advice.result

    def measure(self, written: str, seed: int, more: Mapping[str, Any]) -> MeasuringRun:
        """Begin to measure."""
        with self.lock:
            annotators = self.counting(str(parse_measure(written).given.get("reference", "")))
            job = BackgroundJob(self.helpers, measure_data, self._of(annotators), written, seed, more)
            self._n_runs += 1
            run = MeasuringRun(self._n_runs, written, seed, more, annotators, job)
            self.runs[run.number] = run
            return run

    def remove(self, number: int) -> None:
        """Forget a run, and end it if it is going on."""
        with self.lock:
            run = self.runs.pop(number, None)
        if run is not None:
            run.job.cancel()

    def drafting(self) -> BackgroundJob:
        """Return the work of drafting the gold standard."""
        with self.lock:
            if self._draft is None:
                data = self._of(self.counting())
                how = (
                    self.entry.drafting,
                    self.paths,
                    self.entry.reading,
                    [self.decisions, *map(Path, self.entry.others)],
                )
                self._draft = BackgroundJob(self.helpers, draft_of, data, *how)
            return self._draft

    def offering(self, desk: Desk) -> BackgroundJob:
        """Return the work of trying all formats on what is decided by now; its result is a list of `Offer`."""
        with self.lock:
            if self._offering is None or self._offering[0] != desk.n_kept:
                self._offering = desk.n_kept, BackgroundJob(self.helpers, offers, desk.settled(), self._formats)
            return self._offering[1]

    @property
    def _formats(self) -> list[str]:
        """The formats that the data came in."""
        return [] if self.contents is None else [*self.contents.guesses.formats]

    def draft_anew(self, how: Mapping[str, Any]) -> None:
        """Draft the gold standard in another way; decisions stay."""
        with self.lock:
            self.entry.drafting = dict(how)
            self.home.remember(self.entry)
            self._forget_draft()

    @property
    def draft(self) -> AnyGold | None:
        """The draft, as soon as there is one."""
        return None if self._draft is None else self._draft.result

    def aligner(self, run: MeasuringRun | None = None) -> str:
        """Return the measure that aligns for the desk, or for the page of a run, without what does not matter."""
        data = self.data
        if not isinstance(data, Corpus):
            return ""
        written = run.measure if run is not None else self.entry.drafting.get("measure")
        chosen = None if written is None else parse_measure(written)
        if chosen is None or chosen.declaration.align is None:
            chosen = aligning_measure(data)
        given = {name: value for name, value in chosen.given.items() if name not in _OF_CHANCE}
        return str(replace(chosen, given=given))

    def desk(self) -> Desk | None:
        """Return the desk, as soon as there is a draft."""
        with self.lock:
            draft = self.draft
            if self._desk is None and draft is not None:
                self._desk = Desk(draft, self.decisions, self.entry.drafting, [Path(one) for one in self.entry.others])
            return self._desk

    def decide_in(self, own: Path, others: Sequence[Path]) -> None:
        """Keep decisions in a file from now on, and take what others decided into account."""
        with self.lock:
            self.entry.decisions, self.entry.others = str(own), [str(one) for one in others]
            self.home.remember(self.entry)
            if self._desk is not None:
                self._desk.close()
            if self._offering is not None:
                self._offering[1].cancel()
            self._desk = self._offering = None

    @property
    def decisions(self) -> Path:
        """Where decisions are kept."""
        return Path(self.entry.decisions) if self.entry.decisions else beside(self.paths[0])

    def close(self) -> None:
        """End all work, and let others decide."""
        with self.lock:
            jobs = [getattr(self, "reading", None), self._advice, *(run.job for run in self.runs.values())]
            for job in jobs:
                if job is not None:
                    job.cancel()
            self.runs.clear()
            self._advice = None
            self._forget_draft()

    def _forget_draft(self) -> None:
        if self._draft is not None:
            self._draft.cancel()
        if self._desk is not None:
            self._desk.close()
        if self._offering is not None:
            self._offering[1].cancel()
        self._draft = self._desk = self._offering = None

    def _of(self, annotators: Sequence[str]) -> Data:
        """Return the data of some annotators; of all if none are named."""
        return prepare(self._ready(), annotators=annotators) if annotators else self._ready()

    def _ready(self) -> Data:
        """Return the data; an error if there is none yet."""
        contents = self.contents
        if contents is None:
            raise DataError("the data is still being read; wait a moment")
        if contents.data is None:
            raise contents.error or DataError("there is nothing to measure")
        return contents.data


class Library:
    """All data that is open, and what was opened before."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.helpers = Helpers()
        self._open: dict[str, Opened] = {}
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Opened]:
        return iter([*self._open.values()])

    def open(self, paths: Sequence[Path], decisions: Sequence[Path] = ()) -> Opened:
        """Open data; if it was opened before, in the same way as then. The first file of decisions is added to."""
        for path in paths:
            if not os.path.lexists(path):
                raise DataError("there is no such file or folder; check the path", path=path)
        entry = Entry.of(paths)
        with self._lock:
            if entry.id not in self._open:
                known = self.home.entry(entry.id) or entry
                if decisions:
                    own, *others = map(os.path.abspath, decisions)
                    known = replace(known, decisions=own, others=others)
                self._open[entry.id] = Opened(known, self.home, self.helpers)
            return self._open[entry.id]

    def get(self, wanted: str) -> Opened | None:
        """Return open data by its id; what was opened before is opened again."""
        with self._lock:
            found = self._open.get(wanted)
        if found is not None:
            return found
        entry = self.home.entry(wanted)
        return self.open([Path(place) for place in entry.paths]) if entry is not None and entry.is_there else None

    def known(self, wanted: str) -> Opened | None:
        """Return data that is open."""
        with self._lock:
            return self._open.get(wanted)

    def forget(self, wanted: str) -> None:
        """Take data off the list of what was opened; its files stay."""
        with self._lock:
            found = self._open.pop(wanted, None)
        if found is not None:
            found.close()
        self.home.forget(wanted)

    def close(self) -> None:
        """End all work."""
        for one in self:
            one.close()
        self.helpers.close()
