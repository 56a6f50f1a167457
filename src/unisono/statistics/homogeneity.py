"""Whether two annotators use categories equally often: tests of marginal homogeneity.

References
----------
.. [1] McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or percentages.
       Psychometrika 12(2), 153–157.
.. [2] Stuart, A. (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika
       42(3/4), 412–416.
.. [3] Maxwell, A. E. (1970). Comparing the classification of subjects by two independent judges. British Journal of
       Psychiatry 116, 651–655.
.. [4] Bhapkar, V. P. (1966). A note on the equivalence of two test criteria for hypotheses in categorical data. Journal
       of the American Statistical Association 61, 228–235.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray

MOST_CATEGORIES = 500
"""Systems of more equations than this would take seconds."""
_ENOUGH = 25
"""From this many items on which annotators differ, χ² is close enough (Agresti 2013, §11.1); below, the exact test."""
_NOTHING = {"statistic": None, "df": 0, "p": None}


def mcnemar(first_only: float, second_only: float) -> dict[str, Any]:
    """Test two categories: on how many items only the first annotator chose a category, and only the second.

    χ² = (b - c)² / (b + c) with one degree of freedom; p is that of the exact binomial test where b + c < 25.
    """
    from scipy.special import bdtr, chdtrc

    n = first_only + second_only
    if not n:
        return {**_NOTHING, "exact": True}
    statistic = (first_only - second_only) ** 2 / n
    exact = n < _ENOUGH
    p = min(2 * float(bdtr(min(first_only, second_only), int(n), 0.5)), 1.0) if exact else float(chdtrc(1, statistic))
    return {"statistic": statistic, "df": 1, "p": p, "exact": exact}


def stuart_maxwell(rows: IntArray, columns: IntArray, n: FloatArray) -> dict[str, Any] | None:
    """Test any number of categories: χ² = d' V⁻ d, for the cells of a contingency table.

    d_k = n_k. - n_.k, V_kk = n_k. + n_.k - 2 n_kk, V_ck = -(n_ck + n_kc). The degrees of freedom are the rank of V: the
    number of categories on which annotators differ, minus one for each group of them that is not confused with others.
    None if there are too many categories.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.special import chdtrc

    unlike = rows != columns
    used, place = np.unique(np.concatenate([rows[unlike], columns[unlike]]), return_inverse=True)
    size = len(used)
    if not size:
        return dict(_NOTHING)
    if size > MOST_CATEGORIES:
        return None
    c, k = place.reshape(2, -1)
    confused = np.zeros((size, size))
    np.add.at(confused, (c, k), n[unlike])
    apart = confused.sum(axis=1) - confused.sum(axis=0)
    both = confused + confused.T
    variance = np.diag(both.sum(axis=1)) - both
    parts = connected_components(coo_array(both), directed=False)[0]
    statistic = float(max(apart @ np.linalg.lstsq(variance, apart, rcond=None)[0], 0.0))
    return {"statistic": statistic, "df": size - int(parts), "p": float(chdtrc(size - parts, statistic))}


def bhapkar(found: dict[str, Any] | None, total: float) -> dict[str, Any] | None:
    """Turn the statistic of Stuart and Maxwell, of so many items, into that of Bhapkar: χ² / (1 - χ²/n).

    It takes the variance without the hypothesis, is more powerful, and the same for many items. It has no value where
    annotators differ on all items, always in the same direction.
    """
    from scipy.special import chdtrc

    if found is None or found["statistic"] is None:
        return found
    rest = 1 - found["statistic"] / total
    if rest <= _ROUNDING:
        return {**found, "statistic": None, "p": None}
    statistic = found["statistic"] / rest
    return {"statistic": statistic, "df": found["df"], "p": float(chdtrc(found["df"], statistic))}


_ROUNDING = 1e-12
