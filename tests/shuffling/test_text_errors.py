"""Errors of annotators who correct a text, against their definition (Barteld et al. 2016, §7)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from unisono import DataError, OptionError
from unisono.data import Corpus
from unisono.data.edition import Layer
from unisono.shuffling import generate, shuffle
from unisono.shuffling.shuffler import parse_errors
from unisono.shuffling.texts import _owners

WORDS = np.random.default_rng(5)
TOKENS = ["".join(WORDS.choice(list("aaabbcdeft"), size=k)) for k in WORDS.integers(2, 9, size=100)]
POS = WORDS.choice(["N", "V", "D", None], size=100, p=[0.5, 0.3, 0.1, 0.1]).tolist()
CASE = WORDS.choice(["nom", "acc"], size=100).tolist()


def reference(tokens=TOKENS, pos=POS, case=CASE, document="d", **more):
    """Make a text of tokens with two features."""
    text, start, end = "", [], []
    for token in tokens:
        start.append(len(text))
        text += token
        end.append(len(text))
        text += " "
    return Corpus.from_columns(
        document=[document] * len(tokens),
        annotator=["anna"] * len(tokens),
        start=np.array(start, dtype=np.int64),
        end=np.array(end, dtype=np.int64),
        features={"pos": pos[: len(tokens)], "case": case[: len(tokens)]},
        texts={(document, "anna"): text},
        **more,
    )


def layered():
    """Make a text with two documents, tokens, and sentences that have a mood."""
    rows = {"document": [], "annotator": [], "start": [], "end": [], "type": [], "pos": [], "mood": []}
    texts = {}
    for name, tokens in (("one", TOKENS[:40]), ("two", TOKENS[40:70])):
        text = ""
        for number, token in enumerate(tokens):
            units = [(len(text), len(text) + len(token), "token", POS[number], None)]
            if number % 5 == 0:
                whole = len(" ".join(tokens[number : number + 5]))
                units.append((len(text), len(text) + whole, "sentence", None, "?!."[number % 3]))
            for unit in units:
                for key, value in zip(rows, (name, "anna", *unit), strict=True):
                    rows[key].append(value)
            text += token + " "
        texts[name, "anna"] = text
    features = {key: rows.pop(key) for key in ("type", "pos", "mood")}
    return Corpus.from_columns(**rows, features=features, texts={**texts, ("empty", "anna"): "nothing here"})


def editions(made, document=0):
    """Give each annotator's text, and units as (start, end, text, labels)."""
    found = []
    for who in range(len(made.annotators)):
        own = np.flatnonzero((made.document == document) & (made.annotator == who))
        text = made.texts[document, who]
        labels = list(zip(*(feature.take(own).values() for feature in made.features.values()), strict=True))
        spans = zip(made.start[own].tolist(), made.end[own].tolist(), strict=True)
        found.append((text, [(s, e, text[s:e], label) for (s, e), label in zip(spans, labels, strict=True)]))
    return found


def one_edit(one, other):
    """Tell whether a single symbol was inserted, deleted or substituted."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:k] + long[k + 1 :] == short for k in range(len(long)))


@pytest.mark.parametrize("m", [0.1, 0.5, 1.0])
def test_the_text_of_half_the_magnitudes_share_is_changed_once(m):
    ((text, own),) = editions(reference())
    for changed, units in editions(shuffle(reference(), "text", m, n_annotators=20)):
        assert len(units) == 100
        edits = [(a[2], b[2]) for a, b in zip(own, units, strict=True) if a[2] != b[2]]
        assert len(edits) == round(50 * m)
        assert all(one_edit(*edit) for edit in edits)
        assert [unit[3] for unit in units] == [unit[3] for unit in own]
        between = [changed[a[1] : b[0]] for a, b in pairwise(units)]
        assert between == [" "] * 99
        assert changed[units[-1][1] :] == text[own[-1][1] :]


def test_all_tokens_and_edits_are_as_likely():
    ((_, own),) = editions(reference())
    changed, kinds = np.zeros(100), Counter()
    for _, units in editions(shuffle(reference(), "text", 1.0, n_annotators=400)):
        for k, (one, other) in enumerate(zip(own, units, strict=True)):
            changed[k] += one[2] != other[2]
            kinds[len(other[2]) - len(one[2])] += one[2] != other[2]
    assert ((changed - 200) ** 2 / 100).sum() < 100 + 5 * np.sqrt(200)
    assert all(abs(kinds[step] - 20000 / 3) < 5 * np.sqrt(20000 * 2 / 9) for step in (-1, 0, 1))


@pytest.mark.parametrize("m", [0.1, 0.5, 1.0])
def test_a_tenth_of_the_magnitudes_share_is_split_or_merged(m):
    ((text, own),) = editions(reference())
    times, steps, begins = round(10 * m), [], {unit[0] for unit in own}
    for same, units in editions(shuffle(reference(), "segmentation", m, n_annotators=300)):
        assert same == text
        changes = len(begins ^ {unit[0] for unit in units})
        assert changes <= times
        assert (times - changes) % 2 == 0  # a cut and its merge cancel each other
        assert all(before[1] <= after[0] for before, after in pairwise(units))
        steps.append(len(units) - 100)
    # one in three is a split
    assert abs(np.mean(steps) + times / 3) < 5 * np.sqrt(times * 8 / 9 / 300)


def test_labels_after_splits_and_merges_are_those_of_a_unit_that_was_there():
    ((_, own),) = editions(reference())
    touched = 0
    for _, units in editions(shuffle(reference(), "segmentation", 1.0, n_annotators=50)):
        for start, end, _, labels in units:
            met = [unit for unit in own if unit[0] < end and start < unit[1]]
            assert labels in [unit[3] for unit in met]
            touched += (met[0][0], met[-1][1]) != (start, end) or len(met) > 1
    assert touched > 300


def layer(*spans):
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return Layer(start, end, np.zeros((0, len(start)), dtype=np.int64))


@pytest.mark.parametrize(
    ("before", "after", "owners"),
    [
        ([(0, 3), (4, 6)], [(0, 3), (4, 6)], [0, 1]),
        ([(0, 8), (9, 11)], [(0, 11)], [0]),  # the longer, first or last
        ([(0, 2), (3, 11)], [(0, 11)], [1]),
        ([(0, 4), (5, 9)], [(0, 9)], [0]),  # the first of two as long
        ([(0, 1), (2, 7), (8, 9), (10, 14), (15, 16)], [(0, 16)], [1]),  # not the one in the middle
        ([(0, 2), (3, 5), (6, 12)], [(0, 12)], [2]),
        ([(0, 9)], [(0, 2), (2, 5), (5, 9)], [0, 0, 0]),
        ([(0, 4), (5, 9)], [(0, 7), (7, 9)], [0, 1]),  # merged, then split
        ([(0, 4), (5, 9)], [(0, 2), (2, 9)], [0, 1]),
        ([(0, 2), (12, 14)], [(0, 5), (5, 9), (9, 14)], [0, 1, 1]),  # one part was in no unit, and goes to the next
        ([(0, 2), (8, 10)], [(0, 2), (2, 8), (8, 10)], [0, 0, 1]),
        ([(0, 2), (2, 2), (2, 6)], [(0, 2), (2, 2), (2, 6)], [0, 1, 2]),  # empty ones stay themselves
        ([(2, 2), (2, 2), (2, 6)], [(2, 2), (2, 2), (2, 4), (4, 6)], [0, 1, 2, 2]),
        ([(0, 2), (2, 2), (6, 6), (6, 9)], [(0, 2), (2, 6), (6, 9)], [0, 1, 3]),  # merged of two empty ones
        ([(0, 2), (2, 2), (2, 3)], [(0, 3)], [0]),
        ([(0, 0)], [(0, 0)], [0]),
        ([], [], []),
    ],
)
def test_units_after_splits_and_merges_belong_to_the_one_that_they_have_most_of(before, after, owners):
    assert _owners(layer(*before), layer(*after)).tolist() == owners


def test_units_merged_have_the_labels_of_the_longest():
    lengths = [1, 3, 9, 2] * 6
    tokens = reference(
        [chr(ord("a") + k) * length for k, length in enumerate(lengths)], list("ABCDEFGHIJKLMNOPQRSTUVWX")
    )
    ((_, own),) = editions(tokens)
    merged = 0
    for _, units in editions(shuffle(tokens, "segmentation", 1.0, n_annotators=200)):
        for start, end, _, labels in units:
            shared = [max(0, min(end, e) - max(start, s)) for s, e, *_ in own]
            assert labels == own[int(np.argmax(shared))][3]
            merged += sum(share > 0 for share in shared) > 1
    assert merged > 100


@pytest.mark.parametrize("m", [0.3, 1.0])
@pytest.mark.parametrize(("error", "share"), [("text", 0.5), ("segmentation", 0.1), ("label", 1.0)])
def test_short_documents_have_as_many_changes_on_average(error, share, m):
    short = reference(["abcd", "efgh", "ijkl"], list("ABC"), list("abc"))
    made = editions(shuffle(short, error, m, n_annotators=2000))
    ((_, own),) = editions(short)
    if error == "text":
        counts = [sum(a[2] != b[2] for a, b in zip(own, units, strict=True)) for _, units in made]
    elif error == "segmentation":
        begins = {unit[0] for unit in own}
        counts = [len(begins ^ {unit[0] for unit in units}) for _, units in made]
    else:  # one of three labels that are drawn is the same as before
        counts = [sum(a[3][0] != b[3][0] for a, b in zip(own, units, strict=True)) * 3 / 2 for _, units in made]
    wanted = 3 * share * m
    assert abs(np.mean(counts) - wanted) < 5 * np.std(counts) / np.sqrt(len(counts)) + 1e-9
    if error != "label":
        assert set(counts) == {int(wanted), int(wanted) + 1}


def test_many_short_documents_are_split_and_merged():
    columns = {"document": [], "start": [], "end": []}
    for number in range(100):
        columns["document"] += [f"{number:02d}"] * 4
        columns["start"] += [0, 3, 6, 9]
        columns["end"] += [2, 5, 8, 11]
    texts = {(name, "anna"): "ab cd ef gh" for name in columns["document"]}
    made = shuffle(Corpus.from_columns(annotator=["anna"] * 400, texts=texts, **columns), "segmentation", 1.0)
    sizes = np.bincount(3 * made.document + made.annotator, minlength=300)
    changed = (sizes != 4).sum()  # 0.4 splits or merges a document
    assert abs(changed - 300 * 0.4) < 5 * np.sqrt(300 * 0.4 * 0.6)


def test_units_without_text_keep_their_labels_when_others_are_split():
    start, end = [0, 2, 2, 6, 6, 9], [2, 2, 6, 6, 9, 12]
    tokens = Corpus.from_columns(
        annotator=["anna"] * 6,
        start=start,
        end=end,
        features={"pos": list("ABCDEF")},
        texts={("document", "anna"): "aabbbbcccddd"},
    )
    for seed in range(40):
        for _, units in editions(shuffle(tokens, "segmentation", 1.0, n_annotators=3, rng=seed)):
            kept = {(s, e): label for s, e, _, (label,) in units}
            assert all(kept.get((s, e), label) == label for s, e, label in zip(start, end, "ABCDEF", strict=True))


@pytest.mark.parametrize("m", [0.2, 0.5, 1.0])
def test_the_magnitudes_share_of_labels_is_drawn_anew(m):
    made = editions(shuffle(reference(), "label", m, n_annotators=400))
    ((text, own),) = editions(reference())
    changed = Counter()
    for same, units in made:
        assert same == text
        assert [unit[:3] for unit in units] == [unit[:3] for unit in own]
        fresh = [k for k, (a, b) in enumerate(zip(own, units, strict=True)) if a[3] != b[3]]
        assert len(fresh) <= round(100 * m)
        changed["pos"] += sum(a[3][0] != b[3][0] for a, b in zip(own, units, strict=True))
        changed["case"] += sum(a[3][1] != b[3][1] for a, b in zip(own, units, strict=True))
    for name, column in (("pos", POS), ("case", CASE)):
        shares = np.array([*Counter(column).values()]) / 100
        p = 1 - (shares**2).sum()  # a label that is drawn may be the same
        n = 400 * 100 * m
        assert abs(changed[name] - n * p) < 5 * np.sqrt(n * p)


def test_labels_are_drawn_by_their_frequency_and_missing_is_one_of_them():
    made = shuffle(reference(), "label", 1.0, n_annotators=400)
    for name, column in (("pos", POS), ("case", CASE)):
        wanted, found = Counter(column), Counter(made.features[name].values())
        assert set(found) == set(wanted)
        for label, count in wanted.items():
            assert abs(found[label] - 400 * count) < 5 * np.sqrt(400 * count)


def test_all_labels_at_magnitude_1_are_independent_of_the_reference_and_of_each_other():
    made = shuffle(reference(), "label", 1.0, n_annotators=400)
    case = (np.array(made.features["case"].values()) == "nom").reshape(400, 100)
    own = np.array(CASE) == "nom"
    share = own.mean()
    for there in (own, ~own):
        n = 400 * there.sum()
        assert abs(case[:, there].sum() - n * share) < 5 * np.sqrt(n * share * (1 - share))
    assert abs(np.corrcoef(case[:-1].ravel(), case[1:].ravel())[0, 1]) < 5 / np.sqrt(39900)


def test_all_three_errors_together():
    made = shuffle(reference(), "text+segmentation+label", 1.0, n_annotators=20)
    ((text, own),) = editions(reference())
    for changed, units in editions(made):
        assert changed != text
        assert abs(len(changed) - len(text)) <= 50
        assert 90 <= len(units) <= 110
        assert changed.split() != text.split()
    case = Counter(made.features["case"].values())
    assert abs(case["nom"] / made.n_units - CASE.count("nom") / 100) < 0.06
    few = [units for _, units in editions(shuffle(reference(), "text+segmentation+label", 0.02, n_annotators=200))]
    same = [units for units in few if len(units) == 100]
    assert abs(len(same) - 200 * 0.8) < 5 * np.sqrt(200 * 0.2 * 0.8)  # 0.2 changes of segmentation
    for units in same:
        assert sum(a[2] != b[2] for a, b in zip(own, units, strict=True)) == 1
        assert sum(a[3] != b[3] for a, b in zip(own, units, strict=True)) <= 2


@pytest.mark.parametrize(
    "errors", ["text", "segmentation", "label", "text+label", "text+segmentation", "text+segmentation+label"]
)
@pytest.mark.parametrize("corpus", [reference(), layered()], ids=["plain", "layered"])
def test_magnitude_0_is_the_identity(errors, corpus):
    made = shuffle(corpus, errors, 0.0, n_annotators=3)
    assert made.documents == corpus.documents
    assert [*made.features] == [*corpus.features]
    for index in range(len(corpus.documents)):
        assert editions(made, index) == editions(corpus, index) * 3


@pytest.mark.parametrize("errors", ["text", "segmentation", "label", "text+segmentation+label"])
def test_seeds_and_independence(errors):
    def made(rng):
        return [tuple(units) for _, units in editions(shuffle(reference(), errors, 0.7, rng=rng))]

    assert made(1) == made(1) == made(np.random.default_rng(1))
    assert len({*made(1), *made(2), tuple(editions(reference())[0][1])}) == 7


@pytest.mark.parametrize("errors", ["text", "segmentation", "label", "text+segmentation+label"])
def test_types_of_units_keep_their_own_features(errors):
    made = shuffle(layered(), errors, 1.0, n_annotators=10)
    assert made.documents == ("one", "two", "empty")
    assert made.annotators[0] == "annotator 01"
    assert "reference" not in made.annotators
    assert made.worked.all()
    kinds = made.features["type"].values()
    for kind, pos, mood in zip(kinds, made.features["pos"].values(), made.features["mood"].values(), strict=True):
        assert mood is None if kind == "token" else pos is None
    for index in (0, 1):
        for text, units in editions(made, index):
            assert all(0 <= start < end <= len(text) for start, end, *_ in units)
            for kind in ("token", "sentence"):
                spans = [unit[:2] for unit in units if unit[3][0] == kind]
                assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert made["empty"].n_units == 0
    assert {made.texts[2, who] for who in range(10)} == {"nothing here"}


def test_tokens_are_counted_not_sentences():
    ((_, own),) = editions(layered())[:1]
    tokens = [unit for unit in own if unit[3][0] == "token"]
    for _, units in editions(shuffle(layered(), "text", 0.5, n_annotators=5)):
        now = [unit for unit in units if unit[3][0] == "token"]
        assert sum(a[2] != b[2] for a, b in zip(tokens, now, strict=True)) == 10
        sentences = [unit for unit in units if unit[3][0] == "sentence"]
        assert len(sentences) == 8
        starts = {unit[0] for unit in now}
        assert all(start in starts for start, *_ in sentences)  # sentences move along


def test_units_without_labels():
    bare = Corpus.from_columns(annotator=["a"] * 2, start=[0, 3], end=[2, 5], texts={("document", "a"): "ab cd"})
    made = shuffle(bare, "text+segmentation+label", 1.0)
    assert dict(made.features) == {}
    assert len(made.texts) == 3


def test_the_text_of_empty_units_cannot_be_changed():
    empty = Corpus.from_columns(
        annotator=["a"] * 4, start=[0, 1, 1, 1], end=[1, 1, 1, 1], texts={("document", "a"): "x"}
    )
    made = shuffle(empty, "text", 0.5, n_annotators=5)
    assert all(made.texts[0, who] != "x" for who in range(5))


def test_more_edits_than_units_with_a_text():
    empty = Corpus.from_columns(
        annotator=["a"] * 4, start=[0, 1, 1, 1], end=[1, 1, 1, 1], texts={("document", "a"): "x"}
    )
    assert shuffle(empty, "text", 1.0).n_units == 12


def test_a_reference_without_text():
    with pytest.raises(DataError, match="the reference has no text that could be changed"):
        shuffle(generate(), "text", 0.5)
    two = Corpus.from_columns(
        document=["one", "two"], annotator=["a", "a"], start=[0, 0], end=[1, 1], texts={("one", "a"): "x"}
    )
    with pytest.raises(DataError, match="has no text"):
        shuffle(two, "label", 0.5)


def test_units_of_one_type_that_overlap_are_refused():
    crossing = Corpus.from_columns(
        annotator=["a"] * 2, start=[0, 1], end=[2, 3], texts={("document", "a"): "abc"}, features={"pos": ["N", "V"]}
    )
    with pytest.raises(DataError, match="overlap"):
        shuffle(crossing, "label", 0.5)


@pytest.mark.parametrize("errors", ["label+text", "label+segmentation+text", "segmentation+text"])
def test_errors_of_texts_have_one_order(errors):
    ordered = "+".join(name for name in ("text", "segmentation", "label") if name in errors)
    assert parse_errors(errors) == parse_errors(ordered)
    assert str(parse_errors(errors)) == ordered
    assert editions(shuffle(reference(), errors, 0.6)) == editions(shuffle(reference(), ordered, 0.6))


@pytest.mark.parametrize("errors", ["text+position", "label+category", "segmentation+splits"])
def test_texts_and_positions_do_not_go_together(errors):
    with pytest.raises(OptionError, match="cannot be combined"):
        shuffle(reference(), errors, 0.5)


def test_one_annotator_of_several_is_the_reference():
    corpus = Corpus.from_columns(
        annotator=["anna", "bert"],
        start=[0, 0],
        end=[2, 3],
        features={"pos": ["N", "V"]},
        texts={("document", "anna"): "ab", ("document", "bert"): "xyz"},
    )
    made = shuffle(corpus, "label", 1.0, annotator="bert", n_annotators=2)
    assert [unit.end for unit in made["document"].units] == [3, 3]
    assert {*made.texts.values()} == {"xyz"}
