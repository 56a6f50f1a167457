"""The picture of an alignment: everything there, once, at its place, and safe."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_helpers import HOSTILE, aligned, bands, classed, demo_result, neighbours, parsed, text_of, unit_numbers

import unisono
from unisono.data import Corpus
from unisono.errors import OptionError
from unisono.reporting.alignment_layout import pack, ticks, touching, worst_stretch
from unisono.reporting.alignment_svg import alignment_svg
from unisono.reporting.palette import CATEGORY_COLOURS, disorder_level

SIMPLE = (
    ("anna", 0, 10, "A"),
    ("anna", 20, 30, "B"),
    ("bert", 0, 12, "A"),
    ("chris", 0, 10, "A"),
    ("chris", 21, 30, "A"),
    ("chris", 50, 60, "C"),
)


@pytest.fixture(scope="module")
def demo():
    return demo_result()


def test_every_unit_is_drawn_once_and_only_aligned_neighbours_are_joined(demo):
    for alignment in demo.alignment.values():
        root = parsed(alignment_svg(alignment))
        assert unit_numbers(root) == list(range(alignment.annotations.n_units))
        assert bands(root) == neighbours(alignment)


units = st.tuples(
    st.sampled_from(["x", "y", "z"]), st.integers(0, 40), st.integers(0, 12), st.sampled_from(["P", "Q", None])
)


@given(st.lists(units, max_size=14))
def test_any_units_are_drawn(rows):
    rows = [(who, start, start + length, label) for who, start, length, label in rows]
    alignment = aligned(*rows, worked=[("document", who) for who in "xyz"])
    root = parsed(alignment_svg(alignment))
    assert unit_numbers(root) == list(range(len(rows)))
    assert bands(root) == neighbours(alignment)


def test_band_skips_annotators_without_a_unit():
    alignment = aligned(
        ("anna", 20, 30, "B"), ("bert", 0, 2, "A"), ("chris", 20, 30, "B"), ("anna", 0, 2, "A"), ("chris", 0, 2, "A")
    )
    root = parsed(alignment_svg(alignment))
    assert bands(root) == neighbours(alignment) == [(0, 2), (1, 4), (2, 3)]
    assert len(classed(root, "ghost")) == 2  # bert's missing unit, and its place in the legend
    assert "bert has no unit in unitary alignment 2" in text_of(root)


def test_units_aligned_with_nobody_are_marked():
    root = parsed(alignment_svg(aligned(*SIMPLE)))
    alone = [element for element in classed(root, "alone") if element.get("data-unit")]
    assert [element.get("data-unit") for element in alone] == ["5"]
    assert "aligned with nobody" in text_of(alone[0])


def test_disorder_shows_in_the_band():
    root = parsed(alignment_svg(aligned(*SIMPLE)))
    classes = {band.get("data-units"): band.get("class") for band in root.iter() if band.get("data-units")}
    assert classes == {"0 2": "band d1", "2 3": "band d1", "1 4": "band d4"}
    assert [disorder_level(cost) for cost in (0, 1e-15, 0.1, 0.25, 0.26, 0.75, 2)] == [0, 0, 1, 1, 2, 3, 4]


def test_units_stand_at_their_positions():
    root = parsed(alignment_svg(aligned(("a", 0, 50, "A"), ("b", 50, 100, "A"))))
    boxes = [unit.find("rect") for unit in classed(root, "unit")]
    (x0, w0), (x1, w1) = ((float(box.get("x")), float(box.get("width"))) for box in boxes)
    assert x0 + w0 == pytest.approx(x1, abs=0.02)
    assert w0 == pytest.approx(w1, abs=0.02)


def test_tooltips_say_who_where_and_what():
    text = "The cat sat."
    alignment = aligned(
        ("anna", 4, 7, "N"), ("bert", 0, 7, "N"), texts={("document", w): text for w in ("anna", "bert")}
    )
    first, second = (unit.find("title").text for unit in classed(parsed(alignment_svg(alignment)), "unit"))
    assert first == "anna, 4–7\ncategory: N\n“cat”"
    assert second == "bert, 0–7\ncategory: N\n“The cat”"


def test_labels_are_written_only_where_they_fit():
    alignment = aligned(("a", 0, 50, "wide enough"), ("a", 50, 51, "narrow"), ("b", 0, 100, "wide enough"))
    labels = [label.text for label in classed(parsed(alignment_svg(alignment)), "label")]
    assert labels == ["wide enough", "wide enough"]


def test_text_stands_below_its_positions_where_it_is_legible():
    text = "two words" + " and many more" * 30
    alignment = aligned(("a", 0, 3, "N"), ("b", 0, 3, "N"), texts={("document", w): text for w in "ab"})
    assert not classed(parsed(alignment_svg(alignment)), "source")
    near = parsed(alignment_svg(alignment, first=0, last=120))
    words = classed(near, "source")
    assert [word.text for word in words] == text[:120].split()
    box = classed(near, "unit")[0].find("rect")
    assert float(words[0].get("x")) == float(box.get("x"))
    assert float(words[0].get("textLength")) == pytest.approx(float(box.get("width")), abs=0.02)
    nearest = classed(parsed(alignment_svg(alignment, first=0, last=9)), "source")
    assert [character.text for character in nearest] == list("twowords")


def test_text_is_left_out_where_positions_are_no_offsets():
    alignment = aligned(("a", 0.5, 3, "N"), ("b", 0, 30, "N"), texts={("document", w): "short" for w in "ab"})
    assert not classed(parsed(alignment_svg(alignment)), "source")


@pytest.mark.parametrize("standalone", [False, True])
def test_hostile_names_stay_text(standalone):
    rows = [(name, 0, 30, label) for name in HOSTILE for label in HOSTILE]
    texts = {("</title><b>", name): "<i>" * 10 for name in HOSTILE}
    svg = alignment_svg(aligned(*rows, document="</title><b>", texts=texts), standalone=standalone)
    root = parsed(svg)
    svg.encode()
    known = {"svg", "title", "desc", "style", "rect", "path", "g", "text"}
    assert {element.tag for element in root.iter()} <= known
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
    assert HOSTILE[0] in text_of(root)
    assert "<script" not in svg
    assert "<img" not in svg


def test_nothing_comes_from_outside(demo):
    for standalone in (False, True):
        svg = alignment_svg(demo.alignment["ferry"], standalone=standalone)
        assert not re.search(r"href|url\(|@import|<script|<image|<foreignObject", svg)
        assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_points_are_visible():
    alignment = aligned(("a", 5, 5, "A"), ("b", 5, 5, "A"), ("a", 0, 10, "B"), ("b", 0, 10, "B"))
    root = parsed(alignment_svg(alignment))
    points = [unit.find("path") for unit in classed(root, "unit") if unit.find("path") is not None]
    assert len(points) == 2
    assert bands(root) == neighbours(alignment)


def test_nested_and_identical_units_get_lanes_of_their_own():
    alignment = aligned(
        ("a", 0, 90, "A"), ("a", 10, 30, "B"), ("a", 20, 40, "C"), ("a", 10, 30, "B"), ("b", 0, 90, "A")
    )
    root = parsed(alignment_svg(alignment))
    tops = [float(unit.find("rect").get("y")) for unit in classed(root, "unit")]
    assert tops[0] == min(tops)
    assert len(set(tops[:4])) == 4


def test_lanes_are_reused():
    assert pack([(0, 10), (10, 20), (5, 15), (0, 30)]) == [1, 1, 2, 0]
    assert pack([(0, 5)], occupied=[(0, 3, 8)]) == [1]
    assert pack([]) == []


@pytest.mark.parametrize(
    ("first", "last", "most", "expected"),
    [
        (0, 100, 10, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
        (3, 17, 4, [5, 10, 15]),
        (0, 1, 4, [0, 0.5, 1]),
        (-0.3, 0.3, 6, [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]),
        (1e6, 1e6 + 3, 3, [1e6, 1e6 + 1, 1e6 + 2, 1e6 + 3]),
    ],
)
def test_ticks_are_round(first, last, most, expected):
    assert ticks(first, last, most) == expected


def test_a_given_stretch_is_drawn_and_said():
    alignment = aligned(*SIMPLE)
    root = parsed(alignment_svg(alignment, first=15, last=40))
    assert unit_numbers(root) == [1, 4]
    assert classed(root, "caption")[0].text == "positions 15 to 40 of 0 to 60; 4 units not drawn"


def test_bands_lead_out_of_the_stretch():
    alignment = aligned(("a", 0, 10, "A"), ("b", 6, 16, "A"))
    root = parsed(alignment_svg(alignment, first=0, last=5))
    assert unit_numbers(root) == [0]
    assert bands(root) == [(0, 1)]


def test_of_many_units_the_worst_stretch_is_drawn_and_the_rest_counted():
    agreeing = [(who, 10 * k, 10 * k + 8, "A") for k in range(40) for who in "ab"]
    worse = [(who, 10 * k, 10 * k + 8, who) for k in range(40, 45) for who in "ab"]
    alignment = aligned(*agreeing, *worse)
    root = parsed(alignment_svg(alignment, most_units=12))
    labels = {label.text for label in classed(root, "label")}
    assert {"a", "b"} <= labels
    assert len(unit_numbers(root)) == 12 or len(unit_numbers(root)) == 10
    said = classed(root, "caption")[0].text
    assert re.fullmatch(r"positions \d+ to \d+ of 0 to 448; (78|80) units not drawn", said)
    assert said[0].upper() + said[1:] in root.find("desc").text


def test_crowds_that_no_stretch_can_thin_out_are_cut_too():
    rows = [(who, 0, 10, label) for who in "ab" for label in map(str, range(30))]
    root = parsed(alignment_svg(aligned(*rows), most_units=7))
    assert len(unit_numbers(root)) == 7
    assert classed(root, "caption")[0].text == "53 units not drawn"


@given(st.lists(units, min_size=5, max_size=25), st.integers(2, 12))
def test_never_more_units_than_asked_for(rows, most_units):
    rows = [(who, start, start + length, label) for who, start, length, label in rows]
    alignment = aligned(*rows, worked=[("document", who) for who in "xyz"])
    root = parsed(alignment_svg(alignment, most_units=most_units))
    n_drawn = len(unit_numbers(root))
    assert 0 < n_drawn <= most_units
    if n_drawn < len(rows):
        missing = len(rows) - n_drawn
        assert f"{missing} unit{'s' * (missing > 1)} not drawn" in text_of(root)


def test_worst_stretch_has_most_disorder():
    rng = np.random.default_rng(3)
    rows = [
        (who, s, s + 5, c)
        for who in "ab"
        for s, c in zip(rng.integers(0, 300, 60), rng.integers(0, 2, 60), strict=True)
    ]
    alignment = aligned(*((who, int(s), int(e), str(c)) for who, s, e, c in rows))
    low, high = alignment.document.bounds
    begin, end = worst_stretch(alignment, low, high, 20)
    assert touching(alignment.annotations, begin, end).sum() <= 20

    def disorder(first, last):
        return sum(u.disorder for u in alignment if first <= u.start < last)

    starts = sorted({*alignment.annotations.start.tolist(), high})
    allowed = [
        disorder(a, b) for a in starts for b in starts if a < b and touching(alignment.annotations, a, b).sum() <= 20
    ]
    assert disorder(begin, end) == pytest.approx(max(allowed))


def test_bad_windows_are_refused():
    alignment = aligned(*SIMPLE)
    with pytest.raises(OptionError, match="first"):
        alignment_svg(alignment, first=10, last=5)
    with pytest.raises(OptionError, match="most_units"):
        alignment_svg(alignment, most_units=0)


def test_empty_document():
    alignment = aligned(worked=[("document", "a"), ("document", "b")])
    root = parsed(alignment_svg(alignment))
    assert unit_numbers(root) == []
    assert "nobody marked anything" in text_of(root)


def test_one_annotator_marked_nothing():
    alignment = aligned(("a", 0, 5, "A"), worked=[("document", "b")])
    assert unit_numbers(parsed(alignment_svg(alignment))) == [0]


def test_all_units_at_one_point():
    alignment = aligned(("a", 7, 7, "A"), ("b", 7, 7, "A"))
    assert unit_numbers(parsed(alignment_svg(alignment))) == [0, 1]


def test_units_without_categories():
    root = parsed(alignment_svg(aligned(("a", 0, 5, None), ("b", 0, 5, None), category=False)))
    assert unit_numbers(root) == [0, 1]
    assert "category" not in text_of(root.find("desc"))


def test_many_categories_cycle_with_a_stripe():
    n = 3 * len(CATEGORY_COLOURS)
    rows = [(who, 10 * k, 10 * k + 9, f"c{k:02d}") for k in range(n + 5) for who in "ab"]
    root = parsed(alignment_svg(aligned(*rows)))
    looks = [tuple(part.get("fill") for part in unit.findall("rect")) for unit in classed(root, "unit")]
    assert len(set(looks)) == n + 5
    assert "… and 5 more" in text_of(root)


def test_accessible_and_scoped(demo):
    svg = alignment_svg(demo.alignment["ferry"])
    root = parsed(svg)
    assert root.get("role") == "img"
    assert [root[0].tag, root[1].tag] == ["title", "desc"]
    assert "Tracks of anna, bert and chris" in root[1].text
    scope = root.get("class")
    selectors = re.findall(r"([^{}]+)\{", re.sub(r":is\([^{]*\)", "", root.find("style").text))
    assert all(part.strip().startswith(f".{scope}") for line in selectors for part in line.split(","))
    assert "prefers-color-scheme" not in svg  # in a notebook, its theme counts
    assert '[data-jp-theme-light="false"] *' in svg.replace("&quot;", '"')


def test_standalone_has_what_a_file_needs(demo):
    svg = alignment_svg(demo.alignment["ferry"], standalone=True)
    assert svg.startswith("<?xml")
    assert 'xmlns="http://www.w3.org/2000/svg"' in svg
    assert "prefers-color-scheme" not in svg


def test_two_pictures_share_no_ids(demo):
    svgs = [alignment_svg(demo.alignment[name]) for name in ("ferry", "market", "ferry")]
    ids = [element.get("id") for svg in svgs for element in parsed(svg).iter() if element.get("id")]
    assert len(ids) == len(set(ids))


def test_the_same_alignment_gives_the_same_picture(demo):
    alignment = demo.alignment["ferry"]
    assert alignment_svg(alignment) == alignment_svg(alignment)


def relations():
    """Two annotators with a relation whose targets differ, and an annotator without."""
    text = "Anna with Bert saw Cleo and Dora"
    corpus = Corpus.from_columns(
        annotator=["anna", "bert"],
        anchors=[[("source", 0, 4), ("target", 10, 14)], [("source", 0, 4), ("target", 28, 32)]],
        features={"category": ["likes", "likes"]},
        texts={("document", who): text for who in ("anna", "bert", "chris")},
    )
    return unisono.align(corpus)["document"]


def test_relations_are_arcs_from_source_to_target():
    root = parsed(alignment_svg(relations()))
    assert unit_numbers(root) == [0, 1]
    first, _ = classed(root, "unit")
    assert first.find("title").text == "anna, source 0–4, target 10–14\ncategory: likes\n“Anna → Bert”"
    source, target = ((float(box.get("x")), float(box.get("width"))) for box in first.findall("rect"))
    arc, tip = first.findall("path")
    assert (arc.get("class"), tip.get("class")) == ("link", "tip")
    assert float(re.match(r"M(\S+)", arc.get("d"))[1]) == pytest.approx(source[0] + source[1] / 2, abs=0.02)
    assert float(re.search(r"L(\S+) \S+Z", tip.get("d"))[1]) == pytest.approx(target[0] + target[1] / 2, abs=0.02)
    assert [label.text for label in classed(first, "label")] == ["likes"]


def test_ends_of_aligned_relations_are_joined_and_missing_ones_drawn():
    root = parsed(alignment_svg(relations()))
    (band,) = [element for element in root.iter() if element.get("data-units")]
    assert band.get("data-units") == "0 1"
    assert band.get("d").count("M") == 2  # source to source, target to target
    assert len(classed(root, "ghost")) == 2 + 1  # both ends of what chris did not mark, and the key


@pytest.mark.parametrize(
    ("roles", "n_tips"), [(("piece", "piece"), 0), (("trigger", "buyer", "seller"), 2), (("target",), 0)]
)
def test_arcs_of_events_leave_the_trigger_and_those_of_pieces_have_no_direction(roles, n_tips):
    corpus = Corpus.from_columns(
        annotator=["anna", "bert"],
        anchors=[[(role, 10 * k, 10 * k) for k, role in enumerate(roles)], [("other", 50, 52)]],
        worked=[("document", "anna"), ("document", "bert")],
    )
    root = parsed(alignment_svg(unisono.align(corpus)["document"]))
    first, second = classed(root, "unit")
    assert (len(classed(first, "tip")), len(classed(first, "point"))) == (n_tips, len(roles))
    assert not classed(second, "tip")


def test_pictures_of_plain_units_have_nothing_of_arcs():
    svg = alignment_svg(aligned(*SIMPLE))
    assert "link" not in svg
    assert not classed(parsed(svg), "tip")
