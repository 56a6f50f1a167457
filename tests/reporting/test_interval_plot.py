"""Dots with intervals: where they stand, what is beyond the axis, and names that try to be markup."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from report_helpers import HOSTILE, classed, parsed

import unisono
from unisono.demo import demo_path
from unisono.reporting.interval_plot import IntervalRow, interval_drawing, interval_figure

ROWS = [
    IntervalRow("all annotators", heading=True),
    IntervalRow("first", 0.5, 0.25, 0.75),
    IntervalRow("second", 1.0, 0.0, 1.0, certain=False),
    IntervalRow("third", None),
]


def drawn(rows, **options):
    return parsed(interval_drawing(rows, title="Values", **options))


def test_places_follow_from_values():
    root = drawn(ROWS)
    first, second = classed(root, "span")
    zero, one = (float(second.get(end)) for end in ("x1", "x2"))
    assert float(first.get("x1")) == pytest.approx(zero + 0.25 * (one - zero), abs=0.02)
    assert float(first.get("x2")) == pytest.approx(zero + 0.75 * (one - zero), abs=0.02)
    dots = [float(dot.get("cx")) for dot in classed(root, "point")]
    assert dots == pytest.approx([zero + 0.5 * (one - zero), one], abs=0.02)
    assert float(classed(root, "zero")[0].get("x1")) == pytest.approx(zero)
    assert [len(classed(root, name)) for name in ("heading", "open")] == [1, 1]
    assert [text.text for text in classed(root, "said")] == ["0.50 (0.25 to 0.75)", "1.00 (0.00 to 1.00)", "no value"]


def test_numbers_do_not_overlap_the_plot_or_the_frame():
    rows = [IntervalRow("a name that is much too long for the space that names have", -0.66, -0.9, 0.94)]
    root = drawn(rows, whole=False)
    width = float(root.get("width"))
    (span,), (said,) = classed(root, "span"), classed(root, "said")
    assert float(said.get("x")) > float(span.get("x2"))
    assert float(said.get("x")) + 7 * len(said.text) < width + 20
    assert classed(root, "name")[0].text.endswith("…")


def test_long_intervals_end_in_arrows():
    root = drawn([IntervalRow("wide", 0.5, -7.0, 9.0), IntervalRow("narrow", 0.5, 0.4, 0.6)])
    assert sum(element.tag == "path" for element in root.iter()) == 2
    xs = [float(line.get(end)) for line in classed(root, "span") for end in ("x1", "x2")]
    assert min(xs) >= 0
    assert max(xs) <= float(root.get("width"))


def test_the_figure_of_a_page_has_links_and_fits_phones():
    figure = interval_figure([IntervalRow("one", 0.3, 0.1, 0.5, address="#one"), ROWS[1]], title="Values")
    wide, narrow = ET.fromstring(f"<figure>{figure}</figure>")
    for svg, width in ((wide, 660), (narrow, 350)):
        assert [link.get("href") for link in svg.iter("a")] == ["#one"]
        assert svg.get("role") == "group"
        assert svg.get("viewBox").split()[2] == str(width)
        assert max(float(dot.get("cx")) for dot in svg.iter("circle")) < width
    assert (wide.get("class"), narrow.get("class")) == ("intervals wide", "intervals narrow")
    name, said = classed(narrow, "name")[0], classed(narrow, "said")[0]
    assert name.get("y") == said.get("y")  # above the line
    assert float(classed(narrow, "point")[0].get("cy")) > float(said.get("y"))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_text(name):
    svg = interval_drawing([IntervalRow(name, 0.5)], title=name)
    assert "<script" not in svg
    assert "<img" not in svg
    parsed(svg)


def test_nothing_to_draw_is_still_a_picture():
    for rows in ([], [IntervalRow("none")], [IntervalRow("zero", 0.0, 0.0, 0.0)]):
        parsed(interval_drawing(rows, title="Values", whole=False))


def test_comparisons_and_ladders_are_drawn():
    corpus = unisono.read(demo_path())
    pairs = [corpus.select(annotators=some) for some in (["anna", "bert"], ["anna", "chris"])]
    found = unisono.compare(*pairs, ["span-f1"])
    for html in (found._repr_html_(), found[0]._repr_html_()):
        assert html.count("<svg xmlns") == 2
        assert "beyond chance" in re.sub(r"(?s)<style>.*?</style>", "", html)
    (it,) = [one.difference for one in found]
    said = re.findall(r'class="said"[^>]*>([^<]*)<', found._repr_html_())
    assert said[-1] == f"{it.value:.2f} ({it.low:.2f} to {it.high:.2f})".replace("-", "−")
    ladder = unisono.shuffling.ladder(
        corpus, "span-f1", value=0.5, errors=["position", "false-negatives"], repetitions=1
    )
    svg = re.search(r"(?s)<svg.*?</svg>", ladder._repr_html_())[0]
    bars = [float(bar.get("x2")) - float(bar.get("x1")) for bar in classed(parsed(svg), "bar")]
    magnitudes = [rung.magnitude for rung in ladder.rungs]
    assert bars[0] / bars[1] == pytest.approx(magnitudes[0] / magnitudes[1], rel=0.01)
