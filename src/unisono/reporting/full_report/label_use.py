"""How each annotator uses the labels: names as bars side by side, numbers as histograms, with who rates higher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import TypeAlias

import numpy as np
from markupsafe import Markup

from unisono.arrays import FloatArray
from unisono.data import Ratings
from unisono.data.labels import MISSING
from unisono.errors import plural
from unisono.measurement.rating_scales.scores import Scores
from unisono.measurement.rating_scales.severity import MOST_COMPARED_ANNOTATORS, severity
from unisono.reporting.alignment_layout import ticks
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.label_paints import Paint, PaintedLabels, fill_classes
from unisono.reporting.markup import percent, plain, seen_label
from unisono.reporting.palette import SHADES_OF_SCALE
from unisono.reporting.svg import svg_text, tag
from unisono.results.shown import fixed, written_alike

_MOST_LABELS, _MOST_ANNOTATORS, _MOST_ROWS, _MOST_NAMED = 20, 30, 100, 16
_MOST_BINS = 24
_MOST_STEPS = 21
"""With no more different whole numbers than this, each has a bar of its own."""
_BAR, _BAR_HEIGHT = 72.0, 14.0
_WIDTH, _HEIGHT = 300.0, 40.0

_Line: TypeAlias = tuple[tuple[str, str], str, FloatArray]
"""The classes of a colour, a name, and the counts by annotator."""


@dataclass(frozen=True)
class UseCell:
    """A cell: a drawing, what it says, and what is said in small letters."""

    text: str
    svg: str = ""
    small: str = ""


@dataclass(frozen=True)
class UseRow:
    """A row: a label or an annotator, and the classes of its colour."""

    name: str
    cells: list[UseCell]
    fills: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelUse:
    """A table of bars."""

    caption: str
    columns: list[str]
    rows: list[UseRow]
    note: str


@dataclass(frozen=True)
class Legend:
    """What the colours mean: the ends of a scale, or the names of labels with the classes of their colours."""

    ends: tuple[str, str] | None
    names: list[tuple[tuple[str, str], str]]
    n_more: int = 0
    shades: Sequence[str] = tuple(f"q{k}" for k in range(len(SHADES_OF_SCALE)))


def legend_of(ratings: Ratings, painted: PaintedLabels, names: Names) -> Legend:
    """Say which colours labels have: of sets, their members."""
    ranked = [ratings.labels[code] for code in painted.order]
    if painted.shaded and (painted.numbers is not None or len(ranked) > _MOST_NAMED):
        return Legend((names.of("label", ranked[0]), names.of("label", ranked[-1])), [])
    some: list[tuple[Paint, str]] = [
        (paint, names.of("label", label)) for paint, label in zip(painted.paints, ranked, strict=True)
    ]
    if painted.members is not None:
        colours = painted.member_colours
        some = [(colours[name], name) for name in _every_member(painted.members)] if names.shows_all else []
    return Legend(None, [(fill_classes(k), name) for k, name in some[:_MOST_NAMED]], max(len(some) - _MOST_NAMED, 0))


def label_use(ratings: Ratings, painted: PaintedLabels, names: Names) -> LabelUse | None:
    """Lay out how often each annotator gives each label, or which numbers they give; None if there are no labels."""
    if not painted.order:
        return None
    if painted.numbers is not None:
        return _numbers(ratings, painted.numbers)
    return _shares(ratings, painted, names)


def rating_scores(ratings: Ratings, numbers: FloatArray) -> Scores:
    """Return the numbers that annotators gave to items with two labels or more."""
    paired = ratings.n_given >= 2
    return Scores(np.append(numbers, np.nan)[ratings.codes[paired]].T, ratings.times[paired].astype(np.float64))


def _shares(ratings: Ratings, painted: PaintedLabels, names: Names) -> LabelUse:
    """Count the share of each label, or of each member of sets, among an annotator's labels."""
    n, times = len(ratings.labels), ratings.times
    columns = [np.bincount(column + 1, times, n + 1)[1:] for column in ratings.codes.T]
    counts = np.stack(columns, axis=1).astype(np.float64)  # shape (n_labels, n_annotators)
    given = counts.sum(axis=0)
    lines = _lines(ratings, painted, names, counts)
    shown = _most_used(lines)
    people = list(ratings.annotators[:_MOST_ANNOTATORS])
    most = max((float((count / np.maximum(given, 1)).max()) for _, _, count in shown), default=0.0) or 1.0
    rows = []
    for fills, name, count in shown:
        parts = [*zip(count[: len(people)], given, strict=False), (count.sum(), given.sum())]
        rows.append(UseRow(name, [_bar_cell(float(k), float(total), most, fills[0]) for k, total in parts], fills))
    hidden = len(ratings.annotators) - len(people)
    notes = [
        "A label can have several of these, so that the shares add up to more than 100%."
        if painted.members is not None
        else "",
        f"… and {plural(hidden, 'more annotator')}, who are counted in the last column." if hidden else "",
    ]
    return LabelUse("Share of each label", ["label", *people, "all"], rows, " ".join(filter(None, notes)))


def _every_member(members: Sequence[tuple[str, ...]]) -> list[str]:
    """List the members of sets, in the order of their colours."""
    return list(dict.fromkeys(name for some in members for name in some))


def _lines(ratings: Ratings, painted: PaintedLabels, names: Names, counts: FloatArray) -> list[_Line]:
    """Return the colour, the name and the counts by annotator of each label, or of each member of sets."""
    ranked = [ratings.labels[code] for code in painted.order]
    if painted.members is None or not names.shows_all:
        return [
            (fill_classes(paint), names.of("label", label), counts[code])
            for paint, label, code in zip(painted.paints, ranked, painted.order, strict=True)
        ]
    of_member = {name: np.zeros(counts.shape[1]) for name in _every_member(painted.members)}
    empty = np.zeros(counts.shape[1])
    for some, code in zip(painted.members, painted.order, strict=True):
        for name in some:
            of_member[name] += counts[code]
        if not some:
            empty += counts[code]
    colours = painted.member_colours
    lines = [(fill_classes(colours[name]), seen_label(name), count) for name, count in of_member.items()]
    return [*lines, (("none", ""), seen_label(()), empty)] if empty.any() else lines


def _most_used(lines: list[_Line]) -> list[_Line]:
    """Keep the most frequent labels, and put the others together."""
    if len(lines) <= _MOST_LABELS:
        return lines
    kept = set(np.argsort([-float(count.sum()) for *_, count in lines], kind="stable")[: _MOST_LABELS - 1].tolist())
    rest = [line for k, line in enumerate(lines) if k not in kept]
    folded = (("none", ""), f"{len(rest):,} others", np.sum([count for *_, count in rest], axis=0))
    return [*(line for k, line in enumerate(lines) if k in kept), folded]


def _bar_cell(count: float, total: float, most: float, fill: str) -> UseCell:
    if not total:
        return UseCell("–")
    share = count / total
    bar = tag("rect", class_=f"column {fill}", y=1, width=max(_BAR * share / most, 1.0), height=_BAR_HEIGHT - 2, rx=2)
    base = tag("line", class_="base", x1=0, x2=0, y1=0, y2=_BAR_HEIGHT)
    drawn = tag(
        "svg",
        base + (bar if count else ""),
        class_="bars",
        width=_BAR,
        height=_BAR_HEIGHT,
        viewBox=f"0 0 {_BAR:g} {_BAR_HEIGHT:g}",
        aria_hidden="true",
    )
    return UseCell(percent(share) if count else "0%", Markup(drawn), f"{count:,.0f}")


def _numbers(ratings: Ratings, numbers: FloatArray) -> LabelUse:
    """Draw which numbers each annotator gives, all on one axis, with means and who rates higher."""
    values = np.append(numbers, np.nan)[ratings.codes]
    edges, steps = _edges(numbers[~np.isnan(numbers)])
    compared = len(ratings.annotators) <= MOST_COMPARED_ANNOTATORS
    found = severity(rating_scores(ratings, numbers)) if compared else None
    digits = _digits(float(edges[-1] - edges[0]))
    rows = [UseRow("scale", [UseCell("", _axis(edges, steps)), *[UseCell("")] * (3 if compared else 2)])]
    for index, name in enumerate(ratings.annotators[:_MOST_ROWS]):
        there = ratings.codes[:, index] != MISSING
        own, times = values[there, index], ratings.times[there].astype(np.float64)
        if not len(own):
            rows.append(UseRow(name, [UseCell("no label"), *[UseCell("")] * (3 if compared else 2)]))
            continue
        mean = float(own @ times / times.sum())
        sd = _deviation(own, times, mean)
        cells = [
            UseCell("", _histogram(own, times, mean, edges)),
            UseCell(fixed(mean, digits)),
            UseCell("–" if sd is None else fixed(sd, digits)),
        ]
        if found is not None:
            cells.append(_severity_cell(float(found.value[index]), float(found.half_width[index]), digits))
        rows.append(UseRow(name, cells))
    hidden = len(ratings.annotators) - (len(rows) - 1)
    notes = [
        "The line is the mean.",
        "Higher than others: how much higher an annotator rates than the others rate the same items, with a 95% "
        "interval."
        if compared
        else "",
        f"… and {plural(hidden, 'more annotator')}." if hidden else "",
    ]
    columns = ["annotator", "numbers", "mean", "standard deviation", *(["higher than others"] if compared else [])]
    return LabelUse("Numbers of each annotator", columns, rows, " ".join(filter(None, notes)))


def _severity_cell(value: float, half: float, digits: int) -> UseCell:
    if not isfinite(value):
        return UseCell("–")
    limits = (value - half, value + half) if isfinite(half) else ()
    written, *span = written_alike(value, *limits, digits=digits)
    return UseCell(f"{'+' if value > 0 else ''}{written}", small=" to ".join(span))


def _edges(numbers: FloatArray) -> tuple[FloatArray, bool]:
    """Return the limits of the bars, and whether each whole number has one."""
    low, high = float(numbers.min()), float(numbers.max())
    if (numbers == np.floor(numbers)).all() and high - low < _MOST_STEPS:
        return np.arange(low, high + 2) - 0.5, True
    return np.linspace(low, high, _MOST_BINS + 1), False


def _digits(extent: float) -> int:
    """Return how many decimals numbers on a scale of this extent need."""
    return int(np.clip(2 - ceil(np.log10(extent) - 1), 0, 6)) if extent > 0 else 2


def _deviation(own: FloatArray, times: FloatArray, mean: float) -> float | None:
    n = float(times.sum())
    return float(np.sqrt(np.square(own - mean) @ times / (n - 1))) if n > 1 else None


def _x(value: float, edges: FloatArray) -> float:
    return float(_WIDTH * (value - edges[0]) / (edges[-1] - edges[0]))


def _histogram(own: FloatArray, times: FloatArray, mean: float, edges: FloatArray) -> Markup:
    heights = np.histogram(own, bins=edges, weights=times)[0]
    parts = [tag("line", class_="base", x1=0, x2=_WIDTH, y1=_HEIGHT, y2=_HEIGHT)]
    last = len(heights) - 1
    for k, n in enumerate(heights.tolist()):
        if n:
            left, right = _x(edges[k], edges), _x(edges[k + 1], edges)
            height = max((_HEIGHT - 4) * n / heights.max(), 1.0)
            shade = f"q{round(k / max(last, 1) * (len(SHADES_OF_SCALE) - 1))}"
            width = max(right - left - 2, 1.0)
            parts.append(
                tag("rect", class_=f"column {shade}", x=left + 1, width=width, y=_HEIGHT - height, height=height)
            )
    parts.append(tag("line", class_="mean", x1=_x(mean, edges), x2=_x(mean, edges), y1=0, y2=_HEIGHT))
    return _drawn(parts, _HEIGHT)


def _axis(edges: FloatArray, steps: bool) -> Markup:
    some: list[float] = ticks(float(edges[0]), float(edges[-1]), 6)
    if steps and len(edges) <= 12:
        some = (edges[:-1] + 0.5).tolist()
    places = [(min(max(_x(value, edges), 6), _WIDTH - 6), plain(value, 6)) for value in some]
    return _drawn([svg_text(text, x, 12, text_anchor="middle") for x, text in places], 16)


def _drawn(parts: list[str], height: float) -> Markup:
    box = f"0 0 {_WIDTH:g} {height:g}"
    drawn = tag("svg", "".join(parts), class_="bars", width=_WIDTH, height=height, viewBox=box, aria_hidden="true")
    return Markup(drawn)
