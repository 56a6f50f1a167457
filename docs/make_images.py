"""Make the pictures of the documentation anew: `python docs/make_images.py`.

The picture of the report is a photograph of a page, which needs playwright and Chromium.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import unisono
from unisono.demo import demo_path
from unisono.reporting.alignment_svg import alignment_svg

IMAGES = Path(__file__).parent / "images"
MESSAGES = (
    "The parcel came a day early, and the driver even helped me carry it upstairs.",
    "I asked for a refund in March. It is June now.",
    "Does the blue one fit the old charger as well?",
    "Great, another update that deletes my settings.",
    "The manual is only in Dutch, but the pictures are clear.",
    "Please tell the team that the new search is wonderful.",
    "It works. I expected a little more for this price.",
    "Your colleague promised to call me back today.",
    "Third time that the door arrives with a scratch.",
    "I have no complaints.",
    "The app crashes when I open the second photograph.",
    "Can I change the address after I have paid?",
    "Wonderful service, as always. Two hours on hold.",
    "The colour is darker than in the picture, and I like it.",
)
"""Made up for the picture."""


def main() -> None:
    """Draw all pictures."""
    IMAGES.mkdir(exist_ok=True)
    draw_alignment()
    draw_items()


def draw_alignment() -> None:
    """Draw the first two sentences of the demo's first text."""
    result = unisono.gamma(unisono.read(demo_path()))
    picture = alignment_svg(result.alignment["ferry"], first=0, last=141, standalone=True)
    (IMAGES / "alignment.svg").write_text(picture, encoding="utf-8")


def draw_items() -> None:
    """Photograph the heat map of a report on made-up labels of messages."""
    from playwright.sync_api import sync_playwright

    rng = np.random.default_rng(6)
    moods = ["negative", "neutral", "positive"]
    meant = np.array([2, 0, 1, 0, 1, 2, 1, 0, 0, 2, 0, 1, 0, 2])
    columns = {
        who: [
            None if rng.random() < missing else moods[k if rng.random() > errors else (k + 1) % 3]
            for k in meant.tolist()
        ]
        for who, errors, missing in (("anna", 0.1, 0.0), ("bert", 0.25, 0.0), ("chris", 0.35, 0.1))
    }
    data = unisono.Ratings.from_annotators(columns, items=[f"message {k}" for k in range(1, len(MESSAGES) + 1)])
    data = replace(data, texts=MESSAGES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "report.html"
        unisono.report(unisono.krippendorff_alpha(data), page)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        window = browser.new_page(viewport={"width": 1180, "height": 900})
        window.goto(page.as_uri())
        window.locator(".panes").screenshot(path=IMAGES / "items.png")
        browser.close()


if __name__ == "__main__":
    main()
