"""Figures for papers, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unisono.checks import check_choice
from unisono.data import Ratings
from unisono.errors import OptionError, mention
from unisono.measurement.rating_scales.bland_altman import BlandAltman
from unisono.output import new_file
from unisono.reporting.full_report.difference_plots import compared_pairs
from unisono.reporting.full_report.label_paints import label_numbers
from unisono.reporting.palette import SIGNALS
from unisono.results import Result

_WIDTHS = {1: 85 / 25.4, 2: 178 / 25.4}
"""The width of a figure in inches: as wide as one column of a paper, or as two."""
_ROW, _AROUND = 0.21, 0.85
"""The height of a row, and of what is around the rows, in inches."""
_SMALL, _TEXT = 7, 8
"""The sizes of type, which are those on paper."""
_KINDS = ("documents", "categories", "pairs", "annotators", "differences")
_ACCENT, _PALE = SIGNALS["light"]["accent"], "0.9"
_MOST_DRAWN, _BESIDE, _SIDE = 9, 3, 3.2


def plot_result(
    result: Result,
    by: str | None = None,
    path: str | Path | None = None,
    *,
    columns: int = 2,
    overwrite: bool = False,
) -> Any:
    """Draw the value of each document, category or pair as dots, with the value of all and its interval.

    Parameters
    ----------
    result : Result
        What was measured.
    by : {"documents", "categories", "pairs", "annotators", "differences"}, optional
        What each dot stands for; for annotators, the value without them. By default documents or, if there is only one,
        categories if they have values. "differences" are those of two annotators' numbers, item by item, by their mean
        (Bland–Altman plot): up to nine pairs, those with the most items in common.
    path : path, optional
        Where to write the figure, for example figure.pdf or figure.svg.
    columns : {1, 2}
        As wide as how many columns of a paper: 85 or 178 mm. Type has 7 and 8 points, so do not scale the figure.
    overwrite : bool
        Whether a file of that name may be replaced.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if by is None:
        by = "categories" if result.n_documents == 1 and _known(result, "categories") else "documents"
    check_choice(by, "by", _KINDS)
    if columns not in _WIDTHS:
        raise OptionError(f"expected 1 or 2, not {columns!r}: as wide as how many columns of a paper", "columns")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise OptionError("figures need matplotlib; install it with: pip install 'unisono[plot]'") from None
    if by == "differences":
        pairs = _compared(result)
        beside = min(len(pairs), _BESIDE if columns == 2 else 1)
        height = -(-len(pairs) // beside)
        side = _WIDTHS[columns] / max(beside, 2 if columns == 2 else 1)
        figure = Figure(figsize=(_WIDTHS[columns], height * min(side, _SIDE)), layout="constrained")
        for number, pair in enumerate(pairs, start=1):
            _draw_differences(figure.add_subplot(height, beside, number), pair)
    else:
        rows = _rows(result, by)
        figure = Figure(figsize=(_WIDTHS[columns], _ROW * len(rows) + _AROUND), layout="constrained")
        _draw(figure.add_subplot(), rows, result)
    if path is not None:
        _write(figure, Path(path), overwrite)
    return figure


def _compared(result: Result) -> list[BlandAltman]:
    """Compare the numbers of each two annotators, of many pairs of those with the most items in common."""
    data, found = result.data, []
    if isinstance(data, Ratings) and (numbers := label_numbers(data)) is not None:
        found = compared_pairs(data, numbers, _MOST_DRAWN)[0]
    if not found:
        raise OptionError(
            "there are no differences to draw: they need labels of items that are numbers, and two annotators with two "
            f"items in common; choose another {mention('by')}"
        )
    return found


def _draw_differences(axes: Any, pair: BlandAltman) -> None:
    """Draw differences by means, with the mean difference, the limits of agreement and their intervals."""
    lower, upper = pair.limits or (None, None)
    intervals = pair.limit_intervals or (None, None)
    lines = [(pair.mean, pair.mean_interval, "-"), (lower, intervals[0], "--"), (upper, intervals[1], "--")]
    for value, interval, dash in lines:
        if interval is not None:
            axes.axhspan(interval.low, interval.high, color="0.9", lw=0)
        if value is not None:
            axes.axhline(value, color="0.35", lw=1, ls=dash)
            said = f"{value:.3g}".replace("-", "−")
            axes.annotate(said, (1.02, value), xycoords=("axes fraction", "data"), va="center", size=_SMALL)
    axes.scatter(pair.means, pair.differences, s=9 * pair.repeats, color=_ACCENT, alpha=0.5, lw=0)
    axes.set_title(f"{pair.annotator_1} – {pair.annotator_2}", fontsize=_TEXT)
    axes.set_xlabel("mean", fontsize=_TEXT)
    axes.set_ylabel("difference", fontsize=_TEXT)
    axes.tick_params(labelsize=_SMALL)
    axes.margins(x=0.08, y=0.08)
    axes.spines[["top", "right"]].set_visible(False)


def _rows(result: Result, by: str) -> list[tuple[str, float]]:
    """Return names and values, the worst last, so that it is drawn at the top."""
    known = _known(result, by)
    if not known:
        raise OptionError(f"there are no {by} with a value to draw; choose another {mention('by')}")
    return sorted(known, key=lambda row: -row[1])


def _known(result: Result, by: str) -> list[tuple[str, float]]:
    """Return the names and values of what has a value."""
    plain = result.to_dict()
    found: Sequence[tuple[str, float | None]]
    if by == "documents":
        found = [(row["document"], row["value"]) for row in plain["documents"]]
    elif by == "categories":
        found = [(str(row["category"]), row["value"]) for row in plain.get("categories") or []]
    elif by == "pairs":
        found = [(f"{row['annotator_1']} – {row['annotator_2']}", row["value"]) for row in result.pairwise()]
    else:
        found = [(f"without {row['annotator']}", row["value_without"]) for row in result.leave_one_out()]
    return [(name, value) for name, value in found if value is not None]


def _draw(axes: Any, rows: Sequence[tuple[str, float]], result: Result) -> None:
    """Draw a dot for each row, away from the frame: rows have room above and below, values at both sides."""
    places = range(len(rows))
    interval = result.interval
    if interval is not None:
        label = f"{interval.level:.0%} interval"
        axes.axvspan(interval.low, interval.high, color=_PALE, lw=0, label=label)
    if result.value is not None:
        axes.axvline(result.value, color="0.35", lw=0.9, label=f"{result.symbol} of all")
    axes.plot([value for _, value in rows], places, "o", color=_ACCENT, ms=4.5)
    axes.set_yticks(places, [name for name, _ in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.margins(x=0.06)
    axes.set_xlabel(result.symbol, fontsize=_TEXT)
    axes.tick_params(axis="x", labelsize=_SMALL, length=2.5, width=0.6)
    axes.tick_params(axis="y", labelsize=_TEXT, length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_linewidth(0.6)
    axes.grid(axis="y", color="0.9", lw=0.6)
    axes.set_axisbelow(True)
    if interval is not None or result.value is not None:
        place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 2, "borderaxespad": 0.2}
        axes.legend(frameon=False, fontsize=_SMALL, handlelength=1.4, columnspacing=1.2, **place)


def _write(figure: Any, path: Path, overwrite: bool) -> None:
    from matplotlib import rc_context

    kind = path.suffix.lower().lstrip(".")
    if kind not in ("pdf", "svg", "png"):
        raise OptionError(f"{path}: a figure is written as .pdf, .svg or .png; choose such a name")
    # letters stay letters, which editors can change and journals ask for
    with new_file(path, overwrite=overwrite) as stream, rc_context({"pdf.fonttype": 42, "svg.fonttype": "none"}):
        figure.savefig(stream, format=kind, dpi=300, metadata={"Date": None} if kind == "svg" else None)
