"""The figure of a benchmark: every curve at its place, told apart, said in words, and safe."""

from __future__ import annotations

import re

import pytest
from html_checks import assert_well_formed
from hypothesis import given, settings
from hypothesis import strategies as st
from report_helpers import HOSTILE, classed, parsed, text_of

from unisono.errors import OptionError
from unisono.reporting.curves import curves_html, curves_svg
from unisono.shuffling.curves import Curve, Curves

FALLING = (1.0, 0.8, 0.5, 0.2, 0.0)
KNOWN = {"svg", "title", "desc", "style", "rect", "path", "g", "text", "tspan"}


def curve(errors, measure, means, *, spread=0.0, n=2):
    """Make a curve of two annotation sets a magnitude, so far apart, or of one; None where there is no value."""
    sets = [(None, None) if mean is None else (mean - spread, mean + spread) for mean in means]
    values = tuple(pair[:n] for pair in sets)
    steps = max(len(means) - 1, 1)
    return Curve(errors, measure, tuple(k / steps for k in range(len(means))), values)


def curves(*rows, **more):
    return Curves(tuple(curve(*row, **more) for row in rows))


def drawn(*rows, by="error", title="", **more):
    return parsed(curves_svg(curves(*rows, **more), by=by, title=title))


def lines(root):
    """Give the path of each line, without those of the legend."""
    return [
        found.get("d")
        for group in classed(root, "curve")
        for found in group
        if "line" in found.get("class", "").split()
    ]


def points(path):
    """Give the points of each stretch of a path."""
    return [[tuple(map(float, pair.split())) for pair in stretch.split("L")] for stretch in path.split("M")[1:]]


def headings(root):
    return ["".join(element.itertext()) for element in classed(root, "heading")]


def labels(root):
    return ["".join(element.itertext()) for element in classed(root, "label")]


def test_a_panel_for_each_error_or_for_each_measure():
    rows = [(e, m, FALLING) for e in ("false-negatives", "position+category") for m in ("gamma", "u-alpha", "cu-alpha")]
    by_error, by_measure = drawn(*rows), drawn(*rows, by="measure")
    assert headings(by_error) == ["false negatives", "position + category"]
    assert [len(classed(panel, "curve")) for panel in classed(by_error, "panel")] == [3, 3]
    assert headings(by_measure) == ["γ", "uα", "cuα"]
    assert [len(classed(panel, "curve")) for panel in classed(by_measure, "panel")] == [2, 2, 2]
    with pytest.raises(OptionError, match="by: expected error or measure, not 'x'"):
        curves_svg(curves(*rows), by="x")


def test_points_stand_at_their_magnitude_and_agreement():
    (stretch,) = points(lines(drawn(("position", "gamma", FALLING)))[0])
    (x0, y0), *_, (x1, y1) = stretch
    assert (x0, y0) == (0, 0)
    for (x, y), mean, k in zip(stretch, FALLING, range(5), strict=True):
        assert x == pytest.approx(x1 * k / 4, abs=0.01)
        assert y == pytest.approx(y1 * (1 - mean), abs=0.01)


def test_lines_are_broken_where_there_is_no_value():
    found = points(lines(drawn(("position", "gamma", (1.0, 0.8, None, 0.5, None, 0.2, 0.1))))[0])
    assert [len(stretch) for stretch in found] == [2, 1, 2]
    root = drawn(("position", "gamma", (1.0, 0.8, None, 0.5, None, 0.2, 0.1)))
    assert "no value at 0.333333 and 0.666667" in root.find("desc").text


def test_a_point_between_gaps_is_marked():
    root = drawn(("position", "gamma", (*[1.0] * 9, None, 0.5, None, *[0.2] * 9)))
    (alone,) = (stretch[0] for stretch in points(lines(root)[0]) if len(stretch) == 1)
    marks = classed(classed(root, "curve")[0], "mark")[0].get("d")
    assert f"M{alone[0]:g} {alone[1]:g}m" in marks


def test_bands_show_two_standard_errors():
    root = drawn(("position", "gamma", (0.8, 0.6, None, 0.4)), spread=0.1)  # two values: standard error 0.1
    (band,) = (points(found.get("d").rstrip("Z"))[0] for found in classed(root, "band"))
    (bar,) = (points(found.get("d"))[0] for found in classed(root, "bar"))
    one = next(y for _, y in points(lines(root)[0])[0]) / 0.2  # pixels from agreement 1 to 0
    assert [y / one for _, y in band] == pytest.approx([0, 0.2, 0.6, 0.4], abs=1e-3)
    assert [y / one for _, y in bar] == pytest.approx([0.4, 0.8], abs=1e-3)
    assert not classed(drawn(("position", "gamma", FALLING), n=1), "band")  # a single value has no standard error


def test_axis_reaches_below_0_only_as_far_as_needed():
    def numbers(*means):
        return [element.text for element in classed(drawn(("splits", "gamma", means)), "y")]

    assert numbers(1.0, 0.0)[0] == "0"
    assert numbers(1.0, -0.01)[0] == "0"
    assert numbers(1.0, -0.1)[0] == "−0.2"
    assert numbers(1.0, -0.2)[0] == "−0.2"
    assert numbers(1.0, -0.3)[0] == "−0.4"
    assert numbers(1.0, -7.0)[0] == "−0.4"
    assert numbers(1.0, 0.9)[-1] == "1"


def test_values_outside_are_marked():
    root = drawn(("splits", "slot-error-rate", (1.0, 0.0, -0.3, -2.0, -1e300)), ("splits", "gamma", FALLING))
    (cut,) = classed(root, "cut")
    assert cut.get("d").count("M") == 2
    assert not classed(drawn(("splits", "gamma", (1.0, 0.0, -0.3))), "cut")


def test_lines_differ_in_colour_dashes_and_marker():
    means = [1.0, *[0.5] * 3]
    root = drawn(*[("position", f"gamma(alpha={k})", means) for k in range(28)])
    looks = []
    for group in classed(root, "curve"):
        line, mark = (found for found in group if found.tag == "path")
        shape = re.sub(r"M[\d.]+ [\d.]+", "", mark.get("d"))
        looks.append((*line.get("class").split()[1:], mark.get("class"), shape))
    colours, dashes, *_ = zip(*looks[:5], strict=True)
    assert len(set(colours)) == len(set(dashes)) == 5
    assert len(set(looks)) == 28


def test_lines_are_labelled_at_their_ends():
    rows = [("splits", name, (1.0, end)) for name, end in (("gamma", 0.2), ("u-alpha", 0.9), ("slot-error-rate", 0.21))]
    root = drawn(*rows)
    assert labels(root) == ["γ", "uα", "SER"]
    heights = [float(element.get("y")) for element in classed(root, "label")]
    assert heights[1] < heights[2] < heights[0]
    assert heights[0] - heights[2] >= 13  # moved apart


def test_line_that_ends_early_is_labelled_there():
    root = drawn(("splits", "gamma", (1.0, 0.8, 0.6, 0.3, 0.0)), ("splits", "cu-alpha", (1.0, 1.0, 1.0, None, None)))
    gamma, alpha = (float(element.get("x")) for element in classed(root, "label"))
    assert alpha < gamma
    crossed = drawn(("splits", "gamma", (1.0,) * 5), ("splits", "cu-alpha", (1.0, 1.0, 1.0, None, None)))
    assert not labels(crossed)  # there is a legend instead
    assert {"γ", "cuα"} <= {element.text for element in crossed.iter("text")}


@pytest.mark.parametrize(
    "rows",
    [
        [("position", f"gamma(alpha={k})", (1.0, 0.5)) for k in range(12)],
        [("position", name, FALLING) for name in ("gamma", "x" * 200)],
    ],
    ids=["too many", "too long"],
)
def test_legend_where_labels_have_no_room(rows):
    root = drawn(*rows)
    assert not labels(root)
    swatches = [element for element in classed(root, "line") if element.get("d") == "M0 6H32"]
    assert len(swatches) == len(rows)


def test_measures_are_called_by_their_symbols():
    names = ("gamma(precision=0.1)", "discretized-kappa(atom=1)", "cu-alpha")
    root = drawn(*[(name, name, FALLING) for name in names], by="measure")
    assert headings(root) == ["γ", "κd", "cuα"]
    assert [element.text for element in classed(classed(root, "heading")[1], "sub")] == ["d"]


def test_measures_that_share_a_symbol_are_told_apart():
    def called(*names):
        return headings(drawn(*[("position", name, FALLING) for name in names], by="measure"))

    assert called("gamma(precision=0.1)", "gamma(alpha=3,precision=0.1)") == ["γ", "γ (alpha=3)"]
    assert called("gamma", "gamma(distance=ordinal(a,b))") == ["γ", "γ (distance=ordinal(a,b))"]
    assert called("cohen-kappa", "multi-kappa", "gamma") == ["cohen-kappa", "multi-kappa", "γ"]
    assert called("no-measure", "gamma(") == ["no-measure", "gamma("]


def test_one_point():
    root = drawn(("position", "gamma", (0.7,)), ("position", "u-alpha", (0.7,)))
    assert [points(path) for path in lines(root)] == [points(lines(root)[0])] * 2
    assert len(classed(root, "mark")) == 2
    assert labels(root) == ["γ", "uα"]


def test_measures_without_values_are_named():
    root = drawn(
        ("position", "gamma", FALLING),
        ("position", "u-alpha", (None,) * 5),
        ("position", "discretized-kappa", (1.0, None, None, None, None)),
    )
    assert headings(root) == ["positionno curve: uα, κd"]
    assert labels(root) == ["γ"]
    assert "uα: no annotation set has a value" in root.find("desc").text
    assert "κ_d: only magnitude 0 has a value" in root.find("desc").text
    many = drawn(*[("position", f"gamma(alpha={k})", (None, None)) for k in range(30)])
    assert headings(many) == ["positionno curve: 30 of 30"]


def test_nothing_has_a_value():
    root = drawn(("position", "gamma", (None, None)), ("splits", "gamma", (None, None)))
    assert not classed(root, "curve")
    assert headings(root) == ["positionno curve: γ", "splitsno curve: γ"]


def test_no_curves():
    assert "no curves" in text_of(parsed(curves_svg(Curves(()))))
    assert_well_formed(curves_html(Curves(())))
    assert headings(parsed(curves_svg(Curves((Curve("splits", "gamma", (), ()),))))) == ["splitsno curve: γ"]


def test_infinite_values_are_no_values():
    found = points(lines(drawn(("position", "gamma", (1.0, 0.8, float("inf"), 0.5, 0.4))))[0])
    assert [len(stretch) for stretch in found] == [2, 2]


def test_title_stands_above_and_names_the_figure():
    root = drawn(("position", "gamma", FALLING), title="γ & position")
    assert [element.text for element in classed(root, "title")] == ["γ & position"]
    assert root.find("title").text == root.get("aria-label") == "γ & position"
    plain = drawn(("position", "gamma", FALLING))
    assert not classed(plain, "title")
    assert plain.find("title").text == "Agreement by magnitude, for each kind of error"
    assert float(root.get("height")) > float(plain.get("height"))
    long = drawn(("position", "gamma", FALLING), title="many words " * 30)
    assert len(classed(long, "title")) > 3


def test_words_say_what_each_curve_does():
    root = drawn(("splits", "gamma", FALLING), ("splits", "slot-error-rate", (1.0, 0.2, 0.6, -0.1, -0.3)))
    assert root.get("role") == "img"
    said = root.find("desc").text
    assert "Panel splits. γ: from 1.00 to 0.00. SER: from 1.00 to −0.30; rises at 0.25–0.5" in said
    assert next(group.find("title").text for group in classed(root, "curve")) == "γ: from 1.00 to 0.00"


@pytest.mark.parametrize("n", range(1, 9))
def test_panels_stand_side_by_side_in_rows(n):
    root = drawn(*[(f"error{k}", "gamma", FALLING) for k in range(n)])
    places = [tuple(map(float, re.findall(r"[\d.]+", panel.get("transform")))) for panel in classed(root, "panel")]
    assert places == sorted(places, key=lambda place: (place[1], place[0]))
    assert len(set(places)) == n
    assert len({y for _, y in places}) == {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 3, 8: 3}[n]
    assert float(root.get("width")) == (560 if n == 1 else 900)
    below = [y for _, y in places][-1]
    assert below < float(root.get("height"))


@pytest.mark.parametrize("by", ["error", "measure"])
def test_hostile_names_stay_text(by):
    names = [*HOSTILE, "a_b", "\\1&#x3c;"]
    rows = [(error, measure, (1.0, None, 0.3, 0.2)) for error in names for measure in names]
    svg, html = curves_svg(curves(*rows), by=by, title="".join(HOSTILE)), curves_html(curves(*rows))
    root = parsed(svg)
    svg.encode()
    html.encode()
    assert_well_formed(html)
    assert {element.tag for element in root.iter()} <= KNOWN
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
    assert HOSTILE[0] in root.find("desc").text
    for made in (svg, html):
        assert "<script" not in made
        assert "<img" not in made


def test_nothing_comes_from_outside():
    svg = curves_svg(curves(("position", "gamma", FALLING)))
    assert not re.search(r"href|url\(|@import|<script|<image|<foreignObject|\bid=|var\(", svg)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_light_and_dark_colours_both_stand_in_the_file():
    style = parsed(curves_svg(curves(("position", "gamma", FALLING)))).find("style").text
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    for name in (".paper", "text{fill", ".soft", ".grid", ".firm", ".c0{", ".f6{"):
        assert name in light
        assert name in dark
    assert "&" not in style


values = st.none() | st.floats(-3, 1.5) | st.sampled_from([1.0, 0.0, -1e300])


@settings(deadline=None)  # the first time, SciPy is loaded
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(values, min_size=n, max_size=n), min_size=1, max_size=7),
    ),
    st.sampled_from([0.0, 0.05]),
)
def test_any_curves_are_drawn(all_means, spread):
    rows = [("position" if k % 2 else "splits", f"gamma(alpha={k})", means) for k, means in enumerate(all_means)]
    made = curves(*rows, spread=spread)
    for by in ("error", "measure"):
        root = parsed(curves_svg(made, by=by))
        present = sum(any(mean is not None for mean in means) for means in all_means)
        assert len(lines(root)) == present
        assert sum(map(len, (stretch for path in lines(root) for stretch in points(path)))) == sum(
            mean is not None for means in all_means for mean in means
        )
        for place in classed(root, "label"):
            assert float(place.get("x")) < float(root.get("width"))


def test_notebooks_show_the_figure_and_the_judgements():
    made = curves(
        ("position", "gamma(precision=0.1)", FALLING),
        ("position", "discretized-kappa", (1.0, 0.2, 0.6, -0.1, -0.3)),
        ("position", "u-alpha", (None,) * 5),
    )
    html = made._repr_html_()
    assert html == curves_html(made)
    assert_well_formed(html)
    rows = re.findall(r"(?s)<tr>(.*?)</tr>", html)
    cells = [re.findall(r"<t[dh][^>]*>(?:<bdi>)?(.*?)(?:</bdi>)?</t[dh]>", row) for row in rows]
    assert cells[0] == ["error", "measure", "full range", "decreasing", "never below 0", "curve"]
    assert cells[1] == [
        "position",
        "γ: gamma(precision=0.1)",
        "yes",
        "yes",
        "yes",
        "from 1.00 to 0.00",
    ]
    assert cells[2][1] == "κ_d: discretized-kappa"
    assert cells[2][2:5] == ["no", "no", "no"]
    assert cells[3][2:] == ["–", "–", "–", "no annotation set has a value"]


def test_what_cannot_be_said_is_neither_yes_nor_no():
    html = curves_html(curves(("position", "gamma", (1.0, 0.2, 0.6, -0.3)), n=1))
    cells = re.findall(r"<td>(.*?)</td>", html)
    assert cells[1:] == ["no", "–", "–", "from 1.00 to −0.30; only single values, so no judgement"]


def test_notebooks_show_a_single_measure_in_one_panel():
    made = curves(("position", "gamma", FALLING), ("splits", "gamma", FALLING))
    assert curves_html(made).count('class="panel"') == 1
    both = curves(*[(error, name, FALLING) for error in ("position", "splits") for name in ("gamma", "u-alpha")])
    assert curves_html(both).count('class="panel"') == 2
