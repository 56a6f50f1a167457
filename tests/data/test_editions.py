"""Editions: texts and units as arrays, by type, with gaps and grapheme clusters, and what is refused."""

from __future__ import annotations

import json
import unicodedata

import numpy as np
import pytest
from text_oracle import columns_of, parse

import unisono
from unisono.data import Corpus
from unisono.data.edition import Edition, Layer
from unisono.data.editions import GAP_TYPE, editions, gap_layer
from unisono.data.stacked_editions import stacked_editions
from unisono.errors import DataError, OptionError

MACRON = unicodedata.lookup("COMBINING MACRON")
TILDE = unicodedata.lookup("COMBINING TILDE")


def corpus_of(units, texts, document="d"):
    """Units (annotator, start, end, features) of one document."""
    names = dict.fromkeys(name for *_, features in units for name in features)
    return Corpus.from_columns(
        annotator=[unit[0] for unit in units],
        document=[document] * len(units),
        start=np.array([unit[1] for unit in units]),
        end=np.array([unit[2] for unit in units]),
        features={name: [unit[3].get(name) for unit in units] for name in names},
        texts={(document, who): text for who, text in texts.items()},
    )


def spans(layer):
    return list(zip(layer.start.tolist(), layer.end.tolist(), strict=True))


def texts_of(made, edition, layer):
    return [made.alphabet.spelled(edition.text[start:end]) for start, end in spans(edition.layers[layer])]


def of(corpus, features=(), **options):
    made = editions(corpus, features, **options)
    return made, made.of_document[0]


# --- text, units and labels ---------------------------------------------------------------------------------------


def test_texts_and_units_as_arrays():
    made, (one, other) = of(Corpus.from_columns(**columns_of(parse("{hat|X}{s|Y} b"), parse("a{hatt|Y}"))), ["pos"])
    assert made.alphabet.symbols == (" ", "a", "b", "h", "s", "t")
    assert made.alphabet.white.tolist() == [True] + [False] * 5
    assert [made.alphabet.spelled(edition.text) for edition in (one, other)] == ["hats b", "ahatt"]
    assert [spans(edition.layers[0]) for edition in (one, other)] == [[(0, 3), (3, 4)], [(1, 5)]]
    assert made.labels == {"pos": ("X", "Y")}
    assert [edition.layers[0].codes.tolist() for edition in (one, other)] == [[[0, 1]], [[1]]]
    assert [kind.name for kind in made.kinds] == ["unit"]
    assert [rows[0].tolist() for rows in made.rows[0]] == [[0, 1], [2]]


@pytest.mark.parametrize("options", [{}, {"gaps": True}, {"graphemes": True}, {"types": ["word"]}])
def test_the_stack_holds_the_same_as_the_editions(options):
    units = [
        ("A", 0, 2, {"type": "word", "pos": "X"}),
        ("A", 3, 5, {"type": "word"}),
        ("A", 0, 5, {"type": "line", "rhyme": "a"}),
        ("B", 0, 2, {"type": "word", "pos": "Y"}),
    ]
    made = editions(
        corpus_of(units, {"A": f"a{TILDE} bc d", "B": f"a{TILDE}  e", "C": ""}), ["pos", "rhyme"], **options
    )
    every = [edition for own in made.of_document.values() for edition in own]
    assert made.stacked == stacked_editions(every)
    assert made.whose.tolist() == [[0, 0], [0, 1], [0, 2]]
    assert (made.sizes.tolist(), made.first.tolist()) == ([3], [0])
    assert [len(own) for rows in made.rows[0] for own in rows] == made.stacked.n_units.ravel().tolist()
    for edition, rows in zip(every, made.rows[0], strict=True):
        for kind, layer, own in zip(made.kinds, edition.layers, rows, strict=True):
            assert layer.codes.shape == (len(kind.features), layer.n_units)
            for name, codes in zip(kind.features, layer.codes, strict=True):
                assert codes.tolist() == made.corpus.features[name].codes[own].tolist()


def test_units_are_in_the_order_of_the_text():
    made, (one, _) = of(corpus_of([("A", 3, 5, {}), ("A", 0, 2, {}), ("A", 2, 2, {})], {"A": "abcde", "B": ""}))
    assert spans(one.layers[0]) == [(0, 2), (2, 2), (3, 5)]
    assert texts_of(made, one, 0) == ["ab", "", "de"]


def test_empty_units_may_stand_where_others_begin_and_end():
    units = [("A", s, e, {}) for s, e in ((0, 0), (0, 2), (2, 2), (2, 2), (2, 4), (4, 4))]
    _, (one, _) = of(corpus_of(units, {"A": "abcd", "B": ""}))
    assert spans(one.layers[0]) == [(0, 0), (0, 2), (2, 2), (2, 2), (2, 4), (4, 4)]


def test_missing_labels():
    corpus = corpus_of([("A", 0, 1, {"pos": "X"}), ("A", 1, 2, {}), ("B", 0, 1, {"pos": "Y"})], {"A": "ab", "B": "ab"})
    _, (one, other) = of(corpus, ["pos"])
    assert one.layers[0].codes.tolist() == [[0, -1]]
    assert other.layers[0].codes.tolist() == [[1]]


def test_documents_of_one_annotator_are_left_out():
    columns = columns_of(parse("{a}"), parse("{b}"))
    columns["texts"]["e", "A"] = "z"
    corpus = Corpus.from_columns(**columns)
    made = editions(corpus, ())
    assert list(made.of_document) == [0]
    assert made.alphabet.symbols == ("a", "b")


def test_positions_as_whole_floats():
    _, (one, _) = of(corpus_of([("A", 0.0, 2.0, {})], {"A": "ab", "B": "ab"}))
    assert spans(one.layers[0]) == [(0, 2)]
    assert one.layers[0].start.dtype == np.int64


def test_the_key_tells_editions_apart():
    base = parse("{ab|X}{c|Y}")
    others = ["{ab|X}{c|X}", "{a|X}{bc|Y}", "{ab|X}{d|Y}", "{ab|X}c", "{ab|X}{c|Y} ", "{ab|X}{c}"]
    made, _ = of(Corpus.from_columns(**columns_of(base, base, *map(parse, others))), ["pos"])
    keys = made.stacked.keys()
    assert keys[0] == keys[1]
    assert len(set(keys)) == len(keys) - 1


def test_editions_without_their_labels():
    made, both = of(Corpus.from_columns(**columns_of(parse("{hat|X}{s|Y}"), parse("{hatt|Y}"))), ["pos"])
    for with_labels, without in zip(both, made.stacked.without_labels().editions([0]), strict=True):
        assert without.layers[0].codes.shape == (0, with_labels.layers[0].n_units)
        assert (without.layers[0].start == with_labels.layers[0].start).all()


# --- types --------------------------------------------------------------------------------------------------------

TYPED = [
    ("A", 0, 5, {"type": "sentence", "mood": "q"}),
    ("A", 0, 2, {"type": "token", "pos": "X"}),
    ("A", 3, 5, {"type": "token", "pos": "Y"}),
    ("B", 0, 5, {"type": "sentence"}),
    ("B", 1, 4, {"type": "name"}),
]
TEXTS = {"A": "ab cd", "B": "ab cd"}


def test_each_type_is_a_layer_with_its_features():
    made, (one, other) = of(corpus_of(TYPED, TEXTS), ["mood", "pos"])
    kinds = {kind.name: (kind.features, place) for place, kind in enumerate(made.kinds)}
    assert {name: features for name, (features, _) in kinds.items()} == {
        "sentence": ("mood",),
        "token": ("pos",),
        "name": (),
    }
    assert spans(one.layers[kinds["token"][1]]) == [(0, 2), (3, 5)]
    assert spans(one.layers[kinds["sentence"][1]]) == spans(other.layers[kinds["sentence"][1]]) == [(0, 5)]
    assert spans(other.layers[kinds["name"][1]]) == [(1, 4)]  # overlaps what is of other types
    assert spans(other.layers[kinds["token"][1]]) == []
    assert one.n_units == 3


def test_types_that_count():
    made, (one, _) = of(corpus_of(TYPED, TEXTS), ["mood", "pos"], types=["name", "token"])
    assert [kind.name for kind in made.kinds] == ["name", "token"]
    assert [spans(layer) for layer in one.layers] == [[], [(0, 2), (3, 5)]]
    assert [kind.features for kind in made.kinds] == [(), ("pos",)]


def test_units_without_a_type_among_others():
    made, (one, _) = of(corpus_of([*TYPED, ("A", 2, 3, {"pos": "X"})], TEXTS), ["pos"])
    assert [kind.name for kind in made.kinds][-1] == "unit"
    assert spans(one.layers[-1]) == [(2, 3)]


def test_overlap_matters_only_in_types_that_count():
    units = [*TYPED, ("A", 1, 4, {"type": "token"})]
    with pytest.raises(DataError, match="overlap"):
        of(corpus_of(units, TEXTS))
    of(corpus_of(units, TEXTS), types=["sentence"])


def test_unknown_types():
    with pytest.raises(OptionError, match="unknown type 'word'; available: name, sentence, token"):
        of(corpus_of(TYPED, TEXTS), types=["word"])
    with pytest.raises(OptionError, match="unknown type 'word'; units have no types"):
        of(corpus_of([("A", 0, 1, {})], TEXTS), types=["word"])


def test_units_without_a_type_are_of_the_type_unit():
    units = [("A", 0, 2, {"type": "unit"}), ("A", 3, 5, {}), ("B", 0, 2, {})]
    made, (one, _) = of(corpus_of(units, TEXTS))
    assert [kind.name for kind in made.kinds] == ["unit"]
    assert spans(one.layers[0]) == [(0, 2), (3, 5)]


def test_a_type_that_is_named_twice_counts_once():
    made, _ = of(corpus_of(TYPED, TEXTS), types=["token", "token", "name"])
    assert [kind.name for kind in made.kinds] == ["token", "name"]


def test_a_column_of_types_without_units():
    corpus = corpus_of(TYPED, TEXTS | {"C": "ab cd", "D": "ab cd"}).select(annotators=["C", "D"])
    made, _ = of(corpus)
    assert len(made.kinds) == 1


# --- gaps ---------------------------------------------------------------------------------------------------------


def gaps(notation, text=None):
    made, (one, _) = of(Corpus.from_columns(**columns_of(parse(notation), parse("{a}"))), gaps=True)
    assert made.kinds[-1].name == GAP_TYPE
    assert made.kinds[-1].features == ()
    assert (made.rows[0][0][-1] == -1).all()
    return texts_of(made, one, len(one.layers) - 1)


@pytest.mark.parametrize(
    ("notation", "found"),
    [
        ("{ab}{cd}", []),
        ("{ab} {cd} \t\n", []),
        ("", []),
        ("   ", []),
        ("ab cd", ["ab cd"]),
        ("  ab  cd ", ["ab  cd"]),
        ("x {ab} y z{cd}w", ["x", "y z", "w"]),
        ("{ab}\u00a0x\u00a0{cd}", ["x"]),
        ("x{}y", ["xy"]),  # an empty unit covers nothing
    ],
)
def test_gaps_are_what_no_unit_covers_without_white_space_around(notation, found):
    assert gaps(notation) == found


def test_gaps_are_outside_all_types():
    made, (one, other) = of(corpus_of(TYPED[1:], {"A": "ab cd ef", "B": "ab cd ef"}), gaps=True)
    last = len(made.kinds) - 1
    assert texts_of(made, one, last) == ["ef"]
    assert texts_of(made, other, last) == ["ef"]
    made, (one, other) = of(corpus_of(TYPED[1:], {"A": "ab cd ef", "B": "ab cd ef"}), types=["name"], gaps=True)
    assert texts_of(made, one, 1) == ["ab cd ef"]
    assert texts_of(made, other, 1) == ["a", "d ef"]


def test_gaps_by_definition():
    white = np.array([True, False, False])
    for seed in range(300):
        rng = np.random.default_rng(seed)
        text = rng.integers(3, size=rng.integers(0, 12))
        layers = []
        for _ in range(int(rng.integers(1, 3))):
            edges = np.sort(rng.integers(len(text) + 1, size=2 * rng.integers(0, 3)))
            layers.append(Layer(edges[::2], edges[1::2], np.zeros((0, len(edges) // 2), np.int64)))
        covered = {k for layer in layers for s, e in spans(layer) for k in range(s, e)}
        letters = "".join("#" if k in covered else " ab"[code] for k, code in enumerate(text.tolist()))
        expected, place = [], 0
        for run in letters.split("#"):
            if run.strip():
                start = place + len(run) - len(run.lstrip())
                expected.append((start, start + len(run.strip())))
            place += len(run) + 1
        assert spans(gap_layer(text, layers, white)) == expected, seed


def test_a_type_named_gap():
    with pytest.raises(OptionError, match="units have a type named 'gap'"):
        of(corpus_of([("A", 0, 1, {"type": "gap"})], TEXTS), gaps=True)
    of(corpus_of([("A", 0, 1, {"type": "gap"})], TEXTS))


# --- grapheme clusters --------------------------------------------------------------------------------------------


def test_marks_stay_with_their_letter():
    text = f"vin{MACRON}{TILDE}s e\r\nz"
    corpus = corpus_of([("A", 0, 6, {}), ("A", 7, 8, {}), ("A", 11, 11, {})], {"A": text, "B": "vm"})
    made, (one, other) = of(corpus, graphemes=True)
    assert [made.alphabet.symbols[code] for code in one.text.tolist()] == [
        *("v", "i", f"n{MACRON}{TILDE}", "s", " ", "e", "\r\n", "z")
    ]
    assert spans(one.layers[0]) == [(0, 4), (5, 6), (8, 8)]
    assert texts_of(made, one, 0) == [f"vin{MACRON}{TILDE}s", "e", ""]
    assert len(other.text) == 2
    assert made.alphabet.white.tolist() == [symbol.isspace() for symbol in made.alphabet.symbols]


def test_code_points_unless_asked_for():
    _, (one, _) = of(corpus_of([("A", 0, 1, {})], {"A": f"n{MACRON}", "B": ""}))
    assert len(one.text) == 2
    assert spans(one.layers[0]) == [(0, 1)]


@pytest.mark.parametrize("unit", [(0, 1), (1, 2), (1, 1), (0, 3)])
def test_a_unit_that_parts_a_letter_from_its_mark(unit):
    # n with a mark, m with a mark
    corpus = corpus_of([("A", *unit, {})], {"A": f"n{MACRON}m{MACRON}", "B": ""})
    said = f"document 'd' by 'A': the unit {unit[0]}–{unit[1]} separates a letter from a mark"
    with pytest.raises(DataError, match=said):
        of(corpus, graphemes=True)
    of(corpus)


@pytest.mark.parametrize("unit", [(0, 2), (2, 4), (0, 4), (2, 2), (0, 0), (4, 4)])
def test_a_unit_of_whole_clusters(unit):
    corpus = corpus_of([("A", *unit, {})], {"A": f"n{MACRON}m{MACRON}", "B": ""})
    _, (one, _) = of(corpus, graphemes=True)
    assert spans(one.layers[0]) == [(unit[0] // 2, unit[1] // 2)]


# --- a pre-annotation takes after the editions --------------------------------------------------------------------


def test_a_pre_annotation_has_the_same_layers_and_all_symbols():
    made = editions(corpus_of(TYPED, TEXTS), ())
    units = [(s, e, {"type": kind}) for s, e, kind in ((0, 2, "token"), (0, 9, "other"), (3, 9, "token"))]
    units += [(0, 9, {"type": "sentence"}), (3, 4, {"type": "name"})]
    base = corpus_of([("base", *unit) for unit in units], {"base": "xy zzzzzz"})
    like = editions(base, (), like=made, fewest=1)
    assert like.kinds == made.kinds
    assert set(like.alphabet.symbols) == set("abcd xyz")
    (edition,) = like.of_document[0]
    sizes = dict(zip([kind.name for kind in made.kinds], [layer.n_units for layer in edition.layers], strict=True))
    assert sizes == {"token": 2, "sentence": 1, "name": 1}


# --- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ([(0, 2), (1, 3)], "document 'd' by 'B': the units 0–2 and 1–3 are both of the type unit and overlap"),
        ([(0, 2), (0, 2)], "the units 0–2 and 0–2 are both of the type unit and overlap"),
        ([(0, 3), (1, 1)], "the units 0–3 and 1–1 are both of the type unit and overlap"),
        ([(0, 6)], "document 'd' by 'B': the unit 0–6 is outside the text, which has 5 characters"),
        ([(6, 6)], "the unit 6–6 is outside the text"),
        ([(-1, 2)], "the unit -1–2 is outside the text"),
        ([(0.5, 2)], "document 'd' by 'B': the unit 0.5–2 does not start and end at whole characters"),
        ([(0, 1), (1, 2.25)], "the unit 1–2.25 does not start and end at whole characters"),
    ],
)
def test_units_that_cannot_be(units, said):
    corpus = corpus_of([("B", *unit, {}) for unit in units], TEXTS)
    with pytest.raises(DataError, match=said):
        of(corpus)


def test_no_text():
    corpus = Corpus.from_columns(annotator=["A", "B"], start=[0, 0], end=[1, 1], texts={("document", "A"): "ab"})
    with pytest.raises(DataError, match="document 'document' has no text by 'B'"):
        of(corpus)


def from_file(tmp_path, *versions):
    path = tmp_path / "two.jsonl"
    path.write_text("".join(json.dumps({"document": "d", **version}) + "\n" for version in versions))
    return path, unisono.read(path)


WHOLE = {"annotator": "A", "text": "abcd", "units": [{"start": 0, "end": 1}]}


@pytest.mark.parametrize(
    ("version", "graphemes"),
    [
        ({"text": "abcd", "units": [{"start": 0, "end": 2}, {"start": 1, "end": 3}]}, False),
        ({"text": "abcd", "units": [{"start": 0, "end": 1.5}]}, False),
        ({"text": f"a{MACRON}", "units": [{"start": 0, "end": 1}]}, True),
        ({"units": [{"start": 0, "end": 1}]}, False),
    ],
)
def test_messages_name_the_file_and_the_line(tmp_path, version, graphemes):
    path, corpus = from_file(tmp_path, WHOLE, {"annotator": "B", **version})
    with pytest.raises(DataError) as caught:
        editions(corpus, (), graphemes=graphemes)
    assert caught.value.path == path
    assert caught.value.line == 2
    assert str(caught.value).startswith(f"{path}, line 2: ")


def test_an_edition_counts_units_of_all_layers():
    empty = np.zeros(0, np.int64)
    layers = (
        Layer(np.arange(3), np.arange(3), np.zeros((0, 3), np.int64)),
        Layer(empty, empty, np.zeros((0, 0), np.int64)),
    )
    assert Edition(empty, layers).n_units == 3
