"""A small valid file of each format, with the files that belong to it."""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Sample:
    """A file: its name, its format, its content, and the files beside it."""

    file: str
    format: str
    content: bytes
    beside: Mapping[str, bytes] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    units: str | None = None

    def write(self, folder: Path) -> Path:
        """Put the files into a folder; return the path of the file itself."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.beside.items():
            (folder / name).write_bytes(content)
        path = folder / self.file
        path.write_bytes(self.content)
        return path


def samples() -> dict[str, Sample]:
    """Return all of them, by name; those that need a library that is not installed are left out."""
    found = {
        "csv": Sample("table.csv", "csv", _UNITS),
        "tsv": Sample("table.tsv", "tsv", _UNITS.replace(b",", b"\t")),
        "labels": Sample("labels.csv", "csv", b"item,annotator,label\n1,anna,X\n1,bert,Y\n2,anna,X\n2,bert,X\n"),
        "ratings": Sample("ratings.csv", "ratings", b"item,anna,bert\n1,X,Y\n2,X,X\n3,,Y\n"),
        "words": Sample("words.csv", "csv", b"original,anna,bert\nvnd,und,und\njm,ihm,im\n"),
        "norms": Sample("norms.csv", "csv", b"token,original,annotator,norm\n1,vnd,anna,und\n1,vnd,bert,und\n"),
        "jsonl": Sample("lines.jsonl", "jsonl", _LINES),
        "segeval": Sample("talk.tsv", "segeval", _of("segeval", "TABLE")),
        "rttm": Sample("out.rttm", "rttm", _of("rttm", "TURNS") + _of("rttm", "OTHERS"), options={"types": "all"}),
        "iob": Sample("news.conll", "iob", _of("iob", "NEWS")),
        "conllu": Sample("books.conllu", "conllu", _of("conllu", "BOOKS")),
        "webanno": Sample("text1.tsv", "webanno", _of("webanno", "PEOPLE")),
        "webanno2": Sample("text1.tsv", "webanno2", _of("webanno2", "PEOPLE")),
        "conllu_tokens": Sample("books.conllu", "conllu", _of("conllu", "BOOKS"), units="tokens"),
        "webanno_tokens": Sample("text1.tsv", "webanno", _of("webanno", "PEOPLE"), units="tokens"),
        "webanno2_tokens": Sample("text1.tsv", "webanno2", _of("webanno2", "PEOPLE"), units="tokens"),
        "iob_tokens": Sample("news.conll", "iob", _of("iob", "NEWS"), units="tokens"),
        "docbin_tokens": Sample("text1.spacy", "docbin", _of("docbin", "GOOD"), units="tokens"),
        "spacyjson": Sample("text1.jsonl", "spacyjson", _of("spacy_json", "FULL")),
        "refi": Sample("p.qdpx", "refi", _of("refi", "FULL")),
        "refi_unpacked": Sample("project.qde", "refi", _of("refi", "XML")),
        "documents": Sample(
            "text1.xmi", "xmi", _of("cas", "DOCUMENT_XMI"), {"TypeSystem.xml": _of("cas", "DOCUMENT_TYPES")}
        ),
        "documents_json": Sample("text1.json", "casjson", _of("cas", "DOCUMENT_JSON")),
        "brat": Sample("text1.ann", "brat", _of("brat", "ANN"), {"text1.txt": _of("brat", "TEXT")}),
        "doccano": Sample("anna.jsonl", "doccano", _of("doccano", "EXAMPLE")),
        "prodigy": Sample("news.jsonl", "prodigy", _of("prodigy", "EXAMPLE")),
        "labelstudio": Sample("export.json", "labelstudio", _of("labelstudio", "EXAMPLE")),
        "doccano labels": Sample("anna.jsonl", "doccano", _of("doccano", "LABELS")),
        "doccano table": Sample("anna.csv", "doccano", _of("doccano", "TABLE")),
        "prodigy answers": Sample("news.jsonl", "prodigy", _of("prodigy_answers", "EXAMPLE")),
        "labelstudio items": Sample("export.json", "labelstudio", _of("labelstudio_items", "EXAMPLE")),
        "labelstudio min": Sample("export.json", "labelstudio-min", _of("labelstudio_min", "EXAMPLE")),
        "labelstudio table": Sample("export.csv", "labelstudio-min", _of("labelstudio_min", "TABLE")),
        "argilla": Sample("records.json", "argilla", _of("argilla", "EXAMPLE")),
        "inspect": Sample("log.json", "inspect", _of("inspect_log", "EXAMPLE")),
        "judge-bench": Sample("data.json", "judge-bench", _of("judge_bench", "EXAMPLE")),
        "lewidi": Sample("task_dev.json", "lewidi", _of("lewidi", "EXAMPLE")),
        "alttest": Sample("labels.json", "alttest", _of("alttest", "EXAMPLE")),
        "potato": Sample("annotated_instances.jsonl", "potato", _of("potato", "EXAMPLE")),
        "textgrid": Sample("talk.TextGrid", "textgrid", _of("textgrid", "LONG")),
        "eaf": Sample("talk.eaf", "eaf", _of("eaf", "FUZZED")),
        "gate": Sample("text1.xml", "gate", _of("gate", "FULL")),
        "glozz": Sample("text1.aa", "glozz", _of("glozz", "FULL"), {"text1.ac": _of("glozz", "TEXT")}),
        "catma": Sample("text1.xml", "catma", _of("catma", "FULL"), {"text1.txt": _of("catma", "TEXT")}),
        "tei": Sample("text1.xml", "tei", _of("tei", "SPANS")),
        "page": Sample("p1.xml", "page", _of("page_xml", "FUZZED")),
        "alto": Sample("p1.xml", "alto", _of("alto", "HYPHENATED")),
        "cora": Sample("text1.xml", "cora", _of("cora", "MOD")),
        "xmi": Sample("text1.xmi", "xmi", _of("cas", "XMI"), {"TypeSystem.xml": _of("cas", "TYPES")}),
        "casjson": Sample("text1.json", "casjson", _of("cas", "JSON")),
        "docbin": Sample("text1.spacy", "docbin", _of("docbin", "GOOD")),
        "parquet": Sample("table.parquet", "parquet", _parquet()),
    }
    return {name: sample for name, sample in found.items() if sample.content}


_UNITS = b"document,annotator,start,end,category\nd,anna,0,3,X\nd,bert,0,4,Y\nd,bert,5,9,\ne,anna,,,\ne,bert,1,2,X\n"
_LINES = (
    b'{"document": "d", "annotator": "anna", "text": "Anna sees Bert.", "units": [{"start": 0, "end": 4, '
    b'"type": "PER"}]}\n'
    b'{"document": "d", "annotator": "bert", "text": "Anna sees Bert.", "continuum": [0, 15], "units": [{"start": 0, '
    b'"end": 4, "category": "x", "features": {"a": 1, "b": true, "c": ["x", "y"]}}]}\n'
    b'{"document": "e", "annotator": "anna", "tokens": [[0, 2]], "units": []}\n'
)


def _of(module: str, name: str) -> bytes:
    """Return what the tests of a format read."""
    try:
        content = getattr(importlib.import_module(f"test_{module}"), name)
    except pytest.skip.Exception:
        return b""
    return content if isinstance(content, bytes) else content.encode()


def _parquet() -> bytes:
    try:
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        return b""
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(io.BytesIO(_UNITS)), stream)
    return stream.getvalue()
