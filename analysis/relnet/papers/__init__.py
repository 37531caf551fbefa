# SPDX-License-Identifier: GPL-2.0-only
"""
The papers, one folder each, with experiments, tables, figures, and findings on each claim.

A paper is a folder whose module defines `PAPER`. Its name is the folder's name with hyphens; its published data are in
`analysis/published/NAME.csv`. There is no further list of papers. A paper is imported at its first use.
"""

from __future__ import annotations

import importlib
import pkgutil

from relnet.errors import RelnetError
from relnet.experiments.definitions import Paper


def _modules() -> dict[str, str]:
    """Modules of the papers, by the papers' names."""
    folders = [found.name for found in pkgutil.iter_modules(__path__) if found.ispkg]
    return {folder.replace("_", "-"): f"{__name__}.{folder}" for folder in folders}


def modelled() -> list[Paper]:
    """All papers, in the order of their numbers."""
    return sorted((find(name) for name in _modules()), key=lambda paper: paper.number)


def names() -> list[str]:
    """Names of all papers, in the order of their numbers."""
    return [paper.name for paper in modelled()]


def find(name: str) -> Paper:
    """
    Find a paper by its name.

    Parameters
    ----------
    name : str
        The name, such as `mpi-infiniband`, in any case.

    Raises
    ------
    RelnetError
        If there is no such paper.
    """
    module = _modules().get(name.strip().casefold())
    if module is None:
        raise RelnetError(f"There is no paper {name!r}; there are {', '.join(names())}.")
    return importlib.import_module(module).PAPER
