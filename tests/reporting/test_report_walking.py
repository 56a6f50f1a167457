"""Ways through the report that are easily lost: links, keys, filters, other scripts, other colours and paper."""

from __future__ import annotations

import re

import pytest


def title(page):
    return page.locator("#place-title").text_content()


def found(page):
    return page.locator("#found").text_content()


def boxes(page, selector):
    return [page.locator(selector).nth(k).bounding_box() for k in range(page.locator(selector).count())]


def spans(page, selector):
    """Give from where to where elements reach, from left to right."""
    return [(box["x"], box["x"] + box["width"]) for box in boxes(page, selector)]


def test_links_to_what_is_not_there_say_so(opened):
    page = opened("demo", fragment="#at/market/9999")
    assert found(page).startswith("Place 9999 of market is not on this page")
    assert page.locator("#list [aria-selected=true]").count() == 0
    assert page.locator("#stage svg").count() == 0
    page.evaluate("location.hash = '#at/nowhere/1'")
    page.wait_for_function("() => document.getElementById('found').textContent.startsWith('Document nowhere is not')")
    page.evaluate("location.hash = '#in/%E0%A4%A'")
    page.wait_for_function("() => document.getElementById('found').textContent.startsWith('Document %E0')")
    page.focus("#list")
    page.keyboard.press("Home")
    assert page.locator("#list [aria-selected=true]").count() == 1
    assert page.locator("#place-link").is_visible()


def test_a_document_is_shown_whenever_its_link_is_followed(opened):
    page = opened("demo")
    everything = found(page)
    for _ in range(2):
        page.click("#tables a:has-text('library')")
        page.wait_for_function("() => document.getElementById('filter-document').selectedOptions[0].text === 'library'")
        assert found(page) != everything
        page.click("#filters button[type=reset]")
        page.wait_for_function("said => document.getElementById('found').textContent === said", arg=everything)
    page.click("#tables a:has-text('library')")
    page.wait_for_function("said => document.getElementById('found').textContent !== said", arg=everything)
    page.go_back()
    page.wait_for_function("said => document.getElementById('found').textContent === said", arg=everything)


def test_buttons_at_the_end_keep_the_focus(opened):
    page = opened("demo")
    page.focus("#list")
    page.keyboard.press("End")
    page.keyboard.press("k")
    page.focus("#next")
    for _ in range(2):
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "next"
    assert page.get_attribute("#next", "aria-disabled") == "true"


def test_the_picture_follows_the_filters(opened):
    page = opened("demo", fragment="#at/library/1")
    page.select_option("#filter-document", label="market")
    assert title(page).startswith("market ")
    assert page.locator("#list [aria-selected=true]").count() == 1
    page.fill("#filter-size", "99")
    assert title(page) == "No place matches the filters"
    assert page.locator("#stage svg, #place-units table").count() == 0
    page.fill("#filter-size", "0")
    assert title(page).startswith("market ")


def test_who_is_alone_has_a_label_that_nobody_else_gave(opened):
    page = opened("demo")
    page.select_option("#filter-annotator", label="anna disagrees with all others")
    page.focus("#list")
    page.keyboard.press("Home")
    for _ in range(int(re.match(r"\d+", found(page))[0])):
        rows = dict(zip("abc", page.locator("#place-units tbody tr").all(), strict=True))
        labels = {who: row.locator("td").first.text_content() for who, row in rows.items()}
        assert labels["a"] != "no unit"
        assert labels["a"] not in (labels["b"], labels["c"])
        page.keyboard.press("ArrowDown")


def test_copying_that_fails_is_told(opened):
    page = opened("demo", fragment="#paper")
    page.evaluate(
        "() => { document.execCommand = () => false;"
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } }); }"
    )
    page.click("button.copy[data-copy=latex]")
    page.wait_for_function("() => document.getElementById('copied-said').textContent === 'Selected: press Ctrl+C'")
    assert "booktabs" in page.evaluate("getSelection().toString()")


def test_letters_stand_above_their_units_whatever_the_script(opened, shut_out):
    page = opened("odd", fragment="#at/leftwards/1")
    word, phrase = spans(page, "#stage .source")[:2]
    short, long = spans(page, "#stage .unit.now .body")
    assert word == pytest.approx(short, abs=4)
    assert (phrase[0], word[1]) != pytest.approx(long, abs=4)  # the comma is outside
    assert phrase[0] < long[0] < phrase[1] < word[0]
    letters = page.locator("#stage .source").all_text_contents()
    assert letters[3:10] == list("English")
    part = min(spans(page, "#stage .unit:not(.now) .body"), key=lambda span: span[1] - span[0])
    for letter, (left, right) in zip(letters[3:10], spans(page, "#stage .source")[3:10], strict=True):
        assert (part[0] - 2 < left and right < part[1] + 2) == (letter in "Eng")
    page.evaluate("location.hash = '#at/accents/1'")
    page.wait_for_function("() => document.getElementById('place-title').textContent === 'accents 1'")
    words = spans(page, "#stage .source")
    assert words[0] == pytest.approx(spans(page, "#stage .unit.now .body")[0], abs=4)
    assert words[0][1] - words[0][0] == pytest.approx(3 * 7.9, abs=4)  # three letters, five code points
    assert words[2] == pytest.approx(spans(page, "#stage .unit:not(.now) .body")[0], abs=4)
    assert page.locator(".option .about", has_text="20–20").count() == 1
    assert "(empty)" in page.locator("#filter-label").text_content()
    assert shut_out(page) == []


def test_numbers_stand_in_their_order(opened):
    page = opened("scales")
    order = ["-2", "-1", "0", "0.25", "0.5", "1", "2", "5", "9", "10"]
    assert page.locator("#filter-label option").all_text_contents()[1:] == order
    heads = page.locator("#confusion thead th").all_text_contents()[1:]
    assert [head.strip() for head in heads] == [one for one in order if one != "2"]
    page.click("#data summary")
    table = "#data table:has(caption:has-text('Labels of each annotator'))"
    page.locator(f"{table} thead button").first.click()
    assert [one.strip() for one in page.locator(f"{table} tbody th").all_text_contents()] == order


def test_items_with_too_few_labels_do_not_agree(opened):
    page = opened("scales", fragment="#places?all=1")
    said = dict(
        zip(
            page.locator(".option .excerpt").all_text_contents(),
            page.locator(".option .size").all_text_contents(),
            strict=True,
        )
    )
    assert said["i4"] == "0.00"
    assert said["i6"] == "–"
    assert said["i9"] == "–"
    assert next(iter(said)) == "i10"  # the farthest apart
    page.locator(".option", has_text="i9").click()
    assert page.locator("#place-said").text_content() == "No label: nothing to compare"
    page.select_option("#filter-kind", label="missing label")
    assert found(page).startswith("3 of 10")


def test_tables_fit_on_paper(opened):
    page = opened("crowd", width=690)
    assert page.locator("#confusion thead bdi[title^='a very long label a very']").count() == 1
    assert len(page.locator("#confusion thead bdi[title]").text_content()) <= 60
    page.emulate_media(media="print")
    widest = "Math.max(...[...document.querySelectorAll('table, pre')].map((one) => one.getBoundingClientRect().right))"
    assert page.evaluate(widest) <= page.evaluate("document.documentElement.clientWidth")


def test_forced_colours_show_what_is_chosen(opened):
    page = opened("demo", forced_colors="active")
    style = "getComputedStyle(document.querySelector('[aria-selected=true]')).outlineWidth"
    assert page.evaluate(style) == "3px"
    assert page.evaluate("getComputedStyle(document.querySelector('.size')).borderTopWidth") == "1px"


def test_nothing_to_press_without_scripts(browser, files):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(files("demo"))
    assert page.locator("thead button:enabled").count() == 0
    context.close()
