"""Files and folders that are there complete or not at all, and what is refused."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from unisono.errors import DataError
from unisono.output import new_file, refuse, refuse_inputs


def store(path, content="new", **options):
    with new_file(path, **options) as stream:
        stream.write(content.encode())


def test_a_link_stays_and_leads_to_what_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    with pytest.raises(DataError, match="exists already"):
        store(link)
    store(link, overwrite=True)
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert os.listdir(tmp_path / "there") == ["target.csv"]


def test_a_link_to_nothing_counts_as_a_file(tmp_path):
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "target.csv")
    with pytest.raises(DataError, match="exists already"):
        store(link)
    store(link, overwrite=True)
    assert link.is_symlink()
    assert (tmp_path / "target.csv").read_text() == "new"


@pytest.mark.parametrize("kind", ["pipe", "link to a pipe", "link to itself"])
def test_what_is_no_file_is_never_replaced(tmp_path, kind):
    path = tmp_path / "out.csv"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link to a pipe":
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    else:
        path.symlink_to(path)
    before = stat.S_IFMT(path.lstat().st_mode)
    with pytest.raises(DataError, match="not a regular file"):
        store(path, overwrite=True)
    assert stat.S_IFMT(path.lstat().st_mode) == before


def test_a_folder_that_is_missing_or_closed_is_told_before_the_work(tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"there is no folder .*nowhere; create it"):
        refuse(tmp_path / "nowhere" / "out.csv")
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="there is no folder"):
        refuse(tmp_path / "file" / "out.csv", overwrite=True)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DataError, match="does not allow it"):
        refuse(tmp_path / "out.csv")


def test_how_to_allow_overwriting_is_mentioned(tmp_path):
    (tmp_path / "out.csv").write_text("mine")
    with pytest.raises(DataError, match="allow overwriting it with overwrite=True"):
        refuse(tmp_path / "out.csv")


def test_a_file_that_came_in_the_meantime_is_not_replaced(tmp_path):
    path = tmp_path / "out.csv"
    with pytest.raises(DataError, match="exists already"), new_file(path):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["out.csv"]


@pytest.mark.parametrize(("number", "said"), [(errno.ENOSPC, "free some space"), (errno.EIO, "check the path")])
def test_a_disk_that_fails_leaves_nothing(tmp_path, number, said):
    with pytest.raises(DataError, match=said), new_file(tmp_path / "out.csv"):
        raise OSError(number, os.strerror(number))
    assert os.listdir(tmp_path) == []


def test_what_is_read_is_not_written_over(tmp_path):
    folder = tmp_path / "round1"
    (folder / "anna").mkdir(parents=True)
    table = folder / "anna" / "d.csv"
    table.write_text("x")
    (tmp_path / "link.csv").symlink_to(table)
    for output in (table, tmp_path / "link.csv", folder / "anna" / ".." / "anna" / "d.csv"):
        with pytest.raises(DataError, match="this is what is read"):
            refuse_inputs(output, [table])
    with pytest.raises(DataError, match="lies in this folder"):
        refuse_inputs(tmp_path, [folder])
    with pytest.raises(DataError, match="would be read with it"):
        refuse_inputs(folder / "gold.csv", [tmp_path / "other.csv", folder])
    refuse_inputs(tmp_path / "round10", [folder])
    refuse_inputs(folder / "report.html", [folder])
