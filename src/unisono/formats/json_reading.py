"""A file that is one JSON value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.formats.files import encoding, read_head, refuse_binary


def load(path: Path) -> Any:
    """Read a JSON file."""
    head = read_head(path)
    refuse_binary(head, path)
    try:
        return json.loads(path.read_bytes().decode(encoding(head)).removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise DataError("there are characters that are not UTF-8; convert the file to UTF-8", path=path) from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"this is not JSON ({error.msg}); check that the file is complete", path=path, line=error.lineno
        ) from None
    except (RecursionError, ValueError):
        raise DataError("the JSON is nested too deeply or has a number too long; check it", path=path) from None
