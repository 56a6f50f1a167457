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
from unisono.results import Result

_HEIGHT, _WIDTH = 0.28, 6.0
_KINDS = ("documents", "categories", "pairs", "annotators", "differences")
_MOST_DRAWN, _BESIDE, _SIDE = 9, 3, 3.2


def plot_result(
    result: Result, by: str | None = None, path: str | Path | None = None, *, overwrite: bool = False
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
    overwrite : bool
        Whether a file of that name may be replaced.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if by is None:
        by = "categories" if result.n_documents == 1 and _known(result, "categories") else "documents"
    check_choice(by, "by", _KINDS)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise OptionError("figures need matplotlib; install it with: pip install 'unisono[plot]'") from None
    if by == "differences":
        pairs = _compared(result)
        width, height = min(len(pairs), _BESIDE), -(-len(pairs) // _BESIDE)
        figure = Figure(figsize=(max(width * _SIDE, 4.5), height * _SIDE), layout="constrained")
        for number, pair in enumerate(pairs, start=1):
            _draw_differences(figure.add_subplot(height, width, number), pair)
    else:
        rows = _rows(result, by)
        figure = Figure(figsize=(_WIDTH, max(1.8, _HEIGHT * len(rows) + 1.1)), layout="constrained")
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
            axes.annotate(said, (1.02, value), xycoords=("axes fraction", "data"), va="center", size=8)
    axes.scatter(pair.means, pair.differences, s=9 * pair.repeats, color="#2f5d9b", alpha=0.5, lw=0)
    axes.set_title(f"{pair.annotator_1} – {pair.annotator_2}", fontsize="medium")
    axes.set_xlabel("mean")
    axes.set_ylabel("difference")
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
    places = range(len(rows))
    interval = result.interval
    if interval is not None:
        axes.axvspan(interval.low, interval.high, color="0.9", lw=0, label=f"{interval.level:.0%} interval")
    if result.value is not None:
        axes.axvline(result.value, color="0.45", lw=1, label=f"{result.symbol} of all")
    axes.plot([value for _, value in rows], places, "o", color="#2f5d9b", ms=5)
    axes.set_yticks(places, [name for name, _ in rows])
    axes.set_xlabel(result.symbol)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color="0.92", lw=0.8)
    axes.set_axisbelow(True)
    if interval is not None or result.value is not None:
        axes.legend(
            frameon=False, fontsize="small", loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2
        )


def _write(figure: Any, path: Path, overwrite: bool) -> None:
    kind = path.suffix.lower().lstrip(".")
    if kind not in ("pdf", "svg", "png"):
        raise OptionError(f"{path}: a figure is written as .pdf, .svg or .png; choose such a name")
    with new_file(path, overwrite=overwrite) as stream:
        figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)
