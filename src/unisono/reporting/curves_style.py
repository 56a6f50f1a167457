"""How the figure of a benchmark looks: colours for light and for dark surroundings, dashes, text.

Colours are written out twice rather than as variables, so that programs that know little CSS can draw the file too.
"""

from __future__ import annotations

from unisono.reporting.palette import SURFACE

COLOURS = {
    "light": ("#0a4ba0", "#dd730c", "#27a17b", "#630f40", "#665713", "#9536e8", "#d5405a"),
    "dark": ("#6aa3fb", "#f5891c", "#55eed3", "#b252a2", "#ead996", "#9a55f5", "#e0484e"),
}
"""Distinguishable with any kind of colour blindness; neighbours differ in lightness."""
_FIRM = {"light": "#9aa5b1", "dark": "#66717e"}
DASHES = ("none", "7 3", "2 2.5", "9 3 2 3", "4 2.5")

_RULES = """
& text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
& .title{font-size:16px;font-weight:650}
& .heading{font-size:13px;font-weight:600}
& .note{font-size:11px;font-weight:400}
& .tick{font-size:11px}
& .x{text-anchor:middle}
& .y{text-anchor:end}
& .grid,& .firm,& .line,& .leader,& .bar,& .cut{fill:none}
& .grid,& .firm{shape-rendering:crispEdges}
& .line{stroke-width:1.9;stroke-linejoin:round}
& .band{fill-opacity:.17;stroke:none}
& .bar{stroke-width:1.2}
& .mark{stroke-width:1}
& .hollow{stroke-width:1.5}
& .cut{stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
& .leader{stroke-width:1}
& .label{paint-order:stroke;stroke-width:3;stroke-linejoin:round}
& .sub{font-size:9px}
"""


def curves_style() -> str:
    """Write all rules; & stands for the figure."""
    dashes = "".join(f"& .h{k}{{stroke-dasharray:{dash}}}" for k, dash in enumerate(DASHES))
    return f"{_RULES}{dashes}{_paint('light')}\n@media (prefers-color-scheme:dark){{{_paint('dark')}}}\n"


def _paint(mode: str) -> str:
    """Write the colours of a light or a dark figure."""
    of = SURFACE[mode]
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
