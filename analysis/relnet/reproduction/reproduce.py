# SPDX-License-Identifier: GPL-2.0-only
"""
Reproductions of papers: for each table or figure, the runs, a CSV file, a figure and a section of the report.

The runs are sweeps: on all cores, stored on disk, resumable. Report and claims are rewritten after each table or
figure, so the folder is always consistent. Each paper has its own subfolder.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pandas as pd

from relnet import build, papers
from relnet.catalog.lookup import describe
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Paper, Scale
from relnet.records.files import make_folder, replace_file, write_frame
from relnet.reproduction import durations, pages, playback, provenance, report, suites, summaries
from relnet.reproduction.chapters import PaperChapter
from relnet.reproduction.execution import Execute, Runs, conduct, execute, explained
from relnet.studies import fault_matrix, loss_and_size, protocol_costs

SEEDS = 3
"""Seeds at published scale."""

MATRIX = "matrix"
"""Name of the fault matrix in the list of papers."""


class Reproduction:
    """
    A reproduction of papers in a folder.

    Experiments run one after the other. A second thread draws and writes them, in the same order, while the next
    experiment runs.

    Parameters
    ----------
    chosen : iterable of Paper
        The papers.
    scale : Scale
        The scale.
    folder : pathlib.Path
        Folder of the results.
    command : str
        Command that repeats the reproduction.
    run : callable
        Function that executes the runs.
    """

    def __init__(self, chosen: Iterable[Paper], scale: Scale, folder: Path, command: str, run: Execute) -> None:
        self._scale = scale
        self._folder = folder
        self._command = command
        self._run = run
        self._simulated = run is execute
        self._version = provenance.code_version()
        self._start = time.monotonic()
        self._chapters = [PaperChapter.begin(paper) for paper in chosen]
        self._costs: report.Section | None = None
        self._protocols: report.Section | None = None
        self._curves: list[report.Section] = []
        self._matrix: report.Matrix | None = None
        self._traces: list[report.Playback] = []
        self._broken: list[str] = []
        self._stems = [
            f"{chapter.paper.name}/{experiment.key}"
            for chapter in self._chapters
            for experiment in chapter.paper.experiments
        ]
        self._done = 0
        self._durations = durations.Durations(folder, scale.name, self._stems)

    @property
    def _report(self) -> Path:
        return self._folder / pages.START

    def run_papers(self) -> None:
        """Run the experiments of all papers and the test suites of their claims."""
        self._write()
        count = f"{len(self._stems)} tables and figures into {self._folder}"
        print(f"{count}; {self._report} is rewritten after each", flush=True)
        drawn: list[Future] = []
        with ThreadPoolExecutor(1, thread_name_prefix="relnet-drawing") as drawing:
            for chapter in self._chapters:
                for experiment in chapter.paper.experiments:
                    runs = conduct(chapter.paper, experiment, self._scale, self._run)
                    drawn.append(drawing.submit(self._present, chapter, experiment, runs))
                    _raise_error(drawn)
                drawn.append(drawing.submit(self._close, chapter, self._run_suites(chapter)))
            for future in drawn:
                future.result()

    def run_matrix(self) -> None:
        """Run what each protocol costs, by loss and size too, the fault matrix, and some runs that are recorded."""
        start = time.monotonic()
        made_by = f"relnet {self._version}, ns-3 {build.ns3_version()}"
        costs = protocol_costs.measure(self._scale.quick)
        seeds = f"seeds 1 to {protocol_costs.SEEDS}"
        self._protocols = summaries.protocol_section(costs, self._folder, f"{made_by}; {seeds}")
        curves = loss_and_size.measure(self._scale.quick)
        seeds = f"seeds 1 to {loss_and_size.SEEDS}"
        again = loss_and_size.command(self._scale.quick)
        self._curves = summaries.curve_sections(curves, self._folder, f"{made_by}; {seeds}", again)
        frame = fault_matrix.measure(fault_matrix.QUICK if self._scale.quick else {})
        self._matrix = summaries.matrix_page(frame, self._folder, f"{made_by}; seed 1")
        self._traces = playback.recordings()
        self._broken = fault_matrix.broken(frame)
        self._write()
        told = f"{len(frame)} cells, {len(self._broken)} broken promises"
        print(f"{MATRIX}: {told}, {time.monotonic() - start:.1f} s")
        for line in self._broken:
            print(f"relnet: {line}", file=sys.stderr)

    def finish(self) -> int:
        """Print where the results are; return 1 if a run failed or a promise was broken, else 0."""
        elapsed = time.monotonic() - self._start
        print(f"{self._report} and {self._folder / 'claims.csv'} after {elapsed:.0f} s")
        return 1 if self._broken or any(chapter.failures for chapter in self._chapters) else 0

    def _run_suites(self, chapter: PaperChapter) -> dict[str, bool] | None:
        """Run the test suites of a paper's claims; None if they say nothing about these runs."""
        if not (self._simulated and chapter.paper.experiments):
            return None
        return suites.run_suites(chapter.chapter.verdicts["id"])

    def _present(self, chapter: PaperChapter, experiment: Experiment, runs: Runs) -> None:
        """Draw and write an experiment, and print a line about it."""
        with explained(runs, self._stems[self._done]):
            chapter.add(experiment, self._scale, runs, self._folder, self._version)
        if chapter.compare():
            comparisons = [one for each in self._chapters for one in each.comparisons]
            self._costs = summaries.cost_section(comparisons, self._folder, self._version)
        if self._simulated and chapter.paper.scenario:
            chapter.chapter.parameters = provenance.parameter_table(describe(chapter.paper.scenario), chapter.used)
        self._write()
        stem = self._stems[self._done]
        self._done += 1
        self._durations.add(stem, runs.seconds, runs.counts.get("computed", 0), runs.counts.get("cached", 0))
        left = ""
        if self._done < len(self._stems):
            left = f"; about {durations.text(self._durations.left)} left"
        print(f"[{self._done}/{len(self._stems)}] {stem}: {runs.summary}{left}", flush=True)

    def _close(self, chapter: PaperChapter, passed: dict[str, bool] | None) -> None:
        """Judge the rules of a paper by its test suites, and print its failures, score and verdicts."""
        name = chapter.paper.name
        if passed is not None:
            chapter.passed = passed
            chapter.judge()
            self._write()
            print(f"{name}: {suites.summary(passed)}", flush=True)
        for failure in chapter.failures:
            print(f"relnet: {failure}", file=sys.stderr)
        verdicts = chapter.chapter.verdicts
        counts = verdicts["verdict"].value_counts()
        told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in claims.VERDICTS if verdict in counts)
        hint = " (run without --quick for claims that depend on the scale)" if self._scale.quick else ""
        print(f"{name}: {report.score(verdicts)}", flush=True)
        print(f"{name}: {len(verdicts)} claims: {told}{hint}", flush=True)

    def _write(self) -> None:
        """Write origin, claims and report."""
        scale = "quick: fewer nodes, seeds and points than published" if self._scale.quick else "as published"
        facts = {
            "Code version": self._version,
            "ns-3": build.ns3_version(),
            "Scale": scale,
            "Elapsed time": f"{time.monotonic() - self._start:.0f} s",
            "Command": self._command,
        }
        replace_file(self._folder / "origin.json", json.dumps(facts, indent=2).encode())
        chapters = [one.chapter for one in self._chapters]
        if chapters:
            verdicts = pd.concat([chapter.verdicts for chapter in chapters])
            write_frame(verdicts, self._folder / "claims.csv")
            write_frame(claims.scored(verdicts), self._folder / "scored.csv")
        whole = report.Report(
            chapters, facts, self._scale.quick, self._costs, self._protocols, self._curves, self._matrix, self._traces
        )
        pages.write(self._folder, whole)


def _raise_error(futures: Iterable[Future]) -> None:
    """Raise the exception of a future that has failed, without waiting for the others."""
    for future in futures:
        if future.done():
            future.result()


def reproduce(names: Sequence[str] = (), quick: bool = False, out: str | Path = "out", run: Execute = execute) -> int:
    """
    Reproduce papers into a folder.

    Parameters
    ----------
    names : sequence of str
        Names of papers, and `matrix` for costs of protocols and the fault matrix; all by default.
    quick : bool
        Whether to run fewer nodes, seeds and points than published; claims that depend on the scale then have no
        verdict.
    out : path
        Folder for CSV files, figures, `claims.csv`, `scored.csv` (claims on results), `durations.csv`, `origin.json`,
        and the report: `report.html` leads to the pages in `report/`.
    run : callable
        Function that executes the runs. If it is not `execute`, neither the fault matrix nor test suites are run.

    Returns
    -------
    int
        0, or 1 if a run failed or a cell of the fault matrix broke a promise.

    Raises
    ------
    RelnetError
        If a paper is unknown, or the folder cannot be written to.
    """
    wanted = [name for name in names if name.strip().casefold() != MATRIX]
    with_matrix = run is execute and (not names or len(wanted) < len(names))
    chosen = [papers.find(name) for name in wanted] if names else papers.modelled()
    distinct = {paper.number: paper for paper in chosen}.values()
    scale = Scale("quick", 1) if quick else Scale("published", SEEDS)
    command = " ".join(["relnet reproduce", *names, *(["--quick"] if quick else []), f"--out {out}"])
    reproduction = Reproduction(distinct, scale, make_folder(out), command, run)
    reproduction.run_papers()
    if with_matrix:
        reproduction.run_matrix()
    return reproduction.finish()
