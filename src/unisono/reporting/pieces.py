"""Pieces of HTML that notebooks and simple pages are made of: tables, lists, captions, and the style they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unisono.alignment.aligned import Aligned
from unisono.errors import plural
from unisono.reporting.markup import escaped, fixed, with_subscripts
from unisono.reporting.palette import SURFACE, scoped, style_sheet
from unisono.reporting.shown_tables import ShownTable, and_more, shown_table
from unisono.results import Captioned


def fragment(pieces: Iterable[str]) -> str:
    """Put pieces together, with the style that they need, which applies to nothing else."""
    name, style = scoped(style_sheet("notebook"), SURFACE)
    return f'<div class="{name}"><style>{style}</style>\n' + "\n".join(filter(None, pieces)) + "\n</div>"


def tabled_html(tables: Sequence[Captioned], sentences: Sequence[str]) -> str:
    """Show tables with their captions, and sentences below them."""
    return fragment(tabled_pieces(tables, sentences))


def tabled_pieces(tables: Sequence[Captioned], sentences: Sequence[str]) -> list[str]:
    """Return tables with their captions, and sentences below them, piece by piece."""
    shown = [
        shown_table(table, caption, n_summary=n_summary, missing="")
        for caption, table, n_summary in tables
        if table.rows
    ]
    return [*map(table_html, shown), bullets(sentences)]


def table_html(table: ShownTable) -> str:
    """Place a table in a box that scrolls where it is too wide, also with the keyboard."""
    kinds = [' class="number"' if numeric else "" for numeric in table.numeric]
    heads = "".join(map(_head, table.columns, kinds))
    rows = [
        f'<tr><th scope="row">{escaped(row[0].text)}</th>'
        + "".join(f"<td{kind}>{escaped(cell.text)}</td>" for kind, cell in zip(kinds[1:], row[1:], strict=True))
        + "</tr>"
        for row in table.rows
    ]
    n_body = len(rows) - table.n_summary
    if table.n_more:
        more = and_more(table, "the result's own tables have all")
        rows.insert(n_body, f'<tr><td colspan="{len(kinds)}" class="soft">{more}</td></tr>')
        n_body += 1
    foot = f"<tfoot>{''.join(rows[n_body:])}</tfoot>" if table.n_summary else ""
    return (
        f'<div class="table" tabindex="0" role="group" aria-label="{escaped(table.caption)}">'
        f"<table><caption>{with_subscripts(table.caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows[:n_body])}</tbody>{foot}</table></div>"
    )


def _head(name: str, kind: str) -> str:
    """Make a column's head; a column without a name has an ordinary cell there."""
    return f'<th scope="col"{kind}>{with_subscripts(name)}</th>' if name else f"<td{kind}></td>"


def bullets(sentences: Sequence[str]) -> str:
    """List sentences."""
    items = "".join(f"<li>{escaped(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if sentences else ""


def alignment_caption(alignment: Aligned) -> str:
    """Say which document was aligned, its disorder, how well proven that is, and how many units there are."""
    name = f"<strong>{escaped(alignment.document.name)}</strong>"
    if alignment.disorder is None:
        return f"{name} · no annotator marked anything"
    gap = alignment.optimality_gap
    proof = f"alignment proven to be within {gap:.2%} of the best" if gap else "alignment proven optimal"
    disorder = f"disorder {fixed(alignment.disorder, 3)}"
    return " · ".join([name, disorder, proof, plural(alignment.annotations.n_units, "unit")])
