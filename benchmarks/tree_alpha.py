"""tree-alpha and attachment beside table 1 of Skjærholt (2014), on those of its treebanks that are public.

    git clone https://github.com/arnsholt/syn-agreement
    python benchmarks/tree_alpha.py syn-agreement

The data is read here as the author's program does: each sentence is a tree. Two things differ from it. A word that is
its own head is a root here; there, it is left out with all words below it. And the size of a tree, for the variants
diff and norm, is that of the tree here; there, words that cannot be reached from the root count.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import unisono
from unisono.kernels import compile_kernels

Sentences: TypeAlias = list[list[list[str]]]
PAPER = {
    "NDT 1": (98.4, 93.0, 98.8, 94.0),
    "NDT 2": (98.9, 95.0, 99.1, 94.4),
    "NDT 3": (97.9, 91.2, 98.7, 95.3),
    "CDT (da)": (95.7, 84.7, 96.2, 90.4),
    "CDT (en)": (92.4, 70.7, 95.0, 88.4),
    "CDT (es)": (86.6, 48.8, 85.8, None),
    "CDT (it)": (84.5, 55.7, 89.2, None),
}
"""α plain, diff and norm, and LAS, in percent; the last two LAS leave sentences out and are means of another kind."""


def main(folder: Path) -> None:
    """Print our values and those of the paper."""
    compile_kernels()
    data = folder / "data"
    treebanks = {f"NDT {k}": _ndt(data, name) for k, name in enumerate(("danish", "swedish", "norwegian"), start=1)}
    treebanks |= {f"CDT ({name})": _pair(data / "cdt", name) for name in ("da", "en")}
    treebanks |= {f"CDT ({name})": _several(data / "cdt" / name) for name in ("es", "it")}
    print(f"{'':10} {'plain':>12} {'diff':>12} {'norm':>12} {'LAS':>12}   (ours/paper)")
    for name, documents in treebanks.items():
        corpus = _corpus(documents)
        ours = [unisono.tree_alpha(corpus, distance=one, trees="documents").value for one in ("plain", "diff", "norm")]
        ours.append(unisono.attachment(corpus, labelled=True).value)
        shown = [
            f"{100 * mine:.1f}/{'–' if theirs is None else theirs}"
            for mine, theirs in zip(ours, PAPER[name], strict=True)
        ]
        print(f"{name:10} {' '.join(f'{one:>12}' for one in shown)}")


def _ndt(data: Path, name: str) -> list[Mapping[str, Sentences]]:
    return [{who: _read(data / "ndt" / f"{who}-{name}.conll") for who in ("odin", "thor")}]


def _pair(folder: Path, name: str) -> list[Mapping[str, Sentences]]:
    return [{who: _read(folder / f"{name}-{who}.conll") for who in ("lotte", "morten")}]


def _several(folder: Path) -> list[Mapping[str, Sentences]]:
    """Read texts of several annotators, each of whom has a folder, and not all of whom have all texts."""
    found: dict[str, dict[str, Sentences]] = defaultdict(dict)
    for path in sorted(folder.glob("*/*.conll")):
        found[path.name.split("-")[0]][path.parent.name] = _read(path)
    return [texts for texts in found.values() if len(texts) > 1]


def _read(path: Path) -> Sentences:
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [
        [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        for block in blocks
        if block.strip()
    ]


def _corpus(texts: Sequence[Mapping[str, Sentences]]) -> unisono.Corpus:
    """Make a corpus with a document for each sentence."""
    rows = []
    for number, text in enumerate(texts):
        for who, sentences in text.items():
            for place, words in enumerate(sentences):
                spans = [(2 * k, 2 * k + 1) for k in range(len(words))]
                for own, word in zip(spans, words, strict=True):
                    head = int(word[6])
                    anchors = [("source", *own), *([("target", *spans[head - 1])] if head else [])]
                    rows.append((f"{number}-{place}", who, anchors, word[7]))
    return unisono.Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        anchors=[row[2] for row in rows],
        features={"category": [row[3] for row in rows]},
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
