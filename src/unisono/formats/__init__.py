"""Files and frames to data, data to files: one module per format, listed in `registry`."""

from unisono.formats.format import Format
from unisono.formats.frames import from_frame
from unisono.formats.matrix import read_matrix
from unisono.formats.reading import read, read_base
from unisono.formats.registry import FORMATS
from unisono.formats.writing import write

__all__ = ["FORMATS", "Format", "from_frame", "read", "read_base", "read_matrix", "write"]
