"""The views that fit what is decided at a desk."""

from __future__ import annotations

from typing import TypeAlias

from unisono.adjudication import Gold, ItemGold
from unisono.app.desk import Desk
from unisono.app.item_views import ItemViews
from unisono.app.text_views import TextViews
from unisono.app.unit_views import UnitViews

Views: TypeAlias = UnitViews | ItemViews | TextViews


def views_of(desk: Desk) -> Views:
    """Return the views that fit a desk."""
    draft = desk.draft
    if isinstance(draft, Gold):
        return UnitViews(desk, draft)
    return ItemViews(desk, draft) if isinstance(draft, ItemGold) else TextViews(desk, draft)
