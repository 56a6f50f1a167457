"""The result of the measure of normalizations: α with its interval, and the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.normalization.interval import normalization_interval
from unisono.measurement.normalization.printed import printed
from unisono.results import Interval, Table

if TYPE_CHECKING:
    from unisono.measurement.normalization.characters import Representation
    from unisono.measurement.normalization.family import PreparedNormalizations

_SYMBOLS = {"nominal": "α", "nld": "α_NLD", "masi": "α_MASI", "jaccard": "α_Jaccard"}
_FEW = 6
"""Up to this many annotators are named."""
_UNITS = {"character": "characters as units", "word": "words as units", "edits": "sets of edits"}
_TOKENS = {
    "all": "all tokens",
    "medium": "tokens changed by at least one annotator",
    "strict": "tokens changed by all annotators",
}


class NormalizationResult(CoefficientResult):
    """α of normalizations; `rows` has the tables by name.

    See Also
    --------
    normalization, Normalizations

    Examples
    --------
    >>> import unisono
    >>> words = {"original": ["vnd", "jn", "gewain"], "anna": ["und", "in", "weinte"], "bert": ["und", "in", "geweint"]}
    >>> result = unisono.normalization(unisono.Normalizations.of(words))
    >>> print(result.representation("vnd")[0])
          v  n  d
    full  u  n  d
    diff  u  =  =
    """

    @property
    def symbol(self) -> str:
        """α, with its distance."""
        return _SYMBOLS[self.parameters["distance"]]

    @property
    def _signed(self) -> Mapping[str, Any]:
        """The parameters as in the signature; `show` is left out, since it changes no value."""
        return {name: value for name, value in self.parameters.items() if value is not None and name != "show"}

    def representation(self, original: str) -> list[Representation]:
        """Show what each character of a token becomes in all its normalizations, the most frequent first (table 4)."""
        return self._prepared.representations(original)

    def title(self) -> str:
        """State in one line what was measured."""
        people = self.data.annotators
        named = f" ({', '.join(people)})" if len(people) <= _FEW else ""
        about = super().title().replace(" on ", f"{named} on ", 1)
        return f"{about}: {_UNITS[self.parameters['level']]}, {_TOKENS[self.parameters['subset']]}"

    def tables(self) -> list[Table]:
        """Return the paper's tables and what annotators disagree on, for people."""
        values = {document.document: document.value for document in self.documents}
        return printed(self.rows, values, self._prepared.show)

    @cached_property
    def _interval(self) -> Interval | str:
        """The interval, or why there is none."""
        level, distance, subset = (self.parameters[name] for name in ("level", "distance", "subset"))
        return normalization_interval(self._prepared.statistics(), level, distance, subset, self.estimate)

    @property
    def _prepared(self) -> PreparedNormalizations:
        return cast("PreparedNormalizations", self.prepared)
