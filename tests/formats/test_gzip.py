"""A file that is packed with gzip is read like the file in it, wherever it is."""

from __future__ import annotations

import gzip
import shutil
import zipfile
from dataclasses import replace

import pytest
from format_helpers import parts, rows
from samples import samples

import unisono
from unisono.data import Corpus
from unisono.errors import DataError
from unisono.formats import archives, read, read_base

SAMPLES = samples()
TABLE = "document,annotator,start,end,category\nd,anna,0,3,X\nd,bert,0,4,Y\n"


def pack(path):
    """Pack a file, as the command gzip does."""
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    return packed


def plain(data):
    return replace(data, source="", origins={}) if isinstance(data, Corpus) else parts(replace(data, source=""))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_format(tmp_path, name):
    """The file, what belongs to it, or both are packed."""
    sample = SAMPLES[name]
    path = sample.write(tmp_path)
    how = {"format": sample.format, "options": dict(sample.options)}
    whole = plain(read(path, **how))
    for beside in sample.beside:
        pack(tmp_path / beside)
        assert plain(read(path, **how)) == whole
    packed = pack(path)
    corpus = read(packed, **how)
    assert plain(corpus) == whole
    if isinstance(corpus, Corpus):
        assert {place for place, _ in corpus.origins.values()} == {packed}
    assert plain(read(packed, options=how["options"])) == plain(
        read(sample.write(tmp_path / "x"), options=how["options"])
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_folders_and_archives(tmp_path, name):
    """Packed or not, files in folders mean the same, and so does the archive of the folder."""
    sample = SAMPLES[name]
    options = {"options": dict(sample.options), "format": sample.format}
    if unisono.formats.registry.by_name(sample.format).names_annotators is False:
        options["pattern"] = "{annotator}/{document}.*"
        for who in ("anna", "bert"):
            sample.write(tmp_path / "corpus" / who)
    else:
        sample.write(tmp_path / "corpus" / "all")
    whole = plain(read(tmp_path / "corpus", **options))
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file() and "anna" not in path.parent.name:
            pack(path)
    assert plain(read(tmp_path / "corpus", **options)) == whole
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "corpus")
    assert plain(read(archive, **options)) == whole


def test_neighbouring_folders_without_a_pattern(tmp_path):
    """What is packed and what is not are side by side."""
    for who in ("anna", "bert"):
        SAMPLES["brat"].write(tmp_path / who)
    whole = read(tmp_path)
    assert whole.annotators == ("anna", "bert")
    pack(tmp_path / "anna" / "text1.ann")
    pack(tmp_path / "bert" / "text1.txt")
    assert plain(read(tmp_path)) == plain(whole)
    assert "taken as {annotator}/{document}.ann" in read(tmp_path).source


@pytest.mark.parametrize("pattern", ["{annotator}_x.csv", "{annotator}_x.csv.gz", "{annotator}_x.csv*"])
def test_patterns(tmp_path, pattern):
    (tmp_path / "anna_x.csv").write_text(TABLE)
    packed = pack(tmp_path / "anna_x.csv")
    assert read(tmp_path, pattern=pattern).n_units == 2
    assert read(packed, pattern=pattern).n_units == 2


def test_errors_name_the_packed_file(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE + "d,bert,x,4,Y\n")
    packed = pack(tmp_path / "table.csv")
    with pytest.raises(DataError) as caught:
        read(packed)
    assert (caught.value.path, caught.value.line) == (packed, 4)
    archive = tmp_path / "some.zip"
    with zipfile.ZipFile(archive, "w") as content:
        content.write(packed, "data/table.csv.gz")
    told = []
    corpus = read(archive, bad=told.append)
    assert [(error.path, error.line) for error in told] == [(archive / "data/table.csv.gz", 4)]
    assert corpus.origin(0, 0)["path"] == archive / "data/table.csv.gz"


def test_a_file_and_the_same_packed_are_two(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    pack(tmp_path / "table.csv")
    (tmp_path / "table.csv").write_text(TABLE)
    with pytest.raises(DataError, match=r"is in .*table\.csv too"):
        read(tmp_path)
    (tmp_path / "table.csv").write_text(TABLE.replace("\nd,", "\ne,"))
    corpus = read(tmp_path)
    assert rows(corpus) == [
        (name, who, 0, end, label) for name in "ed" for who, end, label in (("anna", 3, "X"), ("bert", 4, "Y"))
    ]


def test_bombs_and_damage(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "_SMALL", 2**16)
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(gzip.compress(b"0" * 2**24))
    with pytest.raises(DataError, match="which is suspicious") as caught:
        read(bomb)
    assert caught.value.path == bomb
    good = tmp_path / "good.csv.gz"
    good.write_bytes(gzip.compress(TABLE.encode()))
    told = []
    assert read([bomb, good], bad=told.append).n_units == 2
    assert [error.path for error in told] == [bomb]
    monkeypatch.setattr(archives, "LARGEST", 100)  # of all files together
    other = tmp_path / "other.csv.gz"
    other.write_bytes(gzip.compress(TABLE.replace("\nd,", "\ne,").encode()))
    with pytest.raises(DataError, match="which is suspicious"):
        read([good, other])
    for damaged in (good.read_bytes()[:-9], good.read_bytes()[:20] + b"xx" + good.read_bytes()[22:]):
        good.write_bytes(damaged)
        with pytest.raises(DataError, match="cannot be unpacked"):
            read(good)


def test_archives_in_a_folder_are_limited_together(tmp_path, monkeypatch):
    for number in range(3):
        with zipfile.ZipFile(tmp_path / f"{number}.zip", "w") as content:
            content.writestr(f"{number}.csv", TABLE.replace("\nd,", f"\nd{number},"))
    assert read(tmp_path).n_units == 6
    monkeypatch.setattr(archives, "LARGEST", 150)
    with pytest.raises(DataError, match="which is suspicious"):
        read(tmp_path)


def test_names_that_are_wrong(tmp_path):
    (tmp_path / "table.csv.gz").write_text(TABLE)
    assert read(tmp_path / "table.csv.gz").n_units == 2
    (tmp_path / "table.csv").write_bytes(gzip.compress(TABLE.encode()))
    with pytest.raises(DataError, match=r"compressed with gzip; name it \.gz"):
        read(tmp_path / "table.csv")


def test_who_worked_on_what_and_a_base(tmp_path):
    (tmp_path / "worked.csv").write_text("document,annotator\nd,carl\n")
    (tmp_path / "table.csv").write_text(TABLE)
    worked, table = pack(tmp_path / "worked.csv"), pack(tmp_path / "table.csv")
    assert read(table, worked=worked).annotators == ("anna", "bert", "carl")
    (tmp_path / "start").mkdir()
    start = table.rename(tmp_path / "start" / table.name)
    assert read_base(tmp_path / "start").n_units == read_base(start).n_units == 2
