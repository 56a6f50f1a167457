from __future__ import annotations

import json

import pytest
from format_helpers import contents, refusal, rows

from unisono.data.cuts import from_masses
from unisono.formats import read

TABLE = "Coder\tMasses\n1\t2\t3\n2\t5\n"
UNITS = [("talk", "1", 0, 2), ("talk", "1", 2, 5), ("talk", "2", 0, 5)]


@pytest.fixture
def file(tmp_path):
    def make(content, name="talk.tsv"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return make


def test_hearst_1997_is_the_same_in_all_forms(shared):
    folder = shared / "segeval"
    found = [read(folder / name) for name in ("hearst1997.json", "hearst1997.tsv", "hearst1997_positions.csv")]
    assert [corpus.documents for corpus in found] == [("stargazer",), ("hearst1997",), ("hearst1997_positions",)]
    assert found[0].source == "segeval · hearst1997.json"
    assert found[0].bounds == {0: (0.0, 21.0)}
    for corpus in found[1:]:
        assert corpus.start.tolist() == found[0].start.tolist()
        assert corpus.end.tolist() == found[0].end.tolist()
        assert corpus.annotators == found[0].annotators == tuple("1234567")


@pytest.mark.parametrize("name", ["complete_agreement.json", "large_disagreement.json"])
def test_json_of_several_documents(shared, name):
    path = shared / "segeval" / name
    items = json.loads(path.read_text())["items"]
    assert contents(read(path)) == contents(from_masses(items))


def test_json(file):
    data = {"items": {"talk": {"1": [2, 3], "2": [5]}}, "segmentation_type": "linear", "year": 2013}
    corpus = read(file(data, "x.json"))
    assert rows(corpus) == UNITS
    assert corpus.features == {}
    assert rows(read(file({"items": data["items"]}, "y.json"))) == UNITS
    assert rows(read(file({"about": "talks", **data}, "z.json"), format="segeval")) == UNITS


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        "coder,masses,,\n1,2,3\n2,5,,\n",
        '"Annotator";"Masses"\n"1";2;3\n"2";5\n',
        "Coder,Positions\n1,1,1,2,2,2\n2,a,a,a,a,a\n",
        "\ufeffCoder,Masses\r\n1,2,3\r\n\r\n2,5\r\n",
    ],
)
def test_tables(file, table):
    assert rows(read(file(table))) == UNITS


def test_other_tables_and_json_are_left_alone(file):
    line = '{"document": "d", "annotator": "a", "units": [{"start": 0, "end": 1, "features": {"items": "x"}}]}'
    assert read(file(line, "x.json")).source == "JSON lines · x.json"
    assert read(file("annotator,start,end,masses\na,0,1,2\n", "y.csv")).source == "CSV · y.csv"


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("Coder\tMasses\n1\t2\tx\n", 2, ["the mass 'x'", "whole number above 0"]),
        ("Coder\tMasses\n1\t2\t0\n", 2, ["the mass '0'"]),
        ("Coder\tMasses\n1\t2\t\t3\n", 2, ["the mass ''"]),
        ("Coder\tMasses\n1\t2\n1\t2\n", 3, ["the coder '1' occurs twice"]),
        ("Coder\tMasses\n1\t2\n2\t3\n", None, ["'1' add up to 2", "'2' to 3"]),
        ("Coder\tMasses\n1\n", None, ["'1'", "whole numbers above 0"]),
        ("Coder\tMasses\n", None, ["no segmentations"]),
        ('{"items": {"d": {"a": [1, 2}}}', 1, ["not JSON"]),
        ('{"items": {"d": {"a": [1], "a": [1]}}}', None, ["'a' occurs twice"]),
        ('{"items": {"d": {"a": [1.5]}}}', None, ["document 'd': 'a' has the mass 1.5"]),
        ('{"items": {"d": {"a": [1]}}, "segmentation_type": "tree"}', None, ["'tree'", "only linear"]),
        ('{"segmentation_type": "linear"}', None, ['"items"']),
        ('{"items": {"d": [1, 2]}}', None, ['"items"']),
        ('{"items": {}}', None, ["no segmentations"]),
        ('{"items": ' + "[" * 100_000, None, ["nested too deeply"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_a_header_is_needed(file):
    refusal(file("1\t2\t3\n"), 1, "Coder and Masses", format="segeval")
