"""Several runs of one model: annotators that are called like it, with a mark and the name of the run."""

from __future__ import annotations

RUN_MARK = "#"


def run_name(model: str, run: object) -> str:
    """Return what a run of a model is called: gpt#1."""
    return f"{model}{RUN_MARK}{run}"


def model_of(annotator: str) -> str:
    """Return the model that an annotator is a run of; empty if it has no such name."""
    return annotator.rpartition(RUN_MARK)[0]
