"""What a format's own options say."""

from __future__ import annotations

import re
from collections.abc import Mapping


def names_in(settings: Mapping[str, str], option: str) -> list[str]:
    """Give the names that an option lists between semicolons (or commas, where the caller can write them)."""
    return [name.strip() for name in re.split("[;,]", settings.get(option, "")) if name.strip()]
