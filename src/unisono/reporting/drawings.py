"""Who draws what: loaded when something is drawn for the first time (see `unisono.drawing`)."""

from __future__ import annotations

from unisono.alignment.aligned import Aligned
from unisono.comparison.comparisons import Comparison, Comparisons
from unisono.data import Corpus, Ratings
from unisono.drawing import register
from unisono.reporting.comparison_drawings import comparison_html, comparisons_html, ladder_html
from unisono.reporting.curves import curves_html
from unisono.reporting.notebook import alignment_html, data_html, result_html
from unisono.reporting.pieces import tabled_html
from unisono.reporting.plotting import plot_result
from unisono.reporting.study_page import study_html
from unisono.results import Result, Tabled
from unisono.shuffling.curves import Curves
from unisono.shuffling.rungs import Ladder
from unisono.studies.result import Study


def _tabled_html(tabled: Tabled) -> str:
    return tabled_html(*tabled.tabled())


register(
    html={
        Aligned: alignment_html,
        Comparison: comparison_html,
        Comparisons: comparisons_html,
        Corpus: data_html,
        Curves: curves_html,
        Ladder: ladder_html,
        Ratings: data_html,
        Result: result_html,
        Study: study_html,
        Tabled: _tabled_html,
    },
    figures={Result: plot_result},
)
