"""The page of a study: what it shows, where it leads, and that names stay text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from commands import run
from html_checks import assert_well_formed
from report_helpers import HOSTILE

from unisono.data import Corpus
from unisono.reporting.study_page import guideline_report, report_files, study_page
from unisono.results.shown import fixed
from unisono.studies import Definition, Guideline, study


def corpus(seed, spread, people=("anna", "bert", "chris", "dora"), label="x"):
    """Annotators who mark the same units, some of them a little later."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"text {k}", who, 20 * n + int(rng.integers(0, spread + 1)), 20 * n + 12, label)
        for k in range(5)
        for who in people
        for n in range(8)
    ]
    document, annotator, start, end, category = zip(*rows, strict=True)
    return Corpus.from_columns(
        document=document, annotator=annotator, start=start, end=end, features={"category": category}
    )


def defined(title="SANTA", names=("first", "second"), **more):
    groups = {"own": ["anna", "bert"], "foreign": ["chris", "dora"]}
    guidelines = [Guideline(name, corpus(k, min(1 + 9 * k, 11), **more), groups) for k, name in enumerate(names)]
    return Definition(title, tuple(guidelines))


@pytest.fixture(scope="module")
def definition():
    return defined()


@pytest.fixture(scope="module")
def found(definition):
    return [study(definition.title, definition.guidelines, "span-f1(match=overlap)", workers=1)]


@pytest.fixture(scope="module")
def page(definition, found):
    return study_page(definition, found, ["left out: 3 things."], reports={"first": "r/first.html"})


def test_it_says_which_guidelines_are_best(definition):
    exact = study(definition.title, definition.guidelines, "span-f1", workers=1)
    best, worst = (exact.part(name).value for name in ("first", "second"))
    page = study_page(definition, [exact])
    assert best > worst
    assert f"Agreement is best with first, where F1 is {fixed(best)}" in page
    assert f"worst with second, where it is {fixed(worst)}" in page
    assert "They differ beyond chance" in page


def test_it_says_what_the_study_is(page, found):
    assert_well_formed(page)
    assert "<title>SANTA: Agreement of 4 annotators in 2 groups (own and foreign) on 5 texts, by 2 sets of" in page
    assert "Agreement is the same with all guidelines: F1 is 1.00" in page
    assert "left out: 3 things." in page
    assert not re.search(r"https?:|src=|@import|url\(|<script", page)


def test_groups_never_read_like_a_subtraction(page):
    text = re.sub(r"<[^>]*>", " ", page)
    assert "within own" in text
    assert "between own and foreign" in text
    assert not re.search(r"own\s+[–−-]\s+foreign", text)


def test_every_cell_leads_to_its_report(page, found):
    heats = re.findall(r"(?s)<table class=\"matrix\">.*?</table>", page)
    assert len(heats) == len(found[0].choices) == 4
    for table in heats:
        links = re.findall(r'href="([^"]*)"', table)
        assert len(links) == 5
        assert all(link.startswith("r/first.html#in/text%20") for link in links)
    assert "?pair=anna&amp;pair=bert" in heats[1]
    for text in found[0].texts:
        assert f"{found[0].cell(text, 'first').value:.2f}" in heats[0]


def test_tables_are_folded_and_complete(page, found):
    folded = "".join(re.findall(r"(?s)<details>.*?</details>", page))
    for caption in ("Guidelines (all annotators)", "Guidelines compared, text by text (within own)"):
        assert caption in folded
    assert page.count('class="intervals wide"') == 1 + len(found[0].choices)


def test_reports_have_names_that_files_can_have(tmp_path):
    names = ("a/b", "a:b", "A_b", "..", "ä ö", "x" * 300)
    files = report_files(defined(names=names), tmp_path)
    assert len({file.name.casefold() for file in files.values()}) == len(names)
    for file in files.values():
        assert file.parent == tmp_path
        file.write_text("")


def test_the_report_of_a_guideline_shows_its_own_data(definition, found):
    page = guideline_report(definition, found, "second")
    assert "<title>SANTA: second</title>" in page
    assert f"F1 = {found[0].part('second').value:.3f}" in page


def test_names_stay_text():
    script = HOSTILE[1]
    definition = defined(title=script, names=(script, HOSTILE[2]), label=script)
    found = [study(script, definition.guidelines, "span-f1", workers=1)]
    page = study_page(definition, found, [script], reports={script: "r/x.html"})
    assert_well_formed(page)
    assert script not in page


def test_the_command_writes_reports_beside_the_page(tmp_path):
    top = tmp_path / "santa"
    for guideline, seed in (("first", 0), ("second", 1)):
        for who in ("anna", "bert"):
            own = top / guideline / who
            own.mkdir(parents=True)
            for document in corpus(seed, 4, people=("anna", "bert")):
                units = [unit for unit in document.units if unit.annotator == who]
                lines = "".join(f"{document.name},{who},{u.start},{u.end},{u.category}\n" for u in units)
                (own / f"{document.name}.csv").write_text(f"document,annotator,start,end,category\n{lines}")
    page = tmp_path / "s.html"
    args = ("study", top, "-m", "span-f1", "--workers", "1", "-o", page)
    done = run(*args)
    assert done.returncode == 0, done.stderr
    assert "with reports in s-reports" in done.stderr
    links = set(re.findall(r'href="(s-reports/[^"#]*)', page.read_text(encoding="utf-8")))
    assert links == {"s-reports/first.html", "s-reports/second.html"}
    assert all((tmp_path / link).is_file() for link in links)
    again = run(*args)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    page.unlink()
    assert "exists already" in run(*args).stderr  # the reports
    assert run(*args, "--force").returncode == 0
    other = tmp_path / "other.html"
    assert run(*args[:-1], other, "--no-reports").returncode == 0
    assert not (tmp_path / "other-reports").exists()
    assert 'href="#' in other.read_text(encoding="utf-8")
    assert ".html#in" not in other.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [390, 1200])
def test_nobody_is_shut_out_of_a_study(window, shut_out, tmp_path, page, width):
    file = tmp_path / "study.html"
    file.write_text(page, encoding="utf-8")
    window.set_viewport_size({"width": width, "height": 900})
    for scheme in ("light", "dark"):
        window.emulate_media(color_scheme=scheme)
        window.goto(file.as_uri())
        assert shut_out(window) == []
    assert window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert window.locator("svg.intervals:visible").count() == 2  # others are folded
