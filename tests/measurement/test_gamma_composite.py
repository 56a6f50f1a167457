"""γ of relations, events and units in pieces: the same as that of spans, invariant, and 0 for random relations."""

from __future__ import annotations

import copy
from itertools import permutations

import numpy as np
import pytest
from anchored import give_anchors

import unisono
from unisono.data import Corpus
from unisono.errors import OptionError

EXTENT = 3000


def random_relation(rng, extent=EXTENT):
    source = int(rng.integers(0, extent - 100))
    target = min(max(0, source + int(rng.integers(-60, 61))), extent - 20)
    ends = ("source", source, source + int(rng.integers(3, 12))), ("target", target, target + int(rng.integers(3, 12)))
    return [*ends], "ABC"[rng.integers(3)]


def random_event(rng, extent=EXTENT):
    """A trigger with up to three arguments, two of which may have the same role."""
    anchors, label = random_relation(rng, extent)
    found = [("trigger", *anchors[0][1:])]
    for role in rng.choice(["agent", "patient", "patient"], int(rng.integers(0, 4)), replace=False):
        start = anchors[0][1] + int(rng.integers(0, 60))
        found.append((str(role), start, start + int(rng.integers(0, 9))))
    return found, label


def corpus_of(people, extent=EXTENT, name="text"):
    """Make a corpus of one document from annotators' units: anchors and a category each."""
    rows = [(who, *unit) for who, units in people.items() for unit in units]
    return Corpus.from_columns(
        document=[name] * len(rows),
        annotator=[row[0] for row in rows],
        anchors=[row[1] for row in rows],
        features={"category": [row[2] for row in rows]},
        worked=[(name, who) for who in people],
        bounds={name: (0, extent)},
    )


def disturbed(rng, units, other, share=0.3):
    """Replace single anchors and labels by those of other units, and leave some units out."""
    found = []
    for anchors, label in units:
        anchors = copy.copy(anchors)
        if rng.random() < share:
            place = int(rng.integers(len(anchors)))
            anchors[place] = (anchors[place][0], *other(rng)[0][0][1:])
        if rng.random() < share:
            label = "ABC"[rng.integers(3)]
        if rng.random() > share / 3:
            found.append((anchors, label))
    return found


def work_of(seed, other=random_relation, n=20):
    rng = np.random.default_rng(seed)
    reference = [other(rng) for _ in range(n)]
    return {who: disturbed(rng, reference, other) for who in ("anna", "bert", "carl")}


def spans(seed, n_documents, fractions):
    """Plain spans of three annotators, nested, overlapping and without length among them."""
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(n_documents):
        for who in "abc":
            for start in np.sort(rng.integers(0, 200, int(rng.integers(4, 9)))):
                length = int(rng.choice([0, 2, 5, 9, 30]))
                rows.append((f"t{document}", who, int(start), int(start) + length, "XYZ"[rng.integers(3)]))
    scale = 0.37 if fractions else 1
    return Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        start=[row[2] * scale for row in rows],
        end=[row[3] * scale for row in rows],
        features={"category": [row[4] for row in rows]},
    )


@pytest.mark.parametrize("fractions", [False, True])
@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical"])
def test_spans_have_the_same_value_to_the_last_bit(chance, fractions, monkeypatch):
    corpus = spans(1, 4, fractions)
    options = {"chance": chance, "alpha": 0.7, "precision": 0.05}
    plain = unisono.gamma(corpus, **options)
    given = plain.to_dict(), plain.documents.columns, plain.categories()
    give_anchors(monkeypatch)
    anchored = unisono.gamma(corpus, **options)
    assert anchored.to_dict() == given[0]
    assert anchored.categories() == given[2]
    for name in ("total", "mean", "error", "parts", "n_samples"):
        np.testing.assert_array_equal(getattr(anchored.documents.columns, name), getattr(given[1], name))
    for name in corpus.documents:
        assert [*anchored.alignment[name]] == [*plain.alignment[name]]


@pytest.mark.parametrize("weight", [0.5, 2.0, 8.0])
def test_the_weight_of_the_only_role_plays_no_part(weight):
    people = {
        who: [([("trigger", *span)], label) for ((_, *span), _), label in units] for who, units in work_of(2).items()
    }
    corpus = corpus_of(people)
    found, weighed = unisono.gamma(corpus), unisono.gamma(corpus, roles={"trigger": weight})
    assert weighed.value == found.value
    assert weighed.expected == found.expected


@pytest.mark.parametrize("other", [random_relation, random_event])
@pytest.mark.parametrize("chance", ["shift", "statistical"])
def test_neither_order_nor_names_nor_the_place_change_the_value(chance, other):
    people = work_of(3, other)
    rng = np.random.default_rng(0)
    value = unisono.gamma(corpus_of(people), chance=chance).to_dict()
    for order in permutations(people):
        shuffled = {}
        for who in order:
            units = [
                (list(map(tuple, rng.permutation(np.array(anchors, object)))), label) for anchors, label in people[who]
            ]
            shuffled[who] = [units[place] for place in rng.permutation(len(units))]
        assert unisono.gamma(corpus_of(shuffled), chance=chance).to_dict() == value
    renamed = corpus_of({f"somebody {len(people) - k}": units for k, units in enumerate(people.values())})
    found = unisono.gamma(renamed, chance=chance)
    assert (found.value, found.expected, found.gamma_cat) == (
        value["value"],
        value["expected"],
        value["gamma_cat"]["value"],
    )


def many_documents(seed, n=7):
    rng = np.random.default_rng(seed)
    return [
        corpus_of(work_of(int(rng.integers(10**6)), other, 8), name=f"t{k}")
        for k, other in enumerate([random_relation, random_event] * n)
    ][:n]


def joined(corpora):
    rows = [(corpus, unit) for corpus in corpora for document in corpus for unit in document.units]
    return Corpus.from_columns(
        document=[corpus.documents[0] for corpus, _ in rows],
        annotator=[unit.annotator for _, unit in rows],
        anchors=[unit.anchors for _, unit in rows],
        features={"category": [unit.category for _, unit in rows]},
        bounds={corpus.documents[0]: (0, EXTENT) for corpus in corpora},
        worked=[(corpus.documents[0], who) for corpus in corpora for who in corpus.annotators],
    )


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical"])
def test_documents_in_any_order_by_any_number_of_workers(chance):
    corpora = many_documents(4)
    found = unisono.gamma(joined(corpora), chance=chance, workers=1)
    again = unisono.gamma(joined(corpora[::-1]), chance=chance, workers=2)
    assert again.value == pytest.approx(found.value, abs=1e-14)
    assert again.expected == pytest.approx(found.expected, abs=1e-14)
    for one in found.documents:
        (other,) = (other for other in again.documents if other.document == one.document)
        assert (other.value, other.observed, other.expected) == (one.value, one.observed, one.expected)
    if chance != "corpus":  # no document depends on others
        for corpus, one in zip(corpora, found.documents, strict=True):
            assert unisono.gamma(corpus, chance=chance).documents[0].value == one.value


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical", "auto"])
@pytest.mark.parametrize("other", [random_relation, random_event])
def test_random_relations_have_a_value_near_0(other, chance):
    rng = np.random.default_rng(5)
    corpora = [
        corpus_of({who: [other(rng) for _ in range(12)] for who in ("anna", "bert", "carl")}, name=f"t{k}")
        for k in range(40)
    ]
    result = unisono.gamma(joined(corpora), chance=chance)
    values = result.documents.values
    assert abs(values.mean()) < 3 * values.std() / len(values) ** 0.5
    assert abs(result.value) < 0.03


def test_disorder_is_told_apart_by_role():
    reference = work_of(6)["anna"]
    moved = [([anchors[0], ("target", anchors[1][1] + 3, anchors[1][2] + 3)], label) for anchors, label in reference]
    result = unisono.gamma(corpus_of({"anna": reference, "bert": moved}))
    assert result.disagreement == {"source": 0.0, "target": 1.0, "category": 0.0, "missing": 0.0}
    assert result.remarks()[0] == "Disorder comes from targets (100%)."
    assert result.alignment["text"][0].differs == ("target",)
    undirected = unisono.gamma(corpus_of({"anna": reference, "bert": moved}), directed=False)
    assert undirected.disagreement == {"ends": 1.0, "category": 0.0, "missing": 0.0}


def test_parts_add_up_to_the_disorder():
    result = unisono.gamma(corpus_of(work_of(7, random_event)), alpha=0.8, beta=1.7, delta_empty=2)
    for one in result.alignment["text"]:
        assert sum(one.parts.values()) == pytest.approx(one.disorder, abs=1e-12)
    assert set(result.disagreement) == {"agent", "patient", "trigger", "category", "missing"}


def test_turned_relations_agree_where_direction_does_not_count():
    reference = work_of(8)["anna"]
    turned = [([("source", *target), ("target", *source)], label) for ((_, *source), (_, *target)), label in reference]
    corpus = corpus_of({"anna": reference, "bert": turned})
    assert unisono.gamma(corpus).value < 0.5
    assert unisono.gamma(corpus, directed=False).value == 1.0


def test_weights_of_roles():
    reference = work_of(9)["anna"]
    rng = np.random.default_rng(0)
    wrong = [([anchors[0], ("target", *random_relation(rng)[0][1][1:])], label) for anchors, label in reference]
    corpus = corpus_of({"anna": reference, "bert": wrong})
    even, sources, targets = (
        unisono.gamma(corpus, roles=roles).observed for roles in (None, {"source": 3}, {"target": 3})
    )
    assert sources < even < targets
    assert sources == pytest.approx(2 / 4, abs=0.05)  # 2 · (1 + 1) / (4 + 4), were no target near its own by chance


def test_the_signature_names_roles_and_direction():
    corpus = corpus_of(work_of(10, n=5))
    found = unisono.measure("gamma(roles=[source:2,target:1],directed=false)", corpus, rng=1)
    assert "|roles:source*2+target*1|directed:false|" in found.signature
    assert found.value == unisono.gamma(corpus, roles={"source": 2, "target": 1}, directed=False, rng=1).value
    assert unisono.align(corpus, directed=False)["text"].disorder <= unisono.align(corpus)["text"].disorder


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roles": {"agent": 1}}, "unknown role 'agent'; available: source, target"),
        ({"roles": {"source": 0}}, "expected a number above 0"),
        ({"roles": ["source"]}, "expected roles with their weights"),
        ({"directed": "no"}, "expected True or False"),
    ],
)
def test_wrong_roles_are_rejected(options, message):
    with pytest.raises(OptionError, match=message):
        unisono.gamma(corpus_of(work_of(10, n=3)), **options)


def test_roles_need_several_anchors():
    plain = spans(0, 1, fractions=False)
    with pytest.raises(OptionError, match="plain spans"):
        unisono.gamma(plain, directed=False)
    events = corpus_of(work_of(10, random_event, n=3))
    with pytest.raises(OptionError, match="no relations with a source and a target"):
        unisono.gamma(events, directed=False)
