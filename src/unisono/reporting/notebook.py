"""Results as pieces of HTML: what notebooks show, and what pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.errors import plural
from unisono.measurement.disorder.document import A, DocumentResult, E
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.gamma.result import GammaResult
from unisono.reporting.markup import escaped, fixed, is_finite, scope
from unisono.reporting.ranked import is_worst_first
from unisono.reporting.svg import alignment_svg
from unisono.results import Captioned, PValue, Result, Table

MOST_ROWS = 20

_KINDS = {
    "position": "position",
    "category": "category",
    "dissimilarity": "dissimilarity",
    "missing": "missing units",
}
_NOTHING = '<span class="soft">–</span>'

_LIGHT = (
    "--paper:#fff;--ink:#1f2933;--soft:#5b6673;--line:#dde2e8;--fill:#f3f5f8;"
    "--position:#77aadd;--category:#eedd88;--missing:#ee8866;"
)
_DARK = "--paper:#14181d;--ink:#e6eaef;--soft:#a3adb9;--line:#323a44;--fill:#1d232a;"

_STYLE = f"""
@media (prefers-color-scheme:dark){{&{{{_DARK}}}}}
& .headline{{display:flex;flex-wrap:wrap;gap:6px 28px;align-items:baseline;margin:0 0 10px}}
& .value{{font-size:30px;font-weight:650;letter-spacing:-.01em}}
& .value.reason{{font-size:17px}}
& dl{{display:grid;grid-template-columns:max-content 1fr;gap:3px 14px;margin:0 0 12px}}
& dt,& .soft,& th,& figcaption{{color:var(--soft)}}
& dt,& dd{{margin:0;padding:0;float:none;width:auto;font-weight:400;text-align:left;background:none}}
& ul{{margin:0 0 12px;padding:0 0 0 18px}}
& .tables{{display:flex;flex-wrap:wrap;gap:12px 40px;align-items:flex-start;margin:0 0 12px}}
& .table{{max-width:100%;overflow-x:auto}}
& > .table{{margin:0 0 14px}}
& table{{border-collapse:collapse;margin:0;font:inherit;color:inherit;background:none}}
& caption{{text-align:left;font-weight:600;padding:0 0 4px;color:var(--ink)}}
& th,& td{{padding:3px 14px 3px 0;text-align:left;font-weight:400;border:0;border-bottom:1px solid var(--line);
background:none;color:inherit;vertical-align:baseline;max-width:26em;white-space:normal;overflow-wrap:break-word}}
& thead th{{color:var(--soft);white-space:nowrap}}
& sub{{line-height:0}}
& .number{{text-align:right;font-variant-numeric:tabular-nums}}
& .shares{{display:flex;height:14px;max-width:520px;border-radius:4px;overflow:hidden;margin:0 0 5px;gap:1px}}
& .key{{display:flex;flex-wrap:wrap;gap:2px 18px;margin:0 0 12px}}
& .dot{{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}}
& .position,& .dissimilarity{{background:var(--position)}}
& .category{{background:var(--category)}}
& .missing{{background:var(--missing)}}
& code{{font:12px ui-monospace,"SF Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere;color:var(--soft);
background:none;padding:0}}
& figure{{margin:0 0 12px}}
& svg{{display:block}}
& figcaption{{margin:0 0 4px}}
"""
_BASE = (
    "font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
    "color:var(--ink);background:var(--paper);padding:14px 16px;border-radius:8px"
)


def alignment_html(alignment: Alignment) -> str:
    """Show an alignment: the picture, and a line on its disorder."""
    return fragment([figure(alignment)])


def result_html(result: GammaResult) -> str:
    """Show a result: γ and what it is made of, documents, categories, and the worst alignment."""
    return fragment(summary(result) + [figure(alignment) for alignment in worst_alignments(result, 1)])


def fragment(pieces: Iterable[str]) -> str:
    """Put pieces together, with the style that they need and nobody else gets."""
    name = scope(_STYLE + _BASE + _LIGHT)
    style = f"&{{{_LIGHT}{_BASE}}}{_STYLE}".replace("&", f".{name}")
    return f'<div class="{name}"><style>{style}</style>\n' + "\n".join(pieces) + "\n</div>"


def summary(result: GammaResult) -> list[str]:
    """Give all pieces but the pictures."""
    pieces = [_headline(result), _facts(result), _notes(result.notes), _shares(result)]
    tables = [_documents_table(result), _categories_table(result)]
    pieces.append(f'<div class="tables">{"".join(tables)}</div>' if any(tables) else "")
    pieces.append(f"<p><code>{escaped(result.signature)}</code></p>")
    return list(filter(None, pieces))


def worst_first(result: DisorderResult[A, E]) -> list[DocumentResult[A, E]]:
    """Order documents by γ, the least first; those without a value come last, most disorder first."""
    return sorted(result.documents, key=_badness)


def worst_alignments(result: DisorderResult[A, Any], most: int) -> list[A]:
    """Give the alignments of the worst documents that have something to draw."""
    found = [document.alignment for document in worst_first(result) if document.alignment is not None]
    return [alignment for alignment in found if alignment.annotations.n_units][:most]


def figure(alignment: Alignment) -> str:
    """Show an alignment with a line on its document, disorder and gap."""
    return f"<figure><figcaption>{caption(alignment)}</figcaption>\n{alignment_svg(alignment)}</figure>"


def caption(alignment: Aligned) -> str:
    """Say which document was aligned, with which disorder, how well proven, and how many units it has."""
    parts = [f"<strong>{escaped(alignment.document.name)}</strong>"]
    if alignment.disorder is None:
        parts.append("no annotator marked anything")
    else:
        parts.append(f"disorder {fixed(alignment.disorder, 3)}")
        parts.append(_proof(alignment.optimality_gap))
        parts.append(plural(alignment.annotations.n_units, "unit"))
    return " · ".join(parts)


def _headline(result: GammaResult) -> str:
    about = " on ".join([plural(result.n_annotators, "annotator"), plural(result.n_documents, "document")])
    about = f'<span class="soft">{about}, {plural(result.n_units, "unit")}</span>'
    if not is_finite(result.value):
        reason = escaped(result.undefined or "it could not be computed")
        return f'<div class="headline"><span class="value reason">γ is undefined: {reason}</span>{about}</div>'
    value = f'<span class="value">γ = {_value(result.value)}</span>'
    return f'<div class="headline">{value}{_interval(result)}{about}</div>'


def _interval(result: GammaResult) -> str:
    it = result.interval
    if it is None or not (is_finite(it.low) and is_finite(it.high)):
        reason = escaped(result.no_interval or "there is too little data for one")
        return f'<span class="soft">no interval: {reason}</span>'
    text = f"{it.level:.0%} interval {fixed(it.low)} to {fixed(it.high)}".replace("%", " %")
    return f'<span>{text} <span class="soft">({escaped(it.method)})</span></span>'


def _facts(result: GammaResult) -> str:
    rows = []
    if is_finite(result.observed):
        proof = f'<span class="soft">{_proof(result.optimality_gap)}</span>'
        rows.append(("observed disorder", f"{_value(result.observed, digits=3)} {proof}"))
    if is_finite(result.expected):
        error = "" if not is_finite(result.expected_error) else f" ± {_value(result.expected_error, digits=3)}"
        chance = f"standard error; {plural(result.n_samples, 'sample')} of chance ({escaped(result.chance)})"
        rows.append(
            ("expected disorder", f'{_value(result.expected, digits=3)}{error} <span class="soft">{chance}</span>')
        )
    if len(result.documents) > 1 and is_finite(result.mean):
        rows.append(("mean γ of documents", _value(result.mean)))
    if any(True for _ in result.alignment):
        given = '<span class="soft">agreement on categories of aligned units</span>'
        rows.append(("γ<sub>cat</sub>", f"{_value(result.gamma_cat, result.gamma_cat_undefined)} {given}"))
    cells = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
    return f"<dl>{cells}</dl>" if rows else ""


def _notes(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{escaped(note)}</li>" for note in notes)
    return f"<ul>{items}</ul>" if notes else ""


def _shares(result: GammaResult) -> str:
    """Show where the disagreement comes from, as a stacked bar."""
    shares = {kind: share for kind, share in result.disagreement.items() if share > 0}
    if not shares:
        return ""
    said = {kind: f"{_KINDS[kind]} {_percent(share)}" for kind, share in shares.items()}
    bar = "".join(f'<span class="{kind}" style="width:{share:.2%}"></span>' for kind, share in shares.items())
    key = "".join(f'<span><span class="dot {kind}"></span>{text}</span>' for kind, text in said.items())
    label = "The disagreement comes from " + ", ".join(said.values())
    return (
        f'<div class="shares" role="img" aria-label="{label}">{bar}</div>'
        f'<div class="key"><span class="soft">disagreement in</span>{key}</div>'
    )


def _documents_table(result: GammaResult) -> str:
    rows = [
        [
            escaped(document.document),
            _value(document.value, document.undefined),
            _value(document.observed, "", digits=3),
            _value(document.expected, "", digits=3),
            f"{document.to_dict()['n_units']:,}",
        ]
        for document in worst_first(result)
    ]
    return _table("Documents, the worst first", ("document", "γ", "observed", "expected", "units"), rows)


def _categories_table(result: GammaResult) -> str:
    rows = [
        [
            escaped(seen_label(row["category"])),
            _value(row["value"], row["undefined"]),
            _value(row["observed"], "", digits=3),
            _value(row["expected"], "", digits=3),
            f"{row['n_units']:,}",
        ]
        for row in sorted(result.categories(), key=lambda row: _rank(row["value"]))
    ]
    return _table("Categories, the worst first", ("category", "γ<sub>k</sub>", "observed", "expected", "units"), rows)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Make a table of the first rows, and say how many more there are."""
    if not rows:
        return ""
    head = "".join(f'<th scope="col"{_numeric(k)}>{name}</th>' for k, name in enumerate(columns))
    body = "".join(
        "<tr>" + "".join(f"<td{_numeric(k)}>{cell}</td>" for k, cell in enumerate(row)) + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    left = len(rows) - MOST_ROWS
    more = f'<tr><td colspan="{len(columns)}" class="soft">… and {left:,} more</td></tr>' if left > 0 else ""
    return (
        f"{_scrolled(title)}<table><caption>{title}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}{more}</tbody></table></div>"
    )


def captioned_table(caption: str, table: Table, n_summary: int = 0) -> str:
    """Make a table with its caption; empty cells where there is no value, and a foot for the rows that sum it up."""
    kinds = [_numeric(k and not any(isinstance(row[k], str) for row in table.rows)) for k in range(len(table.columns))]
    head = "".join(_head(name, kind) for kind, name in zip(kinds, table.columns, strict=True))
    rows = [
        f'<tr><th scope="row">{escaped(row[0])}</th>'
        + "".join(
            f"<td{kind}>{'' if cell in (None, '') else _plain_cell(cell, table.digits)}</td>"
            for kind, cell in zip(kinds[1:], row[1:], strict=True)
        )
        + "</tr>"
        for row in table.rows
    ]
    body, foot = "".join(rows[: len(rows) - n_summary]), "".join(rows[len(rows) - n_summary :])
    foot = f"<tfoot>{foot}</tfoot>" if foot else ""
    return (
        f"{_scrolled(escaped(caption))}<table><caption>{escaped(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}</table></div>"
    )


def _head(name: str, kind: str) -> str:
    """Make a column's head; one without a name is no head."""
    return f'<th scope="col"{kind}>{escaped(name)}</th>' if name else f"<td{kind}></td>"


def _scrolled(name: str) -> str:
    """Open a box that scrolls where a table is wider than the page; who has only a keyboard can get into it."""
    return f'<div class="table" tabindex="0" role="group" aria-label="{name}">'


def tabled_html(tables: Sequence[Captioned], sentences: Sequence[str]) -> str:
    """Show tables with their captions, and sentences below them."""
    return fragment(tabled_pieces(tables, sentences))


def tabled_pieces(tables: Sequence[Captioned], sentences: Sequence[str]) -> list[str]:
    """Give the pieces of which tables and sentences are shown."""
    return [*(captioned_table(*table) for table in tables if table.table.rows), _notes(sentences)]


def _numeric(column: int) -> str:
    return ' class="number"' if column else ""


def _value(value: float | None, reason: str | None = None, *, digits: int = 2) -> str:
    """Write a number; where there is none, the reason, or a dash if it stands elsewhere in the row."""
    if value is not None and is_finite(value):
        return fixed(value, digits)
    if reason == "":
        return _NOTHING
    return f'<span class="soft">undefined: {escaped(reason or "it could not be computed")}</span>'


def _percent(share: float) -> str:
    return "under 1 %" if share < 0.01 else f"{share:.0%}".replace("%", " %")


def _proof(gap: float) -> str:
    return "alignment proven best" if gap == 0 else f"alignment within {gap:.2%} of the best, proven".replace("%", " %")


def label_text(label: Any) -> str:
    """Write a label, the parts of a set with a plus between them."""
    return " + ".join(label) if isinstance(label, tuple) else str(label)


def seen_label(label: Any) -> str:
    """Write a label; one that could not be seen as (empty)."""
    text = label_text(label)
    return text if text.strip() else "(empty)"


def _rank(value: float | None) -> float:
    return value if value is not None and is_finite(value) else float("inf")


def _badness(document: DocumentResult[Any, Any]) -> tuple[float, float]:
    return _rank(document.value), -(document.observed or 0.0)


def coefficient_html(result: Result) -> str:
    """Show a result of any measure: its value, what it is made of, and its tables."""
    return fragment(coefficient_pieces(result))


def coefficient_pieces(result: Result) -> list[str]:
    """Give the pieces of which a result of any measure is shown."""
    lines = result.headline()
    value = lines[0]
    text = fixed(value.value, 3) if value.value is not None else ""
    shown = f"{escaped(value.name)} = {text}" if text else f"{escaped(value.name)} is {escaped(value.remark)}"
    remark = f'<span class="soft">{escaped(value.remark)}</span>' if text else ""
    about = f'<span class="soft">{escaped(result.title())}</span>'
    facts = "".join(
        f"<dt>{escaped(name)}</dt><dd>{_value(v, '', digits=3)} {escaped(r)}</dd>" for name, v, r in lines[1:]
    )
    tables = "".join(_plain_table(table, result) for table in result.tables())
    return [
        f'<div class="headline"><span class="value">{shown}</span>{remark}{about}</div>',
        f"<dl>{facts}</dl>",
        _notes(result.remarks()),
        f'<div class="tables">{tables}</div>',
        f"<p><code>{escaped(result.signature)}</code></p>",
    ]


def _plain_table(table: Table, result: Result) -> str:
    rows = [
        [_plain_cell(cell, table.digits) if k == 0 or cell != "" else "" for k, cell in enumerate(row)]
        for row in table.rows
    ]
    title = escaped(str(table.columns[0]).capitalize()) + (", the worst first" if is_worst_first(table, result) else "")
    return _table(title, [escaped(str(name)) for name in table.columns], rows)


def _plain_cell(cell: Any, digits: int) -> str:
    if isinstance(cell, PValue):
        return escaped(cell.spelled(digits))
    if cell is None or isinstance(cell, float):
        return _value(cell, "", digits=digits)
    return f"{cell:,}" if isinstance(cell, int) else escaped(seen_label(cell))
