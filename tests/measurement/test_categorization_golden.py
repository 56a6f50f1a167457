"""Worked examples of papers, observed and expected values too."""

from __future__ import annotations

import numpy as np
import pytest
from categorization_helpers import from_cells, from_text
from published import ARTSTEIN_POESIO_P558, ARTSTEIN_POESIO_P568, COHEN_P45, FLEISS, KRIPPENDORFF_P230

from unisono.data import Ratings
from unisono.dissimilarity.category import Matrix
from unisono.measurement.categorization import (
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    light_kappa,
    multi_kappa,
    percent_agreement,
    randolph_kappa,
    scott_pi,
    weighted_kappa,
)


def check(result, value, observed=None, expected=None, within=0.0005):
    assert result.value == pytest.approx(value, abs=within)
    if observed is not None:
        assert result.observed == pytest.approx(observed, abs=within)
    if expected is not None:
        assert result.expected == pytest.approx(expected, abs=within)


def per_category(result, name="value"):
    return {row["category"]: row[name] for row in result.rows["categories"]}


@pytest.mark.parametrize(
    ("distance", "alpha", "observed", "expected"),
    [
        ("nominal", 0.7434, 0.200, 0.7795),
        ("ordinal", 0.8154, 47.275, 256.0769),
        ("interval", 0.8491, 0.4333, 2.8718),
        ("ratio", 0.7974, None, None),
    ],
)
def test_krippendorff_2004_p230(distance, alpha, observed, expected):
    check(krippendorff_alpha(KRIPPENDORFF_P230, distance=distance), alpha, observed, expected, within=0.0001)


def test_krippendorff_2004_p230_coincidences():
    found = np.zeros((5, 5))
    for row in krippendorff_alpha(KRIPPENDORFF_P230).rows["coincidences"]:
        found[row["category_1"] - 1, row["category_2"] - 1] = row["n"]
    thirds = [[21, 4, 1, 1, 0], [4, 30, 4, 1, 0], [1, 4, 24, 1, 0], [1, 1, 1, 12, 0], [0, 0, 0, 0, 9]]
    assert found == pytest.approx(np.array(thirds) / 3)
    assert found.sum() == pytest.approx(40)


def test_krippendorff_2004_p224():
    table = from_text("10 11 01 00 00 01 00 01 00 00")
    check(krippendorff_alpha(table), 0.0952, 0.4, 0.4421, within=0.0001)
    check(percent_agreement(table), 0.6)


def test_krippendorff_2004_p227():
    table = from_cells({"aa": 1, "ab": 1, "bb": 4, "bc": 1, "cc": 5})
    check(krippendorff_alpha(table), 0.7341, 0.1667, 0.6268, within=0.0001)


def test_conger_1980_and_light_1971_of_fleiss_diagnoses():
    """Six psychiatrists: R's irr, `kappam.fleiss(diagnoses, exact = TRUE)` and `kappam.light(diagnoses)`."""
    check(multi_kappa(FLEISS), 0.4418085403, within=1e-9)
    check(light_kappa(FLEISS), 0.4594121444, within=1e-9)
    check(fleiss_kappa(FLEISS), 0.4302445201, within=1e-9)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [
        ({"aa": 12, "ab": 9, "ac": 9, "ba": 9, "bb": 14, "bc": 9, "ca": 9, "cb": 9, "cc": 20}, 0.186),
        ({"aa": 12, "ab": 18, "ac": 18, "bb": 14, "bc": 18, "cc": 20}, 0.258),
    ],
)
def test_krippendorff_2004_p246(cells, kappa):
    """κ rewards annotators for disagreeing on frequencies; the others do not."""
    table = from_cells(cells)
    check(percent_agreement(table), 0.460)
    check(bennett_s(table), 0.190)
    check(scott_pi(table), 0.186)
    check(cohen_kappa(table), kappa)


def test_krippendorff_1980_p139():
    table = from_text("111 122 222 444 144 222 123 333 222")
    check(krippendorff_alpha(table), 0.642, 0.2593, 0.7236)
    check(krippendorff_alpha(table, distance="interval"), 0.547)
    check(krippendorff_alpha(table, distance="ratio"), 0.483)
    assert per_category(krippendorff_alpha(table)) == pytest.approx({1: 0.381, 2: 0.711, 3: 0.717, 4: 0.764}, abs=0.001)


def test_hayes_krippendorff_2007():
    table = from_text(
        "112.2 1101. 2333. .00.0 000.0 000.0 102.1 1.20. 222.2 2111. .100. 0000. 1222. 33223 111.1 111.1 212.2 1233. "
        "1101. 000.0 0011. 00.00 2333. 0000. 12.22 0111. 00010 1212. 1122. 112.2 110.0 2121. 22.22 3222. 222.2 223.2 "
        "222.2 22.12 2222. 111.1"
    )
    check(krippendorff_alpha(table, distance="ordinal"), 0.7598, within=0.0001)


def test_artstein_poesio_2008_p558():
    check(percent_agreement(ARTSTEIN_POESIO_P558), 0.7, 0.7)
    check(bennett_s(ARTSTEIN_POESIO_P558), 0.4, 0.7, 0.5)
    check(scott_pi(ARTSTEIN_POESIO_P558), 0.3407, 0.7, 0.545, within=0.0001)
    check(cohen_kappa(ARTSTEIN_POESIO_P558), 0.3478, 0.7, 0.54, within=0.0001)
    specific = per_category(percent_agreement(ARTSTEIN_POESIO_P558), "agreement")
    assert specific == pytest.approx({"STAT": 0.571, "IReq": 0.769}, abs=0.001)


def test_artstein_poesio_2008_p568():
    check(scott_pi(ARTSTEIN_POESIO_P568), 0.7995, 0.88, 0.4014, within=0.0001)
    check(cohen_kappa(ARTSTEIN_POESIO_P568), 0.8013, 0.88, 0.396, within=0.0001)
    check(krippendorff_alpha(ARTSTEIN_POESIO_P568), 0.8005, 0.12, 0.6016, within=0.0001)


def test_artstein_poesio_2008_weighted():
    """Check is half as far from the other dialogue acts."""
    near = {("Chck", "STAT"): 0.5, ("Chck", "IReq"): 0.5, ("STAT", "IReq"): 1}
    check(krippendorff_alpha(ARTSTEIN_POESIO_P568, distance=near), 0.8156, 0.09, 0.4879, within=0.0001)
    check(weighted_kappa(ARTSTEIN_POESIO_P568, weights=near), 0.8163, 0.09, 0.49, within=0.0001)


def test_artstein_poesio_2008_file(shared):
    lines = (shared / "nltk" / "artstein_poesio_example.txt").read_text().split("\n")
    who, item, label = zip(*(line.split() for line in lines if line), strict=True)
    ratings = Ratings.from_columns(item=item, annotator=who, label=label)
    check(scott_pi(ratings), 0.7995, within=0.0001)
    check(cohen_kappa(ratings), 0.8013, within=0.0001)
    check(krippendorff_alpha(ratings), 0.8005, within=0.0001)


def test_cohen_1960_p45():
    result = cohen_kappa(COHEN_P45)
    check(result, 0.492, 0.70, 0.41)
    assert result.details["kappa_max"] == pytest.approx(0.831, abs=0.0005)


def test_cohen_1960_p37():
    table = from_cells(
        {(1, 1): 25, (1, 2): 12, (1, 3): 3, (2, 1): 13, (2, 2): 2, (2, 3): 15, (3, 1): 12, (3, 2): 16, (3, 3): 2}
    )
    result = cohen_kappa(table)
    check(result, (0.29 - 0.35) / 0.65, 0.29, 0.35, within=0.0001)
    assert result.details["kappa_max"] == pytest.approx(0.85, abs=0.005)


def test_cohen_1968():
    """Weights of disagreement up to 6, from personality disorder to psychosis."""
    weights = Matrix(("1", "2", "3"), np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]]))
    check(weighted_kappa(COHEN_P45, weights=weights), 0.348, 0.90, 1.38)
    check(weighted_kappa(COHEN_P45, weights="nominal"), 0.492, 0.30, 0.59)


def test_agresti_1992_p202():
    cells = {"11": 22, "12": 2, "13": 2, "21": 5, "22": 7, "23": 14, "32": 2, "33": 36, "42": 1, "43": 17, "44": 10}
    check(cohen_kappa(from_cells(cells)), 0.493)


def test_fleiss_1971():
    result = fleiss_kappa(FLEISS)
    check(result, 0.4302, 0.5556, 0.2201)
    assert per_category(result) == pytest.approx({1: 0.248, 2: 0.248, 3: 0.517, 4: 0.470, 5: 0.565}, abs=0.005)
    items = {row["item"]: row["agreement"] for row in result.rows["items"]}
    assert [items[number] for number in range(1, 9)] == pytest.approx([1, 0.4, 0.4, 1, 0.4, 7 / 15, 7 / 15, 4 / 15])


@pytest.mark.parametrize(
    ("words", "fleiss"), [("yyy yyn nny nnn", 1 / 3), ("yyy yyn yyn yyy", -0.2)], ids=["even", "uneven"]
)
def test_randolph_2005_p17(words, fleiss):
    """Free marginals do not mind that one category prevails."""
    table = Ratings.of([list(word) for word in words.split()], rows="items")
    check(fleiss_kappa(table), fleiss, 2 / 3)
    check(randolph_kappa(table), 1 / 3, 2 / 3, 1 / 2)


def test_brennan_prediger_1981_p689():
    table = from_cells({"11": 50, "21": 10, "22": 10, "23": 10, "31": 20})
    result = cohen_kappa(table)
    check(result, 0.27, 0.60, 0.45, within=0.005)
    assert result.value / result.details["kappa_max"] == pytest.approx(0.60, abs=0.005)
    check(bennett_s(table), 0.40, 0.60, 1 / 3)


def test_warrens_2010_p284():
    """Hubert's κ is the multi-κ."""
    cells = {"N" * 8: 14, "NNNANNNN": 1, "NNNNNNNA": 1, "A" * 8: 10, "AANAAAAN": 2, "AANANAAN": 1, "AANANANN": 1}
    table = from_cells(cells)
    check(randolph_kappa(table), 0.8358, within=0.0001)
    check(fleiss_kappa(table), 0.8324, within=0.0001)
    check(multi_kappa(table), 0.8326, within=0.0001)


def test_warrens_2012_p3():
    table = from_cells({"1111": 10, "1010": 2, "1000": 2, "0001": 1, "0000": 15})
    check(multi_kappa(table), 0.802479, within=0.000001)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        ({"AA": 20, "AD": 5, "BB": 10, "BC": 15, "CB": 15, "CC": 10, "DA": 5, "DD": 20}, (0.6, 0.467, 0.467, 0.467)),
        (
            {"AA": 20, "AB": 10, "AC": 10, "BA": 10, "BB": 10, "CA": 10, "CC": 10, "DD": 20},
            (0.6, 0.467, 0.444, 0.444),
        ),
        (
            dict.fromkeys(("AB", "AC", "BC", "BD", "CB", "CD"), 5) | {"AA": 20, "AD": 10, "BB": 10, "CC": 10, "DD": 20},
            (0.6, 0.467, 0.460, 0.474),
        ),
    ],
)
def test_zwick_1988_p376(cells, values):
    table = from_cells(cells)
    for measure, value in zip((percent_agreement, bennett_s, scott_pi, cohen_kappa), values, strict=True):
        check(measure(table), value, within=0.001)


def test_gwet_2014_four_raters():
    """The data of Krippendorff (2004, p. 230), as Gwet treats missing labels."""
    check(gwet_ac1(KRIPPENDORFF_P230), 0.77544, 0.81818, 0.19032, within=0.00001)
    check(fleiss_kappa(KRIPPENDORFF_P230), 0.76117, 0.81818, 0.23872, within=0.00001)
    check(multi_kappa(KRIPPENDORFF_P230), 0.76282, 0.81818, within=0.00001)
    check(randolph_kappa(KRIPPENDORFF_P230), 0.77273, 0.81818, 0.2, within=0.00001)
    check(krippendorff_alpha(KRIPPENDORFF_P230), 0.74342, within=0.00001)
    check(gwet_ac2(KRIPPENDORFF_P230, weights="linear"), 0.85874, within=0.00001)
    check(gwet_ac2(KRIPPENDORFF_P230), 0.91400, within=0.00001)
    check(gwet_ac2(KRIPPENDORFF_P230, weights="ordinal"), 0.89894, within=0.00001)


def test_gwet_2014_abstractors():
    """Pregnancy outcomes: ectopic, abnormal and normal intrauterine."""
    table = from_cells({(1, 1): 13, (2, 2): 20, (2, 3): 7, (3, 2): 4, (3, 3): 56})
    check(cohen_kappa(table), 0.7964094, within=1e-7)
    check(scott_pi(table), 0.7962397, within=1e-7)
    check(gwet_ac1(table), 0.8493305, within=1e-7)
    check(weighted_kappa(table, weights="quadratic"), 0.8921569, within=1e-7)


def test_gwet_2008_paradox():
    """Agreement of 94% where κ is below 0."""
    table = from_cells({"++": 118, "+-": 5, "-+": 2})
    check(gwet_ac1(table), 0.941, 0.944, 0.0544)
    assert cohen_kappa(table).value == pytest.approx(-0.0234, abs=0.0005)


@pytest.mark.parametrize(
    ("cells", "kappa", "observed", "expected"),
    [
        ({"++": 40, "+-": 9, "-+": 6, "--": 45}, 0.70, 0.85, 0.50),
        ({"++": 80, "+-": 10, "-+": 5, "--": 5}, 0.32, 0.85, 0.78),
    ],
    ids=["even", "one category prevails"],
)
def test_feinstein_cicchetti_1990(cells, kappa, observed, expected):
    check(cohen_kappa(from_cells(cells)), kappa, observed, expected, within=0.005)


@pytest.mark.parametrize("cells", [(40, 9, 6, 45), (80, 10, 5, 5), (45, 15, 25, 15), (25, 35, 5, 35)])
def test_byrt_bishop_carlin_1993(cells):
    """κ = (PABAK - PI² + BI²) / (1 - PI² + BI²)."""
    a, b, c, d = cells
    result = cohen_kappa(from_cells({"++": a, "+-": b, "-+": c, "--": d}))
    prevalence, bias, pabak = (result.details[name] for name in ("prevalence_index", "bias_index", "pabak"))
    assert prevalence == pytest.approx(abs(a - d) / 100)
    assert bias == pytest.approx(abs(b - c) / 100)
    assert pabak == pytest.approx(2 * (a + d) / 100 - 1)
    assert result.value == pytest.approx((pabak - prevalence**2 + bias**2) / (1 - prevalence**2 + bias**2))


def test_mieskes_2009_p58():
    words = """UH VB UH|INP INP INP|UH UH UH|INP INP INP|RB RB RB|JJ JJ JJ|INP INP INP|PRP PRP PRP|NN NN RB|VB VBP VB|
    PRP PRP PRP|INP INP INP|RB UH UH|INP INP INP|MD MD MD|PRP PRP PRP|INP INP INP"""
    result = fleiss_kappa([row.split() for row in words.split("|")], rows="items")
    check(result, 0.80, 0.84, 0.20, within=0.005)
    found = per_category(result)
    assert [found[name] for name in ("NN", "RB", "UH", "VB", "VBP")] == pytest.approx(
        [0.48, 0.56, 0.67, 0.29, -0.02], abs=0.01
    )
    assert {found[name] for name in ("INP", "JJ", "MD", "PRP")} == {1.0}


def test_raise_your_voice(shared):
    rows = (shared / "raise_your_voice" / "03_data_recognition_Resel.csv").read_text().split()[1:]
    table = [[label or None for label in row.split(",")] for row in rows]
    assert krippendorff_alpha(table, rows="items").value == pytest.approx(0.8027134682758958, abs=1e-12)
