"""Texts side by side: every row and what differs in it, folded where all agree, and safe."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE

import unisono
from unisono.data import Corpus
from unisono.measurement.text_gamma.measure import align_texts
from unisono.reporting.notebook import result_html
from unisono.reporting.side_by_side import (
    CONTEXT,
    LEAST_FOLDED,
    MOST_DIFFERING,
    stretches,
    text_alignment_html,
)


def corpus(versions, document="d", features=("pos",), **more):
    """Make a corpus of annotator to words, each a form or (form, label …); words stand with a space between them."""
    rows, texts = [], {}
    for who, words in versions.items():
        text = ""
        for word in words:
            form, *labels = (word,) if isinstance(word, str) else word
            text += " " if text else ""
            rows.append((who, len(text), len(text) + len(form), dict(zip(features, labels, strict=False))))
            text += form
        texts[document, who] = text
    labels = {name: [row[3].get(name) for row in rows] for name in features}
    return Corpus.from_columns(
        document=[document] * len(rows),
        annotator=[row[0] for row in rows],
        start=[row[1] for row in rows],
        end=[row[2] for row in rows],
        features={name: column for name, column in labels.items() if any(label is not None for label in column)},
        worked=list(texts),
        texts=texts,
        **more,
    )


def shown(versions, *, most_rows=MOST_DIFFERING, features=("pos",), **options):
    """Align versions and give the page's piece, checked, and its table."""
    alignment = align_texts(corpus(versions, features=features), **options)["d"]
    html = text_alignment_html(alignment, most_rows=most_rows)
    assert_well_formed(html)
    return html, table(html)


class _Reader(HTMLParser):
    """Reads the last table: rows of cells, each with its attributes, its text, and what is marked in it."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.rows, self.cell, self.inside = [], None, []

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.rows = []
        elif tag == "tr":
            self.rows.append({"class": dict(attrs).get("class"), "cells": []})
        elif tag in ("td", "th"):
            self.cell = {"tag": tag, **dict(attrs), "text": "", "mark": [], "strong": []}
            self.rows[-1]["cells"].append(self.cell)
        elif tag in ("mark", "strong") and self.cell is not None:
            self.inside.append(tag)
            self.cell[tag].append("")
        elif self.cell is not None and dict(attrs).get("class") == "lack":
            self.cell["text"] += "‸"  # as the style writes it

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None
        elif self.inside and tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data):
        if self.cell is not None:
            self.cell["text"] += data
            if self.inside:
                self.cell[self.inside[-1]][-1] += data


def table(html):
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.rows


def texts(row):
    return [cell["text"].strip() for cell in row["cells"]]


def visible(html):
    """Give what one reads: no styles, no tags."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style>.*?</style>", "", html))


def of_class(rows, name):
    return [row for row in rows if row["class"] == name]


def test_two_texts_stand_side_by_side():
    html, rows = shown({"Anna": [("vnd", "KON"), ("hus", "NN")], "Bert": [("vnde", "KON"), ("hus", "NE")]})
    head, first, second = rows
    assert texts(head) == ["no.", "Anna", "Bert", "differs", "disorder"]
    assert all(cell["scope"] == "col" for cell in head["cells"])
    assert texts(first) == ["1", "vnd‸ KON", "vnde KON", "text", "0.500"]
    assert texts(second) == ["2", "hus NN", "hus NE", "pos", "0.500"]
    assert all(row["cells"][0]["scope"] == "row" for row in (first, second))
    assert first["cells"][1]["title"] == "characters 0–3"
    assert second["cells"][2]["title"] == "characters 5–8"
    assert "<caption><strong>d</strong> · disorder 0.500 · alignment proven optimal · 4 units" in html


def test_what_differs_is_marked_character_by_character():
    _, rows = shown({"a": ["sambt", "vin̄stendicheit"], "b": ["sambt", "vm̄stendicheit"]})
    _, same, other = rows
    assert same["class"] == "same"
    assert other["class"] == "other"
    assert [cell["mark"] for cell in same["cells"][1:3]] == [[], []]
    assert [cell["mark"] for cell in other["cells"][1:3]] == [["in̄"], ["m̄"]]  # a mark above stays with its letter


def test_labels_that_differ_are_stressed():
    _, rows = shown(
        {"a": [("hus", "NN", "hûs"), ("al", "X", "al")], "b": [("hus", "NE", "hûs"), ("al", "X")]},
        features=("pos", "lemma"),
    )
    _, first, second = rows
    assert [cell["strong"] for cell in first["cells"][1:3]] == [["NN"], ["NE"]]
    assert [cell["strong"] for cell in second["cells"][1:3]] == [["al"], ["no lemma"]]
    assert first["cells"][3]["text"] == "pos"
    assert second["cells"][3]["text"] == "lemma"


def test_units_without_counterpart_and_spaces_inside():
    html, rows = shown({"a": ["lange", "dar na", "nicht"], "b": ["lange", "dar", "na", "nicht"]})
    other = of_class(rows, "other")
    assert [row["cells"][3]["text"] for row in other] == ["segmentation"] * 3
    assert sorted(texts(row)[1] for row in other) == ["dar␣na", "–", "–"]
    assert html.count('aria-label="no counterpart"') == 3
    assert "no counterpart: cut into units differently" in visible(html)


def test_moved_units_tell_where_they_are():
    words = [f"w{k}" for k in range(12)]
    html, rows = shown({"a": ["zuletzt", *words], "b": [*words, "zuletzt"]})
    (moved,) = of_class(rows, "other")
    assert texts(moved)[3] == "moved"
    places = {re.search(r"at (\d+–\d+)", cell["text"])[1] for cell in moved["cells"][1:3]}
    assert places == {"0–7", "38–45"}
    assert "moved: the same text in another place" in visible(html)


def test_three_annotators_the_odd_one_out_is_marked():
    _, rows = shown({"a": [("vam", "APPR")], "b": [("vam", "APPR")], "c": [("van", "NN")]})
    head, row = rows
    assert texts(head)[1:4] == ["a", "b", "c"]
    assert [cell["mark"] for cell in row["cells"][1:4]] == [[], [], ["n"]]
    assert [cell["strong"] for cell in row["cells"][1:4]] == [[], [], ["NN"]]


def test_three_annotators_at_odds_are_all_marked():
    _, rows = shown({"a": [("haus", "A")], "b": [("hais", "B")], "c": [("hauz", "C")]})
    assert [cell["mark"] for cell in rows[1]["cells"][1:4]] == [["us"], ["i"], ["z"]]
    assert [cell["strong"] for cell in rows[1]["cells"][1:4]] == [["A"], ["B"], ["C"]]


def test_agreement_is_folded_to_running_text():
    words = [f"wort{k:03d}" for k in range(200)]
    other = [*words[:100], "xxxx", *words[101:]]
    html, rows = shown({"a": words, "b": other})
    kinds = [row["class"] for row in rows[1:]]
    assert kinds == ["fold", *["same"] * CONTEXT, "other", *["same"] * CONTEXT, "fold"]
    first, last = of_class(rows, "fold")
    assert texts(first)[0] == f"1–{100 - CONTEXT}"
    assert texts(last)[0] == f"{102 + CONTEXT}–200"
    assert texts(first)[2] == f"… {100 - CONTEXT} units agree …"
    assert first["cells"][1]["colspan"] == "2"
    assert first["cells"][1]["text"].startswith("wort000 wort001")
    assert first["cells"][1]["text"].endswith(words[99 - CONTEXT])
    assert " … " in first["cells"][1]["text"]
    assert len(html) < 10_000


def test_full_agreement_is_one_row():
    words = [f"w{k}" for k in range(30)]
    html, rows = shown({"a": words, "b": words})
    assert [row["class"] for row in rows[1:]] == ["fold"]
    assert "30 units agree" in visible(html)
    assert "disorder 0.000" in html


def test_folded_texts_that_differ_stand_apart():
    versions = {"a": [(f"a{k}", "X") for k in range(30)], "b": [(f"b{k}", "X") for k in range(30)]}
    alignment = align_texts(corpus(versions), features={"text": 0.0, "pos": 1.0})["d"]
    html = text_alignment_html(alignment)
    assert_well_formed(html)
    (fold,) = of_class(table(html), "fold")
    assert [text[:5] for text in texts(fold)[1:3]] == ["a0 a1", "b0 b1"]


def test_stretches_cover_all_rows_once():
    rng = np.random.default_rng(3)
    for _ in range(300):
        n_rows, most = int(rng.integers(1, 60)), int(rng.integers(0, 12))
        differs = rng.random(n_rows) < rng.random() * 0.4
        found = stretches(differs, most)
        edges = [stretch.first for stretch in found] + [found[-1].end if found else 0]
        assert edges == [0] * bool(found) + [stretch.end for stretch in found] + [0] * (not found)
        end = edges[-1]
        assert differs[:end].sum() == min(differs.sum(), most)
        assert end == n_rows or differs.sum() > most
        for first, stop, folded in found:
            near = differs[max(first - CONTEXT, 0) : stop + CONTEXT]
            assert not folded or (stop - first >= LEAST_FOLDED and not near[: stop - first + CONTEXT].any())


def test_more_rows_than_may_be_shown_are_counted():
    versions = {"a": [(f"w{k}", "A") for k in range(50)], "b": [(f"w{k}", "B") for k in range(50)]}
    html, rows = shown(versions, most_rows=20)
    assert len(of_class(rows, "other")) == 20
    assert "… and 30 more rows that differ" in visible(html)
    _, all_rows = shown(versions)
    assert len(of_class(all_rows, "other")) == 50
    assert not of_class(all_rows, "more")
    _, none = shown(versions, most_rows=0)
    assert [row["class"] for row in none[1:]] == ["more"]


def test_nested_types_have_a_column():
    found = Corpus.from_columns(
        document=["d"] * 6,
        annotator=["a", "a", "a", "b", "b", "b"],
        start=[0, 0, 4, 0, 0, 4],
        end=[7, 3, 7, 7, 3, 7],
        features={"type": ["sentence", "token", "token"] * 2, "pos": [None, "A", "B", None, "A", "C"]},
        texts={("d", "a"): "wat hir", ("d", "b"): "wat hyr"},
    )
    rows = table(text_alignment_html(align_texts(found)["d"]))
    assert texts(rows[0])[:2] == ["no.", "type"]
    assert [texts(row)[1] for row in rows[1:]] == ["sentence", "token", "token"]
    assert [texts(row)[2] for row in rows[1:]] == ["wat hir", "wat A", "hir B"]
    assert [texts(row)[4] for row in rows[1:]] == ["text", "", "text, pos"]


def test_gaps_are_rows_of_their_own():
    found = Corpus.from_columns(
        document=["d", "d"],
        annotator=["a", "b"],
        start=[0, 0],
        end=[3, 3],
        features={"pos": ["A", "A"]},
        texts={("d", "a"): "wat hir", ("d", "b"): "wat hyr"},
    )
    html = text_alignment_html(align_texts(found, gaps=True)["d"])
    assert_well_formed(html)
    last = texts(table(html)[-1])
    assert last[1:5] == ["gap", "hir", "hyr", "text"]


def test_feature_named_like_a_kind_of_difference():
    _, rows = shown({"a": [("hus", "x")], "b": [("hus", "y")]}, features=("moved",))
    assert texts(rows[1])[1:4] == ["hus x", "hus y", "feature moved"]


@pytest.mark.parametrize(
    ("one", "other", "seen", "seen_of_other"),
    [
        ("a b", "a\tb", "␣", "⇥"),
        ("a\nb", "a\x07b", "↵", "␇"),
        ("a\u00a0b", "a\u200fb", "U+00A0", "U+200F"),
        ("a\u00adb", "a\u200db", "aU+00AD", "aU+200D"),
        ("caf\u00e9", "cafe\u0301", "\u00e9U+00E9", "e\u0301U+0065 U+0301"),
        ("a\ud800", "a\ud801", "U+D800", "U+D801"),
    ],
)
def test_what_cannot_be_seen_gets_a_sign(one, other, seen, seen_of_other):
    html, rows = shown({"a": [one], "b": [other]})
    html.encode()
    assert [cell["mark"][0] for cell in rows[1]["cells"][1:3]] == [seen, seen_of_other]


def test_signs_stand_only_where_they_matter():
    _, rows = shown({"a": ["wat is dat", " x", "a  b", "a\u200db"], "b": ["wat is dat", " x", "a  b", "a\u200db"]})
    assert [texts(row)[1] for row in rows[1:2]] == ["wat is dat␣␣x a␣␣b a\u200db"]  # folded
    _, rows = shown({"a": ["wat is dat"], "b": ["wat is dit"]})
    assert texts(rows[1])[1:3] == ["wat is dat", "wat is dit"]


def test_marks_without_a_letter_get_one():
    _, rows = shown({"a": ["\u0304x"], "b": ["\u0301x"]})
    assert [texts(row)[1:3] for row in rows[1:]] == [["◌\u0304x", "◌\u0301x"]]


def test_long_units_are_cut_around_the_difference():
    text = " ".join(f"wort{k}" for k in range(400))
    other = text.replace("wort200", "wurt200")
    _, rows = shown({"a": [text], "b": [other]})
    cells = rows[1]["cells"][1:3]
    assert [cell["mark"] for cell in cells] == [["o"], ["u"]]
    assert all(cell["text"].startswith("… ") and cell["text"].endswith(" …") for cell in cells)
    assert max(len(cell["text"]) for cell in cells) < 500
    inserted = text.replace("wort200", "wooort200")
    _, rows = shown({"a": [text], "b": [inserted]})
    assert [cell["mark"] for cell in rows[1]["cells"][1:3]] == [[], ["oo"]]  # where it is cut, nothing is marked
    _, rows = shown({"a": [text], "b": [text]})
    assert "wort0 wort1" in rows[1]["cells"][1]["text"]
    assert len(rows[1]["cells"][1]["text"]) < 200


def test_units_without_text():
    found = Corpus.from_columns(
        document=["d"] * 4,
        annotator=["a", "a", "b", "b"],
        start=[0, 2, 0, 2],
        end=[2, 2, 2, 2],
        features={"pos": ["A", "", "A", "C"]},
        texts={("d", "a"): "ab", ("d", "b"): "ab"},
    )
    html = text_alignment_html(align_texts(found)["d"])
    assert_well_formed(html)
    assert texts(table(html)[2])[1:3] == ["no text empty pos", "no text C"]


def test_labels_of_other_kinds():
    _, rows = shown({"a": [("x", True), ("y", ("a", "b")), ("z", 1.5)], "b": [("x", 1), ("y", "a"), ("z", 2)]})
    assert [texts(row)[1:3] for row in rows[1:]] == [
        ["x True", "x 1"],
        ["y a + b", "y a"],
        ["z 1.5", "z 2"],
    ]
    assert all(len(cell["strong"]) == 1 for row in rows[1:] for cell in row["cells"][1:3])


def test_hostile_text_stays_text():
    label, more, name, control = HOSTILE
    versions = {
        label: [(label, label, more), (more, name, control), (control, more, label)],
        more: [(label, more, more), (more + "x", name, label), (name, label, label)],
        "\u202egnidaelsim": [(label, label, control)],
    }
    found = corpus(versions, document=label, features=(label, more))
    for html in (
        text_alignment_html(align_texts(found)[label]),
        result_html(unisono.text_gamma(found, precision=0.3)),
    ):
        html.encode()
        assert_well_formed(html)
        assert "<script" not in html
        assert "<img" not in html


def test_right_to_left_text_is_isolated():
    html, rows = shown({"a": [("שלום", "N\u202e")], "b": [("שלוםה", "N\u202e")]})
    assert [cell["mark"] for cell in rows[1]["cells"][1:3]] == [[], ["ה"]]
    assert "<bdi>שלום" in html
    assert "\u202e" not in visible(html)


@pytest.fixture(scope="module")
def result():
    good = corpus({"a": [("hus", "N"), ("is", "V")] * 5, "b": [("hus", "N"), ("is", "V")] * 5}, document="good")
    bad = corpus({"a": [("hus", "N"), ("is", "V")] * 5, "b": [("huss", "V"), ("is", "V")] * 5}, document="bad")
    both = {name: list(good.features[name].values()) + list(bad.features[name].values()) for name in good.features}
    people = [good.annotators[code] for code in good.annotator] + [bad.annotators[code] for code in bad.annotator]
    found = Corpus.from_columns(
        document=["good"] * good.n_units + ["bad"] * bad.n_units,
        annotator=people,
        start=[*good.start, *bad.start],
        end=[*good.end, *bad.end],
        features=both,
        texts={
            (name, one.annotators[who]): text
            for name, one in (("good", good), ("bad", bad))
            for (_, who), text in one.texts.items()
        },
    )
    return unisono.text_gamma(found, precision=0.2)


def test_result_has_all_its_parts(result):
    html = result_html(result)
    assert_well_formed(html)
    text = visible(html)
    assert f"tγ = {result.value:.3f}" in text
    assert f"{result.observed:.3f}" in text
    assert f"{result.expected:.3f}" in text
    for part in ("p_text", "p_segmentation", "good", "pos", "Where the disagreement comes from"):
        assert part in text
    assert result.signature in text.replace("&#x27;", "'")
    assert "<strong>bad</strong> · disorder" in html  # the worst document's texts
    assert "<strong>good</strong>" not in html


def test_notebooks_show_it(result):
    assert result._repr_html_() == result_html(result)
    assert result.alignment["good"]._repr_html_() == text_alignment_html(result.alignment["good"])


UNDEFINED = {
    "nothing marked": {"a": [], "b": []},
    "one annotator": {"a": ["x"]},
    "full agreement": {"a": ["x", "y"], "b": ["x", "y"]},
    "one marked nothing": {"a": ["x"], "b": []},
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined_values_show_the_reason(case):
    result = unisono.text_gamma(corpus(UNDEFINED[case]), precision=0.3)
    html = result_html(result)
    assert_well_formed(html)
    text = visible(html)
    assert not re.search(r"\b(nan|NaN|None|inf)\b", text)
    if result.undefined is not None:
        assert f"tγ is undefined: {result.undefined}" in text
    for note in result.notes:
        assert note in text


def test_alignment_of_nothing():
    html = text_alignment_html(align_texts(corpus({"a": [], "b": []}))["d"])
    assert_well_formed(html)
    assert "no annotator marked anything" in html
    assert "<table" not in html


def test_styles_are_scoped(result):
    html = result_html(result)
    assert len(re.findall("<style>", html)) == 2
    for scope, style in re.findall(r'(?s)<div class="(unisono-\w+)"><style>(.*?)</style>', html):
        selectors = re.findall(r"([^{}]+)\{", re.sub(r"@media[^{]*\{", "", style))
        assert all(part.strip().startswith(f".{scope}") for line in selectors for part in line.split(","))


def test_no_more_is_written_for_long_texts():
    words = [f"w{k}" for k in range(2000)]
    other = [word if k % 5 else f"{word}x" for k, word in enumerate(words)]
    html, rows = shown({"a": words, "b": other})
    assert len(of_class(rows, "other")) == MOST_DIFFERING
    assert "… and 200 more rows that differ" in visible(html)
