"""The files of docs/labels.md that are not text: the same labels as in its first table, as programs store them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

LABELS = {"anna": ("positive", "positive", "negative"), "bert": ("positive", "negative", "negative")}
TEXTS = ("Great!", "Fine, I guess.", "Never again.")
TABLE = pd.DataFrame({"review": [1, 2, 3], **LABELS})


def write_spreadsheets(folder: Path) -> None:
    """Write `reviews.xlsx` and `reviews.ods`."""
    TABLE.to_excel(folder / "reviews.xlsx", index=False)
    TABLE.to_excel(folder / "reviews.ods", index=False, engine="odf")


def write_statistics_files(folder: Path) -> None:
    """Write `reviews.sav` and `reviews.dta`: numbers with value labels."""
    meanings = {1.0: "negative", 2.0: "positive"}
    numbers = TABLE.replace({name: number for number, name in meanings.items()}).astype(float)
    labelled = {"variable_value_labels": {"anna": meanings, "bert": meanings}}
    nominal = {"anna": "nominal", "bert": "nominal"}
    pyreadstat.write_sav(numbers, str(folder / "reviews.sav"), variable_measure=nominal, **labelled)
    pyreadstat.write_dta(numbers, str(folder / "reviews.dta"), **labelled)


def write_docbins(folder: Path) -> None:
    """Write `spacy/anna.spacy` and `spacy/bert.spacy`."""
    spacy = pytest.importorskip("spacy", reason="spaCy writes what is read here")
    tokens = pytest.importorskip("spacy.tokens", reason="comes with spaCy")
    nlp = spacy.blank("en")
    (folder / "spacy").mkdir()
    for who, labels in LABELS.items():
        store = tokens.DocBin(store_user_data=True)
        for text, label in zip(TEXTS, labels, strict=True):
            doc = nlp(text)
            doc.cats = {name: float(name == label) for name in ("positive", "negative")}
            store.add(doc)
        store.to_disk(folder / "spacy" / f"{who}.spacy")


def write_project(folder: Path) -> None:
    """Write `project.zip`, an export of INCEpTION with a layer for document metadata."""
    cassis = pytest.importorskip("cassis", reason="dkpro-cassis writes what is read here")
    types = cassis.TypeSystem()
    layer = types.create_type("webanno.custom.Sentiment", "uima.cas.AnnotationBase")
    types.create_feature(layer, "value", "uima.cas.String")
    with zipfile.ZipFile(folder / "project.zip", "w") as project:
        project.writestr("exportedproject.json", "{}")
        for who, labels in LABELS.items():
            for number, (text, label) in enumerate(zip(TEXTS, labels, strict=True), 1):
                cas = cassis.Cas(types)
                cas.sofa_string = text
                cas.add(layer(value=label))
                version = io.BytesIO()
                with zipfile.ZipFile(version, "w") as inner:
                    inner.writestr(f"{who}.xmi", cas.to_xmi())
                    inner.writestr("TypeSystem.xml", types.to_xml())
                project.writestr(f"annotation/{number}.txt/{who}.zip", version.getvalue())


def write_qualitative_project(folder: Path) -> None:
    """Write `project.qdpx`, in which two users coded whole sources."""
    users = "".join(f'<User guid="{who}" name="{who}"/>' for who in LABELS)
    codes = "".join(f'<Code guid="{name}" name="{name}" isCodable="true"/>' for name in ("positive", "negative"))
    sources = ""
    for number, text in enumerate(TEXTS, 1):
        codings = "".join(
            f'<Coding guid="{who}{number}" creatingUser="{who}"><CodeRef targetGUID="{labels[number - 1]}"/></Coding>'
            for who, labels in LABELS.items()
        )
        content = f"<PlainTextContent>{text}</PlainTextContent>"
        sources += f'<TextSource guid="source{number}" name="review {number}">{content}{codings}</TextSource>'
    project = (
        f'<Project name="reviews" xmlns="urn:QDA-XML:project:1.0"><Users>{users}</Users>'
        f"<CodeBook><Codes>{codes}</Codes></CodeBook><Sources>{sources}</Sources></Project>"
    )
    with zipfile.ZipFile(folder / "project.qdpx", "w") as archive:
        archive.writestr("project.qde", project)


WRITERS = (write_spreadsheets, write_statistics_files, write_docbins, write_project, write_qualitative_project)
