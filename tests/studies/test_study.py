"""Studies: texts, guidelines, groups of annotators."""

from __future__ import annotations

import gzip
import json
import statistics
import zipfile

import numpy as np
import pytest
from commands import run
from scipy import stats

import unisono
from unisono.errors import DataError, OptionError
from unisono.shuffling import generate, shuffle
from unisono.statistics.paired import adjusted_by_holm, paired_difference
from unisono.studies import read_study, study

TEXTS = ("Chekhov", "Kleist", "Tieck")
GROUPS = ("own", "foreign", "student")


def line(text, who, corpus):
    (document,) = corpus
    units = [{"start": int(u.start), "end": int(u.end), "category": u.category} for u in document.units]
    return json.dumps({"document": text, "annotator": who, "continuum": list(document.bounds), "units": units}) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three texts by two sets of guidelines; by the second, only their own authors worked on Kleist."""
    top = tmp_path_factory.mktemp("studies") / "santa"
    for number, (guideline, magnitude) in enumerate({"first": 0.1, "second": 0.6}.items()):
        for k, text in enumerate(TEXTS):
            made = shuffle(generate(n_units=12, rng=k), "category", magnitude, rng=10 * number + k)
            for group, who in zip(GROUPS, made.annotators, strict=True):
                if (guideline, text) == ("second", "Kleist") and group != "own":
                    continue
                own = top / guideline / group / f"{group}1"
                own.mkdir(parents=True, exist_ok=True)
                content = line(text, f"{group}1", made.select(annotators=[who]))
                (own / f"{text}.jsonl").write_text(content, encoding="utf-8")
    return top


@pytest.fixture(scope="module")
def measured(folder):
    definition = read_study(folder)
    return study(definition.title, definition.guidelines, workers=1)


def test_folders_say_guidelines_groups_annotators_and_texts(folder):
    found = read_study(folder)
    assert found.title == "santa"
    assert [guideline.name for guideline in found.guidelines] == ["first", "second"]
    first = found.guidelines[0]
    assert first.corpus.annotators == ("foreign1", "own1", "student1")
    assert set(first.corpus.documents) == set(TEXTS)
    assert first.groups == {"foreign": ("foreign1",), "own": ("own1",), "student": ("student1",)}


def test_an_archive_is_a_study_too(folder, tmp_path):
    path = tmp_path / "santa.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.rglob("*.jsonl"):
            archive.write(file, file.relative_to(folder))
    assert [one.name for one in read_study(path).guidelines] == ["first", "second"]


def test_cells_are_what_gamma_says_of_each_text(measured, folder):
    for guideline in read_study(folder).guidelines:
        for text in TEXTS:
            alone = unisono.gamma(guideline.corpus.select(documents=[text]), chance="shift", workers=1)
            cell = measured.cell(text, guideline.name)
            for name in ("value", "observed", "expected"):
                value = getattr(alone, name)
                assert getattr(cell, name) == (None if value is None else pytest.approx(value, rel=1e-12))
    assert measured.choices == (
        "all",
        "between foreign and own",
        "between foreign and student",
        "between own and student",
    )


def test_two_groups_are_their_annotators(measured, folder):
    (first, _) = read_study(folder).guidelines
    pair = first.corpus.select(annotators=["foreign1", "own1"], documents=["Tieck"])
    assert measured.cell("Tieck", "first", "between foreign and own").value == unisono.gamma(pair, chance="shift").value


def test_tables_are_those_of_the_slides(measured):
    tables = {caption: table for caption, table, _ in measured.tabled()[0]}
    assert [*tables][:5] == [
        "Observed disorder (all annotators)",
        "Expected disorder (all annotators)",
        "γ, the higher the better (all annotators)",
        "Guidelines (all annotators)",
        "Guidelines compared, text by text (all annotators)",
    ]
    table = tables["γ, the higher the better (all annotators)"]
    assert table.columns == ("", "first", "second")
    assert [row[0] for row in table.rows] == [*TEXTS, "Min", "Mean", "Max", "Stddev."]
    values = [measured.cell(text, "first").value for text in TEXTS]
    assert [row[1] for row in table.rows[3:]] == pytest.approx(
        [min(values), statistics.fmean(values), max(values), statistics.stdev(values)]
    )


def test_cells_without_a_value_are_empty_and_say_why(measured):
    cell = measured.cell("Kleist", "second")
    assert cell.value is None
    assert cell.undefined
    told = measured.tabled()[1]
    assert any("second, Kleist" in one for one in told)
    table = {caption: table for caption, table, _ in measured.tabled()[0]}["γ, the higher the better (all annotators)"]
    assert table.rows[1][2] is None


def test_guidelines_are_compared_text_by_text(measured):
    (found,) = measured.comparisons()
    pairs = [(measured.cell(text, "first").value, measured.cell(text, "second").value) for text in ("Chekhov", "Tieck")]
    one, other = np.array(pairs).T
    expected = stats.ttest_rel(one, other)
    assert found.n == 2
    assert found.value == pytest.approx((one - other).mean())
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_holm():
    changes = [np.array([0.0, 1, 2]), np.array([1.0, 1.1, 0.9]), np.array([0.4])]
    found = [paired_difference(str(k), change, np.zeros(len(change))) for k, change in enumerate(changes)]
    adjusted = adjusted_by_holm(found)
    small, large = sorted([found[0].p, found[1].p])
    assert adjusted[1].p_adjusted == pytest.approx(2 * small)
    assert adjusted[0].p_adjusted == pytest.approx(max(large, 2 * small))
    assert adjusted[2].p_adjusted is None


def test_other_measures(folder):
    definition = read_study(folder)
    found = study("x", definition.guidelines, "span-f1", workers=1)
    assert (
        found.cell("Tieck", "first").value
        == unisono.span_f1(definition.guidelines[0].corpus.select(documents=["Tieck"])).value
    )
    captions = [caption for caption, *_ in found.tabled()[0]]
    assert "F1, the higher the better (all annotators)" in captions


def test_a_file_says_what_folders_do_not(folder, tmp_path):
    toml = f"""
title = "Two guidelines"
path = {json.dumps(str(folder))}
measure = ["span-f1", "gamma(chance=shift,precision=0.1)"]
[groups]
experts = ["own1", "foreign1"]
others = "student1"
[prepare]
clean = ["case"]
[guidelines.A]
path = "first"
pattern = "{{annotator}}/{{document}}.jsonl"
[guidelines.B]
path = ["second/own", "second/foreign"]
groups = {{ o = ["own1"], f = ["foreign1"] }}
prepare = {{ where = "length > 0" }}
"""
    path = tmp_path / "study.toml"
    path.write_text(toml, encoding="utf-8")
    found = read_study(path)
    assert found.title == "Two guidelines"
    assert found.measures == ("span-f1", "gamma(chance=shift,precision=0.1)")
    first, second = found.guidelines
    assert first.groups == {"experts": ("own1", "foreign1"), "others": ("student1",)}
    assert second.corpus.annotators == ("foreign1", "own1")
    assert second.groups == {"o": ("own1",), "f": ("foreign1",)}
    assert set(first.corpus.features["category"].labels) <= {"a", "b", "c", "d"}
    assert set(second.corpus.features["category"].labels) <= {"A", "B", "C", "D"} | {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("x = 1", "'x' is unknown in the study"),
        ("title =", "this is not TOML"),
        ("[guidelines.A]\npfad = 'x'", "'pfad' is unknown in"),
        ("[guidelines.A]\ngroups = {}", "add path"),
        ("guidelines = 3", "should be tables"),
        ("[guidelines]\nA = 3", "guidelines in the study should be tables"),
        ("[guidelines.A]\npath = []", "add path"),
        ("[groups]\na = 3", r"study.toml: groups in the study should be lists of annotators"),
        ("[groups]\na = ['anna']\nb = ['anna']", r"\[groups\]: 'anna' is in the groups 'a' and 'b'"),
        ("[guidelines.A]\npath = '.'\ngroups = {a = [1]}", r"groups in \[guidelines.A\] should be lists"),
        ("[read]\nfmt = 'x'", "'fmt' is unknown in"),
        ("[read]\nworked = 'x.csv'", "'worked' is unknown in"),
        ("read = 3", "read in the study should be a table"),
        ("title = 3", "title in the study should be text"),
        ("path = 3", "path in the study should be text"),
        ("pattern = 3", "pattern in the study should be text"),
        ("measure = 3", "measure in the study should be a list of texts"),
        ("measure = {a = 1}", "measure in the study should be a list of texts"),
        ("measure = ['gamma', 3]", "measure in the study should be a list of texts"),
        ("[read]\nformat = 3", r"study.toml: format in \[read\] should be text"),
        ("[read]\nannotator_from = 1", "should be text"),
        ("[read]\ndelimiter = 3", "should be text"),
        ("[read]\ndiscontinuous = true", "should be text"),
        ("[read]\ncolumns = 'x'", "columns in .* should be a table of texts"),
        ("[read]\noptions = {text = 3}", "options in .* should be a table of texts"),
        ("[read]\ncontinuum = 3", "should be two numbers"),
        ("[read]\ncontinuum = [0, true]", "should be two numbers"),
        ("[prepare]\nwhere = 3", r"where in \[prepare\] should be text"),
        ("[prepare]\npositions = 3", "should be text"),
        ("[prepare]\nadjacent = 'no'", "adjacent in .* should be true or false"),
        ("[prepare]\nclean = [3]", "should be a list of texts"),
        ("[prepare]\nlayers = {a = 'b'}", "should be a list of texts"),
        ("[guidelines.A]\npath = '.'\npattern = 3", r"pattern in \[guidelines.A\] should be text"),
        ("[guidelines.A]\npath = '.'\nprepare = {where = 3}", r"where in prepare of \[guidelines.A\] should be text"),
        ("[guidelines.A]\npath = 'missing'", "no such file"),
        ("pattern = '{annotator}/{document}.jsonl'", "pattern: it must name the guidelines"),
    ],
)
def test_what_is_wrong_in_the_file(tmp_path, content, said):
    path = tmp_path / "study.toml"
    path.write_text(content)
    with pytest.raises((DataError, OptionError), match=said):
        read_study(path)


def test_groups_of_unknown_annotators(folder, tmp_path):
    path = tmp_path / "study.toml"
    where = json.dumps(str(folder / "first"))
    path.write_text(f'[guidelines.A]\npath = {where}\ngroups = {{ g = ["zoe"] }}\n')
    with pytest.raises(DataError, match="no annotator 'zoe'"):
        read_study(path)


def spread(top, *places, content='{"units": [{"start": 0, "end": 3, "category": "X"}]}'):
    """Write files of one unit, whose paths say all."""
    for place in places:
        file = top / place
        file.parent.mkdir(parents=True, exist_ok=True)
        who, text = file.parent.name, file.stem
        file.write_text(content.replace("{", f'{{"document": "{text}", "annotator": "{who}", ', 1) + "\n")
    return top


def zipped(folder, path, under=""):
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.rglob("*"):
            if file.is_file():
                archive.write(file, f"{under}{file.relative_to(folder).as_posix()}")
    return path


def outline(path, **options):
    return {one.name: (one.corpus.annotators, dict(one.groups)) for one in read_study(path, **options).guidelines}


@pytest.mark.parametrize(
    ("places", "lost"),
    [
        (("I/own/a/t.jsonl", "II/a/t.jsonl"), "II/a/t.jsonl"),
        (("I/a/t.jsonl", "I/b/t.jsonl", "I/u.jsonl"), "I/u.jsonl"),
        (("I/a/t.jsonl", "II/a/t/u/v.csv"), "II/a/t/u/v.csv"),
    ],
)
def test_annotations_at_another_depth_are_not_lost(tmp_path, places, lost):
    with pytest.raises(DataError, match=r"is at another depth than I/.*; use the same layout") as caught:
        read_study(spread(tmp_path, *places))
    assert caught.value.path == tmp_path / lost


def test_texts_and_notes_may_stand_anywhere(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl")
    (tmp_path / "texts").mkdir()
    for name in ("readme.txt", "texts/t.txt", "I/guidelines.pdf", "people.csv"):
        (tmp_path / name).write_text("x")
    assert outline(tmp_path) == {"I": (("a", "b"), {})}


@pytest.mark.parametrize(
    ("places", "found"),
    [
        (("I/a/t", "I/b/t"), {"I": (("a", "b"), {})}),
        (("x/I/a/t", "x/I/b/t", "x/II/a/t"), {"I": (("a", "b"), {}), "II": (("a",), {})}),
        (("x/y/I/a/t", "x/y/I/b/t", "x/y/II/a/t"), {"I": (("a", "b"), {}), "II": (("a",), {})}),
        (("x/I/a/t", "x/I/b/t"), {"I": (("a", "b"), {})}),
        (("I/own/a/t", "I/foreign/b/t"), {"I": (("a", "b"), {"foreign": ("b",), "own": ("a",)})}),
        (("x/I/own/a/t", "x/I/foreign/b/t"), {"I": (("a", "b"), {"foreign": ("b",), "own": ("a",)})}),
        (("study/I/a/t", "study/II/b/t"), {"I": (("a",), {}), "II": (("b",), {})}),
    ],
)
def test_a_folder_around_all_is_no_guideline(tmp_path, places, found):
    top = spread(tmp_path / "study", *(f"{place}.jsonl" for place in places))
    (top / "__MACOSX").mkdir()
    (top / ".DS_Store").write_text("x")
    assert outline(top) == found
    assert outline(zipped(top, tmp_path / "study.zip")) == found


def test_a_file_in_a_folder_in_an_archive(tmp_path):
    top = spread(tmp_path / "s", "I/a/t.jsonl", "I/b/t.jsonl")
    (top / "study.toml").write_text('title = "Packed"\n')
    path = zipped(top, tmp_path / "other.zip", "s/")
    assert read_study(path).title == "Packed"
    assert outline(path) == {"I": (("a", "b"), {})}


def test_errors_name_files_of_archives(tmp_path):
    top = spread(tmp_path / "s", "I/a/t.jsonl", "I/b/t.jsonl")
    spread(top, "I/b/u.jsonl", content='{"units": 3}')
    path = zipped(top, tmp_path / "s.zip")
    with pytest.raises(DataError) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path / 'I' / 'b' / 'u.jsonl'}, line 1: ")
    bad = []
    (guideline,) = read_study(path, bad=bad.append).guidelines
    assert {error.path for error in bad} == {path / "I/b/u.jsonl"}
    assert guideline.corpus.documents == ("t",)
    assert {file for file, _ in guideline.corpus.origins.values()} == {path / "I/a/t.jsonl", path / "I/b/t.jsonl"}


def test_groups_that_the_study_names(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl", "II/b/t.jsonl", "II/c/t.jsonl")
    path = tmp_path / "study.toml"
    path.write_text('[groups]\nown = ["b", "b"]\nforeign = ["c", "a"]\n')
    assert outline(path) == {
        "I": (("a", "b"), {"own": ("b",), "foreign": ("a",)}),
        "II": (("b", "c"), {"own": ("b",), "foreign": ("c",)}),
    }
    assert study("s", read_study(path).guidelines, "span-f1", workers=1).choices == ("all", "between own and foreign")
    path.write_text('[groups]\nown = ["b"]\nforeign = ["cc", "a"]\n')
    with pytest.raises(DataError, match=r"study.toml: \[groups\]: there is no annotator 'cc'; there are: a, b, c"):
        read_study(path)


def test_groups_have_the_same_order_by_all_guidelines(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl", "II/a/t.jsonl", "II/b/t.jsonl")
    path = tmp_path / "study.toml"
    path.write_text(
        '[guidelines.I]\npath = "I"\ngroups = {own = "a", foreign = "b"}\n'
        '[guidelines.II]\npath = "II"\ngroups = {foreign = "a", own = "b"}\n'
    )
    found = study("s", read_study(path).guidelines, "span-f1", workers=1)
    assert found.choices == ("all", "between own and foreign")
    assert [part.annotators for part in found.parts] == ["all", "between own and foreign"] * 2


def test_groups_in_paths_and_in_the_file(tmp_path):
    spread(tmp_path, "I/own/a/t.jsonl", "I/foreign/b/t.jsonl")
    (tmp_path / "study.toml").write_text('[groups]\nx = ["a"]\n')
    with pytest.raises(DataError, match="in the paths and in"):
        read_study(tmp_path)


def test_a_text_where_a_list_is_meant(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl")
    path = tmp_path / "study.toml"
    path.write_text('measure = "span-f1"\n[prepare]\nclean = "case"\nfeatures = "category"\n')
    found = read_study(path)
    assert found.measures == ("span-f1",)
    assert found.guidelines[0].corpus.features["category"].labels == ("x",)


def test_who_worked_and_where_the_continuum_ends(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl")
    (tmp_path / "worked.csv").write_text("document,annotator\nt,c\n")
    path = tmp_path / "study.toml"
    path.write_text('[read]\ncontinuum = [0, 50]\n[guidelines.I]\npath = "I"\nread = {worked = "worked.csv"}\n')
    (guideline,) = read_study(path).guidelines
    assert guideline.corpus.annotators == ("a", "b", "c")
    assert next(iter(guideline.corpus)).bounds == (0, 50)


def test_one_text_is_too_few_to_compare(tmp_path):
    places = [f"{guideline}/{who}/{text}.jsonl" for guideline in ("I", "II") for who in "ab" for text in "tu"]
    top = spread(tmp_path / "s", *places[:-1])
    found = study("s", read_study(top).guidelines, "span-f1", workers=1)
    tables = {caption: table for caption, table, _ in found.tabled()[0]}
    table = tables["Guidelines compared, text by text (all annotators)"]
    assert table.rows == [("I − II", "–", "–", "–", "–", 1)]
    told = "No value: I − II: fewer than two texts have a value by both, so there is no mean difference"
    assert told in found.tabled()[1]
    shown = run("study", top, "-m", "span-f1", "--workers", "1")
    assert "No value: I − II: fewer than two texts" in " ".join(shown.stdout.split())
    assert "I − II,,,,,1" in run("study", top, "-m", "span-f1", "--workers", "1", "--csv").stdout


def test_bad_files_are_passed_over_and_listed(tmp_path):
    top = spread(tmp_path / "s", "I/a/t.jsonl", "I/b/t.jsonl")
    spread(top, "I/b/u.jsonl", content='{"units": 3}')
    command = ("study", top, "-m", "span-f1", "--workers", "1")
    assert run(*command).returncode == 1
    found = run(*command, "--skip-bad")
    assert found.returncode == 0, found.stderr
    assert f"skipped: {top / 'I' / 'b' / 'u.jsonl'}, line 1: " in found.stderr
    assert "files or records that could not be read and were passed over" in found.stderr
    (top / "study.toml").write_text('[groups]\nx = ["zoe"]\n')
    refused = run(*command, "--skip-bad")
    assert refused.returncode == 1
    assert "skipped: " in refused.stderr
    assert "no annotator 'zoe'" in refused.stderr


def test_an_annotator_has_one_group(tmp_path):
    spread(tmp_path, "I/own/anna/t.jsonl", "I/foreign/anna/u.jsonl", "II/own/anna/t.jsonl")
    with pytest.raises(DataError, match="'anna' is in the groups 'foreign' and 'own'"):
        read_study(tmp_path)


def test_folders_laid_out_otherwise(tmp_path):
    (tmp_path / "anna.jsonl").write_text('{"annotator": "anna", "units": []}\n')
    with pytest.raises(DataError, match="GUIDELINE/GROUP/ANNOTATOR/TEXT"):
        read_study(tmp_path)
    with pytest.raises(DataError, match="no such file or folder"):
        read_study(tmp_path / "nowhere")


def test_the_command(folder, tmp_path):
    fast = ("-m", "gamma(chance=shift,precision=0.2)", "--workers", "1")
    shown = run("study", folder, *fast)
    assert shown.returncode == 0, shown.stderr
    assert "Observed disorder (between own and student)" in shown.stdout
    assert "No value: second, Kleist" in " ".join(shown.stdout.split())
    table = run("study", folder, *fast, "--csv").stdout
    assert table.splitlines()[:2] == ["Observed disorder (all annotators)", ",first,second"]
    latex = run("study", folder, *fast, "--latex").stdout
    n_tables = table.count("\n\n")  # an empty line after each, before the next or the reasons
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{table}") == n_tables
    plain = json.loads(run("study", folder, *fast, "--json").stdout)
    assert len(plain["studies"][0]["parts"]) == 8
    page = tmp_path / "study.html"
    assert run("study", folder, *fast, "-o", page).returncode == 0
    assert "<tfoot>" in page.read_text(encoding="utf-8")
    again = run("study", folder, *fast, "-o", page)
    assert again.returncode == 1
    assert "exists already" in again.stderr


def test_relations_are_studied_if_they_are_asked_for(tmp_path):
    for guideline, target in (("A", "T2"), ("B", "T3")):
        for who, end in (("anna", "T2"), ("bert", target)):
            place = tmp_path / guideline / who
            place.mkdir(parents=True)
            (place / "d.txt").write_text("Anna met Bert in Rome.")
            spans = "T1\tPer 0 4\tAnna\nT2\tPer 9 13\tBert\nT3\tPlace 17 21\tRome\n"
            (place / "d.ann").write_text(f"{spans}R1\tMet Arg1:T1 Arg2:{end}\n")
    said = run("study", tmp_path, "-m", "relation-f1", "-m", "gamma(precision=0.2)")
    assert '4 relations of 1 type are in this export: units = "relations"' in said.stderr
    (tmp_path / "study.toml").write_text('[read]\nunits = "relations"\n')
    definition = read_study(tmp_path)
    (first, second) = definition.guidelines
    assert first.corpus.n_units == second.corpus.n_units == 2
    values = {part.guideline: part.cells["d"].value for part in study("x", definition.guidelines, "relation-f1").parts}
    assert values == {"A": 1.0, "B": 0.0}


def test_what_is_no_study(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("annotator,start,end\nanna,0,3\n")
    with pytest.raises(DataError, match=r"a study is a file study\.toml"):
        read_study(path)


def labelled(top, *, several):
    """Write two sets of guidelines for which it is unclear which labels count."""
    for guideline in ("I", "II"):
        for who in ("a", "b"):
            features = {"type": "A" if who == "a" else "B"} if several else {"Level": "1", "Voice": who}
            unit = {"start": 0, "end": 3, "features": features}
            file = top / guideline / who / "t.jsonl"
            file.parent.mkdir(parents=True)
            more = {"start": 5, "end": 8, "features": {"Typ": "x", **({"type": "B"} if several else {})}}
            file.write_text(json.dumps({"document": "t", "annotator": who, "units": [unit, more]}) + "\n")
    return top


@pytest.mark.parametrize(
    ("several", "said"),
    [
        (True, 'I, II: there are units of several layers (A, B); choose one: layers = "A".'),
        (
            False,
            "I, II: there are several features (Level, Voice, Typ), and none is named category; choose one: features",
        ),
    ],
)
@pytest.mark.parametrize("measure", ["gamma(chance=shift)", "span-f1"])
def test_unclear_labels_are_reported_for_all_guidelines_at_once(tmp_path, several, said, measure):
    done = run("study", labelled(tmp_path, several=several), "-m", measure)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert "[prepare] of study.toml" in done.stderr
    assert "--layer" not in done.stderr
    (tmp_path / "study.toml").write_text('[prepare]\nlayers = "B"\n' if several else '[prepare]\nfeatures = "Typ"\n')
    assert run("study", tmp_path, "-m", measure).returncode == 0


def test_a_pattern_at_the_top_is_that_of_all_guidelines(tmp_path):
    """It was ignored beside tables of guidelines."""
    for name in ("a-t.csv", "b-t.csv", "t-c.csv"):
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / "files" / name).write_text("document,annotator,start,end,category\nt,x,0,3,A\n")
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl", "II/a/t.jsonl", "II/b/u.jsonl")
    (tmp_path / "study.toml").write_text(
        'pattern = "b/{document}.jsonl"\n[guidelines.one]\npath = "I"\n'
        '[guidelines.two]\npath = "II"\npattern = "a/{document}.jsonl"\n'
    )
    assert outline(tmp_path) == {"one": (("b",), {}), "two": (("a",), {})}
    (tmp_path / "study.toml").write_text(
        'pattern = "{guideline}/{annotator}/{document}.jsonl"\n[guidelines.II]\ngroups = { x = ["a"], y = ["b"] }\n'
        'rename = { documents = { u = "t" } }\n'
    )
    assert outline(tmp_path) == {"I": (("a", "b"), {}), "II": (("a", "b"), {"x": ("a",), "y": ("b",)})}
    assert [one.corpus.documents for one in read_study(tmp_path).guidelines] == [("t",), ("t",)]


def test_annotators_are_renamed_before_they_are_grouped(tmp_path):
    spread(tmp_path, "I/own/Anna/t.jsonl", "I/foreign/bert/t.jsonl")
    (tmp_path / "study.toml").write_text('[rename.annotators]\nAnna = "anna"\n')
    assert outline(tmp_path) == {"I": (("anna", "bert"), {"foreign": ("bert",), "own": ("anna",)})}


@pytest.mark.parametrize("options", [(), ("--json",), ("--csv",), ("-m", "span-f1")])
def test_nothing_to_measure(tmp_path, options):
    spread(tmp_path, "I/a/t.jsonl", "II/b/t.jsonl")
    done = run("study", tmp_path, *options)
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing can be measured: " in done.stderr
    assert "t in I" in done.stderr
    assert "t in II" in done.stderr
    assert done.stderr.count("\n") == 1


def test_files_of_a_layout_may_be_packed_with_gzip(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl", "II/a/t.jsonl", "II/b/t.jsonl")
    before = outline(tmp_path)
    for file in list(tmp_path.rglob("*.jsonl")):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert outline(tmp_path) == before
    assert [one.corpus.documents for one in read_study(tmp_path).guidelines] == [("t",), ("t",)]


def test_a_study_file_among_the_files_is_not_counted(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl")
    (tmp_path / "I" / "notes.md").write_text("x")
    (tmp_path / "study.toml").write_text('pattern = "{guideline}/{annotator}/{document}.jsonl"\n')
    assert read_study(tmp_path).dropped == {"files that the pattern does not match: I/notes.md": 1}


def test_guidelines_that_folders_name_have_settings(tmp_path):
    spread(tmp_path, "I/a/t.jsonl", "I/b/t.jsonl", "II/a/t.jsonl", "II/b/u.jsonl")
    study_file = tmp_path / "study.toml"
    study_file.write_text('[guidelines.II]\nrename = { documents = { u = "t" } }\nprepare = { where = "length > 5" }\n')
    first, second = read_study(tmp_path).guidelines
    assert (first.corpus.n_units, second.corpus.n_units, second.corpus.documents) == (2, 0, ("t",))
    study_file.write_text('[guidelines.II]\nrename = { documents = { v = "t" } }\n')
    with pytest.raises(DataError, match="nothing is named 'v'"):
        read_study(tmp_path)
    study_file.write_text("[guidelines.III]\ngroups = {}\n")
    with pytest.raises(DataError, match=r"\[guidelines.III\]: the paths name no such guidelines, but I, II"):
        read_study(tmp_path)


def units_of(*people):
    """Write a unit of each annotator, to a file whose path says something else."""
    units = [{"start": 0, "end": 3, "category": "X"}]
    return "".join(json.dumps({"annotator": who, "units": units}) + "\n" for who in people)


def write_all(top, *places, content):
    for place in places:
        (top / place).parent.mkdir(parents=True, exist_ok=True)
        (top / place).write_text(content, encoding="utf-8")


@pytest.mark.parametrize("group", ["", "own/"])
def test_files_name_the_annotator_of_their_folder(tmp_path, group):
    for text in ("one", "two"):
        write_all(tmp_path / "study", f"G/{group}anna/{text}.jsonl", content=units_of("anna"))
        write_all(tmp_path / "study", f"G/{group}bert/{text}.jsonl", content=units_of("robert"))
    with pytest.raises(DataError) as caught:
        read_study(tmp_path / "study")
    assert caught.value.path == tmp_path / "study" / "G" / group / "bert" / "one.jsonl"
    assert caught.value.message == (
        "the path names the annotator 'bert', but the file names 'robert'; make them the same, or write into "
        'study.toml: "robert" = "bert" in [rename.annotators]; this also concerns 1 more file'
    )
    renaming = '[rename.annotators]\n"robert" = "bert"\n'
    (tmp_path / "study" / "study.toml").write_text(renaming, encoding="utf-8")
    (guideline,) = read_study(tmp_path / "study").guidelines
    assert guideline.corpus.annotators == ("anna", "bert")
    assert guideline.groups == ({"own": ("anna", "bert")} if group else {})


def test_only_one_of_several_texts_has_another_annotator(tmp_path):
    write_all(tmp_path, "G/anna/one.jsonl", "G/anna/two.jsonl", content=units_of("anna"))
    write_all(tmp_path, "G/bert/one.jsonl", content=units_of("bert"))
    write_all(tmp_path, "G/bert/two.jsonl", content=units_of("robert"))
    with pytest.raises(DataError, match="the file names 'robert'"):
        read_study(tmp_path)


def test_files_of_all_annotators_in_folders_that_are_something_else(tmp_path):
    write_all(tmp_path, "G/monday/one.jsonl", "G/tuesday/two.jsonl", content=units_of("anna", "bert"))
    with pytest.raises(DataError, match="the file names 'anna' and 'bert'") as caught:
        read_study(tmp_path)
    (tmp_path / "study.toml").write_text(caught.value.message.split("study.toml: ")[1].split(";")[0], encoding="utf-8")
    (guideline,) = read_study(tmp_path).guidelines
    assert guideline.corpus.annotators == ("anna", "bert")


def test_groups_of_annotators_whom_only_the_files_name(tmp_path):
    write_all(tmp_path, "G/own/one.jsonl", "G/own/two.jsonl", content=units_of("anna", "robert"))
    write_all(tmp_path, "G/foreign/one.jsonl", content=units_of("cleo"))
    renaming = '[rename.annotators]\n"robert" = "bert"\n'
    (tmp_path / "study.toml").write_text('pattern = "{guideline}/{group}/{document}.*"\n' + renaming, encoding="utf-8")
    (guideline,) = read_study(tmp_path).guidelines
    assert {name: sorted(people) for name, people in guideline.groups.items()} == {
        "own": ["anna", "bert"],
        "foreign": ["cleo"],
    }
    write_all(tmp_path, "G/foreign/three.jsonl", content=units_of("anna"))
    with pytest.raises(DataError, match=r"is in the groups 'foreign' and 'own'"):
        read_study(tmp_path)


def test_a_file_may_also_have_units_of_others(tmp_path):
    write_all(tmp_path, "G/anna/one.jsonl", content=units_of("anna", "bert"))
    assert read_study(tmp_path).guidelines[0].corpus.annotators == ("anna", "bert")


@pytest.mark.parametrize("group", ["", "own/"])
@pytest.mark.parametrize(("suffix", "mark"), [(".csv", ","), (".tsv", "\t"), (".txt", ";")])
def test_a_table_needs_no_annotators_if_its_folder_names_one(tmp_path, group, suffix, mark):
    content = "start,end,category\n0,3,X\n5,9,Y\n".replace(",", mark)
    write_all(tmp_path, f"G/{group}anna/one{suffix}", f"G/{group}bert/one{suffix}", content=content)
    (guideline,) = read_study(tmp_path).guidelines
    assert [(one.annotator, one.start, one.end, one.category) for one in guideline.corpus["one"].units] == [
        (who, start, end, label) for who in ("anna", "bert") for start, end, label in ((0, 3, "X"), (5, 9, "Y"))
    ]


def test_file_names_may_name_annotators_of_tables(tmp_path):
    write_all(tmp_path, "G/one_anna.csv", "G/one_bert.csv", content="start,end,category\n0,3,X\n")
    (tmp_path / "study.toml").write_text('pattern = "{guideline}/{document}_{annotator}.csv"', encoding="utf-8")
    assert read_study(tmp_path).guidelines[0].corpus.annotators == ("anna", "bert")


def test_tables_that_name_annotators_are_compared_with_their_folders(tmp_path):
    write_all(tmp_path, "G/anna/one.csv", content="annotator,start,end,category\nrobert,0,3,X\n")
    with pytest.raises(DataError, match="the annotator 'anna', but the file names 'robert'"):
        read_study(tmp_path)


def test_a_column_that_may_be_the_annotator_is_no_feature(tmp_path):
    write_all(tmp_path, "G/anna/one.csv", content="coder,start,end,category\nrobert,0,3,X\n")
    with pytest.raises(DataError, match="no column 'annotator'"):
        read_study(tmp_path)
