"""Jobs in place, in threads and on executors: the same answers in the same order, and clear errors."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import unisono
from unisono.errors import OptionError
from unisono.execution import pool

WRONG = [1.5, 2.0, "2", 0, -1, True, False, [2], float("nan"), np.float64(2.0)]


@pytest.mark.parametrize("workers", WRONG, ids=repr)
@pytest.mark.parametrize("parallel", [False, True])
def test_wrong_workers(workers, parallel):
    with pytest.raises(OptionError, match=r"^workers: ") as raised, pool(workers, parallel=parallel):
        pass
    assert raised.value.parameter == "workers"


@pytest.mark.parametrize("progress", [True, "bar", 3])
def test_wrong_progress(progress):
    with pytest.raises(OptionError, match=r"^progress: ") as raised, pool(1, progress=progress):
        pass
    assert raised.value.parameter == "progress"


@pytest.mark.parametrize("workers", [1.5, "2", 0, True])
def test_measures_name_the_parameter(workers):
    corpus = unisono.Corpus.from_columns(
        annotator=["A", "A", "B", "B"], start=[0, 5, 1, 5], end=[3, 9, 3, 8], features={"category": list("XYXX")}
    )
    with pytest.raises(OptionError, match=r"^workers: "):
        unisono.gamma(corpus, workers=workers)
    with pytest.raises(OptionError, match=r"^workers: "):
        unisono.align(corpus, workers=workers)


@pytest.mark.parametrize("workers", [None, 1, 2, np.int64(2), "executor"])
@pytest.mark.parametrize("parallel", [False, True])
def test_answers_in_order_and_progress_after_each(workers, parallel):
    told = []
    with ThreadPoolExecutor(3) as executor:
        chosen = executor if workers == "executor" else workers
        with pool(chosen, parallel=parallel, progress=lambda done, total: told.append((done, total))) as given:
            assert given.map(lambda job: job**2, range(20)) == [job**2 for job in range(20)]
            assert given.map(str, [1, 2]) == ["1", "2"]
    assert told == [*((done, 20) for done in range(1, 21)), (21, 22), (22, 22)]


def test_threads_only_where_they_help():
    here = threading.get_ident()
    with pool(2, parallel=False) as given:
        assert {*given.map(lambda _: threading.get_ident(), range(8))} == {here}
    with pool(2) as given:
        assert here not in given.map(lambda _: threading.get_ident(), range(8))


def test_an_error_ends_the_work():
    done = []

    def job(number):
        if number == 0:
            raise ValueError("wrong")
        done.append(number)

    with pytest.raises(ValueError, match="wrong"), pool(1) as given:
        given.map(job, range(100))
    assert not done
    stop = threading.Event()

    def slow(number):
        if number == 0:
            raise ValueError("wrong")
        stop.wait(0.01)
        done.append(number)

    with pytest.raises(ValueError, match="wrong"), pool(2) as given:
        given.map(slow, range(1000))
    assert len(done) < 900  # the others were cancelled


def test_as_many_threads_as_processors(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    with pool(None) as given:
        assert given._executor is None
