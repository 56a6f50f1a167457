"""ZIP archives are folders, and do no harm."""

from __future__ import annotations

import io
import zipfile

import pytest

import unisono
from unisono.errors import DataError
from unisono.formats import archives

LINE = '{{"document": "text", "annotator": "{}", "units": [{{"start": 0, "end": 3, "category": "X"}}]}}\n'


def packed(files, path=None, **options):
    stream = io.BytesIO() if path is None else path
    with zipfile.ZipFile(stream, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, **options)
    return None if path is not None else stream.getvalue()


def test_an_archive_is_read_like_a_folder(tmp_path):
    path = tmp_path / "export.zip"
    packed({"data/anna.jsonl": LINE.format("anna"), "data/bert.jsonl": LINE.format("bert"), ".hidden": "x"}, path)
    corpus = unisono.read(path)
    assert corpus.annotators == ("anna", "bert")
    assert corpus.source.startswith("JSON lines · export.zip")
    assert corpus.origin(0, 0)["path"] == path / "data/anna.jsonl"


def test_archives_in_archives(tmp_path):
    path = tmp_path / "outer.zip"
    packed({"annotation/inner.zip": packed({"anna.jsonl": LINE.format("anna")})}, path)
    assert unisono.read(path).annotators == ("anna",)


def test_errors_name_the_file_in_the_archive(tmp_path):
    path = tmp_path / "export.zip"
    packed({"anna.jsonl": LINE.format("anna") + "oops\n"}, path)
    with pytest.raises(DataError, match="line 2") as caught:
        unisono.read(path)
    assert str(path / "anna.jsonl") in str(caught.value)
    told = []
    packed({"bert.jsonl": LINE.format("bert"), "anna.jsonl": "oops\n"}, tmp_path / "some.zip")
    corpus = unisono.read(tmp_path / "some.zip", bad=told.append)
    assert corpus.annotators == ("bert",)
    assert sum(corpus.dropped.values()) == len(told) == 2  # the line, and the file in which nothing else is
    assert str(tmp_path / "some.zip" / "anna.jsonl") in str(told[0])


@pytest.mark.parametrize(
    "name", ["../evil.jsonl", "/../evil.jsonl", "a/../../evil.jsonl", "..\\evil.jsonl", "C:\\x.jsonl"]
)
def test_names_that_lead_elsewhere(tmp_path, name):
    path = tmp_path / "evil.zip"
    packed({name: LINE.format("anna")}, path)
    with pytest.raises(DataError, match="leads out of it"):
        unisono.read(path)
    assert [file.name for file in tmp_path.iterdir()] == ["evil.zip"]


def test_much_from_little(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "_SMALL", 2**16)
    path = tmp_path / "bomb.zip"
    packed({"bomb.jsonl": b"0" * 2**24}, path)
    with pytest.raises(DataError, match="which is suspicious"):
        unisono.read(path)
    monkeypatch.setattr(archives, "LARGEST", 1000)
    packed({"large.jsonl": LINE.format("anna") * 100}, tmp_path / "large.zip")
    with pytest.raises(DataError, match="which is suspicious"):
        unisono.read(tmp_path / "large.zip")


def test_too_deep_and_too_many(tmp_path, monkeypatch):
    content = packed({"anna.jsonl": LINE.format("anna")})
    for _ in range(4):
        content = packed({"inner.zip": content})
    path = tmp_path / "deep.zip"
    path.write_bytes(content)
    with pytest.raises(DataError, match="deep"):
        unisono.read(path)
    monkeypatch.setattr(archives, "_MOST_FILES", 3)
    packed({f"{k}.jsonl": LINE.format(k) for k in range(5)}, tmp_path / "many.zip")
    with pytest.raises(DataError, match="more than 3 files"):
        unisono.read(tmp_path / "many.zip")


def test_damaged_and_empty(tmp_path):
    path = tmp_path / "cut.zip"
    packed({"anna.jsonl": LINE.format("anna") * 50}, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + bytes(20) + whole[60:])
    with pytest.raises(DataError, match="cannot be unpacked"):
        unisono.read(path)
    path.write_bytes(whole[:-30])
    with pytest.raises(DataError, match="the archive is damaged"):
        unisono.read(path)
    packed({"anna.zip": whole, "bert.zip": whole}, path, compress_type=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes()[: len(whole) + 60])  # only the archive of anna is whole
    with pytest.raises(DataError, match="breaks off before its end"):
        unisono.read(path)
    packed({}, tmp_path / "empty.zip")
    with pytest.raises(DataError, match="no annotation files"):
        unisono.read(tmp_path / "empty.zip")


def test_a_name_twice(tmp_path):
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jsonl", LINE.format("a"))
        archive.writestr("b.jsonl", LINE.format("b"))
    path.write_bytes(path.read_bytes().replace(b"b.jsonl", b"a.jsonl"))
    with pytest.raises(DataError, match="twice"):
        unisono.read(path)


def test_what_is_no_archive_is_read_as_it_is(tmp_path):
    path = tmp_path / "no.zip"
    path.write_text("annotator,start,end\nanna,0,3\n")
    assert unisono.read(path, format="csv").annotators == ("anna",)


def test_several_archives_one_an_annotator(tmp_path):
    ann = "T1\tPER 0 4\tAnna\n"
    for who in ("anna", "bert"):
        packed({"text.txt": "Anna sank.", "text.ann": ann}, tmp_path / f"{who}.zip")
    corpus = unisono.read([tmp_path / "anna.zip", tmp_path / "bert.zip"])
    assert corpus.annotators == ("anna", "bert")
    assert corpus.documents == ("text",)


def test_a_slash_before_a_name_means_nothing(tmp_path):
    path = tmp_path / "old.zip"
    packed({"/data/anna.jsonl": LINE.format("anna")}, path)
    assert unisono.read(path).origin(0, 0)["path"] == path / "data/anna.jsonl"


def test_a_damaged_archive_in_an_archive(tmp_path):
    path = tmp_path / "outer.zip"
    whole = packed({"cleo.jsonl": LINE.format("cleo")})
    packed({"anna.jsonl": LINE.format("anna"), "cleo.zip": whole[:-30]}, path)
    with pytest.raises(DataError, match="damaged") as caught:
        unisono.read(path)
    assert str(path / "cleo.zip") in str(caught.value)
    told = []
    corpus = unisono.read(path, bad=told.append)
    assert corpus.annotators == ("anna",)
    assert len(told) == 1
    assert sum(corpus.dropped.values()) == 1


def test_names_that_only_look_strange(tmp_path):
    path = tmp_path / "strange.zip"
    packed({"text: one.jsonl": LINE.format("anna"), "__MACOSX/._text: one.jsonl": "x", "a.zip.packed/x.txt": "x"}, path)
    assert unisono.read(path, pattern="*.jsonl").annotators == ("anna",)


def test_other_ways_to_pack(tmp_path):
    path = tmp_path / "lzma.zip"
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.jsonl", LINE.format("a") * 20)
    content = bytearray(path.read_bytes())
    content[60:70] = bytes(10)
    path.write_bytes(bytes(content))
    with pytest.raises(DataError):
        unisono.read(path)
