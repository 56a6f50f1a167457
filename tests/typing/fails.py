"""What users may write by mistake, which a type checker must reject; see test_typing.py.

Each line that is wrong says with what error.
"""

from __future__ import annotations

import unisono

ratings = unisono.Ratings.of([["x", "x"], ["x", "y"]], rows="items")
unisono.cohen_kappa(ratings, nonsense=3)  # error: call-arg
unisono.krippendorff_alpha(ratings, distances="interval")  # error: call-arg
unisono.krippendorff_alpha(ratings, rows="documents")  # error: arg-type
unisono.gwet_ac1(ratings, categories="3")  # error: arg-type
unisono.span_f1("annotations.csv", match="nearly")  # error: arg-type
unisono.boundary_similarity("annotations.csv", step="1")  # error: arg-type
unisono.normalization("words.csv", level="sentence")  # error: arg-type
unisono.gamma("annotations.csv", alpha="1")  # error: arg-type
unisono.gamma("annotations.csv", weight=1)  # error: call-arg
unisono.cohen_kappa(3)  # error: arg-type
unisono.read(None)  # error: arg-type
print(unisono.nonsense)  # error: attr-defined
print(unisono.fleiss_kappa(ratings).values)  # error: attr-defined
