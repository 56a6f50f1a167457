"""The way from the data to the measure: one case per question, what to use, what to report, what is lacking."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow
import pytest
from commands import run

import unisono
from unisono.cli.spelling import as_reading_option
from unisono.data import Corpus, Normalizations, Ratings
from unisono.data.labels import feature
from unisono.data.questions import Question
from unisono.measurement import advice, facts, taking
from unisono.measurement.advice import advise, advised
from unisono.measurement.registry import default_measure, measures, parse_measure
from unisono.measurement.scales import all_numbers

GIVEN = "Were the items given?"
CORRECTED = "Did annotators correct the text?"
OVERLAP = "Do units of one annotator overlap?"
CUT = "Is the whole continuum segmented?"
LIST = "Are labels chosen from a list?"
SCALE = "Do labels form a scale?"
SETS = "Are there several labels at once?"
PREVAILS = "Does one label prevail?"


def spans(labels=("A", "B"), starts=(0, 1), length=7, n=20, texts=None):
    """Two annotators who mark something in every ten characters, each from a place of their own on."""
    places = [(who, 10 * k + start) for k in range(n) for who, start in zip("ab", starts, strict=True)]
    return Corpus.from_columns(
        annotator=[who for who, _ in places],
        start=[start for _, start in places],
        end=[start + length for _, start in places],
        features={} if labels is None else {"category": [labels[k // 2 % len(labels)] for k in range(2 * n)]},
        texts={("document", who): text for who, text in (texts or {}).items()},
    )


def ratings(*labels):
    """Two annotators, and a third who says something else about the first item."""
    return Ratings.of([[label, label, labels[0] if k else labels[-1]] for k, label in enumerate(labels)], rows="items")


def answers(data):
    return {one.question: (one.answer, one.therefore) for one in advise(data).decisions}


def taken(data):
    return [(one.condition, one.measures) for one in advise(data).take]


def test_given_items():
    assert answers(ratings("x", "y"))[GIVEN][0] == "yes, a label for each"
    assert taken(ratings("x", "y")) == [("", ("krippendorff-alpha",))]


def test_free_spans():
    found = answers(spans())
    assert found[GIVEN][0] == "no, annotators marked spans"
    assert found[CUT][0] == "no"
    assert "uα and cuα are possible" in found[OVERLAP][1]
    assert taken(spans()) == [("", ("gamma",))]


def test_spans_that_may_have_been_given():
    data = spans(starts=(0, 0))
    assert answers(data)[GIVEN][0] == "perhaps: all annotators marked the same spans"
    given = ("the spans were given to the annotators", ("krippendorff-alpha",))
    assert taken(data) == [("", ("gamma",)), given]
    assert any("were given" in sentence for sentence in advise(data).report)


def test_corrected_texts_leave_nothing_but_text_gamma():
    data = spans(n=2, texts={"a": "abcdefghij" * 2, "b": "abcdefghijk" * 2})
    found = advise(data)
    assert answers(data)[CORRECTED][0] == "yes, their texts differ in document"
    assert [one.name for one in found.fitting] == ["text-gamma"]
    assert found.unfit["gamma"] == "it compares positions, and the annotators' texts differ in document"
    assert found.take[0].measures == ("text-gamma",)
    assert any("started from" in sentence for sentence in found.report)


def test_texts_that_nobody_corrected():
    data = spans(n=2, texts={"a": "abcdefghij" * 2, "b": "abcdefghij" * 2})
    assert answers(data)[CORRECTED][0] == "no"
    assert "nobody corrected it" in advise(data).unfit["text-gamma"]


def test_tokens_may_have_been_corrected():
    text = "ab cd ef"
    data = Corpus.from_columns(
        annotator=list("aaabb"),
        start=[0, 3, 6, 0, 6],
        end=[2, 5, 8, 5, 8],
        features={"pos": list("NVNNV")},
        texts={("document", "a"): text, ("document", "b"): text},
    )
    corrected = ("annotators corrected the tokenization", ("text-gamma",))
    assert taken(data) == [("", ("gamma",)), corrected]


def test_overlap():
    data = spans(starts=(0, 0), length=15)
    assert answers(data)[OVERLAP] == ("yes", "γ is built for this; most other measures are not")
    assert CUT not in answers(data)
    assert any("Units of one annotator overlap" in sentence for sentence in advise(data).observations)


def test_complete_cuts_without_labels():
    data = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    found = advise(data)
    assert answers(data)[CUT][1] == "annotators can only agree on the cuts: boundary-similarity"
    assert found.take[0].measures == ("boundary-similarity",)
    assert "not corrected for chance" in found.report[0]
    assert found.unfit["cu-alpha"].startswith("it would have no value: ")


def test_complete_cuts_with_labels_and_at_broken_positions():
    assert "γ compares segments and labels" in answers(spans(starts=(0, 0), length=10))[CUT][1]
    broken = Corpus.from_columns(annotator=list("aab"), start=[0, 1.5, 0], end=[1.5, 4.25, 4.25])
    assert "step=" in answers(broken)[CUT][1]
    assert taken(broken) == [("", ("gamma",))]


def test_open_labels():
    data = Ratings.of([[f"word{k}", f"wort{k}"] for k in range(40)], rows="items")
    assert answers(data)[LIST][0] == "probably not: there are 80 different ones"
    assert SCALE not in answers(data)
    free = (
        "labels are free text, so that similar spellings should agree in part",
        ("krippendorff-alpha(distance=nld)",),
    )
    assert taken(data) == [("", ("krippendorff-alpha",)), free]
    of_spans = spans(labels=[f"word{k}" for k in range(40)], n=40)
    assert "beta=0" in answers(of_spans)[LIST][1]
    assert taken(of_spans) == [("", ("gamma",))]


@pytest.mark.parametrize(
    ("data", "answer", "measure"),
    [
        (ratings("low", "mid", "high"), "apparently: low < mid < high", "krippendorff-alpha"),
        (spans(("low", "mid", "high")), "apparently: low < mid < high", "gamma"),
        (spans(("1", "2", "3")), "perhaps: all are numbers", "gamma(distance=numeric)"),
    ],
)
def test_scales_that_are_proposed(data, answer, measure):
    assert answers(data)[SCALE] == (answer, "if so, near misses should cost less")
    expected = measure if "(" in measure else f"{measure}(distance=ordinal(low,mid,high))"
    assert ("labels form a scale", (expected,)) in taken(data)
    assert any("scale" in sentence for sentence in advise(data).report)


@pytest.mark.parametrize(
    ("data", "answer", "distance"),
    [
        (ratings("1", "2", "3"), "apparently: ordinal: 1 < 2 < 3", "ordinal"),
        (ratings(1.5, 2, 3), "apparently: interval scale: 3 different numbers from 1.5 to 3", "interval"),
        (
            replace(ratings("low", "mid", "high"), question=Question(kind="ordered")),
            "yes: ordinal: low < mid < high",
            "ordinal(low,mid,high)",
        ),
    ],
)
def test_scales_that_are_taken(data, answer, distance):
    assert answers(data)[SCALE] == (answer, "near misses cost less")
    first, *others = taken(data)
    assert first == ("", (f"krippendorff-alpha(distance={distance})",))
    assert ("labels are only names or codes", ("krippendorff-alpha",)) in others
    assert any("scale" in sentence for sentence in advise(data).report)


def test_two_annotators_and_a_scale():
    data = Ratings.of([[1, 2], [3, 3], [2, 2]], rows="items")
    assert ("these two annotators are the only ones of interest", ("weighted-kappa",)) in taken(data)
    told = replace(
        Ratings.of([["a", "b"], ["c", "c"]], rows="items"), question=Question(kind="ordered", order=tuple("bac"))
    )
    assert taken(told)[-1][1] == ("weighted-kappa(weights=linear(b,a,c))",)


def test_measures_of_scales_are_named_if_there_are_any():
    """The registry decides: those that are not registered are never named."""
    data, fitting = ratings(1.5, 2, 3), ["krippendorff-alpha", "icc"]
    ways = [*taking._of_items("krippendorff-alpha(distance=interval)", fitting, facts.Facts(data).labels)]
    assert ("icc",) in [way.measures for way in ways]
    assert {name for way in advise(data).take for name in way.measures} <= {
        "krippendorff-alpha",
        "krippendorff-alpha(distance=interval)",
        "krippendorff-alpha(distance=ordinal)",
        *measures(),
    }


def test_labels_in_the_way_of_a_scale():
    data = ratings("1", "2", "3", "n/a")
    answer, therefore = answers(data)[SCALE]
    assert answer == "perhaps, but 'n/a' is not on the scale 1 < 2 < 3"
    assert therefore == "if 'n/a' means that there is no answer, treat that as missing"
    assert taken(data) == [("", ("krippendorff-alpha",))]


def test_whether_names_are_a_scale_is_asked_back():
    assert answers(ratings("noun", "verb", "other"))[SCALE][0] == "only you can know"
    assert SCALE not in answers(ratings("yes", "no"))


def test_sets():
    data = ratings("A", "B", "A|B")
    assert answers(data)[SETS][0] == "apparently: there are labels like A|B"
    first, *others = taken(data)
    assert first == ("", ("krippendorff-alpha(distance=masi)",))
    assert [named for _, named in others] == [("krippendorff-alpha(distance=set)",), ("krippendorff-alpha",)]
    assert answers(replace(data, question=Question(kind="sets")))[SETS][0] == "yes, 2 names, any number at once: A, B"


def test_a_taxonomy():
    data = replace(ratings(("a/b",), ("a/c",), ("d",)), question=Question(kind="paths"))
    assert answers(data)["Do labels belong to a taxonomy?"] == ("yes, 3 places", "places near each other agree in part")
    first = ("", ("krippendorff-alpha(distance=hierarchy)",))
    assert taken(data) == [first, ("only identical labels agree", ("krippendorff-alpha",))]


def test_a_label_that_prevails_brings_ac1_into_command_and_report():
    data = Ratings.of([["no", "no", "no"]] * 20 + [["no", "yes", "no"]], rows="items")
    found = advise(data)
    assert answers(data)[PREVAILS][0] == "yes, 98% are no"
    assert found.take[0].measures == ("krippendorff-alpha", "gwet-ac1")
    assert found.report[0].startswith("α and AC1")
    assert any("98% of the labels are no" in sentence for sentence in found.report)
    scale = Ratings.of([[1, 1, 1]] * 20 + [[1, 2, 3]], rows="items")
    assert taken(scale)[0] == ("", ("krippendorff-alpha(distance=ordinal)", "gwet-ac2"))
    assert ("labels are only names or codes", ("krippendorff-alpha", "gwet-ac1")) in taken(scale)
    words = Ratings.of([["low", "low", "low"]] * 20 + [["low", "mid", "high"]], rows="items")
    both = ("krippendorff-alpha(distance=ordinal(low,mid,high))", "gwet-ac2(weights=quadratic(low,mid,high))")
    assert ("labels form a scale", both) in taken(words)
    assert taken(words)[0] == ("", ("krippendorff-alpha", "gwet-ac1"))


def test_a_label_that_prevails_among_items_that_stand_for_many():
    data = Ratings.of([["no", "no"], ["yes", "no"]], rows="items")
    assert PREVAILS not in answers(data)
    assert answers(replace(data, repeats=np.array([10, 1])))[PREVAILS][0] == "yes, 95% are no"


def test_several_features_are_all_named():
    data = Corpus.from_columns(
        annotator=list("ab"), start=[0, 1], end=[5, 5], features={"pos": ["x", "y"], "lemma": ["u", "v"]}
    )
    assert answers(data)["Is there one label per unit?"][0] == "no, there are pos, lemma"
    assert taken(data) == [("", ("gamma(features=[pos,lemma])",))]


def test_one_label_of_units_and_of_items():
    units = spans(labels=("A",))
    assert answers(units)[LIST] == ("there is only one: A", "only positions matter")
    assert "cu-alpha" in advise(units).unfit
    assert "uα is possible" in answers(units)[OVERLAP][1]
    items = advise(ratings("x"))
    assert items.take == ()
    assert items.lacking.startswith("All items have the same label")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (Corpus.from_columns(annotator=["a"], start=[0], end=[5]), "Add the work of a second annotator"),
        (Ratings.of({"a": ["x", "y"]}), "Add the work of a second annotator"),
        (
            Corpus.from_columns(annotator=[], start=[], end=[], worked=[("d", "a"), ("d", "b")]),
            "Nobody marked anything",
        ),
        (
            Ratings.of([["x", "x"], ["x", "x"], ["y", None]], rows="items"),
            "Nothing can be measured yet. krippendorff-alpha: it would have no value: ",
        ),
        (
            spans(n=2, length=15, texts={"a": "abcdefghij" * 3, "b": "abcdefghijk" * 3}),
            "Nothing can be measured yet. text-gamma: ",
        ),
    ],
)
def test_what_is_lacking_is_said(data, said):
    found = advise(data)
    assert found.take == ()
    assert found.report == ()
    assert found.lacking.startswith(said)
    assert str(found).endswith(found.lacking)


def test_rewritten_words():
    data = Normalizations.of({"original": ["vnd", "jn"], "a": ["und", "in"], "b": ["und", "ihn"]})
    assert answers(data) == {"Did annotators rewrite words?": ("yes", "agreement on rewritten words: normalization")}
    assert taken(data) == [("", ("normalization",))]


@pytest.mark.parametrize(
    "data",
    [
        ratings("x", "y"),
        ratings("low", "mid", "high"),
        ratings("A", "B", "A|B"),
        ratings("1", "2", "3"),
        ratings(1.5, 2, 3),
        replace(ratings(("a/b",), ("a/c",), ("d",)), question=Question(kind="paths")),
        spans(),
        spans(("1", "2", "3")),
        spans(starts=(0, 0)),
        spans(labels=None),
        unisono.from_masses([[2, 3, 6], [2, 2, 7]]),
    ],
)
def test_what_is_advised_can_be_measured(data):
    found = advise(data)
    default = default_measure(data)
    assert found.fitting[0].name == default.declaration.name
    assert not isinstance(data, Ratings) or found.take[0].measures[0] == str(default)
    for way in found.take:
        for text in way.measures:
            measure = parse_measure(text)
            assert str(measure) == text
            assert measure.compute(data).undefined is None
    for one in found.fitting:
        if one.align is None:
            assert parse_measure(one.name).compute(data).undefined is None


def layered():
    """Units of two layers, each with features of its own."""
    corpus = spans()
    n = corpus.n_units
    layers = {"type": ["NE", "Event"], "value": ["PER", None], "Typ": [None, "x"]}
    return replace(corpus, features={name: feature(labels * (n // 2)) for name, labels in layers.items()})


def test_layers_are_to_be_chosen_as_measure_says(tmp_path):
    """Advice and plain `measure` agree: one layer at a time."""
    found = advise(layered())
    assert (found.take, found.layers) == ((), ("Event", "NE"))
    assert "choose a layer" in found.lacking
    assert "several layers (Event, NE)" in found.unfit["gamma"]
    with pytest.raises(unisono.DataError, match=r"several layers \(Event, NE\)"):
        default_measure(layered()).compute(layered())
    path = tmp_path / "layers.csv"
    unisono.write(layered(), path)
    done = run("advise", path)
    assert f"unisono advise {path} --layer Event\n" in done.stdout
    assert "-m" not in done.stdout.split()
    assert "choose one (--layer Event)" in run("measure", path).stderr
    assert "unisono measure" in run("advise", path, "--layer", "Event").stdout


def many(corpus, n=4):
    """Repeat a document under other names."""
    columns = [corpus.document, corpus.annotator, corpus.start, corpus.end]
    _, who, start, end = (np.tile(column, n) for column in columns)
    return Corpus.from_columns(
        document=[f"d{k}" for k in range(n) for _ in range(corpus.n_units)],
        annotator=[corpus.annotators[code] for code in who.tolist()],
        start=start,
        end=end,
        features={name: column.values() * n for name, column in corpus.features.items()},
    )


@pytest.mark.parametrize(
    "data",
    [
        many(spans()),
        many(spans(length=12)),
        many(spans(starts=(0, 0))),
        many(spans(labels=None)),
        many(spans(labels=("A",))),
        many(unisono.from_masses([[2, 3, 6], [2, 2, 7]])),
        many(layered()),
    ],
)
def test_a_part_of_large_data_shows_what_fits(data, monkeypatch):
    expected = advise(data)
    monkeypatch.setattr(facts, "ENOUGH", 30)
    found = advise(data)
    assert (found.fitting, found.take) == (expected.fitting, expected.take)
    assert found.unfit == expected.unfit


def test_what_declarations_rule_out_is_not_tried(monkeypatch):
    """Spans that do not coincide are no ratings, and gaps are no segmentation; that is found out once for all."""
    tried = Counter()

    def recorded(declaration, data):
        tried[declaration.family] += 1

    monkeypatch.setattr(advice, "_tried", recorded)
    found = advise(spans())
    assert tried == {"units": 7, "normalization": 1}
    assert {"cohen-kappa", "krippendorff-alpha", "pk"} <= set(found.unfit)


def test_numbers():
    assert all_numbers(["1", 2, "3.5"])
    assert not all_numbers(["1", "2"])
    assert not all_numbers([True, 2, 3])
    assert not all_numbers(["1", "2", "nan"])


FRAME = pyarrow.table(
    {"document": list("uvwxyz") * 2, "annotator": ["a"] * 6 + ["b"] * 6, "start": range(12), "end": range(3, 15)}
)


def test_frames_are_taken():
    assert advise(FRAME).fitting[0].name == "gamma"
    assert unisono.compare(FRAME, FRAME, ["span-f1"])[0].values == (0.0, 0.0)


def test_other_kinds_of_units_are_named_as_they_are_read():
    spans = Corpus.from_columns(annotator=["a", "b"], start=[0, 0], end=[4, 4])
    both = replace(spans, others={"relations": {"R": 2}})
    said = "There are 2 relations of 1 type, too: to measure relations instead, choose {}."
    assert said.format("units='relations'") in advise(both).observations
    assert said.format("--units relations") in advised(both, as_reading_option).observations
    assert "\x02" not in str(advise(both).to_dict())
