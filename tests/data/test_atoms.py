"""Spans as ratings of atoms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.data import Corpus
from unisono.data.atoms import atoms_from_units, sentences, tokens
from unisono.errors import DataError, OptionError

TEXT = "Ada met Bob in Rome. They ate… “Good!” said Bob.\nAda slept"


def corpus(marked, **more):
    who, start, end, category = zip(*marked, strict=True)
    return Corpus.from_columns(annotator=who, start=start, end=end, features={"category": category}, **more)


def spelled(ratings):
    """Write the labels of each annotator, atom by atom."""
    table = [*map(str, ratings.labels), None]
    repeats = np.repeat(np.arange(len(ratings.codes)), ratings.repeats)
    return {
        name: [table[code] for code in ratings.codes[repeats, index]] for index, name in enumerate(ratings.annotators)
    }


def test_characters():
    ratings = atoms_from_units(
        corpus([("A", 1, 3, "x"), ("A", 3, 4, "y"), ("B", 2, 5, "x")], bounds={"document": (0, 6)})
    )
    assert spelled(ratings) == {
        "A": ["blank", "x", "x", "y", "blank", "blank"],
        "B": ["blank", "blank", "x", "x", "x", "blank"],
    }
    assert ratings.n_items == 6
    assert list(ratings.items) == [0, 1, 2, 3, 4, 5]


def test_one_row_stands_for_many_atoms():
    ratings = atoms_from_units(
        corpus([("A", 10, 20_000, "x"), ("B", 30, 50_000, "x")], bounds={"document": (5, 10**9)})
    )
    assert ratings.n_items == 10**9 - 5
    assert ratings.repeats.tolist() == [5, 20, 19_970, 30_000, 10**9 - 50_000]
    assert list(ratings.items) == [5, 10, 30, 20_000, 50_000]


def test_documents_and_who_worked_on_them():
    data = Corpus.from_columns(
        annotator=["A", "B", "C", "A"],
        document=["d1", "d1", "d2", "d3"],
        start=[0, 1, 0, 0],
        end=[2, 2, 1, 1],
        features={"category": ["x", "y", "x", "x"]},
        bounds={"d1": (0, 2), "d2": (0, 1), "d3": (0, 1)},
        worked=[("d3", "C")],
    )
    ratings = atoms_from_units(data)
    assert ratings.documents == ("d1", "d2", "d3")
    assert ratings.document.tolist() == [0, 0, 2]
    assert spelled(ratings) == {"A": ["x", "x", "x"], "B": ["blank", "y", None], "C": [None, None, "blank"]}


def test_tokens():
    assert (
        " ".join(TEXT[a:b] for a, b in tokens(TEXT))
        == "Ada met Bob in Rome . They ate … “ Good ! ” said Bob . Ada slept"
    )
    assert ["né_2"[a:b] for a, b in tokens("né_2")] == ["né_2"]


def test_sentences():
    found = [TEXT[a:b] for a, b in sentences(TEXT)]
    assert found == ["Ada met Bob in Rome.", "They ate…", "“Good!”", "said Bob.", "Ada slept"]
    assert list(sentences("")) == []
    assert list(sentences("  \n ")) == []
    assert [a for a, _ in sentences("3.14 is not cut. Is it?! No")] == [0, 17, 25]


@given(st.text(alphabet="ab .!?…”\n"))
def test_sentences_hold_all_but_white_space(text):
    found = list(sentences(text))
    assert "".join("".join(text[a:b].split()) for a, b in found) == "".join(text.split())
    assert all(text[a:b].strip() == text[a:b] != "" for a, b in found)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(found))


def test_an_atom_has_the_label_of_what_covers_its_middle():
    texts = {("document", who): TEXT for who in "AB"}
    data = corpus([("A", 0, 3, "x"), ("A", 8, 10, "x"), ("B", 2, 9, "y")], texts=texts)
    labels = spelled(atoms_from_units(data, atom="token"))
    assert labels["A"][:4] == ["x", "blank", "x", "blank"]
    assert labels["B"][:4] == ["blank", "y", "blank", "blank"]
    labels = spelled(atoms_from_units(data, atom="sentence"))
    assert labels == {"A": ["blank"] * 5, "B": ["blank"] * 5}


def test_steps():
    data = corpus([("A", 0.0, 0.3, "x"), ("B", 0.1, 0.26, "x")], bounds={"document": (0, 0.5)})
    ratings = atoms_from_units(data, atom=0.1)
    assert spelled(ratings) == {"A": ["x", "x", "x", "blank", "blank"], "B": ["blank", "x", "x", "blank", "blank"]}
    assert atoms_from_units(data, atom=0.2).n_items == 2  # the last half step has its middle beyond the end


def test_a_label_that_is_blank():
    ratings = atoms_from_units(corpus([("A", 0, 1, "blank"), ("B", 0, 1, "x")], bounds={"document": (0, 2)}))
    assert ratings.labels == ("(blank)", "blank", "x")


def test_what_is_refused():
    data = corpus([("A", 0, 5, "x"), ("A", 4, 6, "x"), ("B", 0, 1, "x")])
    with pytest.raises(DataError, match="overlap"):
        atoms_from_units(data)
    for atom in (0, -1, float("nan"), float("inf"), "word", None):
        with pytest.raises(OptionError, match="atom must be"):
            atoms_from_units(corpus([("A", 0, 5, "x"), ("B", 0, 1, "x")]), atom=atom)
    texts = {("document", "A"): "one", ("document", "B"): "two"}
    with pytest.raises(DataError, match="annotators have different texts"):
        atoms_from_units(corpus([("A", 0, 3, "x"), ("B", 0, 1, "x")], texts=texts), atom="token")
    with pytest.raises(DataError, match=r"the continuum starts or ends at 9\.5"):
        atoms_from_units(corpus([("A", 0, 5, "x"), ("B", 0, 1, "x")], bounds={"document": (0, 9.5)}))


def test_the_corpus_of_spaces_has_no_tokens():
    data = corpus([("A", 0, 1, "x"), ("B", 0, 2, "x")], texts={("document", who): "   " for who in "AB"})
    assert atoms_from_units(data, atom="token").n_items == 0


def test_work_grows_with_units_not_with_length():
    marked = [(who, 1000 * k, 1000 * k + 500 + int(who == "B"), "x") for who in "AB" for k in range(1000)]
    assert len(atoms_from_units(corpus(marked)).codes) < 4002
