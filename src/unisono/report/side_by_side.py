"""Two texts, or more, side by side: what notebooks show of text-γ."""

from __future__ import annotations

from unisono.alignment.text_alignment import TextAlignment
from unisono.measures.text_gamma.result import TextGammaResult


def text_alignment_html(alignment: TextAlignment) -> str:
    """Show an alignment: the annotators' texts side by side, unit by unit, with what differs."""
    return ""


def text_result_html(result: TextGammaResult) -> str:
    """Show a result: text-γ and what it is made of, and the worst document's texts side by side."""
    return ""
