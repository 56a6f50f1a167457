"""Published numbers: the data of examples in papers and in the documentation of other programs, and what they give.

`test_published.py` checks every number, and `docs/make_fidelity.py` writes docs/fidelity.md from the same list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from categorization_helpers import from_cells, from_text
from unitizing_oracle import corpus, units

import unisono
from unisono import Corpus, Ratings, from_masses

KRIPPENDORFF_P230 = from_text("11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3.")
COHEN_P45 = from_cells(
    {(1, 1): 88, (1, 2): 14, (1, 3): 18, (2, 1): 10, (2, 2): 40, (2, 3): 10, (3, 1): 2, (3, 2): 6, (3, 3): 12}
)
ARTSTEIN_POESIO_P558 = from_cells(
    {("STAT", "STAT"): 20, ("STAT", "IReq"): 10, ("IReq", "STAT"): 20, ("IReq", "IReq"): 50}
)
ARTSTEIN_POESIO_P568 = from_cells(
    {("STAT", "STAT"): 46, ("IReq", "STAT"): 6, ("IReq", "IReq"): 32, ("IReq", "Chck"): 6, ("Chck", "Chck"): 10}
)
NEAR = {("Chck", "STAT"): 0.5, ("Chck", "IReq"): 0.5, ("STAT", "IReq"): 1}
FLEISS = from_text(
    "444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445 333335 "
    "111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555"
)
HAYES_KRIPPENDORFF = from_text(
    "112.2 1101. 2333. .00.0 000.0 000.0 102.1 1.20. 222.2 2111. .100. 0000. 1222. 33223 111.1 111.1 212.2 1233. "
    "1101. 000.0 0011. 00.00 2333. 0000. 12.22 0111. 00010 1212. 1122. 112.2 110.0 2121. 22.22 3222. 222.2 223.2 "
    "222.2 22.12 2222. 111.1"
)
ABSTRACTORS = from_cells({(1, 1): 13, (2, 2): 20, (2, 3): 7, (3, 2): 4, (3, 3): 56})
PARADOX = from_cells({"++": 118, "+-": 5, "-+": 2})
WARRENS_2010 = from_cells(
    {"N" * 8: 14, "NNNANNNN": 1, "NNNNNNNA": 1, "A" * 8: 10, "AANAAAAN": 2, "AANANAAN": 1, "AANANANN": 1}
)
STUART = from_cells(
    {
        (row, column): count
        for row, counts in enumerate(
            [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
        )
        for column, count in enumerate(counts)
    }
)
"""Unaided distance vision of 7,477 women, right and left eye."""
SHROUT = Ratings.of(
    np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]), rows="items"
)
ANXIETY = Ratings.of(
    {
        "rater1": [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
        "rater2": [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
        "rater3": [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
    }
)
PEAK_FLOW = Ratings.of(
    {
        "Wright": [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427],
        "mini": [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451],
    }
)
EXECUTIVES = Ratings.of({"X": [1, 6, 3, 2, 5, 4], "Y": [1, 5, 6, 4, 2, 3], "Z": [6, 3, 2, 5, 4, 1]})
STARGAZER = from_masses(
    {
        "stargazer": {
            "1": [2, 3, 3, 1, 3, 6, 3],
            "2": [2, 8, 2, 4, 2, 3],
            "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
            "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1],
            "5": [3, 2, 4, 3, 5, 4],
            "6": [2, 3, 4, 2, 2, 5, 3],
            "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        }
    }
)
FOURNIER = from_masses([[2, 3, 6], [2, 2, 7]])
FOURNIER_FEWER = from_masses([[2, 3, 6], [5, 6]])
FOURNIER_PAIR = from_masses({"c1": [2, 8, 2, 1], "c2": [2, 1, 7, 2, 1]})
FIGURE_10 = corpus(
    units(
        Joe=[(4, 14, "A"), (20, 30, "B")],
        Jack=[(4, 14, "A"), (20, 25, "B")],
        William=[(14, 24, "A"), (40, 44, "B")],
    )
)
FIGURE_14 = corpus(
    units(
        A=[(0, 15, 4), (20, 35, 1), (45, 55, 2), (60, 65, 4)],
        B=[(0, 15, 4), (30, 43, 3), (45, 50, 1), (60, 65, 4)],
    ),
    (0, 76),
)
P_254 = corpus(
    units(
        i=[(225, 295, "c"), (370, 400, "c"), (180, 240, "k"), (300, 350, "k")],
        j=[(220, 300, "c"), (355, 375, "c"), (400, 420, "c"), (180, 240, "k"), (300, 350, "k")],
    ),
    (150, 450),
)
THREE = corpus(
    units(
        A=[(2, 5, 1), (9, 11, 1), (12, 20, 2)],
        B=[(2, 5, 1), (7, 15, 2)],
        C=[(2, 5, 1), (10, 15, 2)],
    ),
    (0, 20),
)
P_57 = {
    "A": corpus(units(Bertha=[(2, 10, "1"), (14, 20, "1")], Bill=[(4, 8, "1"), (15, 17, "1")]), (0, 24)),
    "C": corpus(
        units(
            Gerret=[(2, 8, "1"), (10, 12, "1"), (14, 18, "1"), (20, 22, "1")],
            Gill=[(0, 2, "1"), (4, 8, "1"), (10, 14, "1"), (16, 18, "1"), (20, 22, "1")],
        ),
        (0, 24),
    ),
}
SLOTS = corpus(
    units(
        A=[(10 * k, 10 * k + 6, "x") for k in range(9)],
        B=[(10 * k + 1, 10 * k + 6, "x") for k in range(9)],
        C=[(10 * k, 10 * k + 5, "x") for k in range(9)],
    )
)

Data = Corpus | Ratings
Pick = str | Callable[[Any], float]


@dataclass(frozen=True)
class Published:
    """One published number.

    Attributes
    ----------
    source : str
        Who published it, and where.
    what : str
        What it is.
    measure : str
        How unisono computes it: a measure, as `-m` takes it.
    data : Corpus or Ratings
        What is measured.
    theirs : str
        The number, with all digits that were published.
    pick : str or callable
        Where it stands: an attribute of the result, a key of its details, or a function of the result.
    why : str
        Why ours is not the same, if it is not; empty if it must be.
    options : dict
        Parameters that a name cannot express.
    """

    source: str
    what: str
    measure: str
    data: Data
    theirs: str
    pick: Pick = "value"
    why: str = ""
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def digits(self) -> int:
        """How many decimal places were published."""
        return len(self.theirs.partition(".")[2])

    def ours(self) -> float:
        """Return the number that unisono gives."""
        if self.options:
            result = getattr(unisono, self.measure.replace("-", "_"))(self.data, **dict(self.options))
        else:
            result = unisono.measure(self.measure, self.data)
        if callable(self.pick):
            return float(self.pick(result))
        if self.pick in ("value", "observed", "expected", "agreement"):
            return float(getattr(result, self.pick))
        return float(result.details[self.pick])


def of_category(name: object, column: str = "value") -> Callable[[Any], float]:
    """Give what a result says about one category."""

    def pick(result: Any) -> float:
        (row,) = (row for row in result.rows["categories"] if row["category"] == name)
        return float(row[column])

    return pick


def of_test(test: str, key: str) -> Callable[[Any], float]:
    """Give a number of a test among the details."""
    return lambda result: float(result.details[test][key])


def of_limits(row: int, column: str) -> Callable[[Any], float]:
    """Give a number of the table of limits of agreement."""
    return lambda result: float(result.rows["limits"][row][column])


def of_interval(which: str) -> Callable[[Any], float]:
    """Give a limit of the interval."""
    return lambda result: float(getattr(result.interval, which))


ALPHA, P230 = "krippendorff-alpha", "Krippendorff 2004, p. 230"
FORMS = (
    ("icc(model=one-way)", "ICC(1,1)", "0.17"),
    ("icc", "ICC(2,1)", "0.29"),
    ("icc(definition=consistency)", "ICC(3,1)", "0.71"),
    ("icc(model=one-way,unit=average)", "ICC(1,4)", "0.44"),
    ("icc(unit=average)", "ICC(2,4)", "0.62"),
    ("icc(definition=consistency,unit=average)", "ICC(3,4)", "0.91"),
)
HEARST = "Hearst 1997, seven coders; values of segeval 2.0.11"
MATHET, MATHET_10 = "Mathet et al. 2015, figure {}", "Mathet et al. 2015, figure 10; values of pygamma-agreement 0.5.9"
LAST_DIGIT = "the last digit; the paper seems to have computed with rounded shares"
NOT_AS_PRINTED = (
    "1 − 0.833/3.145 is 0.735; the printed 0.744 follows from an expected disagreement of 3.25, which is ours"
)

LABELS = (
    Published(P230, "α, nominal", ALPHA, KRIPPENDORFF_P230, "0.743"),
    Published(P230, "α, ordinal", f"{ALPHA}(distance=ordinal)", KRIPPENDORFF_P230, "0.815"),
    Published(P230, "α, interval", f"{ALPHA}(distance=interval)", KRIPPENDORFF_P230, "0.849"),
    Published(P230, "α, ratio", f"{ALPHA}(distance=ratio)", KRIPPENDORFF_P230, "0.797"),
    Published("Krippendorff 2004, p. 224", "α", ALPHA, from_text("10 11 01 00 00 01 00 01 00 00"), "0.095"),
    Published(
        "Hayes & Krippendorff 2007",
        "α, ordinal",
        f"{ALPHA}(distance=ordinal)",
        HAYES_KRIPPENDORFF,
        "0.7598",
    ),
    Published("Cohen 1960, p. 45", "κ", "cohen-kappa", COHEN_P45, "0.492"),
    Published("Cohen 1960, p. 45", "largest possible κ", "cohen-kappa", COHEN_P45, "0.831", "kappa_max"),
    Published(
        "Cohen 1968",
        "κ_w",
        "weighted-kappa",
        COHEN_P45,
        "0.348",
        options=(("weights", {("1", "2"): 1, ("1", "3"): 3, ("2", "3"): 6}),),
    ),
    Published("Fleiss 1971", "κ", "fleiss-kappa", FLEISS, "0.430"),
    Published("Fleiss 1971", "observed agreement", "fleiss-kappa", FLEISS, "0.556", "observed"),
    Published("Fleiss 1971", "expected agreement", "fleiss-kappa", FLEISS, "0.220", "expected"),
    Published("Artstein & Poesio 2008, p. 558", "S", "bennett-s", ARTSTEIN_POESIO_P558, "0.4"),
    Published("Artstein & Poesio 2008, p. 558", "π", "scott-pi", ARTSTEIN_POESIO_P558, "0.341"),
    Published("Artstein & Poesio 2008, p. 558", "κ", "cohen-kappa", ARTSTEIN_POESIO_P558, "0.348"),
    Published("Artstein & Poesio 2008, p. 568", "π", "scott-pi", ARTSTEIN_POESIO_P568, "0.7995"),
    Published("Artstein & Poesio 2008, p. 568", "κ", "cohen-kappa", ARTSTEIN_POESIO_P568, "0.8013"),
    Published("Artstein & Poesio 2008, p. 568", "α", ALPHA, ARTSTEIN_POESIO_P568, "0.8005"),
    Published(
        "Artstein & Poesio 2008",
        "α, weighted",
        ALPHA,
        ARTSTEIN_POESIO_P568,
        "0.8156",
        options=(("distance", NEAR),),
    ),
    Published(
        "Artstein & Poesio 2008",
        "κ_w",
        "weighted-kappa",
        ARTSTEIN_POESIO_P568,
        "0.8163",
        options=(("weights", NEAR),),
    ),
    Published("Warrens 2010, p. 284", "Hubert's κ", "multi-kappa", WARRENS_2010, "0.8326"),
    Published("Warrens 2010, p. 284", "Fleiss' κ", "fleiss-kappa", WARRENS_2010, "0.8324", why=LAST_DIGIT),
    Published("Warrens 2010, p. 284", "Randolph's κ", "randolph-kappa", WARRENS_2010, "0.8358", why=LAST_DIGIT),
    Published("Gwet 2008", "AC1 where κ is paradoxical", "gwet-ac1", PARADOX, "0.941"),
    Published("Gwet 2008", "κ of the same data", "cohen-kappa", PARADOX, "-0.023"),
    Published("Gwet 2014, four raters", "AC1", "gwet-ac1", KRIPPENDORFF_P230, "0.77544"),
    Published(
        "Gwet 2014, four raters",
        "its standard error",
        "gwet-ac1",
        KRIPPENDORFF_P230,
        "0.14295",
        "standard_error_analytic",
    ),
    Published("Gwet 2014, four raters", "Fleiss' κ", "fleiss-kappa", KRIPPENDORFF_P230, "0.76117"),
    Published("Gwet 2014, four raters", "Conger's κ", "multi-kappa", KRIPPENDORFF_P230, "0.76282"),
    Published("Gwet 2014, four raters", "AC2, linear", "gwet-ac2(weights=linear)", KRIPPENDORFF_P230, "0.85874"),
    Published("Gwet 2014, abstractors", "κ", "cohen-kappa", ABSTRACTORS, "0.7964094"),
    Published("Gwet 2014, abstractors", "AC1", "gwet-ac1", ABSTRACTORS, "0.8493305"),
    Published(
        "Gwet 2014, abstractors", "κ_w, quadratic", "weighted-kappa(weights=quadratic)", ABSTRACTORS, "0.8921569"
    ),
    Published(
        "Stuart 1955",
        "χ² of marginal homogeneity",
        "cohen-kappa",
        STUART,
        "11.96",
        of_test("stuart_maxwell", "statistic"),
    ),
    Published(
        "Bhapkar 1966", "χ² of marginal homogeneity", "cohen-kappa", STUART, "11.98", of_test("bhapkar", "statistic")
    ),
)
NUMBERS = (
    *(Published("Shrout & Fleiss 1979, table 4", what, spec, SHROUT, theirs) for spec, what, theirs in FORMS),
    Published("irr (R), anxiety", "ICC, agreement", "icc", ANXIETY, "0.198"),
    Published("irr (R), anxiety", "its lower limit", "icc", ANXIETY, "-0.039", of_interval("low")),
    Published("irr (R), anxiety", "its upper limit", "icc", ANXIETY, "0.494", of_interval("high")),
    Published("irr (R), anxiety", "Kendall's W", "kendall-w", ANXIETY, "0.54"),
    Published("Siegel 1956", "Kendall's W", "kendall-w", EXECUTIVES, "0.16"),
    Published("Bland & Altman 1986", "mean difference", "lin-ccc", PEAK_FLOW, "-2.1", of_limits(0, "difference")),
    Published("Bland & Altman 1986", "standard deviation", "lin-ccc", PEAK_FLOW, "38.8", of_limits(0, "sd")),
    Published(
        "Bland & Altman 1986",
        "lower limit",
        "lin-ccc",
        PEAK_FLOW,
        "-79.6",
        of_limits(1, "difference"),
        "the paper takes two standard deviations, we take 1.96",
    ),
    Published(
        "Bland & Altman 1986",
        "upper limit",
        "lin-ccc",
        PEAK_FLOW,
        "75.4",
        of_limits(2, "difference"),
        "the paper takes two standard deviations, we take 1.96",
    ),
)
SPANS = (
    Published(MATHET_10, "least disorder, α = 1, β = 1", "gamma", FIGURE_10, "1.18518519", "observed"),
    Published(MATHET_10, "least disorder, α = 3, β = 1", "gamma(alpha=3)", FIGURE_10, "1.51111111", "observed"),
    Published(
        MATHET.format(14),
        "observed disagreement of _cuα",
        "cu-alpha(distance=interval)",
        FIGURE_14,
        "0.833",
        "observed",
    ),
    Published(
        MATHET.format(14),
        "expected disagreement of _cuα",
        "cu-alpha(distance=interval)",
        FIGURE_14,
        "3.145",
        "expected",
        NOT_AS_PRINTED,
    ),
    Published(MATHET.format(14), "_cuα", "cu-alpha(distance=interval)", FIGURE_14, "0.744"),
    Published(
        MATHET.format(14),
        "observed disagreement of _uα",
        "u-alpha(definition=2013)",
        FIGURE_14,
        "3.145",
        "observed",
    ),
    Published(
        MATHET.format(26),
        "1 − slot error rate, all units slightly shifted",
        "slot-error-rate",
        SLOTS,
        "0.5",
        "agreement",
    ),
    Published("Krippendorff 2004, p. 254", "α_U of c", "alpha-u", P_254, "0.7286", of_category("c")),
    Published("Krippendorff 2004, p. 254", "α_U of k", "alpha-u", P_254, "1.0", of_category("k")),
    Published("Krippendorff 2004, p. 254", "α_U", "alpha-u", P_254, "0.859"),
    Published("Krippendorff et al. 2016", "_uα", "u-alpha", THREE, "0.474"),
    Published("Krippendorff et al. 2016", "|_uα", "u-alpha", THREE, "0.433", "u_alpha_binary"),
    Published("Krippendorff et al. 2016", "_cuα", "cu-alpha", THREE, "0.779"),
    Published("Krippendorff 1995, p. 57, A", "κ of steps", "discretized-kappa", P_57["A"], "0.385"),
    Published("Krippendorff 1995, p. 57, A", "α of steps", "discretized-alpha", P_57["A"], "0.329"),
    Published("Krippendorff 1995, p. 57, C", "κ of steps", "discretized-kappa", P_57["C"], "0.314"),
)
SEGMENTS = (
    Published(HEARST, "boundary similarity", "boundary-similarity", STARGAZER, "0.5337"),
    Published(HEARST, "π of boundary similarity", "boundary-similarity", STARGAZER, "0.4644", "pi"),
    Published(HEARST, "κ of boundary similarity", "boundary-similarity", STARGAZER, "0.4653", "kappa"),
    Published(HEARST, "segmentation similarity", "segmentation-similarity", STARGAZER, "0.7952"),
    Published(HEARST, "P_k", "pk", STARGAZER, "0.3258"),
    Published(HEARST, "WindowDiff", "window-diff", STARGAZER, "0.4110"),
    Published("Fournier 2013", "B of 2, 3, 6 and 2, 2, 7", "boundary-similarity", FOURNIER, "0.75"),
    Published("Fournier 2013", "S of 2, 3, 6 and 2, 2, 7", "segmentation-similarity", FOURNIER, "0.95"),
    Published("Fournier 2013", "B of 2, 3, 6 and 5, 6", "boundary-similarity", FOURNIER_FEWER, "0.5"),
    Published("Fournier 2013", "S of 2, 3, 6 and 5, 6", "segmentation-similarity", FOURNIER_FEWER, "0.9"),
    Published("Fournier 2013", "π of B", "boundary-similarity(chance=pi)", FOURNIER_PAIR, "0.72676"),
)

ALL = {
    "Labels of items": LABELS,
    "Numbers and ranks": NUMBERS,
    "Spans": SPANS,
    "Segments": SEGMENTS,
}
"""All numbers, by the kind of data."""
