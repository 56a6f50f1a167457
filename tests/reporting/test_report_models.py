"""The section of the report on models and people."""

from __future__ import annotations

import re

import numpy as np
import pytest
from commands import run
from html_checks import assert_well_formed
from report_pages import measured, models_page

import unisono
from unisono.data import Corpus, Ratings
from unisono.errors import OptionError
from unisono.reporting.full_report.full_page import report_page
from unisono.reporting.full_report.hidden_text import names_of
from unisono.reporting.full_report.item_places import item_places
from unisono.reporting.full_report.model_section import model_section

COLUMNS = {
    "anna": ["a", "a", "b", "b", "a", None, "a", "b"],
    "bert": ["a", "b", "b", "b", "a", "b", "a", "b"],
    "gpt": ["b", "c", "b", "a", "a", "a", "a", "b"],
    "llama": ["b", "c", "b", "c", "b", "a", "a", "b"],
}
"""On the first item all models stand against all people, on the second against people who differ, and so on."""


@pytest.fixture(scope="module")
def section():
    data = Ratings.from_annotators({who: labels * 3 for who, labels in COLUMNS.items()})
    names = names_of(data, hide=False)
    return model_section(unisono.compare_models(data, ["gpt", "llama"]), item_places(data, names), names)


def rows(table):
    return {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}


def test_all_of_one_side_against_the_other(section):
    models, people = section.against
    assert models.caption == "All models say the same, and nobody of the people does"
    assert models.note == "9 places; the worst 8 are listed."
    assert rows(models)["document 1"] == ["b", "a"]
    assert rows(models)["document 2"] == ["c", "a: anna; b: bert"]
    assert rows(models)["document 6"] == ["a", "b"]  # the label that is missing stands against nobody
    assert people.caption == "All people say the same, and no model does"
    assert rows(people)["document 1"] == ["a", "b"]
    assert rows(people)["document 4"] == ["b", "a: gpt; c: llama"]
    assert "document 5" not in rows(people)  # gpt says what people say
    assert models.rows[0][0].address.startswith("#at/document/")


def test_people_and_models_are_on_one_axis(section):
    words = re.findall(r"<text[^>]*>([^<]*)</text>", section.figure)
    order = [word for word in words if word in COLUMNS or word.startswith(("People", "Models"))]
    assert order[:6] == [
        "People, each with the other people",
        "anna",
        "bert",
        "Models, each with people",
        "gpt",
        "llama",
    ]


def test_values_are_the_mean_of_pairs():
    data = Ratings.from_annotators({who: labels * 3 for who, labels in COLUMNS.items()})
    found = unisono.compare_models(data, ["gpt", "llama"], measure="percent-agreement")
    value = {frozenset((row["annotator_1"], row["annotator_2"])): row["value"] for row in found.pairs}
    each = {one.name: one.value for one in found.each}
    assert list(each) == ["anna", "bert", "gpt", "llama"]
    assert each["anna"] == pytest.approx(value[frozenset(("anna", "bert"))])
    n = {"anna": 21, "bert": 24}
    mean = sum(value[frozenset(("gpt", who))] * n[who] for who in n) / 45
    assert each["gpt"] == pytest.approx(mean, abs=0.02)


def test_who_errs_where(section):
    (table,) = [one for one in section.tables if "category" in one.caption]
    assert [*table.columns] == ["category", "people", "gpt", "llama"]
    assert {row[0].text for row in table.rows} == {"a", "b", "c"}


def test_units_that_only_one_side_has():
    units = {"anna": [(0, 5), (10, 15)], "bert": [(0, 5), (10, 15)], "gpt": [(0, 5), (20, 25)]}
    columns = [(who, *unit, f"d{n}") for n in range(4) for who, own in units.items() for unit in own]
    who, start, end, document = zip(*columns, strict=True)
    data = Corpus.from_columns(
        annotator=who, start=start, end=end, document=document, features={"category": ["x"] * len(who)}
    )
    one = measured("gamma(precision=0.2)", data)
    page = report_page([one], data, title="t", models=unisono.compare_models(data, "gpt", measure="span-f1"))
    shown = re.sub(r"<[^>]+>", " ", page[page.index('id="models"') :])
    assert re.search(r"All models say the same, and nobody of the people does.*?d0 3\s+x\s+no unit", shown, re.DOTALL)
    assert re.search(r"All people say the same, and no model does.*?d0 2\s+x\s+no unit", shown, re.DOTALL)


def test_the_page_is_well_formed_and_hides_what_it_must():
    page = models_page()
    assert_well_formed(page)
    assert page.count('href="#models"') == 1
    assert_well_formed(models_page(hide_text=True))
    secret = "Xanthippe's umbrella"
    assert secret in page.replace("&#39;", "'")
    assert "Xanthippe" not in models_page(hide_text=True)


def test_a_page_without_models_has_no_section(tmp_path):
    data = Ratings.from_annotators(COLUMNS)
    unisono.report(unisono.krippendorff_alpha(data), tmp_path / "plain.html")
    assert "models-title" not in (tmp_path / "plain.html").read_text(encoding="utf-8")


def test_from_python_and_the_command_line(tmp_path):
    rng = np.random.default_rng(1)
    lines = ["item,anna,bert,gpt", *(f"s{n},{','.join(rng.choice(['x', 'y'], 3))}" for n in range(40))]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run("report", path, "--model", "gpt", "-o", tmp_path / "one.html")
    assert done.returncode == 0, done.stderr
    result = unisono.krippendorff_alpha(path)
    unisono.report(result, tmp_path / "two.html", models=unisono.compare_models(path, "gpt"))
    for name in ("one", "two"):
        assert "models-title" in (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    assert "--humans needs --model" in run("report", path, "--humans", "anna", "-o", tmp_path / "x.html").stderr
    wrong = run("report", path, "--model", "gtp", "-o", tmp_path / "x.html")
    assert "--model: unknown annotator 'gtp'" in wrong.stderr
    assert not (tmp_path / "x.html").exists()
    with pytest.raises(OptionError, match="models: expected what compare_models returns, not str"):
        unisono.report(result, tmp_path / "x.html", models="gpt")
