"""Built-in data to try things out: four short texts, three annotators, four categories."""

from __future__ import annotations

from pathlib import Path


def demo_path() -> Path:
    """Return the path of the demo annotations, a file of JSON lines."""
    return Path(__file__).with_name("annotations.jsonl")
