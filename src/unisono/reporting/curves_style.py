"""How the figure of a benchmark looks: colours for light and for dark surroundings, dashes, text.

Colours are written out twice rather than as variables, so that programs that know little CSS can draw the file too.
"""

from __future__ import annotations

from unisono.reporting.palette import SURFACE, Follows, in_the_dark
from unisono.reporting.templates import style_sheet

COLOURS = {
    "light": ("#0a4ba0", "#dd730c", "#27a17b", "#630f40", "#665713", "#9536e8", "#d5405a"),
    "dark": ("#6aa3fb", "#f5891c", "#55eed3", "#b252a2", "#ead996", "#9a55f5", "#e0484e"),
}
"""Distinguishable with any kind of colour blindness; neighbours differ in lightness."""
_FIRM = {"light": "#9aa5b1", "dark": "#66717e"}
DASHES = ("none", "7 3", "2 2.5", "9 3 2 3", "4 2.5")


def curves_style(follows: Follows = "system") -> str:
    """Write all rules; & stands for the figure."""
    dashes = "".join(f"& .h{k}{{stroke-dasharray:{dash}}}" for k, dash in enumerate(DASHES))
    night = in_the_dark(_paint("dark", follows), follows)
    surface = style_sheet("hosts") if follows == "host" else ""
    return f"{surface}{style_sheet('curves')}{dashes}{_paint('light', follows)}\n{night}"


def _paint(mode: str, follows: Follows) -> str:
    """Write the colours of a light or a dark figure."""
    of = SURFACE[mode]
    if follows == "host":
        of = {name: f"var(--{name})" for name in of}
    rules = [
        f"& .paper{{fill:{of['paper']}}}",
        f"& text{{fill:{of['ink']}}}",
        f"& .soft{{fill:{of['soft']}}}",
        f"& .grid{{stroke:{of['line']}}}",
        f"& .firm{{stroke:{_FIRM[mode]}}}",
        f"& .label{{stroke:{of['paper']}}}",
        f"& .mark{{stroke:{of['paper']}}}",
        f"& .hollow{{fill:{of['paper']}}}",
    ]
    for k, colour in enumerate(COLOURS[mode]):
        rules.append(f"& .c{k}{{stroke:{colour}}}& .f{k}{{fill:{colour}}}")
    return "".join(rules)
