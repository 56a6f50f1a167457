"""One job for one peer; prints seconds, peak memory and the value as JSON."""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np
from coefficient_data import ratings, segmentations
from measured import answer

warnings.simplefilter("ignore")


def krippendorff():
    import krippendorff as package

    data = ratings().T
    return timed(lambda: package.alpha(reliability_data=data, level_of_measurement="nominal"))


def irrcac():
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(ratings())
    return timed(lambda: CAC(frame, digits=12).krippendorff()["est"]["coefficient_value"])


def nltk():
    from nltk.metrics.agreement import AnnotationTask

    data = ratings()
    triples = [(str(a), str(i), data[i, a]) for i, a in np.argwhere(~np.isnan(data)).tolist()]
    return timed(lambda: AnnotationTask(data=triples).alpha())


def segeval():
    from segeval import boundary_similarity

    pairs = [(tuple(first), tuple(second)) for first, second in segmentations()]
    return timed(lambda: float(np.mean([float(boundary_similarity(a, b)) for a, b in pairs])))


def timed(work):
    """Give the time of the second of two runs, and the value."""
    work()
    began = time.perf_counter()
    value = work()
    return time.perf_counter() - began, float(value)


seconds, value = {"krippendorff": krippendorff, "irrCAC": irrcac, "nltk": nltk, "segeval": segeval}[sys.argv[1]]()
answer(seconds, value=value)
