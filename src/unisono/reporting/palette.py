"""The colours of everything that is drawn, for light and for dark surroundings, and style sheets that stay apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import Literal, TypeAlias

# Paul Tol's "light" scheme: made for colour-blind readers and for dark text upon it.
CATEGORY_COLOURS = ("#77aadd", "#eedd88", "#44bb99", "#ffaabb", "#bbcc33", "#99ddff", "#ee8866", "#aaaa00")
NO_CATEGORY = "#c8ced6"
SHADES_OF_SCALE = ("#edf3f9", "#dae8f3", "#c2daee", "#a5cae6", "#83b3db", "#63a0d0", "#34729f", "#245a84", "#143f63")
"""For numbers and steps of a scale, from the lowest to the highest; dark text is readable on the first six, white text
on the others."""
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
SIGNALS = {
    "light": {
        "accent": "#1f5f8b",
        "focus": "#b3541e",
        "interval": "#a9c9e2",
        "rail": "#e6eaee",
        "bar": "#6f9fc4",
        "bin": "#b9c4cf",
        "same": "47 122 176",
        "other": "214 104 32",
        "edge-of-field": "#8a95a1",
    },
    "dark": {
        "accent": "#8cc4ee",
        "focus": "#ffb27a",
        "interval": "#33566f",
        "rail": "#2a323b",
        "bar": "#5f93ba",
        "bin": "#4a5663",
        "same": "66 143 196",
        "other": "205 105 45",
        "edge-of-field": "#6b7785",
    },
}
"""Links, focus rings, values and their intervals, bars, and the two hues of heat maps."""
TRACKS = {
    "light": {"edge": "#00000055", "alone": "#b02a0b"},
    "dark": {"edge": "#00000000", "alone": "#ffb08a"},
}
"""The edges of units in pictures of alignments; of those without a counterpart apart."""
DISORDER = {
    "light": {"d0": "#d5dce3", "d1": "#f7dcc2", "d2": "#f2b482", "d3": "#e58a4e", "d4": "#d4602b"},
    "dark": {"d0": "#3c4651", "d1": "#5b4434", "d2": "#7d4f2d", "d3": "#a85d28", "d4": "#cf6f30"},
}
"""Five levels of disorder."""
LEVEL_LIMITS = (0.0, 0.25, 0.5, 0.75)
"""The disorder, in units of Δ∅, up to which the first, second … level goes."""
_PAINTS = {
    **{f"c{k}": colour for k, colour in enumerate(CATEGORY_COLOURS)},
    **{f"q{k}": colour for k, colour in enumerate(SHADES_OF_SCALE)},
    "none": NO_CATEGORY,
}
PAINTS = {"light": _PAINTS, "dark": _PAINTS}
"""The colours of labels as variables, the same in light and dark surroundings."""


def disorder_level(disorder: float) -> int:
    """Return the level of a disorder in units of Δ∅: 0 where all agree."""
    return sum(disorder > limit + 1e-9 for limit in LEVEL_LIMITS)


def kind_colours(kinds: Iterable[str]) -> dict[str, str]:
    """Return a colour for each thing that disagreement comes from; features take those that are free, in turn."""
    own = {kind: KIND_COLOURS.get(kind, "") for kind in kinds}
    free = cycle([colour for colour in CATEGORY_COLOURS if colour not in own.values()])
    return {kind: colour or next(free) for kind, colour in own.items()}


Colours: TypeAlias = Mapping[str, Mapping[str, str]]
"""Light and dark colours by their names."""


def page_colours(*colours: Colours) -> str:
    """Write colours as variables of a whole page; on paper, they are always light."""
    light, dark = (_variables(mode, colours) for mode in ("light", "dark"))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"


def _variables(mode: str, colours: Iterable[Colours]) -> str:
    return "".join(f"--{name}:{colour};" for some in colours for name, colour in some[mode].items())


Follows: TypeAlias = Literal["nothing", "system", "host"]
"""What decides whether a drawing is dark: nothing, since it is on paper; the system; or the notebook that it is in."""
_DARK_HOSTS = (
    '[data-jp-theme-light="false"]',  # JupyterLab, Jupyter Notebook, and pages that nbconvert makes
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',  # Colab
)


def scoped(rules: str, *colours: Colours, follows: Follows = "nothing") -> tuple[str, str]:
    """Return a class, and a style sheet that applies only within elements of it.

    The class, for which the rules write &, is named after them: equal styles share it, others never clash. Rules can
    use the colours as variables, which change in dark surroundings.
    """
    light = f"&{{{_variables('light', colours)}}}\n" if colours else ""
    night = _variables("dark", colours)
    style = light + (in_the_dark(f"&{{{night}}}", follows) if night else "") + rules
    name = "unisono-" + hashlib.sha256(style.encode()).hexdigest()[:8]
    # in a notebook, rules of the host would win over those of a single class
    return name, style.replace("&", f".{name}" * (2 if follows == "host" else 1))


def in_the_dark(rules: str, follows: Follows) -> str:
    """Make rules apply in dark surroundings only; nothing if a drawing is always light."""
    if follows == "nothing":
        return ""
    if follows == "system":
        return f"@media (prefers-color-scheme:dark){{{rules}}}\n"
    return rules.replace("&", f"&:is({','.join(f'{host} *' for host in _DARK_HOSTS)})") + "\n"
