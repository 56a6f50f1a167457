"""Agreement on normalization: the paper's example, every rule by hand, tables, and what is refused."""

from __future__ import annotations

import json

import pytest

import unisono
from unisono.data import Corpus, Normalizations
from unisono.errors import DataError, OptionError
from unisono.measurement.normalization import tables
from unisono.measurement.registry import default_measure, parse_measure


def make(**columns):
    return Normalizations.of(columns)


ANSELM = {
    "original": ["gewain", "vnd", "das", "das", "der", "in"],
    "A": ["geweint", "und", "das", "dass", "der", "in"],
    "B": ["weinte", "und", "dass", "das", "der", "ihn"],
    "C": ["geweint", None, "dass", "dass", "der", "in"],
}


def diff(original, normalization, **options):
    return unisono.representation(original, normalization, **options).diff


def test_bollmann_2016_table_4():
    geweint, weinte = (unisono.representation("gewain", word) for word in ("geweint", "weinte"))
    assert geweint.units == weinte.units == tuple("gewain")
    assert geweint.full == ("g", "e", "w", "e", "i", "nt")
    assert weinte.full == ("∅", "∅", "w", "e", "i", "nte")
    assert geweint.diff == ("=", "=", "=", "e", "=", "=t")
    assert weinte.diff == ("∅", "∅", "=", "e", "=", "=te")
    assert str(weinte) == "      g  e  w  a  i  n\nfull  ∅  ∅  w  e  i  nte\ndiff  ∅  ∅  =  e  =  =te"


@pytest.mark.parametrize(
    ("original", "normalization", "expected"),
    [
        ("das", "das", ("=", "=", "=")),
        ("das", "dass", ("=", "=", "=s")),  # inserted, to the left
        ("in", "ihn", ("=h", "=")),
        ("er", "der", ("d=", "=")),  # word-initial: to the right
        ("er", "xyer", ("xy=", "=")),
        ("r", "der", ("de=",)),
        ("a", "bac", ("b=c",)),  # both
        ("vnd", "und", ("u", "=", "=")),
        ("umb", "um", ("=", "=", "∅")),  # deleted
        ("aab", "ab", ("∅", "=", "=")),  # at a tie a pair is taken before a deletion, from the end
        ("ab", "xy", ("x", "y")),
        ("a=b", "a∅b", ("=", "∅", "=")),  # signs of the text, not labels
        ("semgad", "sammt gad", ("=", "a", "=mt ", "=", "=", "=")),  # one becomes two
    ],
)
def test_rules_of_the_representation(original, normalization, expected):
    assert diff(original, normalization) == expected


def test_signs_in_the_text_are_not_taken_for_labels():
    """A character that becomes = is not unchanged, and one that becomes ∅ is not deleted."""
    kept = make(original=["ab", "cd"], A=["ab", "cd"], B=["=b", "cd"])
    other = make(original=["ab", "cd"], A=["ab", "cd"], B=["xb", "cd"])
    assert unisono.normalization(kept).value == pytest.approx(unisono.normalization(other).value)
    deleted = make(original=["abc", "cd"], A=["bc", "cd"], B=["∅bc", "cd"])
    assert unisono.normalization(deleted).observed > 0
    edits = {(row["label_1"], row["label_2"]) for row in unisono.normalization(deleted).rows["edits"]}
    assert edits == {("∅", "∅")}


def test_values_by_hand():
    """Two tokens, two annotators: a|b becomes x= and ==; ab stays."""
    data = make(original=["ab", "ab"], A=["xb", "ab"], B=["ab", "ab"])
    result = unisono.normalization(data, distance="nominal")
    # 8 labels, 7 identities and one x: 1 of 4 characters differs
    assert result.observed == pytest.approx(2 / 8)
    assert result.expected == pytest.approx(2 * 7 * 1 / (8 * 7))
    assert result.value == pytest.approx(0.0)
    words = unisono.normalization(data, level="word", distance="nld")
    assert words.observed == pytest.approx(2 * 0.5 / 4)
    assert words.expected == pytest.approx(2 * 3 * 0.5 / (4 * 3))


def test_the_default_is_by_characters_with_nld_on_all_tokens():
    data = make(**ANSELM)
    result = unisono.normalization(data)
    assert result.signature.startswith("normalization|level:character|distance:nld|subset:all|lower:false|")
    again = unisono.measure("normalization(level=character,distance=nld,subset=all)", data)
    assert again.to_dict() == result.to_dict()
    assert result.symbol == "α_NLD"
    assert result.n_units == 17
    assert default_measure(data).declaration.name == "normalization"


def test_subsets():
    rows = {row["subset"]: row for row in unisono.normalization(make(**ANSELM)).rows["subsets"]}
    assert [rows[name]["n_tokens"] for name in ("ALL", "MEDIUM", "STRICT")] == [6, 5, 2]
    assert rows["STRICT"]["n_characters"] == 9  # gewain and vnd, of which C's is missing and does not count


def test_missing_normalizations_do_not_count_as_changed_or_not():
    data = make(original=["a", "b", "c"], A=["x", None, "y"], B=["x", "y", None], C=["x", "y", "c"])
    rows = {row["subset"]: row["n_tokens"] for row in unisono.normalization(data).rows["subsets"]}
    assert rows == {"ALL": 3, "MEDIUM": 3, "STRICT": 2}


def test_a_token_with_one_normalization_is_told():
    data = make(original=["a", "b"], A=["x", "b"], B=[None, "c"])
    assert unisono.normalization(data).notes == (
        "1 of 2 tokens has normalizations from fewer than two annotators and cannot show agreement",
    )


def test_agreement_is_the_mean_over_pairs_of_annotators():
    data = make(original=list("abcd"), A=list("abcd"), B=["a", "b", "x", None], C=["a", None, None, None])
    row = unisono.normalization(data).rows["subsets"][0]
    assert row["word_agreement"] == pytest.approx((2 / 3 + 1 + 1) / 3)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ("Vnd", "und")),
        ({"lower": True}, ("vnd", "und")),
        ({"form": "NFC"}, ("Vnd", "und")),
    ],
)
def test_case(options, expected):
    data = make(original=["Vnd"], A=["und"], B=["Und"])
    rows = unisono.normalization(data, **options).rows["disagreements"]
    assert bool(rows) != options.get("lower", False)
    assert unisono.normalization(data, show=expected[0], **options).rows["representation"][0]["n"] >= 1


def test_unicode_forms():
    data = make(original=["f\u00fcr", "x"], A=["fu\u0308r", "x"], B=["f\u00fcr", "y"])
    assert [row["original"] for row in unisono.normalization(data).rows["disagreements"]] == ["f\u00fcr", "x"]
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        rows = unisono.normalization(data, form=form).rows
        assert [row["original"] for row in rows["disagreements"]] == ["x"]


def test_graphemes():
    word = "gu\u0364t"  # u with e above
    assert diff(word, "gut") == ("=", "=", "∅", "=")
    assert diff(word, "gut", characters="graphemes") == ("=", "u", "=")
    shown = unisono.representation(word, "gu\u0364te", characters="graphemes")
    assert shown.units == ("g", "u\u0364", "t")
    assert shown.full == ("g", "u\u0364", "te")
    data = make(original=[word, "a"], A=["gut", "a"], B=[word, "a"])
    points, clusters = (unisono.normalization(data, characters=c) for c in ("codepoints", "graphemes"))
    assert points.rows["subsets"][0]["n_characters"] == 5
    assert clusters.rows["subsets"][0]["n_characters"] == 4
    words = unisono.normalization(data, level="word", characters="graphemes")
    assert words.observed == pytest.approx(2 * (1 / 3) / 4)


def test_punctuation_is_dropped_if_asked_for():
    data = make(original=["a", ".", "—«", "b"], A=["a", ".", "x", "c"], B=["a", "!", "y", "b"])
    dropped = unisono.normalization(data, punctuation="drop")
    assert dropped.rows["subsets"][0]["n_tokens"] == 2
    assert dropped.notes == ("2 tokens of 4 left out or joined to others, as requested",)


def test_joined_tokens_are_one_unit_for_all():
    data = make(
        original=["zu", "hant", "der"],
        A=["zuhand", "+", "der"],
        B=["zu", "hand", "der"],
        C=["zu", None, "der"],
    )
    result = unisono.normalization(data, joined="+", show="zu hant")
    assert result.rows["subsets"][0]["n_tokens"] == 2
    shown = {row["form"]: row["diff"] for row in result.rows["representation"]}
    assert shown == {
        "zuhand": ("=", "=", "∅", "=", "=", "=", "d"),
        "zu hand": ("=", "=", "=", "=", "=", "=", "d"),
    }
    assert result.rows["disagreements"][0]["forms"] == [{"form": "zu hand", "n": 1}, {"form": "zuhand", "n": 1}]


def test_longer_chains_of_joined_tokens():
    data = make(original=["a", "b", "c", "d"], A=["x", "+", "y", "d"], B=["v", "w", "+", "d"])
    rows = unisono.normalization(data, joined="+").rows["disagreements"]
    assert [row["original"] for row in rows] == ["a b c"]
    assert {form["form"] for form in rows[0]["forms"]} == {"x y", "v w"}


def test_joined_modernizations():
    data = Normalizations.from_annotators(
        ["zu", "hant"],
        {"A": ["zehant", "+"], "B": ["zu", "hand"]},
        mod={"A": ["sogleich", None], "B": [None, "gleich"]},
        type={"A": ["EXT", None], "B": [None, "EXT"]},
    )
    rows = unisono.normalization(data, joined="+").rows
    assert rows["modernization"][2]["type"] == "EXT"
    assert rows["modernization"][2]["n_tokens"] == 1


def test_nothing_stands_before_the_first_token():
    data = Normalizations.of({"original": ["a", "b"], "A": ["a", "+"], "B": ["a", "b"], "document": ["d1", "d2"]})
    with pytest.raises(DataError, match="the first token of document 'd2', 'b', is marked '\\+'"):
        unisono.normalization(data, joined="+")


def test_a_normalization_of_two_words_is_one_label():
    data = make(original=["zehant", "a"], A=["zu hand", "a"], B=["zuhand", "a"])
    result = unisono.normalization(data, level="word")
    assert result.observed == pytest.approx(2 * (1 / 7) / 4)


MODERN = [
    # original, then norm, mod, type of A and of B
    ("da", ("da", "als", "SEM"), ("da", "als", "SEM")),
    ("er", ("er", None, None), ("er", None, None)),
    ("sein", ("sein", "ihn", "INFL"), ("sein", None, None)),
    ("verlaugnent", ("verleugnet", "verleugnete", "INFL"), ("verleugnet", "verleugnete", "INFL")),
    ("zuhant", ("zehant", "sogleich", "EXT"), ("zuhand", "sofort", "EXT")),
    ("kraet", ("kräht", "krähte", "INFL"), ("kräht", "krähte", "SEM")),
    ("han", ("hahn", None, None), ("hahn", None, None)),
]


@pytest.fixture
def modern():
    cells = {
        what: {who: [row[1 + a][k] for row in MODERN] for a, who in enumerate("AB")}
        for k, what in enumerate(("norm", "mod", "type"))
    }
    return Normalizations.from_annotators(
        [row[0] for row in MODERN], cells["norm"], mod=cells["mod"], type=cells["type"]
    )


def test_types_of_modernization_as_in_table_7(modern):
    rows = {row["subset"]: row for row in unisono.normalization(modern).rows["types"]}
    assert [rows[name]["n_tokens"] for name in ("ALL", "MEDIUM", "STRICT")] == [7, 5, 4]
    # SEM–SEM, ORIG–ORIG, INFL–ORIG, INFL–INFL, EXT–EXT, INFL–SEM, NORM–NORM
    labels = [["S", "S"], ["O", "O"], ["I", "O"], ["I", "I"], ["E", "E"], ["I", "S"], ["N", "N"]]
    assert rows["ALL"]["agreement"] == pytest.approx(5 / 7)
    assert rows["ALL"]["alpha"] == pytest.approx(unisono.krippendorff_alpha(labels, rows="items").value)
    strict = [["S", "S"], ["I", "I"], ["E", "E"], ["I", "S"]]
    assert rows["STRICT"]["alpha"] == pytest.approx(unisono.krippendorff_alpha(strict, rows="items").value)


def test_confusion_of_types_as_in_table_8(modern):
    rows = unisono.normalization(modern).rows["confusion"]
    n = {(row["type_1"], row["type_2"]): row["n"] for row in rows}
    assert len(n) == 15
    assert n["ORIG", "ORIG"] == n["NORM", "NORM"] == n["SEM", "SEM"] == 1
    assert n["ORIG", "INFL"] == n["SEM", "INFL"] == 0.5  # one token, either direction
    assert sum(value * (1 if one == other else 2) for (one, other), value in n.items()) == 7


def test_confusion_is_a_mean_over_pairs():
    data = Normalizations.from_annotators(
        ["a"], {"A": ["a"], "B": ["a"], "C": ["a"]}, type={"A": ["X"], "B": ["X"], "C": ["Y"]}
    )
    rows = {(row["type_1"], row["type_2"]): row["n"] for row in unisono.normalization(data).rows["confusion"]}
    assert rows["X", "X"] == pytest.approx(1 / 3)
    assert rows["X", "Y"] == pytest.approx(2 / 3 / 2)


def test_modernization_where_the_type_is_agreed_as_in_table_9(modern):
    rows = {row["type"]: row for row in unisono.normalization(modern).rows["modernization"]}
    assert {name: row["n_tokens"] for name, row in rows.items()} == {
        "ORIG": 1,
        "NORM": 1,
        "SEM": 1,
        "INFL": 1,
        "EXT": 1,
    }
    assert rows["ORIG"]["agreement"] == 1
    assert rows["ORIG"]["alpha"] is None
    assert "all labels are the same ('=')" in rows["ORIG"]["undefined"]
    assert rows["NORM"]["alpha"] == 1  # of the normalization: han becomes hahn
    extinct = make(original=["zuhant"], A=["sogleich"], B=["sofort"])
    assert rows["EXT"]["alpha"] == pytest.approx(unisono.normalization(extinct, distance="nominal").value)
    assert rows["EXT"]["alpha_nld"] == pytest.approx(unisono.normalization(extinct).value)


def test_type_without_modernization_is_told_and_used():
    data = Normalizations.from_annotators(
        ["a", "b"],
        {"A": ["a", "b"], "B": ["a", "c"]},
        mod={"A": ["x", None], "B": ["y", "z"]},
        type={"A": ["SEM", "SEM"], "B": [None, "SEM"]},
    )
    result = unisono.normalization(data)
    assert result.notes == (
        "1 type of modernization without a modernization (the first: 'b' by 'A' in 'document'): the type counts, the "
        "modernization is missing",
        "1 modernization without a type (the first: 'a' by 'B' in 'document'): the type is missing there",
    )
    assert result.rows["types"][0]["n_tokens"] == 1
    assert {row["type"]: row["n_tokens"] for row in result.rows["modernization"]}["SEM"] == 0


def test_no_types_no_tables():
    result = unisono.normalization(make(**ANSELM))
    assert not {"types", "confusion", "modernization"} & set(result.rows)
    data = Normalizations.from_annotators(["a"], {"A": ["a"], "B": ["b"]}, mod={"A": ["x"], "B": ["y"]})
    assert "1 modernization not compared" not in str(unisono.normalization(data).notes)
    assert (
        "2 modernizations not compared because there is no type of modernization" in unisono.normalization(data).notes
    )


def test_disagreements():
    data = make(
        original=["das", "das", "das", "in", "der"],
        A=["das", "das", "das", "in", "der"],
        B=["dass", "das", "dass", "ihn", "der"],
        C=["dass", "das", "das", "ihn", None],
    )
    assert unisono.normalization(data).rows["disagreements"] == [
        {"original": "das", "n_tokens": 2, "of": 3, "forms": [{"form": "das", "n": 3}, {"form": "dass", "n": 3}]},
        {"original": "in", "n_tokens": 1, "of": 1, "forms": [{"form": "ihn", "n": 2}, {"form": "in", "n": 1}]},
    ]


def test_confused_edits():
    data = make(
        original=["das", "das", "in"], A=["das", "das", "in"], B=["dass", "das", "ihn"], C=["dass", "das", "en"]
    )
    assert unisono.normalization(data).rows["edits"] == [
        {"character": "i", "label_1": "=", "label_2": "=h", "n": 1, "example": "in"},
        {"character": "i", "label_1": "=", "label_2": "e", "n": 1, "example": "in"},
        {"character": "i", "label_1": "=h", "label_2": "e", "n": 1, "example": "in"},
        {"character": "s", "label_1": "=", "label_2": "=s", "n": 1, "example": "das"},
    ]


def test_representation_of_a_token_of_the_data():
    result = unisono.normalization(make(**ANSELM))
    geweint, weinte = result.representation("gewain")
    assert geweint.normalization == "geweint"
    assert weinte.diff == ("∅", "∅", "=", "e", "=", "=te")
    with pytest.raises(OptionError, match="unknown token 'wainen'"):
        result.representation("wainen")
    with pytest.raises(OptionError, match="show=wainen: no such token"):
        unisono.normalization(make(**ANSELM), show="wainen")
    assert "show" not in unisono.normalization(make(**ANSELM), show="gewain").signature


def test_pairs_and_subsets_of_annotators():
    result = unisono.normalization(make(**ANSELM))
    pairs = {(row["annotator_1"], row["annotator_2"]): row["value"] for row in result.pairwise()}
    listed = {(r["annotator_1"], r["annotator_2"]): r["character_alpha_nld"] for r in result.rows["annotator_pairs"]}
    assert pairs == pytest.approx(listed)
    assert len(result.leave_one_out()) == 3


def test_many_annotators_have_no_table_of_pairs():
    columns = {f"a{i}": ["a", "b" if i % 2 else "c"] for i in range(13)}
    result = unisono.normalization({"original": ["a", "b"], **columns})
    assert result.rows["annotator_pairs"] == []
    assert any("pairs of annotators are not listed" in note for note in result.notes)


@pytest.mark.parametrize(
    ("columns", "options", "reason"),
    [
        (
            {"original": ["a"], "A": ["b"]},
            {},
            "agreement needs two annotators or more, but there is only A; add the work of another annotator",
        ),
        ({"original": ["a"], "A": ["b"], "B": [None]}, {}, "no token was normalized by two annotators"),
        ({"original": [], "A": [], "B": []}, {}, "no token was normalized by two annotators"),
        ({"original": ["a"], "A": ["a"], "B": ["a"]}, {}, "all labels are the same ('=')"),
        ({"original": ["a"], "A": ["b"], "B": ["b"]}, {"level": "word"}, "all labels are the same ('b')"),
        (
            {"original": ["a"], "A": ["a"], "B": ["a"]},
            {"subset": "medium"},
            "no token was changed by any of at least two",
        ),
        (
            {"original": ["a"], "A": ["a"], "B": ["b"]},
            {"subset": "strict"},
            "no token was changed by all of at least two",
        ),
        (
            {"original": ["a", "a"], "A": ["a", "a"], "B": ["a", "a"]},
            {"level": "edits", "distance": "masi"},
            "all normalizations make the same edits",
        ),
    ],
)
def test_undefined_values_have_a_reason(columns, options, reason):
    result = unisono.normalization(columns, **options)
    assert result.value is None
    assert reason in result.undefined
    assert result.interval is None
    assert "nan" not in json.dumps(result.to_dict()).lower()
    assert result.tables() is not None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"level": "syllable"}, "level=syllable is invalid; level: "),
        ({"distance": "euclid"}, "distance=euclid is invalid; distance: "),
        ({"subset": "some"}, "subset=some is invalid; subset: "),
        ({"distance": "masi"}, "distance=masi compares sets of edits; set level=edits"),
        ({"level": "edits"}, "level=edits compares sets of edits; set distance=masi"),
        ({"form": "NFX"}, "form=NFX is invalid; form: "),
        ({"punctuation": "eat"}, "punctuation=eat is invalid; punctuation: "),
        ({"characters": "bytes"}, "characters=bytes is invalid; characters: "),
        ({"norm": "normalized"}, "norm: names a feature of units, but this is a table; leave it out"),
        ({"size": 3}, "has no parameter 'size'"),
    ],
)
def test_senseless_options(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        _ = unisono.normalization(make(**ANSELM), **options).value


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (unisono.Ratings.of([[1, 2]], rows="items"), "these are labels of items"),
        ("words.csv", r"words\.csv: there is no such file"),
        ({"A": ["a"], "B": ["b"]}, "these are labels of items; normalizations need the column original"),
        ({"original": ["a", "b"], "A": ["a"]}, "differ in length"),
        ({"original": ["a", ""], "A": ["a", "b"]}, "row 2: the original is missing"),
    ],
)
def test_data_that_cannot_be_used(data, sentence):
    with pytest.raises(DataError, match=sentence):
        unisono.normalization(data)


def test_bare_tables_are_labels():
    with pytest.raises(OptionError, match="rows: a bare table is ambiguous"):
        unisono.normalization([["a", "b"]])
    with pytest.raises(DataError, match="these are labels of items; normalizations need the column original"):
        unisono.normalization([["a", "b"]], rows="items")


def test_a_token_that_is_no_token():
    data = make(original=["x" * 5000, "a"], A=["y" * 5000, "a"], B=["z", "a"])
    with pytest.raises(DataError, match="has 5,000 characters, which together with its normalization are too many"):
        _ = unisono.normalization(data).value


@pytest.mark.parametrize("name", ["gamma", "krippendorff-alpha", "boundary-similarity", "u-alpha", "span-f1"])
def test_other_measures_say_that_words_were_rewritten(name):
    assert parse_measure(name).unfit(make(**ANSELM)) == ("these are words that annotators rewrote; use normalization")


def test_advice():
    found = unisono.advise(make(**ANSELM))
    assert found.fitting[0].name == "normalization"
    assert found.observations == (
        "3 annotators rewrote 6 tokens that were given to them; 5 were changed by at least one.",
        "1 of 18 normalizations are missing; the others are used.",
    )


def test_units_with_features():
    text = "da kraet"
    rows = [("A", 0, 2, "da", None, None), ("A", 3, 8, "kräht", "krähte", "INFL")]
    rows += [("B", 0, 2, "da", None, None), ("B", 3, 8, "krät", None, None)]
    who, start, end, norm, mod, kind = zip(*rows, strict=True)
    corpus = Corpus.from_columns(
        annotator=who,
        start=start,
        end=end,
        features={"norm": norm, "norm_broad": mod, "norm_type": kind},
        texts={("document", name): text for name in "AB"},
    )
    result = unisono.normalization(corpus)
    table = Normalizations.from_annotators(
        ["da", "kraet"],
        {"A": ["da", "kräht"], "B": ["da", "krät"]},
        mod={"A": [None, "krähte"], "B": [None, None]},
        type={"A": [None, "INFL"], "B": [None, None]},
    )
    assert result.value == unisono.normalization(table).value
    assert result.rows == unisono.normalization(table).rows
    assert result.documents[0].n_units == 4
    assert result.pairwise()[0]["value"] == result.value
    with pytest.raises(DataError, match="units have no feature 'lemma'; available: norm, norm_broad, norm_type"):
        unisono.normalization(corpus, norm="lemma")


def test_interval_over_texts():
    columns = {who: ["a", "b", "c"] * 10 for who in ("original", "A", "B")}
    columns["B"] = [f"{word}x" if i in (0, 7, 9, 14, 21, 28) else word for i, word in enumerate(columns["B"])]
    texts = unisono.normalization({**columns, "document": [str(i // 5) for i in range(30)]})
    assert texts.interval.method == "jackknife over 6 texts"
    assert texts.interval.low < texts.value < texts.interval.high < 1
    one = unisono.normalization(columns)
    assert one.interval.method == "jackknife over 5 blocks of tokens"
    cut = unisono.normalization({**columns, "sentence": [str(i // 6) for i in range(30)]})
    assert cut.interval.method == "jackknife over 5 blocks of sentences"
    for level, distance in (("word", "nld"), ("word", "nominal"), ("character", "nominal"), ("edits", "masi")):
        result = unisono.normalization(columns, level=level, distance=distance)
        assert result.interval.low < result.value < result.interval.high < 1
        assert "95% interval" in result.headline()[0].remark


@pytest.mark.parametrize(("level", "distance"), [("character", "nld"), ("word", "nominal"), ("edits", "masi")])
def test_interval_where_nobody_disagrees(level, distance):
    """What a Poisson count of no token allows, however many annotators there are."""
    for people in (2, 20):
        columns = {f"a{i}": ["axy", "bcd"] * 20 for i in range(people)}
        result = unisono.normalization({"original": ["abc", "bcd"] * 20, **columns}, level=level, distance=distance)
        interval = result.interval
        assert interval.method == "Poisson limit, no disagreement seen"
        assert interval.high == 1
        assert interval.low == pytest.approx(1 - 3.688879 / 40 / result.expected)


def deviating(n_tokens, deviations):
    """Two annotators who differ on these tokens, of which every third is changed by both."""
    columns = {"original": ["ab", "cd", "ef"], "A": ["xb", "cd", "ef"], "B": ["xb", "cd", "ef"]}
    table = {name: (words * n_tokens)[:n_tokens] for name, words in columns.items()}
    table["B"] = [f"{word}q" if index in deviations else word for index, word in enumerate(table["B"])]
    return table


def in_texts(table, size):
    return {**table, "document": [f"d{index // size}" for index in range(len(table["A"]))]}


def test_interval_over_three_texts():
    table = deviating(90, {0, 7, 33, 40, 41, 66, 71, 88})
    assert unisono.normalization(in_texts(table, 30)).interval.method == "jackknife over 3 texts"
    assert unisono.normalization(in_texts(table, 45)).interval.method == "jackknife over 5 blocks of tokens"


def test_texts_that_do_not_count_are_not_left_out():
    table = deviating(90, {0, 7, 33, 40, 41, 55, 44, 12})
    table["B"][60:] = [None] * 30  # one annotator only in the last of three texts
    alone = unisono.normalization(in_texts(table, 30))
    assert "blocks of tokens" in (alone.interval.method if alone.interval else alone.no_interval)


def test_interval_is_not_below_minus_one():
    words = ["a", "b", "b", "a", "a", "b"] * 10
    other = [word if index in (0, 21, 22) else "ab".replace(word, "") for index, word in enumerate(words)]
    table = {"original": ["c"] * 60, "A": words, "B": other}
    for options in ({}, {"level": "word", "distance": "nominal"}):
        result = unisono.normalization(in_texts(table, 20), **options)
        assert result.interval.low == -1
        assert result.value < result.interval.high
    once = ["xbcd", *["abcd"] * 29]
    assert unisono.normalization({"original": ["abcd"] * 30, "A": once, "B": once}).interval.low == -1


@pytest.mark.parametrize(("level", "distance"), [("character", "nld"), ("word", "nld"), ("edits", "masi")])
def test_interval_where_one_text_has_all_disagreement(level, distance):
    result = unisono.normalization(in_texts(deviating(180, {31}), 30), level=level, distance=distance)
    assert result.interval.method == "Poisson limits, nearly all disagreement in one of 6 texts"
    assert 1 - result.interval.high == pytest.approx(0.0253178 * (1 - result.value), rel=1e-5)
    nothing = unisono.normalization(deviating(180, ()), level=level, distance=distance)
    assert result.interval.low < nothing.interval.low  # a near miss is no better than nothing at all
    blocks = unisono.normalization(deviating(180, {31}), level=level, distance=distance)
    assert blocks.interval.method == "Poisson limits, nearly all disagreement in one of 5 blocks of tokens"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (deviating(12, {3}), "there are fewer than 25 tokens"),
        (in_texts(deviating(180, range(0, 180, 30)), 30), "all 6 texts are alike"),
        (
            in_texts({"original": ["cd"] * 40, "A": ["cx", *["cd"] * 39], "B": ["cd", "cyy", *["cd"] * 38]}, 10),
            "without 1 of 4 texts there is no value",
        ),
    ],
)
def test_why_there_is_no_interval(table, reason):
    result = unisono.normalization(table)
    assert result.interval is None
    assert result.no_interval.startswith(reason)
    assert result.headline()[0].remark == f"no interval: {result.no_interval}"
    assert result.to_dict()["no_interval"] == result.no_interval


def test_interval_leaves_texts_out_one_by_one():
    """The jackknife by definition: α computed anew without each text."""
    import numpy as np

    from unisono.statistics.quantiles import student_quantile

    rng = np.random.default_rng(1)
    originals = [str(word) for word in rng.choice(["ab", "cd", "abc"], 60)]
    columns = {who: [word if rng.random() < 0.7 else f"{word}e" for word in originals] for who in ("A", "B", "C")}
    documents = [str(i // 12) for i in range(60)]
    data = Normalizations.from_annotators(originals, columns, document=documents)
    for options in ({}, {"distance": "nominal"}, {"level": "word"}, {"level": "word", "subset": "medium"}):
        result = unisono.normalization(data, **options)
        without = []
        for name in data.documents:
            rest = unisono.normalization(data.select(documents=set(data.documents) - {name}), **options)
            without.append(np.log(rest.observed / rest.expected))
        without = np.array(without)
        variance = 4 / 5 * np.square(without - without.mean()).sum()
        assert np.log(1 - result.value) != 0
        half = np.log((1 - result.interval.low) / (1 - result.value))
        sizes = [unisono.normalization(data.select(documents=[n]), **options).rows["subsets"] for n in data.documents]
        kind = "n_tokens" if options.get("level") == "word" else "n_characters"
        index = 1 if "subset" in options else 0
        n = np.array([rows[index][kind] for rows in sizes], dtype=float)
        freedom = max(n.sum() ** 2 / np.square(n).sum() - 1, 1.0)
        assert half == pytest.approx(student_quantile(0.975, freedom) * np.sqrt(variance), rel=1e-9)


def test_tables_for_people():
    result = unisono.normalization({**ANSELM, "document": list("xxyyzz")}, show="gewain")
    names = [table.columns[0] for table in result.tables()]
    assert names == [
        "gewain",
        "words as units",
        "characters as units",
        "text",
        "pair",
        "disagreement on",
        "character",
    ]
    assert result.tables()[0].rows[1] == ("geweint", 2, "g|e|w|e|i|nt", "=|=|=|e|=|=t")
    assert result.title() == (
        "α_NLD of 3 annotators (A, B, C) on 3 documents, 17 normalizations: characters as units, all tokens"
    )
    assert "<table>" in result._repr_html_()


def test_ukrainian_learner_texts(shared):
    path = shared / "ua_gec" / "token_normalizations.tsv"
    data = unisono.read(path, columns={"document": "doc", "original": "token"})
    assert (data.n_tokens, len(data.documents), data.annotators) == (31_999, 155, ("a1", "a2"))
    result = unisono.normalization(data)
    assert result.value == pytest.approx(0.50822, abs=5e-6)
    assert result.interval.low == pytest.approx(0.46, abs=0.01)
    words = unisono.normalization(data, level="word", distance="nominal")
    assert 1 - words.observed == pytest.approx(31_028 / 31_989)
    assert tables.disagreements(result.prepared.statistics())[0]["original"] == "з"


CORA = """<text id="t"><token id="t1" trans="kraet"><dipl id="d1" trans="kraet" utf="kraet"/>
<mod id="m1" trans="kraet" utf="kraet"><norm tag="{norm}"/>
<norm_broad tag="krähte"/><norm_type tag="INFL"/></mod></token>
<token id="t2" trans="han"><dipl id="d2" trans="han" utf="han"/>
<mod id="m2" trans="han" utf="han"><norm tag="hahn"/></mod></token></text>
"""
CONLLU = """# text = kraet han
1\tkraet\t_\t_\t_\t_\t_\t_\t_\tNorm={norm}|Type=INFL
2\than\t_\t_\t_\t_\t_\t_\t_\tNorm=hahn

"""


@pytest.mark.parametrize(
    ("content", "suffix", "options"),
    [(CORA, "xml", {}), (CONLLU, "conllu", {"norm": "Norm", "type": "Type"})],
    ids=["CorA-XML", "CoNLL-U"],
)
def test_layers_of_annotation_tools(tmp_path, content, suffix, options):
    for who, norm in (("anna", "kräht"), ("bert", "krät")):
        (tmp_path / who).mkdir()
        (tmp_path / who / f"text.{suffix}").write_text(content.format(norm=norm), encoding="utf-8")
    corpus = unisono.read(tmp_path, pattern=f"{{annotator}}/{{document}}.{suffix}")
    result = unisono.normalization(corpus, **options)
    expected = make(original=["kraet", "han"], anna=["kräht", "hahn"], bert=["krät", "hahn"])
    assert result.value == pytest.approx(unisono.normalization(expected).value)
    assert result.rows["disagreements"][0]["original"] == "kraet"
    assert result.rows["types"][1]["n_tokens"] == 1


def test_little_data_has_no_interval():
    few = {"original": ["ab", "cd"] * 5, "A": ["ab", "ce"] * 5, "B": ["ab", "cd", "ae", "cd", "ab"] * 2}
    assert unisono.normalization(few).interval is None
    two_texts = {**{name: column * 10 for name, column in few.items()}, "document": ["d1"] * 50 + ["d2"] * 50}
    two_texts["A"] = ["ab", "ce"] * 45 + ["ab", "cd"] * 5  # where all blocks are alike, they say nothing
    assert "5 blocks of tokens" in unisono.normalization(two_texts).interval.method


def test_tokens_of_one_annotator_change_nothing():
    both = {"original": ["vnd", "vnd", "das"], "A": ["und", "und", "das"], "B": ["unt", "und", "dass"]}
    more = {"original": ["iar", "er"], "A": ["jahr", None], "B": [None, "er"]}
    together = {name: both[name] + more[name] for name in both}
    assert unisono.normalization(together).rows["subsets"] == unisono.normalization(both).rows["subsets"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"original": ["x"]}, "there is no annotator"),
        ({"original": ["x"], 1: ["x"], "1": ["y"]}, "two columns have the same name"),
        ({"original": ["x"], "A": [["x"]], "B": ["x"]}, "is not a word"),
    ],
)
def test_tables_of_python_are_checked(data, message):
    with pytest.raises(DataError, match=message):
        unisono.normalization(data)


@pytest.mark.parametrize("wrong", ["original", "A"])
def test_a_word_is_no_list_of_words(wrong):
    columns = {name: ["x", "y"] for name in ("original", "A", "B")}
    with pytest.raises(OptionError, match=f"data: expected annotators with a list of .*'{wrong}' has str"):
        unisono.normalization({**columns, wrong: "xy"})


def test_confused_edits_do_not_depend_on_the_order_of_tokens():
    originals = [f"x{chr(0x4E00 + i)}" for i in range(40)]
    table = {"original": originals, "A": originals, "B": [f"x{chr(0x5E00 + i)}" for i in range(40)]}
    turned = {name: column[::-1] for name, column in table.items()}
    assert unisono.normalization(turned).rows["edits"] == unisono.normalization(table).rows["edits"]
