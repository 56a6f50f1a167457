"""Measures of numbers and ranks: published tables, other programs, direct computation, edge cases."""

from __future__ import annotations

import itertools
import pickle

import jsonschema
import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM

import unisono
from unisono.comparison import compare_model
from unisono.errors import DataError, OptionError
from unisono.measurement.rating_scales.bland_altman import bland_altman
from unisono.measurement.rating_scales.scores import Scores, raw_scores

MEASURES = ("icc", "icc(model=one-way)", "icc(unit=average)", "lin-ccc", "kendall-w", "mean-spearman", "mean-pearson")
FORMS = [
    *({"model": "one-way", "unit": unit} for unit in ("single",)),
    *({"definition": how, "unit": "single"} for how in ("agreement", "consistency")),
    *({"model": "one-way", "unit": unit} for unit in ("average",)),
    *({"definition": how, "unit": "average"} for how in ("agreement", "consistency")),
]
"""ICC(1,1), ICC(2,1), ICC(3,1), ICC(1,k), ICC(2,k), ICC(3,k), as psych and pingouin list them."""

SHROUT = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
PRESSURE = [127, 134, 118, 120, 135, 142, 123, 115, 112, 117, 119, 123, 125, 125, 109, 111, 106, 122, 110, 115]
PRESSURE += [111, 109, 125, 127, 119, 118, 140, 139, 115, 111, 110, 110, 122, 122, 119, 115, 134, 137, 105, 105]
PRESSURE += [117, 112, 111, 113, 114, 115, 126, 119, 113, 115, 129, 127, 130, 129, 130, 130, 115, 120, 131, 126]
ANXIETY = {
    "rater1": [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
    "rater2": [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
    "rater3": [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
}
PSYCH = [
    (
        [[2, 4, 3, 5, -1], [1, 0, 1, 6, 4], [4, 2, 1, 8, 1], [2, 1, 3, 4, 2], [0, 3, 0, 7, 1]],
        (
            (-0.2129703763, 0.1221122112, 4.0, 20.0, 0.9729058742, -0.2392362022, 0.008973465896),
            (-0.07637655417, 0.2560553633, 4.0, 16.0, 0.901706172, -0.1054313036, 0.1807054544),
            (-0.174796748, 0.2560553633, 4.0, 16.0, 0.901706172, -0.2289063478, 0.194901291),
            (-7.189189189, 0.1221122112, 4.0, 20.0, 0.9729058742, -27.78250363, 0.0433126704),
            (-0.5498721228, 0.2560553633, 4.0, 16.0, 0.901706172, -0.9116021158, 0.5244461516),
            (-2.905405405, 0.2560553633, 4.0, 16.0, 0.901706172, -13.56488354, 0.5475970034),
        ),
    ),
    (
        [[3, 6, 5, 0], [8, 8, 11, 5], [5, 7, 6, 4], [5, 3, 2, 4], [2, 4, 3, 1], [1, 2, 1, -1], [1, 5, 3, 3]],
        (
            (0.5911179173, 6.782771536, 6.0, 21.0, 0.0004164153503, 0.2300911997, 0.8946185808),
            (0.6050295858, 10.34857143, 6.0, 18.0, 5.123136521e-05, 0.2410912856, 0.8982572611),
            (0.7003424658, 10.34857143, 6.0, 18.0, 5.123136521e-05, 0.3561812546, 0.9296204124),
            (0.8525676422, 6.782771536, 6.0, 21.0, 0.0004164153503, 0.5445064037, 0.9713937172),
            (0.8596952181, 10.34857143, 6.0, 18.0, 5.123136521e-05, 0.5596122395, 0.9724630519),
            (0.9033683048, 10.34857143, 6.0, 18.0, 5.123136521e-05, 0.6887574938, 0.9814246067),
        ),
    ),
    (
        [
            [20, 23, 20, 19],
            [2, 2, 2, 2],
            [-1, 2, -2, 2],
            [-8, -8, -10, -7],
            [6, 3, 9, 7],
            [14, 17, 12, 12],
            [9, 6, 7, 6],
        ],
        (
            (0.9638898108, 107.7720588, 6.0, 21.0, 1.140067232e-14, 0.8944123877, 0.992837196),
            (0.9638554217, 97.49667406, 6.0, 18.0, 9.804758863e-13, 0.8924587467, 0.9928628722),
            (0.9601976878, 97.49667406, 6.0, 18.0, 9.804758863e-13, 0.879771081, 0.9921597962),
            (0.9907211571, 107.7720588, 6.0, 21.0, 1.140067232e-14, 0.9713329314, 0.9981996272),
            (0.9907120743, 97.49667406, 6.0, 18.0, 9.804758863e-13, 0.970755983, 0.9982061157),
            (0.9897432399, 97.49667406, 6.0, 18.0, 9.804758863e-13, 0.9669638443, 0.9980283555),
        ),
    ),
    (
        [[4, 2], [6, 3], [9, 5], [1, 2], [6, 11], [8, 5]],
        (
            (0.446366782, 2.6125, 5.0, 6.0, 0.1369596034, -0.3924464613, 0.8959917623),
            (0.4326241135, 2.402298851, 5.0, 5.0, 0.1790887398, -0.5203551787, 0.8966015528),
            (0.4121621622, 2.402298851, 5.0, 5.0, 0.1790887398, -0.4968312521, 0.8899147904),
            (0.6172248804, 2.6125, 5.0, 6.0, 0.1369596034, -1.291890957, 0.9451430962),
            (0.603960396, 2.402298851, 5.0, 5.0, 0.1790887398, -2.169752099, 0.9454822511),
            (0.5837320574, 2.402298851, 5.0, 5.0, 0.1790887398, -1.974809661, 0.9417512312),
        ),
    ),
]
"""Tables, items in rows; value, F, df, df, p and limits of all forms by psych 2.2.9 (pingouin 0.7.0: the same)."""


def by_items(table):
    return unisono.Ratings.of(np.asarray(table, dtype=np.float64), rows="items")


def drawn(rng, n=None, k=None, missing=0.0):
    n, k = n or int(rng.integers(5, 25)), k or int(rng.integers(2, 6))
    items, people = rng.normal(size=(n, 1)) * rng.choice([0.3, 1, 3]), rng.normal(size=(1, k)) * rng.choice([0, 1])
    table = np.round((items + people + rng.normal(size=(n, k))) * rng.choice([1.0, 1.5]), int(rng.integers(0, 3)))
    return np.where(rng.random((n, k)) < missing, np.nan, table)


@pytest.mark.parametrize(("form", "published"), [*zip(FORMS, (0.17, 0.29, 0.71, 0.44, 0.62, 0.91), strict=True)])
def test_shrout_and_fleiss_1979_table_4(form, published):
    result = unisono.icc(by_items(SHROUT), **form)
    assert round(result.value, 2) == published
    squares = {name: round(value, 2) for name, value in result.details.items() if name.startswith("ms_")}
    two_way = {"ms_items": 11.24, "ms_annotators": 32.49, "ms_error": 1.02}
    assert squares == ({"ms_items": 11.24, "ms_within": 6.26} if "model" in form else two_way)
    assert result.interval.method == "F limits"


LIMITS = [(-0.1329, 0.7226), (0.0188, 0.7611), (0.3425, 0.9459), (-0.8844, 0.9124), (0.0711, 0.9272), (0.6757, 0.9859)]
"""McGraw & Wong's limits of Shrout & Fleiss' table, as psych 2.2.9 gives them (its own example)."""


@pytest.mark.parametrize(("form", "limits"), [*zip(FORMS, LIMITS, strict=True)])
def test_mcgraw_and_wong_1996_limits(form, limits):
    interval = unisono.icc(by_items(SHROUT), **form).interval
    assert (round(interval.low, 4), round(interval.high, 4)) == limits


def test_mcgraw_and_wong_1996_consistency_and_agreement():
    """Their example: the pairs (2, 4), (4, 6), (6, 8) are perfectly consistent, and agree with 0.67."""
    pairs = by_items([[2, 4], [4, 6], [6, 8]])
    assert unisono.icc(pairs, definition="consistency").value == pytest.approx(1)
    assert unisono.icc(pairs).value == pytest.approx(2 / 3)


@pytest.mark.parametrize(("table", "forms"), PSYCH)
def test_psych_and_pingouin(table, forms):
    for form, expected in zip(FORMS, forms, strict=True):
        result = unisono.icc(by_items(table), **form)
        details = result.details
        test = [details[name] for name in ("F", "df_items", "df_error", "p")]
        found = [result.value, *test, result.interval.low, result.interval.high]
        assert found == pytest.approx(expected, rel=1e-8)
        assert (details["f_low"], details["f_high"]) == (result.interval.low, result.interval.high)


def test_irr_icc_and_kendall_of_anxiety():
    """The example of R's irr: icc(anxiety, "twoway", "agreement"), kendall(anxiety, TRUE)."""
    icc = unisono.icc(ANXIETY)
    assert [round(x, 3) for x in (icc.value, icc.interval.low, icc.interval.high)] == [0.198, -0.039, 0.494]
    w = unisono.kendall_w(ANXIETY)
    assert w.value == pytest.approx(0.5396569, abs=5e-8)
    assert w.details["chi_square"] == pytest.approx(30.76, abs=0.005)
    assert w.details["p"] == pytest.approx(0.0429, abs=5e-5)


def test_siegel_1956_three_executives_rank_six_applicants():
    table = {"X": [1, 6, 3, 2, 5, 4], "Y": [1, 5, 6, 4, 2, 3], "Z": [6, 3, 2, 5, 4, 1]}
    result = unisono.kendall_w(table)
    assert round(result.value, 2) == 0.16
    assert result.details["mean_spearman"] == pytest.approx(unisono.mean_spearman(table).value)


def test_bland_and_altman_1986_peak_flow():
    """Mean -2.1, SD 38.8; the paper takes 2 SD for 1.96: -79.6 to 75.4."""
    rows = unisono.lin_ccc({"Wright": WRIGHT, "mini": MINI}).rows["limits"]
    mean, sd = rows[0]["difference"], rows[0]["sd"]
    assert (round(mean, 1), round(sd, 1)) == (-2.1, 38.8)
    assert (round(mean - 2 * sd, 1), round(mean + 2 * sd, 1)) == (-79.6, 75.4)
    assert [round(rows[0][name], 1) for name in ("low", "high")] == [-22.0, 17.8]
    assert [round(row["difference"], 1) for row in rows[1:]] == [-78.1, 73.9]
    assert [row["what"] for row in rows] == ["mean difference", "lower limit", "upper limit"]


def test_limits_of_agreement_have_the_intervals_of_bland_and_altman_1999():
    data = unisono.Ratings.of({"Wright": WRIGHT, "mini": MINI})
    (plot,) = bland_altman(raw_scores(unisono.lin_ccc(data).prepared.statistics()), data.annotators)
    n, t, z = 17, stats.t.ppf(0.975, 16), stats.norm.ppf(0.975)
    half = t * plot.sd * np.sqrt(1 / n + z**2 / (2 * (n - 1)))
    lower, upper = plot.limit_intervals
    assert (lower.low, lower.high) == pytest.approx((plot.limits[0] - half, plot.limits[0] + half))
    assert (upper.low, upper.high) == pytest.approx((plot.limits[1] - half, plot.limits[1] + half))
    assert plot.means.tolist() == ((np.array(WRIGHT) + MINI) / 2).tolist()
    assert plot.differences.tolist() == (np.array(WRIGHT) - MINI).tolist()


def test_lin_1989_is_pearson_times_accuracy_with_the_variance_of_2000():
    """Formulas of the papers, moments divided by n."""
    x, y = np.array(WRIGHT, float), np.array(MINI, float)
    n, r = len(x), float(np.corrcoef(x, y)[0, 1])
    v, u = x.std() / y.std(), (x.mean() - y.mean()) / np.sqrt(x.std() * y.std())
    c = 2 / (v + 1 / v + u**2)
    rho = r * c
    result = unisono.lin_ccc({"Wright": WRIGHT, "mini": MINI})
    names = ("pearson", "bias_correction", "location_shift", "scale_shift")
    assert [result.value, *(result.details[name] for name in names)] == pytest.approx([rho, r, c, u, v])
    variance = (1 - r**2) * rho**2 / ((1 - rho**2) * r**2) + 2 * rho**3 * (1 - rho) * u**2 / (r * (1 - rho**2) ** 2)
    variance -= rho**4 * u**4 / (2 * r**2 * (1 - rho**2) ** 2)
    half = stats.norm.ppf(0.975) * np.sqrt(variance / (n - 2))
    limits = np.tanh([np.arctanh(rho) - half, np.arctanh(rho) + half])
    assert (result.details["lin_low"], result.details["lin_high"]) == pytest.approx(limits)


def test_lin_1989_and_2000_by_epir():
    """`epi.ccc` of R's epiR 2.0.94: peak flow of Bland & Altman, and blood pressure of StatsToDo's example."""
    wright = unisono.lin_ccc({"Wright": WRIGHT, "mini": MINI})
    details = wright.details
    found = [wright.value, details["lin_low"], details["lin_high"], details["bias_correction"]]
    assert found == pytest.approx([0.9427424314, 0.8504918732, 0.9787262792, 0.9994307], abs=1e-7)
    assert [details["scale_shift"], details["location_shift"]] == pytest.approx([1 / 0.9725091, -0.01903025], abs=1e-6)
    pressure = unisono.lin_ccc({"cuff": PRESSURE[1::2], "artery": PRESSURE[::2]})
    found = [pressure.value, pressure.details["lin_low"], pressure.details["lin_high"]]
    assert found == pytest.approx([0.8648004765, 0.736501128, 0.9330389145], abs=1e-9)


def oracle_of_icc(x):
    """All six values from the sums of squares, item by item and annotator by annotator."""
    n, k = x.shape
    grand = x.mean()
    items = k * sum((x[i].mean() - grand) ** 2 for i in range(n)) / (n - 1)
    annotators = n * sum((x[:, j].mean() - grand) ** 2 for j in range(k)) / (k - 1)
    within = sum((x[i, j] - x[i].mean()) ** 2 for i in range(n) for j in range(k)) / (n * (k - 1))
    error = (within * n * (k - 1) - annotators * (k - 1)) / ((n - 1) * (k - 1))
    return (
        (items - within) / (items + (k - 1) * within),
        (items - error) / (items + (k - 1) * error + k * (annotators - error) / n),
        (items - error) / (items + (k - 1) * error),
        (items - within) / items,
        (items - error) / (items + (annotators - error) / n),
        (items - error) / items,
    )


def test_hundreds_of_random_tables_by_direct_computation():
    rng = np.random.default_rng(1)
    for _ in range(200):
        x = drawn(rng)
        for form, expected in zip(FORMS, oracle_of_icc(x), strict=True):
            value = unisono.icc(by_items(x), **form).value
            if value is not None:
                assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_correlations_of_random_tables_by_scipy():
    rng = np.random.default_rng(2)
    for index in range(150):
        x = drawn(rng, missing=0.2 * (index % 2))
        for name, function in (("mean-spearman", stats.spearmanr), ("mean-pearson", stats.pearsonr)):
            found = []
            for a, b in itertools.combinations(x.T, 2):
                both = ~np.isnan(a) & ~np.isnan(b)
                if both.sum() >= 2 and np.ptp(a[both]) and np.ptp(b[both]):
                    found.append(float(function(a[both], b[both])[0]))
            result = unisono.measure(name, by_items(x))
            assert (result.value is None) == (not found)
            if found:
                assert result.value == pytest.approx(np.mean(found), abs=1e-12)
                assert result.details["n_pairs"] == len(found)


def test_kendall_w_of_random_tables_by_friedmans_test():
    """χ² of Friedman's test is m (n - 1) W, ties included."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        x = drawn(rng, k=int(rng.integers(3, 6)))
        expected = stats.friedmanchisquare(*x)  # items are its treatments
        result = unisono.kendall_w(by_items(x))
        assert (result.details["chi_square"], result.details["p"]) == pytest.approx(tuple(expected))


def test_overall_ccc_by_barnharts_formula():
    rng = np.random.default_rng(4)
    for _ in range(50):
        x = drawn(rng)
        covariance, mean, k = np.cov(x.T, ddof=0), x.mean(axis=0), x.shape[1]
        pairs = list(itertools.combinations(range(k), 2))
        above = 2 * sum(covariance[a, b] for a, b in pairs)
        below = (k - 1) * np.trace(covariance) + sum((mean[a] - mean[b]) ** 2 for a, b in pairs)
        assert unisono.lin_ccc(by_items(x)).value == pytest.approx(above / below, abs=1e-12)


def test_a_jackknife_leaves_out_items_one_by_one():
    """By definition, with and without missing labels; of W and Spearman's ρ, the delta method comes close."""
    rng = np.random.default_rng(5)
    for missing in (0.0, 0.2):
        x = drawn(rng, n=25, k=3, missing=missing)
        x = x[(~np.isnan(x)).sum(axis=1) >= 2]
        n, k = len(x), (~np.isnan(x)).sum(axis=1).mean()
        for name, near in (("lin-ccc", 1e-9), ("mean-pearson", 1e-9), ("mean-spearman", 0.15)):
            values = [unisono.measure(name, by_items(np.delete(x, i, axis=0))).value for i in range(n)]
            value = unisono.measure(name, by_items(x))
            z, middle = (np.log((1 + (k - 1) * np.array(r)) / (1 - np.array(r))) / 2 for r in (values, value.value))
            half = stats.t.ppf(0.975, n - 2) * np.sqrt((n - 1) / n * np.square(z - z.mean()).sum())
            e = np.exp(2 * np.array([middle - half, middle + half]))
            assert (value.interval.low, value.interval.high) == pytest.approx((e - 1) / (e + k - 1), abs=near)


@pytest.mark.parametrize("form", FORMS)
def test_unbalanced_components_are_unbiased(form):
    """Mean components over many tables with missing labels; as REML's on one large table."""
    rng = np.random.default_rng(6)
    n, k = 400, 30
    truth = rng.normal(size=(n, 1)) + 0.7 * rng.normal(size=(1, k)) + rng.normal(size=(n, k))
    truth[rng.random((n, k)) < 0.6] = np.nan
    value = unisono.icc(by_items(truth), **form).value
    people = 0.49 if form.get("definition", "agreement") == "agreement" else 0.0
    size = (~np.isnan(truth)).sum(axis=1)
    kept = size[size >= 2]
    harmonic = 1 if form["unit"] == "single" else len(kept) / (1 / kept).sum()
    assert value == pytest.approx(1 / (1 + (1 + people) / harmonic), abs=0.06)


def test_unbalanced_one_way_icc_comes_close_to_reml():
    rng = np.random.default_rng(7)
    x = rng.normal(size=(80, 1)) + rng.normal(size=(80, 4))
    x[rng.random(x.shape) < 0.3] = np.nan
    x = x[(~np.isnan(x)).sum(axis=1) >= 2]
    item, who = np.nonzero(~np.isnan(x))
    fitted = MixedLM(x[item, who], np.ones(len(item)), groups=item).fit(reml=True)
    between, within = float(np.asarray(fitted.cov_re).item()), float(fitted.scale)
    assert unisono.icc(by_items(x), model="one-way").value == pytest.approx(between / (between + within), abs=0.02)


def test_henderson_is_the_analysis_of_variance_if_nothing_is_missing():
    from unisono.measurement.rating_scales.mean_squares import _complete, _incomplete

    scores = Scores(np.array(SHROUT, float).T, np.ones(6))
    one, other = _complete(scores), _incomplete(scores)
    for name in ("items", "annotators", "error", "df_items", "df_annotators", "df_error", "k", "n", "harmonic"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


def test_severity_is_a_paired_t_test_against_the_others():
    x = np.array(SHROUT, float)
    for j, row in enumerate(unisono.icc(by_items(x)).rows["annotators"]):
        apart = x[:, j] - np.delete(x, j, axis=1).mean(axis=1)
        interval = stats.ttest_1samp(apart, 0).confidence_interval()
        found = (row["severity"], row["low"], row["high"])
        assert found == pytest.approx((apart.mean(), interval.low, interval.high))


def test_severity_does_not_depend_on_who_the_others_are():
    """Labels without error: effects are exact, whoever rated which item."""
    rng = np.random.default_rng(8)
    effects = np.array([0.0, 1.0, 2.0, 5.0])
    x = rng.integers(0, 9, (40, 1)) + effects
    x[rng.random(x.shape) < 0.4] = np.nan
    rows = unisono.icc(by_items(x)).rows["annotators"]
    assert [row["severity"] for row in rows] == pytest.approx((effects - effects.mean()) * 4 / 3)


def test_annotators_without_shared_items_are_not_compared():
    data = {"a": [1, 2, 3, None, None, None], "b": [2, 3, 5, None, None, None]}
    data |= {"c": [None, None, None, 7, 8, 9], "d": [None, None, None, 7, 9, 9]}
    severities = {row["annotator"]: row["severity"] for row in unisono.icc(data, model="one-way").rows["annotators"]}
    assert severities == pytest.approx({"a": -4 / 3, "b": 4 / 3, "c": -1 / 3, "d": 1 / 3})


def test_labels_may_be_written():
    words = {"anna": ["3", "4.5", " 5 ", "1e1"], "bert": ["3.0", "4", "5.5", "9"]}
    numbers = {"anna": [3, 4.5, 5, 10], "bert": [3, 4, 5.5, 9]}
    for name in MEASURES:
        assert unisono.measure(name, words).value == pytest.approx(unisono.measure(name, numbers).value)


def test_a_label_that_is_no_number_is_named_with_item_and_annotator():
    data = {"anna": [3, 4, 5], "bert": [3, "much", 5]}
    expected = r"item '2', annotator 'bert': the label 'much' is not a number; numbers are needed.*krippendorff-alpha"
    for name in MEASURES:
        with pytest.raises(DataError, match=expected):
            unisono.measure(name, data)


def test_words_with_an_order_are_ranks():
    words = {"anna": ["low", "mid", "high", "low"], "bert": ["low", "high", "high", "mid"]}
    ranks = {who: [["low", "mid", "high"].index(label) for label in labels] for who, labels in words.items()}
    for name in ("kendall-w", "mean-spearman"):
        result = unisono.measure(name, words)
        assert result.value == unisono.measure(name, ranks).value
        assert "labels are ranked low < mid < high; if that is wrong, give their order" in result.notes
        other = unisono.measure(f"{name}(order=[mid,low,high])", words)
        assert other.value != result.value
        assert not any("ranked" in note for note in other.notes)
        with pytest.raises(DataError, match="'mid' is not in the given order low < high"):
            unisono.measure(f"{name}(order=[low,high])", words)
    with pytest.raises(DataError, match="the label 'high' is not a number"):
        unisono.icc({"anna": ["high", "high"], "bert": ["high", "high"]})


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize(
    "table",
    [
        [[1, 1], [1, 1], [1, 1]],
        [[1, 2]],
        [[1, None], [None, 2]],
        [[1, 2], [2, 1]],
        [[1, 1], [2, 2]],
        [[1, 2], [1, 2], [1, 2]],
        [[1, 2, None], [None, 3, 3]],
        [[1e90, 2e90], [2e90, -1e90], [3, 1e90], [1, 1]],
        [[1e-200, 2e-200], [2e-200, 1e-200], [3e-200, 5e-200], [0, 0]],
        [[2e9, 2e9 + 1], [2e9 + 5, 2e9 + 4], [2e9 + 9, 2e9 + 9], [2e9, 2e9 + 2]],
    ],
)
def test_degenerate_tables_have_a_value_or_a_reason(name, table):
    result = unisono.measure(name, unisono.Ratings.of(table, rows="items"))
    assert (result.value is None) == (result.undefined is not None)
    if result.value is not None:
        assert result.value <= 1
        assert (result.interval is None) == (result.no_interval is not None)
    jsonschema.validate(result.to_dict(), unisono.Result.json_schema())
    result.tables(), result.headline(), result.remarks()
    assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.parametrize("name", MEASURES)
def test_documents_repeats_and_spans(name):
    """Documents are the parts of the interval; spans that coincide are items; a stream gives the same."""
    rng = np.random.default_rng(9)
    x = np.round(rng.normal(size=(40, 1)) * 3 + rng.normal(size=(40, 3)))
    people = {f"a{j}": x[:, j].tolist() for j in range(3)}
    data = unisono.Ratings.from_annotators(people, document=[f"d{i // 8}" for i in range(40)])
    result = unisono.measure(name, data)
    assert result.value == pytest.approx(unisono.measure(name, by_items(x)).value)
    assert result.interval.method == "jackknife over 5 documents"
    assert len(result.documents) == 5
    rows = [(f"d{i // 8}", f"a{j}", 10 * (i % 8), str(x[i, j])) for i in range(40) for j in range(3)]
    document, annotator, start, label = zip(*rows, strict=True)
    spans = unisono.Corpus.from_columns(
        document=document,
        annotator=annotator,
        start=start,
        end=[begin + 5 for begin in start],
        features={"category": label},
    )
    found = unisono.measure(name, spans)
    assert found.value == pytest.approx(result.value)
    assert found.interval.low == pytest.approx(result.interval.low)


def test_items_that_somebody_did_not_rate():
    x = np.vstack([SHROUT, [[1, 2, np.nan, 4]]])
    assert unisono.kendall_w(by_items(x)).value == unisono.kendall_w(by_items(SHROUT)).value
    assert "1 item that somebody did not rate left out" in unisono.kendall_w(by_items(x)).notes
    result = unisono.icc(by_items(x))
    assert result.interval.method == "approximate F limits"
    assert any("Henderson" in note for note in result.notes)
    crowd = np.array([[1, 2, np.nan, np.nan], [np.nan, 4, 5, np.nan], [np.nan, np.nan, 7, 9], [3, np.nan, np.nan, 3]])
    one_way = unisono.icc(by_items(crowd), model="one-way")
    packed = by_items([[1, 2], [4, 5], [7, 9], [3, 3]])
    assert one_way.interval.method == "F limits"  # two labels each, whoever gave them
    assert one_way.value == pytest.approx(unisono.icc(packed, model="one-way").value)


def test_a_result_without_categories_can_be_drawn():
    figure = unisono.icc(by_items(SHROUT)).plot()
    assert figure.axes


def test_the_one_way_model_has_no_consistency():
    with pytest.raises(OptionError, match="the one-way model knows nothing of annotators"):
        unisono.icc(by_items(SHROUT), model="one-way", definition="consistency")


def test_the_items_that_differ_most_come_first():
    result = unisono.icc({"a": [1, 5, 3], "b": [1, 9, 4]})
    assert [row["item"] for row in result.rows["items"]] == [2, 3, 1]
    assert result.rows["items"][0] | {"mean": 7.0} == result.rows["items"][0]


def test_likeness_of_annotators_is_how_near_their_numbers_are():
    """A model that is always nearly right beats one that is often right and else far off."""
    rng = np.random.default_rng(10)
    truth = rng.integers(0, 100, 60)
    people = {f"h{j}": (truth + rng.integers(-9, 10, 60)).tolist() for j in range(3)}
    found = compare_model({**people, "near": (truth + 1).tolist()}, model="near", measure="icc")
    assert found is not None


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["normal"])
@pytest.mark.parametrize("name", ["icc", "icc(model=one-way)", "lin-ccc", "mean-pearson", "mean-spearman", "kendall-w"])
def test_intervals_cover(name, shape):
    """95%, within 4 standard errors; benchmarks/rating_scales_coverage.py has many more cases."""
    rng, runs, hits = np.random.default_rng(11), 1000, 0
    one_way = "one-way" in name
    fixed = np.array([-0.2, 0.0, 0.2])
    large = rng.normal(size=(200_000, 1)) + fixed + rng.normal(size=(200_000, 3))
    people = 0.0 if one_way else 0.5
    true = 1 / (2 + people**2) if name.startswith("icc") else unisono.measure(name, by_items(large)).value
    for _ in range(runs):
        severity = rng.normal(size=3) * people if name.startswith("icc") else fixed
        x = rng.normal(size=(30, 1)) + severity + rng.normal(size=(30, 3))
        interval = unisono.measure(name, by_items(x)).interval
        hits += interval.low <= true <= interval.high
    assert abs(hits / runs - 0.95) < 4 * np.sqrt(0.95 * 0.05 / runs)
