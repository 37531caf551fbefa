# SPDX-License-Identifier: GPL-2.0-only
"""Counterexamples of searches and recorded runs, as events that a page plays step by step."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments import searches
from relnet.reproduction.report import Playback
from relnet.studies import recording

RECORDED = {
    "idempotent": "Idempotent messaging",
    "parastation2": "ParaStation2",
    "tcp": "TCP",
    "mpi": "MPI",
}
"""Protocols of the recorded runs, with their titles."""
_RUN = {"nodes": 2, "messages": 3, "loss": 0.2}
"""Parameters of a recorded run."""
_NETWORK = {"mpi": "infiniband"}
"""Network of a protocol, if it is not `_USUAL`."""
_USUAL = "csma"
_TITLES = {"infiniband": "InfiniBand"}
"""Title of a network, if it is not its name."""
_SEED = 3
_STEPS = 400
"""Maximum number of steps of a recorded run that are shown."""
_SHOWN = ("post", "send", "arrive", "lose", "deliver", "complete")
"""Events of a recording that are steps; others are work of hosts and notes."""
_VERBS = {"post": "posts", "deliver": "delivers", "complete": "ends"}


def counterexamples(key: str, frame: pd.DataFrame) -> list[Playback]:
    """
    Violations that searches found, one playback each.

    Parameters
    ----------
    key : str
        Beginning of their anchors.
    frame : pandas.DataFrame
        Runs of the searches with their tables in `attrs`.
    """
    tables = frame.attrs.get("tables", {})
    if "Path" not in tables:
        return []
    paths, arrows = tables["Path"], tables["Frames"]
    found: dict[str, Playback] = {}
    for point, run in enumerate(frame.to_dict("records")):
        steps = paths[paths["point"] == point]
        if steps.empty:
            continue
        search = searches.of(run)
        command = search.command()
        if command not in found:
            found[command] = Playback(
                f"{key}-counterexample-{len(found) + 1}",
                f"{search.subject}: {run['Outcome']}",
                run["VerdictReason"],
                command,
                [f"peer {peer}" for peer in range(search.peers)],
                _searched_steps(steps),
                _searched_arrows(arrows[arrows["point"] == point]),
            )
    return list(found.values())


def _searched_steps(path: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {"text": row.Event.removeprefix(f"Peer {row.Peer} "), "peer": int(row.Peer), "repeats": bool(row.Repeats)}
        for row in path.itertuples(index=False)
    ]


def _searched_arrows(frames: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {
            "label": row["Frame"],
            "sender": int(row["From"]),
            "receiver": int(row["To"]),
            "sent": int(row["Sent"]),
            "ended": int(row["Ended"]),
            "arrived": bool(row["Arrived"]),
        }
        for row in frames.to_dict("records")
    ]


def recordings() -> list[Playback]:
    """Record a run with losses of each of some protocols."""
    return [_record(protocol, title) for protocol, title in RECORDED.items()]


def _record(protocol: str, title: str) -> Playback:
    """Record a run of a protocol."""
    given = {"network": _NETWORK.get(protocol, _USUAL), "protocol": protocol, **_RUN}
    trace = recording.trace("reliability", seed=_SEED, progress=False, **given)
    words = " ".join(f"{name}={value}" for name, value in given.items())
    return Playback(
        f"trace-{protocol}",
        f"{title} over {_TITLES.get(given['network'], given['network'])}, {100 * _RUN['loss']:g} % of the frames lost",
        trace.summary,
        f"relnet trace reliability {words} --seed {_SEED}",
        [f"node {node}" for node in range(_RUN["nodes"])],
        *_recorded(trace.events),
    )


def _recorded(events: pd.DataFrame) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Steps and arrows of a recording."""
    steps: list[dict[str, Any]] = []
    arrows: dict[int, dict[str, Any]] = {}
    for event in events[events["Event"].isin(_SHOWN)].head(_STEPS).itertuples(index=False):
        place = len(steps)
        if event.Event == "send":
            arrows[event.Number] = {
                "label": event.Label,
                "sender": event.Node,
                "receiver": event.Peer if event.Peer >= 0 else 1 - event.Node,
                "sent": place,
                "ended": -1,
                "arrived": False,
            }
        elif event.Event in ("arrive", "lose") and event.Number in arrows:
            arrows[event.Number] |= {"ended": place, "arrived": event.Event == "arrive"}
        steps.append({"text": _told(event), "peer": event.Node, "at": event.Time / 1e3})
    return steps, list(arrows.values())


def _told(event: Any) -> str:
    """The text of an event."""
    detail = f" ({event.Detail})" if event.Detail else ""
    if event.Event == "send":
        return f"sends {event.Label}, {event.Bytes} bytes{detail}"
    if event.Event == "arrive":
        return f"receives {event.Label}{detail}"
    if event.Event == "lose":
        return f"{event.Label} is lost"
    size = f", {event.Bytes} bytes" if event.Event == "post" else ""
    return f"{_VERBS[event.Event]} message {event.Number}{size}{detail}"
