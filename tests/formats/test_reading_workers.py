"""Files read by several processes: the same data, errors and progress as by one."""

from __future__ import annotations

import pickle

import pytest
from format_helpers import contents

import unisono
from unisono import execution
from unisono.errors import DataError, OptionError
from unisono.formats import read
from unisono.formats.registry import FORMATS, reader

N_FILES = 30


@pytest.fixture
def eager(monkeypatch):
    """Processes for any work."""
    monkeypatch.setattr(execution, "_WORTH_PROCESSES", 0.0)


@pytest.fixture
def project(tmp_path):
    """A folder per annotator, with annotations of brat; every fifth of the second annotator is wrong."""
    for number in range(N_FILES):
        for name in ("anna", "bert"):
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            (folder / f"text{number:02}.txt").write_text("Anna sees Bert.")
            end = "x" if name == "bert" and number % 5 == 4 else "4"
            (folder / f"text{number:02}.ann").write_text(f"T1\tPER 0 {end}\tAnna\nT2\tPER 10 14\tBert\nR1\tx\n")
    return tmp_path


def outcome(path, workers):
    told, bad = [], []
    data = read(path, workers=workers, bad=bad.append, progress=lambda done, total: told.append((done, total)))
    return contents(data), dict(data.dropped), data.origins, list(map(str, bad)), told


def test_the_same_as_by_one(project, eager, monkeypatch):
    monkeypatch.chdir(project)
    for path in (project, "."):  # workers must find relative paths too
        one = outcome(path, 1)
        assert len(one[3]) == N_FILES // 5
        assert len(one[4]) == 2 * N_FILES
        assert outcome(path, 2) == one
        assert outcome(path, 3) == one


def test_the_first_error_is_that_of_the_first_file(project, eager):
    said = []
    for workers in (1, 2, 3):
        with pytest.raises(DataError) as caught:
            read(project, workers=workers)
        said.append((str(caught.value), str(caught.value.path), caught.value.line))
    assert len(set(said)) == 1
    assert "text04" in said[0][0]


def test_what_is_taken_for_csv_by_its_content(tmp_path, eager):
    for number in range(N_FILES):
        (tmp_path / f"text{number:02}.table").write_text("annotator,start,end\nA,0,4\nB,1,4\n")
    paths = sorted(tmp_path.iterdir())
    assert contents(read(paths, workers=2)) == contents(read(paths, workers=1))
    paths[20].write_text("annotator,start,end\nA,0,x\n")
    for workers in (1, 2):
        with pytest.raises(DataError, match=r"text20\.table.*taken for CSV"):
            read(paths, workers=workers)


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_formats_are_known_by_their_names(known):
    assert reader(known.name, guessed=False) is known.read


@pytest.mark.parametrize("workers", [0, 1.5, "2", True])
def test_wrong_workers(project, workers):
    with pytest.raises(OptionError, match=r"^workers: "):
        unisono.read(project, workers=workers)


def test_data_can_be_sent(project):
    data = read(project / "anna")
    assert pickle.loads(pickle.dumps(data)) == data
