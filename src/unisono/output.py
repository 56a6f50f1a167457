"""Files that are there complete or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from unisono.errors import DataError


@contextmanager
def new_file(path: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Provide a stream whose content becomes the file when all went well; otherwise nothing is left behind.

    Parameters
    ----------
    path : path
        The file.
    overwrite : bool
        Whether a file of that name may be replaced.
    """
    file = Path(path)
    if file.is_dir():
        raise DataError("this is a folder; name a file in it", path=file)
    if file.exists() and not overwrite:
        raise DataError("the file exists already; choose another name, or allow to overwrite it (--force)", path=file)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as stream:
            yield stream
        os.replace(draft, file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"the file cannot be written ({reason}); check the folder", path=file) from None
    finally:
        draft.unlink(missing_ok=True)
