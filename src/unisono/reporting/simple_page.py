"""Tables as one HTML page that needs nothing else: to open, to print, to send."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.reporting.markup import escaped
from unisono.reporting.palette import SURFACE, variables
from unisono.reporting.pieces import fragment, tabled_pieces
from unisono.results import Captioned
from unisono.version import __version__

_STYLE = f"""
:root{{color-scheme:light dark;{variables(SURFACE["light"])}}}
@media (prefers-color-scheme:dark){{:root{{{variables(SURFACE["dark"])}}}}}
body{{margin:0;background:var(--paper);color:var(--ink)}}
main{{max-width:1000px;margin:0 auto;padding:24px 12px}}
h1{{font:650 24px/1.25 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;margin:0;
padding:0 16px 6px;overflow-wrap:anywhere}}
footer{{margin-top:24px}}
@media print{{:root{{color-scheme:light}}main{{max-width:none;padding:0}}table{{break-inside:avoid}}
*{{print-color-adjust:exact;-webkit-print-color-adjust:exact}}}}
"""


def tabled_page(title: str, tables: Sequence[Captioned], sentences: Sequence[str]) -> str:
    """Make one self-contained HTML page of tables.

    Parameters
    ----------
    title : str
        The page's heading.
    tables : sequence of Captioned
        The tables.
    sentences : sequence of str
        What a reader should know.
    """
    footer = f'<footer class="soft">made with unisono {__version__}</footer>'
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="unisono {__version__}">\n'
        f"<title>{escaped(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escaped(title)}</h1>\n{fragment([*tabled_pieces(tables, sentences), footer])}\n"
        "</main>\n</body>\n</html>\n"
    )
