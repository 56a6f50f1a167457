"""Write docs/fidelity.md, published numbers beside ours, from the data of the tests: `python docs/make_fidelity.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/fidelity.md"
BEGIN = """# Published numbers

<!-- made by docs/make_fidelity.py from tests/measurement/published.py; change these, not this page -->

What papers and other programs have published, and what unisono gives for the same data. A number counts as the same
if it is equal to the last digit that was published. The tests check every row; the data is in
`tests/measurement/published.py`.

"""
END = """## What is not in the tables

- **Files that are not part of this project.** The tests also measure published files that have to be downloaded: the
  least disorder of four files of pygamma-agreement, eight digits (`test_gamma_golden.py`); several
  annotated documents of segeval (`test_segmentation.py`); a text in CorA-XML for text-γ (`test_text_gamma.py`).
- **Random tables.** Hundreds of random tables have been compared with irrCAC, pingouin, psych, statsmodels,
  scikit-learn, NLTK and krippendorff: [coming from these](coming-from.md).
- **Curves.** Figures 24 to 30 of Mathet et al. (2015) and figure 2 of Barteld et al. (2016) are drawn again in [an
  X-ray of measures](xray.md) and [on text-γ](text-gamma.md). The corpora of the papers are not public, so that
  only the shapes can be compared.
- **Slips in the papers.** In figure 20 of Mathet et al. (2015), the formula divides by the mean length, in equation
  (3) by the sum: equation (3) is right. In Bollmann et al. (2016), observed and expected agreement of characters,
  0.9698 and 0.6312, give 0.918, not the printed 0.9155.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the text of the page."""
    sys.path.insert(0, str(ROOT / "tests/measurement"))
    from published import ALL

    parts = [BEGIN]
    for title, rows in ALL.items():
        differ = [row for row in rows if row.why]
        same = len(rows) - len(differ)
        parts.append(f"## {title}\n\n{same} of {len(rows)} are the same.\n\n")
        parts.append("| source | number | measure | published | unisono |\n|---|---|---|---|---|\n")
        parts += [
            f"| {row.source} | {_bars(row.what)} | `{row.measure}` | {_minus(row.theirs)} "
            f"| {_minus(f'{row.ours():.{row.digits}f}')}{' *' if row.why else ''} |\n"
            for row in rows
        ]
        parts.append("\n")
        parts += [f"\\* {_bars(row.what)} ({row.source}): {row.why}.\n\n" for row in differ]
    return "".join([*parts, END])


def _minus(number: str) -> str:
    return number.replace("-", "−")


def _bars(text: str) -> str:
    return text.replace("|", "\\|").replace("_", "\\_")


if __name__ == "__main__":
    main()
