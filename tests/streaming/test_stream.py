"""A corpus larger than memory: the same result, byte by byte, however it is read, measured and interrupted."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
import zipfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack

import numpy as np
import pytest
from commands import run

import unisono
from unisono.cli.interrupts import Interrupted
from unisono.formats import csv_format, jsonl, parquet
from unisono.formats.piecewise import Piecewise
from unisono.measurement import batching
from unisono.streaming import intake, measuring
from unisono.streaming.stored import open_corpus

pyarrow = pytest.importorskip("pyarrow")

GAMMA = "gamma(chance=shift,precision=0.3)"
MEASURES = [
    GAMMA,
    "gamma(chance=statistical,precision=0.3)",
    "gamma(precision=0.3)",
    "u-alpha",
    "cu-alpha",
    "span-f1",
    "slot-error-rate",
    "discretized-alpha",
    "krippendorff-alpha(unmarked=O)",
]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Let small data be in many pieces and batches."""
    monkeypatch.setattr(csv_format, "_ROWS", 37)
    monkeypatch.setattr(parquet, "_ROWS", 37)
    monkeypatch.setattr(jsonl, "_LINES", 5)
    monkeypatch.setattr(intake, "_BLOCK", 50)
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 4)


def rows(n_documents=13, seed=1):
    """Units of three annotators, some of whom mark nothing; some documents are alike, some have one annotator."""
    rng = random.Random(seed)
    made = []
    for d in range(n_documents):
        base = [(10 * k + rng.randrange(4), rng.choice("XYZ")) for k in range(rng.choice([1, 3, 5]))]
        for who in ("ann", "bob", "cem")[: 1 if d == 7 else 3]:
            own = [(s + rng.randrange(2), s + rng.randrange(4, 8), c) for s, c in base if rng.random() < 0.9]
            made += [(f"d{d}", who, start, end, c if rng.random() < 0.8 else "W") for start, end, c in own]
            if not own:
                made.append((f"d{d}", who, "", "", ""))
    for copy in ("e0", "e1", "e2"):  # the same content, which has other random numbers each time
        made += [(copy, *row[1:]) for row in made if row[0] == "d3"]
    return made


def csv(path, table, header="document,annotator,start,end,category"):
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in table)]) + "\n")
    return path


def shuffled(table, seed=5):
    table = list(table)
    random.Random(seed).shuffle(table)
    return table


def same(tmp_path, path, measure, *options):
    """Measure with and without a stream; return the JSON, which must be the same."""
    plain = run("measure", path, "-m", measure, *options, "--json")
    streamed = run("measure", path, "-m", measure, *options, "--json", "--stream", tmp_path / "kept")
    said = re.sub(r"^[\w-]+ needs all \w+ at once: .*\n", "", streamed.stderr, flags=re.MULTILINE)
    assert (streamed.returncode, streamed.stdout, said) == (plain.returncode, plain.stdout, plain.stderr)
    shutil.rmtree(tmp_path / "kept", ignore_errors=True)  # a command that failed leaves none
    return plain


@pytest.mark.parametrize("measure", MEASURES)
def test_same_bytes(tmp_path, measure):
    done = same(tmp_path, csv(tmp_path / "a.csv", shuffled(rows())), measure)
    assert json.loads(done.stdout)["results"][0]["value"] is not None


def written(tmp_path, kind):
    path = csv(tmp_path / "a.csv", shuffled(rows()))
    if kind == "csv":
        return path
    if kind == "tsv":
        tabbed = tmp_path / "a.tsv"
        tabbed.write_text(path.read_text().replace(",", "\t"))
        return tabbed
    corpus = unisono.read(path)
    if kind == "jsonl":
        unisono.write(corpus, tmp_path / "a.jsonl")
        return tmp_path / "a.jsonl"
    if kind == "parquet":
        from pyarrow.parquet import write_table

        table = [row for row in shuffled(rows()) if row[2] != ""]
        names = ("document", "annotator", "start", "end", "category")
        frame = pyarrow.table({name: [row[i] for row in table] for i, name in enumerate(names)})
        write_table(frame, tmp_path / "a.parquet", row_group_size=20)
        return tmp_path / "a.parquet"
    folder = tmp_path / "files"
    folder.mkdir()
    for name in corpus.documents:
        csv(folder / f"{name}.csv", [row for row in rows() if row[0] == name])
    if kind == "folder":
        return folder
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"files/{file.name}")
    return tmp_path / "a.zip"


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "folder", "zip"])
@pytest.mark.parametrize("measure", [GAMMA, "cu-alpha"])
def test_same_bytes_from_any_format(tmp_path, kind, measure):
    same(tmp_path, written(tmp_path, kind), measure)


@pytest.mark.parametrize(
    "options",
    [
        ["--annotators", "ann,bob"],
        ["--documents", "d1,d2,d4,d9,e0"],
        ["--documents", ",".join(f"d{d}" for d in range(11))],
        ["--annotators", "bob,cem", "--documents", "d1,d2,d3", "--where", "length > 4"],
        ["--where", 'category != "W"'],
        ["--where", 'document != "d4" and annotator != "cem"'],
        ["--clean", "case,s/x/y/"],
        ["--merge-adjacent"],
        ["--continuum", "0:80"],
        ["--columns", "category=end,end=category"],
        ["--annotators", "nobody"],
        ["--documents", "d1,nothing"],
        ["--where", "length > 400"],
        ["--layer", "NE"],
    ],
)
def test_prepared_data(tmp_path, options):
    same(tmp_path, csv(tmp_path / "a.csv", shuffled(rows())), "gamma(chance=shift,precision=0.3)", *options)


def layers(tmp_path):
    """Units of two layers with features of their own; the first documents have only the second feature."""
    lines = []
    rng = random.Random(2)
    for d in range(12):
        for who in "AB":
            units = []
            for k in range(4):
                layer = "late" if d < 7 else rng.choice(["late", "early"])
                name = {"late": "second", "early": "first"}[layer]
                start = 12 * k + rng.randrange(3)
                units.append({"start": start, "end": start + 5, "type": layer, "features": {name: rng.choice("PQR")}})
            text = "lorem ipsum " * 6
            lines.append({"document": f"t{d}", "annotator": who, "text": text, "units": units})
    lines[0]["units"][0]["features"] = {"first": None, "second": "P"}
    path = tmp_path / "layers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("gamma(precision=0.3,features=second,chance=shift)", ["--layer", "late"]),
        ("gamma(precision=0.3,features=[first,second])", ["--features", "first,second"]),
        ("gamma(precision=0.3)", ["--join", "first,second"]),
        ("gamma(precision=0.3,features=first,chance=shift)", ["--positions", "tokens"]),
        ("gamma(precision=0.3)", ["--layer", "other"]),
        ("gamma(precision=0.3)", []),
        ("text-gamma(precision=0.3)", []),
        ("text-gamma(precision=0.3)", ["--layer", "early"]),
    ],
)
def test_layers_and_texts(tmp_path, measure, options):
    same(tmp_path, layers(tmp_path), measure, *options)


PLAIN, RELATIONS, PIECES = range(3)
KINDS = ((PLAIN, RELATIONS, PIECES), (PLAIN,), (RELATIONS,), (PIECES, PLAIN))


def relations(tmp_path, kinds=lambda d: KINDS[d % 4]):
    """Relations, units in pieces and plain units; two documents are alike."""
    rng = random.Random(4)
    lines = []
    for d in range(14):
        base = [(20 * k, rng.choice("XY"), rng.choice(kinds(d))) for k in range(5)]
        for who in "ABC":
            units = []
            for place, label, kind in base:
                start, given = place + rng.randrange(3), label if rng.random() < 0.8 else "Z"
                ends = {
                    PLAIN: [("piece", start, start + 5)],
                    RELATIONS: [("source", start, start + 4), ("target", start + 9, start + rng.choice([12, 13]))],
                    PIECES: [("piece", start, start + 3), ("piece", start + 6, start + 9)],
                }[kind]
                unit = {"anchors": [{"role": role, "start": low, "end": high} for role, low, high in ends]}
                unit["features"] = {"category": given, "start": rng.choice("PQ")}
                units += [unit] * rng.choice([0, 1, 1, 2])
            lines.append({"document": f"t{d}", "annotator": who, "text": "lorem ipsum " * 12, "units": units})
    lines += [{**line, "document": "alike"} for line in lines if line["document"] == "t4"]
    path = tmp_path / "relations.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("gamma(chance=shift,precision=0.3,roles=[source:2,target:1],features=category)", []),
        ("gamma(chance=statistical,precision=0.3,directed=false)", ["--features", "category"]),
        ("gamma(chance=corpus,precision=0.3,features=[category,start])", ["--annotators", "A,C"]),
        ("gamma(precision=0.3)", ["--units", "relations", "--features", "category"]),
        ("gamma(precision=0.3)", ["--units", "spans", "--features", "category"]),
        ("gamma(precision=0.3)", ["--discontinuous", "pieces", "--features", "category"]),
        ("gamma(precision=0.3)", ["--where", "length < 6", "--features", "start"]),
        ("gamma(precision=0.3)", ["--positions", "tokens", "--features", "start"]),
        ("gamma(precision=0.3)", ["--merge-adjacent", "--features", "category"]),
        ("relation-f1", ["--features", "category"]),
    ],
)
def test_relations_and_pieces(tmp_path, measure, options):
    done = same(tmp_path, relations(tmp_path), measure, *options)
    assert json.loads(done.stdout)["results"][0]["value"] is not None


@pytest.mark.parametrize(("measure", "options"), [("gamma", ["--units", "events"]), ("span-f1", [])])
def test_relations_that_are_refused(tmp_path, measure, options):
    assert same(tmp_path, relations(tmp_path), measure, "--features", "category", *options).returncode == 1


@pytest.mark.parametrize(
    "kinds", [lambda d: KINDS[d % 4], lambda d: KINDS[d > 8], lambda d: KINDS[d < 5], lambda d: KINDS[1 + (d > 2)]]
)
def test_what_is_stored_of_relations(tmp_path, kinds):
    """Units with several anchors come late, or no longer; nothing is lost, and the order is the same."""
    path = relations(tmp_path, kinds)
    whole = unisono.read(path)
    assert whole.anchors is not None
    with intake.Intake(tmp_path / "kept") as taking:
        for piece in Piecewise(path):
            taking.add(piece)
        taking.seal(source=whole.source)
    kept = open_corpus(tmp_path / "kept")
    for name in ("first", "role", "start", "end", "roles"):
        assert np.array_equal(getattr(kept.anchors, name), getattr(whole.anchors, name)), name
        own = getattr(kept.part(2, 6).anchors, name)
        assert np.array_equal(own, getattr(whole.part(2, 6).anchors, name)), name
    assert kept == whole
    assert kept.anchors.start.dtype == whole.anchors.start.dtype == np.int64


def test_a_preannotation(tmp_path):
    """The same with and without a stream, on the command line and in Python; another one needs another folder."""
    path, base = layers(tmp_path), tmp_path / "base.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    started = [{**line, "units": [{**one, "features": {}} for one in line["units"]]} for line in lines[::2]]
    base.write_text("".join(json.dumps(line) + "\n" for line in started))
    measure = "text-gamma(precision=0.3)"
    with_base = same(tmp_path, path, measure, "--base", base)
    given = {"base": base, "workers": 1}
    result = unisono.stream(measure, path, tmp_path / "kept", **given)
    assert result == unisono.measure(measure, path, **given)
    assert result.value == json.loads(with_base.stdout)["results"][0]["value"]
    with pytest.raises(unisono.OptionError, match=r"^base: gamma uses no pre-annotation"):
        unisono.stream("gamma", path, tmp_path / "kept", **given)
    with pytest.raises(unisono.DataError, match="made for another pre-annotation"):
        unisono.stream(measure, path, tmp_path / "kept")


def test_a_wrong_preannotation_does_not_claim_the_folder(tmp_path):
    path = layers(tmp_path)
    stream = ["-m", "text-gamma(precision=0.3)", "--stream", tmp_path / "kept"]
    assert run("measure", path, *stream, "--base", tmp_path / "nothing.jsonl").returncode == 1
    with pytest.raises(unisono.DataError, match="there is no such file"):
        unisono.stream("text-gamma", path, tmp_path / "kept", base=tmp_path / "nothing.jsonl")
    assert run("measure", path, *stream).returncode == 0


def test_ratings(tmp_path):
    rng = random.Random(3)
    table = [(f"i{i}", who, rng.choice("xyz")) for i in range(60) for who in ("ann", "bob")]
    same(tmp_path, csv(tmp_path / "r.csv", table, "item,annotator,label"), "krippendorff-alpha")
    same(tmp_path, csv(tmp_path / "r.csv", table, "item,annotator,label"), "cohen-kappa", "--annotators", "ann,bob")


def test_labels_of_all_kinds(tmp_path):
    """True is not 1, 1 is 1.0, and what is first seen late is sorted with the rest."""
    labels = ["b", 1, True, 2.5, ["p", "q"], None, "a", False, 0, -3]
    lines = [
        {"document": f"d{i}", "annotator": who, "units": [{"start": i, "end": i + 3, "category": labels[(i + k) % 10]}]}
        for i in range(30)
        for k, who in enumerate("AB")
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    same(tmp_path, path, "gamma(precision=0.3)")
    kept = unisono.stream("cu-alpha", path, tmp_path / "kept").data
    assert kept == unisono.read(path)
    assert kept.features["category"].labels == unisono.read(path).features["category"].labels


def test_names_and_labels_that_are_not_utf8(tmp_path):
    units = [{"start": 0, "end": 3, "category": "x\ud800"}, {"start": 5, "end": 9, "category": "ü"}]
    lines = [
        {"document": f"d{d}\udc00", "annotator": who, "text": "lorem \ud812 ipsum", "units": units[: 1 + (d + k) % 2]}
        for d in range(9)
        for k, who in enumerate(["ä", "b\udfff"])
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    kept = unisono.stream(GAMMA, path, tmp_path / "kept", workers=1)
    assert kept == unisono.measure(GAMMA, path, workers=1)
    assert unisono.stream(GAMMA, path, tmp_path / "kept", workers=1) == kept


def test_fractions_continua_and_protected_cells(tmp_path):
    table = [(d, w, s, e, f"'{c}" if c == "=X" else c) for d, w, s, e, c in rows() if s != ""]
    table = [(d, w, s, e, "'=X" if c == "X" else c) for d, w, s, e, c in table]
    same(tmp_path, csv(tmp_path / "a.csv", table), GAMMA)
    late = [*table[:-1], (*table[-1][:3], f"{table[-1][3]}.5", "=Y")]
    same(tmp_path, csv(tmp_path / "a.csv", late), GAMMA)


@pytest.mark.parametrize("bad", ["d9,ann,7,3,X", "d9,ann,seven,9,X", "d9,ann,1,2", "d9,,1,2,X", ",ann,1,2,X"])
def test_a_bad_line_in_the_middle(tmp_path, bad):
    path = csv(tmp_path / "a.csv", rows())
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:80], bad, *lines[80:]]) + "\n")
    done = same(tmp_path, path, GAMMA)
    assert done.returncode == 1
    assert same(tmp_path, path, GAMMA, "--skip-bad").returncode == 0


def skipped(done):
    return [line for line in done.stderr.splitlines() if line.startswith(("skipped: ", "left out or changed: "))]


@pytest.mark.parametrize("options", [[], ["--annotators", "ann,bob"]])
def test_a_continued_command_lists_what_was_skipped_before(tmp_path, options, monkeypatch):
    table = rows()
    path = csv(tmp_path / "a.csv", [*table[:5], ("d9", "ann", 7, "x", "X"), *table[5:], ("d9", "ann", 7, 3, "X")])
    (tmp_path / "b.csv").write_text("this is not a table\n")
    arguments = ["measure", path, tmp_path / "b.csv", "-m", GAMMA, "--skip-bad", *options]
    expected = skipped(run(*arguments))
    assert len(expected) == 4
    assert any("a.csv, line 7: the end 'x' is not a number" in line for line in expected)
    arguments += ["--stream", tmp_path / "kept"]

    def interrupted(*given, **others):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(measuring.Streaming, "measure", interrupted)
        run(*arguments)
    assert (tmp_path / "kept" / "prepared").exists()
    for _ in range(2):
        done = run(*arguments)
        assert done.returncode == 0, done.stderr
        assert sorted(skipped(done)) == sorted(expected)


def test_a_continued_call_reports_what_was_skipped_before(tmp_path):
    path = csv(tmp_path / "a.csv", [*rows(), ("d9", "ann", 7, 3, "X")])
    found = []
    for _ in range(2):
        errors = []
        unisono.stream(GAMMA, path, tmp_path / "kept", reading={"bad": errors.append}, workers=1)
        found.append([(str(error), str(error.path), error.line) for error in errors])
    assert found[0] == found[1]
    assert [(where, line) for _, where, line in found[0]] == [(str(path), len(rows()) + 2)]
    (tmp_path / "kept" / "skipped.json").write_text("[[")
    unisono.stream(GAMMA, path, tmp_path / "kept", reading={"bad": errors.append}, workers=1)
    assert len(errors) == 1


def test_what_is_skipped_of_labels_is_listed_once(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,x\n2,b,y\n3,,y\n3,b,y\n")
    done = run("measure", path, "-m", "cohen-kappa", "--skip-bad", "--stream", tmp_path / "kept")
    assert done.stderr.count("the annotator is missing") == 1


def test_the_result_in_python(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    result = unisono.stream(GAMMA, path, tmp_path / "kept", workers=1)
    other = unisono.measure(GAMMA, path, workers=1)
    assert type(result) is type(other)
    assert result == other
    assert result.documents == other.documents
    assert result.documents[3].alignment == other.documents[3].alignment  # aligned again
    assert result.documents[3].chance.mean == other.documents[3].chance.mean
    assert result.per_document.equals(other.per_document)
    assert result.interval == other.interval
    table = pyarrow.parquet.read_table(tmp_path / "kept" / "documents-1-gamma.parquet").to_pylist()
    assert table == [document.to_dict() for document in other.documents]
    assert pickle.loads(pickle.dumps(result)) == other
    assert list(result.alignment) == list(other.alignment)
    prepared = unisono.stream(GAMMA, path, tmp_path / "other", preparing={"annotators": ["ann", "bob"]})
    assert prepared.preparation == (("annotators", "ann,bob"),)


def test_an_executor_does_the_work(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context) as executor:
        for measure in (GAMMA, "gamma(precision=0.3)"):
            result = unisono.stream(measure, path, tmp_path / measure, workers=executor)
            assert result.to_dict() == unisono.measure(measure, path, workers=1).to_dict()


def test_rows_of_documents_without_pyarrow(tmp_path, monkeypatch):
    path = csv(tmp_path / "a.csv", rows())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = unisono.stream(GAMMA, path, tmp_path / "kept", workers=1)
    lines = (tmp_path / "kept" / "documents-1-gamma.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [document.to_dict() for document in result.documents]


@pytest.mark.parametrize("left", ["prepared.tmp", "read", "step-1", "read.tmp"])
def test_what_an_interrupted_reading_left_does_not_matter(tmp_path, left):
    path = csv(tmp_path / "a.csv", rows())
    arguments = ["measure", path, "-m", GAMMA, "--json", "--annotators", "ann,bob", "--clean", "case"]
    expected = run(*arguments).stdout
    assert run(*arguments, "--stream", tmp_path / "kept").stdout == expected
    shutil.rmtree(tmp_path / "kept" / "prepared")
    (tmp_path / "kept" / left).mkdir()
    (tmp_path / "kept" / left / "raw-start").write_bytes(b"half")
    assert run(*arguments, "--stream", tmp_path / "kept").stdout == expected
    names = {file.name for file in (tmp_path / "kept").iterdir()}
    assert names <= {"prepared", "lock", "manifest.json", "batches-1", "documents-1-gamma.parquet"}


def test_one_document(tmp_path):
    table = [row for row in rows() if row[0] == "d0"]
    table += [
        (*row[:2], row[2] + 100 * k, row[3] + 100 * k, row[4]) for row in table if row[2] != "" for k in (1, 2, 3)
    ]
    same(tmp_path, csv(tmp_path / "a.csv", table), GAMMA)


@pytest.mark.parametrize("measure", ["span-f1", "cu-alpha", GAMMA])
def test_more_documents_than_are_left_out_one_by_one_in_one_batch(tmp_path, measure, monkeypatch):
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 500)
    table = [
        (f"d{d}", who, d % 7, d % 7 + 3 + (who == "a" and d % 2), "VW"[d % 3 == 0]) for d in range(60) for who in "ab"
    ]
    same(tmp_path, csv(tmp_path / "a.csv", table), measure)


def test_a_command_that_failed_at_once_does_not_claim_the_folder(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    stream = ["-m", GAMMA, "--stream", tmp_path / "kept"]
    assert run("measure", tmp_path / "typo.csv", *stream).returncode == 1
    assert run("measure", path, *stream).returncode == 0


def test_a_folder_made_for_something_else(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    first = ["measure", path, "-m", GAMMA, "--stream", tmp_path / "kept", "--json"]
    done = run(*first)
    assert run(*first).stdout == done.stdout  # everything is there

    def refused(*arguments):
        found = run("measure", *arguments, "--stream", tmp_path / "kept")
        assert found.returncode == 1
        assert found.stderr.count("\n") == 1
        return found.stderr

    assert "another measure (gamma(chance=shift,precision=0.3), not cu-alpha)" in refused(path, "-m", "cu-alpha")
    assert "another seed (42, not 1)" in refused(path, "-m", GAMMA, "--seed", "1")
    assert "another preparation" in refused(path, "-m", GAMMA, "--annotators", "ann,bob")
    assert "different reading options" in refused(path, "-m", GAMMA, "--continuum", "0:900")
    assert "other files" in refused(csv(tmp_path / "b.csv", rows()), "-m", GAMMA)
    os.utime(path, ns=(1, 1))
    assert "an earlier version of" in refused(path, "-m", GAMMA)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert "holds other things" in run("measure", path, "-m", GAMMA, "--stream", tmp_path / "mine").stderr
    assert "which is read" in run("measure", tmp_path, "-m", GAMMA, "--stream", tmp_path / "new").stderr
    assert "what is read" in run("measure", path, "-m", GAMMA, "--stream", path).stderr


@pytest.mark.parametrize("option", [["--pairwise"], ["--leave-one-out"], ["--group", "a=ann,bob"], ["--ladder"]])
def test_what_needs_all_data_is_refused_before_the_work(tmp_path, option):
    path = csv(tmp_path / "a.csv", rows())
    done = run("measure", path, "-m", GAMMA, "--stream", tmp_path / "kept", *option)
    assert done.returncode == 1
    assert option[0] in done.stderr
    assert not (tmp_path / "kept").exists()


def test_a_measure_that_needs_all_units_says_so(tmp_path, monkeypatch):
    from unisono.streaming import measuring

    path = csv(tmp_path / "a.csv", rows())
    monkeypatch.setattr(measuring, "_MUCH", 100)
    measures = ["-m", "alpha-u", "-m", "u-alpha(definition=2013)", "-m", "cu-alpha", "-m", GAMMA]
    said = run("measure", path, *measures, "--stream", tmp_path / "kept").stderr
    why = "and about 0.0 GB of memory for them: the lengths of all units are compared with each other"
    assert said == f"alpha-u needs all units at once, {why}\nu-alpha needs all units at once, {why}\n"


def versions(folder, how):
    """A folder of files, one per annotator and document."""
    for document in ("one", "two", "three"):
        for who in ("ann", "bob", "cem"):
            own = [row for row in rows() if row[0] == {"one": "d1", "two": "d2", "three": "d5"}[document]]
            units = [{"start": s, "end": e, "category": c} for _, w, s, e, c in own if w == who and s != ""]
            line = {"document": document, "annotator": who, "text": f"{document} " * 40, "units": units}
            place = folder / how.format(document=document, annotator=who)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(line) + "\n")
    return folder


def test_files_of_annotators(tmp_path):
    folder = versions(tmp_path / "files", "{annotator}/{document}.jsonl")
    same(tmp_path, folder, GAMMA)
    other = json.loads((folder / "bob" / "two.jsonl").read_text())
    (folder / "bob" / "more.jsonl").write_text(json.dumps(other) + "\n")
    same(tmp_path, folder, GAMMA)  # the same units in two files
    (folder / "bob" / "more.jsonl").write_text(json.dumps({**other, "units": []}) + "\n")
    same(tmp_path, folder, GAMMA)
    (folder / "bob" / "more.jsonl").write_text(json.dumps({**other, "text": "x" * 90, "units": []}) + "\n")
    same(tmp_path, folder, GAMMA)  # two texts


def test_brat_files_of_annotators(tmp_path):
    from unisono import Corpus

    corpus = Corpus.from_columns(
        document=["t1", "t1", "t2", "t2", "t3", "t3"],
        annotator=["A", "B"] * 3,
        start=[0, 0, 4, 5, 2, 2],
        end=[3, 4, 9, 9, 6, 6],
        features={"category": ["X", "Y", "X", "X", "Z", "Y"]},
        texts={(f"t{i}", who): f"text {i} is different enough" for i in (1, 2, 3) for who in "AB"},
    )
    unisono.write(corpus, tmp_path / "brat", format="brat")
    same(tmp_path, tmp_path / "brat", GAMMA)
    same(tmp_path, tmp_path / "brat", "gamma(precision=0.3)")


def test_two_commands_at_once(tmp_path):
    from unisono.streaming.files import locked

    path = csv(tmp_path / "a.csv", rows())
    (tmp_path / "kept").mkdir()
    with locked(tmp_path / "kept"):
        done = run("measure", path, "-m", GAMMA, "--stream", tmp_path / "kept")
    assert "another command is working in this folder" in done.stderr
    assert run("measure", path, "-m", GAMMA, "--stream", tmp_path / "kept").returncode == 0


def test_a_full_disk_keeps_what_was_done(tmp_path, monkeypatch):
    from unisono.streaming import ledger

    path = csv(tmp_path / "a.csv", rows())
    expected = run("measure", path, "-m", GAMMA, "--json").stdout
    written = []

    def full(place, write):
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        written.append(place)
        whole(place, write)

    whole = ledger.write_whole
    monkeypatch.setattr(ledger, "write_whole", full)
    done = run("measure", path, "-m", GAMMA, "--json", "--stream", tmp_path / "kept", "--workers", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(file.name for file in (tmp_path / "kept" / "batches-1").iterdir()) == ["000000.npz", "000001.npz"]
    monkeypatch.setattr(ledger, "write_whole", whole)
    (tmp_path / "kept" / "batches-1" / "000001.npz").write_bytes(b"damaged")
    assert run("measure", path, "-m", GAMMA, "--json", "--stream", tmp_path / "kept").stdout == expected
    assert not list((tmp_path / "kept").rglob("*.tmp"))


PROGRAM = """
import sys
from unisono.formats import csv_format
from unisono.measurement import batching
csv_format._ROWS, batching._MOST_DOCUMENTS = 300, 20
from unisono.cli import main
main()
"""


def started(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True)


@pytest.fixture
def as_in_the_program(monkeypatch):
    monkeypatch.setattr(csv_format, "_ROWS", 300)
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 20)


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_killed_and_continued(tmp_path, workers, as_in_the_program):
    path = csv(tmp_path / "a.csv", rows(240))
    arguments = ["measure", path, "-m", "gamma(chance=shift,precision=0.05)", "--json", "--workers", workers]
    expected = run(*arguments).stdout
    kept = tmp_path / "kept" / "batches-1"
    n_killed = 0
    for n_done in (1, 5):
        process = started(*arguments, "--stream", tmp_path / "kept")
        while process.poll() is None and len(list(kept.glob("*.npz")) if kept.exists() else ()) < n_done:
            time.sleep(0.01)
        n_killed += process.poll() is None
        process.kill()
        process.communicate()
    assert n_killed
    interrupted = started(*arguments, "--stream", tmp_path / "kept")
    time.sleep(0.3)
    interrupted.send_signal(signal.SIGINT)
    interrupted.communicate()
    done = run(*arguments, "--stream", tmp_path / "kept")
    assert done.stdout == expected, done.stderr


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_sampling_that_is_killed_and_continued(tmp_path, workers, as_in_the_program):
    """Random samples of a mixture of all documents are kept, too, and not drawn again."""
    path, other = csv(tmp_path / "a.csv", rows(60)), tmp_path / "other"
    arguments = ["measure", path, "-m", "gamma(chance=corpus,precision=0.002)", "--json", "--workers", workers]
    expected = run(*arguments).stdout
    run(*arguments, "--stream", other)
    wanted = {file.name for file in (other / "batches-1").glob("corpus-of-3-*.npz")}
    assert len(wanted) > 5
    kept = tmp_path / "kept" / "batches-1"
    process = started(*arguments, "--stream", tmp_path / "kept")
    while process.poll() is None and len(list(kept.glob("corpus*.npz")) if kept.exists() else ()) < 2:
        time.sleep(0.005)
    process.kill()
    process.communicate()
    drawn = {file: file.stat().st_mtime_ns for file in kept.glob("corpus*.npz")}
    assert 2 <= len(drawn) < len(wanted)
    damaged = min(drawn)
    damaged.write_bytes(b"damaged")
    done = run(*arguments, "--stream", tmp_path / "kept")
    assert done.stdout == expected, done.stderr
    assert {file.name for file in kept.glob("corpus*.npz")} == wanted
    assert {file for file, time in drawn.items() if file.stat().st_mtime_ns != time} == {damaged}


@pytest.mark.parametrize("measure", ["cu-alpha", "krippendorff-alpha(unmarked=O)"])
def test_memory_does_not_grow_with_documents(tmp_path, measure, monkeypatch):
    """Four times as many documents need hardly more, though they would if they were measured at once."""
    monkeypatch.setattr(csv_format, "_ROWS", 150)
    monkeypatch.setattr(intake, "_BLOCK", 200)
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 20)
    few, many = (csv(tmp_path / f"{n}.csv", rows(n)) for n in (100, 400))

    def peak(function, *given):
        tracemalloc.start()
        function(measure, *given)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    unisono.stream(measure, many, tmp_path / "first", workers=1)  # what is loaded once
    streamed, at_once = peak(unisono.stream, few, tmp_path / "few"), peak(unisono.measure, few)
    assert peak(unisono.stream, many, tmp_path / "many") < 1.15 * streamed
    assert peak(unisono.measure, many) > 1.4 * at_once


@pytest.mark.slow
def test_memory_of_a_process_hardly_grows_with_documents(tmp_path):
    """Twenty times as many documents need little more memory, though their units alone would need much more."""
    code = """
import resource, sys
from unisono.streaming.measuring import stream
stream("gamma(chance=shift,precision=0.9)", sys.argv[1], sys.argv[2], workers=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    used = []
    for n in (500, 10_000):
        path = csv(tmp_path / f"{n}.csv", rows(n))
        command = [sys.executable, "-c", code, path, tmp_path / f"kept{n}"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, capture_output=True, env=environment, text=True, check=True)
        used.append(int(done.stdout))
    assert used[1] < 1.2 * used[0]


def test_a_command_that_failed_leaves_the_folder_to_a_corrected_one(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    for wrong in (["--documents", "nosuch"], ["--where", 'categry != "X"'], ["--columns", "document=doc"]):
        found = run("measure", path, "-m", GAMMA, *wrong, "--stream", tmp_path / "kept")
        assert found.returncode == 1, found.stderr
    assert run("measure", path, "-m", GAMMA, "--stream", tmp_path / "kept").returncode == 0


@pytest.mark.parametrize("before", ["", "mine", "mine/kept"])
@pytest.mark.parametrize(
    ("content", "options"),
    [
        (None, []),
        ("document,annotator,start,end\nd,a,3,x\n", []),
        ("document,annotator,start,end\nd,a,3,1\n", []),
        ("document,annotator,start,end\nd,a,0,3\n", ["--documents", "nosuch"]),
        ("document,annotator,start,end\nd,a,0,3\n", ["--format", "nosuch"]),
        ("item,anna,bert\n1,x,y\n2,y,y\n", []),  # labels of items are not kept, and have no γ
    ],
)
def test_a_command_that_failed_leaves_no_folder_that_was_not_there(tmp_path, content, options, before):
    path = tmp_path / "a.csv"
    if content is not None:
        path.write_text(content)
    (tmp_path / before).mkdir(parents=True, exist_ok=True)
    done = run("measure", path, "-m", GAMMA, *options, "--stream", tmp_path / "mine" / "kept")
    assert done.returncode in (1, 2)
    assert (tmp_path / "mine").exists() == bool(before)
    assert (tmp_path / "mine" / "kept").exists() == (before == "mine/kept")


def test_a_command_that_failed_removes_nothing_that_is_kept(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    stream = ["--stream", tmp_path / "kept"]
    assert run("measure", path, "-m", "krippendorff-alpha(unmarked=missing)", "--units", "items", *stream).returncode
    assert not (tmp_path / "kept").exists()
    assert run("measure", path, "-m", GAMMA, *stream).returncode == 0
    before = sorted((tmp_path / "kept").rglob("*"))
    assert run("measure", tmp_path / "typo.csv", "-m", GAMMA, *stream).returncode == 1
    assert run("measure", path, "-m", "span-f1", *stream).returncode == 1
    assert sorted((tmp_path / "kept").rglob("*")) == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    assert run("measure", path, "-m", GAMMA, "--stream", tmp_path / "other").returncode == 1
    assert os.listdir(tmp_path / "other") == ["notes.txt"]


@pytest.mark.parametrize("labels", [True, False])
def test_an_interrupted_command_says_that_it_continues_only_if_it_does(tmp_path, monkeypatch, labels):
    path = csv(tmp_path / "a.csv", rows())
    if labels:
        path.write_text("item,anna,bert\n1,x,y\n2,y,y\n")

    def interrupted(*given, **others):
        raise Interrupted(signal.SIGINT, "interrupted")

    monkeypatch.setattr(measuring.Streaming, "measure", interrupted)
    done = run("measure", path, "-m", "cohen-kappa" if labels else GAMMA, "--stream", tmp_path / "kept")
    assert ("the same command continues" in done.stderr) != labels
    assert (tmp_path / "kept").exists() != labels


@pytest.mark.parametrize("measure", ["gamma(alpha=x)", "gamma(features=zzz)", "text-gamma"])
def test_a_measure_that_does_not_fit_leaves_no_folder(tmp_path, measure):
    path = tmp_path / "units.csv"
    path.write_text("annotator,start,end,category\nanna,0,3,X\nbert,0,3,X\n", encoding="utf-8")
    with pytest.raises(unisono.UnisonoError):
        unisono.stream(measure, path, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
    assert unisono.stream("gamma(precision=0.3)", path, tmp_path / "kept").n_units == 2
    with pytest.raises(unisono.UnisonoError):
        unisono.stream(measure, path, tmp_path / "kept")
    assert [*(tmp_path / "kept").glob("batches-1/*")]


def test_a_folder_that_another_command_uses_is_not_removed(tmp_path, monkeypatch):
    def there(folder):
        """Make a folder, and let another command be the first to work in it."""
        found = made(folder)
        another.enter_context(measuring.locked(folder))
        return found

    made = measuring._made
    monkeypatch.setattr(measuring, "_made", there)
    with ExitStack() as another:
        done = run("measure", csv(tmp_path / "a.csv", rows()), "-m", GAMMA, "--stream", tmp_path / "kept")
        assert "another command is working in this folder" in done.stderr
        assert os.listdir(tmp_path / "kept") == ["lock"]


def test_a_folder_that_cannot_be_made(tmp_path):
    path = csv(tmp_path / "a.csv", rows())
    (tmp_path / "file").write_text("")
    done = run("measure", path, "-m", GAMMA, "--stream", tmp_path / "file" / "kept")
    assert done.returncode == 1
    assert done.stderr.endswith("kept: the folder cannot be made (Not a directory); choose another place\n")


def test_a_folder_with_other_things_stays_as_it_is(tmp_path):
    path, other = csv(tmp_path / "a.csv", rows()), tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    assert "holds other things" in run("measure", path, "-m", GAMMA, "--stream", other).stderr
    assert os.listdir(other) == ["notes.txt"]


def test_unknown_parameters_of_reading_and_preparing(tmp_path):
    for name in ("reading", "preparing"):
        with pytest.raises(unisono.OptionError, match=f"^{name}: unknown parameter 'colums'; available: "):
            unisono.stream("gamma", tmp_path / "a.csv", tmp_path / "kept", **{name: {"colums": {}}})


@pytest.mark.parametrize("name", ["start", "feature-0", "worked.npy", "documents.json", "sums.json"])
@pytest.mark.parametrize("damage", ["gone", "short", "changed"])
def test_damaged_data_is_read_again(tmp_path, name, damage):
    path = csv(tmp_path / "a.csv", rows())
    command = ("measure", path, "-m", "u-alpha", "--json", "--stream", tmp_path / "kept")
    wanted = run(*command)
    assert wanted.returncode == 0
    place = tmp_path / "kept" / "prepared" / name
    content = bytearray(place.read_bytes())
    content[len(content) // 2] ^= 64
    place.write_bytes(b"" if damage == "short" else content)
    if damage == "gone":
        place.unlink()
    again = run(*command)
    assert (again.returncode, again.stdout, again.stderr) == (0, wanted.stdout, wanted.stderr)


def test_the_measure_is_chosen_for_the_data(tmp_path):
    path, alone = csv(tmp_path / "a.csv", rows()), csv(tmp_path / "b.csv", [("d", "ann", 0, 5, "X")])
    ratings = tmp_path / "c.csv"
    ratings.write_text("item,ann,bob\n1,X,X\n2,Y,X\n3,Y,Y\n")
    for given in (path, alone, ratings):
        plain = run("measure", given, "--json")
        streamed = run("measure", given, "--json", "--stream", tmp_path / f"kept-{given.stem}")
        assert (streamed.returncode, streamed.stdout) == (plain.returncode, plain.stdout)
        assert streamed.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:] or given is ratings
