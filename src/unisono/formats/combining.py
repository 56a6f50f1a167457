"""What several files hold, checked against each other and put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from unisono.data import Corpus, Data, Export, Normalizations, Ratings
from unisono.data.corpus import Bounds
from unisono.data.left_out import told_dropped
from unisono.data.unit_kinds import COMPOSITE, UNIT_KINDS, counted_units, in_a_row
from unisono.errors import DataError, OptionError, listed, mention
from unisono.formats.finding import AnnotationFile
from unisono.formats.format import TABLE_SETTINGS, Instructions
from unisono.formats.merging import merge, merge_normalizations, merge_ratings, only_for_units, summed_dropped
from unisono.formats.patterns import Pattern
from unisono.formats.places import check_alike, check_distinct_units, check_same_texts, check_single_versions
from unisono.formats.tokens import same_tokens

_Kind = TypeVar("_Kind", Corpus, Ratings, Normalizations)

CONTENTS: Mapping[type, str] = {
    Corpus: "units",
    Ratings: "ratings",
    Normalizations: "normalizations",
    Export: "several kinds of annotations",
}


class FilePart(NamedTuple):
    """A file, and what it holds."""

    file: AnnotationFile
    data: Data | Export


def check_used(instructions: Instructions, files: Sequence[AnnotationFile], worked: Path | None) -> None:
    """Reject instructions that none of the files can follow."""
    title = files[0].format.title
    tables = worked is not None or any(file.format.read_table is not None for file in files)
    if instructions.columns and not tables:
        raise OptionError(f"only tables use it, not {title}", "columns")
    for setting in TABLE_SETTINGS:
        if getattr(instructions, setting) is not None and not any(setting in file.format.settings for file in files):
            what = "spreadsheets" if setting == "sheet" else "tables of text, such as CSV," if tables else "tables"
            raise OptionError(f"only {what} use it, not {title}", setting)
    where = instructions.annotator_from
    for file in files:
        if instructions.units == "tokens" and not file.format.labels_tokens:
            raise OptionError(f"{file.format.title} has no columns with labels of tokens; leave it out", "units")
        if instructions.units in COMPOSITE and instructions.units not in file.format.composite:
            raise OptionError(f"{file.format.title} has no {instructions.units}; leave it out", "units")
        if where is not None and where not in file.format.annotator_from:
            possible = listed(file.format.annotator_from)
            other = f"cannot take annotators from {where!r}; available: {possible}"
            itself = "names annotators itself, in a column or key; leave it out"
            raise OptionError(f"{file.format.title} {other if possible else itself}", "annotator_from")
    known = dict.fromkeys(name for file in files for name in file.format.options)
    for name in instructions.options:
        if name not in known:
            raise OptionError(f"unknown option {name!r} of {title}; available: {listed([*known]) or 'none'}", "options")


def check_newest(parts: Sequence[FilePart], instructions: Instructions) -> None:
    """Reject a part that does not go with the earlier ones."""
    first, newest = parts[0], parts[-1]
    if _are_exports([first, newest]):
        return
    if type(first.data) is not type(newest.data):
        one, other = (CONTENTS[type(part.data)] for part in (newest, first))
        message = f"the file holds {one}, but {first.file.path} holds {other}; measure them separately"
        raise DataError(message, path=newest.file.path)
    _check_namesakes(parts, instructions)


def _check_namesakes(parts: Sequence[FilePart], instructions: Instructions) -> None:
    """Reject two files that are one document each and have the same name, such as anna/text1.csv and bert/text1.csv."""
    file, newest = parts[-1]
    if isinstance(newest, Export):
        return
    own = file.instructed(Instructions())
    name = own.document_of(file.path)
    if own.has_annotator and newest.documents == (own.shared_document,):
        name = own.shared_document  # as the document is called if the path names the annotator only
    if newest.documents != (name,) or not file.format.says_who(instructions):
        return
    what = "labels" if isinstance(newest, Ratings) else "units"
    for _, data in parts[:-1]:
        if (
            not isinstance(data, Export)
            and data.documents == newest.documents
            and set(data.annotators) & set(newest.annotators)
        ):
            raise DataError(
                f"another file has {what} of the same annotators in a document of the same name, {name!r}; "
                f"rename one of them, add a column document, or name the documents too ({mention('pattern')})",
                path=file.path,
            )


def combined(
    parts: Sequence[FilePart],
    *,
    given: Sequence[Path],
    assumed: Pattern | None,
    instructions: Instructions,
    worked: Sequence[tuple[str, str]] | None,
    continuum: Bounds | None,
    skip: Callable[[DataError], None],
) -> Data | Export:
    """Put together what the files hold; the paths and the assumed pattern make the source.

    `skip` takes the errors of what does not go together and can be left out.

    If that is units and labels of items, or answers to several questions, and the instructions do not choose, it is an
    export.
    """
    if instructions.units == "tokens":
        parts = _with_same_tokens(parts, skip)
    if not _are_exports(parts):
        return check_kind(_combined(parts, given, assumed, instructions, worked, continuum), instructions)
    units, questions = _divided(parts)
    corpus = _only_corpus(_combined(units, given, assumed, instructions, worked, continuum)) if units else None
    export = Export(
        corpus if corpus is not None and corpus.n_units else None,
        {
            name: _only_ratings(_combined(own, given, assumed, instructions, None, None))
            for name, own in questions.items()
        },
        source=source_of(given, [part.file for part in parts], assumed=assumed),
        dropped=summed_dropped(part.data for part in parts),
    )
    return check_kind(export.simplest(), instructions)


def _with_same_tokens(parts: Sequence[FilePart], skip: Callable[[DataError], None]) -> list[FilePart]:
    """Leave out sentences whose tokens are not the same as in an earlier file."""
    labelled = [(file, data) for file, data in parts if isinstance(data, Ratings | Export)]
    if len(labelled) < len(parts):
        return list(parts)
    kept = same_tokens([(file.path, data) for file, data in labelled], skip)
    return [FilePart(file, data) for (file, _), data in zip(labelled, kept, strict=True)]


def check_kind(data: Data | Export, instructions: Instructions) -> Data | Export:
    """Choose the kind of annotation that the user wants, if there are several; reject data without any of it."""
    kind = instructions.units
    if kind is None or isinstance(data, Normalizations):
        return data
    if isinstance(data, Export):
        chosen = data.of_kind(kind if kind in UNIT_KINDS else "items")
        noted = kind == "tokens" or kind in COMPOSITE  # by reading
        return replace(chosen, preparation=data.preparation) if noted else chosen
    if kind in UNIT_KINDS and isinstance(data, Ratings):
        raise DataError(f"there are no {kind}, only labels of items; leave out " + mention("units"))
    if kind not in UNIT_KINDS and isinstance(data, Corpus):
        what = "labels of items" if kind == "items" else "tokens with labels of their own"
        raise DataError(f"there are no {what}, only spans; leave out " + mention("units"))
    if isinstance(data, Corpus) and not data.n_units and (kind in COMPOSITE or data.others):
        there = [counted_units(sum(types.values()), other) for other, types in data.others.items()]
        there += told_dropped({what: n for what, n in data.dropped.items() if what.startswith(kind)})
        instead = (
            f"leave out {mention('units')}"
            if kind in COMPOSITE
            else f"read {mention('units', next(iter(data.others)))}"
        )
        raise DataError(f"there are no {kind}, but {in_a_row(there) or 'no spans'}; {instead}")
    return data


def _are_exports(parts: Sequence[FilePart]) -> bool:
    """Whether files hold several kinds of annotations, or answers to different questions.

    A table of labels has no question; it does not go together with units.
    """
    kinds = {type(part.data) for part in parts}
    asked = {part.data.question.name for part in parts if isinstance(part.data, Ratings)}
    return Export in kinds or len(asked) > 1 or (kinds == {Corpus, Ratings} and "" not in asked)


def _divided(parts: Sequence[FilePart]) -> tuple[list[FilePart], dict[str, list[FilePart]]]:
    """Return the files with their units, and those with their answers to each question."""
    units: list[FilePart] = []
    questions: dict[str, list[FilePart]] = {}
    for file, data in parts:
        corpus = data.units if isinstance(data, Export) else data
        if isinstance(corpus, Corpus):
            units.append(FilePart(file, replace(corpus, dropped={})))
        asked = data.questions if isinstance(data, Export) else {}
        if isinstance(data, Ratings):
            asked = {data.question.name: data}
        for name, ratings in asked.items():
            questions.setdefault(name, []).append(FilePart(file, replace(ratings, dropped={})))
    return units, questions


def _only_corpus(data: Data) -> Corpus:
    assert isinstance(data, Corpus)
    return data


def _only_ratings(data: Data) -> Ratings:
    assert isinstance(data, Ratings)
    return data


def _combined(
    parts: Sequence[FilePart],
    given: Sequence[Path],
    assumed: Pattern | None,
    instructions: Instructions,
    worked: Sequence[tuple[str, str]] | None,
    continuum: Bounds | None,
) -> Data:
    """Put together what the files hold, all of the same kind."""
    first = parts[0].data
    assert not isinstance(first, Export)
    if isinstance(first, Corpus):
        corpora = _all(parts, Corpus)
        check_versions(list(zip((part.file for part in parts), corpora, strict=True)), assumed, instructions)
        source = source_of(given, [part.file for part in parts], assumed=assumed)
        if len(corpora) == 1 and worked is None and continuum is None:
            return replace(corpora[0], source=source)
        return merge(corpora, worked=worked or (), continuum=continuum, source=source)
    if worked is not None or continuum is not None:
        raise only_for_units("worked" if continuum is None else "continuum", str(parts[0].file.path), first)
    source = source_of(given, [part.file for part in parts], what=f" {CONTENTS[type(first)]}")
    if len(parts) == 1:
        return replace(first, source=source)
    paths = [part.file.path for part in parts]
    if isinstance(first, Ratings):
        return merge_ratings(_all(parts, Ratings), paths, source=source)
    return merge_normalizations(_all(parts, Normalizations), paths, source=source)


def _all(parts: Sequence[FilePart], kind: type[_Kind]) -> list[_Kind]:
    return [part.data for part in parts if isinstance(part.data, kind)]


def check_versions(
    files: Sequence[tuple[AnnotationFile, Corpus]], assumed: Pattern | None, instructions: Instructions
) -> None:
    """Reject files if what they or their paths say about annotators and documents cannot be right."""
    silent = {file.path: (file.names, corpus) for file, corpus in files if not file.format.says_who(instructions)}
    check_single_versions({path: corpus for path, (_, corpus) in silent.items()})
    if assumed is not None:
        check_alike(silent, assumed)
    telling = [(file, corpus) for file, corpus in files if file.format.says_who(instructions)]
    whole = {file.path: corpus for file, corpus in telling if file.format.whole}
    check_single_versions(whole)
    check_same_texts(whole)
    check_distinct_units({file.path: corpus for file, corpus in telling if file.format.write is not None})


def source_of(
    given: Sequence[Path], files: Sequence[AnnotationFile], what: str = "", assumed: Pattern | None = None
) -> str:
    """Describe where data comes from: the formats, the paths that were given, and the pattern that was assumed."""
    titles = ", ".join(dict.fromkeys(file.format.title for file in files))
    names = [f"{path.absolute().name}/" if path.is_dir() else path.name for path in given]
    taken = "" if assumed is None else f", taken as {assumed.text}"
    return f"{titles}{what} · {listed(names, 3)}{taken}"
