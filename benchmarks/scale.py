"""How the work grows: many small documents, more workers, a corpus larger than memory, a cluster.

``python benchmarks/scale.py`` prints one table per part; ``python benchmarks/scale.py documents stream`` prints only
these; ``python benchmarks/scale.py goals`` prints one table of all figures and what they should be, in some 25 minutes
on two idle cores. With ``--against PATH``, the folder of another version (its `src`), that version runs the
same jobs right after, in the same run, so that the ratio does not depend on how busy the computer is on another day.
Every job runs in a process of its own, twice: the first time may have to compile. Processor time includes child
processes; the time that everybody waits for Python to start is included in commands, and not in calls.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = HERE.parent / "src"
_QUICK = "gamma(chance=shift,precision=0.2)"
_SMALL = ("measure, γ, small", "measure, text-γ, small")

_CALL = """
import gc, json, resource, sys, time
import unisono
from unisono.kernels import compile_kernels
compile_kernels()
job = json.loads(sys.argv[1])
corpus = unisono.read(job["path"])
measure = getattr(unisono, job["measure"])
some = corpus.select(documents=list(corpus.documents[:40]))
measure(some, workers=1, **job["options"]).to_dict()  # machine code and modules are loaded
gc.collect()  # what loading left behind is not part of the work
wall, cpu = time.perf_counter(), time.process_time()
result = measure(corpus, workers=job["workers"], **job["options"])
values = [result.value, result.n_samples, len(result.to_dict()["documents"])]
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"wall": wall, "cpu": cpu, "megabytes": memory, "said": values}))
"""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "parts", nargs="*", choices=[*PARTS, "goals", []], help="which tables; all but goals by default"
    )
    parser.add_argument("--against", type=Path, help="the src folder of another version")
    parser.add_argument("--largest", type=int, default=100_000, help="documents of the largest corpus")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), given.against, given.largest)
        for part in given.parts or PARTS:
            print(f"\n## {part}\n")
            {**PARTS, "goals": goals}[part](bench)


class Bench:
    """Data, and both versions."""

    def __init__(self, folder: Path, against: Path | None, largest: int) -> None:
        self.folder = folder
        self.against = against
        self.largest = largest
        self._count = 0

    def spans(self, n_documents: int) -> Path:
        """Write a table of documents with 25 units of three annotators each, on average."""
        path = self.folder / f"spans{n_documents}.csv"
        if not path.exists():
            path.write_text("document,annotator,start,end,category\n" + "".join(_rows(n_documents)))
        return path

    def tweets(self, n_documents: int) -> Path:
        """Write tweets that two annotators tokenized, corrected and tagged."""
        path = self.folder / f"tweets{n_documents}.jsonl"
        if not path.exists():
            path.write_text("".join(_tweets(n_documents)))
        return path

    def study(self, n_texts: int) -> Path:
        """Write a study: texts under three guidelines, two groups of annotators each."""
        path = self.folder / f"study{n_texts}"
        texts: dict[tuple[str, str, str], list[str]] = {}
        for line in _rows(n_texts, 150):
            document, annotator, rest = line.rstrip("\n").split(",", 2)
            group = "experts" if annotator == "cleo" else "students"
            for who in ("cleo", "dora") if annotator == "cleo" else (annotator,):
                texts.setdefault((group, who, document), ["annotator,start,end,category"]).append(f"{who},{rest}")
        for guideline in ("first", "second", "third"):
            for (group, who, document), lines in texts.items():
                file = path / guideline / group / who / f"{document}.csv"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("\n".join(lines) + "\n")
        return path

    def exported(self, n_documents: int) -> Path:
        """Write UIMA CAS XMI as INCEpTION exports it, by three annotators, with a type system beside each file."""
        path = self.folder / f"exported{n_documents}"
        if not path.exists():
            written = self.folder / "written"
            words = ("-m", "unisono", "convert", self.tweets(n_documents), "-o", written, "--to", "xmi")
            subprocess.run([sys.executable, *map(str, words)], env=_environment(OURS), check=True, capture_output=True)
            for file in sorted(written.glob("*/*.xmi")):
                people = ("anna", "bert", "cleo") if file.parent.name == "anna" else ()
                for who in people:
                    place = path / f"{file.stem}.txt" / who
                    place.mkdir(parents=True)
                    shutil.copy(file, place / f"{who}.xmi")
                    shutil.copy(written / "TypeSystem.xml", place / "TypeSystem.xml")
        return path

    def versions(self) -> Iterator[tuple[str, Path]]:
        """Iterate over this version and, if there is one, the other."""
        yield "now", OURS
        if self.against is not None:
            yield "before", self.against

    def call(self, source: Path, **job: object) -> dict[str, float]:
        """Call a measure twice, each time in a process of its own; return what the second says."""
        job = {"workers": 1, **{name: str(value) if isinstance(value, Path) else value for name, value in job.items()}}
        return self._twice([sys.executable, "-c", _CALL, json.dumps(job)], source)

    def command(self, *words: object, source: Path = OURS, times: int = 2) -> dict[str, float]:
        """Run a command twice; return wall clock, processor time and peak memory of the second time."""
        found = {}
        for _ in range(times):
            self._count += 1  # what is kept of a run must not help the next
            command = [
                sys.executable,
                "-m",
                "unisono",
                *(str(word).replace("{new}", f"out{self._count}") for word in words),
            ]
            before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            done = subprocess.run(command, env=_environment(source), capture_output=True, text=True, cwd=self.folder)
            wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode:
                raise SystemExit(f"{' '.join(command[2:])} failed:\n{done.stderr}")
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            found = {"wall": wall, "cpu": cpu}
        return found

    def side_by_side(self, *words: object) -> tuple[float, float]:
        """Return how long a command takes, and how long two at a time: the best that two workers could reach."""
        alone = self.command(*words)["wall"]
        with ThreadPoolExecutor(2) as threads:
            both = [threads.submit(self.command, *words, times=1) for _ in range(2)]
        return alone, max(one.result()["wall"] for one in both)

    def _twice(self, command: list[str], source: Path) -> dict[str, float]:
        for _ in range(2):
            done = subprocess.run(command, env=_environment(source), capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"failed:\n{done.stderr}")
        answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return answer


def many_documents(bench: Bench) -> None:
    """Print processor time per document, one worker."""
    print("| job | documents | samples | ms per document | before | ratio |\n|---|---|---|---|---|---|")
    for name, measure, path, options in _measures(bench):
        found = [bench.call(source, path=path, measure=measure, options=options) for _, source in bench.versions()]
        n_samples, n_documents = found[0]["said"][1:]
        each = [1000 * one["cpu"] / n_documents for one in found]
        compared = f"{each[1]:.2f} | {each[1] / each[0]:.1f}" if len(each) > 1 else "|"
        print(f"| {name} | {n_documents:,} | {n_samples:,} | {each[0]:.2f} | {compared} |", flush=True)


def _measures(bench: Bench) -> list[tuple[str, str, Path, dict[str, object]]]:
    quick: dict[str, object] = {"precision": 0.2}
    return [
        ("γ, shift, 30 samples each", "gamma", bench.spans(2000), {"chance": "shift", **quick}),
        ("γ, shift, default precision", "gamma", bench.spans(2000), {"chance": "shift"}),
        ("γ, corpus", "gamma", bench.spans(2000), {"chance": "corpus"}),
        ("γ, statistical, 30 samples each", "gamma", bench.spans(2000), {"chance": "statistical", **quick}),
        ("text-γ of tweets", "text_gamma", bench.tweets(500), {}),
    ]


def workers(bench: Bench) -> None:
    """Print wall clock of whole commands with one worker and with two."""
    print("| command | one worker, s | two, s | ratio |\n|---|---|---|---|")
    for name, words in _commands(bench).items():
        one, two = (bench.command(*words, "--workers", count)["wall"] for count in (1, 2))
        print(f"| {name} | {one:.1f} | {two:.1f} | {one / two:.2f} |", flush=True)


def _commands(bench: Bench) -> dict[str, tuple[object, ...]]:
    chance = "gamma(chance=shift)"
    generated = "generate(n_units=60,categories=[A:4,B:2],length=5-30,gap=0-30)"
    magnitudes = ("--magnitudes", "0:1:0.1", "--repetitions", 60)
    return {
        "measure, γ": ("measure", bench.spans(30000), "-m", chance),
        "measure, text-γ": ("measure", bench.tweets(30000), "-m", "text-gamma"),
        "measure, γ, a third": ("measure", bench.spans(10000), "-m", chance),
        "measure, text-γ, a third": ("measure", bench.tweets(10000), "-m", "text-gamma"),
        "measure, γ, small": ("measure", bench.spans(200), "-m", chance),
        "measure, text-γ, small": ("measure", bench.tweets(200), "-m", "text-gamma"),
        "compare": ("compare", bench.spans(12000), bench.spans(12001), "-m", chance),
        "plan": ("plan", bench.spans(30000), "-m", chance, "--width", 0.02),
        "report": ("report", bench.spans(30000), "-m", chance, "-o", "report.html", "--force"),
        "study": ("study", bench.study(36), "-m", chance),
        "benchmark": ("benchmark", generated, "-m", chance, "--error", "position", *magnitudes, "-o", "{new}.csv"),
    }


def stream(bench: Bench) -> None:
    """Print time and memory of a corpus that is measured in pieces."""
    print("| documents | seconds, two workers | peak memory, MB | without stream: s | MB |\n|---|---|---|---|---|")
    n_documents = 1000
    while n_documents <= bench.largest:
        streamed = _streamed(bench, n_documents)
        words = ("measure", bench.spans(n_documents), "-m", _QUICK, "--json")
        plain = "{:.1f} | {:.0f}".format(*_watched(bench, *words)) if n_documents <= 10000 else "|"
        print(f"| {n_documents:,} | {streamed[0]:.1f} | {streamed[1]:.0f} | {plain} |", flush=True)
        n_documents *= 10


def _streamed(bench: Bench, n_documents: int) -> tuple[float, float]:
    kept = bench.folder / f"kept{n_documents}"
    found = _watched(bench, "measure", bench.spans(n_documents), "-m", _QUICK, "--json", "--stream", kept)
    shutil.rmtree(kept)
    return found


def dask(bench: Bench) -> None:
    """Print wall clock of one process and of a cluster of two on this computer."""
    ratio, one, two = _clustered(bench)
    print(f"| one process, s | cluster of two, s | ratio |\n|---|---|---|\n| {one:.1f} | {two:.1f} | {ratio:.2f} |")


def _clustered(bench: Bench, times: int = 2) -> tuple[float, float, float]:
    from distributed import LocalCluster

    path = bench.spans(30000)
    words = ("measure", path, "-m", "gamma(chance=shift)")
    one = bench.command(*words, "--workers", 1, times=times)["wall"]
    environment = _environment(OURS)
    os.environ["PYTHONPATH"] = environment["PYTHONPATH"]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        two = bench.command(*words, "--dask", cluster.scheduler_address, times=max(times, 2))["wall"]
    return one / two, one, two


def _exports(bench: Bench) -> tuple[object, ...]:
    pattern = "{document}/{annotator}/*.xmi"
    return "measure", bench.exported(1000), "--pattern", pattern, "-m", "span-f1"


def reading(bench: Bench) -> None:
    """Print wall clock of reading many files with one worker and with two."""
    words = _exports(bench)
    one, two = (bench.command(*words, "--workers", count)["wall"] for count in (1, 2))
    print(
        f"| 3,000 files, one worker, s | two, s | ratio |\n|---|---|---|\n| {one:.1f} | {two:.1f} | {one / two:.2f} |"
    )


def goals(bench: Bench) -> None:
    """Print all figures and what they should be; the faster of two runs counts, after small ones that load kernels."""
    print("| figure | goal | reached | from |\n|---|---|---|---|")
    for name, measure, path, options in _measures(bench) if bench.against is not None else ():
        if options != {"chance": "shift"}:  # that takes the other version a minute
            now, before = (bench.call(own, path=path, measure=measure, options=options) for _, own in bench.versions())
            _goal(f"CPU time, {name}", "≥ 8", before["cpu"] / now["cpu"], before["cpu"], now["cpu"])
    commands = _commands(bench)
    for name in filter(_SMALL.__contains__, commands):
        bench.command(*commands[name])
    alone, together = bench.side_by_side(*commands["measure, γ"], "--workers", 1)
    _goal("this computer: twice the work by two programs side by side", "2", 2 * alone / together, alone, together)
    for name, words in commands.items():
        one, two = (min(bench.command(*words, "--workers", n, times=1)["wall"] for _ in range(2)) for n in (1, 2))
        _goal(f"two workers, {name}", "≥ 1" if name in _SMALL else "≥ 1.7", one / two, one, two)
    words = _exports(bench)
    one, two = (bench.command(*words, "--workers", count, times=1)["wall"] for count in (1, 2))
    _goal("reading 3,000 XMI files with two workers, s", "≤ 12", two, one, two)
    few, many = (_streamed(bench, n) for n in (10_000, bench.largest))
    _goal(f"--stream, {bench.largest:,} documents, s", "≤ 120", many[0], few[0], many[0])
    _goal("memory, compared with 10,000 documents", "≤ 1.2", many[1] / few[1], few[1], many[1])
    _goal("Dask, two workers", "≥ 1.6", *_clustered(bench, times=1))
    _many_annotators()


def _goal(name: str, goal: str, reached: float, *figures: float) -> None:
    print(f"| {name} | {goal} | {reached:.2f} | {' and '.join(f'{one:.3g}' for one in figures)} |", flush=True)


def _many_annotators() -> None:
    """Print what the benchmark of many annotators says; seconds are of processor time, of one core."""
    jobs = ("gamma 100", "gamma 300", "observed", "gamma 30 samples")
    command = [sys.executable, HERE / "scale_annotators.py", "--only", *jobs]
    done = subprocess.run(command, env=_environment(OURS), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"failed:\n{done.stderr}")
    asked = {
        "gamma 100 x 1": "a few s, gap ≤ 1%",
        "gamma 300 x 1": "a few s, gap ≤ 1%",
        "observed texts": "gap ≤ 0.1%",
        "gamma 30 samples of texts": "≤ 360 s, gap ≤ 1%",
    }
    for line in done.stdout.splitlines()[2:]:
        job, seconds, _, _, gap, _ = (cell.strip() for cell in line.strip("| ").split("|"))
        print(f"| {job} | {asked[job]} | {seconds} | gap {gap} |", flush=True)


PARTS: dict[str, Callable[[Bench], None]] = {
    "documents": many_documents,
    "workers": workers,
    "reading": reading,
    "stream": stream,
    "dask": dask,
}


def _watched(bench: Bench, *words: object) -> tuple[float, float]:
    """Run a command once; return seconds and peak memory of the process and its children together, in MB."""
    began = time.perf_counter()
    with (bench.folder / "out.json").open("w") as out:
        command = [sys.executable, "-m", "unisono", *map(str, words)]
        process = subprocess.Popen(command, env=_environment(OURS), stdout=out, stderr=subprocess.PIPE)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"failed:\n{process.stderr.read().decode() if process.stderr else ''}")
    return time.perf_counter() - began, peak / 1024


def _resident(pid: int) -> int:
    """Return the memory that a process and its children have of their own, in kB; shared pages count once for each."""
    total = 0
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return total
    return total + sum(_resident(int(child)) for child in children)


def _environment(source: Path) -> dict[str, str]:
    """Return an environment in which byte code is kept, as it is for an installed package."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(source)}


def _rows(n_documents: int, n_places: int = 9) -> Iterator[str]:
    rng = random.Random(1)
    for document in range(n_documents):
        places = [(40 * k + rng.randint(0, 10), rng.choice("XYZ")) for k in range(n_places)]
        for annotator in ("anna", "bert", "cleo"):
            for place, label in places:
                if rng.random() < 0.93:
                    start = place + rng.choice([0, 0, 1, 2])
                    given = label if rng.random() < 0.85 else rng.choice("XYZ")
                    yield f"d{document},{annotator},{start},{start + rng.randint(5, 12)},{given}\n"


def _tweets(n_documents: int) -> Iterator[str]:
    """Make tweets of 8 to 16 words; annotators sometimes correct a letter, split a word, or tag it differently."""
    rng = random.Random(2)
    words = ["".join(rng.choice("abcdefghij") for _ in range(rng.randint(2, 8))) for _ in range(300)]
    for document in range(n_documents):
        chosen = [(rng.choice(words), rng.choice("NVAP")) for _ in range(rng.randint(8, 16))]
        for annotator in ("anna", "bert"):
            text, units = "", []
            for word, tag in chosen:
                written = word if rng.random() < 0.95 else word[:-1] + rng.choice("xyz")
                given = tag if rng.random() < 0.9 else rng.choice("NVAP")
                begin = len(text)
                text += written + " "
                middle = begin + len(written) // 2
                pieces = [begin, middle, begin + len(written)] if rng.random() < 0.05 else [begin, begin + len(written)]
                units += [
                    {"start": a, "end": b, "features": {"pos": given}} for a, b in itertools.pairwise(pieces) if a < b
                ]
            row = {"document": f"t{document}", "annotator": annotator, "text": text.rstrip(), "units": units}
            yield json.dumps(row) + "\n"


if __name__ == "__main__":
    main()
