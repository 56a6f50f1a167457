"""Measures as text: what is written reads back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from unisono.dissimilarity.category import Hierarchy, Ordinal, Sets
from unisono.errors import OptionError, UnisonoError
from unisono.measurement.registry import Measure, measures, parse_measure
from unisono.measurement.spec import Call, parse_spec


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gamma", {}),
        ("gamma()", {}),
        (" gamma( alpha = 3 , beta=1.5 ) ", {"alpha": "3", "beta": "1.5"}),
        ("gamma(features=[pos:2,lemma,tag:3])", {"features": {"pos": "2", "lemma": "1", "tag": "3"}}),
        ("gamma(features=[pos,lemma])", {"features": ["pos", "lemma"]}),
        ('gamma(features="a, b")', {"features": "a, b"}),
        ("gamma(distance=ordinal(low,very high))", {"distance": Call("ordinal", ("low", "very high"))}),
        ('gamma(distance=matrix("my (1).csv"))', {"distance": Call("matrix", ("my (1).csv",))}),
        (r'gamma(features="say \"x\"")', {"features": 'say "x"'}),
    ],
)
def test_parse(text, expected):
    assert parse_spec(text) == ("gamma", expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "gamma(",
        "gamma(alpha)",
        "gamma(alpha=)",
        "gamma(alpha=1",
        "gamma(alpha=1,alpha=2)",
        'gamma("x)',
        "gamma)x",
    ],
)
def test_unreadable(text):
    with pytest.raises(OptionError, match="cannot read the measure"):
        parse_spec(text)


GAMMA = measures()["gamma"]  # loading all measures takes longer than an example may
words = st.text(min_size=1)
values = st.one_of(
    words,
    st.lists(words, min_size=1),
    st.dictionaries(words, words, min_size=1),
    st.builds(Call, st.sampled_from(["ordinal", "matrix"]), st.lists(words).map(tuple)),
)


@given(values)
def test_str_reads_back(value):
    measure = Measure(GAMMA, {"features": value})
    assert parse_measure(str(measure)) == measure


def test_parameters_reach_the_measure():
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "b"],
        start=[0, 0],
        end=[5, 6],
        features={"category": ["low", "mid"]},
        bounds={"document": (0, 100)},
    )
    by_name = unisono.measure("gamma(alpha=3,distance=ordinal(low,mid,high),chance=shift)", corpus)
    direct = unisono.gamma(corpus, alpha=3, distance=Ordinal(("low", "mid", "high")), chance="shift")
    assert by_name.to_dict() == direct.to_dict()
    assert "features:category=ordinal(low,mid,high)" in by_name.signature


def test_distances_by_feature():
    read = {parameter.name: parameter.read for parameter in measures()["gamma"].parameters}["distance"]
    assert read({"a": "hierarchy", "b": Call("set", (";",))}) == {"a": Hierarchy(), "b": Sets(";")}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("delta", "unknown measure 'delta'; available: gamma"),
        ("gamma(gama=1)", "has no parameter 'gama'"),
        ("gamma(alpha=big)", "alpha=big is invalid; alpha: the weight of positions"),
        ("gamma(chance=dice)", "auto, shift, corpus or statistical"),
        ("gamma(distance=euclid)", "unknown distance 'euclid'; available for γ: nominal"),
        ("gamma(distance=matrix(nowhere.csv))", "nowhere.csv"),
        ("gamma(distance=[a])", "['a'] is not a distance between labels; available for γ: nominal"),
    ],
)
def test_senseless_measures(text, sentence):
    corpus = unisono.Corpus.from_columns(annotator=["a", "b"], start=[0, 0], end=[5, 6])
    with pytest.raises(UnisonoError) as caught:
        unisono.measure(text, corpus)
    assert sentence in str(caught.value)
