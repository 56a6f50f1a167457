"""Two or more texts side by side: what notebooks and pages show of text-γ.

A table in the order of the text: one column per annotator, one row per unitary alignment. What differs is marked in
the cells and named in words; long runs of rows that agree are folded into one row.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import regex
from rapidfuzz.distance import Levenshtein

from unisono.alignment.text_alignment import MOVED, SEGMENTATION, TEXT, TextAlignment
from unisono.arrays import BoolArray
from unisono.data import Label
from unisono.errors import plural
from unisono.reporting.markup import escaped, label_text, plain, shortened
from unisono.reporting.palette import scoped
from unisono.reporting.pieces import alignment_caption, fragment
from unisono.reporting.templates import style_sheet
from unisono.results.shown import fixed

MOST_DIFFERING = 200
"""If more rows differ, the first of them are shown."""
CONTEXT = 2
"""The number of rows that agree shown before and after one that differs."""
LEAST_FOLDED = 4
"""The least number of rows that agree that are folded."""

_LONGEST_DIFFERENT, _LONGEST_SAME, _LONGEST_FOLDED, _LONGEST_LABEL = 400, 80, 80, 40
_BEFORE = 40
"""The number of characters shown of what long texts have in common at their beginning."""

T = TypeVar("T")


def text_alignment_html(alignment: TextAlignment, *, most_rows: int = MOST_DIFFERING) -> str:
    """Show the annotators' texts side by side, unit by unit, with what differs; of more rows that differ, the first."""
    return fragment(texts_figure(alignment, most_rows))


def texts_figure(alignment: TextAlignment, most_rows: int = MOST_DIFFERING) -> str:
    """Make the table of an alignment, with its own style."""
    if not len(alignment):
        return f"<p>{alignment_caption(alignment)}</p>"
    name, style = scoped(style_sheet("side_by_side"))
    table = _Table(alignment)
    return (
        f'<div class="{name}"><style>{style}</style>\n'
        f'<div class="scroll" tabindex="0" role="region" aria-label="Texts of {escaped(alignment.document.name)}">'
        f"<table><caption>{alignment_caption(alignment)}{table.key()}</caption>\n{table.head()}\n<tbody>\n"
        + "\n".join(table.body(most_rows))
        + "\n</tbody></table></div></div>"
    )


class Stretch(NamedTuple):
    """Neighbouring rows, shown one by one or folded into one."""

    first: int
    end: int
    folded: bool


def stretches(differs: BoolArray, most_rows: int) -> list[Stretch]:
    """Decide which rows are shown and which are folded, given which differ.

    What comes after the last of the `most_rows` rows that differ is left out.
    """
    which, most_rows = np.flatnonzero(differs), max(most_rows, 0)
    end = len(differs)
    if len(which) > most_rows:
        end = min(int(which[most_rows - 1]) + CONTEXT + 1, int(which[most_rows])) if most_rows else 0
    near = np.zeros(end, dtype=np.bool_)
    for shift in range(-CONTEXT, CONTEXT + 1):
        at = which + shift
        near[at[(at >= 0) & (at < end)]] = True
    edges = [0, *(np.flatnonzero(np.diff(near)) + 1).tolist(), end] if end else []
    found: list[Stretch] = []
    for first, after in itertools.pairwise(edges):
        folded = not near[first] and after - first >= LEAST_FOLDED
        if found and not folded and not found[-1].folded:
            first = found.pop().first
        found.append(Stretch(first, after, folded))
    return found


@dataclass(frozen=True)
class _Table:
    """The table of one alignment."""

    alignment: TextAlignment

    @cached_property
    def differs(self) -> BoolArray:
        """Which rows differ in anything."""
        return np.asarray(np.any([share > 0 for share in self.alignment.shares.values()], axis=0))

    @cached_property
    def features(self) -> dict[str, str]:
        """The compared features, by the names that they have among what differs."""
        known, kinds = self.alignment.document.corpus.features, (TEXT, SEGMENTATION, MOVED)
        return {
            kind: kind if kind in known else kind.removeprefix("feature ")
            for kind in self.alignment.shares
            if kind not in kinds
        }

    @cached_property
    def typed(self) -> bool:
        """Whether there are units of several types."""
        return len(set(self.alignment.types)) > 1

    @cached_property
    def width(self) -> int:
        """Number of columns."""
        return len(self.alignment.names) + (4 if self.typed else 3)

    @cached_property
    def whole(self) -> list[str]:
        """The annotators' texts."""
        corpus, index = self.alignment.document.corpus, self.alignment.document.index
        return [corpus.texts[index, who] for who in np.flatnonzero(corpus.worked[index]).tolist()]

    def head(self) -> str:
        """Return the row of the columns' names."""
        width = 68 // len(self.alignment.names)
        names = "".join(
            f'<th scope="col" class="text" style="width:{width}%" title="{escaped(name)}">'
            f"<bdi>{escaped(shortened(name, _LONGEST_LABEL))}</bdi></th>"
            for name in self.alignment.names
        )
        kind = '<th scope="col">type</th>' if self.typed else ""
        number = '<th scope="col" class="number"><abbr title="number of the unitary alignment">no.</abbr></th>'
        rest = '<th scope="col">differs</th><th scope="col" class="number">disorder</th>'
        return f"<thead><tr>{number}{kind}{names}{rest}</tr></thead>"

    def body(self, most_rows: int) -> Iterator[str]:
        """Return the rows, in the order of the text."""
        plan = stretches(self.differs, most_rows)
        for first, end, folded in plan:
            if folded:
                yield self._fold(first, end)
            else:
                yield from map(self._row, range(first, end))
        left = np.flatnonzero(self.differs[plan[-1].end if plan else 0 :])
        if len(left):
            what = f"… and {plural(len(left), 'more row')} that {'differs' if len(left) == 1 else 'differ'}"
            all_of_them = "<code>.to_frame()</code> lists all, worst first"
            yield f'<tr class="more"><td colspan="{self.width}">{what}; {all_of_them}</td></tr>'

    def key(self) -> str:
        """Explain the marks that occur."""
        shares = {kind for kind, share in self.alignment.shares.items() if (share > 0).any()}
        items = []
        if TEXT in shares:
            items.append(f"<mark>a</mark> characters that differ, {_LACK} that are missing")
        if shares & set(self.features):
            items.append('<span class="label"><strong>A</strong></span> label that differs')
        if SEGMENTATION in shares:
            items.append("– no counterpart: cut into units differently, or absent")
        if MOVED in shares:
            items.append("moved: the same text in another place")
        if self.features:
            names = ", ".join(
                f"<bdi>{escaped(shortened(name, _LONGEST_LABEL))}</bdi>" for name in self.features.values()
            )
            items.append(f"small: {names}")
        spans = "".join(f"<span>{item}</span>" for item in items)
        return f'<div class="key">{spans}</div>' if items else ""

    def _fold(self, first: int, end: int) -> str:
        """Make one row of many that agree: the running text, abridged."""
        it = self.alignment.annotations
        begins = it.start[self.alignment.solution.table[first]].astype(int).tolist()
        ends = it.end[self.alignment.solution.table[end - 1]].astype(int).tolist()
        texts = [text[begin:stop] for text, begin, stop in zip(self.whole, begins, ends, strict=True)]
        shown = texts[:1] if len(set(texts)) == 1 else texts
        span = f' colspan="{len(texts)}"' if len(shown) < len(texts) else ""
        parts = [_written(_clusters(_abridged(text, _LONGEST_FOLDED))) for text in shown]
        cells = "".join(f'<td class="text"{span}><bdi>{part}</bdi></td>' for part in parts)
        kind = "<td></td>" if self.typed else ""
        return (
            f'<tr class="fold"><th scope="row">{first + 1}–{end}</th>{kind}{cells}'
            f'<td colspan="2">… {plural(end - first, "unit")} agree …</td></tr>'
        )

    def _row(self, index: int) -> str:
        row = self.alignment[index]
        units = self.alignment.solution.table[index].tolist()
        present = [unit for unit in units if unit >= 0]
        shown = dict(zip(present, self._cells(present, row.differs), strict=True))
        kind = f'<td class="type">{escaped(self.alignment.types[present[0]])}</td>' if self.typed else ""
        words = ", ".join(f"<bdi>{escaped(shortened(kind, _LONGEST_LABEL))}</bdi>" for kind in row.differs)
        disorder = fixed(row.disorder, 3) if row.differs else "0"
        return (
            f'<tr class="{"other" if row.differs else "same"}"><th scope="row">{index + 1}</th>{kind}'
            f"{''.join(shown.get(unit, _EMPTY) for unit in units)}"
            f'<td class="differs">{words}</td><td class="number">{disorder}</td></tr>'
        )

    def _cells(self, numbers: Sequence[int], differs: Sequence[str]) -> Iterator[str]:
        """Show aligned units: text, labels, and the place if that differs."""
        units = [self.alignment.units[number] for number in numbers]
        labels = [
            _labels([unit.features.get(name) for unit in units], name, differ=kind in differs)
            for kind, name in self.features.items()
        ]
        for unit, text, *own in zip(units, self._texts(numbers, differs), *labels, strict=True):
            place = f"{plain(unit.start)}–{plain(unit.end)}"
            said = f' <span class="place">at {place}</span>' if MOVED in differs else ""
            yield f'<td class="text" title="characters {place}"><bdi>{text}</bdi>{"".join(own)}{said}</td>'

    def _texts(self, numbers: Sequence[int], differs: Sequence[str]) -> list[str]:
        texts = [self.alignment.texts[number] for number in numbers]
        if TEXT in differs:
            return _compared(texts, loud=SEGMENTATION in differs)
        most = _LONGEST_DIFFERENT if differs else _LONGEST_SAME
        return [_written(_clusters(_abridged(text, most)), loud=SEGMENTATION in differs) for text in texts]


_EMPTY = '<td class="none" title="no counterpart"><span role="img" aria-label="no counterpart">–</span></td>'


def _labels(labels: Sequence[Label | None], name: str, *, differ: bool) -> list[str]:
    """Show the labels of aligned units, with emphasis on those that are unlike most."""
    texts = [None if label is None else label_text(label) for label in labels]
    common = _most_common(texts)
    return [_label(text, name, stress=differ and (common is None or text != common[0])) for text in texts]


def _label(text: str | None, name: str, *, stress: bool) -> str:
    if text is None and not stress:
        return ""
    said = text or f"{'no' if text is None else 'empty'} {name}"
    shown = f"<bdi>{_written(_clusters(shortened(said, _LONGEST_LABEL)))}</bdi>"
    shown = f"<strong>{shown}</strong>" if stress else shown
    return f' <span class="label" title="{escaped(f"{name}: {said}")}">{shown}</span>'


def _most_common(values: Sequence[T]) -> tuple[T] | None:
    """Return the most frequent value in a tuple; None if two are equally frequent."""
    (value, count), *others = Counter(values).most_common(2)
    return None if others and others[0][1] == count else (value,)


def _compared(texts: Sequence[str], *, loud: bool) -> list[str]:
    """Write texts with marks on the characters that are unlike most, or in all texts if there is no majority."""
    cut = {text: _clusters(text) for text in texts}
    skipped = _skipped(list(cut.values()))
    # compared further than shown, so that the end of what is shown is not taken for the end of the text
    clusters = {text: own[skipped : skipped + 2 * _LONGEST_DIFFERENT] for text, own in cut.items()}
    most = _most_common(texts)
    reference = texts[0] if most is None else most[0]
    marks = {text: _Marks(set(), set()) for text in cut}
    for text, own in clusters.items():
        for change in Levenshtein.opcodes(clusters[reference], own):
            if change.tag != "equal":
                marks[text].add(change.dest_start, change.dest_end)
                if most is None:
                    marks[reference].add(change.src_start, change.src_end)
    alike = len({unicodedata.normalize("NFC", text) for text in cut}) < len(cut)
    written = {
        text: ("… " if skipped else "")
        + _written(own[:_LONGEST_DIFFERENT], marks[text], loud=loud, spelled=alike)
        + (" …" if len(own) > _LONGEST_DIFFERENT else "")
        for text, own in clusters.items()
    }
    return [written[text] for text in texts]


class _Marks(NamedTuple):
    """Where a text differs from another: different characters, and places where characters are missing."""

    different: set[int]
    missing: set[int]

    def add(self, first: int, end: int) -> None:
        """Mark characters, or a place if there are none."""
        self.different.update(range(first, end))
        if first == end:
            self.missing.add(first)


_NO_MARKS = _Marks(set(), set())


def _skipped(texts: Sequence[Sequence[str]]) -> int:
    """Return how much of the common beginning of long texts is left out."""
    if max(map(len, texts)) <= _LONGEST_DIFFERENT:
        return 0
    alike = zip(*texts, strict=False)
    common = next((place for place, here in enumerate(alike) if len(set(here)) > 1), min(map(len, texts)))
    return max(common - _BEFORE, 0)


def _abridged(text: str, most: int) -> str:
    """Shorten text in the middle."""
    if len(text) <= most:
        return text
    head, tail = most * 3 // 5, most * 2 // 5
    first, last = "".join(_clusters(text[: 4 * most])[:head]), "".join(_clusters(text[-4 * most :])[-tail:])
    return f"{first.rpartition(' ')[0] or first} … {last.partition(' ')[2] or last}"


def _clusters(text: str) -> list[str]:
    """Cut text into characters as people see them, with their combining marks."""
    return [str(cluster) for cluster in regex.findall(r"\X", text)]


def _written(clusters: Sequence[str], marks: _Marks = _NO_MARKS, *, loud: bool = False, spelled: bool = False) -> str:
    """Write text, character by character, with its marks, and with signs for what would be invisible.

    If `loud`, every space is shown; otherwise only those that differ or are easily overlooked. If `spelled`, the code
    points of what differs are added, because it looks alike.
    """
    if not clusters:
        return '<span class="sign">no text</span>'
    white = [True, *(cluster.isspace() for cluster in clusters), True]
    pieces = []
    for place, cluster in enumerate(clusters):
        if place in marks.missing:
            pieces.append(_LACK)
        different = place in marks.different
        hidden = white[place + 1] and (white[place] or white[place + 2])
        shown = "".join(_character(one, loud or different or hidden) for one in cluster)
        shown = f"◌{shown}" if unicodedata.category(cluster[0]).startswith("M") else shown
        pieces.append(f"<mark>{shown}{_code_points(cluster) if spelled else ''}</mark>" if different else shown)
    if len(clusters) in marks.missing:
        pieces.append(_LACK)
    return "".join(pieces).replace("</mark><mark>", "")


_LACK = '<span class="lack" title="characters are missing here"></span>'
_SIGNS = {" ": "␣", "\t": "⇥", "\n": "↵", "\x7f": "␡"}
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cs}\p{Z}\p{Bidi_Control}\p{Noncharacter_Code_Point}]")
_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")


@lru_cache(maxsize=1024)
def _character(character: str, loud: bool) -> str:
    """Write a character, or a sign for an invisible one; joiners and the like, which words need, only if loud."""
    if character == " " and not loud:
        return character
    if not _UNSEEN.match(character) and not (loud and _IGNORED.match(character)):
        return escaped(character)
    if character not in _SIGNS and character >= " ":
        return _code_points(character)
    sign = _SIGNS.get(character) or chr(0x2400 + ord(character))
    name = "space" if character == " " else f"U+{ord(character):04X}"
    return f'<span class="sign" title="{name}">{sign}</span>'


def _code_points(text: str) -> str:
    codes = " ".join(f"U+{ord(character):04X}" for character in text)
    name = ", ".join(unicodedata.name(character, "unnamed").lower() for character in text)
    return f'<span class="code" title="{escaped(name)}">{codes}</span>'
