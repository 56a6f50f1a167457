"""What the functions above the measures return can be pickled and copied."""

from __future__ import annotations

import copy
import pickle

import pyarrow as pa
import pytest
from test_data_and_options import BY_ANNOTATOR, CORPUS, GROUPS, RATINGS

import unisono
from unisono.shuffling import benchmark, ladder
from unisono.studies import Guideline, study

VERDICTS = pa.table(
    {
        "item": ["1", "1", "2", "2"],
        "system_a": ["s"] * 4,
        "system_b": ["t"] * 4,
        "judge": ["a", "b"] * 2,
        "winner": ["s", "t", "s", "s"],
    }
)
RESULTS = {
    "gold": lambda: unisono.gold(CORPUS),
    "weighted gold": lambda: unisono.gold(CORPUS, competence="mace"),
    "comparisons": lambda: unisono.compare_groups(CORPUS, GROUPS, "cu-alpha"),
    "comparison": lambda: unisono.compare(RATINGS, RATINGS)[0],
    "model": lambda: unisono.compare_model(BY_ANNOTATOR, "d"),
    "models": lambda: unisono.compare_models(RATINGS, ["c", "d"], families="names"),
    "plan": lambda: unisono.plan(RATINGS, 0.9),
    "plan with a model": lambda: unisono.plan(RATINGS, 0.9, model="d"),
    "judges": lambda: unisono.judges(VERDICTS, "b"),
    "prevalence": lambda: unisono.prevalence(RATINGS, "d"),
    "advice on units": lambda: unisono.advise(CORPUS),
    "advice on labels": lambda: unisono.advise(RATINGS),
    "curves": lambda: benchmark(
        CORPUS, "cu-alpha", "category", magnitudes=[0, 1], repetitions=2, annotator="a", workers=1
    ),
    "ladder": lambda: ladder(CORPUS, "cu-alpha", errors="category", repetitions=1, workers=1),
    "guideline": lambda: Guideline("first", CORPUS, GROUPS),
    "study": lambda: study("title", [Guideline("first", CORPUS, GROUPS)], "cu-alpha"),
    "prepared": lambda: unisono.prepare(CORPUS, clean="case", annotators=["a", "b"]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_copies(name):
    result = RESULTS[name]()
    if hasattr(result, "tabled"):
        result.tabled()  # what is computed once and kept can be copied too
    for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert type(other) is type(result)
        assert repr(other) == repr(result)
        if hasattr(result, "to_dict"):
            assert other.to_dict() == result.to_dict()
        if hasattr(result, "tabled"):
            assert other.tabled() == result.tabled()


def test_a_copied_draft_still_gives_its_corpus():
    draft = unisono.gold(CORPUS)
    other = pickle.loads(pickle.dumps(draft))
    assert other.corpus == draft.corpus
    assert isinstance(other.to_frame("pyarrow"), pa.Table)
