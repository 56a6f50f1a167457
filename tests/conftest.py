"""What tests share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

SHARED = Path(__file__).parents[1].parent / "shared" / "data"


@pytest.fixture
def shared():
    """The folder of real data beside the project, where there is one."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real data (../shared/data) is not here")
    return SHARED
