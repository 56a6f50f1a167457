"""Notebook output in the themes of its hosts, on systems of the other kind: readable, and laid out as intended."""

from __future__ import annotations

import pytest
from report_helpers import demo_result

from unisono.reporting.notebook import result_html

HOSTS = {
    # what matters of the style sheets of JupyterLab 4 and nbconvert 7 (templates/lab), VS Code, and older notebooks
    "JupyterLab": (
        '<body data-jp-theme-light="{light}"><div class="jp-RenderedHTMLCommon">{html}</div></body>',
        "body{{--jp-layout-color0:{paper};--jp-content-font-color1:{ink};background:var(--jp-layout-color0)}}"
        ".jp-RenderedHTMLCommon{{color:var(--jp-content-font-color1)}}"
        ".jp-RenderedHTMLCommon td,.jp-RenderedHTMLCommon th,.jp-RenderedHTMLCommon tr{{text-align:right;padding:.5em}}"
        ".jp-RenderedHTMLCommon tbody tr:nth-child(odd){{background:{paper}}}"
        ".jp-RenderedHTMLCommon ul:not(.list-inline){{padding-left:2em}}",
    ),
    "VS Code": (
        '<body class="vscode-{mode}"><div>{html}</div></body>',
        "body{{color:{ink};background:{paper}}}th,tr{{text-align:right}}"
        "tr:nth-child(even){{background-color:rgba(130,130,130,.08)}}",
    ),
    "any other": (
        '<body><div class="rendered_html">{html}</div></body>',
        "body{{color:{ink};background:{paper}}}.label{{color:{paper}}}.rendered_html td{{text-align:right}}",
    ),
}
THEMES = {
    "light": {"ink": "#212121", "paper": "#ffffff", "light": "true", "mode": "light"},
    "dark": {"ink": "#e0e0e0", "paper": "#111111", "light": "false", "mode": "dark"},
}


@pytest.fixture(scope="module")
def html():
    return result_html(demo_result())


def shown(window, host, theme, system, html):
    body, style = HOSTS[host]
    words = THEMES[theme]
    page = f"<!DOCTYPE html><style>{style.format(**words)}</style>{body.format(html=html, **words)}"
    window.emulate_media(color_scheme=system)
    window.set_content(page)
    return window


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(("theme", "system"), [("light", "dark"), ("dark", "light")])
def test_the_theme_of_the_notebook_counts(window, shut_out, html, host, theme, system):
    page = shown(window, host, theme, system, html)
    ink = page.evaluate("getComputedStyle(document.querySelector('.value')).color")
    assert ink == page.evaluate("getComputedStyle(document.querySelector('body > div')).color")
    assert shut_out(page, rules=["color-contrast"]) == []
    rows = page.locator("tbody tr").all()
    clear = {row.evaluate("row => getComputedStyle(row).backgroundColor") for row in rows}
    assert clear == {"rgba(0, 0, 0, 0)"}
    alone = page.locator("svg .alone .label").first.evaluate("text => getComputedStyle(text).fill")
    assert alone == ink  # on a pale bar


@pytest.mark.parametrize("host", HOSTS)
def test_names_are_on_the_left_and_numbers_on_the_right(window, html, host):
    page = shown(window, host, "light", "light", html)
    sides = "cells => [...new Set(cells.map((cell) => getComputedStyle(cell).textAlign))]"
    assert page.locator("tbody th").evaluate_all(sides) == ["left"]
    assert page.locator("td.number, th.number").evaluate_all(sides) == ["right"]
    assert page.locator("ul.key").first.evaluate("list => getComputedStyle(list).paddingLeft") == "0px"


@pytest.mark.parametrize(("theme", "bands"), [("light", "rgb(229, 138, 78)"), ("dark", "rgb(168, 93, 40)")])
def test_bands_are_those_of_the_theme(window, html, theme, bands):
    page = shown(window, "JupyterLab", theme, "light", html)
    fills = page.locator("svg .band").evaluate_all("bands => bands.map((band) => getComputedStyle(band).fill)")
    assert bands in fills
