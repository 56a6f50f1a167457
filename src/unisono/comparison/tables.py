"""Comparisons and plans as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.comparison.model import ModelComparison
from unisono.comparison.planning import Plan
from unisono.comparison.two_studies import Comparison
from unisono.errors import plural
from unisono.results import Captioned, Table, p_value

_SURE = 0.05
_VERDICTS = {True: "yes", False: "no", None: ""}


def comparison_tables(found: Sequence[Comparison]) -> tuple[list[Captioned], list[str]]:
    """Give the values and the differences, and sentences on what they say."""
    names = dict.fromkeys((one.one, one.other) for one in found)
    values = [
        (f"{one.symbol} {name}", value, *(_limits(interval)))
        for one in found
        for name, value, interval in zip((one.one, one.other), one.values, one.intervals, strict=True)
    ]
    tables = [
        Captioned("Agreement on what both have", Table(("", "value", "from", "to"), list(dict.fromkeys(values)), 3)),
        Captioned(_caption(found), _differences(found, len(names) > 1)),
    ]
    lost = dict.fromkeys(one.lost for one in found if one.lost)
    return tables, [*(_said(one, len(found)) for one in found), *lost]


def model_tables(found: ModelComparison) -> tuple[list[Captioned], list[str]]:
    """Give pairs of annotators, human–human against human–model agreement, and the alternative annotator test."""
    one, test = found.comparison, found.test
    pairs = [(f"{row['annotator_1']} – {row['annotator_2']}", row["value"], row["n_units"]) for row in found.pairs]
    counted = f"{found.pairs[0]['unit']}s"
    means = [(name, value) for name, value in zip((one.one, one.other), one.values, strict=True)]
    humans = [(h.annotator, h.model, h.human, p_value(h.p), _VERDICTS[h.wins], h.n) for h in test.humans]
    tables = [
        Captioned(f"{one.symbol} of every two annotators", Table(("pair", one.symbol, counted), pairs, 3)),
        Captioned(f"Mean {one.symbol} of pairs", Table(("pairs", one.symbol), means, 3)),
        Captioned(_caption([one]), _differences([one], False)),
        Captioned(
            f"Alternative annotator test, ε = {test.epsilon:g}",
            Table(
                ("human", "model as good (ρ)", "human as good (ρ)", "p", "model may replace", test.instances), humans, 3
            ),
        ),
    ]
    said = [_said(one, 1), *_verdict(found), *(f"Note: {remark}." for remark in found.remarks)]
    return tables, said


def _verdict(found: ModelComparison) -> list[str]:
    test = found.test
    if test.advantage is None:
        return []
    name, rho = "the alternative annotator test (Calderon et al. 2025)", f"ρ = {test.advantage:.2f}"
    if test.winning_rate is None:
        few = f"too few {test.instances} for a verdict of {name}"
        return [f"{found.model}: {few}; average advantage probability {rho}."]
    verdict = "passes" if test.passes else "does not pass"
    return [
        f"{found.model} {verdict} {name}: winning rate ω = {test.winning_rate:.2f} (0.50 is needed), average advantage "
        f"probability {rho}."
    ]


def plan_tables(found: Plan) -> tuple[list[Captioned], list[str]]:
    """Give widths by number of documents, and a sentence that says how many are needed."""
    rows = [(f"{one.n:,}", one.width, one.share) for one in found.widths]
    now = "" if found.pilot_width is None else f", interval {found.pilot_width:.2f} wide"
    pilot = f"the pilot has {found.n_pilot:,} {found.what}: {found.symbol} = {found.value:.2f}{now}"
    table = Table((found.what, "median width", f"share up to {found.goal:g}"), rows, 3)
    said = (
        f"Even {found.widths[-1].n:,} {found.what} are not enough for an interval {found.goal:g} wide."
        if found.needed is None
        else f"{plural(found.needed, found.what[:-1])} like these give an interval at most {found.goal:g} wide with "
        f"{100 * found.probability:g}% probability."
    )
    return [Captioned(pilot, table)], [said]


def _differences(found: Sequence[Comparison], named: bool) -> Table:
    rows = []
    for one in found:
        it = one.difference
        name = f"{one.symbol}: {it.name}" if named or len(found) > 1 else it.name
        rows.append((name, it.value, it.low, it.high, p_value(it.p), p_value(it.p_adjusted), it.n))
    unit = found[0].parts if len({one.parts for one in found}) == 1 else "left out"
    table = Table(("", "difference", "from", "to", "p", "p (Holm)", unit), rows, 3)
    if len(found) > 1:
        return table
    return Table((*table.columns[:5], unit), [(*row[:5], row[6]) for row in rows], 3)


def _caption(found: Sequence[Comparison]) -> str:
    return f"Difference, paired over {found[0].parts}"


def _said(one: Comparison, n: int) -> str:
    it = one.difference
    if one.undefined is not None:
        return f"{one.symbol}: no difference can be told. {one.undefined}."
    p = it.p if n == 1 else it.p_adjusted
    if p is None or it.value is None:
        why = it.no_interval or "there is too little data"
        return f"{one.symbol}: {one.one} and {one.other} cannot be told apart: {why}."
    high, low = (one.one, one.other) if it.value > 0 else (one.other, one.one)
    corrected = "" if n == 1 else ", corrected for several comparisons"
    if p < _SURE:
        return f"{one.symbol} is higher in {high} than in {low} ({_spelled(p)}{corrected})."
    return f"{one.symbol}: no difference between {one.one} and {one.other} beyond chance ({_spelled(p)}{corrected})."


def _spelled(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _limits(interval: object) -> tuple[float | None, float | None]:
    return getattr(interval, "low", None), getattr(interval, "high", None)
