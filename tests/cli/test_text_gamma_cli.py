"""Text-γ as a user of the command line meets it."""

from __future__ import annotations

import csv
import io
import json

import pytest
from commands import run

CORA = """<?xml version="1.0" encoding="UTF-8"?>
<text id="1"><header/>
<token id="t1"><mod trans="{}" utf="{}" ascii="{}"><pos tag="{}"/><lemma tag="de"/></mod></token>
<token id="t2"><mod trans="historie" utf="historie" ascii="historie"><pos tag="NA"/></mod></token>
<token id="t3"><mod trans="van#der" utf="vander" ascii="vander"><pos tag="APPR"/></mod></token>
</text>
"""


def line(annotator, text, *spans, document="d", kind="token"):
    units = [
        {"start": start, "end": end, "type": kind, **({"features": {"pos": pos}} if pos else {})}
        for start, end, pos in spans
    ]
    return json.dumps({"document": document, "annotator": annotator, "text": text, "units": units}) + "\n"


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text(
        line("anna", "the hats fly", (0, 3, "D"), (4, 8, "N"), (9, 12, "V"))
        + line("bert", "the hatts fly", (0, 3, "D"), (4, 9, "N"), (10, 13, "N"))
    )
    (tmp_path / "base.jsonl").write_text(line("start", "the hats fly", (0, 3, ""), (4, 8, ""), (9, 12, "")))
    return path


def test_what_a_person_sees(texts):
    wanted = "text-gamma(p_text=0.25,p_segmentation=0.04,features=pos)"
    done = run("measure", texts, "-m", wanted, "--base", texts.parent / "base.jsonl")
    assert done.returncode == 0, done.stderr
    for part in (
        "tγ of 2 annotators on 1 document, 6 units",
        "observed         0.333   alignment proven optimal",
        "edits of the",
        "p_text           0.250   of units with another text, given",
        "pos",
        "Disorder comes from texts (50%), pos (50%).",
        '-m "text-gamma(p_text=0.25,p_segmentation=0.04,features=pos)" --base',
        "base.jsonl -o report.html",
        "text-gamma|features:text+pos|p_text:0.25|p_segmentation:0.04|base:given|",
    ):
        assert part in " ".join(done.stdout.split()) or part in done.stdout
    assert done.stderr == ""


def test_it_is_taken_where_texts_differ(texts):
    (result,) = json.loads(run("measure", texts, "--json").stdout)["results"]
    assert result["measure"] == "text-gamma"
    assert result["documents"][0]["document"] == "d"
    assert result["p_segmentation"] == {"token": {"value": 0.0, "origin": "estimated"}}
    assert "text-gamma" in run("advise", texts).stdout.split("These fit")[1].split("gamma")[0] + "text-gamma"
    assert "p_segmentation=" in run("measures", "text-gamma").stdout


def test_the_alignment_has_both_texts_and_what_differs(texts):
    done = run("align", texts)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 3
    by_text = {row["anna.text"]: row for row in rows}
    assert by_text["hats"]["bert.text"] == "hatts"
    assert by_text["hats"]["differs"] == "text"
    assert by_text["fly"]["differs"] == "pos"
    assert by_text["the"]["differs"] == ""


def test_tables_and_subsets(texts):
    printed = run("measure", texts, "--csv", "--pairwise").stdout
    assert printed.startswith("text-gamma,value,remark\n")
    assert "anna – bert" in printed
    assert r"\begin{tabular}" in run("measure", texts, "--latex").stdout


def test_cora_files_with_a_folder_of_pre_annotations(tmp_path):
    for who, word, tag in (("anna", "De", "DDARTA"), ("bert", "Dee", "DDS"), ("start", "De", "DDARTA")):
        folder = tmp_path / who
        folder.mkdir()
        for name in ("one", "two"):
            (folder / f"{name}.xml").write_text(CORA.format(word, word, word, tag), encoding="utf-8")
    done = run(
        "measure",
        tmp_path,
        "--annotators",
        "anna,bert",
        "-m",
        "text-gamma(features=[pos,lemma])",
        "--base",
        tmp_path / "start",
        "--option",
        "merge=#",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["results"]
    assert (result["n_documents"], result["n_units"]) == (2, 12)
    assert result["p_text"]["value"] == pytest.approx(1 / 6)
    # De/Dee differ in text and pos of the three that count: text, pos, lemma
    assert result["observed"] == pytest.approx(2 / 3 / 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            line("anna", "hat s", (0, 3, "N"), (2, 5, "N")) + line("bert", "hatt", (0, 4, "N")),
            "bad.jsonl, line 1: document 'd' by 'anna': the units 0–3 and 2–5 are both of the type token and overlap",
        ),
        (
            line("anna", "hats", (0, 9, "N")),
            "bad.jsonl, line 1: a unit from 0 to 9 is outside the text, which has 4 characters",
        ),
        (
            json.dumps({"document": "d", "annotator": "anna", "units": [{"start": 0, "end": 1}]})
            + "\n"
            + line("bert", "hatt", (0, 4, "N")),
            "document 'd' has no text by 'anna'",
        ),
    ],
)
def test_bad_input_is_named_by_file_and_line(tmp_path, content, message):
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    done = run("measure", path, "-m", "text-gamma")
    assert done.returncode == 1
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_bad_bases(texts):
    foreign = texts.parent / "foreign.jsonl"
    foreign.write_text(line("start", "Xyzzy qwu", (0, 5, ""), (6, 9, "")))
    done = run("measure", texts, "-m", "text-gamma", "--base", foreign)
    assert done.returncode == 1
    assert "foreign.jsonl, line 1: the pre-annotation of document 'd' fits none of the annotators' texts" in done.stderr
    bomb = texts.parent / "bomb.xml"
    bomb.write_text('<?xml version="1.0"?><!DOCTYPE text [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><text>&b;</text>')
    done = run("measure", texts, "-m", "text-gamma", "--base", bomb)
    assert done.returncode == 1
    assert "bomb.xml" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = run("measure", texts, "-m", "gamma", "--base", texts)
    assert done.returncode == 1
    assert done.stderr.startswith("unisono: --base is for measures that use a pre-annotation")
    done = run("measure", texts, "-m", "text-gamma", "--base", texts.parent / "nothing.jsonl")
    assert (done.returncode, "nothing.jsonl: there is no such file" in done.stderr) == (1, True)
