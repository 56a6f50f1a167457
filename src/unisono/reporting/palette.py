"""The colours of everything that is drawn, for light and for dark surroundings, and style sheets that stay apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import cycle

# Paul Tol's "light" scheme: made for colour-blind readers and for dark text upon it.
CATEGORY_COLOURS = ("#77aadd", "#eedd88", "#44bb99", "#ffaabb", "#bbcc33", "#99ddff", "#ee8866", "#aaaa00")
NO_CATEGORY = "#c8ced6"
KIND_COLOURS = {
    "position": "#77aadd",
    "dissimilarity": "#77aadd",
    "category": "#eedd88",
    "missing": "#ee8866",
    "text": "#44bb99",
    "segmentation": "#ffaabb",
    "moved": "#bbcc33",
}
"""By what disagreement comes from."""

SURFACE = {
    "light": {"paper": "#fff", "ink": "#1f2933", "soft": "#56616e", "line": "#dde2e8", "fill": "#f3f5f8"},
    "dark": {"paper": "#14181d", "ink": "#e6eaef", "soft": "#a3adb9", "line": "#323a44", "fill": "#1d232a"},
}
TRACKS = {
    "light": {"edge": "#00000055", "d0": "#d5dce3", "d1": "#f7dcc2", "d2": "#f2b482", "d3": "#e58a4e", "d4": "#d4602b"},
    "dark": {"edge": "#00000000", "d0": "#3c4651", "d1": "#5b4434", "d2": "#7d4f2d", "d3": "#a85d28", "d4": "#cf6f30"},
}
"""Of pictures of alignments: edges of units, and five levels of disorder."""
LEVEL_LIMITS = (0.0, 0.25, 0.5, 0.75)
"""The disorder, in units of Δ∅, up to which the first, second … level goes."""


def disorder_level(disorder: float) -> int:
    """Return the level of a disorder in units of Δ∅: 0 where all agree."""
    return sum(disorder > limit + 1e-9 for limit in LEVEL_LIMITS)


def kind_colours(kinds: Iterable[str]) -> dict[str, str]:
    """Return a colour for each thing that disagreement comes from; features take those that are free, in turn."""
    own = {kind: KIND_COLOURS.get(kind, "") for kind in kinds}
    free = cycle([colour for colour in CATEGORY_COLOURS if colour not in own.values()])
    return {kind: colour or next(free) for kind, colour in own.items()}


def variables(*colours: Mapping[str, str]) -> str:
    """Write colours as CSS variables."""
    return "".join(f"--{name}:{colour};" for some in colours for name, colour in some.items())


def scoped(rules: str, *, light: str = "", dark: str = "") -> tuple[str, str]:
    """Return a class, and a style sheet that applies only within elements of it.

    The class is named after the rules: equal styles share it, others never clash.

    Parameters
    ----------
    rules : str
        The rules, with & for the class.
    light, dark : str
        Its own declarations, and those that change in dark surroundings.
    """
    own = f"&{{{light}}}" if light else ""
    night = f"@media (prefers-color-scheme:dark){{&{{{dark}}}}}" if dark else ""
    style = own + night + rules
    name = "unisono-" + hashlib.sha256(style.encode()).hexdigest()[:8]
    return name, style.replace("&", f".{name}")
