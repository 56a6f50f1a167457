"""Random editions of a pre-annotation (Barteld et al. 2016, §6): what is changed, how often, and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from edits_oracle import random_edition
from scipy.stats import binom, chi2_contingency, chisquare

from unisono.chance.edits import Edits, RandomEditions, draw
from unisono.data import Corpus
from unisono.data.edition import Edition, Layer
from unisono.data.editions import gap_layer
from unisono.data.stacked_editions import stacked_editions
from unisono.execution import pool
from unisono.kernels import switch
from unisono.kernels.edits import Stream, _binomial
from unisono.measurement.disorder.effort import Effort
from unisono.measurement.text_gamma.expected import ExactExpected, SampleJob, TextSampling, expect, run_text_samples
from unisono.measurement.text_gamma.models import models_of
from unisono.measurement.text_gamma.settings import settings_of

SYMBOLS = "abcdefghij "
UNLIKELY = 1e-4
"""Seeds are fixed; one in ten thousand would fail a test."""


def coded(text):
    return np.array([SYMBOLS.index(letter) for letter in text], dtype=np.int64)


def spelled(text):
    return "".join(SYMBOLS[code] for code in text.tolist())


def layer_of(spans, n_features=0):
    start, end = (np.array([span[k] for span in spans], dtype=np.int64) for k in (0, 1))
    return Layer(start, end, np.zeros((n_features, len(spans)), dtype=np.int64))


def words(text, n_features=0):
    """A text whose words are units."""
    ends = np.cumsum([len(word) + 1 for word in text.split(" ")]) - 1
    return Edition(coded(text), (layer_of([(e - len(w), e) for w, e in zip(text.split(" "), ends, strict=True)]),))


def model(
    base,
    *,
    p_text=0.0,
    p_segmentation=0.0,
    p_further=0.0,
    frequency="abcdefghij",
    labels=(),
    gaps=False,
    n_annotators=2,
):
    bases = (base,) if isinstance(base, Edition) else base
    n_layers = len(bases[0].layers) - gaps
    counts = Counter(frequency)
    finest = int(np.argmax([layer.n_units for layer in bases[0].layers[:n_layers]]))
    edits = Edits(
        p_text=p_text,
        p_segmentation=(p_segmentation,) * n_layers,
        p_further=p_further,
        symbols=np.array([counts[symbol] for symbol in SYMBOLS], dtype=np.float64),
        labels=labels or ((),) * n_layers,
        white=np.array([symbol == " " for symbol in SYMBOLS]),
        edited=(finest, n_layers) if gaps else (finest,),
        gaps=gaps,
    )
    return RandomEditions(
        ("d",), stacked_editions(bases), np.array([len(bases)]), np.array([n_annotators]), edits, ("d",)
    )


def editions_of(it, times):
    """The first random editions of a model."""
    made = draw(it, [range(-(-times // int(it.n_annotators[0])))], 42)
    return [made.edition(index) for index in range(times)]


def texts_of(edition, layer=0):
    own = edition.layers[layer]
    return [spelled(edition.text[s:e]) for s, e in zip(own.start.tolist(), own.end.tolist(), strict=True)]


def between(edition, layer=0):
    """The text before, between and after units."""
    own = edition.layers[layer]
    edges = [0, *np.stack([own.start, own.end], axis=1).ravel().tolist(), len(edition.text)]
    return [spelled(edition.text[low:high]) for low, high in list(pairwise(edges))[::2]]


def one_edit_apart(one, other):
    """Whether a word is made of another by one insertion, deletion or substitution."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return len(long) == len(short) + 1 and any(long[:k] + long[k + 1 :] == short for k in range(len(long)))


def assert_like(counts, shares):
    """Counts come from these shares."""
    counts, shares = np.asarray(counts, dtype=float), np.asarray(shares, dtype=float)
    assert not counts[shares == 0].any()
    kept = shares > 0
    if kept.sum() > 1:
        assert chisquare(counts[kept], counts.sum() * shares[kept] / shares.sum()).pvalue > UNLIKELY


def drawn(times, make):
    return [make(np.random.default_rng((times, seed))) for seed in range(times)]


# --- text --------------------------------------------------------------------------------------------------------


def test_the_number_of_edited_units_is_binomial():
    base = words("abc de f abcd aa bb cc abc")
    made = editions_of(model(base, p_text=0.3), 1500)
    changed = [sum(a != b for a, b in zip(texts_of(one), texts_of(base), strict=True)) for one in made]
    counts = np.bincount(np.minimum(changed, 6), minlength=7)
    shares = binom.pmf(np.arange(6), 8, 0.3)
    assert_like(counts, [*shares, 1 - shares.sum()])


def test_edited_units_are_distinct_and_all_equally_likely():
    base = words("abc de f abcd aa bb cc abc")
    it, seen = model(base), np.zeros(8)
    for times in range(9):
        for made in drawn(100, lambda rng, times=times: it.edits.edit_text(base, times, rng)):
            pairs = list(zip(texts_of(made), texts_of(base), strict=True))
            changed = np.array([a != b for a, b in pairs])
            assert changed.sum() == times
            assert all(one_edit_apart(a, b) for a, b in pairs if a != b)
            assert between(made) == between(base)
            seen += changed if times == 3 else 0
    assert_like(seen, np.ones(8))


def kinds_of(base, it, times=1500):
    """How often a single unit grew, shrank, or got another letter."""
    lengths = [len(one.text) - len(base.text) for one in drawn(times, lambda rng: it.edits.edit_text(base, 1, rng))]
    return [lengths.count(change) for change in (1, -1, 0)]


@pytest.mark.parametrize(
    ("word", "frequency", "shares"),
    [
        ("abc", "abc", (1, 1, 1)),
        ("abc", "defg", (1, 1, 1)),
        ("a", "ab", (1, 0, 1)),  # a unit of one letter is not emptied
        ("aa", "a", (1, 1, 0)),  # nothing to substitute
        ("a", "a", (1, 0, 0)),
    ],
)
def test_edits_are_equally_likely_where_they_are_possible(word, frequency, shares):
    base = words(word)
    assert_like(kinds_of(base, model(base, frequency=frequency)), shares)


def test_places_are_equally_likely_and_symbols_by_frequency():
    base = words("abcd")
    frequency = {"e": 1, "f": 2, "g": 5}
    it = model(base, frequency="effggggg")
    places = {1: Counter(), -1: Counter(), 0: Counter()}
    symbols = {1: Counter(), 0: Counter()}
    for made in drawn(4000, lambda rng: it.edits.edit_text(base, 1, rng)):
        text, change = spelled(made.text), len(made.text) - 4
        if change < 0:
            places[change][next(k for k in range(4) if text[:k] + "abcd"[k] + text[k:] == "abcd")] += 1
            continue
        place = next(k for k, letter in enumerate(text) if letter in frequency)
        places[change][place] += 1
        symbols[change][text[place]] += 1
    for change, n_places in ((1, 5), (-1, 4), (0, 4)):
        assert_like([places[change][place] for place in range(n_places)], np.ones(n_places))
        if change >= 0:
            assert_like([symbols[change][letter] for letter in frequency], list(frequency.values()))


def test_a_letter_is_never_substituted_by_itself():
    base = words("b")
    it = model(base, frequency="aabbbbbbbbbcdd")
    made = drawn(3000, lambda rng: it.edits.edit_text(base, 1, rng))
    found = Counter(spelled(one.text) for one in made if len(one.text) == 1)
    assert "b" not in found
    assert_like([found[letter] for letter in "acd"], [2, 1, 2])


@pytest.mark.parametrize("place", ["first", "last"])
def test_the_frequencies_first_and_last_symbol_can_be_substituted(place):
    letter = "a" if place == "first" else "j"
    base = words(letter)
    for made in drawn(200, lambda rng: model(base).edits.edit_text(base, 1, rng)):
        assert spelled(made.text) != letter


@pytest.mark.parametrize("p_further", [0.0, 0.5, 0.9, 0.999])
@pytest.mark.parametrize(("word", "frequency"), [("a", "a"), ("aa", "a"), ("a", "ab"), ("", "a")])
def test_no_endless_loop(word, frequency, p_further):
    base = Edition(coded(word), (layer_of([(0, len(word))]),))
    one_label = ((np.array([0.0, 1.0]),),)
    it = model(base, p_text=1.0, p_segmentation=1.0, p_further=p_further, frequency=frequency, labels=one_label)
    for made in editions_of(it, 10):
        assert made.n_units >= 1
        assert (made.layers[0].codes == 0).all()
        assert len(made.text) > 0 or not word


def test_no_units_at_all():
    base = Edition(coded("abc"), (layer_of([]),))
    [made] = editions_of(model(base, p_text=1.0, p_segmentation=1.0), 1)
    assert made.n_units == 0
    assert spelled(made.text) == "abc"


def test_empty_units_have_no_text_to_edit():
    base = Edition(coded("abcd"), (layer_of([(0, 0), (0, 2), (2, 2), (2, 2), (4, 4)]),))
    it = model(base, p_text=1.0)
    for made in editions_of(it, 200):
        found = texts_of(made)
        assert [found[k] for k in (0, 2, 3, 4)] == [""] * 4
        assert one_edit_apart(found[1], "ab")
        assert between(made)[-2:] == ["cd", ""]


def test_further_edits_are_less_and_less_likely():
    # with one symbol, an edit makes the unit longer or shorter by one; k edits have the probability (1 - p) pᵏ⁻¹
    base, n = words("aaa"), 1500
    for p_further in (0.0, 0.3, 0.8):
        it = model(base, p_further=p_further, frequency="a")
        even = [len(one.text) % 2 == 0 for one in drawn(n, lambda rng, it=it: it.edits.edit_text(base, 1, rng))]
        assert_like([sum(even), n - sum(even)], [1 / (1 + p_further), p_further / (1 + p_further)])


def test_no_unit_is_edited_more_than_a_hundred_times():
    base = words("a")
    it = model(base, p_further=np.nextafter(1.0, 0.0), frequency="a")
    lengths = [len(one.text) for one in drawn(60, lambda rng: it.edits.edit_text(base, 1, rng))]
    assert all(length % 2 == 1 and length <= 101 for length in lengths)
    assert len(set(lengths)) > 5


# --- units move along ---------------------------------------------------------------------------------------------


def random_base(rng):
    """Tokens, some adjacent, with sentences of whole tokens and phrases that begin and end anywhere outside tokens."""
    text, tokens = "", []
    for _ in range(int(rng.integers(1, 9))):
        text += rng.choice(["", "", " ", "  ", "h "])
        word = "".join(rng.choice(list("abc"), rng.integers(1, 4)))
        tokens.append((len(text), len(text) + len(word)))
        text += word
    text += rng.choice(["", " ", "i"])
    cuts = sorted({0, len(tokens), *rng.integers(len(tokens) + 1, size=2).tolist()})
    sentences = [(tokens[low][0], tokens[high - 1][1]) for low, high in pairwise(cuts)]
    outside = [k for k in range(len(text) + 1) if not any(start < k < end for start, end in tokens)]
    some = sorted(rng.choice(outside, 4).tolist())
    return Edition(coded(text), (layer_of(tokens), layer_of(sentences), layer_of([some[:2], some[2:]])))


def with_edges(edition, layer):
    """The units of a layer by the tokens and the other text that they hold, so that edits of tokens do not show."""
    tokens, own = edition.layers[0], edition.layers[layer]
    inside = {k: "?" for s, e in zip(tokens.start.tolist(), tokens.end.tolist(), strict=True) for k in range(s, e)}
    begins = {s: f"<{k}>" for k, s in enumerate(tokens.start.tolist())}
    letters = spelled(edition.text)
    shown = [begins.get(k, "") + ("" if k in inside else letters[k]) for k in range(len(letters))]
    return ["".join(shown[s:e]) for s, e in zip(own.start.tolist(), own.end.tolist(), strict=True)]


@pytest.mark.parametrize("p_further", [0.0, 0.6])
def test_nothing_else_is_touched(p_further):
    for seed in range(600):
        rng = np.random.default_rng(seed)
        base = random_base(rng)
        n_tokens = base.layers[0].n_units
        if n_tokens < max(layer.n_units for layer in base.layers[1:]):
            continue
        times = int(rng.integers(n_tokens + 1))
        made = model(base, p_further=p_further, frequency="abc").edits.edit_text(base, times, rng)
        pairs = list(zip(texts_of(made), texts_of(base), strict=True))
        if not p_further:
            assert sum(a != b for a, b in pairs) == times, seed
            assert all(a == b or one_edit_apart(a, b) for a, b in pairs), seed
        assert all(a for a, _ in pairs), seed
        assert between(made) == between(base), seed
        for layer in (1, 2):
            assert with_edges(made, layer) == with_edges(base, layer), seed
            own = made.layers[layer]
            assert (own.start <= own.end).all()
            assert (own.start[1:] >= own.end[:-1]).all()


@pytest.mark.parametrize("p_further", [0.0, 0.4])
def test_edits_where_units_meet(p_further):
    base = Edition(coded("abcdef"), (layer_of([(0, 2), (2, 4), (4, 6)]), layer_of([(0, 4), (4, 6)])))
    it = model(base, p_text=0.5, p_further=p_further, frequency="hj")
    found = set()
    for made in editions_of(it, 4000):
        one, two, three = texts_of(made)
        assert texts_of(made, 1) == [one + two, three]
        assert "".join((one, two, three)) == spelled(made.text)
        found.add((one, two, three))
    assert found >= {
        ("abh", "cd", "ef"),  # at the end of a unit, the next one is adjacent
        ("ab", "hcd", "ef"),  # at the begin of that one
        ("abh", "jcd", "ef"),
        ("ab", "cdh", "jef"),  # where sentences meet
        ("hab", "cd", "ef"),
        ("ab", "cd", "efh"),
        ("a", "d", "ef"),
        ("ab", "c", "hef"),
        ("abh", "hd", "ef"),
    }


@pytest.mark.parametrize("p_further", [0.0, 0.4])
def test_a_layer_between_units_keeps_what_it_holds(p_further):
    # "ab  cd" with a unit over the first space, and an empty one between the spaces
    base = Edition(coded("ab  cd"), (layer_of([(0, 2), (4, 6)]), layer_of([(2, 3), (3, 3)])))
    for made in editions_of(model(base, p_text=0.7, p_further=p_further, frequency="hj"), 500):
        place = int(made.layers[0].end[0])
        assert made.layers[1].start.tolist() == [place, place + 1]
        assert made.layers[1].end.tolist() == [place + 1, place + 1]
        assert texts_of(made, 1) == [" ", ""]


def test_only_units_of_the_finest_layer_are_edited():
    base = Edition(coded("abcdefgh i"), (layer_of([(0, 8)]), layer_of([(0, 2), (4, 6)])))
    for made in editions_of(model(base, p_text=1.0), 200):
        assert between(made, 1) == ["", "cd", "gh i"]
        assert between(made, 0) == ["", " i"]


# --- segmentation -------------------------------------------------------------------------------------------------


def segmented(base, times, n_draws, **more):
    it = model(base, **more)
    return drawn(n_draws, lambda rng: it.edits.segment(base, [times] * len(it.edits.p_segmentation), rng))


def test_splits_and_merges():
    base = words("abc de fghi")
    found = Counter("|".join(texts_of(made)) for made in segmented(base, 1, 6000))
    merges = {"abc de|fghi": 1 / 3, "abc|de fghi": 1 / 3}
    # a unit, then a place in it: 1/3 · 1/3 · 1/(length - 1)
    splits = {"a|bc|de|fghi": 1 / 18, "ab|c|de|fghi": 1 / 18, "abc|d|e|fghi": 1 / 9}
    splits |= {f"abc|de|{'fghi'[:k]}|{'fghi'[k:]}": 1 / 27 for k in (1, 2, 3)}
    assert set(found) == {*merges, *splits}
    shares = merges | splits
    assert_like([found[key] for key in shares], list(shares.values()))


def test_text_stays_and_units_stay_apart():
    base = words("abc de f abcd aa")
    for times in (1, 3, 10, 40):
        for made in segmented(base, times, 60):
            assert (made.text == base.text).all()
            own = made.layers[0]
            assert (own.end > own.start).all()
            assert (own.start[1:] >= own.end[:-1]).all()
            assert own.start[0] == 0
            assert own.end[-1] == len(base.text)  # nothing is merged beyond the first or the last unit
            assert all(text and text == text.strip(" ") for text in texts_of(made))
            assert set("".join(between(made))) <= {" "}


def test_what_resulted_from_a_change_can_be_changed_again():
    base = words("abc")
    found = {"|".join(texts_of(made)) for made in segmented(base, 2, 400)}
    assert found == {"a|b|c", "abc"}


def test_a_split_leaves_white_space_out():
    base = Edition(coded("a  b"), (layer_of([(0, 4)]),))
    found = Counter("|".join(texts_of(made)) for made in segmented(base, 1, 200))
    assert found == {"a|b": 200}


def test_a_split_where_one_side_is_white_space_keeps_it():
    # nothing would be left of that side
    base = Edition(coded(" ab"), (layer_of([(0, 3)]),))
    found = Counter("|".join(texts_of(made)) for made in segmented(base, 1, 400))
    assert set(found) == {" |ab", " a|b"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab", {"a|b"}),  # one unit cannot be merged
        ("a b", {"a b"}),  # units of one letter cannot be split
        ("a", {"a"}),  # neither
    ],
)
def test_another_change_where_one_is_impossible(text, found):
    assert {"|".join(texts_of(made)) for made in segmented(words(text), 1, 100)} == found


def test_the_number_of_changes_is_binomial():
    times = [_binomial.plain(6, 0.25, Stream(1, 2, sample), 0) for sample in range(3000)]
    assert {k for _, k in times} == {6}  # so many random numbers are used
    shares = binom.pmf(np.arange(5), 6, 0.25)
    assert_like(np.bincount([min(n, 5) for n, _ in times], minlength=6), [*shares, 1 - shares.sum()])
    assert _binomial.plain(6, 0.0, Stream(1, 2, 3), 7) == (0, 7)
    assert _binomial.plain(6, 1.0, Stream(1, 2, 3), 7) == (6, 13)


def with_rates(it, p_segmentation):
    return replace(it, edits=replace(it.edits, p_segmentation=p_segmentation))


def test_each_layer_has_its_own_rate():
    base = Edition(coded("abcdef"), (layer_of([(0, 2), (2, 4), (4, 6)]), layer_of([(0, 6)])))
    it = with_rates(model(base), (0.0, 1.0))
    for made in editions_of(it, 50):
        assert texts_of(made) == ["ab", "cd", "ef"]
        assert made.layers[1].n_units == 2


# --- labels, gaps, samples ----------------------------------------------------------------------------------------


def test_labels_by_frequency_and_none_is_one():
    frequency = np.array([2.0, 5.0, 0.0, 3.0])
    base = words("a b c d e f g h i j")
    it = model(base, labels=((frequency, np.array([0.0, 4.0])),))
    codes = np.concatenate([one.layers[0].codes for one in editions_of(it, 300)], axis=1)
    assert_like(np.bincount(codes[0] + 1, minlength=4), frequency)
    assert (codes[1] == 0).all()


def test_labels_of_neighbours_and_features_are_independent():
    half = np.array([0.0, 1.0, 1.0])
    base = words("a b")
    it = model(base, labels=((half, half),))
    codes = np.stack([one.layers[0].codes.ravel() for one in editions_of(it, 2000)])
    assert_like(np.bincount(codes @ [8, 4, 2, 1], minlength=16), np.ones(16))


def test_without_rates_only_labels_change():
    for seed in range(50):
        base = random_base(np.random.default_rng(seed))
        it = model(base)
        [made] = editions_of(it, 1)
        assert it.edits.none
        assert (made.text == base.text).all()
        for one, other in zip(made.layers, base.layers, strict=True):
            assert (one.start == other.start).all()
            assert (one.end == other.end).all()


def test_a_sample_depends_on_its_model_its_number_and_the_seed_only():
    labels = ((np.array([1.0, 2.0, 3.0]),),)
    rates = {"p_text": 0.5, "p_segmentation": 0.5, "p_further": 0.3, "labels": labels}
    models = [
        replace(model(tuple(map(words, texts)), n_annotators=n, **rates), documents=(stream,), streams=(stream,))
        for texts, n, stream in ((["abc de f aa bb"], 2, "d"), (["a bc", "def gh"], 3, "e"), (["ab"], 2, "f"))
    ]
    every = RandomEditions(
        ("d", "e", "f"),
        models[0].bases.and_then(models[1].bases).and_then(models[2].bases),
        np.concatenate([one.n_bases for one in models]),
        np.concatenate([one.n_annotators for one in models]),
        models[0].edits,
        ("d", "e", "f"),
    )
    together = draw(every, [range(5, 40), range(7), range(1)], 42)
    place, keys = 0, together.keys()
    for index, own in enumerate(models):
        one = every.take(np.array([index]))
        assert (one.documents, one.bases, one.streams) == (own.documents, own.bases, own.streams)
        assert (one.sizes, one.n_units) == (own.sizes, own.n_units) == (every.sizes[index], every.n_units[index])
    for own, numbers in zip(models, (range(5, 40), range(7), range(1)), strict=True):
        for number in numbers:
            alone = draw(replace(own, edits=models[0].edits), [range(number, number + 1)], 42).keys()
            assert keys[place : place + len(alone)] == alone
            place += len(alone)
    assert place == len(keys)
    assert len({*keys[:70]}) > 60
    others = [draw(replace(models[0], streams=(name,)), [range(5, 6)], seed) for seed, name in ((43, "d"), (42, "g"))]
    assert len({one.keys()[0] for one in (*others, together)}) == 3


@pytest.mark.parametrize("gaps", [False, True])
def test_the_same_without_machine_code(monkeypatch, gaps):
    labels = ((np.array([1.0, 2.0, 3.0]), np.array([2.0, 5.0])),)
    base = with_gaps("ab cd ef gab", (0, 2), (3, 5), (9, 12)) if gaps else words("abc de f abcd aa bb")
    it = model(base, p_text=0.5, p_segmentation=0.5, p_further=0.3, labels=labels, gaps=gaps)
    found = []
    for on in (False, True):
        monkeypatch.setattr(switch, "_on", on)
        found.append(draw(it, [range(100)], 1))
    assert found[0] == found[1]


def test_bases_take_turns():
    bases = tuple(map(words, ("a b", "c", "d e f")))
    it = model(bases, n_annotators=3)
    made = draw(it, [range(7)], 1)
    found = [spelled(made.edition(index).text) for index in range(21)]
    assert found == [spelled(bases[number % 3].text) for number in range(7) for _ in range(3)]
    assert it.n_units.tolist() == [6]


def with_gaps(text, *spans):
    layer = layer_of(spans)
    white = np.array([symbol == " " for symbol in SYMBOLS])
    return Edition(coded(text), (layer, gap_layer(coded(text), [layer], white)))


def test_gaps_are_edited_and_made_anew():
    base = with_gaps("ab cd ef", (0, 2))
    white = np.array([symbol == " " for symbol in SYMBOLS])
    it = model(base, p_text=1.0, p_segmentation=0.5, gaps=True)
    for made in editions_of(it, 200):
        expected = gap_layer(made.text, made.layers[:1], white)
        assert made.layers[1].start.tolist() == expected.start.tolist()
        assert made.layers[1].end.tolist() == expected.end.tolist()
        assert "".join(texts_of(made)) != "ab"
    it = with_rates(it, (0.0,))
    for made in editions_of(it, 200):
        assert one_edit_apart(texts_of(made)[0], "ab")
        assert one_edit_apart(spelled(made.text)[made.layers[0].end[0] + 1 :], "cd ef")


def test_nothing_is_merged_across_a_gap_unnoticed():
    # a merge covers the text between, which is then no gap any more
    base = with_gaps("ab ij cd", (0, 2), (6, 8))
    it = model(base, p_segmentation=0.4, gaps=True)
    found = {"|".join(texts_of(made)): texts_of(made, 1) for made in editions_of(it, 300)}
    assert found["ab ij cd"] == []
    assert found["a|b|cd"] == ["ij"]


# --- expected disorder where only labels are random ----------------------------------------------------------------


def corpus_of(units, texts, n_annotators=2):
    """The same units for everybody but with labels of their own: (start, end, {feature: labels by annotator})."""
    people = "ABCD"[:n_annotators]
    names = sorted({name for _, _, own in units for name in own})
    rows = [(who, k, unit) for k, who in enumerate(people) for unit in units]
    return Corpus.from_columns(
        annotator=[who for who, _, _ in rows],
        start=[unit[0] for _, _, unit in rows],
        end=[unit[1] for _, _, unit in rows],
        document=["d"] * len(rows),
        features={name: [pick(unit[2].get(name), k) for _, k, unit in rows] for name in names},
        texts={("d", who): texts for who in people},
    )


def pick(labels, who):
    return None if labels is None or labels[who % len(labels)] == "-" else labels[who % len(labels)]


TEXT = "aa bb cc dd ee ff"
TOKENS = [(3 * k, 3 * k + 2, {"pos": labels}) for k, labels in enumerate(("NV", "NN", "VA", "AA", "AN", "NA"))]
MISSING = [(3 * k, 3 * k + 2, {"pos": labels}) for k, labels in enumerate(("N-", "--", "VA", "AA", "-N", "NA"))]
LEMMAS = [
    (s, e, own | {"lemma": word})
    for (s, e, own), word in zip(MISSING, ("ab", "cd", "ab", "a-", "ba", "cc"), strict=True)
]
TYPED = [(s, e, own | {"type": ["token"]}) for s, e, own in TOKENS] + [
    (0, 8, {"type": ["sentence"], "mood": "qq"}),
    (9, 17, {"type": ["sentence"], "mood": "qs"}),
]
MATRIX = {("N", "V"): 0.5, ("N", "A"): 0.25, ("V", "A"): 1.0}


@pytest.mark.parametrize(
    ("units", "options"),
    [
        (TOKENS, {}),
        (TOKENS, {"distance": {"pos": MATRIX}}),
        (MISSING, {"distance": {"pos": MATRIX}}),
        (LEMMAS, {}),
        (LEMMAS, {"distance": "nld"}),
        (LEMMAS, {"features": {"text": 0.5, "pos": 2.0, "lemma": 1.0}}),
        (LEMMAS, {"features": {"text": 0.0, "pos": 1.0, "lemma": 3.0}}),
        (TYPED, {}),
        (TYPED, {"types": "sentence"}),
        (TOKENS[:4], {"gaps": True}),
    ],
)
@pytest.mark.parametrize("n_annotators", [2, 3])
def test_the_formula_is_the_mean_of_samples(units, options, n_annotators):
    corpus = corpus_of(units, TEXT, n_annotators)
    settings = settings_of(corpus, p_text=0, p_segmentation=0, effort=Effort(0.02, 0.95, None, 1), **options)
    made = settings.editions(corpus)
    kinds = [kind.name for kind in made.kinds if kind.name != "gap"]
    models = models_of(made, None, settings).at_rates(0.0, (0.0,) * len(kinds))
    dissimilarity = settings.dissimilarity.bind(made.kinds, made.labels, made.alphabet)
    sampling = TextSampling(dissimilarity, settings.costs, settings.effort)
    with pool(None, parallel=False, progress=None) as crew:
        exact = expect(models, sampling, crew)["d"]
    assert isinstance(exact, ExactExpected)
    n_samples = 400 if n_annotators == 2 else 150
    [drawn] = run_text_samples(sampling, SampleJob(models, np.array([0]), [range(n_samples)], False))
    values = drawn.samples.disorder
    assert abs(values.mean() - exact.mean) < 4 * values.std() / np.sqrt(n_samples) + 1e-12
    by_type = drawn.by_type
    error = 4 * by_type.std(axis=0) / np.sqrt(n_samples) + 1e-12
    assert (np.abs(by_type.mean(axis=0) - exact.by_type) < error).all()


def test_the_formula_for_one_nominal_feature():
    corpus = corpus_of(TOKENS, TEXT)
    settings = settings_of(corpus, p_text=0, p_segmentation=0, effort=Effort(0.02, 0.95, None, 1))
    made = settings.editions(corpus)
    models = models_of(made, None, settings).at_rates(0.0, (0.0,))
    sampling = TextSampling(
        settings.dissimilarity.bind(made.kinds, made.labels, made.alphabet), settings.costs, settings.effort
    )
    with pool(None, parallel=False, progress=None) as crew:
        exact = expect(models, sampling, crew)["d"]
    share = np.array([5, 2, 5]) / 12  # N, V, A
    assert exact.mean == pytest.approx((1 - share @ share) / 2)


# --- the whole distribution ----------------------------------------------------------------------------------------

TINY = {
    "text": (Edition(coded("ab a"), (layer_of([(0, 2), (3, 4)]),)), {"p_text": 0.6}, "aab"),
    "adjacent": (
        Edition(coded("aba"), (layer_of([(0, 2), (2, 3)]), layer_of([(1, 2)]))),
        {"p_text": 0.7, "p_further": 0.3},
        "ab",
    ),
    "one symbol": (Edition(coded("aa"), (layer_of([(0, 1), (1, 2)]),)), {"p_text": 0.5, "p_further": 0.5}, "a"),
    "segmentation": (
        Edition(coded("ab a ba"), (layer_of([(0, 2), (3, 4), (5, 7)]), layer_of([(0, 7)]))),
        {"p_segmentation": 0.6},
        "ab",
    ),
    "both": (
        Edition(coded("ab a"), (layer_of([(0, 2), (3, 4)]), layer_of([(0, 4)]))),
        {"p_text": 0.4, "p_segmentation": 0.4, "p_further": 0.2},
        "abb",
    ),
}


@pytest.mark.parametrize("n", [4000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("which", TINY)
def test_all_of_it_has_the_distribution_of_the_definition(which, n):
    base, rates, frequency = TINY[which]
    made = editions_of(model(base, frequency=frequency, **rates), n)
    ours = Counter(plainly(one) for one in made)
    text, spans = plainly(base)
    rng = np.random.default_rng(1)
    rates = {"p_text": 0.0, "p_segmentation": 0.0, "p_further": 0.0} | rates
    theirs = Counter(random_edition(text, spans, 0, rng, frequency=Counter(frequency), **rates) for _ in range(n))
    assert len(theirs) > 5
    assert_alike(ours, theirs)


def plainly(edition):
    """An edition as the oracle has them."""
    layers = [zip(layer.start.tolist(), layer.end.tolist(), strict=True) for layer in edition.layers]
    return spelled(edition.text), tuple(map(tuple, layers))


def assert_alike(one, other):
    """Two counts, of the same size, are of the same distribution; what is rare is counted together."""
    keys = [key for key in one | other if one[key] + other[key] >= 20]
    table = np.array([[counts[key] for key in keys] for counts in (one, other)])
    rest = np.array([[counts.total()] for counts in (one, other)]) - table.sum(axis=1, keepdims=True)
    table = np.hstack([table, rest]) if rest.sum() >= 20 else table
    assert chi2_contingency(table).pvalue > UNLIKELY
