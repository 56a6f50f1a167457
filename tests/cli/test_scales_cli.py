"""Labels of items on the command line: the scale that is found, and what there is to compare."""

from __future__ import annotations

import json
import shlex

import pytest
from commands import run

import unisono

DECIMALS = "item,anna,bert\n1,3.5,3.6\n2,1.2,1.1\n3,2.75,2.5\n4,4.1,4.4\n5,4.9,4.8\n"
STEPS = "item,anna,bert\n1,3,4\n2,1,1\n3,2,2\n4,5,4\n5,5,5\n"
WORDS = "item,anna,bert\n1,nie,selten\n2,Häufig,Häufig\n3,selten,selten\n4,immer,Häufig\n"
ODD = 'item,anna,bert\n1,3,4\n2,1,1\n3,2,n/a\n4,5,4\n5,5,"don\'t know, sorry"\n6,2,2\n'
SETS = "item,anna,bert\n1,a,a|b\n2,b,b\n3,a|b,c\n4,c,c\n5,|,c\n"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a file into an empty folder."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="ratings.csv"):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return name

    return write


def measured(*arguments):
    done = run("measure", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["results"][0]


@pytest.mark.parametrize(
    ("content", "distance", "words"),
    [
        (DECIMALS, "interval", "interval scale: 10 different numbers from 1.1 to 4.9"),
        (STEPS, "ordinal", "ordinal: 1 < 2 < 3 < 4 < 5"),
        (SETS, "masi", "sets: 3 names, any number at once: a, b, c"),
    ],
)
def test_the_scale_decides_and_is_named(written, content, distance, words):
    path = written(content)
    found, named = measured(path), measured(path, "-m", f"krippendorff-alpha(distance={distance})")
    assert found == named
    assert found["parameters"]["distance"] == distance
    assert any(words.partition(": ")[2] in note for note in found["notes"])
    shown = run("measure", path).stdout
    assert words in shown
    advised = json.loads(run("advise", path, "--json").stdout)["take"][0]["measures"]
    assert advised == [f"krippendorff-alpha(distance={distance})"]
    run("report", path, "-o", "page.html")
    with open("page.html", encoding="utf-8") as page:
        assert words.replace("<", "&lt;") in page.read()


@pytest.mark.parametrize(
    ("content", "distance"),
    [
        (DECIMALS, "distance:ordinal"),
        (STEPS, "distance:interval"),
        (WORDS, "distance:ordinal(nie,selten,Häufig,immer)"),
        (SETS, "distance:set"),
        (ODD, "distance:ordinal"),
    ],
)
def test_the_command_for_the_other_scale_can_be_typed(written, content, distance):
    path = written(content)
    (hint,) = [line for line in run("measure", path).stdout.splitlines() if line.startswith("  If ")]
    command = shlex.split(hint.partition(": unisono ")[2])
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert f"krippendorff-alpha|{distance}|" in done.stdout


def test_words_in_an_order_are_names_until_somebody_says_so(written):
    path = written(WORDS)
    found = measured(path)
    assert found["parameters"]["distance"] == "nominal"
    (note,) = found["notes"]
    assert "nie < selten < Häufig < immer" in note
    assert note.endswith("use krippendorff-alpha(distance=ordinal(nie,selten,Häufig,immer))")


def test_an_explicit_measure_stays_as_it_is(written):
    path = written(STEPS)
    found = measured(path, "-m", "krippendorff-alpha")
    assert found["parameters"]["distance"] == "nominal"
    assert found["value"] == unisono.krippendorff_alpha(path, distance="nominal").value
    assert any("krippendorff-alpha(distance=ordinal)" in note for note in found["notes"])


def test_labels_that_mean_missing(written):
    path = written(ODD)
    before = measured(path)
    assert any("'n/a' are not on the scale" in note for note in before["notes"])
    done = run("measure", path, "--missing", 'n/a,"don\'t know, sorry"')
    assert "left out or changed: 1 label 'n/a', treated as missing" in done.stderr
    assert "ordinal: 1 < 2 < 3 < 4 < 5" in done.stdout
    assert 'prepared:missing="don\'t know, sorry",n/a' in done.stdout


def test_labels_are_cleaned_and_filtered(written):
    path = written('item,anna,bert,chris\n1,Yes,yes,no\n2,"""no""",no,yes\n3,yes, yes,no\n4,no,yes,maybe\n')
    assert measured(path, "--clean", "case,quotes,spaces", "--where", 'annotator != "chris"')["n_annotators"] == 2
    done = run("measure", path, "--clean", "case,quotes,spaces", "--where", 'label != "maybe"')
    assert done.stdout.count("yes  ") >= 1
    assert "left out or changed: 1 label for which this does not hold" in done.stderr
    wrong = run("measure", path, "--where", 'lable == "x"')
    assert wrong.returncode == 1
    assert "--where" in wrong.stderr
    assert "available: label, item, annotator, document, text" in wrong.stderr
    nothing = run("measure", path, "--where", 'label == "x"')
    assert nothing.returncode == 1
    assert "the filters leave nothing to measure" in nothing.stderr


NOTHING = {
    "nobody labelled anything": "item,anna,bert\n1,,\n2,,\n",
    "no item has two labels": "item,anna,bert\n1,x,\n2,y,\n3,,x\n",
    "one annotator": "item,annotator,label\n1,anna,x\n2,anna,y\n",
}


@pytest.mark.parametrize("content", NOTHING.values(), ids=NOTHING)
@pytest.mark.parametrize(
    "arguments",
    [
        ["measure"],
        ["measure", "--json"],
        ["measure", "--pairwise"],
        ["measure", "--group", "both=anna,bert"],
        ["measure", "-m", "percent-agreement", "-m", "krippendorff-alpha"],
        ["measure", "-m", "krippendorff-alpha", "--stream", "folder"],
        ["report", "-o", "page.html"],
    ],
)
def test_exit_status_0_never_goes_with_nothing_measured(written, content, arguments):
    command, *options = arguments
    done = run(command, written(content), *options)
    assert done.returncode == 1
    assert "unisono: " in done.stderr


def test_nothing_to_compare_with_another_study(written):
    first, second = written(NOTHING["no item has two labels"]), written(STEPS, "other.csv")
    assert run("compare", first, second).returncode == 1
    assert run("plan", first, "--width", "0.1").returncode == 1


def test_a_value_that_data_does_not_determine_is_an_answer(written):
    """All labels are the same: that was measured, and there is a reason why it has no value."""
    path = written("item,anna,bert\n1,x,x\n2,x,x\n")
    done = run("measure", path)
    assert done.returncode == 0
    assert "all labels are the same" in done.stdout
    assert run("measure", path, "--pairwise").returncode == 0
    pairs = written("item,anna,bert,chris\n1,x,x,\n2,,x,x\n3,x,,x\n", "pairs.csv")
    assert run("measure", pairs, "-m", "cohen-kappa", "--pairwise").returncode == 0


@pytest.mark.parametrize(
    ("content", "shown"), [(DECIMALS, "interval scale: 10 different"), (STEPS, "ordinal: 1 &lt; 2")]
)
def test_a_page_that_hides_text_still_names_a_scale_of_numbers(written, content, shown):
    assert run("report", written(content), "-o", "page.html", "--hide-text").returncode == 0
    with open("page.html", encoding="utf-8") as file:
        page = file.read()
    assert shown in page
    assert "labels are treated as" in page
    assert run("report", written(WORDS, "words.csv"), "-o", "words.html", "--hide-text").returncode == 0
    with open("words.html", encoding="utf-8") as file:
        assert "selten &lt;" not in file.read()
