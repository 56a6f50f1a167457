"""Result tables of platforms are recognized by their columns."""

from __future__ import annotations

import pytest
from format_helpers import refusal, table

import unisono
from unisono.data import Export
from unisono.formats import read

MTURK = """HITId,AssignmentId,WorkerId,AssignmentStatus,AcceptTime,Input.text,Answer.mood,Answer.kind.a,Answer.kind.b
h1,x1,w1,Approved,Wed Jan 24 09:49:16 PST 2018,one,good,true,false
h1,x2,w2,Rejected,Wed Jan 24 09:50:16 PST 2018,one,bad,true,false
h1,x3,w3,Submitted,Wed Jan 24 09:51:16 PST 2018,one,bad,true,true
h2,x4,w1,Approved,Wed Jan 24 09:52:16 PST 2018,two,bad,false,true
h3,,,,,three,,,
"""
APPEN = """_unit_id,_worker_id,_tainted,_golden,_created_at,_country,sentence,mood,mood_gold
1,w1,false,false,1/2/2016 10:00,DE,one,good,
1,w2,false,false,1/2/2016 10:00,US,one,bad,
1,w3,true,false,1/2/2016 10:00,US,one,bad,
2,w1,false,true,1/2/2016 10:00,DE,two,good,good
3,w1,false,false,1/2/2016 10:00,DE,three,bad,
3,w2,false,false,1/2/2016 10:00,US,three,bad,
"""
TOLOKA = """INPUT:text\tOUTPUT:mood\tGOLDEN:mood\tASSIGNMENT:task_id\tASSIGNMENT:worker_id\tASSIGNMENT:status
one\tgood\t\tt1\tw1\tAPPROVED
one\tbad\t\tt1\tw2\tREJECTED
one\tbad\t\tt1\tw3\tSUBMITTED
two\tbad\tbad\tt2\tw1\tAPPROVED
three\tbad\t\tt3\tw1\tAPPROVED
"""
POTATO = """user\tinstance_id\tdisplayed_text\tmood:::good\tmood:::bad\tspans:::x
w1\t1\tone\ttrue\t\t[]
w2\t1\tone\t\ttrue\t[]
w1\t2\ttwo\t\ttrue\t[]
"""
PROLIFIC = """PROLIFIC_PID,STUDY_ID,status,item,rating
p1,s,APPROVED,i1,3
p2,s,REJECTED,i1,4
p3,s,AWAITING REVIEW,i1,5
"""


@pytest.fixture
def file(tmp_path):
    def make(content, name="file.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return make


def test_mturk(file):
    export = read(file(MTURK))
    assert isinstance(export, Export)
    assert table(export.questions["mood"]) == {
        ("file", "h1"): {"w1": "good", "w3": "bad"},
        ("file", "h2"): {"w1": "bad"},
    }
    assert table(export.questions["kind"])["file", "h1"] == {"w1": ("a",), "w3": ("a", "b")}
    assert export.questions["kind"].question.kind == "sets"
    assert export.questions["mood"].texts == ("one", "two")
    assert export.dropped["answers of rejected assignments"] == 1
    assert export.dropped["tasks that nobody has worked on"] == 1


@pytest.mark.parametrize(("one", "other"), [("yes", "no"), ("1", "0"), ("TRUE", "FALSE"), ("good", "bad")])
def test_one_column_of_two_labels_is_a_question_of_its_own(file, one, other):
    rows = [("h1", "w1", one), ("h1", "w2", other), ("h2", "w1", other), ("h2", "w2", other)]
    content = "HITId,AssignmentId,WorkerId,AssignmentStatus,Answer.mood.label\n"
    content += "".join(f"{hit},a{n},{who},Approved,{label}\n" for n, (hit, who, label) in enumerate(rows))
    ratings = read(file(content))
    assert ratings.question.name == "mood.label"
    assert set(ratings.labels) == {one, other}
    assert ratings.n_units == 4
    assert unisono.krippendorff_alpha(ratings).value == 0.0


def test_appen(file):
    ratings = read(file(APPEN))
    assert ratings.question.name == "mood"
    assert table(ratings) == {
        ("file", "1"): {"w1": "good", "w2": "bad"},
        ("file", "3"): {"w1": "bad", "w2": "bad"},
    }
    assert ratings.dropped["tainted answers, which Appen does not trust"] == 1
    assert ratings.dropped["answers to test questions (_golden)"] == 1


def test_an_aggregated_report_cannot_be_measured(file):
    content = "_unit_id,_golden,_unit_state,_trusted_judgments,mood,mood:confidence\n1,false,finalized,3,good,1.0\n"
    refusal(file(content), 1, "aggregated report of Appen", "full report")
    content = "INPUT:text\tOUTPUT:mood\tCONFIDENCE:mood\na\tgood\t99%\n"
    refusal(file(content, "file.tsv"), 1, "aggregated report of Toloka", "assignments")


def test_toloka(file):
    ratings = read(file(TOLOKA, "file.tsv"))
    assert table(ratings) == {("file", "t1"): {"w1": "good", "w3": "bad"}, ("file", "t3"): {"w1": "bad"}}
    assert ratings.dropped == {"answers of rejected assignments": 1, "answers to control tasks (GOLDEN)": 1}


def test_potato(file):
    ratings = read(file(POTATO, "file.tsv"))
    export_or_one = ratings.questions["mood"] if isinstance(ratings, Export) else ratings
    assert table(export_or_one) == {("file", 1): {"w1": "good", "w2": "bad"}, ("file", 2): {"w1": "bad"}}


def test_prolific(file):
    ratings = read(file(PROLIFIC))
    assert table(ratings) == {("file", "i1"): {"p1": "3", "p3": "5"}}
    assert ratings.dropped["rejected submissions"] == 1


def test_no_answers(file):
    refusal(file("HITId,WorkerId,Time\nh1,w1,5\n"), 1, "result table of MTurk", "columns={'label': 'NAME'}")
    assert table(read(file("HITId,WorkerId,Time\nh1,w1,5\n"), columns={"label": "Time"})) == {
        ("file", "h1"): {"w1": "5"}
    }


def test_bad_rows_are_skipped(file):
    told = []
    ratings = read(file(APPEN + "3,w2,false,false,1/2/2016 10:00,US,three,good,\n3,w9\n"), bad=told.append)
    assert [error.line for error in told] == [8, 9]
    assert ratings.n_units == 4


@pytest.mark.parametrize(
    ("name", "alpha"),
    [
        ("relex-binary-choice", 0.664629),
        ("platform_cf1", 0.048780),
        ("platform_cf2", -0.011305),
        ("platform_cf3", 0.089535),
        ("platform_amt2", -0.011305),
    ],
)
def test_shared_result_tables(shared, name, alpha):
    """Nominal α of the judged column, computed independently."""
    ratings = read(shared / "items" / "crowdtruth" / f"{name}.csv")
    assert unisono.krippendorff_alpha(ratings).value == pytest.approx(alpha, abs=5e-7)
