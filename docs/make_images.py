"""Make the pictures of the documentation anew: `python docs/make_images.py`."""

from __future__ import annotations

from pathlib import Path

import unisono
from unisono.demo import demo_path
from unisono.reporting.alignment_svg import alignment_svg

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Draw the first two sentences of the demo's first text."""
    result = unisono.gamma(unisono.read(demo_path()))
    picture = alignment_svg(result.alignment["ferry"], first=0, last=141, standalone=True)
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "alignment.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
