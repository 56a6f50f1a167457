"""The report as a file: what is in it, what must not be in it, and how it is written."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections import Counter

import numpy as np
import pytest
import report_pages
from commands import run
from html_checks import assert_well_formed
from report_pages import HOSTILE, SECRET, hostile_corpus, large_corpus, measured, relations_corpus, relations_page

import unisono
from unisono.data import Corpus, Ratings
from unisono.demo import demo_path
from unisono.errors import DataError, OptionError
from unisono.measurement.completing import Measured
from unisono.measurement.item_distances import differing_pairs
from unisono.reporting.addresses import document_address
from unisono.reporting.alignment_layout import choose_view
from unisono.reporting.alignment_picture import Picture
from unisono.reporting.full_report import citing, confusion, places
from unisono.reporting.full_report.chance_histogram import chance_histogram
from unisono.reporting.full_report.confusion import count_pairs
from unisono.reporting.full_report.full_page import embedded, report_page
from unisono.reporting.full_report.hidden_text import MOST_NAMED, Names, names_of
from unisono.reporting.full_report.label_paints import painted_labels
from unisono.reporting.full_report.places import aligned_places
from unisono.reporting.full_report.writing import report
from unisono.reporting.palette import CATEGORY_COLOURS
from unisono.reporting.shown_tables import ROWS_ON_PAGE, shade, shown_table
from unisono.results import Table

PAGES = ("demo", "large", "hostile", "ratings", "edited", "normalizations", "said", "sets", "scales", "many")
SPANS = """document,annotator,start,end,category
d,anna,0,5,A
d,anna,9,12,B
d,bert,0,6,A
d,bert,9,12,A
d,chris,1,5,A
"""


@pytest.fixture(scope="module")
def pages():
    """Give pages by name, each made once."""
    made = {}

    def page(name):
        if name not in made:
            made[name] = getattr(report_pages, f"{name}_page")()
        return made[name]

    return page


def data_in(page):
    return json.loads(re.search(r'id="places-data">(.*?)</script>', page)[1])


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_well_formed_and_small(pages, name):
    page = pages(name)
    assert_well_formed(page)
    assert len(page.encode(errors="backslashreplace")) < 1_000_000
    assert "http" not in re.sub(r"http-equiv|http://www.w3.org/2000/svg", "", page)
    assert "NaN" not in page


def test_the_same_data_gives_the_same_page(pages):
    assert report_pages.ratings_page() == pages("ratings")


@pytest.mark.parametrize("name", ["demo", "edited"])
def test_the_policy_names_every_style_and_script(pages, name):
    page = pages(name)
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    assert allowed["default-src"] == "'none'"
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert [hashed(script) for script in scripts] == allowed["script-src"].split()
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert {hashed(style) for style in styles} == set(allowed["style-src"].split())
    inline = {hashed(style) for style in re.findall(r' style="([^"]*)"', re.sub("<script.*?</script>", "", page))}
    assert inline == set(allowed.get("style-src-attr", "").split()) - {"'unsafe-hashes'"}


def test_everything_is_there(pages):
    page = pages("demo")
    for part in ("values", "meaning", "places", "tables", "confusion", "data", "paper"):
        assert f'<section id="{part}"' in page
    for said in ("alignment proven optimal", "seed 42", "chance:corpus", "every annotator worked on every document"):
        assert said in page
    for caption in ("γ of each pair of annotators", "Documents", "Categories", "Without each annotator"):
        assert f"<caption>{caption}</caption>" in page
    assert "no unit" in page
    assert "Nothing was left out." in page


def test_what_was_dropped_is_told(pages):
    assert "dropped &#34;&gt;&lt;img" in pages("hostile")


def test_markup_in_the_data_is_escaped(pages):
    page = pages("hostile")
    for one in HOSTILE[:3]:
        assert one not in page
    labels = data_in(page)["labels"][0]
    assert set(HOSTILE) == set(labels)


def test_embedded_data_cannot_end_its_block():
    written = embedded(["</script>", "<!--", "\u2028", "&", 'quote"', "\x00", "\ud800"])
    assert not set("<>&\u2028\x00") & set(written)
    read = json.loads(written.encode(errors="backslashreplace"))
    assert read == ["</script>", "<!--", "\u2028", "&", 'quote"', "\x00", "\ud800"]


@pytest.mark.parametrize("name", ["edited", "ratings", "normalizations"])
def test_hidden_text_is_nowhere(pages, name):
    for secret in SECRET.split():
        assert secret.split("'")[0] in pages(name)
    hidden = getattr(report_pages, f"{name}_page")(hide_text=True)
    for secret in ("Xanthippe", "umbrella", "XANTHIPPE", "hots", "nähme"):
        assert secret not in hidden
    assert_well_formed(hidden)


def test_hidden_text_of_units_is_nowhere():
    shown, hidden = report_pages.demo_page(), report_pages.demo_page(hide_text=True)
    for words in ("ferryman", "thunderstorm", "Lake Sarn"):
        assert words in shown
        assert words not in hidden
    assert data_in(hidden)["documents"][0]["texts"] == []
    assert "PERSON" in hidden


def test_open_labels_are_numbered_where_text_is_hidden():
    n = MOST_NAMED + 1
    corpus = Corpus.from_columns(
        annotator=["a"] * n + ["b"] * n,
        start=[*range(n)] * 2,
        end=[*range(1, n + 1)] * 2,
        features={"lemma": [f"secret{k}" for k in range(n)] * 2},
    )
    page = report_page([measured("gamma(precision=0.3)", corpus)], corpus, title="T", hide_text=True)
    assert "secret" not in page
    assert "label 1" in page
    assert "secret" in report_page([measured("gamma(precision=0.3)", corpus)], corpus, title="T")


def test_places_hold_every_unit_once():
    corpus = large_corpus(n_units=60, n_annotators=3)
    found = aligned_places(unisono.align(corpus), "gamma", names_of(corpus, hide=False))
    assert found.n_shown == found.n_places
    cells = [cell for scene in found.scenes for place in scene.places for cell in place.cells if cell is not None]
    assert len(cells) == corpus.n_units
    counts = Counter(found.labels[0][cell[2]] for cell in cells)
    column = corpus.features["category"]
    assert counts == Counter(column.labels[code] for code in column.codes.tolist())
    assert [counts[label] for label in found.labels[0]] == sorted(counts.values(), reverse=True)
    for scene in found.scenes:
        for place in scene.places:
            assert place.size == pytest.approx(sum(place.parts), abs=1e-9)


def test_of_many_units_the_worst_are_embedded(monkeypatch):
    monkeypatch.setattr(places, "MOST_UNITS", 60)
    monkeypatch.setattr(places, "MOST_TEXT", 100)
    corpus = large_corpus(n_units=300, with_text=True)
    alignments = unisono.align(corpus)
    found = aligned_places(alignments, "gamma", names_of(corpus, hide=False))
    assert 0 < found.n_shown < found.n_places
    (scene,) = found.scenes
    worst = max(float(alignment.solution.cost.max()) for alignment in alignments.values())
    assert max(place.size for place in scene.places) == pytest.approx(worst)
    text = corpus.texts[0, 0]
    (pieces,) = scene.texts
    assert sum(len(piece) for _, piece in pieces) < len(text)
    for offset, piece in pieces:
        assert text[offset : offset + len(piece)] == piece
    for place in scene.places:
        for start, end, _ in filter(None, place.cells):
            assert any(offset <= start and end <= offset + len(piece) for offset, piece in pieces)
        assert scene.excerpt(place) in text
    page = report_page([measured("span-f1", corpus)], corpus, title="T", alignments=alignments)
    assert f"This page has {found.n_shown} of {found.n_places:,}" in page


def test_pairs_of_labels_are_counted():
    table = np.array([[0, 1, -2], [0, 0, 0], [1, -2, -2], [-1, 0, -2]])
    ordered = count_pairs([table[:, :2]], 2, ordered=True)
    assert ordered.tolist() == [[1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0]]
    both = count_pairs([table], 2, ordered=False)
    assert (both == both.T).all()
    # three pairs of annotators a place; those where neither has a unit do not count
    assert np.triu(both).sum() == 3 + 3 + 2 + 3
    assert both[0, 3] == 2
    assert both[1, 3] == 3


def test_confusion_of_two_annotators_has_a_side_each():
    corpus = hostile_corpus()
    (grid,) = confusion.alignment_confusion(unisono.align(corpus), names_of(corpus, hide=False))
    first, second = corpus.annotators
    assert grid.columns[0] == f"{first} ↓ {second} →"
    assert confusion.NO_UNIT not in grid.columns or grid.columns[-1] == confusion.NO_UNIT


def test_rows_of_the_confusion_are_the_first_annotator():
    ratings = Ratings.from_annotators({"a": ["x", "x", "x"], "b": ["y", "y", "x"]})
    grid = confusion.rating_confusion(ratings, names_of(ratings, hide=False))
    counts = {(row[0].text, head): cell.text for row in grid.rows for head, cell in zip(grid.columns, row, strict=True)}
    assert (counts["x", "y"], counts["y", "x"]) == ("2", "·")


def test_every_feature_has_its_confusion():
    corpus = Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[9, 9], features={"pos": ["N", "V"], "case": ["nom", "nom"]}
    )
    grids = confusion.alignment_confusion(unisono.align(corpus, features=["pos", "case"]), names_of(corpus, hide=False))
    assert [grid.caption for grid in grids] == ["Confusion: pos of aligned units", "Confusion: case of aligned units"]
    assert [[cell.text for cell in row] for row in grids[1].rows] == [["nom", "1"]]


def test_units_without_labels_are_counted_too():
    corpus = Corpus.from_columns(annotator=["a", "a", "b"], start=[0, 50, 0], end=[9, 59, 9])
    (grid,) = confusion.alignment_confusion(unisono.align(corpus), names_of(corpus, hide=False))
    assert [[cell.text for cell in row] for row in grid.rows] == [["unit", "1", "1"], ["no unit", "·", "·"]]


def test_many_labels_are_put_together():
    labels = [f"l{k:02}" for k in range(30)]
    ratings = Ratings.from_annotators({"a": labels, "b": labels})
    grid = confusion.rating_confusion(ratings, names_of(ratings, hide=False))
    assert len(grid.rows) == 21
    assert grid.rows[-1][0].text == "10 others"
    assert grid.rows[-1][-1].text == "10"


def test_items_are_sized_by_pairs_that_differ():
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 2], [0, -1, 1], [0, -1, -1]])
    assert differing_pairs(codes)[0].tolist() == pytest.approx([0, 2 / 3, 1, 1, 0])


def test_chance_is_centred_on_zero(pages):
    corpus = large_corpus(n_units=30)
    result = unisono.gamma(corpus, precision=0.1, rng=1)
    drawn = chance_histogram(result)
    assert drawn.n_samples == result.n_samples
    heights = [float(height) for height in re.findall(r'class="bin"[^>]* height="([\d.]+)"', drawn.svg)]
    assert max(heights) == 120
    assert drawn.documents == []  # a single one is the value itself
    chance = result.documents[0].chance
    assert drawn.n_above == np.count_nonzero(chance.values <= result.observed) < 3
    assert chance_histogram(unisono.span_f1(corpus)) is None


def test_long_tables_are_cut_and_say_so():
    rows = [(f"d{k}", k / 2000, k) for k in range(1500)]
    table, addresses = Table(("document", "γ", "units"), rows), {"document": {"d1": document_address("d1")}}
    grid = shown_table(table, "Documents", most_rows=ROWS_ON_PAGE, addresses=addresses)
    assert len(grid.rows) == 500
    assert "1,000 more rows" in grid.note
    assert grid.sorted == 2
    assert [row[0].address for row in grid.rows[:2]] == ["", "#in/d1"]


@pytest.mark.parametrize(("share", "name"), [(-1, "heat shade-0"), (0.5, "heat shade-4"), (3, "heat shade-9")])
def test_shades_stay_within_bounds(share, name):
    assert shade(share) == name


def test_sentence_and_table_for_the_paper():
    corpus = large_corpus(n_units=30)
    one = measured("gamma(precision=0.1)", corpus)
    sentence = citing.methods([one], Names(False))
    assert f"γ = {one.result.value:.2f}" in sentence
    assert "2 annotators on 1 document (60 units)" in sentence
    assert "seed 42" in sentence
    table = citing.measures_table([one])
    assert table.count(r"\begin{tabular}") == 1
    assert f"% {one.result.signature}" in table
    assert f"& {one.result.value:.2f} &" in table


def test_a_measure_that_fails_is_told_beside_the_others():
    corpus = large_corpus(n_units=20)
    results = [measured("span-f1", corpus), Measured("cu-alpha", failed="units <overlap>")]
    page = report_page(results, corpus, title="T")
    assert "units &lt;overlap&gt;" in page
    with pytest.raises(DataError, match="nothing to report"):
        report_page(results[1:], corpus, title="T")


def test_the_ladder_is_shown():
    corpus = large_corpus(n_units=20)
    page = report_page([measured("span-f1", corpus, ladder="No ladder: <because>.")], corpus, title="T")
    assert "No ladder: &lt;because&gt;." in page


def test_a_file_from_the_command_line(tmp_path):
    data, page = tmp_path / "spans.csv", tmp_path / "report.html"
    data.write_text(SPANS)
    done = run("report", data, "-o", page, "-m", "gamma(precision=0.2)", "-m", "cu-alpha", "--ladder")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "report.html: open it in a browser" in done.stderr
    written = page.read_text(encoding="utf-8")
    assert_well_formed(written)
    assert "corresponds to annotators who each" in written or "No single kind of error" in written
    assert "Agreement: spans.csv" in written
    again = run("report", data, "-o", page)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert page.read_text(encoding="utf-8") == written
    assert run("report", data, "-o", page, "--force", "-m", "span-f1").returncode == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_file_from_python(tmp_path):
    page = tmp_path / "report.html"
    result = unisono.span_f1(large_corpus(n_units=20, n_annotators=3))
    report(result, page, title="Round <3>")
    written = page.read_text(encoding="utf-8")
    assert "<title>Round &lt;3&gt;</title>" in written
    assert "F1 of each pair of annotators" in written
    with pytest.raises(DataError, match="exists already"):
        report([result], page)
    report([result, result], page, overwrite=True, subsets=False)
    assert "use the option <i>subsets</i> to get them" in page.read_text(encoding="utf-8")
    with pytest.raises(OptionError, match="nothing to report"):
        report([], page, overwrite=True)


def test_only_pages_are_written(tmp_path):
    result = unisono.krippendorff_alpha([["x", "y"], ["x", "x"]], rows="items")
    with pytest.raises(OptionError, match=r"report\.txt: the page is HTML; use a name that ends in \.html"):
        report(result, tmp_path / "report.txt")
    assert not list(tmp_path.iterdir())


def test_wrong_calls_are_one_sentence(tmp_path):
    data = tmp_path / "spans.csv"
    data.write_text(SPANS)
    for arguments, said in (
        ((data, "-o", tmp_path / "report.pdf"), "use a name that ends in .html"),
        ((data, "-o", tmp_path / "r.html", "-m", "cohen-kappa"), "cohen-kappa"),
        ((data, "-o", tmp_path / "none" / "r.html", "-m", "span-f1"), "cannot be written"),
    ):
        done = run("report", *arguments)
        assert done.returncode == 1
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [data]


def test_units_are_aligned_where_no_measure_does_it(tmp_path):
    data, page = tmp_path / "spans.csv", tmp_path / "report.html"
    data.write_text(SPANS)
    assert run("report", data, "-o", page, "-m", "span-f1").returncode == 0
    assert data_in(page.read_text(encoding="utf-8"))["sort"] == "units"


def test_names_that_no_encoding_holds(tmp_path):
    corpus = Corpus.from_columns(
        annotator=["a\ud800", "b\x00"], start=[0, 0], end=[4, 5], features={"c": ["\udfff", "x"]}
    )
    page = report_page([measured("gamma(precision=0.3)", corpus)], corpus, title="T\ud800")
    assert_well_formed(page.encode(errors="backslashreplace").decode())


def test_segmentations_have_boundaries_as_places(tmp_path):
    """They are ranked by the measure; γ finds a long shift of a long segment worse than a boundary that one has."""
    masses = {"anna": [49, 51, 1, 1, 98], "bert": [50, 50, 2, 98], "chris": [50, 50, 2, 98]}
    corpus = unisono.from_masses({"d": masses})
    unisono.report(unisono.boundary_similarity(corpus), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    data = data_in(page)
    assert "places are ranked by boundary-similarity" in page
    assert (data["sort"], data["labels"]) == ("boundaries", [])
    assert data["kinds"] == ["full miss", "near miss"]
    rows = sorted(data["documents"][0]["rows"], key=lambda row: -row[1])
    worst = [cell and cell[0] for cell in rows[0][3]]
    assert 101 in worst  # the boundary that only anna has
    assert (rows[0][1], rows[0][2]) == (pytest.approx(0.6667), [pytest.approx(0.6667), 0])
    assert sum(row[1] for row in rows) == pytest.approx((2 + 2 * 0.5) / 3, abs=1e-3)
    unisono.report([unisono.boundary_similarity(corpus), unisono.gamma(corpus)], tmp_path / "both.html")
    assert data_in((tmp_path / "both.html").read_text(encoding="utf-8"))["sort"] == "boundaries"
    unisono.report([unisono.gamma(corpus), unisono.boundary_similarity(corpus)], tmp_path / "units.html")
    assert data_in((tmp_path / "units.html").read_text(encoding="utf-8"))["sort"] == "units"
    unisono.report(unisono.window_diff(corpus), tmp_path / "windows.html")
    assert data_in((tmp_path / "windows.html").read_text(encoding="utf-8"))["kinds"] == ["windows"]


def test_labels_have_the_same_colours_in_pages_and_pictures():
    result = unisono.gamma(unisono.read(demo_path()), precision=0.2)
    found = aligned_places(result.alignment, "gamma", Names(False))
    picture = Picture(result.alignment["ferry"], choose_view(result.alignment["ferry"], None, None, 400))
    assert len(found.labels[0]) == 4
    for label, paint in zip(found.labels[0], found.paints, strict=True):
        assert picture.colours(label)[0] == CATEGORY_COLOURS[paint]
    labels = Ratings.from_annotators({"a": ["EVENT", "TIME", "PLACE", "PERSON", "TIME"], "b": ["TIME"] * 5})
    painted = painted_labels(labels, labels.codes)
    names = [labels.labels[code] for code in painted.order]
    assert dict(zip(names, painted.paints, strict=True)) == dict(zip(found.labels[0], found.paints, strict=True))


def test_places_of_relations_hold_their_ends():
    corpus = relations_corpus()
    found = aligned_places(unisono.align(corpus), "gamma", names_of(corpus, hide=False))
    (scene,) = found.scenes
    relation, event = scene.places
    assert relation.to_list()[5][2] == [["source", 0, 4], ["target", 18, 22]]
    assert [len(own) for own in event.ends] == [3, 2, 0]
    assert [scene.excerpt(place) for place in scene.places] == ["Anna → Bert", "Acme → Beta → bought"]
    assert "chris: met source 0–4, target 18–22" in relations_page()
    hidden = aligned_places(unisono.align(corpus), "gamma", names_of(corpus, hide=True)).scenes[0]
    assert hidden.excerpt(hidden.places[0]) == ""


def test_places_of_plain_units_have_no_ends():
    corpus = large_corpus(n_units=5)
    found = aligned_places(unisono.align(corpus), "gamma", names_of(corpus, hide=False))
    assert all(len(place.to_list()) == 4 for scene in found.scenes for place in scene.places)
