"""Which units count, what their labels are, and what positions are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.preparation import prepare
from unisono.preparation.conversion import to_atoms, to_ratings
from unisono.preparation.positions import unicode_tokens

TEXT = "The old man's boat, 3.5 m long, sank."


def made(rows, *, text=None, features=("category",), tokens=None):
    who, start, end, *labels = zip(*rows, strict=True)
    return Corpus.from_columns(
        annotator=who,
        start=start,
        end=end,
        features=dict(zip(features, labels, strict=True)),
        texts=None if text is None else {("document", name): text for name in set(who)},
        tokens=None if tokens is None else {"document": tokens},
    )


def rows(corpus):
    return [(u.annotator, u.start, u.end, *u.features.values()) for document in corpus for u in document.units]


LAYERED = made(
    [("a", 0, 3, "Entity", "PER", None), ("a", 4, 7, "Entity", "LOC", None), ("b", 0, 3, "Word", None, "DET")],
    features=("type", "value", "pos"),
    text=TEXT,
)


def test_layers_and_the_features_that_they_have():
    found = prepare(LAYERED, layers=["Entity"])
    assert [*found.features] == ["value"]
    assert found.n_units == 2
    assert found.worked.all()  # b worked on the document and marked nothing of the kind
    assert found.dropped == {"units of other layers": 1}
    both = prepare(LAYERED, layers=["Entity", "Word"])
    assert [*both.features] == ["type", "value", "pos"]


def test_layers_that_are_not_there():
    with pytest.raises(OptionError, match="layers: unknown layer 'Entiti'; available: Entity, Word"):
        prepare(LAYERED, layers=["Entiti"])
    with pytest.raises(OptionError, match="one layer only"):
        prepare(made([("a", 0, 1, "x")]), layers=["Entity"])


def test_features_keep_the_type_while_there_are_several():
    assert [*prepare(LAYERED, features=["value"]).features] == ["type", "value"]
    assert [*prepare(LAYERED, layers=["Entity"], features=["value"]).features] == ["value"]
    with pytest.raises(OptionError, match="features: unknown feature 'wert'; available: type, value, pos"):
        prepare(LAYERED, features=["wert"])


def test_the_continuum_stays_when_units_go():
    corpus = made([("a", 0, 3, "x"), ("b", 0, 3, "x"), ("b", 90, 100, "y")])
    found = prepare(corpus, where='category == "x"')
    assert next(iter(found)).bounds == (0, 100)


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ('category == "X"', [0, 2]),
        ('category != "X"', [1, 3]),
        ('category in ["X", "Y"]', [0, 1, 2]),
        ('category not in ("X",)', [1, 3]),
        ("category == None", [3]),
        ("length > 3", [1, 3]),
        ("1 <= start < 9", [1, 2]),
        ("size > 2", [1]),  # a missing number is not more than another
        ('annotator == "a" and not length > 3', [0]),
        ('document == "document" or False', [0, 1, 2, 3]),
        ('text == "The"', [0]),
        ('matches(text, "^o")', [1, 2]),
        ('feature["odd name"] == "z"', [2]),
        ("start == -1", []),
    ],
)
def test_where(expression, kept):
    corpus = made(
        [
            ("a", 0, 3, "X", 1, None),
            ("a", 4, 11, "Y", 3, None),
            ("b", 4, 7, "X", None, "z"),
            ("b", 20, 25, None, 2, None),
        ],
        features=("category", "size", "odd name"),
        text=TEXT,
    )
    everything = rows(corpus)
    assert rows(prepare(corpus, where=expression)) == [everything[k] for k in kept]


@pytest.mark.parametrize(
    "expression",
    [
        "category = 'x'",
        "",
        "__import__('os').system('true')",
        "category.upper() == 'X'",
        "open('x')",
        "(lambda: 1)()",
        "[x for x in category]",
        "kategorie == 'x'",
        "category is 'x'",
        "2 ** 999999999 > 1",
        "matches(category, '(')",
        "(" * 3000,
        "not " * 900 + "True",
        'f"{category}"',
        "start in 3",
        "category in 3",
        "3 in category",
        "category > 3",
        "3 <= category",
        "start > True",
        "category > ['x']",
    ],
)
def test_where_knows_only_what_it_should(expression):
    with pytest.raises(OptionError, match=r"^where: "):
        prepare(made([("a", 0, 1, "x")]), where=expression)


SCORED = made(
    [
        ("a", 0, 3, "X", "4", ("p", "q")),
        ("a", 3, 5, "Y", None, None),
        ("a", 5, 9, "Z", "2.0", ("p",)),
        ("b", 0, 3, "X", "10", ("q",)),
    ],
    features=("category", "score", "tags"),
)


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("score > 3", [0, 3]),
        ("not (score > 3)", [1, 2]),
        ('score > 3 or category == "Y"', [0, 1, 3]),
        ('category == "Y" or score > 3', [0, 1, 3]),
        ("3 < score < 10", [0]),
        ("score == 2", [2]),
        ("score != 2", [0, 1, 3]),
        ("score in [2, 10]", [2, 3]),
        ("score not in [2, 10]", [0, 1]),
        ('start == "5"', [2]),
        ('score > "3"', [0]),  # two texts are compared as texts
        ("score < None", []),
        ("score == None", [1]),
        ("category == 3", []),
        ('"p" in tags', [0, 2]),
        ('"p" not in tags', [1, 3]),
        ('tags == ["q", "p"]', [0]),
        ("tags in [None, ['q']]", [1, 3]),
        ('"X" in category', [0, 3]),
        ("score in category", []),
    ],
)
def test_where_compares_each_pair_for_itself(expression, kept):
    everything = rows(SCORED)
    assert rows(prepare(SCORED, where=expression)) == [everything[k] for k in kept]


def test_where_keeps_long_numbers_apart():
    corpus = made([("a", 0, 1, "12345678901234567"), ("b", 0, 1, "12345678901234568")])
    assert prepare(corpus, where="category == 12345678901234567").n_units == 1


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("category > 3", 'where: cannot use .category > 3.: category is text.*; write e.g. category == "X"$'),
        ("3 >= category", 'category is text.*; write e.g. category == "X"$'),
        ("tags > 3", r'tags is a set.*; write e.g. tags == \["p", "q"\]$'),
        ("start in 3", r'start cannot be in 3, which is a number; write e.g. category in \["A", "B"\]$'),
        ("start in category", "start cannot be in category, which is text"),
    ],
)
def test_where_says_what_cannot_be_compared(expression, said):
    with pytest.raises(OptionError, match=said):
        prepare(SCORED, where=expression)


def test_labels_are_cleaned():
    corpus = made([("a", 0, 1, ' "Mouse" '), ("a", 2, 3, "mouse"), ("b", 0, 1, "the  Cat"), ("b", 4, 5, "“”")])
    assert [row[3] for row in rows(prepare(corpus, clean=["quotes"]))] == ["Mouse", "mouse", "the  Cat", None]
    found = prepare(corpus, clean=["case", "spaces", "quotes"])
    assert [row[3] for row in rows(found)] == ["mouse", "mouse", "the cat", None]
    assert found.features["category"].labels == ("mouse", "the cat")
    with pytest.raises(OptionError, match="clean: unknown cleaning step 'upper'"):
        prepare(corpus, clean=["upper"])


def test_sets_of_labels_are_cleaned_member_by_member():
    found = prepare(made([("a", 0, 1, ("X", "x")), ("b", 0, 1, ("Y",))]), clean=["case"])
    assert [row[3] for row in rows(found)] == [("x",), ("y",)]


def test_a_set_of_empty_labels_is_none():
    found = prepare(made([("a", 0, 1, ("“”",)), ("b", 0, 1, ("“Y”", ""))]), clean=["quotes"])
    assert [row[3] for row in rows(found)] == [None, ("Y",)]


def test_features_are_joined_as_the_slides_do():
    corpus = made(
        [("a", 0, 1, "Mouse", "Mouse"), ("b", 0, 1, "Mouse", None), ("b", 2, 3, None, None)],
        features=("Speaker", "Addressee"),
    )
    found = prepare(corpus, join=["Speaker", "Addressee"])
    assert [row[3] for row in rows(found)] == ["Addressee=Mouse+Speaker=Mouse", "Speaker=Mouse", None]
    with pytest.raises(OptionError, match="join: unknown feature 'Hearer'"):
        prepare(corpus, join=["Speaker", "Hearer"])


def test_joined_labels_that_differ_stay_different():
    different = [("x+g=y", None), ("x", "y"), ("x|y", None), (("x", "y"), None), ("x\\", "y"), ("x\\+g=y", None)]
    corpus = made([(str(k), 0, 1, *labels) for k, labels in enumerate(different)], features=("f", "g"))
    found = [row[3] for row in rows(prepare(corpus, join=["f", "g"]))]
    assert found[:4] == [r"f=x\+g\=y", "f=x+g=y", r"f=x\|y", "f=x|y"]
    assert len(set(found)) == len(different)
    named = made([("a", 0, 1, "x", None), ("b", 0, 1, None, "y=x")], features=("f=y", "f"))
    assert len(prepare(named, join=["f=y", "f"]).features["category"].labels) == 2


# Tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (TEXT, ["The", "old", "man's", "boat", ",", "3.5", "m", "long", ",", "sank", "."]),
        ("", []),
        (" \n ", []),
        ("für’s", ["für’s"]),
    ],
)
def test_unicode_tokens(text, tokens):
    assert [text[start:end] for start, end in unicode_tokens(text).tolist()] == tokens


@given(st.text())
def test_unicode_tokens_cover_all_but_white_space(text):
    spans = unicode_tokens(text).tolist()
    inside = [place for start, end in spans for place in range(start, end)]
    assert inside == sorted(set(inside))
    assert all(text[place].isspace() for place in set(range(len(text))) - set(inside))


def test_positions_are_numbers_of_tokens():
    corpus = made([("a", 0, 7, "X"), ("a", 8, 18, "Y"), ("b", 10, 12, "X"), ("b", 3, 4, "Z")], text=TEXT)
    found = prepare(corpus, positions="tokens")
    assert rows(found) == [("a", 0, 2, "X"), ("a", 2, 4, "Y"), ("b", 1, 1, "Z"), ("b", 2, 3, "X")]
    assert next(iter(found)).bounds == (0, 11)
    assert found.dropped == {
        "units that began or ended within a token, extended to whole tokens": 1,
        "units that cover no token and have length 0 now": 1,
    }
    assert found.start.dtype == np.int64


def test_tokens_of_the_file_count_before_others():
    corpus = made([("a", 0, 7, "X")], text=TEXT, tokens=[(0, 7), (8, 13)])
    assert rows(prepare(corpus, positions="tokens")) == [("a", 0, 1, "X")]
    assert rows(prepare(corpus, positions="tokens(own)")) == [("a", 0, 1, "X")]
    assert rows(prepare(corpus, positions="tokens(unicode)")) == [("a", 0, 2, "X")]
    assert rows(prepare(corpus, positions=r"tokens(regex=\S+)")) == [("a", 0, 2, "X")]
    assert rows(prepare(corpus, positions="tokens(regex=.)")) == [("a", 0, 7, "X")]


def test_units_without_length_cover_no_token_before_and_after():
    assert prepare(made([("a", 3, 3, "X")], text=TEXT), positions="tokens").dropped == {}


@pytest.mark.parametrize(
    "tokens", [[(4, 7), (0, 3)], [(0, 7), (4, 7)], [(0, 3), (0, 3)], [(0, 3), (3, 3), (4, 7)], [(0, 3), (2, 7)]]
)
def test_tokens_of_the_file_that_do_not_follow_each_other(tokens):
    corpus = made([("a", 4, 7, "X")], text=TEXT, tokens=tokens)
    with pytest.raises(
        DataError, match=r"tokens of document 'document' overlap, .*; use positions='tokens\(unicode\)'"
    ):
        prepare(corpus, positions="tokens(own)")
    found = prepare(corpus, positions="tokens")
    assert rows(found) == [("a", 1, 2, "X")]
    assert [n for what, n in found.dropped.items() if what.startswith("documents whose own tokens overlap")] == [1]
    with pytest.raises(DataError, match="there is no text"):
        prepare(made([("a", 4, 7, "X")], tokens=tokens), positions="tokens")


@pytest.mark.parametrize("positions", ["tokens", "tokens(own)"])
def test_tokens_of_the_file_need_the_same_text_too(positions):
    two = Corpus.from_columns(
        annotator=["a", "b"],
        start=[0, 0],
        end=[1, 2],
        texts={("document", "a"): "x", ("document", "b"): "yy"},
        tokens={"document": [(0, 1)]},
    )
    with pytest.raises(DataError, match="different texts of document 'document'"):
        prepare(two, positions=positions)


def test_texts_that_differ_in_white_space_have_the_same_tokens():
    """CorefAnnotator wrote one text of SANTA with line ends of two kinds."""
    two = Corpus.from_columns(
        annotator=["a", "b"],
        start=[6, 5],
        end=[9, 8],
        texts={("document", "a"): "Ah,\r\r\nhe saw", ("document", "b"): "Ah,\r\nhe saw"},
        tokens={"document": [(0, 3)]},
    )
    found = prepare(two, positions="tokens")
    assert [(unit.start, unit.end) for unit in found["document"].units] == [(2, 3), (2, 3)]
    assert found.dropped["documents in which annotators have different white space, counted in the tokens of each text"]
    other = replace(two, texts={**two.texts, (0, 1): "Ah,\r\nshe saw"})
    with pytest.raises(DataError, match=r"different texts of document 'document' \(a and b\)"):
        prepare(other, positions="tokens")


@given(st.text(" abΩ.\n", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_the_text_of_units_is_kept_where_positions_are_tokens(text, one, other):
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    corpus = made([("a", start, end, "X")], text=text)
    counting = prepare(corpus, positions="tokens")
    assert counting.texts == {}  # positions are no characters of it
    document, (unit,) = counting["document"], counting["document"].units
    assert text[start:end].strip() in document.quoting()(unit.start, unit.end)
    if unit.start < unit.end:
        low, high = document.characters(unit.start, unit.end)
        again = prepare(made([("a", low, high, "X")], text=text), positions="tokens")
        assert rows(again) == rows(counting)
    assert counting.select(documents=["document"])["document"].readable == text


def test_positions_within_a_character_are_no_characters():
    for start, end in ((1.9, 4.0), (0.0, 3.5)):
        with pytest.raises(OptionError, match="not characters"):
            prepare(made([("a", start, end, "X")], text=TEXT), positions="tokens")
        with pytest.raises(OptionError, match="not characters"):
            prepare(made([("a", start, end, "X")], tokens=[(0, 7)]), positions="tokens")
    assert rows(prepare(made([("a", 0.0, 7.0, "X")], text=TEXT), positions="tokens")) == [("a", 0, 2, "X")]


@pytest.mark.parametrize(
    ("positions", "error", "said"),
    [
        ("words", OptionError, "positions: expected tokens"),
        ("tokens(regex=()", OptionError, "is invalid"),
        ("tokens(own)", DataError, "no tokens of document"),
    ],
)
def test_tokens_that_cannot_be(positions, error, said):
    with pytest.raises(error, match=said):
        prepare(made([("a", 0, 7, "X")], text=TEXT), positions=positions)


def test_tokens_need_a_text_and_the_same_one():
    with pytest.raises(DataError, match="there is no text"):
        prepare(made([("a", 0, 7, "X")]), positions="tokens")
    with pytest.raises(OptionError, match="not characters"):
        prepare(made([("a", 0.5, 7, "X")]), positions="tokens")
    two = Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[1, 1], texts={("document", "a"): "x", ("document", "b"): "y"}
    )
    with pytest.raises(DataError, match="different texts"):
        prepare(two, positions="tokens")


# Adjacent units


def test_adjacent_units_of_the_same_labels_become_one():
    corpus = made(
        [
            ("a", 0, 3, "X"),
            ("a", 3, 7, "X"),
            ("a", 8, 13, "X"),
            ("a", 14, 18, "Y"),
            ("a", 20, 23, "X"),
            ("b", 0, 3, "X"),
            ("b", 4, 7, "Y"),
        ],
        text=TEXT,
    )
    found = prepare(corpus, adjacent=True)
    assert rows(found) == [
        ("a", 0, 13, "X"),
        ("a", 14, 18, "Y"),
        ("a", 20, 23, "X"),
        ("b", 0, 3, "X"),
        ("b", 4, 7, "Y"),
    ]
    assert found.dropped == {"units merged with the one before": 2}


def test_units_between_do_not_matter_and_overlap_stays():
    corpus = made([("a", 0, 10, "X"), ("a", 2, 4, "Y"), ("a", 10, 12, "X"), ("a", 11, 20, "X")])
    assert rows(prepare(corpus, adjacent=True)) == [("a", 0, 12, "X"), ("a", 2, 4, "Y"), ("a", 11, 20, "X")]


@pytest.mark.parametrize(
    ("units", "merged"),
    [
        ([(0, 5), (2, 3), (5, 8)], [(0, 8), (2, 3)]),
        ([(0, 5), (0, 5), (5, 8)], [(0, 8)]),
        ([(0, 5), (5, 6), (5, 8)], [(0, 8)]),
        ([(0, 5), (5, 8), (8, 9), (6, 7)], [(0, 9), (6, 7)]),
        ([(0, 5), (0, 5)], [(0, 5), (0, 5)]),
        ([(0, 5), (5, 5), (5, 8)], [(0, 8)]),
        ([(0.5, 1.5), (1.5, 2.5), (2.6, 3)], [(0.5, 2.5), (2.6, 3)]),
    ],
)
def test_units_that_touch_whatever_is_between(units, merged):
    corpus = made([("a", start, end, "X") for start, end in units])
    assert rows(prepare(corpus, adjacent=True)) == [("a", start, end, "X") for start, end in merged]


def touch(one, other, text):
    """Whether the second unit follows the first without a gap, by the definition."""
    (*mine, _, end), (*yours, start, _) = one, other
    return mine == yours and (end == start or (end < start and text[end:start].isspace()))


def chained(units, text):
    """What hangs together, found step by step."""
    groups = [[unit] for unit in units]
    while True:
        pairs = ((i, j) for i in range(len(groups)) for j in range(len(groups)) if i != j)
        found = next(
            ((i, j) for i, j in pairs if any(touch(one, other, text) for one in groups[i] for other in groups[j])), None
        )
        if found is None:
            return sorted((*group[0][:2], min(u[2] for u in group), max(u[3] for u in group)) for group in groups)
        i, j = found
        groups[i].extend(groups[j])
        del groups[j]


SPANS = st.tuples(st.integers(0, 8), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("XY"), SPANS), max_size=9),
    st.one_of(st.just(""), st.text("w ", min_size=11, max_size=11)),
)
def test_adjacent_units_are_what_the_definition_says(drawn, text):
    units = [(who, label, *span) for who, label, span in drawn]
    if not units:
        return
    corpus = made([(who, start, end, label) for who, label, start, end in units], text=text or None)
    found = prepare(corpus, adjacent=True)
    assert sorted((who, label, start, end) for who, start, end, label in rows(found)) == chained(units, text)
    assert sum(found.dropped.values()) == len(units) - found.n_units
    assert rows(prepare(found, adjacent=True)) == rows(found)


def test_tokens_then_adjacent():
    corpus = made([("a", 0, 3, "X"), ("a", 4, 7, "X")], text=TEXT)
    assert rows(prepare(corpus, positions="tokens", adjacent=True)) == [("a", 0, 2, "X")]


def test_nothing_asked_for_changes_nothing():
    assert prepare(LAYERED) is LAYERED
    empty = Corpus.from_columns(annotator=[], start=[], end=[], worked=[("d", "a")])
    assert prepare(empty, adjacent=True, clean=["case"], where="True").n_units == 0


def test_what_was_done_is_recorded_in_order_and_in_one_spelling():
    found = prepare(
        LAYERED,
        adjacent=True,
        positions=" tokens(unicode) ",
        features=["value"],
        where='value  !=   "O"   and start<  30',
        clean=("spaces", "case"),
        layers=["Word", "Entity"],
    )
    assert found.preparation == (
        ("layers", "Entity,Word"),
        ("clean", "case,spaces"),
        ("where", "value != 'O' and start < 30"),
        ("features", "value"),
        ("positions", "tokens(unicode)"),
        ("adjacent", "merged"),
    )
    assert prepare(LAYERED).preparation == ()
    assert prepare(LAYERED, join="value").preparation == (("join", "value"),)


def test_names_that_would_be_misread_are_quoted_in_the_record():
    corpus = made([("a", 0, 1, "x", "y")], features=("f,g", "h|i"))
    assert prepare(corpus, features=["f,g", "h|i"]).preparation == (("features", '"f,g","h|i"'),)


def test_a_corpus_remembers_its_preparation():
    found = prepare(prepare(LAYERED, layers=["Entity"], annotators=["a"], where="start > 0"), where="start > 3")
    steps = (("annotators", "a"), ("layers", "Entity"), ("where", "start > 0"), ("where", "start > 3"))
    assert found.preparation == steps
    assert to_ratings(found, unmarked="none").preparation == (*steps, ("converted", "ratings(unmarked=none)"))
    assert to_atoms(found, atom="token").preparation == (*steps, ("converted", "atoms(atom=token)"))


def test_annotators_and_documents_of_any_data():
    corpus = Corpus.from_columns(document=["d", "e"] * 2, annotator=[*"aabb"], start=[0] * 4, end=[1] * 4)
    found = prepare(corpus, annotators=["a"], documents="e")
    assert (found.annotators, found.documents) == (("a",), ("e",))
    labels = prepare({"a": ["x", "y"], "b": ["x", "x"], "c": ["y", "y"]}, annotators=["a", "c"])
    assert labels.annotators == ("a", "c")
    with pytest.raises(DataError, match="unknown annotator 'z'"):
        prepare(corpus, annotators=["z"])


@pytest.mark.parametrize("step", [{"layers": ["x"]}, {"join": ["x"]}, {"positions": "tokens"}, {"adjacent": True}])
def test_only_units_take_the_other_steps(step):
    with pytest.raises(OptionError, match=f"{next(iter(step))}: only for units") as caught:
        prepare({"a": ["x", "y"], "b": ["x", "x"]}, **step)
    assert caught.value.parameter == next(iter(step))


def test_an_expression_that_is_nested_too_deeply():
    empty = Corpus.from_columns(annotator=[], start=[], end=[], worked=[("d", "a")])
    with pytest.raises(OptionError, match=r"nested too deeply|not an expression"):
        prepare(empty, where="not " * 490 + "start")
