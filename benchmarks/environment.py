"""Environments for the peers, each of its own, made when first needed."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"


def peer_python(name: str, packages: list[str], wished: tuple[str, ...] = ()) -> str:
    """Give the Python of an environment with these packages, and those of the wished that can be installed."""
    RESULTS.mkdir(exist_ok=True)
    folder = RESULTS / name
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        for package in wished:
            subprocess.run([python, "-m", "pip", "install", "-q", package], check=False)
    return str(python)
