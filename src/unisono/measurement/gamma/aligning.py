"""The best alignments of documents; those of small ones are found together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from unisono.alignment.solution import Solution
from unisono.alignment.stacks import aligned_together, best_alignments
from unisono.chance.canonical import Canonical
from unisono.data.annotation_set import stacked
from unisono.deadlines import Allowance, Deadline
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.errors import plural
from unisono.execution import Pool
from unisono.kernels import compile_kernels, compiled
from unisono.measurement.disorder.effort import ALIGNMENT_TIME

_BATCH = 8000
"""Documents with about so many units are aligned together: small ones take less time than a call."""


@dataclass(frozen=True)
class AlignJob:
    """Documents to align, with the same number of annotators; a large one is alone."""

    documents: Sequence[Canonical]
    dissimilarity: BoundDissimilarity
    allowance: Allowance
    compiled: bool  # whether to use compiled kernels on any worker


def align_documents(
    documents: Sequence[Canonical], dissimilarity: BoundDissimilarity, deadline: Deadline, crew: Pool
) -> list[Solution | None]:
    """Align documents; None for those that fewer than two annotators worked on.

    Among alignments that are equally good, names must not decide: annotators are numbered by what they marked.
    """
    batches: list[list[int]] = []
    open_batches: dict[int, tuple[list[int], int]] = {}
    for index, document in enumerate(documents):
        units = document.units
        if units.n_annotators < 2:
            continue
        if not aligned_together(units.n_units, units.n_annotators, dissimilarity):
            batches.append([index])
            continue
        batch, size = open_batches.get(units.n_annotators, ([], 0))
        if not batch or size + units.n_units > _BATCH:
            batch, size = [], 0
            batches.append(batch)
        batch.append(index)
        open_batches[units.n_annotators] = batch, size + units.n_units
    sizes = [(sum(documents[index].units.n_units for index in batch), len(batch)) for batch in batches]
    jobs = [
        AlignJob([documents[index] for index in batch], dissimilarity, allowance, compiled())
        for batch, allowance in zip(batches, deadline.shared(sizes, crew.count, ALIGNMENT_TIME), strict=True)
    ]
    crew.say(f"{plural(len(documents), 'document')} to align")
    found: list[Solution | None] = [None] * len(documents)
    for batch, solutions in zip(batches, crew.each(run_alignment, jobs), strict=True):
        for index, solution in zip(batch, solutions, strict=True):
            found[index] = solution
    return found


def run_alignment(job: AlignJob) -> list[Solution]:
    """Align documents."""
    if job.compiled:
        compile_kernels()
    documents = job.documents
    units = stacked([document.units for document in documents])
    found = best_alignments(units, job.dissimilarity, time_limit=job.allowance.seconds())
    # units and annotators as they are numbered in the documents themselves
    original = np.concatenate([document.order for document in documents])
    number = np.array([document.number for document in documents])[found.set_of]
    table = np.take_along_axis(np.where(found.table >= 0, original[found.table], -1), number, axis=1)
    first = np.where(found.table >= 0, units.start[found.table], np.inf).min(axis=1, initial=np.inf)
    order = np.lexsort((*table.T[::-1], first, found.set_of))  # by position, then by units, as `sorted_by_position`
    table, cost = table[order], found.cost[order]
    rows = np.searchsorted(found.set_of, np.arange(len(documents) + 1)).tolist()
    return [
        Solution(table[a:b], cost[a:b], bound)
        for (a, b), bound in zip(pairwise(rows), found.bound.tolist(), strict=True)
    ]
