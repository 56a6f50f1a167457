"""Valid files with changes of their structure, for fuzz tests: the same seed gives the same files."""

from __future__ import annotations

import copy
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

Mutate = Callable[[bytes, random.Random], bytes]

_ODD_TEXT = [
    "",
    " ",
    "\t",
    "\u2028",
    "\ufeff",
    "𝄞",
    "👨‍👩‍👧",
    "e\u0301",
    "\u202eabc",
    "-1",
    "0",
    "1e999",
    "nan",
    "9" * 400,
    "\U0010ffff",
    "\x85",
    "'=1+1",
    "x" * 5_000,
    "null",
    "../../etc",
    "%s{}",
]
_ODD_VALUES = [
    None,
    True,
    False,
    0,
    -1,
    0.5,
    1e308,
    10**400,
    2**53 + 1,
    [],
    {},
    [[]],
    [{}],
    {"a": 1},
    "\ud800",
    *_ODD_TEXT,
]


def mutated_json(content: bytes, rng: random.Random) -> bytes:
    """Change the tree of a JSON value, or of the values on some lines."""
    text = content.decode()
    try:
        return json.dumps(_changed_tree(json.loads(text), rng)).encode()
    except ValueError:
        lines = text.splitlines()
        values = _changed_list([json.loads(line) for line in lines if line.strip()], rng)
        return "\n".join(json.dumps(value) for value in values).encode() + b"\n"


def mutated_xml(content: bytes, rng: random.Random) -> bytes:
    """Change elements, attributes and texts."""
    root = ElementTree.fromstring(content)
    for _ in range(rng.randint(1, 3)):
        holders = [node for node in root.iter() if len(node)] or [root]
        nodes = list(root.iter())
        holder, node = rng.choice(holders), rng.choice(nodes)
        match rng.randrange(9):
            case 0 if len(holder):
                holder.remove(rng.choice(list(holder)))
            case 1 if len(holder):
                holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(rng.choice(list(holder))))
            case 2 if len(holder) > 1:
                one, other = rng.sample(range(len(holder)), 2)
                holder[one], holder[other] = holder[other], holder[one]
            case 3:
                node.append(copy.deepcopy(rng.choice(nodes[-20:])))
            case 4 if node.attrib:
                del node.attrib[rng.choice(list(node.attrib))]
            case 5 if node.attrib:
                node.attrib[rng.choice(list(node.attrib))] = _xml_text(rng)
            case 6:
                node.text = _xml_text(rng)
            case 7:
                node.tag = rng.choice(nodes).tag
            case _:
                deepest = node
                for _ in range(rng.choice([1, 3, 120])):
                    deepest = ElementTree.SubElement(deepest, node.tag, dict(node.attrib))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def mutated_lines(content: bytes, rng: random.Random) -> bytes:
    """Change lines, and fields in them."""
    text = content.decode()
    lines = text.splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(lines)) if lines else 0
        line = lines[place] if lines else ""
        match rng.randrange(6):
            case 0:
                lines[place : place + 1] = []
            case 1:
                lines.insert(rng.randint(0, len(lines)), line)
            case 2 if lines:
                other = rng.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
            case 3:
                lines[place : place + 1] = [line[: rng.randint(0, len(line))]]
            case _:
                lines[place : place + 1] = [_changed_fields(line, rng)]
    return "".join(lines).encode(errors="surrogatepass")


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """Cut, double and replace bytes."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 3)):
        first = rng.randrange(len(changed) + 1)
        last = min(len(changed), first + rng.choice([1, 4, 40]))
        match rng.randrange(4):
            case 0:
                del changed[first:]
            case 1:
                changed[first:last] = b""
            case 2:
                changed[first:first] = changed[first:last]
            case _:
                changed[first:last] = rng.choice([b"\0", b"\xff" * 4, b"\x7f\xff\xff\xff", b"", rng.randbytes(4)])
    return bytes(changed)


def mutated_docbin(content: bytes, rng: random.Random) -> bytes:
    """Change the message in a DocBin."""
    import srsly

    message = srsly.msgpack_loads(zlib.decompress(content))
    key = rng.choice(list(message))
    value = message[key]
    if isinstance(value, bytes):
        message[key] = mutated_bytes(value, rng)
    elif isinstance(value, list) and value:
        place = rng.randrange(len(value))
        own = value[place]
        odd = rng.choice([None, -1, 2**63, b"", b"\xc1", "", "𝄞", [], {}, 0.5])
        value[place : place + rng.randint(0, 2)] = [mutated_bytes(own, rng) if isinstance(own, bytes) else odd]
    else:
        message[key] = rng.choice([None, -1, b"", "", [], {}, 0.5])
    return zlib.compress(srsly.msgpack_dumps(message))


def _changed_tree(tree: Any, rng: random.Random) -> Any:
    for _ in range(rng.randint(1, 3)):
        tree = _changed_once(tree, rng)
    return tree


def _changed_list(values: list[Any], rng: random.Random) -> list[Any]:
    changed = _changed_tree(values, rng)
    return changed if isinstance(changed, list) else [changed]


def _changed_once(tree: Any, rng: random.Random) -> Any:
    places = list(_places(tree))
    if not places:
        return rng.choice(_ODD_VALUES)
    holder, key = rng.choice(places)
    value = holder[key]
    match rng.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(rng.randint(0, len(holder)), copy.deepcopy(value))
        case 2 if isinstance(holder, list):
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        case 3:
            other_holder, other_key = rng.choice(places)
            holder[key] = copy.deepcopy(other_holder[other_key])
        case 4:
            holder[key] = rng.choice([[value], {"x": value}, [[value], value], json.loads("[" * 90 + "]" * 90)])
        case 5 if isinstance(value, str | list):
            holder[key] = value[: rng.randint(0, len(value))]
        case 6 if isinstance(value, int | float) and abs(value) < 1e300:
            holder[key] = rng.choice([-value, value + 1, value * 2, str(value), value + 0.5, 10**20])
        case _:
            holder[key] = rng.choice(_ODD_VALUES)
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Iterate over what is in a tree: where it is, and under which key or number."""
    below = [tree]
    while below:
        holder = below.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield holder, key
            below.append(holder[key])


def _changed_fields(line: str, rng: random.Random) -> str:
    """Change one of the fields of a line, by the separator that it has most of."""
    separator = max('\t,; |"', key=line.count)
    fields = line.rstrip("\n").split(separator)
    place = rng.randrange(len(fields))
    match rng.randrange(5):
        case 0:
            del fields[place]
        case 1:
            fields.insert(place, fields[place])
        case 2:
            other = rng.randrange(len(fields))
            fields[place], fields[other] = fields[other], fields[place]
        case 3 if re.fullmatch(r"-?[0-9.]+", fields[place]):
            fields[place] = rng.choice(
                ["-" + fields[place], fields[place] + "0", "0" + fields[place], fields[place] + ".5"]
            )
        case _:
            fields[place] = rng.choice(_ODD_TEXT)
    return separator.join(fields) + "\n"


def _xml_text(rng: random.Random) -> str:
    return rng.choice([text for text in _ODD_TEXT if "\x85" not in text])
