"""The report in a real browser: Chromium, driven by playwright."""

from __future__ import annotations

import re

import pytest
from report_pages import HOSTILE

PAGES = ("demo", "large", "hostile", "ratings", "edited", "normalizations", "models", "relations")


def title(page):
    return page.locator("#place-title").text_content()


def n_found(page):
    return int(re.match(r"[\d,]+", page.locator("#found").text_content())[0].replace(",", ""))


def column(page, table, index):
    return page.locator(f"{table} tbody tr > :nth-child({index})").all_text_contents()


@pytest.mark.parametrize("name", PAGES)
def test_nobody_is_shut_out(opened, shut_out, name):
    page = opened(name)
    assert shut_out(page) == []
    page.emulate_media(color_scheme="dark")
    assert shut_out(page, rules=["color-contrast"]) == []  # only colours differ


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_narrow_windows(opened, name):
    page = opened(name, width=400)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_tables_sort_by_any_column(opened):
    page = opened("demo")
    table = "#tables table.sortable:has(caption:text-is('Documents'))"
    names, numbers = column(page, table, 1), [float(n) for n in column(page, table, 5)]
    assert page.locator(f"{table} th[aria-sort]").count() == 1
    button = page.locator(f"{table} thead button", has_text="document")
    button.click()
    assert column(page, table, 1) == sorted(names)
    assert page.locator(f"{table} th[aria-sort=ascending]").text_content() == "document"
    button.press("Enter")
    assert column(page, table, 1) == sorted(names, reverse=True)
    assert page.locator(f"{table} th[aria-sort=descending]").count() == 1
    page.locator(f"{table} thead button", has_text="units").click()
    assert [float(n) for n in column(page, table, 5)] == sorted(numbers)
    assert page.locator(f"{table} th[aria-sort]").count() == 1


def test_cells_without_value_stay_last(opened):
    page = opened("hostile")
    table = "#tables table.sortable:has(caption:text-is('Categories'))"
    for _ in range(2):
        page.locator(f"{table} thead button").nth(1).click()
        values = column(page, table, 2)
        assert values == sorted(values, key=lambda value: value.startswith("–"))


def test_filters_narrow_the_list(opened):
    page = opened("demo")
    everything = n_found(page)
    page.select_option("#filter-document", label="library")
    library = n_found(page)
    assert 0 < library < everything
    page.select_option("#filter-kind", label="missing unit")
    assert 0 < n_found(page) <= library
    page.click("#filters button[type=reset]")
    assert n_found(page) == everything
    page.select_option("#filter-label", label="TIME")
    assert 0 < n_found(page) < everything
    assert all("TIME" in said for said in page.locator(".option .differs").all_text_contents())
    page.select_option("#filter-label", "")
    page.select_option("#filter-annotator", label="chris has no unit")
    assert 0 < n_found(page) < everything
    page.select_option("#filter-annotator", label="anna disagrees with all others")
    assert 0 < n_found(page) < everything
    page.select_option("#filter-annotator", "")
    page.fill("#filter-size", "0.5")
    sizes = [float(size) for size in page.locator(".option .size").all_text_contents()]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= 0.5
    page.fill("#filter-size", "99")
    assert n_found(page) == 0
    assert page.locator(".option").count() == 0


def test_aligned_units_are_joined(opened):
    page = opened("demo")
    page.select_option("#filter-kind", label="category")
    page.locator("#list .option").first.click()
    units = page.locator("#stage .unit.now:not(.ghost)").count()
    assert units >= 2
    assert page.locator("#stage .join.now").count() >= 1
    rows = page.locator("#place-units tbody tr").all_text_contents()
    assert len(rows) == 3
    page.select_option("#filter-kind", "")
    page.select_option("#filter-annotator", label="chris has no unit")
    page.locator("#list .option").first.click()
    assert page.locator("#stage .unit.ghost .under").count() >= 1  # paper under the words
    assert any("no unit" in row for row in page.locator("#place-units tbody tr").all_text_contents())


def test_text_stands_above_the_tracks(opened):
    page = opened("demo", fragment="#at/library/1")
    said = " ".join(page.locator("#stage .source").all_text_contents())
    excerpt = page.locator("#list [aria-selected=true] .about").text_content().partition(" · ")[0]
    assert excerpt in said


def test_clicking_a_unit_goes_to_its_place(opened):
    page = opened("demo")
    before = title(page)
    page.locator("#stage .unit:not(.now)").first.click()
    assert title(page) != before
    assert page.locator("#list [aria-selected=true]").count() == 1


def test_keyboard_walks_through_places(opened):
    page = opened("demo")
    first = title(page)
    page.focus("#list")
    page.keyboard.press("ArrowDown")
    second = title(page)
    assert second != first
    active = page.get_attribute("#list", "aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowUp")
    assert title(page) == first
    page.keyboard.press("End")
    assert page.get_attribute("#next", "aria-disabled") == "true"
    page.keyboard.press("PageUp")
    page.keyboard.press("Home")
    assert title(page) == first
    page.focus("#next")
    page.keyboard.press("Enter")
    assert title(page) == second
    page.keyboard.press("k")
    assert title(page) == first
    page.keyboard.press("j")
    assert title(page) == second


def test_keys_in_filters_are_left_alone(opened):
    page = opened("demo")
    first = title(page)
    page.focus("#filter-document")
    page.keyboard.press("j")
    assert title(page) == first


def test_everything_is_reached_with_tab(opened):
    page = opened("demo")
    seen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('class')"))
    assert {"filter-document", "order", "list", "next", "place-link"} <= set(seen)


def test_links_lead_to_places(opened):
    page = opened("demo", fragment="#at/market/3")
    assert title(page) == "market 3"
    page.focus("#list")
    page.keyboard.press("ArrowDown")
    there, name = page.get_attribute("#place-link", "href"), title(page)
    page.wait_for_function("there => location.hash === there", arg=there)
    assert re.fullmatch(r"#at/\w+/\d+", there)
    page.click("#tables a:has-text('library')")
    page.wait_for_function("() => document.getElementById('place-title').textContent.startsWith('library ')")
    assert page.locator("#filter-document option:checked").text_content() == "library"
    page.evaluate("hash => { location.hash = hash; }", there)
    page.wait_for_function("name => document.getElementById('place-title').textContent === name", arg=name)


@pytest.mark.parametrize("fragment", ["#in/", "#values"])
def test_other_links_do_no_harm(opened, fragment):
    page = opened("demo", fragment=fragment)
    assert page.locator("#list [aria-selected=true]").count() == 1


def test_thousands_of_units_need_few_elements(opened):
    page = opened("large")
    assert n_found(page) > 2000
    elements = "document.getElementsByTagName('*').length"
    page.focus("#list")
    page.keyboard.press("End")
    counts = [page.evaluate(elements)]
    for share in (0.1, 0.5, 0.9):
        page.evaluate("share => { const list = document.getElementById('list'); list.scrollTop = share * 1e6; }", share)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        counts.append(page.evaluate(elements))
        assert 5 <= page.locator(".option").count() <= 40
    page.keyboard.press("Home")
    for _ in range(50):
        page.keyboard.press("j")
    counts.append(page.evaluate(elements))
    assert max(counts) < 2500
    assert page.locator("#list [aria-selected=true]").get_attribute("aria-posinset") == "51"


def test_markup_in_the_data_stays_text(opened):
    script, image, end, _ = HOSTILE
    page = opened("hostile")
    assert page.evaluate("window.hurt") is None
    assert page.locator("img, main script, main b:text-is('x')").count() == 0
    assert page.locator("h1").text_content() == script
    assert page.title() == script
    text = page.locator("main").text_content()
    for one in HOSTILE[:3]:
        assert one in text
    for _ in range(4):
        page.focus("#list")
        page.keyboard.press("ArrowDown")
        assert title(page).startswith(end)
    page.click("#data summary")
    page.click("#data a")
    page.wait_for_function("wanted => decodeURIComponent(location.hash) === wanted", arg=f"#in/{end}")
    assert page.evaluate("window.hurt") is None
    assert image in page.locator("#filter-annotator").text_content()


def test_the_policy_refuses_other_scripts(browser, files):
    context = browser.new_context()
    page = context.new_page()
    page.goto(files("demo"))
    page.evaluate(
        "() => { const made = document.createElement('script'); made.textContent = 'window.other = 1';"
        "document.body.append(made); const image = new Image(); image.src = 'https://example.org/x.png';"
        "document.body.append(image); }"
    )
    assert page.evaluate("window.other") is None
    policy = page.get_attribute("meta[http-equiv]", "content")
    assert policy.startswith("default-src 'none'")
    assert "unsafe-inline" not in policy
    context.close()


def test_dark_and_light_differ(opened):
    colours = [
        opened("demo", scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert colours == ["rgb(255, 255, 255)", "rgb(20, 24, 29)"]


def test_paper_is_light_and_has_the_worst_places(opened):
    page = opened("demo", scheme="dark")
    assert not page.locator(".on-paper table").is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".on-paper table").is_visible()
    for hidden in ("#list", "#filters", "nav", "button.copy"):
        assert not page.locator(hidden).first.is_visible()
    assert page.pdf().startswith(b"%PDF")


def test_texts_to_copy(opened):
    page = opened("demo", fragment="#paper")
    button = page.locator("button.copy[data-copy=bibtex]")
    button.click()
    page.wait_for_function("() => document.querySelector('[data-copy=bibtex]').textContent.startsWith('Copied')")
    assert page.locator("#copied-said").text_content() == "Copied"


def test_items_and_words_can_be_looked_through(opened):
    for name, said in (("ratings", "anna"), ("normalizations", "nähme"), ("edited", "hots")):
        page = opened(name)
        page.focus("#list")
        page.keyboard.press("Home")
        assert page.locator("#list [aria-selected=true]").count() == 1
        walked = []
        for _ in range(n_found(page)):
            walked.append(page.locator("#looked-at").text_content())
            page.keyboard.press("ArrowDown")
        assert any(said in text for text in walked)


def test_texts_stand_side_by_side(opened):
    page = opened("edited")
    assert page.locator("#texts td mark").count() > 0
    assert page.locator("#stage tr.now").count() == 1


def test_without_scripts_the_worst_places_are_listed(browser, files):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(files("demo"))
    assert page.locator("noscript table").is_visible()
    assert not page.locator("#viewer").is_visible()
    context.close()


def test_relations_are_drawn_as_arcs_and_told_by_their_ends(opened):
    page = opened("relations", fragment="#at/document/1")
    assert page.locator("#list .differs").first.text_content() == "chris: no unit; others: purchase"
    place = page.locator("#list .option", has_text="met: chris has target Cleo")
    assert place.locator(".about").text_content() == "Anna → Bert · document 1"
    now = page.locator("#stage .unit.now")
    assert [now.nth(k).locator(".body").count() for k in range(3)] == [2, 2, 2]
    assert (now.locator(".link").count(), now.locator(".tip").count()) == (3, 3)
    assert now.nth(2).locator("title").text_content().startswith("chris: met source 0–4, target 18–22, disorder")
    assert page.locator("#stage .join.now").count() == 4  # two sources and two targets
    assert column(page, "#place-units", 3) == ["source 0–4, target 9–13"] * 2 + ["source 0–4, target 18–22"]
    assert column(page, "#place-units", 4) == ["Anna → Bert", "Anna → Bert", "Anna → Cleo"]
    assert page.locator("#stage .unit.now .said").all_text_contents() == ["met"] * 3


def test_arcs_go_on_in_the_next_line(opened):
    page = opened("relations", width=420, fragment="#at/document/2")
    links = page.locator("#stage .unit.now:not(.ghost):has(.link)")
    assert links.count() > 2
    assert page.locator("#stage .unit.now:not(.ghost) .body").count() == 3 + 2
