"""The corpus shuffling tool (Mathet et al. 2012, 2015 §6.3): known errors of known magnitude, and how measures answer.

A reference is generated or taken from data; annotators are made of it who each make errors of some kinds. At
magnitude 0 there are none, at magnitude 1 annotators are as bad as the kind of error allows.
"""

from unisono.shuffling.benchmark import benchmark
from unisono.shuffling.curves import Curve, Curves
from unisono.shuffling.ladder import Ladder, ladder
from unisono.shuffling.reference import generate, reference_of
from unisono.shuffling.shuffle import shuffle

__all__ = ["Curve", "Curves", "Ladder", "benchmark", "generate", "ladder", "reference_of", "shuffle"]
