"""The app's pages: what was found, how it is read, what fits, and errors as sentences."""

from __future__ import annotations

import html
import json
import re
import zipfile

import pytest
from app_helpers import Browser
from gold_helpers import made

import unisono
from unisono.app import dropping
from unisono.app.desk import DISPUTED
from unisono.demo import demo_path

CSV = "document;annotator;start;end;category\nd;anna;0;4;X\nd;bert;0;5;X\nd;anna;9;12;Y\nd;bert;9;12;Z\n"


@pytest.fixture
def demo(app, tmp_path):
    """Open a copy of the built-in data."""
    place = tmp_path / "demo.jsonl"
    place.write_bytes(demo_path().read_bytes())
    return app.open(place)


def test_the_preview_says_what_was_found(app, demo):
    said = app.page(demo).said
    assert "3 annotators marked 174 units in 4 documents." in said
    assert "anna 63 4" in said
    assert "ferry 46 3" in said
    assert "EVENT 49" in said
    assert "0–23 TIME Early on Sunday morning" in said
    assert "JSON lines (1)" in said


def test_what_was_detected_is_in_the_fields(app, tmp_path):
    place = tmp_path / "marked.csv"
    place.write_text(CSV, "utf-8")
    page = app.page(app.open(place)).text
    assert "detected: semicolon" in page
    assert 'placeholder="utf-8"' in page
    assert '<option value="category">category</option>' in page


def test_choices_are_kept_and_the_command_says_the_same(app, demo):
    chosen = {"annotators": ["anna", "bert"], "where": 'category != "TIME"'}
    app.browser.send(demo, {**chosen, "all.annotators": ["anna", "bert", "chris"]})
    page = app.page(demo)
    assert app.data(demo).data.annotators == ("anna", "bert")
    assert app.data(demo).data.n_units < 125
    assert app.state.home.entry(demo.split("/")[2]).reading == chosen
    assert "--where" in page.said
    app.browser.send(demo, {"usual": "1"})
    app.data(demo).reading.wait(60)
    assert app.data(demo).data.n_units == 174


def test_nobody_chosen_is_an_error_at_the_field(app, demo):
    answer = app.browser.send(demo, {"all.annotators": ["anna", "bert"]})
    assert "choose at least one" in answer.said
    assert 'data-field="annotators"' in answer.text
    assert app.data(demo).data.n_units == 174


def fixes(page):
    """Give the fixes that a page offers as buttons."""
    found = re.findall(r'name="fix" value="([^"]*)"><input type="hidden" name="value" value="([^"]*)"', page)
    return [(name, html.unescape(value)) for name, value in found]


def test_an_error_points_to_its_field_and_a_button_fixes_it(app, tmp_path):
    place = tmp_path / "marked.csv"
    place.write_text(CSV.replace("document", "doc"), "utf-8")
    address = app.open(place)
    page = app.page(address)
    assert "There is no column &#39;document&#39; but one named &#39;doc&#39;" in page.text
    assert 'data-field="columns"' in page.text
    name, value = fixes(page.text)[0]
    assert (name, json.loads(value)) == ("columns", {"document": "doc"})
    app.browser.send(address, {"fix": name, "value": value})
    app.data(address).reading.wait(60)
    assert "2 annotators marked 4 units in 1 document." in app.page(address).said


def test_a_record_that_cannot_be_read_is_skipped_by_a_button(app, tmp_path):
    place = tmp_path / "marked.csv"
    place.write_text(f"{CSV}d;anna;oops;9;x\n", "utf-8")
    address = app.open(place)
    assert fixes(app.page(address).text) == [("skip_bad", "true")]
    app.browser.send(address, {"fix": "skip_bad", "value": "true"})
    app.data(address).reading.wait(60)
    assert "2 annotators marked 4 units" in app.page(address).said


def test_one_of_several_layers_is_chosen_by_a_button(app, tmp_path):
    units = [{"start": 0, "end": 3, "type": kind, "features": {"value": "x"}} for kind in ("A", "B")]
    lines = [json.dumps({"document": "d", "annotator": who, "text": "one", "units": units}) for who in ("anna", "bert")]
    place = tmp_path / "layers.jsonl"
    place.write_text("\n".join(lines), "utf-8")
    address = app.open(place)
    assert "Layers" in app.page(address).said
    assert fixes(app.page(f"{address}/measure").text) == [("layers", '["A"]'), ("layers", '["B"]')]
    app.browser.send(address, {"fix": "layers", "value": '["A"]', "then": "measure"})
    app.data(address).reading.wait(60)
    assert app.data(address).data.n_units == 2


def sent_by(page):
    """Give what the form of the preview sends if nothing is changed in it, as far as boxes and hidden fields go."""
    inputs = re.findall(r'<input type="(checkbox|hidden)" name="([^"]*)" value="([^"]*)"( checked)?', page)
    found = {}
    for kind, name, value, checked in inputs:
        if kind == "hidden" or checked:
            found.setdefault(name, []).append(value)
    return found


def test_going_on_from_the_preview_takes_its_choices_along_and_keeps_results(app, tmp_path):
    place = tmp_path / "layers.jsonl"
    units = [{"start": 0, "end": 3, "type": kind, "features": {f"of {kind}": "x"}} for kind in ("A", "B")]
    lines = [json.dumps({"document": "d", "annotator": who, "text": "one", "units": units}) for who in ("anna", "bert")]
    place.write_text("\n".join(lines), "utf-8")
    address = app.open(place)
    app.browser.send(address, {**sent_by(app.page(address).text), "layers": "A", "then": "measure"})
    app.data(address).reading.wait(60)
    assert app.browser.send(address, {"layers": "A", "then": "measure"}).address == f"{address}/measure"
    reading = app.data(address).reading
    page = app.page(address).text
    app.browser.send(address, {**sent_by(page), "then": "measure"})
    assert app.data(address).reading is reading
    app.browser.send(address, {**sent_by(page), "layers": "B"})
    app.data(address).reading.wait(60)
    assert "of B" in app.data(address).data.features


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.csv", b"", "empty"),
        ("page.csv", b"<!DOCTYPE html><html></html>", "HTML page"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0", "not text but binary"),
        ("broken.zip", b"PK\x03\x04 but no archive", "damaged"),
        ("half.jsonl", b'{"document": "d", "annotator": ', "JSON"),
        ("one.csv", b"nothing", "not a table"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_sentence(app, tmp_path, name, content, why):
    place = tmp_path / name
    place.write_bytes(content)
    address = app.open(place)
    page = app.page(address)
    assert page.status == 200
    assert why in page.said
    assert "Traceback" not in page.text
    for other in ("/measure", "/decide", "/give"):
        assert why in app.browser.get(address + other).said  # leads back
    assert app.browser.get(f"{address}/desk.json").status == 400


def test_a_path_that_is_not_there_is_a_sentence(app, tmp_path):
    answer = app.browser.send("/open", {"path": str(tmp_path / "nothing.csv")})
    assert answer.status == 400
    assert "There is no such file or folder; check the path" in answer.said
    assert re.search(r"<textarea[^>]*>[^<]*nothing\.csv</textarea>", answer.text), "what was typed can be corrected"
    assert "rite the whole path" in app.browser.send("/open", {"path": "relative.csv"}).said
    assert "Write the path" in app.browser.send("/open", {"path": ""}).said


@pytest.mark.parametrize(
    "address", ["/data/0123456789ab", "/data/0123456789ab/decide", "/data/..%2f..%2f", "/data/x/runs/1"]
)
def test_data_that_is_not_open_is_a_sentence(app, address):
    answer = app.browser.get(address)
    assert answer.status == 404
    assert "not open" in answer.said or "no such page" in answer.said


def test_data_that_was_opened_before_is_opened_again(app, demo):
    app.data(demo).close()
    app.state.library._open.clear()
    assert "174 units" in app.page(demo).said
    app.browser.send("/forget", {"id": demo.split("/")[2]})
    assert app.browser.get(demo).status == 404
    assert app.browser.get("/").text.count("demo.jsonl") == 0


def test_measures_that_fit_come_with_reasons(app, demo):
    page = app.page(f"{demo}/measure")
    assert re.search(r'name="m" value="gamma" checked', page.text)
    assert "units of several layers" not in page.said
    assert "measures do not fit" in page.said
    assert 'name="p.alpha"' in page.text
    assert "the weight of positions" in page.said
    other = app.page(f"{demo}/measure?m=span-f1")
    assert 'name="p.alpha"' not in other.text
    assert re.search(r'name="m" value="span-f1" checked', other.text)


def test_runs_stand_side_by_side_and_one_that_fails_leaves_the_others(app, demo):
    app.browser.send(f"{demo}/runs", {"measure": "span-f1"})
    app.browser.send(f"{demo}/runs", {"measure": "gamma", "p.precision": "0.2", "p.alpha": "3", "seed": "7"})
    app.browser.send(f"{demo}/runs", {"measure": "cohen-kappa"})  # for labels of the same spans
    runs = app.data(demo).runs
    for run in runs.values():
        run.job.wait(60)
    assert [run.job.state for run in runs.values()] == ["done", "done", "failed"]
    page = app.browser.get(f"{demo}/measure")
    assert "pans do not coincide" in page.said
    expected = unisono.measure("gamma(alpha=3,precision=0.2)", unisono.read(demo_path()), rng=7)
    assert f"= {expected.value:.3f}" in page.said
    assert "unisono measure" in page.said
    assert "gamma(alpha=3,precision=0.2)" in page.said
    report = app.browser.get(f"{demo}/runs/2")
    assert report.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert "default-src 'none'; script-src 'sha256-" in html.unescape(report.text)
    assert 'class="app-bar"' in report.text
    assert app.browser.get(f"{demo}/runs/all").text.count('class="card"') == 2
    assert "pans do not coincide" in app.browser.get(f"{demo}/runs/3").said, "it leads back"
    app.browser.send(f"{demo}/runs/3/end")
    assert [*runs] == [1, 2]
    assert app.browser.get(f"{demo}/runs/99").status == 404


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"measure": "gamma", "p.alpha": "high"}, "alpha=high is invalid"),
        ({"measure": "gamma", "seed": "x"}, "whole number"),
        ({"measure": "nothing"}, "nknown measure"),
        ({"measure": "text-gamma", "base": "../../etc/passwd"}, "no such file"),
        ({}, "nknown measure"),
    ],
)
def test_wrong_parameters_are_sentences(app, demo, fields, why):
    app.page(f"{demo}/measure")
    answer = app.browser.send(f"{demo}/runs", fields)
    assert why in html.unescape(answer.said)
    assert not app.data(demo).runs


def test_a_wrong_parameter_is_marked_and_what_was_typed_stays(app, demo):
    app.page(f"{demo}/measure")
    page = app.browser.send(f"{demo}/runs", {"measure": "gamma", "p.alpha": "high", "p.beta": "2"}).text
    assert re.findall(r'<label class="wrong"><bdi>(\w+)</bdi>', page) == ["alpha"]
    assert re.search('name="p.alpha" value="high"', page)
    assert re.search('name="p.beta" value="2"', page)


def test_a_run_can_be_cancelled(app, demo):
    app.browser.send(f"{demo}/runs", {"measure": "gamma", "p.precision": "0.0004"})
    (run,) = app.data(demo).runs.values()
    assert app.browser.get(f"{demo}/runs.json").data["runs"]["1"]["state"] == "running"
    assert "Cancel" in app.browser.get(f"{demo}/measure").said
    app.browser.send(f"{demo}/runs/1/end")
    assert run.job.wait(10)
    assert run.job.state == "cancelled"
    assert run.job._process.poll() is not None
    assert "Cancelled." in app.browser.get(f"{demo}/measure").said


def test_a_run_that_is_killed_is_a_sentence(app, demo):
    app.browser.send(f"{demo}/runs", {"measure": "gamma", "p.precision": "0.0004"})
    (run,) = app.data(demo).runs.values()
    run.job._process.kill()
    assert run.job.wait(10)
    assert run.job._process not in app.state.library.helpers._idle
    assert "stopped unexpectedly" in app.browser.get(f"{demo}/measure").said


def test_models_and_curators_are_proposed_and_then_matter(app, tmp_path):
    place = tmp_path / "labels.csv"
    rows = [f"i{k},{'ab'[k % 2]},{'ab'[k % 3 % 2]},{'ab'[k % 2]},{'ab'[k % 5 % 2]}" for k in range(30)]
    place.write_text("\n".join(["item,anna,bert,CURATION_USER,gpt-4o", *rows]), "utf-8")
    address = app.open(place)
    page = app.page(address)
    assert "CURATION_USER , gpt-4o may not be people" in page.said
    assert " selected" not in re.search('<select name="role.gpt-4o".*?</select>', page.text)[0].replace(
        '"" selected', ""
    )
    opened = app.data(address)
    assert not opened.models, "a name is proposed, never assumed"
    app.browser.send(address, {"roles": "1", "propose": "1"})
    assert (opened.models, opened.curators) == (["gpt-4o"], ["CURATION_USER"])
    assert app.state.home.entry(opened.entry.id).roles == opened.entry.roles
    assert "unisono compare" in app.page(address).said
    measuring = app.page(f"{address}/measure").said
    assert "Left out, because this is a curator: CURATION_USER" in measuring
    assert "Compare gpt-4o with the people" in measuring
    app.browser.send(f"{address}/runs", {"measure": "krippendorff-alpha", "models": "1"})
    (run,) = opened.runs.values()
    assert run.job.wait(60)
    assert run.measured.result.data.annotators == ("anna", "bert", "gpt-4o")
    assert run.models.humans == ("anna", "bert")
    assert "Models and people" in app.browser.get(f"{address}/measure").said
    assert 'id="models"' in app.browser.get(f"{address}/runs/1").text
    assert app.data(address).drafting().wait(60)
    assert opened.draft.annotated.annotators == ("anna", "bert", "gpt-4o")
    everybody = {f"role.{name}": "curator" for name in opened.data.annotators}
    assert "not everybody can be a curator" in app.browser.send(address, {"roles": "1", **everybody}).said.lower()


def test_a_curator_is_the_reference_of_a_measure_that_takes_one(app, demo):
    app.browser.send(demo, {"roles": "1", "role.anna": "curator"})
    assert 'name="p.reference" value="anna"' in app.page(f"{demo}/measure?m=slot-error-rate").text
    app.browser.send(f"{demo}/runs", {"measure": "slot-error-rate", "p.reference": "anna"})
    app.browser.send(f"{demo}/runs", {"measure": "slot-error-rate"})
    people = []
    for run in app.data(demo).runs.values():
        assert run.job.wait(60)
        people.append(run.measured.result.data.annotators)
    assert people == [("anna", "bert", "chris"), ("bert", "chris")]


def test_dropped_files_are_kept_and_opened(app):
    packed = app.state.home.folder / "packed.zip"
    packed.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(demo_path(), "annotations.jsonl")
    addresses = []
    for _ in range(2):
        drop = app.browser.tell("/drop", {}).data["id"]
        assert app.browser.ask("PUT", f"/drop/{drop}/export.zip", packed.read_bytes()).status == 200
        addresses.append(app.browser.tell(f"/drop/{drop}", {}).data["address"])
    assert addresses[0] == addresses[1], "the same files have the same decisions"
    app.data(addresses[0]).reading.wait(60)
    assert "174 units" in app.page(addresses[0]).said
    assert str(app.data(addresses[0]).decisions).startswith(str(app.state.home.dropped))
    assert not [path for path in app.state.home.dropped.iterdir() if path.name.startswith(".coming")]


def test_dropped_folders_stay_folders(app):
    drop = app.browser.tell("/drop", {}).data["id"]
    for who in ("anna", "bert"):
        for name, content in (("text.txt", b"one two"), ("text.ann", b"T1\tX 0 3\tone\n")):
            assert app.browser.ask("PUT", f"/drop/{drop}/corpus/{who}/{name}", content).status == 200
    address = app.browser.tell(f"/drop/{drop}", {}).data["address"]
    app.data(address).reading.wait(60)
    assert "2 annotators marked 2 units in 1 document." in app.page(address).said


@pytest.mark.parametrize("name", ["..%2f..%2fevil", "a/../../evil", "%2fetc%2fpasswd", "c:%5cevil", "a%00b", "x" * 300])
def test_names_of_dropped_files_lead_nowhere_else(app, name):
    drop = app.browser.tell("/drop", {}).data["id"]
    assert app.browser.ask("PUT", f"/drop/{drop}/{name}", b"x").status in (400, 404)
    assert not list(app.state.home.folder.rglob("evil"))


def test_too_much_is_not_taken(app, monkeypatch):
    monkeypatch.setattr(dropping, "LARGEST_DROP", 1000)
    monkeypatch.setattr(dropping, "MOST_FILES", 2)
    drop = app.browser.tell("/drop", {}).data["id"]
    answer = app.browser.ask("PUT", f"/drop/{drop}/large", b"x" * 1001)
    assert answer.status == 400
    assert "give their path instead" in answer.data["error"]
    drop = app.browser.tell("/drop", {}).data["id"]
    statuses = [app.browser.ask("PUT", f"/drop/{drop}/{k}", b"x").status for k in range(3)]
    assert statuses == [200, 200, 400]
    assert app.browser.tell("/drop/unknown", {}).status == 404


def test_the_gold_standard_is_written_beside_the_data_and_never_over_anything(app, demo, tmp_path):
    page = app.page(f"{demo}/give")
    assert "62 units in 4 documents" in page.said
    assert "12 places are not decided" in page.said
    assert re.search('name="format" value="jsonl" checked', page.text), "what the data came in is offered first"
    answer = app.browser.send(f"{demo}/give", {"format": "jsonl", "path": "gold.jsonl"})
    assert str(tmp_path / "gold.jsonl") in answer.said
    expected = unisono.gold(unisono.read(tmp_path / "demo.jsonl")).plain
    assert unisono.read(tmp_path / "gold.jsonl") == expected
    for path, why in [
        ("gold.jsonl", "exists already"),
        ("demo.jsonl", "is what is read"),
        ("../gold.jsonl", "choose a name within"),
        ("/tmp/gold.jsonl", "choose a name within"),
        ("", "write a name"),
        ("new/gold.jsonl", "there is no folder"),
    ]:
        assert why in app.browser.send(f"{demo}/give", {"format": "jsonl", "path": path}).said, path
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo.jsonl", "gold.jsonl"]
    downloaded = app.browser.send(f"{demo}/download", {"format": "jsonl"})
    assert downloaded.content == (tmp_path / "gold.jsonl").read_bytes()
    assert app.browser.send(f"{demo}/download", {"format": "brat"}).content.startswith(b"PK")
    assert app.browser.send(f"{demo}/download", {"format": "nothing"}).status == 400
    assert "Nothing has been decided" in app.browser.get(f"{demo}/decisions.jsonl").said


def test_what_a_format_loses_of_several_documents_is_said(app, demo):
    pytest.importorskip("spacy", reason="writes DocBin")
    assert "The names of documents are not written" in app.page(f"{demo}/give").said


def test_a_link_does_not_lead_out_of_the_folder(app, demo, tmp_path):
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (tmp_path / "link").symlink_to(outside)
    answer = app.browser.send(f"{demo}/give", {"format": "jsonl", "path": "link/gold.jsonl"})
    assert "choose a name within" in answer.said
    assert not list(outside.iterdir())


def test_decisions_come_and_go_over_the_wire(app, demo, tmp_path):
    app.page(f"{demo}/decide")
    found = app.browser.get(f"{demo}/desk.json").data
    number = next(k for k, row in enumerate(found["rows"]) if row[4] == 0)
    place = app.browser.get(f"{demo}/places/{number}.json").data
    took = {"decision": "units", "units": [], "took": "draft", "place": number, "seen": "", "by": "lena"}
    kept = app.browser.tell(f"{demo}/decisions", took)
    assert kept.data["progress"]["decided"] == 1
    assert len((tmp_path / "demo.decisions.jsonl").read_text("utf-8").splitlines()) == 1
    late = app.browser.tell(f"{demo}/decisions", took)
    assert late.status == 409
    assert "another window" in late.data["error"]
    assert app.browser.tell(f"{demo}/undo", {}).data["place"] == number
    assert app.browser.get(f"{demo}/places/{number}.json").data["decision"] is None
    assert place["why"]
    for wrong in ({}, {"place": -1}, {"place": 10**6}, {"place": "0"}, {"place": True}, {**took, "units": 3}):
        assert app.browser.tell(f"{demo}/decisions", wrong).status == 400
    assert app.browser.get(f"{demo}/places/100000.json").status == 400
    assert app.browser.ask("POST", f"{demo}/decisions", b"[1", Content_Type="application/json").status == 400
    assert app.browser.ask("POST", f"{demo}/decisions", b"[1]", Content_Type="application/json").status == 400
    large = b'{"x": "' + b"x" * 2**20 + b'"}'
    assert app.browser.ask("POST", f"{demo}/decisions", large, Content_Type="application/json").status == 400


def test_labels_have_the_colours_that_they_have_in_the_report(app, demo):
    app.page(f"{demo}/decide")
    labels = app.browser.get(f"{demo}/desk.json").data["features"][0]["labels"]
    assert [label for label, *_ in labels] == ["EVENT", "PLACE", "TIME", "PERSON"], "the most frequent first"
    assert {label: paint for label, *_, paint in labels} == {"EVENT": "c0", "PERSON": "c1", "PLACE": "c2", "TIME": "c3"}


@pytest.mark.parametrize("kind", ["units", "items", "texts"])
def test_hidden_names_are_hidden_in_the_list_too(app, tmp_path, kind):
    place = tmp_path / ("data.csv" if kind != "texts" else "data.jsonl")
    unit = {"start": 0, "end": 4, "features": {"pos": "V"}}
    texts = [{"document": "d", "annotator": who, "text": who * 2, "units": [unit]} for who in ("anna", "bert")]
    content = {
        "units": CSV,
        "items": "item,anna,bert\ni,x,y\nj,x,x\n",
        "texts": "\n".join(map(json.dumps, texts)),
    }
    place.write_text(content[kind], "utf-8")
    address = app.open(place)
    app.page(f"{address}/decide")
    named, hidden = (
        [row[6] for row in app.browser.get(f"{address}/desk.json{query}").data["rows"]] for query in ("", "?hidden=1")
    )
    assert any("anna: " in said for said in named)
    assert hidden == [said.replace("anna: ", "A: ").replace("bert: ", "B: ") for said in named]


def test_the_places_of_a_run_are_decided(app, demo):
    app.browser.send(f"{demo}/runs", {"measure": "gamma", "p.alpha": "9", "p.precision": "0.2"})
    app.data(demo).runs[1].job.wait(60)
    assert 'id="place-desk"' not in app.browser.get(f"{demo}/runs/1").text
    app.browser.send(f"{demo}/runs/1/decide")
    assert app.data(demo).entry.drafting == {"measure": "gamma(alpha=9)"}
    app.data(demo).runs[1].page = None
    assert 'id="place-desk"' in app.browser.get(f"{demo}/runs/1").text
    assert "alpha=x is invalid" in app.browser.send(f"{demo}/decide", {"measure": "gamma(alpha=x)"}).said
    assert app.data(demo).entry.drafting == {"measure": "gamma(alpha=9)"}
    assert "write a number" in app.browser.send(f"{demo}/decide", {"support": "half"}).said


def test_two_people_decide_and_a_third_one_settles_where_they_differ(app, tmp_path):
    place = tmp_path / "labels.csv"
    place.write_text("item,anna,bert\n" + "".join(f"i{k},{'xy'[k % 2]},{'xyz'[k % 3]}\n" for k in range(12)), "utf-8")
    address = app.open(place)
    opened = app.data(address)
    for who, labels in (("lena", "xxxx"), ("tom", "xyxy")):
        app.browser.send(f"{address}/people", {"own": who})
        assert opened.decisions == tmp_path / f"labels.{who}.decisions.jsonl"
        assert f'data-user="{who}" data-named' in app.page(f"{address}/decide").text
        queue = app.browser.get(f"{address}/desk.json").data["rows"]
        asked = [number for number, row in enumerate(queue) if row[4] >= 0][: len(labels)]
        for number, label in zip(asked, labels, strict=True):
            sent = {"decision": "label", "label": label, "took": "edited", "by": who, "place": number, "seen": ""}
            assert app.browser.tell(f"{address}/decisions", sent).status == 200
    files = [str(tmp_path / f"labels.{who}.decisions.jsonl") for who in ("lena", "tom")]
    app.browser.send(f"{address}/people", {"own": "labels.tom.decisions.jsonl", "others": files[:1]})
    page = app.page(f"{address}/decide").said
    assert "4 places decided by several people (tom, lena), who agree on 2 (50%)" in page
    rows = app.browser.get(f"{address}/desk.json").data["rows"]
    assert sorted(row[5] for row in rows if row[4] in (0, 1)) == [DISPUTED, DISPUTED]
    command = app.page(f"{address}/give").said.partition("unisono gold")[2]
    assert command.index(files[1]) < command.index(files[0]), "one's own is first"
    answer = app.browser.send(f"{address}/people/agreement")
    measured = app.data(answer.address)
    assert measured.reading.wait(60)
    assert set(measured.data.annotators) == {"lena", "tom"}
    assert measured.data.n_items == 4
    for own, others, why in [
        ("", [], "write a name"),
        ("../x", [], "without a folder"),
        ("labels.jsonl", [], "ends with"),
        ("tom", [str(tmp_path / "nobody.jsonl")], "cannot be read"),
        ("tom", [str(place)], "not a file of decisions"),
        ("tom", ["labels.csv"], "whole path"),
    ]:
        assert why in app.browser.send(f"{address}/people", {"own": own, "others": others}).said, own


def test_names_in_the_data_stay_text(app, tmp_path):
    hurt = '"><script>window.hurt=1</script>'
    corpus = made([(hurt, 0, 4, hurt), ("\u202ebert", 0, 5, "X" * 5000)], document=[hurt] * 2)
    place = tmp_path / "<b>name.jsonl"
    unisono.write(corpus, place)
    address = app.open(place)
    for page in (address, f"{address}/measure", f"{address}/decide", "/"):
        text = app.page(page).text
        assert "<script>window" not in text
        assert "<b>name" not in text
    found = app.browser.get(f"{address}/desk.json").data
    assert found["annotators"] == [hurt, "\u202ebert"]


def test_many_can_ask_at_once(app, demo):
    import threading

    app.page(f"{demo}/decide")
    answers = []

    def ask():
        browser = Browser(app.port)
        browser.cookie = app.browser.cookie
        answers.append(browser.get(f"{demo}/desk.json").status)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 8
