"""The report on labels of items in a real browser: heat map, confusion of a pair, differences of numbers."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from report_pages import HOSTILE, many_items, scales, texts_of_items

PAGES = ("said", "sets", "scales", "crowd", "many", "sparse")


def rows_of(page):
    """Give the labels of each row in view, by the numbers of the rows."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('#list-all [role=row]')].map((row) => {
            const cells = [...row.querySelectorAll('[role=gridcell]')];
            return [Number(row.getAttribute('aria-rowindex')), cells.map((cell) => cell.getAttribute('aria-label'))];
        })"""
    )
    return dict(found)


def names_of_rows(page):
    return page.locator("#list-all [role=rowheader] .excerpt").all_text_contents()


def title(page):
    return page.locator("#place-title").text_content()


def shown_count(page):
    return int(re.match(r"[\d,]+", page.locator("#found").text_content())[0].replace(",", ""))


def confusion(page):
    """Give the names of rows, and the numbers."""
    heads = page.locator("#confused tbody th").all_text_contents()
    cells = page.locator("#confused tbody tr").all()
    numbers = [
        [0 if n == "·" else int(n.replace(",", "")) for n in row.locator("td").all_text_contents()] for row in cells
    ]
    return heads, np.array(numbers)


@pytest.mark.parametrize("name", PAGES)
def test_nobody_is_shut_out(opened, shut_out, name):
    page = opened(name)
    assert shut_out(page) == []
    page.emulate_media(color_scheme="dark")
    assert shut_out(page, rules=["color-contrast"]) == []


@pytest.mark.parametrize("name", PAGES)
def test_phones_need_no_scrolling_sideways(opened, name):
    page = opened(name, width=390)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_rows_are_sorted_by_disagreement_order_label_and_document(opened):
    page = opened("said", fragment="#places?all=1")
    data = texts_of_items()
    sizes = [float(size) for size in page.locator("#list-all .size").all_text_contents()]
    assert sizes == sorted(sizes, reverse=True)
    page.select_option("#order", "text")
    first = page.locator("#list-all [role=rowheader] .excerpt").first.text_content()
    assert first == f"first: {data.items[0]}"
    page.select_option("#order", "document")
    page.focus("#list")
    for key, document in (("Home", "first"), ("End", "second")):
        page.keyboard.press(key)
        assert title(page).startswith(f"{document}: ")
    page.select_option("#order", "label 0")
    page.keyboard.press("Home")
    legend = page.locator(".key[aria-label='Colours of labels'] bdi").all_text_contents()
    anna = [labels[0] for _, labels in sorted(rows_of(page).items())]
    places = [legend.index(label) for label in anna if label in legend]
    assert len(places) == len(anna)
    assert places == sorted(places)
    assert page.locator("#list-head [aria-sort=ascending]").get_attribute("title") == "anna"
    page.locator("#list-head [data-who='1']").click()
    assert page.locator("#order").input_value() == "label 1"
    page.locator("#list-head [data-who='-1']").click()
    assert page.locator("#order").input_value() == "worst"


def test_cells_say_their_labels(opened):
    page = opened("said", fragment="#places?all=1")
    data = texts_of_items()
    page.select_option("#order", "text")
    page.focus("#list")
    page.keyboard.press("Home")
    found = rows_of(page)
    order = np.argsort(data.document, kind="stable")
    for index, labels in found.items():
        codes = data.codes[order[index - 2]].tolist()
        assert labels == ["no label" if code < 0 else data.labels[code] for code in codes]
    assert page.get_attribute("#list", "aria-rowcount") == str(data.n_items + 1)


def test_a_row_shows_the_item_with_its_text_and_all_labels(opened):
    page = opened("said", fragment="#places?all=1")
    data = texts_of_items()
    page.select_option("#order", "text")
    page.locator("#list-all [role=row]").first.click()
    assert title(page) == f"first: {data.items[0]}"
    assert page.locator("#item-text").text_content() == data.texts[0]
    rows = page.locator("#place-units tbody tr").all_text_contents()
    labels = ["no label" if code < 0 else data.labels[code] for code in data.codes[0].tolist()]
    assert rows == [f"{who}{label}" for who, label in zip(data.annotators, labels, strict=True)]
    page.select_option("#filter-document", label="second")
    without = data.texts.index("")
    name = f"{data.documents[data.document[without]]}: {data.items[without]}"
    page.locator("#list-all [role=row]", has_text=name).first.click()
    assert title(page) == name
    assert not page.locator("#item-text").is_visible()


def test_arrow_keys_go_from_cell_to_cell(opened):
    page = opened("crowd", width=700)
    page.focus("#list")
    page.keyboard.press("Home")
    assert page.get_attribute("#list", "aria-activedescendant") == "place-0"
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    active = page.get_attribute("#list", "aria-activedescendant")
    if active != "cell-1-11":  # the list was scrolled meanwhile
        page.wait_for_selector("#list[aria-activedescendant='cell-1-11']")
    cell, box = page.locator("#cell-1-11").bounding_box(), page.locator("#list").bounding_box()
    assert box["x"] <= cell["x"]
    assert cell["x"] + cell["width"] <= box["x"] + box["width"] + 1
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    assert page.get_attribute("#list", "aria-activedescendant") == "place-1"


def test_of_twenty_thousand_items_only_those_in_view_are_drawn(opened):
    page = opened("many", fragment="#places?all=1")
    data = many_items()
    assert shown_count(page) == data.n_items == 20_000
    counts = [page.locator("#list-all [role=row]").count()]
    for share in (0.3, 0.8):
        page.evaluate(
            "share => { const list = document.getElementById('list'); list.scrollTop = share * list.scrollHeight; }",
            share,
        )
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        counts.append(page.locator("#list-all [role=row]").count())
    assert max(counts) < 50
    assert min(counts) > 5
    page.select_option("#order", "text")
    page.focus("#list")
    page.keyboard.press("End")
    assert title(page) == "20000"
    (last,) = [labels for index, labels in rows_of(page).items() if index == 20_001]
    assert last == [str(data.labels[code]) for code in data.codes[-1].tolist()]


def test_numbers_have_shades_and_sets_have_stripes(opened):
    page = opened("many", fragment="#places?all=1")
    data = many_items()
    page.select_option("#order", "label 1")
    page.focus("#list")
    shades = []
    for key in ("Home", "End"):
        page.keyboard.press(key)
        found = page.evaluate(
            """() => {
                const cell = document.querySelectorAll('[aria-selected=true] [role=gridcell]')[1];
                return [cell.getAttribute('aria-label'), getComputedStyle(cell).backgroundColor];
            }"""
        )
        shades.append(found)
    assert [label for label, _ in shades] == [str(min(data.labels)), str(max(data.labels))]
    assert [colour for _, colour in shades] == ["rgb(237, 243, 249)", "rgb(20, 63, 99)"]
    page = opened("sets", fragment="#places?all=1")
    cell = page.locator("[role=gridcell][aria-label='local + sport']").first
    assert cell.evaluate("cell => getComputedStyle(cell).backgroundImage.startsWith('linear-gradient')")
    assert page.locator("[role=gridcell][aria-label='(empty)']").count() > 0
    assert page.locator("[role=gridcell].missing").count() > 0


def test_confusion_of_a_chosen_pair_filters_the_items(opened):
    page = opened("said")
    data = texts_of_items()
    heads, everyone = confusion(page)
    assert (everyone == everyone.T).all()
    page.select_option("#pair-rows", "0")
    page.select_option("#pair-columns", "3")
    heads, counts = confusion(page)
    expected = np.zeros((len(heads), len(heads)), int)
    pairs = [(data.labels[a], data.labels[b]) for a, b in data.codes[:, [0, 3]].tolist() if a >= 0 and b >= 0]
    for one, other in pairs:
        expected[heads.index(one), heads.index(other)] += 1
    assert (counts == expected).all()
    row, column = np.unravel_index(np.argmax(counts), counts.shape)
    page.locator("#confused tbody tr").nth(row).locator("td").nth(column).locator("a").click()
    page.wait_for_function(
        "n => parseInt(document.getElementById('found').textContent) === n", arg=int(counts[row, column])
    )
    assert all(labels[0] == heads[row] and labels[3] == heads[column] for labels in rows_of(page).values())
    assert heads[row] in page.locator("#met").text_content()
    page.click("#met a")
    page.wait_for_function("() => document.getElementById('met').hidden")
    assert re.fullmatch(r"\d+ of 60 items differ", page.locator("#found").text_content())


def test_one_annotator_against_all_others(opened):
    page = opened("said")
    data = texts_of_items()
    page.select_option("#pair-columns", "0")
    _, counts = confusion(page)
    both = (data.codes >= 0).astype(int).T @ (data.codes >= 0).astype(int)
    assert counts.sum() == both[0, 1:].sum()
    page.select_option("#pair-rows", "0")
    assert "no item in common" in page.locator("#confused").text_content()


def test_confusion_is_the_same_with_and_without_scripts(opened, browser, files):
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(files("said"))
    heads, counts = plain.locator("#confused tbody th").all_text_contents(), confusion(plain)[1]
    assert plain.locator(".limits").count() == 0
    context.close()
    found = confusion(opened("said"))
    assert [head.strip() for head in heads] == found[0]
    assert (found[1] == counts).all()


def test_two_annotators_are_the_only_pair(opened):
    page = opened("sets")
    assert not page.locator("#pair").is_visible()
    assert page.locator("#confused thead th").first.text_content() == "anna ↓ bert →"
    page.locator("#confused td a").first.click()
    page.wait_for_function("() => document.getElementById('found').textContent.startsWith('4 of ')")


def test_many_numbers_are_confused_by_ranges(opened):
    page = opened("many")
    heads, counts = confusion(page)
    assert len(heads) == 9
    assert heads[0].startswith("0 – ")
    assert np.tril(counts).sum() == 3 * 20_000


def test_differences_of_a_chosen_pair(opened):
    page = opened("scales")
    data = scales()
    plots = page.locator(".limits")
    assert plots.count() == 3
    assert [plots.nth(k).is_visible() for k in range(3)] == [True, False, False]
    page.select_option("#limits-pair", label="anna – chris")
    assert [plots.nth(k).is_visible() for k in range(3)] == [False, True, False]
    given = np.array(
        [[np.nan if code < 0 else float(data.labels[code]) for code in row] for row in data.codes.tolist()]
    )
    difference = given[:, 0] - given[:, 2]
    difference = difference[~np.isnan(difference)]
    cells = plots.nth(1).locator("tbody td:nth-child(2)").all_text_contents()
    said = [float(cell.replace("−", "-")) for cell in cells]
    mean, sd = difference.mean(), difference.std(ddof=1)
    assert said == pytest.approx([mean, mean - 1.959964 * sd, mean + 1.959964 * sd], abs=0.005)


def test_of_a_crowd_those_without_a_label_are_counted(opened):
    page = opened("sparse")
    rows = page.locator("#place-units tbody tr").all_text_contents()
    assert len(rows) == 4
    assert all(re.fullmatch(r"worker \d+(yes|no)", row) for row in rows[:3])
    assert rows[3] == "37 othersno label"
    assert page.locator("#place-units tbody .dot").count() == 3
    assert page.locator("#list-all [role=gridcell]").count() < 30 * 40 / 2  # columns beyond the view are not drawn


def test_markup_in_texts_stays_text(opened):
    page = opened("said")
    assert page.evaluate("window.hurt") is None
    assert page.locator("main img, main script, main b:text-is('x')").count() == 0
    page.focus("#list")
    for _ in range(12):
        page.keyboard.press("ArrowDown")
    said = page.locator("main").text_content()
    for one in HOSTILE[:3]:
        assert one in said
    assert page.evaluate("window.hurt") is None


def test_paper_has_the_worst_items_with_their_texts(opened):
    page = opened("said", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".on-paper table").is_visible()
    assert "Xanthippe" in page.locator(".on-paper table").text_content()
    for hidden in ("#list", "#pair", "#pair-note", "#filters"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#use table").first.is_visible()
    assert json.loads(page.locator("#places-data").text_content())["sort"] == "items"
