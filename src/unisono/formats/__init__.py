"""Files and frames to data, data to files: one module per format, listed in `registry`.

A name is imported when it is first used: whoever has data already, such as a worker process, needs no formats.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unisono.formats.format import Format as Format
    from unisono.formats.frames import from_frame as from_frame
    from unisono.formats.frames import known_frame as known_frame
    from unisono.formats.matrix import read_matrix as read_matrix
    from unisono.formats.reading import read as read
    from unisono.formats.reading import read_base as read_base
    from unisono.formats.registry import FORMATS as FORMATS
    from unisono.formats.writing import write as write

__all__ = ["FORMATS", "Format", "from_frame", "known_frame", "read", "read_base", "read_matrix", "write"]

_HOMES = {
    "FORMATS": "registry",
    "Format": "format",
    "from_frame": "frames",
    "known_frame": "frames",
    "read": "reading",
    "read_base": "reading",
    "read_matrix": "matrix",
    "write": "writing",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
