"""Who draws what: loaded when something is drawn for the first time (see `unisono.drawing`)."""

from __future__ import annotations

from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.data import Corpus, Ratings
from unisono.drawing import register
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.gamma.result import GammaResult
from unisono.measurement.text_gamma.result import TextGammaResult
from unisono.reporting.curves import curves_html
from unisono.reporting.data_tables import data_html
from unisono.reporting.notebook import alignment_html, coefficient_html, result_html, tabled_html
from unisono.reporting.plotting import plot_result
from unisono.reporting.side_by_side import text_alignment_html, text_result_html
from unisono.results import Result, Tabled
from unisono.shuffling.curves import Curves


def _tabled_html(tabled: Tabled) -> str:
    return tabled_html(*tabled.tabled())


register(
    html={
        Alignment: alignment_html,
        CoefficientResult: coefficient_html,
        Corpus: data_html,
        Curves: curves_html,
        GammaResult: result_html,
        Ratings: data_html,
        Tabled: _tabled_html,
        TextAlignment: text_alignment_html,
        TextGammaResult: text_result_html,
    },
    figures={Result: plot_result},
)
