"""The desk: a draft, what was decided about its places, and what is next."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

from unisono.adjudication import Gold, ItemGold, TextGold
from unisono.adjudication.decision_files import DecisionLog, History, broken_notes, read_decisions, verdict_on
from unisono.adjudication.decisions import (
    LABEL,
    SKIP,
    TEXT,
    UNDO,
    UNITS,
    PlaceDecision,
    kind_of_place,
    parsed_decision,
    place_key,
)
from unisono.adjudication.settling import AnyGold, check_decided, draft_places, settled_gold, shared_notes
from unisono.errors import DataError, plural

_KINDS: Mapping[type, str] = {Gold: UNITS, ItemGold: LABEL, TextGold: TEXT}
"""What is decided about the places of each kind of draft."""
OPEN, DECIDED, SKIPPED, DISPUTED = 0, 1, 2, 3
"""What became of a place, as the list has it."""
_LONGEST_PAUSE = 300.0
"""Who takes more seconds for a place was away."""
_PACE = 20
"""The pace is that of so many decisions."""


class ConflictError(DataError):
    """A place was decided meanwhile, in another window."""


class Desk:
    """A draft and the decisions about it.

    Parameters
    ----------
    draft : Gold, ItemGold or TextGold
        The draft, without any decisions.
    path : path
        The file of decisions; what it has is read.
    how : mapping, optional
        How the draft was made, if not as usual.
    others : sequence of path, optional
        What other people decided: these decisions count, too, and where people differ, somebody has to decide again.

    Attributes
    ----------
    places : list of dict
        The place of each proposal or item, as files of decisions have it.
    queue : list of int
        The places that somebody should decide on, the worst first.
    views : object
        What shows places, for whoever makes it.
    n_kept : int
        How many decisions were made since the desk was opened.
    """

    def __init__(
        self,
        draft: AnyGold,
        path: Path,
        how: Mapping[str, Any] | None = None,
        others: Sequence[Path] = (),
    ) -> None:
        self.draft = draft
        self.how = dict(how or {})
        self.path = path
        self.log = DecisionLog(path)
        self.others = [read_decisions(other) for other in others]
        self.views: Any = None
        self.n_kept = 0
        self._lock = threading.RLock()
        self.places = draft_places(draft)
        self.keys = [place_key(place) for place in self.places]
        self._number = {key: number for number, key in enumerate(self.keys)}
        disputed = [number for number in range(len(self.places)) if self.differing(number)]
        self.queue = list(dict.fromkeys([*disputed, *_queue(draft)]))
        self._rank = {number: rank for rank, number in enumerate(self.queue)}
        self._status = [self._status_of(number) for number in range(len(self.places))]
        self._counts = Counter(self._status[number] for number in self.queue)
        found = [(one.time, key) for key, stack in self.history.standing.items() for one in stack]
        self._made = [self._number[key] for _, key in sorted(found) if key in self._number]
        self._times = [time for time, key in sorted(found) if key in self._number]

    @property
    def last(self) -> int | None:
        """The place that was decided last."""
        return self._made[-1] if self._made else None

    @property
    def history(self) -> History:
        """What the file of decisions says."""
        return self.log.history

    @property
    def histories(self) -> list[History]:
        """What all files of decisions say, the own one first."""
        return [self.history, *self.others]

    @property
    def notes(self) -> list[str]:
        """What people should know before they decide."""
        stale = sum(map(len, self.stale.values()))
        changed = "about places that have changed since, or were read differently; these places are offered again"
        return [
            *(self.draft.notes if isinstance(self.draft, ItemGold) else self.draft.remarks),
            *broken_notes(self.histories),
            *shared_notes(self.histories),
            *([f"{plural(stale, 'earlier decision')} {changed}"] if stale else []),
        ]

    @cached_property
    def stale(self) -> Mapping[str, Sequence[PlaceDecision]]:
        """Decisions about places that are not there as they were, by their documents."""
        found: dict[str, list[PlaceDecision]] = defaultdict(list)
        for key in self.history.standing:
            last = self.history.latest(key)
            if key not in self._number and last is not None and last.kind != SKIP and self._is_alike(last.place):
                found[str(last.place["document"])].append(last)
        return found

    def latest(self, number: int) -> PlaceDecision | None:
        """Return what was decided about a place, by anybody; nothing if people differ."""
        own = self.history.latest(self.keys[number])
        verdict = verdict_on(self.histories, self.keys[number]) if self.others else None
        if verdict is None or (verdict.settled is None and own is not None and own.kind == SKIP):
            return own
        return verdict.settled

    def differing(self, number: int) -> Sequence[PlaceDecision]:
        """Return what people decided about a place, if they differ."""
        verdict = verdict_on(self.histories, self.keys[number]) if self.others else None
        return verdict.decisions if verdict is not None and verdict.settled is None else ()

    def status(self, number: int) -> int:
        """Return whether a place is open, decided, skipped, or decided differently."""
        return self._status[number]

    def rank(self, number: int) -> int:
        """Return a place's rank in the queue; -1 if nobody has to decide on it."""
        return self._rank.get(number, -1)

    def decide(self, number: int, entry: Mapping[str, Any], seen: str) -> PlaceDecision:
        """Keep a decision about a place: when this returns, it is on the disk.

        Parameters
        ----------
        number : int
            The place.
        entry : mapping
            The decision, its units or its label, as in a file of decisions.
        seen : str
            The id of the decision that stood when the person looked; empty if there was none.
        """
        with self._lock:
            made = self._parsed(number, entry)
            last = self.latest(number)
            if ("" if last is None else last.id) != seen:
                raise ConflictError("this place has been decided in another window; check it and decide again")
            self._keep(number, made)
            self._made.append(number)
            self._times.append(made.time)
            return made

    def undo(self, by: str) -> int | None:
        """Take the last decision back; return its place, or None if there is nothing to take back."""
        with self._lock:
            if not self._made:
                return None
            number = self._made[-1]
            self._keep(number, PlaceDecision(self.places[number], UNDO, by=by))
            self._made.pop()
            self._times.pop()
            return number

    def progress(self) -> dict[str, Any]:
        """Count what is decided, skipped and left, and estimate how many seconds the rest takes."""
        with self._lock:
            pace = _pace(self._times[-_PACE - 1 :])
            counts = self._counts
            left = counts[OPEN] + counts[DISPUTED]
            more = len({number for number in self._made if number not in self._rank})
            return {
                "decided": counts[DECIDED],
                "skipped": counts[SKIPPED],
                "left": left,
                **({"disputed": counts[DISPUTED]} if self.others else {}),
                "more": more,
                "seconds": None if pace is None else pace * left,
            }

    def settled(self) -> AnyGold:
        """Return the draft with what was decided."""
        with self._lock:
            return settled_gold(self.draft, self.histories)

    def close(self) -> None:
        """Let other programs add decisions."""
        self.log.close()

    def _is_alike(self, place: Mapping[str, Any]) -> bool:
        """Whether a place is about the same kind of annotations; a text may have spans and relations."""
        return not self.places or kind_of_place(place) == kind_of_place(self.places[0])

    def _status_of(self, number: int) -> int:
        last = self.latest(number)
        if last is None and self.differing(number):
            return DISPUTED
        return OPEN if last is None else SKIPPED if last.kind == SKIP else DECIDED

    def _keep(self, number: int, decision: PlaceDecision) -> None:
        """Add a decision to the file, and note what becomes of the place."""
        self.log.append(decision)
        self.n_kept += 1
        status = self._status_of(number)
        if number in self._rank:
            self._counts[self._status[number]] -= 1
            self._counts[status] += 1
        self._status[number] = status

    def _parsed(self, number: int, entry: Mapping[str, Any]) -> PlaceDecision:
        """Make a decision, and check that it is one about this place."""
        names = ("decision", "units", "label", "text", "tokens", "took", "note", "by")
        line = {name: entry[name] for name in names if name in entry}
        made = parsed_decision({**line, "place": self.places[number], "id": "new"})
        expected = (_KINDS[type(self.draft)], SKIP)
        if made.kind not in expected:
            raise DataError(f"expected one of {', '.join(expected)}, not {made.kind}")
        if isinstance(self.draft, Gold):
            check_decided(made.units, self.draft.annotated[self.draft.proposals[number].document])
        if not isinstance(self.draft, ItemGold):
            known = set(self.draft.annotated.features)
            for unit in made.units:
                if wrong := set(unit.features) - known:
                    raise DataError(f"there is no feature {sorted(wrong)[0]!r}")
        kept = PlaceDecision(made.place, made.kind, made.units, made.label, text=made.text)
        replaces = self._replaced(number) if made.kind != SKIP else ()
        return replace(kept, took=made.took, by=made.by, note=made.note, replaces=replaces)

    def _replaced(self, number: int) -> tuple[str, ...]:
        """Return the ids of others' decisions about a place, which a decision settles."""
        found = (history.latest(self.keys[number]) for history in self.others)
        return tuple(one.id for one in found if one is not None)


def _queue(draft: AnyGold) -> list[int]:
    """Return the places that somebody should decide on, the worst first."""
    if isinstance(draft, ItemGold):
        return list(draft.to_decide)
    number = {id(proposal): index for index, proposal in enumerate(draft.proposals)}
    return [number[id(proposal)] for proposal in draft.to_decide]


def _pace(times: Sequence[str]) -> float | None:
    """Return how many seconds a decision takes, as far as it can be told."""
    took = [seconds for seconds in _pauses(times) if seconds <= _LONGEST_PAUSE]
    return median(took) if len(took) >= 3 else None


def _pauses(times: Sequence[str]) -> Iterator[float]:
    before: datetime | None = None
    for text in times:
        try:
            now = datetime.fromisoformat(text)
            if before is not None:
                yield (now - before).total_seconds()
            before = now
        except (ValueError, TypeError):  # a time from elsewhere, or without a zone
            before = None
