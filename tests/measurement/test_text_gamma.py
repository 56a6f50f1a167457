"""Text-γ as users of Python meet it: golden numbers, rates, subsets, invariants."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import unisono
from unisono import DataError, OptionError, Prior
from unisono.data import Corpus
from unisono.data.labels import feature
from unisono.kernels import switch
from unisono.measurement.disorder.document import SERIOUS
from unisono.measurement.text_gamma import align_texts, expected, measure


def versions(document="d", **texts):
    """Make a corpus out of units in braces, ``{word|pos}``, and text between them."""
    rows = {"document": [], "annotator": [], "start": [], "end": [], "pos": [], "type": []}
    whole = {}
    for who, written in texts.items():
        text = ""
        for piece in written.replace("{", "\0{").replace("}", "}\0").split("\0"):
            if not piece.startswith("{"):
                text += piece
                continue
            word, _, label = piece[1:-1].partition("|")
            begin = len(text)
            text += word
            for name, value in zip(rows, (document, who, begin, len(text), label or None, "token"), strict=True):
                rows[name].append(value)
        whole[document, who] = text
    features = {"type": rows.pop("type"), "pos": rows.pop("pos")}
    return Corpus.from_columns(**rows, features=features, texts=whole)


ONE = "{the|D} {old|A} {man|N} {went|V} {home|N} {and|C} {slept|V} {well|B}"
TWO = "{the|D} {old|A}{man|N} {vent|V} {home|N} {and|C} {slept|N} {wel|B}{l|B}"


def retagged(shared):
    """Give the corpus of GOLDEN.md: one text twice, three tokens tagged differently."""
    corpus = unisono.read(shared / "textgamma" / "cora_ren.xml")
    (document,) = corpus
    names = [*corpus.features]
    rows = [[unit.features[name] for name in names] for unit in document.units]
    other = [list(row) for row in rows]
    for index, tag in ((1, "DDS"), (4, "DRELS"), (9, "NA")):
        other[index][names.index("pos")] = tag
    start, end = [unit.start for unit in document.units], [unit.end for unit in document.units]
    return corpus, Corpus.from_columns(
        document=["d"] * 20,
        annotator=["first"] * 10 + ["second"] * 10,
        start=start * 2,
        end=end * 2,
        features={name: [row[k] for row in rows + other] for k, name in enumerate(names)},
        texts={("d", who): document.text for who in ("first", "second")},
    )


@pytest.mark.parametrize(
    ("features", "observed", "expected", "value"), [("pos", 0.15, 0.4, 0.625), (None, 0.035, 0.608, 0.9425)]
)
def test_golden_cora(shared, features, observed, expected, value):
    base, corpus = retagged(shared)
    result = unisono.text_gamma(corpus, base=base, p_text=0, p_segmentation=0, features=features)
    assert result.observed == pytest.approx(observed, abs=1e-12)
    assert result.expected == pytest.approx(expected, abs=1e-12)
    assert result.value == pytest.approx(value, abs=1e-4)
    assert result.n_samples == 0
    assert result.expected_error == 0


def test_the_same_text_twice_is_perfect():
    result = unisono.text_gamma(versions(a=ONE, b=ONE))
    assert (result.value, result.observed) == (1, 0)
    assert result.rates.text.value == 0
    assert unisono.text_gamma(versions(a=ONE, b=ONE, c=ONE)).value == 1


def test_nothing_to_disagree_about():
    result = unisono.text_gamma(versions(a="{a} {b}", b="{a} {b}"))
    assert (result.value, result.documents[0].expected) == (1, 0)
    assert "agree exactly" in result.notes[0]


def test_no_units_at_all():
    corpus = Corpus.from_columns(
        annotator=[], start=[], end=[], worked=[("d", "a"), ("d", "b")], texts={("d", "a"): "x", ("d", "b"): "x"}
    )
    result = unisono.text_gamma(corpus)
    assert result.value is None
    assert result.undefined == "no annotator marked anything"


def test_one_annotator_marked_nothing():
    corpus = versions(a=ONE, b="the old man")
    result = unisono.text_gamma(corpus, p_text=0.1, p_segmentation=0.1)
    assert result.observed == pytest.approx(2.0)
    assert result.value < 0


def test_order_and_names_of_annotators_play_no_part():
    three = "{the|D} {ol|A} {man|A} {went|V} {home|N} {and|C} {slept|V} {well|B}"
    kwargs = {"p_text": 0.2, "p_segmentation": 0.1, "precision": 0.1}
    results = [
        unisono.text_gamma(versions(**dict(zip("pqr", order, strict=True))), **kwargs)
        for order in ((ONE, TWO, three), (three, ONE, TWO), (TWO, three, ONE))
    ]
    assert len({round(result.observed, 12) for result in results}) == 1
    assert all(result.optimality_gap == 0 for result in results)


def test_seeds_and_workers(monkeypatch):
    corpus = versions(a=ONE, b=TWO)
    coarse = {"precision": 0.1}
    first = unisono.text_gamma(corpus, rng=7, **coarse)
    assert unisono.text_gamma(corpus, rng=7, **coarse).expected == first.expected
    assert unisono.text_gamma(corpus, rng=8, **coarse).expected != first.expected
    with ThreadPoolExecutor(2) as crew:
        assert unisono.text_gamma(corpus, rng=7, workers=crew, **coarse).expected == first.expected
    coarse["distance"] = {"text": "nld"}
    with ProcessPoolExecutor(1) as crew:
        assert unisono.text_gamma(corpus, rng=7, workers=crew, **coarse).to_dict() == (
            unisono.text_gamma(corpus, rng=7, **coarse).to_dict()
        )


def test_rates_are_given_estimated_or_both():
    base, corpus = versions(start=ONE), versions(a=ONE, b=TWO)
    estimated = unisono.text_gamma(corpus, base=base).rates
    # b changed one text of the seven units that still match, and split one; a changed nothing
    assert estimated.text.value == pytest.approx(1 / 15)
    assert estimated.text.origin == "estimated"
    assert estimated.segmentation["token"].value == pytest.approx(1 / 16)
    prior = unisono.text_gamma(corpus, base=base, p_text=Prior(0.5, 6)).rates.text
    assert prior.value == pytest.approx((1 + 0.5 * 6) / (15 + 6))
    given = unisono.text_gamma(corpus, base=base, p_text=0.3, p_segmentation=0.2).rates
    assert (given.text.value, given.segmentation["token"].value) == (0.3, 0.2)


def test_without_a_base_half_of_the_difference_is_each_ones():
    corpus = versions(a=ONE, b=TWO)
    rates = unisono.text_gamma(corpus).rates
    with_base = unisono.text_gamma(corpus, base=versions(start=ONE)).rates
    assert rates.text.value == pytest.approx(with_base.text.value, rel=0.2)


def test_expected_disorder_grows_with_the_rates():
    corpus = versions(a=ONE, b=TWO)
    at = [
        unisono.text_gamma(corpus, p_text=p, p_segmentation=q).expected
        for p, q in ((0, 0), (0.2, 0), (0.2, 0.2), (0.5, 0.5))
    ]
    assert at == sorted(at)
    assert len(set(at)) == 4


def test_further_edits_matter_where_spelling_counts():
    corpus = versions(a=ONE, b=TWO)
    how = {"p_text": 1.0, "p_segmentation": 0.0, "distance": {"text": "nld"}}
    assert unisono.text_gamma(corpus, p_further=0.8, **how).expected > unisono.text_gamma(corpus, **how).expected


def test_types_are_measured_by_themselves():
    text = "ab cd. ef gh."

    def units(spans, kind):
        return [{"start": s, "end": e, "type": kind} for s, e in spans]

    tokens, sentences = [(0, 2), (3, 5), (5, 6), (7, 9), (10, 12), (12, 13)], [(0, 6), (7, 13)]
    corpus = corpus_of_lines(
        {"annotator": "a", "text": text, "units": units(tokens, "token") + units(sentences, "sentence")},
        {"annotator": "b", "text": text, "units": units(tokens, "token") + units([(0, 13)], "sentence")},
    )
    result = unisono.text_gamma(corpus, p_text=0.1, p_segmentation=0.1, precision=0.1)
    rows = {row["type"]: row for row in result.types()}
    assert rows["token"]["observed"] == 0
    # a sentence of one aligns with the whole of the other, or not; the other sentence is alone
    assert rows["sentence"]["observed"] > 0
    alone = unisono.text_gamma(corpus, types="token", p_text=0.1, p_segmentation=0.1)
    assert (alone.value, [row["type"] for row in alone.types()]) == (1, ["token"])
    with pytest.raises(OptionError, match="unknown type 'word'; available: sentence, token"):
        unisono.text_gamma(corpus, types="word")


def corpus_of_lines(*lines):
    columns = {"document": [], "annotator": [], "start": [], "end": []}
    features = {"type": []}
    for line in lines:
        for unit in line["units"]:
            columns["document"].append("d")
            columns["annotator"].append(line["annotator"])
            columns["start"].append(unit["start"])
            columns["end"].append(unit["end"])
            features["type"].append(unit["type"])
    return Corpus.from_columns(
        **columns, features=features, texts={("d", line["annotator"]): line["text"] for line in lines}
    )


def test_text_outside_units_counts_if_asked():
    corpus = versions(a="{one|A} two three {four|B}", b="{one|A} two trhee {four|B}")
    assert unisono.text_gamma(corpus).value == 1
    result = unisono.text_gamma(corpus, gaps=True, precision=0.1)
    assert result.observed == pytest.approx(1 / 3)
    (gap,) = [row for row in result.types() if row["type"] == "gap"]
    assert (gap["observed"], gap["n_units"]) == (1, 2)
    rows = [row for row in result.alignment["d"] if row.disorder]
    assert [unit.features["type"] for unit in rows[0].units.values()] == ["gap", "gap"]
    assert result.alignment["d"].to_frame()["a.text"].tolist()[0] == "two three"


def test_combining_marks_stay_with_their_base_if_asked():
    corpus = versions(a="{e\u0301a}", b="{ea}")
    points = unisono.text_gamma(corpus, distance={"text": "nld"}, precision=0.5)
    clusters = unisono.text_gamma(corpus, distance={"text": "nld"}, graphemes=True, precision=0.5)
    assert points.observed == pytest.approx(1 / 3)
    assert clusters.observed == pytest.approx(1 / 2)
    torn = Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[1, 1], texts={("document", w): "e\u0301" for w in "ab"}
    )
    with pytest.raises(DataError, match="separates a letter from a mark that combines with it"):
        unisono.text_gamma(torn, graphemes=True)


def test_distances_and_weights():
    corpus = versions(a="{hats|N}", b="{hatt|V}")

    def observed(**options):
        return unisono.text_gamma(corpus, p_text=0.1, p_segmentation=0, precision=0.5, **options).observed

    assert observed() == 1
    assert observed(distance="nld") == pytest.approx((1 / 4 + 1) / 2)
    assert observed(distance={"text": "nld"}) == pytest.approx((1 / 4 + 1) / 2)
    assert observed(features={"text": 3, "pos": 1}, distance={"text": "nld"}) == pytest.approx((3 / 4 + 1) / 4)
    assert observed(features={"text": 0, "pos": 1}, distance={"pos": {("N", "V"): 0.25}}) == pytest.approx(0.25)
    assert observed(features=()) == 1
    with pytest.raises(OptionError, match="cannot all weigh 0"):
        observed(features={"text": 0})
    with pytest.raises(OptionError, match="unknown feature 'lemma'; available: pos"):
        observed(features="lemma")
    with pytest.raises(OptionError, match="available for texts: nominal, nld"):
        observed(distance={"text": "numeric"})


def test_moved_units_are_told_as_such():
    corpus = versions(
        a="{they|P} {said|V} {verily|B} {that|C} {it|P} {was|V} {good|A}",
        b="{they|P} {said|V} {that|C} {it|P} {was|V} {good|A} {verily|B}",
    )
    result = unisono.text_gamma(corpus, p_text=0.1, p_segmentation=0.1)
    (row,) = [row for row in result.alignment["d"] if row.disorder]
    assert row.differs == ("moved",)
    assert [unit.start for unit in row.units.values()] == [10, 27]
    assert row.disorder == 2  # what two empty units cost: the measure is the paper's
    assert result.observed == pytest.approx(2 / 7)
    assert result.disagreement["moved"] == 1


def test_the_result_says_where_disorder_comes_from():
    result = unisono.text_gamma(versions(a=ONE, b=TWO))
    assert set(result.disagreement) == {"text", "pos", "segmentation", "moved"}
    assert sum(result.disagreement.values()) == pytest.approx(1)
    total = sum(row.disorder for row in result.alignment["d"])
    assert total / 8.5 == pytest.approx(result.observed)
    for row in result.alignment["d"]:
        assert sum(row.parts.values()) == pytest.approx(row.disorder)
    assert [row["feature"] for row in result.features()] == ["pos"]
    assert list(result.per_feature["feature"]) == ["pos"]
    assert list(result.per_type["type"]) == ["token"]


def test_documents_are_pooled():
    one, two = versions("x", a=ONE, b=TWO), versions("y", a=ONE, b=ONE)
    both = Corpus.from_columns(
        document=[c.documents[d] for c in (one, two) for d in c.document],
        annotator=[c.annotators[a] for c in (one, two) for a in c.annotator],
        start=np.concatenate([one.start, two.start]),
        end=np.concatenate([one.end, two.end]),
        features={name: one.features[name].values() + two.features[name].values() for name in ("type", "pos")},
        texts={(c.documents[d], c.annotators[a]): text for c in (one, two) for (d, a), text in c.texts.items()},
    )
    result = unisono.text_gamma(both, p_text=0.1, p_segmentation=0.1, precision=0.1)
    by_name = {document.document: document for document in result.documents}
    assert by_name["y"].value == 1
    expected = (8.5 * by_name["x"].expected + 8 * by_name["y"].expected) / 16.5
    assert result.expected == pytest.approx(expected)
    assert result.observed == pytest.approx(8.5 * by_name["x"].observed / 16.5)
    assert result.value == pytest.approx(1 - result.observed / expected)
    assert len(result.pairwise()) == 1


def test_measured_by_name_and_repeated():
    corpus = versions(a=ONE, b=TWO)
    text = "text-gamma(p_text=map(0.1,10),p_segmentation=0.04,features=[text:2,pos],distance=[text:nld],types=token)"
    result = unisono.measure(text, corpus, base=versions(start=ONE))
    assert result.signature.startswith("text-gamma|features:text*2=nld+pos|p_text:")
    assert "(map(0.1,10))|p_segmentation:0.04|base:given|types:token|" in result.signature
    assert json.loads(json.dumps(result.to_dict()))["p_text"]["origin"] == "map"
    with pytest.raises(OptionError, match="base: gamma uses no pre-annotation; text-gamma does"):
        unisono.measure("gamma", corpus, base=corpus)


def test_it_is_advised_where_texts_differ():
    corpus = versions(a=ONE, b=TWO)
    assert unisono.advise(corpus).fitting[0].name == "text-gamma"
    assert unisono.advise(versions(a=ONE, b=ONE)).fitting[0].name == "gamma"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p_text": 1.5}, "p_text: expected a number from 0 to 1"),
        ({"p_segmentation": "often"}, "p_segmentation: expected a number from 0 to 1"),
        ({"p_further": 1}, "p_further: expected a number from 0 to 0.95, not 1"),
        ({"gap_text": 0}, "gap_text: expected a number above 0, not 0"),
        ({"gap_boundary": 0.3333}, "have no simple ratio"),
        ({"precision": 0}, "precision: expected a number between 0 and 1, e.g. 0.02, not 0"),
        ({"base": 3}, "base: expected a path, .*, not int"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(OptionError, match=message):
        unisono.text_gamma(versions(a=ONE, b=TWO), **options)


def test_priors_that_make_no_sense():
    with pytest.raises(OptionError, match="from 0 to 1"):
        Prior(2, 1)
    with pytest.raises(OptionError, match="above 0"):
        Prior(0.1, 0)


def test_data_that_cannot_be_used():
    with pytest.raises(DataError, match="document 'document' has no text by 'a'"):
        unisono.text_gamma(Corpus.from_columns(annotator=["a", "b"], start=[0, 0], end=[1, 1]))
    with pytest.raises(OptionError, match=r"corpus: expected a path, .*, not an empty list"):
        unisono.text_gamma([])


def test_bases_that_do_not_fit():
    corpus = versions(a=ONE, b=TWO)
    with pytest.raises(DataError, match="fits none of the annotators' texts"):
        unisono.text_gamma(corpus, base=versions(start="{Xyzzy} {quux} {zzz} {frotz}"))
    with pytest.raises(DataError, match="several versions of document 'd', by p, q"):
        unisono.text_gamma(corpus, base=versions(p=ONE, q=TWO))
    other = versions("e", start=ONE)
    assert unisono.text_gamma(corpus, base=other).value is not None  # one document each: names need not agree
    two = Corpus.from_columns(
        document=["e", "f"], annotator=["s", "s"], start=[0, 0], end=[1, 1], texts={("e", "s"): "x", ("f", "s"): "y"}
    )
    with pytest.raises(DataError, match="the pre-annotation has no document 'd'; available: e, f"):
        unisono.text_gamma(corpus, base=two)
    untyped = Corpus.from_columns(annotator=["s"], start=[0], end=[3], texts={("document", "s"): "the"})
    with pytest.raises(DataError, match=r"the pre-annotation has no units of the type token; .* types=unit"):
        unisono.text_gamma(corpus, base=untyped)
    nothing = replace(untyped, features={"type": feature([None])})
    with pytest.raises(DataError, match=r"the pre-annotation has no units of the type token; add them$"):
        unisono.text_gamma(corpus, base=nothing)


def test_parts_of_a_corpus_are_compared_at_the_same_rates():
    three = "{the|D} {ol|A} {man|A} {went|V} {home|N} {and|C} {slept|V} {well|B}"
    result = unisono.text_gamma(versions(a=ONE, b=TWO, c=three), precision=0.2)
    again = result.remeasure(result.corpus.select(annotators=["a", "c"]))
    assert again.rates == result.rates
    assert result.leave_one_out()[1]["value_without"] == again.value


def test_gaps_of_random_samples_are_told():
    versions_of_one_word = {who: " ".join(["{ja|X}"] * n) for who, n in (("a", 9), ("b", 6), ("c", 5))}
    result = unisono.text_gamma(versions(**versions_of_one_word), p_segmentation=0.3, p_text=0.1, precision=0.3)
    assert result.optimality_gap >= 0
    assert result.expected_gap == max(document.chance.gap for document in result.documents)


def test_only_units_that_count_are_counted():
    corpus = versions(a="{one|A} two {three|B}", b="{one|A} two {three|B}")
    assert unisono.text_gamma(corpus).n_units == 4
    assert unisono.text_gamma(corpus, gaps=True).n_units == 6


def test_features_do_not_overwrite_columns_of_the_table():
    corpus = Corpus.from_columns(
        annotator=["a", "b"],
        start=[0, 0],
        end=[2, 2],
        features={"disorder": ["x", "y"], "start": ["p", "p"], "differs": ["q", "r"]},
        texts={("document", "a"): "ab", ("document", "b"): "ac"},
    )
    table = unisono.text_gamma(corpus, precision=0.5).alignment["document"].columns()
    assert table["disorder"] == [0.75]
    assert table["feature disorder"] == [0.25]
    assert (table["a.start"], table["feature a.start"]) == ([0], ["p"])


def test_features_that_few_units_have_are_warned_of():
    sparse = versions(a="{a} {b} {c} {d|X}", b="{a} {b} {c} {d|Y}")
    assert any("many units have no pos" in note for note in unisono.text_gamma(sparse, precision=0.5).notes)
    assert not unisono.text_gamma(versions(a=ONE, b=TWO), precision=0.5).notes


def test_more_labels_than_can_be_compared_have_a_reason():
    words = " ".join(f"{{w{k}|l{k}}}" for k in range(2100))
    result = unisono.text_gamma(versions(a=words, b=words), distance="nld", p_text=0, p_segmentation=0)
    (row,) = result.features()
    assert row["value"] is None
    assert "too many different labels" in row["undefined"]


def crowd(seed, n_documents=8):
    """Documents of two to four annotators, some of whom moved, changed, split or left out words."""
    rng = np.random.default_rng(seed)
    parts = []
    for number in range(n_documents):
        n = int(rng.integers(2, 5))
        words = [f"{word}|{rng.choice(list('NVA'))}" for word in rng.choice(["the", "old", "man", "a", "went"], 6)]
        texts = {}
        for who in "abcd"[:n]:
            own = list(words)
            if rng.random() < 0.5:
                own.append(own.pop(int(rng.integers(6))))
            if rng.random() < 0.5:
                own[0] = "new|N"
            if rng.random() < 0.3:
                del own[2]
            texts[who] = " ".join(f"{{{word}}}" for word in own)
        parts.append(versions(document=f"d{number}", **texts))
    return joined_corpus(parts)


def joined_corpus(parts):
    columns = {
        name: [value for part in parts for value in values(part)]
        for name, values in {
            "document": lambda c: [c.documents[d] for d in c.document],
            "annotator": lambda c: [c.annotators[a] for a in c.annotator],
            "start": lambda c: c.start.tolist(),
            "end": lambda c: c.end.tolist(),
        }.items()
    }
    features = {name: [v for part in parts for v in part.features[name].values()] for name in ("type", "pos")}
    texts = {(c.documents[d], c.annotators[a]): text for c in parts for (d, a), text in c.texts.items()}
    return Corpus.from_columns(**columns, features=features, texts=texts)


@pytest.mark.parametrize("options", [{}, {"gaps": True}, {"distance": "nld"}])
def test_sums_over_documents_are_those_of_their_alignments(options):
    moved = 0
    for seed in range(12):
        result = unisono.text_gamma(crowd(seed), p_text=0.1, p_segmentation=0.1, precision=0.9, **options)
        columns = result.documents.columns
        for index, document in enumerate(result.documents):
            alignment = document.alignment
            assert columns.n_units[index] == columns.n_aligned[index] == alignment.annotations.n_units
            assert columns.size[index] == pytest.approx(alignment.annotations.mean_units)
            assert columns.total[index] == pytest.approx(alignment.solution.total)
            assert columns.bound[index] == pytest.approx(alignment.solution.bound)
            assert columns.serious[index] == (alignment.solution.cost >= SERIOUS).any()
            assert columns.kinds == tuple(alignment.parts)
            sums = [part.sum() for part in alignment.parts.values()]
            assert columns.parts[index] == pytest.approx(sums, abs=1e-12)
            moved += alignment.parts["moved"].sum() > 0
    assert moved > 5


def test_documents_do_not_depend_on_each_other():
    corpus = crowd(3, 12)
    options = {"p_text": 0.1, "p_segmentation": 0.1, "precision": 0.9}
    together = unisono.text_gamma(corpus, **options)
    for name in corpus.documents[:6]:
        alone = align_texts(corpus.select(documents=[name]))[name]
        assert alone.solution == together.alignment[name].solution


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_and_batches_change_nothing(workers, monkeypatch):
    corpus = crowd(5, 12)
    options = {"p_text": 0.2, "p_segmentation": 0.1, "precision": 0.1}
    plain = unisono.text_gamma(corpus, workers=1, **options).to_dict()
    assert unisono.text_gamma(corpus, workers=workers, **options).to_dict() == plain
    monkeypatch.setattr(expected, "_BATCH", 1)
    monkeypatch.setattr(measure, "_BATCH", 1)
    assert unisono.text_gamma(corpus, workers=1, **options).to_dict() == plain
    monkeypatch.setattr(switch, "_on", True)
    assert unisono.text_gamma(corpus, workers=workers, **options).to_dict() == plain
