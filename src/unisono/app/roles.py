"""Who is who: people, models that are compared with them, and curators, whose work is not one opinion among others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from unisono.app.reading_form import Form
from unisono.comparison.models.roles import looks_like_a_model
from unisono.data.runs import model_of
from unisono.errors import OptionError

MODEL, CURATOR = "model", "curator"
"""Roles besides that of a person, which needs no word."""
_LIKE_A_CURATOR = re.compile(
    r"(?:^|[^a-z])(?:curat(?:ion|or|ed)|adjudicat(?:ion|or|ed)|gold|consensus)(?![a-z])",
    re.IGNORECASE,
)


def proposed_role(name: str) -> str:
    """Return the role that a name suggests; empty if it is that of a person."""
    if _LIKE_A_CURATOR.search(name.replace("_", " ")):
        return CURATOR
    return MODEL if looks_like_a_model(name) else ""


def proposals(names: Iterable[str], roles: Mapping[str, str]) -> dict[str, str]:
    """Return the roles that names suggest, for those who have none."""
    found = {name: proposed_role(name) for name in names if name not in roles}
    return {name: role for name, role in found.items() if role}


def roles_in(form: Form, names: Sequence[str]) -> dict[str, str]:
    """Return who is not a person, as a form says; OptionError if nobody is left to agree with."""
    roles = {name: role for name, role in form.keyed("role").items() if role in (MODEL, CURATOR)}
    if form.text("propose"):
        roles |= proposals(names, roles)
    if names and all(roles.get(name) == CURATOR for name in names):
        raise OptionError("not everybody can be a curator; choose at least one person", "annotators")
    return roles


def models_among(names: Iterable[str], roles: Mapping[str, str]) -> list[str]:
    """Return the models, each once if it was run several times."""
    found = (model_of(name) or name for name in names if roles.get(name) == MODEL)
    return list(dict.fromkeys(found))


def curators_among(names: Iterable[str], roles: Mapping[str, str]) -> list[str]:
    """Return the curators."""
    return [name for name in names if roles.get(name) == CURATOR]
