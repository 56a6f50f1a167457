"""The tables of the measure as they are displayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unisono.measurement.coefficient_result import by_agreement
from unisono.results import Table

_DIGITS = 4
_Rows = Sequence[Mapping[str, Any]]


def printed(rows: Mapping[str, _Rows], ranking: Mapping[str, float | None], shown: str | None) -> list[Table]:
    """Lay out the tables as in the paper, texts by their values, the worst first; those without rows are left out."""
    found = [_representation(shown or "", rows.get("representation", ()))]
    found += [_chosen(title, names, rows.get("subsets", ())) for title, names in _SUBSETS.items()]
    ranked = sorted(rows.get("texts", ()), key=lambda row: by_agreement(ranking.get(row["document"])))
    found.append(_chosen("text", {"document": "text", **_IN_SHORT}, ranked if len(ranked) > 1 else ()))
    pairs = [{**row, "pair": f"{row['annotator_1']} – {row['annotator_2']}"} for row in rows.get("annotator_pairs", ())]
    found.append(_chosen("pair", {"pair": "pair", **_IN_SHORT}, pairs if len(pairs) > 1 else ()))
    found.append(_chosen("type of modernization", _TYPES, rows.get("types", ())))
    found.append(_confusion(rows.get("confusion", ())))
    found.append(_chosen("modernization, type agreed", _MODERNIZATION, rows.get("modernization", ())))
    found += [_disagreements(rows.get("disagreements", ())), _edits(rows.get("edits", ()))]
    return [table for table in found if table.rows]


_SUBSETS = {
    "words as units": {
        "subset": "",
        "n_tokens": "tokens",
        "word_agreement": "agr",
        "word_pi": "π",
        "word_kappa": "κ",
        "word_alpha": "α",
        "word_alpha_nld": "α_NLD",
        "word_expected_agreement": "A_e",
    },
    "characters as units": {
        "subset": "",
        "n_characters": "characters",
        "character_agreement": "agr",
        "character_alpha": "α",
        "character_alpha_nld": "α_NLD",
        "character_expected_agreement": "A_e",
        "edits_alpha": "α of edits",
    },
}
_IN_SHORT = {
    "n_tokens": "tokens",
    "word_agreement": "word agr",
    "word_alpha": "word α",
    "word_alpha_nld": "word α_NLD",
    "character_agreement": "char agr",
    "character_alpha": "char α",
    "character_alpha_nld": "char α_NLD",
}
_TYPES = {"subset": "", "n_tokens": "tokens", "agreement": "agr", "alpha": "α"}
_MODERNIZATION = {"type": "", "n_tokens": "tokens", "agreement": "agr", "alpha": "α", "alpha_nld": "α_NLD"}


def _chosen(title: str, names: Mapping[str, str], rows: _Rows) -> Table:
    cells = [tuple(row[name] for name in names) for row in rows]
    return Table((title, *list(names.values())[1:]), cells, digits=_DIGITS, holds="names")


def _confusion(rows: _Rows) -> Table:
    names = list(dict.fromkeys(row["type_1"] for row in rows))
    n = {(row["type_1"], row["type_2"]): row["n"] for row in rows}
    cells = [(one, *(n.get((one, other)) for other in names)) for one in names]
    return Table(("types, mean over pairs", *names), cells, digits=1, holds="names")


def _disagreements(rows: _Rows) -> Table:
    forms = [", ".join(f"{form['form']} {form['n']}" for form in row["forms"]) for row in rows]
    cells = [(row["original"], row["n_tokens"], row["of"], said) for row, said in zip(rows, forms, strict=True)]
    return Table(("disagreement on", "tokens", "of", "forms"), cells)


def _edits(rows: _Rows) -> Table:
    names = ("character", "label_1", "label_2", "n", "example")
    cells = [tuple(row[name] for name in names) for row in rows]
    return Table(("character", "becomes", "or", "times", "e.g. in"), cells)


def _representation(word: str, rows: _Rows) -> Table:
    if not rows:
        return Table((word,), [])
    cells = [(row["form"], row["n"], "|".join(row["full"]), "|".join(row["diff"])) for row in rows]
    return Table((word, "n", "full", "diff"), [(None, "", "|".join(rows[0]["units"]), ""), *cells])
