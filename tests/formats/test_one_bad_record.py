"""One bad record is told and passed over, and nothing else changes: no other unit is lost, and none moves."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.errors import DataError
from unisono.formats import read

TEXT = "Anna 𝄞 sees Bert"


@dataclass(frozen=True)
class Kind:
    """A kind of file: what it is made of for some words, and ways to damage one of its records.

    Word number n is a unit with the category rn, and makes the record number n.
    """

    name: str
    file: str
    records: Callable[[Sequence[str]], list[str]]
    damages: Sequence[Callable[[str], str]]
    header: str = ""
    around: tuple[str, str, str] = ("", "", "")
    companion: Callable[[Sequence[str]], str] | None = None

    def write(self, folder: str, words: Sequence[str], records: Sequence[str]) -> Path:
        path = Path(folder, self.file)
        begin, between, end = self.around
        content = f"{self.header}{begin}{between.join(records)}{end}"
        path.write_bytes(content.encode(errors="surrogateescape"))
        if self.companion is not None:
            path.with_suffix(".txt").write_bytes(self.companion(words).encode())
        return path


def replaced(old, new):
    def damage(record):
        assert old in record
        return record.replace(old, new)

    return damage


def fields(separator, **changed):
    """Replace fields by their numbers (f2="x"), or take them away (f2=None)."""

    def damage(record):
        parts = record.removesuffix("\n").split(separator)
        new = [changed.get(f"f{number}", part) for number, part in enumerate(parts)]
        return separator.join(part for part in new if part is not None) + "\n"

    return damage


def cut(record):
    return record[: len(record) // 2] + "\n"


def undecodable(record):
    return "\udce4" + record


def objects(make):
    return lambda words: [
        json.dumps(make(number, [[0, 4, f"r{number}"], [7, 11, f"r{number}"]])) + "\n" for number, _ in enumerate(words)
    ]


def spans(words):
    """Where words are, with one character between them."""
    ends = list(accumulate(len(word) + 1 for word in words))
    return [(end - len(word) - 1, end - 1) for word, end in zip(words, ends, strict=True)]


def standoff(words):
    return [
        f"T{number}\tr{number} {start} {end}\t{word}\n"
        for number, (word, (start, end)) in enumerate(zip(words, spans(words), strict=True))
    ]


def placed(form):
    return lambda words: [
        form.format(n=n, start=start, end=end, size=end - start) for n, (start, end) in enumerate(spans(words))
    ]


def columns(words):
    return [f"{word}\tNN\tB-r{number}\n" for number, word in enumerate(words)]


def rows(words):
    return [
        f"1-{number}\t{start}-{end}\t{word}\tr{number}\n"
        for number, (word, (start, end)) in enumerate(zip(words, spans(words), strict=True))
    ]


BRAT = [
    fields("\t", f1="r 0 99999"),
    fields("\t", f1="r 5 x"),
    fields("\t", f2="zzz"),
    fields("\t", f0="Q1"),
    replaced("\t", " "),
    undecodable,
]
DOCCANO = objects(lambda n, spans: {"id": n, "text": TEXT, "label": spans})
PRODIGY = objects(
    lambda n, spans: {
        "_input_hash": n,
        "_annotator_id": "news-anna",
        "text": TEXT,
        "spans": [{"start": start, "end": end, "label": label} for start, end, label in spans],
    }
)
LABEL_STUDIO = objects(
    lambda n, spans: {
        "id": n,
        "data": {"text": TEXT},
        "annotations": [
            {
                "completed_by": 1,
                "result": [
                    {
                        "from_name": "label",
                        "to_name": "text",
                        "type": "labels",
                        "value": {"start": start, "end": end, "labels": [label]},
                    }
                    for start, end, label in spans
                ],
            }
        ],
    }
)
JSON_LINES = objects(
    lambda n, spans: {
        "document": f"d{n}",
        "annotator": "anna",
        "text": TEXT,
        "units": [{"start": start, "end": end, "category": label} for start, end, label in spans],
    }
)


def number(_):
    return "5\n"


def empty(_):
    return "{}\n"


KINDS = {
    "brat": Kind("brat", "d.ann", standoff, BRAT, companion=" ".join),
    "brat, ends of line counted once": Kind("brat", "d.ann", standoff, BRAT, companion="\r\n".join),
    "brat, mark not counted": Kind("brat", "d.ann", standoff, BRAT, companion=lambda words: "\ufeff" + " ".join(words)),
    "iob": Kind(
        "iob", "d.conll", columns, [fields("\t", f1=None, f2=None), fields("\t", f2="PER"), fields("\t", f2="")]
    ),
    "doccano": Kind(
        "doccano", "d.jsonl", DOCCANO, [cut, number, empty, undecodable, replaced("11", "99"), replaced("7", "-7")]
    ),
    "prodigy": Kind(
        "prodigy", "d.jsonl", PRODIGY, [cut, number, empty, undecodable, replaced("11", "99"), replaced("7", "null")]
    ),
    "labelstudio": Kind(
        "labelstudio",
        "d.json",
        LABEL_STUDIO,
        [number, empty, replaced("11", "99"), replaced("7", "null"), replaced('"result"', '"results"')],
        around=("[", ",", "]"),
    ),
    "rttm": Kind(
        "rttm",
        "d.rttm",
        placed("SPEAKER talk 1 {start} {size} <NA> <NA> r{n} <NA> <NA>\n"),
        [
            fields(" ", f3="x"),
            fields(" ", f4="-1"),
            fields(" ", f7=None, f8=None),
            fields(" ", f0="SPOKEN"),
            undecodable,
        ],
    ),
    "csv": Kind(
        "csv",
        "d.csv",
        placed("d,anna,{start},{end},r{n}\n"),
        [fields(",", f2="x"), fields(",", f3="-1"), fields(",", f1=""), undecodable],
        header="document,annotator,start,end,category\n",
    ),
    "jsonl": Kind(
        "jsonl", "d.jsonl", JSON_LINES, [cut, number, empty, undecodable, replaced("11", "2"), replaced("7", "null")]
    ),
}
WEBANNO = [fields("\t", f3=None), fields("\t", f1="9999-99999"), fields("\t", f1="x"), fields("\t", f2="zzz")]


def units(corpus):
    """All units, with the text that they cover."""
    return sorted(
        (document.name, unit.annotator, unit.start, unit.end, unit.category, covered(document.text, unit))
        for document in corpus
        for unit in document.units
    )


def covered(text, unit):
    return None if text is None else text[unit.start : unit.end]


texts = st.lists(st.text("abc𝄞", min_size=1, max_size=4), min_size=2, max_size=7)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_all_other_units_stay_as_they_are(kind, data):
    words = data.draw(texts)
    records = kind.records(words)
    place = data.draw(st.integers(0, len(words) - 1))
    damage = data.draw(st.sampled_from(kind.damages))
    told = []
    with tempfile.TemporaryDirectory() as folder:
        whole = units(read(kind.write(folder, words, records), format=kind.name))
        records[place] = damage(records[place])
        path = kind.write(folder, words, records)
        damaged = units(read(path, format=kind.name, bad=told.append))
        with pytest.raises(DataError):
            read(path, format=kind.name)
    assert {unit[4] for unit in whole} == {f"r{number}" for number in range(len(words))}
    assert damaged == [unit for unit in whole if unit[4] != f"r{place}"]
    assert [error.path for error in told] == [path]
    if kind.name != "labelstudio":
        assert told[0].line == 1 + place + kind.header.count("\n")


@settings(max_examples=40, deadline=None)
@given(texts, st.data())
def test_where_lines_rest_on_others_the_file_is_refused(words, data):
    """WebAnno TSV: without a row, nobody knows how far the annotations go that have parts in others."""
    narrow = [word.replace("𝄞", "d") for word in words]
    header = f"#FORMAT=WebAnno TSV 3.3\n#T_SP=a.Layer|value\n#Text={' '.join(narrow)}\n"
    records = rows(narrow)
    place = data.draw(st.integers(0, len(words) - 1))
    records[place] = data.draw(st.sampled_from(WEBANNO))(records[place])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "d.tsv")
        path.write_text(header + "".join(records))
        with pytest.raises(DataError, match=f"line {place + 4}: "):
            read(path, bad=lambda _: None)
