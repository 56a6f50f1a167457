"""Checks as JUnit XML, which continuous integration shows as tests.

It is valid against the schemas of Ant's JUnit task and of Jenkins' xUnit plugin, which differ in what they require.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from xml.sax.saxutils import escape, quoteattr

from unisono.gates.checking import CheckDone, Checked

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FAILURE, _ERROR = "failure", "error"


def junit_xml(found: Checked, when: datetime) -> bytes:
    """Return the checks as one suite of tests, run at a given time."""
    numbers = {
        "tests": len(found),
        "failures": len(found.having("failed")),
        "errors": len(found.having("error")),
        "time": _seconds(sum(one.seconds for one in found)),
    }
    suite = {
        "name": "unisono",
        "package": "unisono",
        "id": 0,
        "hostname": "localhost",
        "timestamp": when.strftime("%Y-%m-%dT%H:%M:%S"),
        **numbers,
    }
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<testsuites>",
        f"<testsuite{_attributes(suite)}>",
        "<properties/>",
        *(line for one in found for line in _case(one)),
        "<system-out></system-out>",
        "<system-err></system-err>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join([*lines, ""]).encode()


def _case(one: CheckDone) -> Sequence[str]:
    case = f"<testcase{_attributes({'name': one.name, 'classname': 'unisono', 'time': _seconds(one.seconds)})}"
    if one.status == "passed":
        return (f"{case}/>",)
    kind = _ERROR if one.status == "error" else _FAILURE
    what = _attributes({"type": kind, "message": one.said})
    return (f"{case}>", f"<{kind}{what}>{escape(_clean(one.said))}</{kind}>", "</testcase>")


def _attributes(values: dict[str, object]) -> str:
    return "".join(f" {name}={quoteattr(_clean(str(value)))}" for name, value in values.items())


def _clean(text: str) -> str:
    """Replace characters that XML cannot hold, not even escaped."""
    return _NOT_XML.sub("\ufffd", text)


def _seconds(time: float) -> str:
    return f"{time:.3f}"
