"""Curves of a benchmark as a figure."""

from __future__ import annotations

from unisono.shuffling.curves import Curves


def curves_svg(curves: Curves, *, by: str = "error", title: str = "") -> str:
    """Draw curves like figures 24 to 30 of Mathet et al. 2015."""
    return ""


def curves_html(curves: Curves) -> str:
    """Show curves and what to think of them in a notebook."""
    return ""
