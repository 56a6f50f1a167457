"""Environments for the peers, each of its own, made when first needed; and jobs that run in them."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"


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


def run_job(python: str, script: str, job: str) -> dict[str, float]:
    """Run one job of a script here, in a process of its own; give what it reports."""
    done = subprocess.run([python, str(HERE / script), job], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{script} {job} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
