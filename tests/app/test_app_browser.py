"""The app in a real browser: the whole way, by keyboard and mouse, with hostile data and in two windows."""

from __future__ import annotations

import base64
import io
import json
import re
import warnings
import zipfile

import pytest
from app_helpers import TOKEN
from gold_helpers import made, units_of

import unisono
from unisono.app.desk import Desk
from unisono.data import Corpus
from unisono.demo import demo_path

cassis = pytest.importorskip("cassis", reason="reads what dkpro-cassis writes")
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
HURT = '"><img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'
NARROW = 390


def inception_project():
    """Pack the built-in data as INCEpTION exports a project."""
    types = cassis.TypeSystem()
    entity = types.create_type(ENTITY, "uima.tcas.Annotation")
    types.create_feature(entity, "value", "uima.cas.String")
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as project:
        project.writestr("exportedproject.json", "{}")
        for document in unisono.read(demo_path()):
            for who in document.annotators:
                cas = cassis.Cas(types)
                cas.sofa_string, cas.sofa_mime = document.text, "text/plain"
                own = [unit for unit in document.units if unit.annotator == who]
                cas.add_all([types.get_type(ENTITY)(begin=u.start, end=u.end, value=u.category) for u in own])
                packed = io.BytesIO()
                with zipfile.ZipFile(packed, "w") as version:
                    version.writestr(f"{who}.xmi", cas.to_xmi())
                    version.writestr("TypeSystem.xml", types.to_xml())
                project.writestr(f"annotation/{document.name}.txt/{who}.zip", packed.getvalue())
    return whole.getvalue()


def drop(page, name, content):
    """Drop a file onto the page."""
    page.evaluate(
        """([name, content]) => {
            const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], name));
            const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
            document.getElementById("drop").dispatchEvent(new DragEvent("drop", how));
        }""",
        [name, base64.b64encode(content).decode()],
    )


def ready(page):
    """Wait until a place is shown, and return what it is called."""
    page.wait_for_selector("#choices button")
    return page.locator("#place-title").text_content()


def press(page, key):
    """Decide with a key, and wait for the next place; return what it is called."""
    before = page.locator("#place-title").text_content()
    page.keyboard.press(key)
    page.wait_for_function("before => document.getElementById('place-title').textContent !== before", arg=before)
    return ready(page)


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_whole_way(program, window, shut_out, tmp_path):
    first = program()
    page = window()
    page.goto(first.address)
    page.wait_for_selector("#drop")
    assert "token" not in page.url
    assert shut_out(page) == []
    drop(page, "project.zip", inception_project())
    page.wait_for_selector("text=3 annotators marked 174 units in 4 documents.")
    assert shut_out(page) == []
    page.click("text=Measure agreement")
    page.wait_for_selector("#run")
    page.click(".parameters summary")
    page.fill("[name='p.precision']", "0.2")
    page.click("#run button.first")
    page.wait_for_selector(".run .value")
    page.click(".run .headline a")
    page.wait_for_selector("#places")
    assert shut_out(page) == []
    page.go_back()
    page.wait_for_selector(".run .value")
    assert re.fullmatch(r"γ = 0\.6\d+", page.locator(".run .value").text_content())
    assert "unisono measure" in page.locator(".run .command code").text_content()
    assert shut_out(page) == []
    page.click(".run .said a >> nth=0")
    page.wait_for_selector("#place-desk")
    page.click("#place-desk")
    linked = ready(page)
    assert page.evaluate("location.hash").startswith("#at/")
    assert shut_out(page) == []
    page.evaluate("location.hash = ''; location.reload()")
    seen = [ready(page)]
    assert linked
    for key in ("1", "Enter", "2", "0", "s", "3", "Enter", "1"):
        seen.append(press(page, key))
    page.keyboard.press("n")
    page.keyboard.type("who says so?")
    page.keyboard.press("Enter")
    seen.append(press(page, "Enter"))
    page.keyboard.press("e")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("t")
    assert shut_out(page) == []
    seen.append(press(page, "Enter"))
    assert len(set(seen)) == len(seen) == 11
    (kept,) = (tmp_path / "home" / "dropped").rglob("*.decisions.jsonl")
    lines = lines_of(kept)
    assert len(lines) == 10
    assert [line["decision"] for line in lines].count("skip") == 1
    assert lines[-2]["note"] == "who says so?"
    assert lines[-1]["took"] == "edited"
    assert lines[-1]["units"][0]["features"]["value"] == "TIME"
    first.kill()

    second = program()
    page.goto(second.address)
    page.click(".recent a")
    page.click("text=Decide on disagreements")
    assert ready(page) == seen[-1]
    assert page.locator("#progress").text_content().startswith("9 of 12 decided · 1 skipped")
    press(page, "Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('All places')")
    page.click("text=Give back")
    page.wait_for_selector("#formats")
    assert shut_out(page) == []
    page.check("[name=format][value=xmi]")
    page.wait_for_selector(".previewed h2:has-text('XMI')")
    page.fill("[name=path]", "gold")
    page.click(".writing button.first")
    page.wait_for_selector(".done")
    written = kept.parent / "gold"
    expected = unisono.gold(next(kept.parent.glob("*.zip")), decisions=kept).plain
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        types = cassis.load_typesystem(written / "TypeSystem.xml")
    found = []
    for document in expected:
        (file,) = written.rglob(f"{document.name}*.xmi")
        cas = cassis.load_cas_from_xmi(file, typesystem=types)
        found += [(document.name, one.begin, one.end, one.value) for one in cas.select(ENTITY)]
    assert sorted(found) == sorted((*unit[:3], unit[-1]) for unit in units_of(expected))
    edited = lines[-1]["units"][0]
    assert (lines[-1]["place"]["document"], edited["start"], edited["end"], "TIME") in found


@pytest.fixture
def desk(app, window, tmp_path):
    """Open data at the desk, in a window."""

    def opened(corpus, **how):
        place = tmp_path / "data.jsonl"
        unisono.write(corpus, place, overwrite=True)
        address = app.open(place)
        page = window(**how)
        page.goto(f"http://127.0.0.1:{app.port}/?token={TOKEN}")
        page.wait_for_selector("#drop")
        app.data(address).drafting().wait(
            60
        )  # a page that waits for it is loaded anew, perhaps while this one is being loaded
        page.goto(f"http://127.0.0.1:{app.port}{address}/decide")
        ready(page)
        return page

    return opened


def two(text, *units):
    """Make a corpus of two annotators on one text; units are pairs of (start, end, label), or None."""
    rows = [(who, *unit) for pair in units for who, unit in zip(("anna", "bert"), pair, strict=True) if unit]
    return made(rows, texts={("document", who): text for who in ("anna", "bert")})


def test_ends_of_relations_are_chosen_moved_and_kept(desk, shut_out, tmp_path):
    text = "Anna met Bert in Rome with Cleo."
    ends = [("anna", (0, 4), (9, 13)), ("bert", (0, 4), (27, 31))]
    ends += [(who, (17, 21), (9, 13)) for who in ("anna", "bert")]
    page = desk(
        Corpus.from_columns(
            annotator=[who for who, *_ in ends],
            anchors=[[("source", *source), ("target", *target)] for _, source, target in ends],
            features={"category": ["met", "met", "saw", "saw"]},
            texts={("document", who): text for who, *_ in ends},
        )
    )
    assert page.locator("#passage .arc .tip").count() == 3, "an arrow in the draft, and in everybody's track"
    assert shut_out(page) == []
    for key in ("e", "2", "ArrowDown", "1", "ArrowRight", "ArrowRight", "s"):
        page.keyboard.press(key)
    assert page.locator("#editor .span").text_content() == "saw · Anna met → Rome"
    page.keyboard.press("2")
    there = page.locator(".line .words").first.evaluate(
        """(words) => {
            const range = document.createRange(), at = words.textContent.indexOf("Cleo");
            range.setStart(words.firstChild, at); range.setEnd(words.firstChild, at + 4);
            const { left, top } = range.getBoundingClientRect();
            return [left + 9, top + 5];
        }"""
    )
    page.mouse.dblclick(*there)
    page.wait_for_selector("#editor .span:has-text('Cleo')")
    assert page.locator("#editor .span").text_content() == "saw · Anna met → Cleo"
    assert shut_out(page) == []
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('All places')")
    page.keyboard.press("u")
    page.wait_for_selector("#said:has-text('undone')")
    page.keyboard.press("2")
    page.wait_for_selector("#said:has-text('All places')")
    edited, undone, taken = lines_of(tmp_path / "data.decisions.jsonl")
    assert [(one["role"], one["start"], one["end"]) for one in edited["units"][0]["anchors"]] == [
        ("source", 0, 8),
        ("target", 27, 31),
    ]
    assert (edited["units"][0]["features"], undone["decision"], taken["took"]) == (
        {"category": "saw"},
        "undo",
        "annotator:bert",
    )


def test_texts_are_decided_token_by_token(desk, shut_out, tmp_path):
    versions = {
        "anna": ("siehe ef al im Bund", [(0, 5, "V"), (6, 11, "X"), (12, 14, "P"), (15, 19, "N")]),
        "bert": ("siehe et al. im Band", [(0, 5, "V"), (6, 8, "C"), (9, 12, "X"), (13, 15, "P"), (16, 20, "N")]),
    }
    rows = [(who, *unit) for who, (_, units) in versions.items() for unit in units]
    page = desk(
        Corpus.from_columns(
            annotator=[who for who, *_ in rows],
            start=[start for _, start, _, _ in rows],
            end=[end for _, _, end, _ in rows],
            features={"pos": [label for *_, label in rows]},
            texts={("document", who): text for who, (text, _) in versions.items()},
        )
    )
    assert page.locator(".versions tr").count() == 3, "the draft, and everybody"
    assert page.locator(".context mark").text_content() in ("ef al", "et al.")
    assert shut_out(page) == []
    page.keyboard.press("e")
    page.locator("#edited-text").fill("et| alii, |d. h.")
    page.keyboard.press("Tab")
    page.keyboard.press("C")
    assert page.locator(".gold .chip-text").all_text_contents() == ["et", "alii,", "d. h."]
    assert shut_out(page) == []
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.context mark').textContent.startsWith('B')")
    assert page.locator(".context").text_content() == "siehe et alii, d. h. im Band"
    page.keyboard.press("1")
    page.wait_for_selector("#said:has-text('All places')")
    edited, taken = lines_of(tmp_path / "data.decisions.jsonl")
    assert (edited["text"], [(one["start"], one["end"]) for one in edited["tokens"]]) == (
        "et alii, d. h.",
        [(0, 2), (3, 8), (9, 14)],
    )
    assert edited["tokens"][0]["features"] == {"pos": "C"}
    assert (taken["text"], taken["took"]) == ("Bund", "annotator:anna")
    page.click("text=Give back")
    page.wait_for_selector("#formats")
    page.check("[name=format][value=jsonl]")
    page.wait_for_selector(".previewed h2:has-text('JSON lines')")
    page.click(".writing button.first")
    page.wait_for_selector(".done")
    (written,) = tmp_path.glob("*gold*.jsonl")
    back = unisono.read(written)["document"]
    assert [back.text[one.start : one.end] for one in back.units] == ["siehe", "et", "alii,", "d. h.", "im", "Bund"]


def test_boundaries_are_moved_by_keys_and_by_the_mouse(desk, tmp_path):
    text = "The old ferryman rowed eleven tourists across the lake."
    page = desk(two(text, [(4, 16, "PERSON"), (0, 16, "PLACE")], [(17, 22, "PLACE"), None]))
    page.click("text=old ferryman")
    page.keyboard.press("e")
    span = page.locator("#editor .span")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    start, end = map(int, re.search(r"(\d+)–(\d+)", span.text_content()).groups())
    assert text[start:end].endswith("rowed ")
    grip = page.locator(".grip.right")
    grip.hover()
    page.mouse.down()
    there = page.locator(".words:has-text('eleven')").first.evaluate(
        """(words) => {
            const range = document.createRange(), at = words.textContent.indexOf("eleven");
            range.setStart(words.firstChild, at); range.setEnd(words.firstChild, at + 6);
            const { right, top } = range.getBoundingClientRect();
            return [right, top + 5];
        }"""
    )
    page.mouse.move(*there, steps=4)
    page.mouse.up()
    dragged = int(re.search(r"–(\d+)", span.text_content())[1])
    assert text[:dragged].endswith("eleven")
    page.keyboard.press("Escape")
    assert page.locator("#editor").is_hidden()
    page.locator(".words >> text=tourists").first.dblclick()
    page.wait_for_selector("#editor .span")
    marked = [int(one) for one in re.search(r"(\d+)–(\d+)", span.text_content()).groups()]
    assert text[slice(*marked)].strip() in text
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    page.wait_for_selector("#editor", state="hidden")
    (line,) = lines_of(tmp_path / "data.decisions.jsonl")
    assert [line["units"][0]["start"], line["units"][0]["end"]] == marked


def test_hostile_names_labels_and_texts_stay_text(desk):
    text = f"{HURT} \u202eshalom\u202c שלום עולם {'x' * 400} end 👩\u200d👩\u200d👧 fin"
    rows = [
        (HURT, 0, 10, HURT),
        ("\u202ebert", 4, 12, "L" * 3000),
        (HURT, 80, 90, "שלום"),
        ("\u202ebert", 80, 95, HURT),
    ]
    corpus = made(rows, document=[HURT] * 4, texts={(HURT, who): text for who in (HURT, "\u202ebert")})
    for width in (1280, NARROW):
        page = desk(corpus, width=width)
        for key in ("j", "e", "Escape", "k", "?"):
            page.keyboard.press(key)
        assert page.evaluate("window.hurt") is None
        assert page.locator("main img, main script").count() == 0
        assert HURT in page.locator("#passage").text_content()
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_two_windows_do_not_overwrite_each_other(desk, tmp_path):
    page = desk(two("one two three four", [(0, 3, "A"), (0, 3, "B")], [(8, 13, "A"), (8, 13, "B")]))
    other = page.context.new_page()
    other.goto(page.url)
    assert ready(other) == ready(page)
    press(page, "1")
    other.keyboard.press("2")
    other.wait_for_selector("#problem:not([hidden])")
    assert "another window" in other.locator("#problem").text_content()
    assert "A" in other.locator("#said").text_content()
    other.keyboard.press("2")
    other.wait_for_function("() => document.querySelectorAll('.status-1').length === 1")
    assert [line["units"][0]["features"]["category"] for line in lines_of(tmp_path / "data.decisions.jsonl")] == [
        "A",
        "B",
    ]
    other.close()


def test_a_decision_that_is_not_saved_is_not_believed_saved(desk, tmp_path):
    page = desk(two("one two three", [(0, 3, "A"), (0, 3, "B")], [(8, 13, "A"), (8, 13, "B")]))
    before = press(page, "1")
    (tmp_path / "data.decisions.jsonl").unlink()
    page.keyboard.press("1")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.locator("#problem").text_content().startswith("Not saved: ")
    assert page.locator("#place-title").text_content() == before
    assert page.locator(".status-1").count() == 1


def test_digits_choose_themselves_where_labels_are_digits(app, window, tmp_path):
    (tmp_path / "ratings.csv").write_text("item,anna,bert\na,0,3\nb,2,5\nc,3,0\n", "utf-8")
    address = app.open(tmp_path / "ratings.csv")
    page = window()
    page.goto(f"http://127.0.0.1:{app.port}/?token={TOKEN}")
    page.wait_for_selector("#drop")
    app.data(address).drafting().wait(
        60
    )  # a page that waits for it is loaded anew, perhaps while this one is being loaded
    page.goto(f"http://127.0.0.1:{app.port}{address}/decide")
    ready(page)
    for key in "30":
        press(page, key)
    assert [line["label"] for line in lines_of(tmp_path / "ratings.decisions.jsonl")] == ["3", "0"]


def test_what_people_decided_differently_is_settled_by_a_key(app, window, tmp_path, shut_out):
    place = tmp_path / "ratings.csv"
    place.write_text("item,anna,bert\na,x,y\nb,x,x\n", "utf-8")
    files = [tmp_path / f"ratings.{who}.decisions.jsonl" for who in ("lena", "tom")]
    for path, who, label in zip(files, ("lena", "tom"), "xy", strict=True):
        desk = Desk(unisono.gold(unisono.read(place)), path)
        desk.decide(0, {"decision": "label", "label": label, "took": "edited", "by": who}, seen="")
        desk.close()
    address = app.open(place)
    app.browser.send(f"{address}/people", {"own": "me", "others": [*map(str, files)]})
    page = window()
    page.goto(f"http://127.0.0.1:{app.port}/?token={TOKEN}")
    page.wait_for_selector("#drop")
    page.goto(f"http://127.0.0.1:{app.port}{address}/decide")
    ready(page)
    assert page.locator("#why").text_content().startswith("Decided differently by lena and tom")
    page.click("text=Who decides")
    assert shut_out(page) == []
    page.locator("#list").focus()
    page.keyboard.press("b")
    page.wait_for_selector("#said:has-text('All places')")
    (line,) = lines_of(tmp_path / "ratings.me.decisions.jsonl")
    assert (line["label"], line["took"], len(line["replaces"])) == ("y", "decision:tom", 2)


def test_items_are_decided_by_keys(app, window, tmp_path, shut_out):
    (tmp_path / "items.csv").write_text("item,anna,bert\na,x,x\nb,x,y\nc,y,z\nd,z,x\n", "utf-8")
    address = app.open(tmp_path / "items.csv")
    page = window(width=NARROW)
    page.goto(f"http://127.0.0.1:{app.port}/?token={TOKEN}")
    page.wait_for_selector("#drop")
    app.data(address).drafting().wait(
        60
    )  # a page that waits for it is loaded anew, perhaps while this one is being loaded
    page.goto(f"http://127.0.0.1:{app.port}{address}/decide")
    ready(page)
    assert shut_out(page) == []
    press(page, "1")
    press(page, "0")
    page.keyboard.press("u")
    page.wait_for_function("() => document.getElementById('progress').textContent.startsWith('1 of 3')")
    first, _, undone = lines_of(tmp_path / "items.decisions.jsonl")
    assert (first["decision"], first["label"], undone["decision"]) == ("label", "x", "undo")


@pytest.mark.slow
def test_twenty_thousand_units(desk, tmp_path):
    n = 10_000
    rows = {"annotator": ["anna"] * n + ["bert"] * n, "start": [12 * k for k in range(n)] * 2}
    text = "some words a " * n
    corpus = Corpus.from_columns(
        **rows,
        end=[12 * k + 5 for k in range(n)] + [12 * k + 5 + k % 3 for k in range(n)],
        document=["long"] * (2 * n),
        features={"category": [f"label {k % 9}" for k in range(n)] + [f"label {(k + k % 2) % 9}" for k in range(n)]},
        texts={("long", who): text for who in ("anna", "bert")},
    )
    page = desk(corpus)
    elements = "document.getElementsByTagName('*').length"
    counts = []
    for share in (0.2, 0.9):
        page.evaluate("share => { const list = document.getElementById('list'); list.scrollTop = share * 5e5; }", share)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        counts.append(page.evaluate(elements))
        assert 5 <= page.locator(".option").count() <= 40
    assert max(counts) < 2000
    for _ in range(12):
        press(page, "1")
    page.wait_for_selector(".option.status-1")
    assert len(lines_of(tmp_path / "data.decisions.jsonl")) == 12
    took = page.evaluate(
        """() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/decisions"))
            .map((one) => one.responseEnd - one.requestStart).sort((a, b) => a - b)[6]"""
    )
    assert took < 1000  # a tenth of that if the computer is idle


def test_nothing_is_cut_off_in_narrow_windows(app, window, tmp_path, shut_out):
    place = tmp_path / "demo.jsonl"
    place.write_bytes(demo_path().read_bytes())
    address = app.open(place)
    page = window(width=NARROW)
    page.goto(f"http://127.0.0.1:{app.port}/?token={TOKEN}")
    page.wait_for_selector("#drop")
    for path in ("/", address, f"{address}/measure", f"{address}/decide", f"{address}/give"):
        app.page(path)
        page.goto(f"http://127.0.0.1:{app.port}{path}")
        page.wait_for_load_state("networkidle")
        for summary in page.locator("main details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, path
        assert shut_out(page, rules=["label", "button-name"]) == [], path
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert shut_out(page, rules=["color-contrast"]) == [], f"{path} {scheme}"
