"""One time limit for the whole measurement: nothing that is done in time depends on it."""

from __future__ import annotations

import time

import numpy as np
import pytest
from commands import run
from jobs import busy

import unisono
from unisono import deadlines
from unisono.deadlines import NEVER, Deadline, Until, check_time_limit
from unisono.demo import demo_path
from unisono.errors import OptionError
from unisono.kernels import switch
from unisono.kernels.switch import Kernel
from unisono.measurement.registry import parse_measure


@pytest.mark.parametrize(
    ("given", "seconds"),
    [(None, None), (5, 5), (0.5, 0.5), ("90", 90), ("90s", 90), ("5m", 300), ("1.5h", 5400), (" 2 H ", 7200)],
)
def test_times(given, seconds):
    assert check_time_limit(given) == seconds


@pytest.mark.parametrize(
    "given", ["soon", "5 days", "", "-5m", "m", "1e3", "many", 0, -1, [3], float("nan"), float("inf"), 10**400, True]
)
def test_times_that_are_wrong(given):
    with pytest.raises(OptionError, match=r"^time_limit: ") as raised:
        check_time_limit(given)
    assert raised.value.parameter == "time_limit"


def test_each_alignment_gets_its_share_of_what_is_left(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(deadlines, "time", lambda: now[0])
    deadline = Deadline.after(100)
    jobs = [(10, 1), (50, 1), (40, 400)]
    assert [one.seconds() for one in deadline.shared(jobs, 1, 30.0)] == pytest.approx([10, 100 * 5 / 9, 1])
    assert [one.seconds() for one in deadline.shared(jobs, 2, 30.0)] == pytest.approx([20, 100, 1])
    (alone,) = deadline.shared([(0, 1)], 2, 30.0)
    assert alone.seconds() == 100
    now[0] += 50
    assert alone.seconds() == 50
    assert deadline.portion(0.5).left() == 25
    now[0] += 100
    assert deadline.left() == 0
    assert 0 < alone.seconds() < 0.1  # there has to be some alignment
    assert [one.seconds() for one in NEVER.shared(jobs, 2, 30.0)] == [30, 30, 30]
    assert NEVER.portion(0.5).left() == float("inf")


def test_without_a_limit_other_programs_do_not_use_up_the_time_of_an_alignment():
    (alone,) = NEVER.shared([(1, 1)], 1, 0.05)
    computing, clock = Until.after(alone.seconds()), Until.after(0.05)
    time.sleep(0.1)
    assert clock.over
    assert not computing.over
    assert computing.left > 0.03
    while not computing.over:
        sum(range(10_000))
    assert Until.after(alone.seconds()).half().left < 0.026
    assert not Until().later(-1e9).half().over
    assert not Until.after(None).over


def test_loading_machine_code_does_not_use_up_the_time_of_an_alignment(monkeypatch):
    """Otherwise the first alignment on a computer could be given up, and have other numbers than the second time."""

    class Machine:
        """Stands in for numba's function, whose compilation takes long."""

        def typeof_pyval(self, value):
            return type(value)

        def compile(self, types):
            busy(0.1, None)

        def __call__(self, number):
            return number + 1

    new = Kernel(lambda number: number + 1)
    monkeypatch.setattr(new, "machine", Machine)
    monkeypatch.setattr(switch, "_on", True)
    (alone,) = NEVER.shared([(1, 1)], 1, 0.05)
    computing = Until.after(alone.seconds())
    assert new(1) == 2
    assert computing.left > 0.03
    busy(0.06, None)
    assert computing.over


def test_alignments_share_the_time_even_if_all_of_them_are_hard(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(deadlines, "time", lambda: now[0])
    used = []
    for each in Deadline.after(60).shared([(3, 1), (1, 1)] * 100, 1, 30.0):
        used.append(each.seconds())
        now[0] += used[-1]
    assert used == pytest.approx([0.45, 0.15] * 100)


@pytest.mark.parametrize("chance", ["shift", "statistical", "auto"])
def test_what_is_done_in_time_does_not_depend_on_the_limit(chance):
    corpus = unisono.read(demo_path())
    without = unisono.gamma(corpus, precision=0.1, chance=chance)
    for limit in ("10m", 3600):
        assert unisono.gamma(corpus, precision=0.1, chance=chance, time_limit=limit).to_dict() == without.to_dict()
    aligned = unisono.align(corpus, time_limit="10m")
    assert all(aligned[name].disorder == one.disorder for name, one in unisono.align(corpus).items())


def scattered(n_units=15, n_annotators=2):
    rng = np.random.default_rng(1)
    starts = rng.integers(0, 400, n_units * n_annotators)
    return unisono.Corpus.from_columns(
        annotator=np.repeat([f"a{k}" for k in range(n_annotators)], n_units).tolist(),
        start=starts.tolist(),
        end=(starts + rng.integers(5, 60, len(starts))).tolist(),
        features={"category": rng.choice(list("XYZ"), len(starts)).tolist()},
    )


def test_batches_get_a_share_of_what_is_left():
    from unisono.measurement.gamma.measure import _shares

    sizes = np.array([10, 10, 0, 20, 40])
    ranges = [range(2), range(2, 3), range(3, 4), range(4, 5)]
    assert _shares(ranges, sizes, 1) == {0: 0.25, 2: 0.0, 3: pytest.approx(1 / 3), 4: 1.0}
    assert _shares(ranges, sizes, 2) == {0: 0.5, 2: 0.0, 3: pytest.approx(2 / 3), 4: 1.0}


@pytest.mark.parametrize("workers", [1, 2])
def test_many_documents_have_their_samples_if_there_is_time_for_all(workers):
    one = scattered(8)
    many = [(name, unit) for name in map(str, range(300)) for unit in one["document"].units]
    corpus = unisono.Corpus.from_columns(
        document=[name for name, _ in many],
        annotator=[unit.annotator for _, unit in many],
        start=[unit.start for _, unit in many],
        end=[unit.end for _, unit in many],
        features={"category": [unit.category for _, unit in many]},
    )
    without = unisono.gamma(corpus, chance="shift", precision=0.2, workers=workers)
    limited = unisono.gamma(corpus, chance="shift", precision=0.2, workers=workers, time_limit=120)
    assert limited.to_dict() == without.to_dict()


def tweets(n=40):
    rng = np.random.default_rng(1)
    words, n_words = ["Katze", "Hund", "isst", "schlaeft", "und"], 8
    columns = {"document": [], "annotator": [], "start": [], "end": [], "pos": []}
    texts = {}
    for document in range(n):
        for annotator in ("anna", "bert"):
            place, text = 0, ""
            for word in rng.choice(words, n_words):
                columns["document"].append(f"t{document}")
                columns["annotator"].append(annotator)
                columns["start"].append(place)
                columns["end"].append(place + len(word))
                columns["pos"].append(str(rng.choice(["N", "V"])))
                text += f"{word} "
                place = len(text)
            texts[f"t{document}", annotator] = text
    features = {"pos": columns.pop("pos")}
    return unisono.Corpus.from_columns(**columns, features=features, texts=texts)


def test_texts_are_sampled_until_all_of_them_together_are_precise():
    corpus = tweets()
    result = unisono.text_gamma(corpus, precision=0.05, time_limit="10m")
    assert not any("time limit" in note for note in result.notes)
    assert "time_limit" not in result.signature
    ended = unisono.text_gamma(corpus, precision=0.0005, time_limit=0.5)
    assert any(note.startswith("the time limit ended the sampling: the relative error") for note in ended.notes)


def test_sampling_ends_when_the_time_is_up():
    corpus = scattered()
    few = unisono.gamma(corpus, precision=0.2)  # compiles what is needed
    began = time.process_time()
    result = unisono.gamma(corpus, precision=0.0002, time_limit=1)
    assert time.process_time() - began < 30
    assert result.n_samples >= 30
    assert any("the time limit ended the sampling" in note for note in result.notes)
    assert "time_limit:1" in result.signature
    assert result.observed == few.observed


def test_written_in_a_measure():
    assert parse_measure("gamma(time_limit=5m)")._values() == {"time_limit": 300}
    assert parse_measure("gamma(time_limit=none)")._values() == {"time_limit": None}
    given = parse_measure("gamma(time_limit=5m)")
    assert given.with_defaults(time_limit="1h", precision="0.1")._values() == {"time_limit": 300, "precision": 0.1}
    assert str(parse_measure("u-alpha").with_defaults(time_limit="1h")) == "u-alpha"


def test_on_the_command_line():
    given = ["measure", demo_path(), "-m", "gamma(precision=0.2)", "-m", "u-alpha", "--no-leave-one-out", "--json"]
    assert run(*given, "--time-limit", "10m").stdout == run(*given).stdout
    wrong = run(*given, "--time-limit", "soon")
    assert wrong.returncode == 1
    assert wrong.stderr == "unisono: --time-limit soon: write seconds, or a time such as 90s, 5m or 2h\n"
