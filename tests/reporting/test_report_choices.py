"""Numbers that lead to the places behind them, addresses that keep a choice, and the overview of a document."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

import unisono
from unisono.demo import demo_path


@pytest.fixture(scope="module")
def places():
    """What each annotator has, place by place, and how much they differ, as the alignment says."""
    result = unisono.measure("gamma(precision=0.2)", unisono.read(demo_path()))
    return [
        ([None if unit is None else unit.category for unit in one.units.values()], one.disorder, name)
        for name, alignment in result.alignment.items()
        for one in alignment
    ]


def n_found(page):
    return int(re.match(r"[\d,]+", page.locator("#found").text_content())[0].replace(",", ""))


def follow(page, link):
    """Follow a link within the page, and count the places that it leads to."""
    address = link.get_attribute("href")
    link.evaluate("link => link.click()")
    page.wait_for_function("wanted => location.hash.includes(wanted)", arg=address.partition("?")[2])
    return n_found(page)


def test_agreement_is_hidden_by_default(opened, places):
    page = opened("demo")
    disputed = sum(disorder > 0 for _, disorder, _ in places)
    assert page.locator("#found").text_content() == f"{disputed} of {len(places)} places differ"
    page.check("#filter-all")
    assert page.locator("#found").text_content() == f"{len(places)} places, {disputed} of which differ"
    page.go_back()
    page.wait_for_function("() => !document.getElementById('filter-all').checked")
    assert n_found(page) == disputed


def test_confusion_cells_lead_to_their_places(opened, places):
    page = opened("demo")
    heads = [head.strip() for head in page.locator("#confused thead th").all_text_contents()[1:]]
    table = page.locator("#confused tbody tr")
    for row, column in ((0, 1), (0, heads.index("no unit")), (2, 2)):
        link = table.nth(row).locator("td").nth(column).locator("a")
        wanted = {"no unit": None}
        one, other = (wanted.get(heads[k], heads[k]) for k in (row, column))
        met = [found for found, *_ in places if any({x, y} == {one, other} for x, y in combinations(found, 2))]
        n_pairs = sum(
            sorted(map(str, pair)) == sorted(map(str, (one, other))) for f in met for pair in combinations(f, 2)
        )
        assert n_pairs == int(link.text_content())
        assert follow(page, link) == len(met)
        assert heads[column] in page.locator("#met").text_content()


def test_everything_that_counts_leads_to_places(opened, places):
    page = opened("demo")
    missing = sum(disorder > 0 and None in found for found, disorder, _ in places)
    assert follow(page, page.locator(".key a", has_text="missing units")) == missing
    assert page.locator("#filter-kind").input_value() == "missing unit"
    time = sum(disorder > 0 and "TIME" in found for found, disorder, _ in places)
    assert follow(page, page.locator("#tables table:has(caption:text-is('Categories')) a", has_text="TIME")) == time
    pair = page.locator("#tables table.matrix td a").first
    alike = follow(page, pair)
    assert "anna and bert differ" in page.locator("#met").text_content()
    assert sum(found[0] != found[1] for found, *_ in places) <= alike < len(places)
    worst = page.locator("#worst a")
    assert worst.count() == 3
    follow(page, worst.nth(1))
    name = page.locator("#worst small").nth(1).text_content().rpartition(" · ")[2]
    assert page.locator("#place-title").text_content() == name


def test_a_choice_is_in_the_address_and_back_undoes_it(opened):
    page = opened("demo")
    everything = n_found(page)
    page.select_option("#filter-label", "TIME")
    some = n_found(page)
    page.select_option("#filter-document", "ferry")
    few = n_found(page)
    assert everything > some > few > 0
    assert page.evaluate("location.hash") == "#places?document=ferry&label=TIME"
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.wait_for_function("() => location.hash.startsWith('#at/ferry/')")
    address = page.evaluate("location.hash")
    assert address.endswith("?document=ferry&label=TIME")
    page.go_back()
    page.wait_for_function("n => parseInt(document.getElementById('found').textContent) === n", arg=some)
    assert page.locator("#filter-document").input_value() == ""
    page.go_back()
    page.wait_for_function("n => parseInt(document.getElementById('found').textContent) === n", arg=everything)
    page = opened("demo", fragment=address)
    assert n_found(page) == few
    assert page.locator("#filter-label").input_value() == "TIME"


def test_keys_work_from_anywhere(opened):
    page = opened("demo")
    first = page.locator("#place-title").text_content()
    page.evaluate("() => { scrollTo(0, document.body.scrollHeight); document.activeElement.blur(); }")
    page.keyboard.press("j")
    assert page.locator("#place-title").text_content() != first
    box = page.locator("#looked-at").bounding_box()
    assert -box["height"] < box["y"] < 900
    page.keyboard.press("k")
    assert page.locator("#place-title").text_content() == first


def test_rows_say_what_differs_in_words(opened, places):
    page = opened("demo", fragment="#places?document=library&kind=missing%20unit")
    said = page.locator(".option .differs").all_text_contents()
    alone = "chris: no unit; others: PLACE"
    n_alone = sum(found == ["PLACE", "PLACE", None] and name == "library" for found, _, name in places)
    assert said.count(alone) == n_alone > 0
    page = opened("demo", fragment="#places?kind=boundaries")
    one = next(text for text in page.locator(".option .differs").all_text_contents() if "ends" in text)
    assert re.fullmatch(r"[A-Z]+: .*\b(begins|ends) \d+ (later|earlier).*", one)


def test_units_that_cover_a_place_are_named(opened):
    page = opened("demo", fragment="#at/ferry/8")
    rows = page.locator("#place-units tbody tr").all_text_contents()
    assert "annano unit of its own; PLACE overlaps it" in rows
    page.locator("#stage .unit:not(.now)").first.click()
    page.wait_for_function("() => document.getElementById('place-title').textContent !== 'ferry 8'")


def test_the_filters_stay_when_another_place_is_looked_at(opened):
    page = opened("demo", fragment="#places?label=TIME")
    some = n_found(page)
    person = page.locator("#stage .unit:not(.now)", has_text="EVENT").first
    person.click()
    assert n_found(page) == some
    assert "not in the list" in page.locator("#place-said").text_content()
    page.keyboard.press("j")
    assert page.locator("#list [aria-selected=true]").count() == 1


def test_the_overview_shows_and_moves_the_part_that_is_drawn(opened):
    page = opened("demo", fragment="#at/ferry/8")
    brush, said = page.locator(".brush"), page.locator("#overview .note")
    n_units = page.locator("#stage .unit").count()
    page.click("[aria-label='Show the whole document']")
    assert said.text_content() == "0 to 360 of 360"
    assert page.locator("#stage .unit").count() > n_units
    assert page.locator("#stage .source").count() == 0 or page.locator("#stage svg").bounding_box()["height"] > 200
    page.click("[aria-label='Show less']")
    begin, end = map(int, re.findall(r"\d+", said.text_content())[:2])
    assert end - begin == pytest.approx(180, abs=2)
    brush.focus()
    page.keyboard.press("Home")
    assert said.text_content().startswith("0 to ")
    page.keyboard.press("ArrowRight")
    assert said.text_content().startswith("45 to ")
    box = brush.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 60, box["y"] + 10, steps=3)
    page.mouse.up()
    assert brush.bounding_box()["x"] == pytest.approx(box["x"] + 60, abs=3)
    page.click("[aria-label='Show this place']")
    assert page.locator("#stage .unit").count() == n_units


def test_segmentations_speak_of_boundaries(opened, shut_out):
    page = opened("cuts")
    assert page.locator("#found").text_content() == "4 of 4 places differ"
    said = page.locator(".option .differs").all_text_contents()
    assert "anna: boundary; others: no boundary" in said
    assert "chris: no boundary; others: boundary" in said
    page.locator(".option", has_text="chris: no boundary").click()
    assert "… late again. | " in page.locator("#list [aria-selected=true] .about").text_content().replace(
        "…The ferry was", "…"
    )
    rows = page.locator("#place-units tbody tr").all_text_contents()
    assert rows == ["anna25", "bert25", "chrisno boundary; the nearest is 1 later"]
    assert page.locator("#stage .unit.now:not(.ghost)").count() == 2
    assert page.locator("#stage .source").count() > 0
    assert follow(page, page.locator(".answer a")) == 2
    assert "unit" not in page.locator("#viewer").text_content().replace("units", "")
    assert shut_out(page) == []
