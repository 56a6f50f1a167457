"""The corpus shuffling tool (Mathet et al. 2012, 2015 §6.3): how measures respond to known errors.

A reference is generated or taken from data. Annotators are simulated who start from it and make errors of some kinds:
none at magnitude 0, as many as the kind of error allows at magnitude 1.
"""

from unisono.shuffling.benchmarking import benchmark
from unisono.shuffling.curves import Curve, Curves
from unisono.shuffling.reference import generate, reference_of
from unisono.shuffling.rungs import Ladder, Rung, ladder
from unisono.shuffling.shuffler import shuffle

__all__ = ["Curve", "Curves", "Ladder", "Rung", "benchmark", "generate", "ladder", "reference_of", "shuffle"]
