"""What a job of either side reports: seconds and peak memory, as JSON. Needs nothing but Python."""

from __future__ import annotations

import json
import resource
import subprocess
import time


def answer(seconds, **more):
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"seconds": seconds, "megabytes": max(own, children) / 1024, **more}))


def answer_second_run(command):
    """Run a whole command twice and report the second time."""
    seconds = 0.0
    for _ in range(2):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - began
    answer(seconds)
