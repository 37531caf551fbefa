# SPDX-License-Identifier: GPL-2.0-only
"""Chapters of a report, one per paper, completed experiment by experiment."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relnet import plots
from relnet.experiments import claims, searches
from relnet.experiments.costs import Comparison
from relnet.experiments.definitions import Experiment, Outcome, Paper, Scale
from relnet.records.files import write_frame
from relnet.reproduction import interactive, playback, provenance, report
from relnet.reproduction.execution import Runs

_FAILURES_SHOWN = 3
"""Number of failed runs that a section describes."""


@dataclass
class PaperChapter:
    """
    Results of a paper so far, and its chapter of the report.

    Attributes
    ----------
    paper : Paper
        The paper.
    chapter : report.Chapter
        Its chapter.
    outcomes : dict of str to Outcome
        Outcomes by experiment.
    findings : dict of str to claims.Finding
        Findings by claim.
    alternatives : dict of str to dict
        Findings by claim with alternative defaults, as for `claims.turned`.
    shares : dict of str to str
        Share of joint samples for which each claim holds.
    used : dict of str to dict
        Values of each parameter in the runs.
    failures : list of str
        Failed runs, one sentence each.
    passed : dict of str to bool
        Test suites that ran, and whether they passed.
    comparisons : list of Comparison
        Comparisons of times with and without reliability in software.
    """

    paper: Paper
    chapter: report.Chapter
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    findings: dict[str, claims.Finding] = field(default_factory=dict)
    alternatives: dict[str, dict[str, claims.Finding]] = field(default_factory=dict)
    shares: dict[str, str] = field(default_factory=dict)
    used: dict[str, dict[Any, None]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    passed: dict[str, bool] = field(default_factory=dict)
    comparisons: list[Comparison] = field(default_factory=list)

    @classmethod
    def begin(cls, paper: Paper) -> PaperChapter:
        """Begin the chapter of a paper, all of whose experiments are pending."""
        begun = cls(paper, report.Chapter(paper.name, paper.title, paper.citation))
        begun.chapter.remarks = paper.remarks() if paper.remarks else ()
        begun.chapter.pending = [experiment.title for experiment in paper.experiments]
        begun.judge()
        return begun

    def judge(self) -> None:
        """Judge all claims by the findings so far."""
        found = dict(self.findings)
        if self.paper.conclude:
            found |= self.paper.conclude(self.outcomes)
        modelled = bool(self.paper.experiments)
        published = claims.read(self.paper.name)
        self.chapter.verdicts = claims.judge(
            published, found, modelled, self.paper.names, self.passed, self.alternatives, self.shares
        )
        self.chapter.costs = claims.excerpt(self.paper.costs, published, found, self.chapter.verdicts)

    def compare(self) -> bool:
        """Update the comparisons of times; return whether they changed."""
        before = self.comparisons
        if self.paper.comparisons:
            self.comparisons = [one for one in self.paper.comparisons(self.outcomes) if one.simulated]
        return self.comparisons != before

    def add(self, experiment: Experiment, scale: Scale, runs: Runs, folder: Path, version: str) -> None:
        """
        Add an experiment: its files, its section, its findings, and the verdicts that follow.

        Parameters
        ----------
        experiment : Experiment
            The next pending experiment.
        scale : Scale
            Scale of the reproduction.
        runs : Runs
            Its runs.
        folder : pathlib.Path
            Folder of the results.
        version : str
            Version of the sources.
        """
        self._count_runs(experiment, runs)
        outcome = experiment.render(scale, runs.frame)
        self._take(experiment, outcome)
        section = self._section(experiment, scale, runs, outcome, folder, version)
        if experiment.scenario == searches.SCENARIO:
            key = f"{self.paper.name}-{experiment.key}"
            self.chapter.counterexamples += playback.counterexamples(key, runs.frame)
        if experiment.key == searches.KEY:
            self.chapter.searches.append(section)
        else:
            self.chapter.sections.append(section)
            self.chapter.sections.sort(key=lambda section: section.place)
        self.chapter.runs += len(runs.points)
        self.chapter.pending = self.chapter.pending[1:]
        self.judge()

    def _count_runs(self, experiment: Experiment, runs: Runs) -> None:
        """Add the failures of an experiment, and its values of the parameters of the paper's scenario."""
        self.failures += runs.failures
        if not experiment.scenario:
            for name, values in provenance.used_values(runs.points).items():
                self.used.setdefault(name, {}).update(values)

    def _take(self, experiment: Experiment, outcome: Outcome) -> None:
        """Add the outcome of an experiment and its findings."""
        self.outcomes[experiment.key] = outcome
        self.findings |= outcome.findings
        self.shares |= outcome.shares
        for setting, found in outcome.alternatives.items():
            self.alternatives.setdefault(setting, {}).update(found)

    def _section(
        self, experiment: Experiment, scale: Scale, runs: Runs, outcome: Outcome, folder: Path, version: str
    ) -> report.Section:
        """Write table and figure of an experiment, and make its section."""
        stem = f"{self.paper.name}/{experiment.key}"
        endings = [".csv"]
        write_frame(outcome.frame, folder / f"{stem}.csv")
        image, chart = "", []
        if outcome.figure is not None:
            plots.sign(outcome.figure, provenance.sources(runs.points, version, runs.code))
            plots.save(outcome.figure, folder / stem)
            image, chart = f"{stem}.svg", interactive.panels(outcome.figure)
            endings += [".png", ".svg"]
        text = list(outcome.text)
        if runs.failures:
            shown = " ".join(runs.failures[:_FAILURES_SHOWN])
            text.append(f"{len(runs.failures)} of {len(runs.points)} runs failed. {shown}")
        return report.Section(
            f"{self.paper.name}-{experiment.key}",
            experiment.title,
            experiment.section,
            text,
            outcome.frame if outcome.shown is None else outcome.shown,
            image,
            chart=chart,
            files=[f"{stem}{ending}" for ending in endings],
            origin=provenance.origin(runs.points, version, runs.code),
            commands=experiment.command(scale),
            place=experiment.place,
        )
