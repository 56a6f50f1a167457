"""Measures written as text: name(key=value,…), with lists [a,b], weights [a:2,b:1] and calls ordinal(low,mid,high)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from unisono.errors import OptionError
from unisono.results import spelled

Value: TypeAlias = "str | Call | list[Value] | dict[str, Value]"

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[()\[\],=:]|[^()\[\],=:"]+)')
_PLAIN = re.compile(r'[^()\[\],=:"\s](?:[^()\[\],=:"]*[^()\[\],=:"\s])?')


@dataclass(frozen=True)
class Call:
    """A value with arguments, such as ordinal(low,mid,high)."""

    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(quoted, self.arguments))})"


def parse_spec(
    text: str, what: str = "measure", example: str = "gamma(alpha=3,beta=1)"
) -> tuple[str, dict[str, Value]]:
    """Read a measure and its parameters, or something else with the same syntax, as messages call it.

    >>> parse_spec("gamma(alpha=3,distance=ordinal(low,high))")
    ('gamma', {'alpha': '3', 'distance': Call(name='ordinal', arguments=('low', 'high'))})
    """
    reader = _Reader(text, what, example)
    name = reader.word("a name")
    parameters: dict[str, Value] = {}
    if reader.skip("("):
        for _ in reader.items(")"):
            key = reader.word("a parameter's name")
            reader.expect("=")
            if key in parameters:
                raise reader.wrong(f"the parameter {key} is given twice")
            parameters[key] = reader.value()
    reader.finish()
    return name, parameters


def parse_value(text: str, what: str, example: str) -> Value:
    """Read the value of a parameter.

    >>> parse_value("ordinal(low,high)", "distance", "nominal")
    Call(name='ordinal', arguments=('low', 'high'))
    """
    reader = _Reader(text, what, example)
    value = reader.value()
    reader.finish()
    return value


def quoted(value: Any) -> str:
    """Write a value so that it can be read back."""
    if isinstance(value, dict):
        return "[" + ",".join(f"{quoted(name)}:{quoted(one)}" for name, one in value.items()) + "]"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(quoted, value)) + "]"
    text = spelled(value)
    if isinstance(value, Call) or _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Reader:
    """Reads tokens one by one."""

    def __init__(self, text: str, what: str, example: str) -> None:
        self._text, self._what, self._example = text, what, example
        self._tokens = [token.strip() for token in _TOKEN.findall(text) if token.strip()]
        if "".join(text.split()) != "".join("".join(self._tokens).split()):
            raise self.wrong("a quotation mark is not closed")

    def wrong(self, why: str) -> OptionError:
        return OptionError(f"cannot read the {self._what} {self._text!r}: {why}; write, for example, {self._example}")

    def peek(self) -> str | None:
        return self._tokens[0] if self._tokens else None

    def skip(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self._tokens.pop(0)
        return True

    def expect(self, token: str) -> None:
        if not self.skip(token):
            raise self.wrong(f"{token!r} is missing")

    def word(self, what: str) -> str:
        token = self.peek()
        if token is None or token in "()[],=:":
            raise self.wrong(f"{what} is missing")
        self._tokens.pop(0)
        return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.startswith('"') else token

    def value(self) -> Value:
        if self.skip("["):
            return self._list()
        word = self.word("a value")
        return Call(word, tuple(self.word("a value") for _ in self.items(")"))) if self.skip("(") else word

    def items(self, bracket: str) -> Iterator[None]:
        """Iterate over items separated by commas up to a closing bracket."""
        while not self.skip(bracket):
            yield
            if not self.skip(","):
                self.expect(bracket)
                return

    def finish(self) -> None:
        if self._tokens:
            raise self.wrong(f"unexpected {self._tokens[0]!r}")

    def _list(self) -> Value:
        """Read a list, or names with weights if any of them has one; names without a weight weigh 1."""
        items: list[Value] = []
        weights: dict[str, Value] = {}
        for _ in self.items("]"):
            items.append(self.value())
            if self.skip(":"):
                name = items[-1]
                if not isinstance(name, str):
                    raise self.wrong("a name must precede the colon")
                weights[name] = self.value()
        return {str(item): weights.get(str(item), "1") for item in items} if weights else items
