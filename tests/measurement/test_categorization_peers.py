"""The same numbers as other programs on the same data, or why not."""

from __future__ import annotations

import numpy as np
import pytest
from categorization_helpers import from_text, random_table

import unisono
from unisono.measurement.categorization import (
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    multi_kappa,
    randolph_kappa,
    scott_pi,
    weighted_kappa,
)

SEEDS = range(4)

IRRCAC = {
    "complete": (
        "124 324 434 444 113 113 444 444 212 114 444 222",
        {
            "gwet identity": (0.425913621262, 0.555555555556, 0.225823045267),
            "fleiss identity": (0.343963553531, 0.555555555556, 0.322530864198),
            "conger identity": (0.366336633663, 0.555555555556, 0.298611111111),
            "bp identity": (0.407407407407, 0.555555555556, 0.25),
            "krippendorff identity": (0.362186788155, 0.567901234568, 0.322530864198),
            "gwet linear": (0.451975353389, 0.740740740741, 0.526920438957),
            "gwet quadratic": (0.485037816508, 0.820987654321, 0.652377686328),
            "krippendorff quadratic": (0.487373737374, 0.825960219479, 0.66049382716),
            "gwet ordinal": (0.474720054293, 0.800925925926, 0.621013374486),
            "krippendorff ratio": (0.393076722371, 0.794694569643, 0.661727539667),
            "krippendorff circular": (0.347457627119, 0.702932098765, 0.54475308642),
        },
    ),
    "some missing": (
        ".223 1212 .311 ..21 222. 33.3 2112 1231 311. 121. 33.. 1232 21.3 1121 3.33",
        {
            "gwet identity": (0.183786785119, 0.455555555556, 0.332962962963),
            "fleiss identity": (0.182424916574, 0.455555555556, 0.334074074074),
            "conger identity": (0.184056476753, 0.455555555556, 0.332742488992),
            "bp identity": (0.183333333333, 0.455555555556, 0.333333333333),
            "krippendorff identity": (0.169502617801, 0.44921875, 0.336805555556),
            "gwet linear": (0.226074895978, 0.655555555556, 0.554938271605),
            "gwet quadratic": (0.268292682927, 0.755555555556, 0.665925925926),
            "krippendorff quadratic": (0.257894736842, 0.755208333333, 0.670138888889),
            "gwet ordinal": (0.251413995786, 0.722222222222, 0.628930041152),
            "krippendorff ratio": (0.182457996665, 0.704890046296, 0.639027777778),
            "krippendorff circular": (0.169502617801, 0.44921875, 0.336805555556),
        },
    ),
    "many missing": (
        ".5.15 ...1. .1.4. .2... ..11. .535. 35.1. 332.. .1.1. .1..1 422.. 123.. 53441 5333. 2522. 2331.",
        {
            "gwet identity": (0.26096059352, 0.4, 0.18813530816),
            "fleiss identity": (0.202701494646, 0.4, 0.247458767361),
            "conger identity": (0.246292526897, 0.4, 0.203935185185),
            "bp identity": (0.25, 0.4, 0.2),
            "krippendorff identity": (0.188194444444, 0.367766360195, 0.221200648999),
            "gwet linear": (0.242960537589, 0.670238095238, 0.564405924479),
            "gwet quadratic": (0.263260639353, 0.783035714286, 0.705507405599),
            "krippendorff quadratic": (0.149790136411, 0.780895078421, 0.742293131422),
            "gwet ordinal": (0.25778047149, 0.760476190476, 0.677287109375),
            "krippendorff ratio": (0.200785540053, 0.748622823791, 0.685469684539),
            "krippendorff circular": (0.129475421487, 0.529210609284, 0.459188858837),
        },
    ),
    "two annotators": (
        "3. 41 24 .3 44 .2 44 11 14 .3 .2 1. 34 42 33 .. 33 44 14 13",
        {
            "gwet identity": (0.287968441815, 0.461538461538, 0.243767313019),
            "fleiss identity": (0.263694638695, 0.461538461538, 0.268698060942),
            "conger identity": (0.265734265734, 0.461538461538, 0.266666666667),
            "bp identity": (0.282051282051, 0.461538461538, 0.25),
            "krippendorff identity": (0.232456140351, 0.48224852071, 0.325443786982),
            "gwet linear": (0.048591665294, 0.589743589744, 0.568790397045),
            "gwet quadratic": (-0.155847274474, 0.65811965812, 0.704216682056),
            "krippendorff quadratic": (-0.016260162602, 0.671268902038, 0.676528599606),
            "gwet ordinal": (-0.088989441931, 0.641025641026, 0.670360110803),
            "krippendorff ratio": (0.038014470078, 0.676892179182, 0.664124032256),
            "krippendorff circular": (0.131944444444, 0.630177514793, 0.573964497041),
        },
    ),
    "one category prevails": (
        "123 111 311 13. .11 1.1 311 111 133 111 211 11. .11 111 .11 111 111 111",
        {
            "gwet identity": (0.69955290611, 0.740740740741, 0.137088477366),
            "fleiss identity": (0.054409005629, 0.740740740741, 0.725823045267),
            "conger identity": (0.105599398722, 0.740740740741, 0.710130718954),
            "bp identity": (0.611111111111, 0.740740740741, 0.333333333333),
            "krippendorff identity": (0.079819277108, 0.734809027778, 0.711805555556),
            "gwet linear": (0.711967996444, 0.777777777778, 0.22848079561),
            "gwet quadratic": (0.719347980156, 0.796296296296, 0.274176954733),
            "krippendorff quadratic": (0.106463878327, 0.796006944444, 0.771701388889),
            "gwet ordinal": (0.716786857429, 0.79012345679, 0.258944901692),
            "krippendorff ratio": (0.111297091235, 0.785943287037, 0.759135802469),
            "krippendorff circular": (0.079819277108, 0.734809027778, 0.711805555556),
        },
    ),
}
"""Value, observed and expected agreement of irrCAC 0.4.4, which is by the author of AC1; a point is a missing label."""

OURS = {
    "gwet identity": gwet_ac1,
    "fleiss identity": fleiss_kappa,
    "conger identity": multi_kappa,
    "bp identity": randolph_kappa,
    "krippendorff identity": krippendorff_alpha,
    "gwet linear": lambda table: gwet_ac2(table, weights="linear"),
    "gwet quadratic": gwet_ac2,
    "gwet ordinal": lambda table: gwet_ac2(table, weights="ordinal"),
    "krippendorff quadratic": lambda table: krippendorff_alpha(table, distance="interval"),
    "krippendorff ratio": lambda table: krippendorff_alpha(table, distance="ratio"),
    "krippendorff circular": lambda table: krippendorff_alpha(table, distance=f"circular({n_labels(table)})"),
}


def n_labels(table):
    return len(table.labels)


@pytest.mark.parametrize("name", IRRCAC)
@pytest.mark.parametrize("which", OURS)
def test_irrcac(name, which):
    """With missing labels, the same; α only in value, for irrCAC gives α's disagreements as agreements."""
    text, numbers = IRRCAC[name]
    value, observed, expected = numbers[which]
    result = OURS[which](from_text(text))
    assert result.value == pytest.approx(value, abs=1e-10)
    if "krippendorff" not in which:
        assert result.observed == pytest.approx(observed, abs=1e-10)
        assert result.expected == pytest.approx(expected, abs=1e-10)


def nltk_task(table, distance=None):
    agreement = pytest.importorskip("nltk.metrics.agreement")
    triples = [
        (str(who), str(item), label)
        for item, row in enumerate(table)
        for who, label in enumerate(row)
        if label is not None and label == label
    ]
    return agreement.AnnotationTask(triples) if distance is None else agreement.AnnotationTask(triples, distance)


@pytest.mark.parametrize("seed", SEEDS)
def test_nltk_many(seed):
    """Without missing labels, which NLTK knows for α only."""
    table = random_table(seed, n_annotators=3 + seed, missing=0)
    task = nltk_task(table)
    assert bennett_s(table, rows="items").value == pytest.approx(task.S())
    assert fleiss_kappa(table, rows="items").value == pytest.approx(task.pi())
    assert multi_kappa(table, rows="items").value == pytest.approx(task.multi_kappa())


@pytest.mark.parametrize("seed", SEEDS)
def test_nltk_two(seed):
    """For more than two, NLTK gives the mean of the pairs' κ; its max_distance divides D_e only, so it stays 1."""
    table = random_table(seed, n_annotators=2, missing=0)
    task = nltk_task(table, lambda a, b: abs(a - b))
    assert cohen_kappa(table, rows="items").value == pytest.approx(nltk_task(table).kappa())
    assert scott_pi(table, rows="items").value == pytest.approx(nltk_task(table).pi())
    assert weighted_kappa(table, rows="items").value == pytest.approx(task.weighted_kappa())
    many = random_table(seed, n_annotators=4, missing=0)
    pairs = [row["value"] for row in cohen_kappa(many, rows="items").pairwise()]
    assert np.mean(pairs) == pytest.approx(nltk_task(many).kappa())


@pytest.mark.parametrize("seed", SEEDS)
def test_nltk_alpha(seed):
    distance = pytest.importorskip("nltk.metrics.distance")
    table = random_table(seed)
    assert krippendorff_alpha(table, rows="items").value == pytest.approx(nltk_task(table).alpha())
    interval = nltk_task(table, distance.interval_distance)
    assert krippendorff_alpha(table, distance="interval", rows="items").value == pytest.approx(interval.alpha())


@pytest.mark.parametrize("seed", SEEDS)
def test_nltk_sets(seed):
    """NLTK's J·M of two empty sets divides by 0, so there are none here."""
    distance = pytest.importorskip("nltk.metrics.distance")
    rng = np.random.default_rng(seed)
    drawn = [[rng.choice([*"ABCD"], rng.integers(1, 4), replace=False) for _ in range(3)] for _ in range(20)]
    written = [["|".join(members) for members in row] for row in drawn]
    sets = [[frozenset(members.tolist()) for members in row] for row in drawn]
    for name, peer in {"set": distance.jaccard_distance, "masi": distance.masi_distance}.items():
        expected = pytest.approx(nltk_task(sets, peer).alpha())
        assert krippendorff_alpha(written, distance=name, rows="items").value == expected
        assert krippendorff_alpha(sets, distance=name, rows="items").value == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_scikit_learn(seed):
    """Linear and quadratic weights go by the places of sorted labels there, by numbers here: equal for 1, 2, 3, 4."""
    metrics = pytest.importorskip("sklearn.metrics")
    table = random_table(seed, n_annotators=2, missing=0)
    first, second = table.T
    assert cohen_kappa(table, rows="items").value == pytest.approx(metrics.cohen_kappa_score(first, second))
    for weights in ("linear", "quadratic"):
        expected = metrics.cohen_kappa_score(first, second, weights=weights)
        assert weighted_kappa(table, weights=weights, rows="items").value == pytest.approx(expected)
    unlike = np.where(table == 4, 9, table)
    assert weighted_kappa(unlike, weights="linear(1,2,3,9)", rows="items").value == pytest.approx(
        metrics.cohen_kappa_score(*unlike.T, weights="linear")
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_statsmodels(seed):
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    table = random_table(seed, n_annotators=4, missing=0)
    counts, _ = rater.aggregate_raters(table)
    assert fleiss_kappa(table, rows="items").value == pytest.approx(rater.fleiss_kappa(counts))
    assert randolph_kappa(table, rows="items").value == pytest.approx(rater.fleiss_kappa(counts, method="randolph"))
    two = random_table(seed, n_annotators=2, missing=0).astype(int)
    cells = np.zeros((4, 4))
    np.add.at(cells, tuple(two.T - 1), 1)
    found = rater.cohens_kappa(cells, return_results=True)
    assert cohen_kappa(two, rows="items").value == pytest.approx(found.kappa)
    assert cohen_kappa(two, rows="items").details["kappa_max"] == pytest.approx(found.kappa_max)


GAPS = {
    "a": "4.322.111434234333342442243143",
    "b": "433.2114..34314334241431241442",
    "c": "4322.1141233334331342431243243",
}
# fleiss, gwet, krippendorff, conger and bp of irrCAC 0.4.4 with the weights identity, linear and quadratic
OF_GAPS = {
    ("ab", "identity"): (0.40136, 0.41722, 0.4031, 0.40065, 0.41333),
    ("ab", "linear"): (None, 0.47082, None, None, None),
    ("ab", "quadratic"): (None, 0.4981, 0.44261, None, None),
    ("abc", "identity"): (0.53364, 0.54306, 0.51838, 0.53221, 0.54074),
    ("abc", "linear"): (None, 0.58224, None, None, None),
    ("abc", "quadratic"): (None, 0.61523, 0.56305, None, None),
}


@pytest.mark.parametrize(("who", "weights"), OF_GAPS)
def test_missing_labels_as_in_irrcac(who, weights):
    data = unisono.Ratings.from_annotators(
        {name: [None if label == "." else int(label) for label in GAPS[name]] for name in who}
    )
    gwet = "gwet-ac1" if weights == "identity" else f"gwet-ac2(weights={weights})"
    alpha = "krippendorff-alpha" if weights == "identity" else "krippendorff-alpha(distance=interval)"
    names = ("fleiss-kappa", gwet, alpha, "multi-kappa", "bennett-s")
    for name, expected in zip(names, OF_GAPS[who, weights], strict=True):
        if expected is not None:
            assert unisono.measure(name, data).value == pytest.approx(expected, abs=6e-6), name


@pytest.mark.parametrize(
    ("measure", "in_irrcac"), [("cohen-kappa", 0.40065), ("weighted-kappa(weights=linear)", 0.44182)]
)
def test_of_two_annotators_only_items_that_both_labelled_count(measure, in_irrcac):
    pairs = [(a, b) for a, b in zip(GAPS["a"], GAPS["b"], strict=True) if "." not in (a, b)]
    both = unisono.Ratings.from_annotators({"a": [int(a) for a, _ in pairs], "b": [int(b) for _, b in pairs]})
    every = unisono.Ratings.from_annotators(
        {name: [None if label == "." else int(label) for label in GAPS[name]] for name in "ab"}
    )
    found = unisono.measure(measure, every).value
    assert found == pytest.approx(unisono.measure(measure, both).value)
    assert abs(found - in_irrcac) > 0.003  # docs/categorization.md explains why
