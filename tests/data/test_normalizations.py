"""Normalizations: how they are made, what is refused, what is selected; units that become normalizations."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.data import Corpus, Normalizations
from unisono.data.rewritten import normalizations_from_units
from unisono.errors import DataError


def texts(data, cells="norm"):
    """(document, original) and what each annotator made of it, token by token."""
    codes = getattr(data, cells)
    names = data.types if cells == "type" else data.forms
    return [
        (
            data.documents[document],
            data.forms[original],
            *(None if code < 0 else names[code] for code in row),
        )
        for document, original, row in zip(data.document, data.original, codes.tolist(), strict=True)
    ]


LONG = {
    "token": ["2", "10", "2", "1"],
    "original": ["vnd", "das", "vnd", "er"],
    "annotator": ["A", "A", "B", "B"],
    "norm": ["und", "dass", " und ", "er"],
}


def test_long_columns_are_ordered_by_the_number_of_the_token():
    data = Normalizations.from_columns(**LONG)
    assert texts(data) == [
        ("document", "er", None, "er"),
        ("document", "vnd", "und", "und"),
        ("document", "das", "dass", None),
    ]
    assert data.annotators == ("A", "B")
    assert (data.n_tokens, data.n_units, data.n_units_of("A"), data.n_units_of("B")) == (3, 4, 2, 2)
    assert data.mod is None
    assert data.type is None
    assert data.sentence is None


def test_tokens_with_names_stay_in_the_order_of_the_table():
    data = Normalizations.from_columns(**{**LONG, "token": ["t2", "t10", "t2", "t1"]})
    assert [row[1] for row in texts(data)] == ["vnd", "das", "er"]


def test_documents_sentences_modernizations_and_types():
    data = Normalizations.from_columns(
        token=[1, 1, 2, 1],
        original=["da", "da", "er", "da"],
        annotator=["A", "B", "A", "A"],
        norm=["da", "da", "er", "dann"],
        mod=["als", None, "", None],
        type=["SEM", None, None, "EXT"],
        document=["d2", "d2", "d2", "d1"],
        sentence=["s1", "s1", "s2", "s1"],
    )
    assert data.documents == ("d2", "d1")
    assert texts(data, "mod") == [("d2", "da", "als", None), ("d2", "er", None, None), ("d1", "da", None, None)]
    assert texts(data, "type") == [("d2", "da", "SEM", None), ("d2", "er", None, None), ("d1", "da", "EXT", None)]
    assert data.sentence.tolist() == [0, 1, 2]


def test_documents_that_take_turns_are_put_together():
    data = Normalizations.of({"original": list("abcd"), "A": list("abcd"), "document": ["x", "y", "x", "y"]})
    assert [row[:2] for row in texts(data)] == [("x", "a"), ("x", "c"), ("y", "b"), ("y", "d")]


def test_what_is_empty_is_missing_and_blanks_around_do_not_count():
    data = Normalizations.of({"original": [" a", "b ", 3], "A": ["", "  ", 3], "B": [None, float("nan"), " x y "]})
    assert texts(data) == [("document", "a", None, None), ("document", "b", None, None), ("document", "3", "3", "x y")]


def test_select():
    data = Normalizations.of(
        {"original": list("abc"), "A": ["a", "b", None], "B": ["x", None, "c"], "document": list("ddf")}
    )
    some = data.select(annotators=["A"])
    assert some.documents == ("d",)
    assert texts(some) == [("d", "a", "a"), ("d", "b", "b")]
    assert texts(data.select(documents=["f"])) == [("f", "c", None, "c")]
    assert texts(data.select(annotators=["A", "B"])) == texts(data)
    with pytest.raises(DataError, match="unknown annotator 'C'; available: A, B"):
        data.select(annotators=["C"])


def test_select_keeps_modernizations_and_sentences():
    data = Normalizations.from_annotators(
        ["a", "b"],
        {"A": ["a", "b"], "B": ["a", "b"]},
        mod={"A": ["x", None]},
        type={"A": ["SEM", None]},
        document=["d", "f"],
        sentence=[1, 1],
    )
    some = data.select(documents=["d"])
    assert texts(some, "mod") == [("d", "a", "x", None)]
    assert texts(some, "type") == [("d", "a", "SEM", None)]
    assert some.sentence.tolist() == [0]


def test_modernizations_of_nobody_are_refused():
    with pytest.raises(DataError, match="'C' has modernizations or types but no normalizations"):
        Normalizations.from_annotators(["a"], {"A": ["a"]}, mod={"C": ["b"]})


def locate(row):
    return "file.csv", row + 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"original": ["vnd", "das", "vnt", "er"]},
            "file.csv, line 4: the token 2 has the original 'vnt' here and 'vnd' elsewhere; number tokens so",
        ),
        (
            {"annotator": ["A", "A", "A", "B"]},
            "file.csv, line 4: the annotator 'A' normalizes the token 2 a second time",
        ),
        ({"original": ["vnd", " ", "vnd", "er"]}, "file.csv, line 3: the original is missing; fill it in"),
        ({"norm": ["und", "dass", ["u"], "er"]}, "is not a word"),
        ({"norm": ["und"]}, "differ in length"),
    ],
)
def test_long_columns_that_are_refused(change, sentence):
    with pytest.raises(DataError) as caught:
        Normalizations.from_columns(**{**LONG, **change}, locate=locate)
    assert sentence in str(caught.value)


def test_a_token_in_two_sentences_is_refused():
    with pytest.raises(DataError, match="the token 2 has the sentence 2 here and 1 elsewhere"):
        Normalizations.from_columns(**LONG, sentence=[1, 1, 2, 1], locate=locate)


def corpus(words, norms, texts=None, **features):
    """A corpus of two annotators, A and B, each with words and their normalizations."""
    annotator, start, end, norm = [], [], [], []
    known = {}
    for who, own in words.items():
        text = " ".join(own)
        known["document", who] = text
        place = 0
        for word, one in zip(own, norms[who], strict=True):
            annotator.append(who)
            start.append(place)
            end.append(place + len(word))
            norm.append(one)
            place += len(word) + 1
    return Corpus.from_columns(
        annotator=annotator,
        start=start,
        end=end,
        features={"norm": norm, **features},
        texts=known if texts is None else texts,
    )


def test_units_become_tokens():
    data = normalizations_from_units(
        corpus({"A": ["vnd", "er"], "B": ["vnd", "er"]}, {"A": ["und", "er"], "B": ["und", None]})
    )
    assert texts(data) == [("document", "vnd", "und", "und"), ("document", "er", "er", None)]


def test_only_units_of_the_type_token_count_if_there_are_any():
    made = Corpus.from_columns(
        annotator=["A"] * 3,
        start=[0, 0, 3],
        end=[5, 2, 5],
        features={"norm": [None, "da", "er"], "type": ["sentence", "token", "token"]},
        texts={("document", "A"): "da er"},
    )
    assert texts(normalizations_from_units(made, type="norm_type")) == [
        ("document", "da", "da"),
        ("document", "er", "er"),
    ]


def test_who_did_not_work_on_a_document_gave_nothing():
    made = Corpus.from_columns(
        document=["d1", "d1", "d2"],
        annotator=["A", "B", "A"],
        start=[0, 0, 0],
        end=[2, 2, 2],
        features={"norm": ["x", "y", "z"]},
        texts={("d1", "A"): "da", ("d1", "B"): "da", ("d2", "A"): "er"},
        documents=["d0"],
    )
    data = normalizations_from_units(made)
    assert texts(data) == [("d1", "da", "x", "y"), ("d2", "er", "z", None)]
    assert data.documents == ("d0", "d1", "d2")
    assert np.array_equal(data.document, [1, 2])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"A": ["vnd", "er"], "B": ["vnd", "es"]}, "in document 'document', token 2 is 'er' for 'A' and 'es' for 'B'"),
        ({"A": ["vnd", "er"], "B": ["vnd"]}, "token 2 is 'er' for 'A' and none for 'B'"),
    ],
)
def test_different_tokens_are_refused(words, sentence):
    with pytest.raises(DataError) as caught:
        normalizations_from_units(corpus(words, words))
    assert sentence in str(caught.value)


def test_units_without_text_or_feature_are_refused():
    words = {"A": ["vnd"], "B": ["vnd"]}
    with pytest.raises(DataError, match="has no text by 'A'"):
        normalizations_from_units(corpus(words, words, texts={}))
    with pytest.raises(DataError, match="units have no feature 'norm_x'; available: norm"):
        normalizations_from_units(corpus(words, words), norm="norm_x")
