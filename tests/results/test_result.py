"""What the results of all measures have in common: plain data, copies, subsets of annotators, signatures, frames."""

from __future__ import annotations

import copy
import functools
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import pytest

import unisono
from unisono.data import Corpus, Normalizations, Ratings
from unisono.errors import DataError, OptionError
from unisono.measurement.registry import measures
from unisono.results import DOCUMENT, TABLES

FAMILIES = {name: declared.family for name, declared in measures().items()}
TWO_ONLY = [name for name, declared in measures().items() if declared.two_only]
SAMPLED = ("gamma", "text-gamma")
SPECS = {
    "gamma": "gamma(precision=0.2)",
    "text-gamma": "text-gamma(precision=0.5,p_text=0.1,p_segmentation=0.1)",
}
"""Measures as they are called here: sampling is short."""

every = pytest.mark.parametrize("name", FAMILIES)
schema = functools.cache(lambda: jsonschema.Draft202012Validator(unisono.Result.json_schema()))
"""Made once: checking whether a schema is one takes longer than checking data."""

TEXTS = {"d1": "deraltemangieng", "d2": "zurstatundkam", "d3": "jnderstat"}
CUTS = {
    "anna": {"d1": [3, 7, 10, 15], "d2": [3, 7, 10, 13], "d3": [2, 5, 9]},
    "bert": {"d1": [3, 8, 15], "d2": [2, 7, 13], "d3": [2, 5, 9]},
    "chris": {"d1": [3, 7, 10, 15], "d2": [3, 10, 13], "d3": [5, 9]},
}
LABELS = {"anna": "XYZX", "bert": "XXZY", "chris": "YYZX"}


def units():
    rows = [
        (document, who, start, end, LABELS[who][k])
        for who, of_documents in CUTS.items()
        for document, ends in of_documents.items()
        for k, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True))
    ]
    names, who, start, end, label = zip(*rows, strict=True)
    texts = {(document, annotator): text for document, text in TEXTS.items() for annotator in CUTS}
    return Corpus.from_columns(
        document=names, annotator=who, start=start, end=end, features={"category": label}, texts=texts
    )


def relations():
    """Each unit with the stretch before it."""
    corpus, rows = units(), []
    for document in corpus:
        before = {}
        for unit in document.units:
            target = before.get(unit.annotator, (unit.start, unit.end))
            before[unit.annotator] = unit.start, unit.end
            anchors = [("source", unit.start, unit.end), ("target", *target)]
            rows.append((document.name, unit.annotator, anchors, unit.category))
    names, who, anchors, label = zip(*rows, strict=True)
    texts = {(document, annotator): text for document, text in TEXTS.items() for annotator in CUTS}
    return Corpus.from_columns(
        document=names, annotator=who, anchors=anchors, features={"category": label}, texts=texts
    )


def ratings():
    return Ratings.from_annotators(
        {
            "anna": [1, 2, 3, 1, 2, 3, 1, 3, 2],
            "bert": [1, 2, 3, 1, 3, 3, 2, 3, 2],
            "chris": [1, 2, 2, 1, 2, 3, 1, None, 2],
        },
        document=["d1"] * 3 + ["d2"] * 3 + ["d3"] * 3,
    )


def words():
    return Normalizations.from_annotators(
        ["jn", "vnd", "gieng", "man", "statt", "kam"],
        {
            "anna": ["in", "und", "ging", "man", "Stadt", "kam"],
            "bert": ["ihn", "und", "ging", "Mann", "Stadt", "kam"],
            "chris": ["in", "unde", "ging", "man", "Statt", None],
        },
        document=["d1"] * 2 + ["d2"] * 2 + ["d3"] * 2,
    )


def data_for(name):
    """Data that a measure is made for, of three annotators where it allows more than two."""
    made = {"ratings": ratings, "normalization": words, "relations": relations}.get(FAMILIES[name], units)()
    return made.select(annotators=["anna", "bert"]) if name in TWO_ONLY else made


def measured(name, data=None, **more):
    return unisono.measure(SPECS.get(name, name), data_for(name) if data is None else data, **more)


@pytest.fixture(scope="module")
def results():
    return {name: measured(name) for name in FAMILIES}


@every
def test_the_data_fits(results, name):
    assert results[name].measure == name
    assert results[name].value is not None
    assert results[name].undefined is None


# plain data


@every
def test_plain_data_has_the_same_keys_for_all_measures(results, name):
    given = results[name].to_dict()
    assert list(given) == list(results["gamma"].to_dict())
    assert set(TABLES) <= set(given)
    assert {tuple(document) for document in given["documents"]} == {DOCUMENT}
    assert [document["document"] for document in given["documents"]] == ["d1", "d2", "d3"]


@every
def test_plain_data_is_json(results, name):
    given = results[name].to_dict()
    written = json.dumps(given, allow_nan=False)
    assert json.loads(written) == json.loads(json.dumps(results[name].to_dict()))
    schema().validate(json.loads(written))


@every
def test_plain_data_says_what_the_attributes_say(results, name):
    result, given = results[name], results[name].to_dict()
    for key in ("value", "agreement", "observed", "expected", "expected_error", "undefined", "signature", "measure"):
        assert given[key] == getattr(result, key)
    for key in ("n_documents", "n_annotators", "n_units", "n_samples", "optimality_gap", "expected_gap"):
        assert given[key] == getattr(result, key)
    assert {key for key in TABLES if given[key] is not None} == set(result.rows)
    assert (given["interval"] is None) == (result.interval is None)


@every
def test_only_sampled_measures_have_samples_and_gaps(results, name):
    result = results[name]
    for key in ("n_samples", "optimality_gap", "expected_gap", "expected_error"):
        assert (getattr(result, key) is not None) == (name in SAMPLED), key
    assert bool(result.disagreement) == (name in SAMPLED)
    assert bool(result.alignment) == (name in SAMPLED)
    for document in result.to_dict()["documents"]:
        assert (document["n_samples"] is not None) == (name in SAMPLED)
        assert document["n_annotators"] == result.n_annotators


@every
def test_undefined_values_are_plain_data_too(name):
    alone = measured(name, data_for(name).select(annotators=["anna"]))
    assert alone.value is None
    assert alone.undefined
    given = json.loads(json.dumps(alone.to_dict(), allow_nan=False))
    assert (given["value"], given["undefined"], given["interval"]) == (None, alone.undefined, None)
    schema().validate(given)


# copies


@every
@pytest.mark.parametrize(
    "copied", [lambda result: pickle.loads(pickle.dumps(result)), copy.deepcopy], ids=["pickle", "deepcopy"]
)
def test_copies_are_equal_and_work(name, copied):
    result = measured(name)
    other = copied(result)
    assert other is not result
    assert other == result
    assert hash(other) == hash(result)
    assert other.signature == result.signature
    assert other.interval == result.interval
    assert other.pairwise() == result.pairwise()
    assert other.leave_one_out() == result.leave_one_out()
    assert copied(other) == result  # with everything that has been computed meanwhile


@pytest.mark.parametrize("name", SAMPLED)
def test_results_of_workers_can_be_copied(results, name):
    done = []
    with ThreadPoolExecutor(2) as executor:
        result = measured(name, workers=executor, progress=lambda n, total: done.append((n, total)))
        other = pickle.loads(pickle.dumps(result))
    assert done
    assert other == result == results[name]
    assert other.pairwise() == results[name].pairwise()


# subsets of annotators


@every
def test_pairs_are_what_two_annotators_give(results, name):
    result = results[name]
    rows = result.pairwise()
    people = result.data.annotators
    assert [(row["annotator_1"], row["annotator_2"]) for row in rows] == [
        (a, b) for i, a in enumerate(people) for b in people[i + 1 :]
    ]
    keys = ["annotator_1", "annotator_2", "value", "observed", "expected", "undefined", "agreement", "n_units"]
    assert {tuple(row) for row in rows} == {tuple(keys)}
    if name in TWO_ONLY:
        assert rows[0]["value"] == result.value
    rows[0]["value"] = "changed"
    assert result.pairwise()[0]["value"] != "changed"


@every
def test_leaving_out_is_measuring_the_others(results, name):
    result = results[name]
    rows = result.leave_one_out()
    assert [row["annotator"] for row in rows] == ([] if name in TWO_ONLY else list(result.data.annotators))
    keys = ["annotator", "n_units", *(f"{key}_without" for key in ("value", "observed", "expected", "undefined"))]
    assert {tuple(row) for row in rows} == ({(*keys, "agreement_without")} if rows else set())
    pairs = {(row["annotator_1"], row["annotator_2"]): row["value"] for row in result.pairwise()}
    for row in rows:
        others = tuple(who for who in result.data.annotators if who != row["annotator"])
        assert row["value_without"] == pairs[others]


@every
def test_groups(results, name):
    rows = results[name].groups({"one": ["anna", "bert"], "other": "anna"})
    assert [row["group"] for row in rows] == ["one", "other", "one + other"]
    assert rows[0]["value"] == results[name].pairwise()[0]["value"] == rows[2]["value"]
    assert rows[1]["value"] is None
    for wrong in ([], ["anna"], {"one": []}, {"one": 3}):
        with pytest.raises(OptionError, match="groups: ") as caught:
            results[name].groups(wrong)
        assert caught.value.parameter == "groups"
    with pytest.raises(DataError, match="unknown annotator 'nobody'; available: anna, bert"):
        results[name].groups({"one": ["nobody"]})


# equality, signature


@every
def test_the_same_data_gives_an_equal_result(results, name):
    again = measured(name)
    assert again == results[name]
    assert hash(again) == hash(results[name])
    assert len({again, results[name]}) == 1
    assert again.remeasure(data_for(name)) == again


@every
def test_other_results_are_unequal(results, name):
    for other in (*results, None, 3, results[name].value):
        if other != name:
            assert results[name] != results.get(other, other)
    assert results[name] != measured(name, data_for(name).select(documents=["d1", "d2"]))


def test_results_of_other_parameters_are_unequal():
    data = ratings()
    one, other = (unisono.krippendorff_alpha(data, distance=distance) for distance in ("nominal", "interval"))
    assert one != other
    assert one.signature != other.signature


@every
def test_the_signature_says_how_data_was_prepared(results, name):
    data = data_for(name)
    whole = results[name].signature if name not in TWO_ONLY else measured(name, ratings()).signature
    some = measured(name, data.select(annotators=["anna", "bert"]))
    texts = measured(name, data.select(documents=["d1", "d2"]))
    assert "anna" in some.signature
    assert "bert" in some.signature
    assert "documents=" in texts.signature
    assert len({whole, some.signature, texts.signature}) == 3
    assert some.to_dict()["preparation"] == [list(step) for step in some.preparation] != []
    assert some.signature.count("|") == whole.count("|") + 1


@every
def test_choosing_everybody_changes_nothing(results, name):
    data = data_for(name)
    everybody = measured(name, data.select(annotators=data.annotators, documents=data.documents))
    assert everybody.signature == results[name].signature
    assert everybody == results[name]


# frames


@every
def test_frames_are_the_tables(results, name):
    for table in TABLES:
        frame = results[name].frame(table, "pandas")
        rows = results[name].rows.get(table, [])
        assert len(frame) == len(rows), table
        if rows:
            assert list(frame.columns) == list(rows[0]), table


@every
def test_tables_that_there_are_not(results, name):
    for wrong in ("nonsense", "", None, 3, "documents"):
        with pytest.raises(OptionError, match="name: unknown table") as caught:
            results[name].frame(wrong)
        assert caught.value.parameter == "name"
        for known in results[name].rows:
            assert known in str(caught.value)


@every
def test_headlines_as_frames(results, name):
    for library in ("pandas", "polars", "pyarrow"):
        frame = results[name].to_frame(library)
        assert type(frame).__module__.partition(".")[0] == library
        assert len(frame) == 1
        columns = frame.column_names if library == "pyarrow" else list(frame.columns)
        assert columns == list(results["gamma"].to_frame("pandas").columns)


@every
def test_frames_of_parts(results, name):
    result = results[name]
    assert len(result.per_document) == result.n_documents
    assert len(result.per_pair) == len(result.pairwise())
    assert len(result.per_annotator) == len(result.leave_one_out())
    assert len(result.per_category) == len(result.categories())
