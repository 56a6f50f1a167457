"""Damaged files of all formats: they are read or refused, in time, and what is skipped is counted.

The same cases run each time. The long run, with `-m slow`, has more of them.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from format_helpers import contents, parts
from mutations import mutated_bytes, mutated_docbin, mutated_json, mutated_lines, mutated_xml
from samples import Sample, samples
from test_one_bad_record import KINDS

from unisono.data import Corpus, Export, Ratings
from unisono.errors import DataError, UnisonoError
from unisono.formats import read, write

SKIPPED = "files or records that could not be read and were passed over"
SHORT, LONG = 16, 1_000
"""How many cases each sample has."""
LONGEST = 10.0
"""How many seconds of computing one may take; all are small."""
SAMPLES = samples()
MARK = re.compile(r"\br[0-9]+\b")


def structured(name: str, sample: Sample):
    """Return how the structure of a file is changed."""
    if sample.format == "docbin":
        return mutated_docbin
    if name in ("parquet", "refi"):
        return mutated_bytes
    if sample.content.lstrip()[:1] == b"<":
        return mutated_xml
    return mutated_json if sample.content.lstrip()[:1] in (b"[", b"{") else mutated_lines


def outcome(path, **options):
    """Return what a file holds, or the sentence with which it is refused."""
    begin = time.process_time()
    try:
        found = read(path, **options)
    except UnisonoError as error:
        found = str(error)
        assert found
        assert "\n" not in found.replace(str(path), ""), found
    assert time.process_time() - begin < LONGEST
    return found


def plain(data):
    return data if isinstance(data, str) else parts(replace(data, dropped={}))


def check(sample: Sample, path: Path) -> None:
    """Read a file strictly and leniently, and compare the two."""
    how = {"format": sample.format, "options": dict(sample.options), "units": sample.units}
    strict = outcome(path, **how)
    told: list[DataError] = []
    lenient = outcome(path, **how, bad=told.append)
    if not isinstance(strict, str):
        assert not told
        assert plain(lenient) == plain(strict)
    if not isinstance(lenient, str):
        assert lenient.dropped.get(SKIPPED, 0) == len(told)
        assert all(n > 0 for n in lenient.dropped.values())
    if isinstance(lenient, Corpus):
        copy = path.parent / "copy.jsonl"
        not_held = write(lenient, copy, overwrite=True)
        for line in copy.read_bytes().splitlines():
            json.loads(line)
        assert not_held or contents(read(copy)) == contents(lenient)


def fuzz(name: str, n_cases: int, seed: int) -> None:
    """Read changed files; the seed of a case is in its message if it fails."""
    sample = SAMPLES[name]
    with tempfile.TemporaryDirectory() as folder:
        for case in range(n_cases):
            rng = random.Random(f"{name} {seed} {case}")
            if sample.beside and rng.random() < 0.3:
                other = rng.choice(list(sample.beside))
                changed = replace(sample, beside={**sample.beside, other: mutated_bytes(sample.beside[other], rng)})
            else:
                mutate = mutated_bytes if rng.random() < 0.2 else structured(name, sample)
                changed = replace(sample, content=mutate(sample.content, rng))
            try:
                check(changed, changed.write(Path(folder)))
            except BaseException as error:
                error.add_note(f"case {case} of {name}, seed {seed}: {changed.content[:2000]!r}")
                raise


@pytest.mark.parametrize("name", SAMPLES)
def test_changed_files(name):
    fuzz(name, SHORT, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize("name", SAMPLES)
def test_many_changed_files(name, seed):
    fuzz(name, LONG, seed)


def lost(kind, n_cases: int, seed: int) -> None:
    """Change records, each of which has a mark of its own: a mark that is in the file is in a unit, or counted."""
    words = [f"w{number}" for number in range(6)]
    with tempfile.TemporaryDirectory() as folder:
        for case in range(n_cases):
            rng = random.Random(f"{kind.name} {seed} {case}")
            records = [_one_mark(record) for record in kind.records(words)]
            for place in rng.sample(range(len(records)), rng.randint(1, 3)):
                mutate = mutated_json if records[place].startswith("{") else mutated_lines
                changed = mutate(records[place].encode(), rng).decode(errors="replace").rstrip("\n")
                single = "\n" not in changed and set(MARK.findall(changed)) <= set(MARK.findall(records[place]))
                records[place] = changed + "\n" if single else records[place]
            path = kind.write(folder, words, records)
            told: list[DataError] = []
            found = outcome(path, format=kind.name, bad=told.append)
            if isinstance(found, str):
                continue
            there = {mark for record in records for mark in MARK.findall(record)}
            units = [MARK.findall(label) for label in labels(found)]
            missing = there - {mark for marks in units for mark in marks}
            n_elsewhere = sum(not marks for marks in units)  # the mark went where labels are not
            n_counted = sum(found.dropped.values())
            assert len(missing) <= n_counted + n_elsewhere, (case, missing, found.dropped, path.read_text())


def labels(data):
    """Iterate over the labels of units and of items, each as a text."""
    if isinstance(data, Export):
        for part in [*([] if data.units is None else [data.units]), *data.questions.values()]:
            yield from labels(part)
    elif isinstance(data, Ratings):
        yield from (str(data.labels[code]) for code in data.codes.ravel().tolist() if code >= 0)
    else:
        yield from (str(list(unit.features.values())) for document in data for unit in document.units)


def _one_mark(record: str) -> str:
    """Leave one unit in a record that has two."""
    if not record.startswith("{"):
        return record
    value = json.loads(record)
    for key in ("label", "spans", "units"):
        if key in value:
            value[key] = value[key][:1]
    for one in value.get("annotations", ()):
        one["result"] = one["result"][:1]
    return json.dumps(value) + "\n"


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_record_is_lost_uncounted(kind):
    lost(kind, 4 * SHORT, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_record_is_lost_uncounted_in_many_files(kind):
    lost(kind, LONG, seed=2)


def packed(content: bytes, name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def fuzz_packed(n_cases: int, seed: int) -> None:
    sample = SAMPLES["jsonl"]
    with tempfile.TemporaryDirectory() as folder:
        for case in range(n_cases):
            rng = random.Random(f"packed {seed} {case}")
            zipped = rng.random() < 0.5
            content = packed(sample.content, sample.file) if zipped else gzip.compress(sample.content, mtime=0)
            path = Path(folder, f"x{case}{'.zip' if zipped else '.jsonl.gz'}")
            path.write_bytes(mutated_bytes(content, rng))
            outcome(path)
            outcome(path, bad=lambda _: None)
            path.unlink()


def test_changed_archives():
    fuzz_packed(4 * SHORT, seed=1)


@pytest.mark.slow
def test_many_changed_archives():
    fuzz_packed(LONG, seed=2)
