"""Tables with one column per annotator: which columns are items, which tell about them, and which are annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from unisono.errors import listed, mention
from unisono.formats.contents import (
    are_counted,
    are_different,
    are_numbered_names,
    are_prose,
    are_times,
    are_whole,
    distinct_cells,
    given,
    shared_kind,
)
from unisono.formats.recognition import RawColumns, is_item_name, is_metadata_name, is_text_name

_ENOUGH = 3
"""So many different values are hardly a coincidence."""
_MANY_ROWS = 5


@dataclass
class WideRoles:
    """The places of columns in a table with one column per annotator."""

    annotators: list[int]
    item: int | None = None
    document: int | None = None
    text: int | None = None
    dropped: dict[str, int] = field(default_factory=dict)


def wide_roles(columns: RawColumns, asked: Mapping[str, int]) -> WideRoles:
    """Find out which columns are annotators. `asked` are the places of columns that the user names."""
    roles = WideRoles([place for place in range(len(columns.names)) if place not in asked.values()])
    roles.item, roles.document = asked.get("item"), asked.get("document")
    chosen = [place for ours, place in asked.items() if ours not in ("item", "document")]
    _take_named(columns, roles, asked)
    index = _set_aside_index(columns, roles)
    _take_item(columns, roles, bool(chosen))
    if index is not None:
        _put_back_index(roles, index)
    _leave_out_metadata(columns, roles, chosen)
    roles.annotators = sorted([*roles.annotators, *chosen])
    if not chosen and _named(columns, range(len(columns.names)), "item") is None:
        _check_strangers(columns, roles)
    return roles


def labels_without_header(columns: RawColumns) -> int | None:
    """Return at which column labels begin in a table whose first row has labels too, not names; None if it has names.

    That is clear if each label of the first row is given again, and if these are not simply numbers of annotators.
    """
    first, n_rows = columns.names, len(columns.cells[0])
    item = [first[0], *columns.cells[0]]
    for begin in (0, 1):
        labels = set().union(*map(distinct_cells, columns.cells[begin:]))
        header = [cell for cell in first[begin:] if cell]
        if len(first) - begin < 2 or not header or n_rows < 1 or not set(header) <= labels:
            continue
        if are_counted(header) and header[0] in ("0", "1"):
            continue
        kinds = {shared_kind([*own, name]) for name, own in zip(first[begin:], columns.cells[begin:], strict=True)}
        counts = Counter(
            chain.from_iterable(
                {*distinct_cells(own), name} for name, own in zip(first[begin:], columns.cells[begin:], strict=True)
            )
        )
        if kinds != {float} and not all(
            any(counts[cell] > 1 for cell in distinct_cells(own)) for own in columns.cells[begin:]
        ):
            continue
        if begin and not (are_different(item) and distinct_cells(item).isdisjoint(labels)):
            continue
        return begin
    return None


def _take_named(columns: RawColumns, roles: WideRoles, asked: Mapping[str, int]) -> None:
    for name in ("item", "document"):
        if name not in asked and (place := _named(columns, roles.annotators, name)) is not None:
            setattr(roles, name, place)
            roles.annotators.remove(place)


def _named(columns: RawColumns, places: Sequence[int], name: str) -> int | None:
    return next((place for place in places if columns.names[place].strip().casefold() == name), None)


def _set_aside_index(columns: RawColumns, roles: WideRoles) -> int | None:
    """Set aside the index of a frame: the column that the file says is one, or one without a name that counts rows."""
    first = roles.annotators[0] if roles.annotators else 0
    unnamed = not columns.names[first].strip() and len(columns.cells[first]) > 1 and are_counted(columns.cells[first])
    place = columns.names.index(columns.index) if columns.index is not None else first if unnamed else -1
    if place not in roles.annotators or not are_different(columns.cells[place]):
        return None
    roles.annotators.remove(place)
    if roles.item is None and not are_counted(columns.cells[place]):
        roles.item = place
        return None
    return place


def _put_back_index(roles: WideRoles, index: int) -> None:
    """Let the index of a frame name items if nothing else does; leave it out otherwise."""
    if roles.item is None:
        roles.item = index
    else:
        roles.dropped["columns that only count the rows, so not read"] = 1


def _take_item(columns: RawColumns, roles: WideRoles, chosen: bool) -> None:
    """Take the item from a column that is called so, or from the first one if all its values are different."""
    enough = 2 if chosen else 3
    if roles.item is not None or len(roles.annotators) < enough or len(columns.cells[0]) < 2:
        return
    for place in roles.annotators:
        if is_item_name(columns.names[place]) and are_different(columns.cells[place]):
            roles.item = place
            break
    first = roles.annotators[0]
    if roles.item is None and _is_item(columns, first, roles.annotators[1:]):
        roles.item = first
        name = columns.names[first].strip()[:40]
        roles.dropped[f"column read as the items' names, because all its values are different: {name}"] = 1
    if roles.item is not None:
        roles.annotators.remove(roles.item)
        roles.text = roles.item if are_prose(columns.cells[roles.item]) else None


def _is_item(columns: RawColumns, first: int, others: Sequence[int]) -> bool:
    """Whether a column names items: all its values are different, and it is unlike the others."""
    cells = columns.cells[first]
    if not are_different(cells):
        return False
    labels = set().union(*(distinct_cells(columns.cells[place]) for place in others))
    kinds = {shared_kind(columns.cells[place]) for place in others}
    many = len(cells) >= _ENOUGH
    if shared_kind(cells) is not float:
        sure = many or are_numbered_names(cells)
        return (
            sure and distinct_cells(cells).isdisjoint(labels) and (float in kinds or len(labels) <= len(cells) or many)
        )
    if not are_whole(cells):
        return False
    if any(are_different(columns.cells[place]) and are_whole(columns.cells[place]) for place in others):
        return False  # ranks, perhaps
    if kinds == {str}:
        return many or are_counted(cells)
    if are_counted(cells):
        return many
    named = _has_other_name(columns.names[first], [columns.names[place] for place in others])
    return many and distinct_cells(cells).isdisjoint(labels) and named


def _has_other_name(name: str, others: Sequence[str]) -> bool:
    """Whether all other names begin alike, as Rater A and Rater B do, and this one does not."""
    begin = others[0]
    for other in others:
        while not other.startswith(begin):
            begin = begin[:-1]
    return len(begin.strip()) > 1 and not name.startswith(begin.strip())


def _leave_out_metadata(columns: RawColumns, roles: WideRoles, chosen: Sequence[int]) -> None:
    """Leave out columns that tell about items or answers: by their names, or because of what is in them."""
    if len(columns.cells[0]) < 2:
        return
    left = [place for place in roles.annotators if is_metadata_name(columns.names[place])]
    rest = [place for place in roles.annotators if not is_metadata_name(columns.names[place])]
    if len(rest) + len(chosen) >= 2:
        alike = _Alike.of(columns, [*rest, *chosen])
        left += [place for place in rest if alike.is_unlike(columns.cells[place])]
    gone = set(left)
    roles.annotators = [place for place in roles.annotators if place not in gone]
    if roles.text is None:
        texts = (place for place in left if is_text_name(columns.names[place]))
        roles.text = next(texts, None)
    if left:
        names = [columns.names[place].strip()[:40] for place in sorted(left)]
        roles.dropped[f"columns that are not annotators, so not read: {listed(names, 3)}"] = len(left)


@dataclass(frozen=True)
class _Alike:
    """What columns have in common."""

    n_columns: Mapping[Hashable, int]
    """In how many columns each label is."""
    kinds: Mapping[type | None, int]
    """How many columns have numbers, words, or both."""
    n_times: int

    @classmethod
    def of(cls, columns: RawColumns, places: Sequence[int]) -> _Alike:
        cells = [columns.cells[place] for place in places]
        return cls(
            Counter(chain.from_iterable(map(distinct_cells, cells))),
            Counter(map(shared_kind, cells)),
            sum(map(are_times, cells)),
        )

    def is_unlike(self, cells: Sequence[Any]) -> bool:
        """Whether a column is no annotator, since the others have labels in common and its own are of another kind."""
        own, kind, known = distinct_cells(cells), shared_kind(cells), given(cells)
        if not own or sum(self.kinds.values()) < 3 or any(self.n_columns[label] > 1 for label in own):
            return False
        if are_times(cells):
            return self.n_times == 1
        if len(self.n_columns) == sum(self.n_columns.values()):
            return False  # nobody has a label in common with anybody
        others = [other for other, n in self.kinds.items() if n - (other is kind) > 0]
        if len(others) == 1 and None not in (*others, kind) and kind not in others:
            return len(known) >= 2
        return len(known) >= _ENOUGH and kind is not float and (are_prose(cells) or len(own) == len(known))


def _check_strangers(columns: RawColumns, roles: WideRoles) -> None:
    """Reject a table in which several columns have no label in common with any other: they are hardly annotators."""
    labels = {place: distinct_cells(columns.cells[place]) for place in roles.annotators}
    if all(shared_kind(columns.cells[place]) is float for place in labels):
        return
    n_columns = Counter(chain.from_iterable(labels.values()))
    strangers = [place for place, own in labels.items() if own and all(n_columns[label] == 1 for label in own)]
    few = len(columns.cells[0]) < _MANY_ROWS and not any(_are_phrases(columns.cells[place]) for place in strangers)
    if len(strangers) > 1 and not few:
        names = [columns.names[place].strip()[:40] for place in strangers]
        raise columns.fail(None, no_annotators(names))


def _are_phrases(cells: Sequence[Any]) -> bool:
    """Whether all cells differ, and most have several words."""
    phrases = [cell for cell in cells if isinstance(cell, str) and " " in cell.strip()]
    return len(cells) >= _ENOUGH and are_different(cells) and len(phrases) * 2 > len(cells)


def no_annotators(names: Sequence[str]) -> str:
    """Explain that columns are hardly annotators."""
    roles = {"item": "NAME", "annotator": "NAME", "label": "NAME"}
    return (
        f"the columns {listed(names, 5)} have no label in common with others, so they are hardly annotators; say what "
        f"the columns are, e.g. {mention('columns', roles)} if a row is one label, or use "
        f"{mention('format', 'ratings')} if every column is an annotator"
    )
