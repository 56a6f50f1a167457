"""Files to a corpus in a folder: read in pieces, prepared in batches."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from unisono.checks import check_function
from unisono.data import Corpus, Data
from unisono.data.export import LAYER_FEATURE
from unisono.data.selection import chosen, kept
from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError
from unisono.formats.piecewise import Piecewise
from unisono.formats.reading import read
from unisono.measurement.batching import batches_of
from unisono.preparation import prepare
from unisono.preparation.preparing import STEPS, written_step
from unisono.streaming.files import is_intact
from unisono.streaming.intake import Intake
from unisono.streaming.skipped import keep_skipped, tell_skipped
from unisono.streaming.stored import StoredCorpus, open_corpus

_READ, _PREPARED = "read", "prepared"


def take_in(paths: Sequence[Path], folder: Path, reading: Mapping[str, Any], preparing: Mapping[str, Any]) -> Data:
    """Read data into a folder, and prepare it; what was taken in before, and is not damaged, is only opened.

    Labels of items, rewritten words and exports of several kinds are read into memory instead. What was skipped is
    reported either way.
    """
    if not is_intact(folder / _PREPARED):
        name = _READ if preparing else _PREPARED
        if not is_intact(folder / name) and (
            reading.get("units") in ("items", "tokens") or not _read_into(folder, name, paths, reading)
        ):
            return prepare(read(paths, **reading), **preparing)
        if preparing:
            _prepare(open_corpus(folder / _READ), folder, preparing)
            for left in (folder / _READ, *folder.glob("step-*"), *folder.glob("*.tmp")):
                shutil.rmtree(left, ignore_errors=True)
    tell_skipped(folder, reading.get("bad"))
    return open_corpus(folder / _PREPARED)


def _read_into(folder: Path, name: str, paths: Sequence[Path], reading: Mapping[str, Any]) -> bool:
    """Put units into a folder, piece by piece, and errors of what is skipped, if that is wanted.

    Returns False if there is data of another kind, or none of that kind.
    """
    errors: list[DataError] = []
    wanted = check_function(reading.get("bad"), "bad", "error") is not None
    pieces = Piecewise(paths, **{**reading, "bad": errors.append if wanted else None})
    n_units = 0
    with Intake(folder / f"{name}.tmp") as intake:
        for piece in pieces:
            if not isinstance(piece, Corpus):
                return False
            intake.add(piece)
            n_units += piece.n_units
        if not n_units and pieces.kind in COMPOSITE:
            return False  # reading into memory says what there is instead
        intake.seal(
            source=pieces.source,
            preparation=pieces.steps,
            continuum=pieces.continuum,
            worked=pieces.worked,
            dropped=pieces.dropped,
        )
    keep_skipped(folder, errors)
    _put(folder, name)
    return True


def _put(folder: Path, name: str) -> None:
    """Give what is complete its name; what an interrupted command left there goes."""
    shutil.rmtree(folder / name, ignore_errors=True)
    (folder / f"{name}.tmp").rename(folder / name)


def _prepare(corpus: StoredCorpus, folder: Path, preparing: Mapping[str, Any]) -> None:
    """Prepare a corpus step by step, in batches; what concerns all documents is decided before."""
    steps = [step for step in ("chosen", *STEPS) if step == "chosen" or preparing.get(step)]
    people, texts = preparing.get("annotators"), preparing.get("documents")
    if people is None and texts is None:
        steps.remove("chosen")
    for number, step in enumerate(steps, start=1):
        name = _PREPARED if number == len(steps) else f"step-{number}"
        if step == "chosen":
            _choose(corpus, folder / f"{name}.tmp", people, texts)
        else:
            _prepare_step(corpus, folder / f"{name}.tmp", step, preparing[step])
        _put(folder, name)
        if number > 1:
            shutil.rmtree(corpus.folder)
        corpus = open_corpus(folder / name)


def _choose(
    corpus: StoredCorpus, folder: Path, annotators: Sequence[str] | None, documents: Sequence[str] | None
) -> None:
    """Keep some annotators, some documents, or both: see `Corpus.select`."""
    people, texts = kept(corpus.annotators, annotators, "annotator"), kept(corpus.documents, documents, "document")
    if annotators is not None:
        texts = texts & corpus.worked[:, people].any(axis=1)
    steps = corpus.preparation
    if annotators is not None:
        steps = chosen(steps, "annotators", corpus.annotators, people)
    if documents is not None:
        steps = chosen(steps, "documents", corpus.documents, texts)
    with Intake(folder) as intake:
        for batch in batches_of(corpus.sizes):
            names = [corpus.documents[index] for index in batch if texts[index]]
            part = corpus.part(batch.start, batch.stop).select(annotators=annotators, documents=names)
            intake.add(replace(part, dropped={}))
        intake.seal(
            source=corpus.source,
            preparation=steps,
            dropped=corpus.dropped,
            others=corpus.others,
            features=[*corpus.features],
        )


def _prepare_step(corpus: StoredCorpus, folder: Path, step: str, how: Any) -> None:
    """Do one of the steps of `prepare`."""
    given = how
    if step == "features" and LAYER_FEATURE in corpus.features and LAYER_FEATURE not in how and _has_layers(corpus):
        given = [LAYER_FEATURE, *how]
    all_stay = True
    dropped = Counter(dict(corpus.dropped))
    with Intake(folder) as intake:
        for batch in batches_of(corpus.sizes):
            part = corpus.part(batch.start, batch.stop)
            made = STEPS[step](replace(part, dropped={}), given)
            all_stay = all_stay and made.worked.shape == part.worked.shape and bool((made.worked == part.worked).all())
            dropped.update(dict(made.dropped))
            intake.add(replace(made, dropped={}))
        intake.seal(
            source=corpus.source,
            preparation=(*corpus.preparation, (step, written_step(step, how))),
            dropped=dropped,
            others=corpus.others,
            features=given if step == "features" else [*corpus.features],
            with_idle=all_stay,
        )


def _has_layers(corpus: StoredCorpus) -> bool:
    """Whether units belong to several layers."""
    seen: set[int] = set()
    for batch in batches_of(corpus.sizes):
        seen.update(np.unique(corpus.part(batch.start, batch.stop).features[LAYER_FEATURE].codes).tolist())
    return len(seen) > 1
