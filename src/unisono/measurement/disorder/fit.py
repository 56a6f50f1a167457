"""What γ and text-γ both require of data."""

from __future__ import annotations

from unisono.data import Data, Normalizations, Ratings
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import NO_UNITS

INSTEAD = "use krippendorff-alpha"


def unfit_for_alignment(data: Data) -> str | None:
    """Explain why there are no units of several annotators to align, or None if there are."""
    if isinstance(data, Ratings):
        return f"{NO_UNITS}; {INSTEAD}"
    if isinstance(data, Normalizations):
        return REWRITTEN
    if not data.n_units:
        return "there are no units; nobody marked anything"
    if not (data.worked.sum(axis=1) > 1).any():
        return "no document was worked on by two annotators; agreement needs two or more on the same document"
    return None
