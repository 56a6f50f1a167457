"""How long whole projects take to read, and how much memory: 1,000 documents, or 100,000 tasks, of three annotators."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from cassis import Cas, TypeSystem
from cassis.typesystem import TYPE_NAME_STRING

N_DOCUMENTS, N_WORDS, N_UNITS = 1000, 300, 25
N_TASKS = 100_000
ANNOTATORS = ("anna", "bert", "cleo")
_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
_READ = """
import resource, sys, time
import unisono
begin = time.perf_counter()
data = unisono.read(sys.argv[1])
seconds = time.perf_counter() - begin
n = max(one.n_items for one in data.questions.values()) if isinstance(data, unisono.Export) else len(data.documents)
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, n, data.n_units)
"""


def main() -> None:
    """Make a project in each format, read it in a process of its own, and print a table."""
    print("| project | documents or tasks | units or labels | seconds | MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, make, largest in (
            ("INCEpTION, XMI in ZIP", inception, N_DOCUMENTS),
            ("brat, a folder per annotator", brat, N_DOCUMENTS),
            ("Label Studio, labels of whole tasks", labelstudio, N_TASKS),
        ):
            for n_documents in (largest // 10, largest):
                path = make(Path(folder, f"{name[:4]}{n_documents}"), n_documents)
                done = subprocess.run(
                    [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
                )
                seconds, memory, documents, units = done.stdout.split()
                print(f"| {name} | {int(documents):,} | {int(units):,} | {float(seconds):.1f} | {memory} |", flush=True)


def inception(path: Path, n_documents: int) -> Path:
    """Make a project as INCEpTION exports it."""
    types = TypeSystem()
    entity = types.create_type("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity", "uima.tcas.Annotation")
    types.create_feature(entity, "value", TYPE_NAME_STRING)
    token = types.create_type(f"{_SEGMENTATION}.Token", "uima.tcas.Annotation")
    sentence = types.create_type(f"{_SEGMENTATION}.Sentence", "uima.tcas.Annotation")
    archive = path.with_suffix(".zip")
    rng = random.Random(1)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as project:
        project.writestr("exportedproject.json", "{}")
        for number in range(n_documents):
            text, words, places = _document(rng)
            for who in ANNOTATORS:
                cas = Cas(types)
                cas.sofa_string, cas.sofa_mime = text, "text/plain"
                cas.add_all([token(begin=begin, end=end) for begin, end in words])
                cas.add(sentence(begin=0, end=len(text)))
                for begin, end, label in _marked(words, places, rng):
                    cas.add(entity(begin=begin, end=end, value=label))
                packed = io.BytesIO()
                with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as own:
                    own.writestr(f"{who}.xmi", cas.to_xmi())
                    own.writestr("TypeSystem.xml", types.to_xml())
                project.writestr(f"annotation/text{number}.txt/{who}.zip", packed.getvalue())
    return archive


def brat(path: Path, n_documents: int) -> Path:
    """Make a folder as brat keeps it."""
    rng = random.Random(1)
    for who in ANNOTATORS:
        (path / who).mkdir(parents=True)
    for number in range(n_documents):
        text, words, places = _document(rng)
        for who in ANNOTATORS:
            lines = [
                f"T{k}\t{label} {begin} {end}\t{text[begin:end]}\n"
                for k, (begin, end, label) in enumerate(_marked(words, places, rng), start=1)
            ]
            (path / who / f"text{number}.txt").write_text(text)
            (path / who / f"text{number}.ann").write_text("".join(lines))
    return path


def labelstudio(path: Path, n_tasks: int) -> Path:
    """Make an export with two questions about whole tasks: a choice and a rating."""
    rng = random.Random(1)
    export = path.with_suffix(".json")
    with export.open("w", encoding="utf-8") as stream:
        for number in range(n_tasks):
            task = {
                "id": number,
                "annotations": [_answered(who, rng) for who in ANNOTATORS],
                "drafts": [],
                "predictions": [],
                "data": {"text": " ".join(f"word{rng.randrange(500)}" for _ in range(N_WORDS // 5))},
                "inner_id": number + 1,
                "total_annotations": len(ANNOTATORS),
            }
            stream.write(("[" if number == 0 else ",\n") + json.dumps(task))
        stream.write("]")
    return export


def _answered(who: str, rng: random.Random) -> dict[str, Any]:
    common = {"origin": "manual", "to_name": "text"}
    mood = {"choices": [rng.choice(["good", "bad", "mixed"])]}
    return {
        "completed_by": {"email": f"{who}@example.org", "first_name": "", "last_name": ""},
        "result": [
            {"id": "a", "type": "choices", "from_name": "mood", "value": mood, **common},
            {"id": "b", "type": "rating", "from_name": "stars", "value": {"rating": rng.randint(1, 5)}, **common},
        ],
        "was_cancelled": False,
        "created_at": "2024-05-01T10:00:00.000000Z",
        "updated_at": "2024-05-01T10:00:00.000000Z",
        "lead_time": 12.5,
    }


def _document(rng: random.Random) -> tuple[str, list[tuple[int, int]], list[int]]:
    words = [f"word{rng.randrange(500)}" for _ in range(N_WORDS)]
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return " ".join(words), spans, [rng.randrange(N_WORDS - 2) for _ in range(N_UNITS)]


def _marked(words: list[tuple[int, int]], places: list[int], rng: random.Random) -> list[tuple[int, int, str]]:
    marked = []
    for place in places:
        first = place + rng.choice([0, 0, 0, 1])
        marked.append(
            (words[first][0], words[min(first + rng.randrange(2), len(words) - 1)][1], rng.choice(["PER", "LOC"]))
        )
    return marked


if __name__ == "__main__":
    main()
