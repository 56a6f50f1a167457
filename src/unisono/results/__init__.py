"""The result of every measure: a value, its components, and what is needed to repeat it."""

from unisono.results.estimate import Estimate, Interval, ValueScale, beyond_chance, from_disagreement
from unisono.results.functions import function_name
from unisono.results.result import DOCUMENT, TABLES, VALUES, Result, columns
from unisono.results.shown import NOTHING, Captioned, Line, PValue, Table, Tabled, p_value
from unisono.results.signature import Signature, listed_name, spelled

__all__ = [
    "DOCUMENT",
    "NOTHING",
    "TABLES",
    "VALUES",
    "Captioned",
    "Estimate",
    "Interval",
    "Line",
    "PValue",
    "Result",
    "Signature",
    "Table",
    "Tabled",
    "ValueScale",
    "beyond_chance",
    "columns",
    "from_disagreement",
    "function_name",
    "listed_name",
    "p_value",
    "spelled",
]
