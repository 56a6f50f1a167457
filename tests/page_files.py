"""Files under the names that the documentation's pages use, as users of each tool would have them."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import binary_examples
import cassis
import pandas as pd
import spacy
from pages import blocks
from spacy import tokens as spacy_tokens

import unisono
from unisono import shuffling
from unisono.demo import demo_path

sys.path.append(str(Path(__file__).parent / "formats"))
from samples import samples

Write: TypeAlias = Callable[[Path], object]
"""Writes a file or a folder to a path."""
RATERS = ("anna", "bert", "cleo", "gpt", "llama", "gpt-4o")


def demo(path: Path) -> None:
    """Write the built-in example: JSON lines, a table, or a folder of brat."""
    unisono.write(unisono.read(demo_path()), path, format=None if path.suffix else "brat")


def reference(path: Path) -> None:
    unisono.write(unisono.read(demo_path()).select(annotators=["anna"]), path)


def units(path: Path) -> None:
    path.write_text("document,annotator,start,end\nd,anna,0,5\nd,anna,5,9\nd,bert,0,4\nd,bert,4,9\n", encoding="utf-8")


def four_people(path: Path) -> None:
    """Write a folder of units by anna, bert, cleo and dora."""
    path.mkdir()
    rows = [
        f"d{d},{who},{i * 9},{i * 9 + 5 + (i + d + j) % 3},{'AB'[i % 2]}"
        for d in range(3)
        for i in range(6)
        for j, who in enumerate(("anna", "bert", "cleo", "dora"))
    ]
    (path / "units.csv").write_text("\n".join(["document,annotator,start,end,category", *rows]), encoding="utf-8")


def parquet(path: Path) -> None:
    columns = [(d, who, i * 9, i * 9 + 5 + (i + d) % 3) for d in range(4) for i in range(6) for who in ("anna", "bert")]
    pd.DataFrame(columns, columns=["document", "annotator", "start", "end"]).to_parquet(path)


def relations(path: Path) -> None:
    made = shuffling.generate(n_units=20, n_relations=8, n_documents=2, rng=1)
    unisono.write(shuffling.shuffle(made, "source", 0.3, n_annotators=2, rng=1), path)


def ratings(path: Path) -> None:
    """Write labels from 1 to 4 of people and models."""
    made = shuffling.shuffle(
        shuffling.generate(n_items=400, categories=4, rng=1), "category", 0.05, n_annotators=6, rng=1
    )
    table = pd.DataFrame(dict(zip(RATERS, (made.codes + 1).T, strict=True)))
    table.insert(0, "item", range(1, len(table) + 1))
    table.to_excel(path, index=False) if path.suffix == ".xlsx" else table.to_csv(path, index=False)


def text(content: str) -> Write:
    return lambda path: path.write_text(content, encoding="utf-8")


def sample(name: str, **renamed: str) -> Write:
    """Return what writes a file that the tests of a format read, and its text, with other names for some words."""

    def write(path: Path) -> None:
        made = samples()[name]
        content = made.content
        for old, new in renamed.items():
            content = content.replace(old.encode(), new.encode())
        path.write_bytes(content)
        for other, beside in made.beside.items():
            path.with_suffix(Path(other).suffix).write_bytes(beside)

    return write


def project(*, relations: bool = False, genres: bool = False) -> Write:
    """Return what writes an export of INCEpTION: named entities, and what else there is."""
    return lambda path: _write_project(path, relations, genres)


def _write_project(path: Path, with_relations: bool, with_genres: bool) -> None:
    types = cassis.TypeSystem()
    entity = types.create_type("webanno.custom.NamedEntity", "uima.tcas.Annotation")
    genre = types.create_type("webanno.custom.Genre", "uima.cas.AnnotationBase")
    for layer in (entity, genre):
        types.create_feature(layer, "value", "uima.cas.String")
    dependency = types.create_type("webanno.custom.Dependency", "uima.tcas.Annotation")
    for end in ("Governor", "Dependent"):
        types.create_feature(dependency, end, "uima.tcas.Annotation")
    types.create_feature(dependency, "DependencyType", "uima.cas.String")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("exportedproject.json", "{}")
        for number, who in [(number, who) for number in (1, 2, 3) for who in ("anna", "bert")]:
            cas = cassis.Cas(types)
            cas.sofa_string = "Anna Alba met Bert in Oslo ."
            place = "LOC" if number > 1 or who == "anna" else "PER"
            found = [entity(begin=b, end=e, value=v) for b, e, v in ((0, 9, "PER"), (14, 18, "PER"), (22, 26, place))]
            if with_relations:
                found.append(dependency(begin=0, end=9, Governor=found[0], Dependent=found[1], DependencyType=place))
            if with_genres:
                found.append(genre(value=place))
            for one in found:
                cas.add(one)
            version = io.BytesIO()
            with zipfile.ZipFile(version, "w") as inner:
                inner.writestr(f"{who}.xmi", cas.to_xmi())
                inner.writestr("TypeSystem.xml", types.to_xml())
            archive.writestr(f"annotation/text{number}.txt/{who}.zip", version.getvalue())


def as_xmi(path: Path) -> None:
    unisono.write(unisono.read(demo_path()), path, format="xmi")


def as_cas_json(path: Path) -> None:
    types = cassis.TypeSystem()
    entity = types.create_type("webanno.custom.NamedEntity", "uima.tcas.Annotation")
    types.create_feature(entity, "value", "uima.cas.String")
    for who, label in (("anna", "PER"), ("bert", "ORG")):
        cas = cassis.Cas(types)
        cas.sofa_string = "Anna met Bert."
        for begin, end, value in ((0, 4, "PER"), (9, 13, label)):
            cas.add(entity(begin=begin, end=end, value=value))
        (path / who).mkdir(parents=True)
        cas.to_json(path / who / "text1.json")


def cora(path: Path) -> None:
    """Write the example of the page as a whole file."""
    (example,) = (one.text for one in blocks("formats.md") if one.language == "xml")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<text id="t">\n{example}</text>', encoding="utf-8")


def tei(path: Path) -> None:
    head = "<teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc></teiHeader>"
    body = '<seg ana="#a">Anna said:</seg> <said>Go away!</said> <seg ana="#b">She left.</seg>'
    content = f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{head}<text><body><p>{body}</p></body></text></TEI>'
    path.write_text(content, encoding="utf-8")


def docbin(path: Path) -> None:
    """Write texts with entities, categories and tags."""
    store = spacy_tokens.DocBin(attrs=["ENT_IOB", "ENT_TYPE", "TAG"], store_user_data=True)
    for words in (["Anna", "sings", "."], ["In", "Oslo", "."]):
        doc = spacy_tokens.Doc(spacy.blank("en").vocab, words, tags=["NNP", "VBZ", "."])
        doc.set_ents([spacy_tokens.Span(doc, 0, 1, label="X")])
        doc.cats = {"song": float(words[0] == "Anna"), "news": float(words[0] != "Anna")}
        store.add(doc)
    store.to_disk(path)


def evaluation(path: Path) -> None:
    """Write a log of Inspect as the archive that it is."""
    log = json.loads(samples()["inspect"].content)
    with zipfile.ZipFile(path, "w") as archive:
        for one in log.pop("samples"):
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        archive.writestr("header.json", json.dumps(log))


def packed(kind: str, *names: str) -> Write:
    """Return what writes an archive with the same file of a tool under several names."""

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, samples()[kind].content)

    return write


def codes_of_sources(path: Path) -> None:
    binary_examples.write_qualitative_project(path.parent)


def nested(*rows: tuple[int, int]) -> str:
    """Return reviews of two workers, one JSON object per line."""
    reviews = [[{"worker_id": who, "rating": one} for who, one in zip("ab", row, strict=True)] for row in rows]
    return "".join(json.dumps({"id": i, "reviews": of}) + "\n" for i, of in enumerate(reviews))


def layered(path: Path) -> None:
    """Write units of the layer NE on which two annotators agree."""
    units = [{"start": i * 9, "end": i * 9 + 5, "type": "NE", "category": ("PER", "LOC")[i % 2]} for i in range(8)]
    lines = [{"document": d, "annotator": who, "units": units} for d in "abc" for who in ("anna", "bert")]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def boundaries(path: Path) -> None:
    unisono.write(unisono.from_masses({"talk": {"anna": [5, 4, 6], "bert": [5, 4, 6]}}), path)


def two_people(path: Path) -> None:
    rows = [f"{i},{'ab'[i % 2]},{'ab'[i % 2 and i % 5 > 0]}" for i in range(40)]
    path.write_text("\n".join(["item,anna,bert", *rows]), encoding="utf-8")


def shown(page: str, heading: str, language: str) -> Write:
    """Return what writes the block of a language that a page shows under a heading."""

    def write(path: Path) -> None:
        (one,) = (one.text for one in blocks(page) if (one.heading, one.language) == (heading, language))
        path.write_text(one, encoding="utf-8")

    return write


CHECKED = {
    "unisono.toml": shown("ci.md", "All that can be checked", "toml"),
    "annotations.jsonl": layered,
    "round1.jsonl": layered,
    "boundaries.jsonl": boundaries,
    "ratings.csv": ratings,
}
"""What the checks of a page pass with."""


def in_labels(write: Callable[[Path], None]) -> Write:
    """Return what writes the files of docs/labels.md that are not text, under their own names."""
    return lambda path: write(path.parent)


ONE_DOCUMENT = "document,annotator,start,end,category\n" + "".join(
    f"text1,{who},{i * 9},{i * 9 + 5 + (i + j) % 2},{'AB'[i % 2]}\n"
    for i in range(6)
    for j, who in enumerate(("anna", "bert"))
)
TEXTS = ("vnd er sprach zu im heimlich do gieng er wider hein", "vnd er sprach do gieng er wider zu im heimlich hein")


def moved(path: Path) -> None:
    """Write two texts of which one has a passage earlier, with their words."""
    lines = []
    for who, written in zip(("anna", "bert"), TEXTS, strict=True):
        units, start = [], 0
        for word in written.split(" "):
            units.append({"start": start, "end": start + len(word)})
            start += len(word) + 1
        lines.append(json.dumps({"document": "d1", "annotator": who, "text": written, "units": units}))
    path.write_text("\n".join(lines), encoding="utf-8")


def overlapping(path: Path) -> None:
    line = '{"document": "d1", "annotator": "%s", "text": "%s", "units": [{"start": 0, "end": 3, "type": "token"}, '
    line += '{"start": 2, "end": 5, "type": "token"}]}\n'
    path.write_text(line % ("anna", "siehe") + line % ("bert", "sieht"), encoding="utf-8")


def both(names: tuple[str, ...], kind: str, **renamed: str) -> dict[str, Write]:
    """Return the same file of a tool under several names, as different annotators' versions."""
    return {name: sample(kind, **renamed) for name in names}


def versions(ending: str, kind: str, folder: str = "corpus") -> dict[str, Write]:
    """Return text1 by anna and by bert in folders of their own."""
    return both((f"{folder}/anna/text1.{ending}", f"{folder}/bert/text1.{ending}"), kind)


PAGES: dict[str, Mapping[str, Write]] = {
    "../README.md": {
        "export.zip": project(),
        "ratings.xlsx": ratings,
        "ratings.csv": ratings,
        "annotations.jsonl": demo,
    },
    "gamma.md": {"annotations.csv": text(ONE_DOCUMENT)},
    "cheat-sheet.md": {"annotations.jsonl": demo},
    "formats.md": {"annotations.jsonl": demo},
    "comparing.md": {"corpus": four_people, "ratings.csv": ratings},
    "is-it-good.md": {"round1": demo, "ratings.csv": two_people},
    "labels.md": {name: in_labels(write) for name, write in zip("vwxyz", binary_examples.WRITERS, strict=True)},
    "performance.md": {"corpus.parquet": parquet},
    "relations.md": {"relations.jsonl": relations},
    "report.md": {
        "annotations.csv": demo,
        "project.zip": project(),
        "interviews": demo,
        "ratings.csv": ratings,
        "labels.csv": ratings,
    },
    "segmentation.md": {"utterances.csv": units},
    "shuffling.md": {
        "annotations.csv": demo,
        "annotations.jsonl": demo,
        "reference.csv": reference,
        "ratings.csv": ratings,
    },
    "shuffling-errors.md": {"ratings.csv": ratings},
    "text-gamma.md": {"moved.jsonl": moved, "overlap.jsonl": overlapping}
    | {f"{place}/text1.xml": cora for place in ("ren/anna", "ren/bert", "start")},
    "which-measure.md": {"annotations.csv": demo},
}
"""Page to the files that its commands take for granted."""

XML = {"corpus/anna/text1.xml": sample("gate"), "corpus/bert/text1.xml": sample("gate")}
SECTIONS: dict[str, dict[str, Mapping[str, Write]]] = {
    "ci.md": {
        "One condition": {"annotations.jsonl": demo},
        "Several conditions: unisono.toml": {
            "annotations.jsonl": demo,
            "unisono.toml": shown("ci.md", "Several conditions: unisono.toml", "toml"),
        },
        "All that can be checked": CHECKED,
    },
    "formats.md": {
        "Formats": {
            "project-export.zip": project(),
            "corpus": demo,
            "talk.TextGrid": sample("textgrid"),
        },
        "Relations, events and units in several pieces": {"project.zip": project(relations=True)}
        | versions("ann", "brat"),
        "Tables of labels": {"reviews.jsonl": text(nested((1, 1), (2, 3), (3, 3), (4, 4)))},
        "From one format to another": {"export.zip": project()},
        "Who annotated what: `--pattern`": {"text1_anna.xml": sample("gate"), "text1_bert.xml": sample("gate")} | XML,
        "CorA-XML": {f"ren/{who}/text1.xml": cora for who in ("anna", "bert")},
        "CoNLL-U": versions("conllu", "conllu"),
    },
    "tool-formats.md": {
        "UIMA CAS XMI": {
            "project_export.zip": project(genres=True),
            "corpus": as_xmi,
            "TypeSystem.xml": lambda path: (path.parent / "corpus/TypeSystem.xml").rename(path),
        },
        "UIMA CAS JSON": {"corpus": as_cas_json},
        "WebAnno TSV 3": versions("tsv", "webanno"),
        "WebAnno TSV 2": versions("tsv", "webanno2"),
        "brat standoff": versions("ann", "brat"),
        "CATMA": {"export/annotationcollections/text1.xml": sample("catma")},
        "Glozz": versions("aa", "glozz") | {"text1.aa": sample("glozz")},
        "GATE XML": XML,
        "ELAN": {
            "talk.eaf": sample("eaf", words="words@anna", utterance="words@bert"),
            "talks/anna/talk.eaf": sample("eaf"),
        },
        "Praat TextGrid": versions("TextGrid", "textgrid", "talks") | {"talk.TextGrid": sample("textgrid")},
        "RTTM": versions("rttm", "rttm", "diarization"),
        "Label Studio JSON": {"project-1.json": sample("labelstudio items", mood="sentiment")},
        "Label Studio JSON-MIN and CSV": {
            "project-1-min.json": sample("labelstudio min", mood="sentiment"),
            "project-1.csv": sample("labelstudio table", mood="sentiment", stars="topic"),
        },
        "doccano JSONL": both(("export/anna.jsonl", "export/bert.jsonl"), "doccano labels")
        | {"export.zip": packed("doccano", "anna.jsonl", "bert.jsonl")},
        "Prodigy JSONL": {"news.jsonl": sample("prodigy answers")},
        "Argilla": {"records.json": sample("argilla", mood="sentiment")},
        "Inspect logs": {"log.eval": evaluation, "logs/one.eval": evaluation},
        "JUDGE-BENCH": {"meta_evaluation_recipes.json": shown("tool-formats.md", "JUDGE-BENCH", "json")},
        "Potato": both(
            ("annotation_output/anna/annotated_instances.jsonl", "annotation_output/bert/annotated_instances.jsonl"),
            "potato",
            mood="sentiment",
        ),
        "spaCy DocBin": {f"corpus/{who}/text1.spacy": docbin for who in ("anna", "bert")},
        "spaCy JSON": both(("corpus/anna.jsonl", "corpus/bert.jsonl"), "spacyjson"),
        "IOB columns (CoNLL-2003)": versions("conll", "iob"),
        "REFI-QDA": both(("coders/anna.qdpx", "coders/bert.qdpx"), "refi") | {"project.qdpx": codes_of_sources},
        "TEI XML": {"corpus/anna/text1.xml": tei, "corpus/bert/text1.xml": tei, "text1.xml": sample("tei")},
        "PAGE XML": versions("xml", "page", "pages"),
        "ALTO": versions("xml", "alto", "pages"),
    },
}
"""Page to heading to files, in a folder of its own, since each tool has its own `corpus/`."""
