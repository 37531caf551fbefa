# SPDX-License-Identifier: GPL-2.0-only
"""
Recordings of runs: messages, frames and work as tables, sequence charts, and traces for ui.perfetto.dev and NetAnim.

C++ (`messaging-scenario-recorder.h`) records events where frames leave a protocol and arrive at it: at the ports of a
network, or at net devices in a scenario with sockets.
"""

from __future__ import annotations

import functools
import html
import json
import math
import os
import re
import shutil
import struct
import warnings
import xml.etree.ElementTree as xml
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from relnet.catalog.parameters import Parameter, parse_seconds
from relnet.errors import RelnetError, RelnetWarning, quoted
from relnet.records.files import check, check_path, make_folder, replace_or_rescue
from relnet.records.tasks import Recording
from relnet.runs.single import run_record, to_series

TABLE = "RecordedEvents"
"""Name of the table of events from C++."""

PARTS_TABLE = "RecordedParts"
"""Name of the table of the parts of each message's latency."""

PARTS = ("sender", "repeat", "processors", "network", "queueing", "receiver")
"""Parts of a message's latency, which add up to it."""

VIOLATION = "violation"
"""Moment of the first broken promise of a run."""

_SEARCHED = 1_000_000
"""Maximum number of recorded events of a run whose moment of interest is not known before."""

ENDINGS = (".txt", ".svg", ".png", ".json", ".xml", ".csv")
"""Endings of the files to which a recording can be written."""

_LIMIT = Parameter.plain("limit", "uint", 1, 10_000_000)
_PCAP_HEADER = 24
"""Size of the header of a pcap file [bytes]."""
_PCAP_PACKET = struct.Struct("=IIII")
"""Header of a packet in a pcap file: seconds, fraction, bytes in the file, bytes of the packet."""
_PATH = re.compile(r"path (\d+) to peer (\d+): (.+)")
"""Label of an event that is a change of the state of a path: the path, the other end and the state."""
_TEXT_WIDTH = 100
"""Width of a chart in a text file [characters]."""
_LIST_WIDTH = 18
"""Minimum distance of two nodes in a text chart [characters]; below it, lines are sentences instead."""


def trace(
    name: Any,
    /,
    *,
    seed: int = 1,
    limit: int = 10000,
    begin: Any = 0,
    end: Any = None,
    around: str | None = None,
    pcap: str | os.PathLike | None = None,
    ascii: str | os.PathLike | None = None,
    progress: bool | None = None,
    **parameters: Any,
) -> Trace:
    """
    Run a scenario once and record its messages and frames.

    Parameters
    ----------
    name : str
        The scenario.
    seed : int
        As for `run`.
    limit : int
        Maximum number of recorded events, without the arrivals and deliveries of what was sent by then.
    begin, end : float or str
        Period that is recorded, in simulated time: a number in seconds, or text with a unit. What begins in it is
        recorded with its end: a frame with its arrival, a message with its delivery.
    around : str, optional
        `violation` centres the chart on the first violation of the promise and marks it, in a recording of up to a
        million events.
    pcap : path, optional
        Folder for a pcap file of each net device.
    ascii : path, optional
        File for ns-3's ascii trace of all net devices: packets enqueued (+), dequeued (-), dropped (d), received (r).
    progress : bool, optional
        As for `run`.
    **parameters
        As for `run`.

    Returns
    -------
    Trace
        The recording, which prints as a sequence chart.

    Raises
    ------
    RelnetError
        If a name or value is not allowed, parameters contradict each other, a file cannot be written, or there is no
        violation to show.
    RunError
        If the run failed.
    """
    first, last = (_nanoseconds(which, value) for which, value in (("begin", begin), ("end", end)))
    if around not in (None, VIOLATION):
        raise RelnetError(f"around is {quoted(around)}; it has to be {VIOLATION}.")
    if last is not None and last < (first or 0):
        raise RelnetError(f"end is {quoted(end)}, which is before begin, {quoted(begin)}.")
    recording = Recording(
        max(_LIMIT.parse(limit), _SEARCHED) if around else _LIMIT.parse(limit),
        first or 0,
        _FOREVER if last is None else last,
        str(make_folder(check_path("pcap", pcap).absolute()) / "trace") if pcap is not None else "",
        str(_ascii_file(ascii)) if ascii is not None else "",
    )
    told = run_record(name, parameters, seed, cache=False, show=progress, recording=recording)
    results = to_series(*told)
    events, parts = (results.attrs["tables"].pop(table) for table in (TABLE, PARTS_TABLE))
    if recording.pcap and not any(Path(recording.pcap).parent.glob("trace*")):
        raise RelnetError(f"{told[0].name} sent nothing over net devices that can be captured: no file is written.")
    if recording.ascii:
        _check_ascii(Path(recording.ascii), told[0].name)
    for path in sorted(Path(recording.pcap).parent.glob("trace*.pcap")) if recording.pcap else ():
        if not _is_complete(path):
            warnings.warn(f"{path} is incomplete: the disk may be full.", RelnetWarning, stacklevel=2)
    recorded = Trace(events, results, recording.limit, parts, recording.end / 1e3, recording.begin / 1e3)
    if around:
        recorded.centre = _violation(recorded)
    return recorded


def _violation(recorded: Trace) -> float:
    """
    Time of the first violation [us].

    It is that of the wrong event, of the post of a message that was never delivered, or of the last event of a run in
    which nothing can happen any more.
    """
    reason = recorded.results.get("VerdictReason", "")
    when = re.search(r" at (\d+) ns", reason)
    if not when and recorded.results.get("Verdict") in _STANDSTILLS and len(recorded.events):
        return recorded.events["Time"].max() / 1e3
    if not when:
        raise RelnetError("The run has no violation, so there is nothing to centre on; omit around.")
    missing = re.match(r"Message (\d+) .* was never delivered", reason)
    accepted = recorded.messages[~recorded.messages["outcome"].isin(_DECLINED)]
    if missing and int(missing[1]) < len(accepted):
        return accepted["posted"].iloc[int(missing[1])]
    return int(when[1]) / 1e3


_STANDSTILLS = ("deadlock", "livelock")
"""Verdicts on runs that do not go on."""

_FOREVER = 2**63 - 1
"""End of a recording without one [ns]."""

_ALWAYS = _FOREVER / 1e3
"""The same [us]."""

_DECLINED = ("stalled", "refused")
"""Outcomes of messages that the protocol did not accept."""


def _ascii_file(name: str | os.PathLike) -> Path:
    """The path of an ascii trace that can be written, in a folder that exists."""
    path = check_path("ascii", name).absolute()
    return check(path, [path.suffix.lower()])


def _check_ascii(path: Path, name: str) -> None:
    """Refuse an ascii trace without a line, and warn of one whose last line has no end."""
    if path.stat().st_size == 0:
        try:
            path.write_bytes(b"\n")
        except OSError as error:
            raise RelnetError(f"{path} cannot be written: {error.strerror}.") from error
        finally:
            path.unlink()
        raise RelnetError(f"{name} sent nothing over net devices that can be captured: no file is written.")
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            warnings.warn(f"{path} is incomplete: the disk may be full.", RelnetWarning, stacklevel=3)


def _is_complete(path: Path) -> bool:
    """Whether a pcap file ends with the end of a packet."""
    size = path.stat().st_size
    place = _PCAP_HEADER
    with open(path, "rb") as file:
        while place < size:
            file.seek(place)
            header = file.read(_PCAP_PACKET.size)
            if len(header) < _PCAP_PACKET.size:
                return False
            place += _PCAP_PACKET.size + _PCAP_PACKET.unpack(header)[2]
    return place == size


def _nanoseconds(which: str, value: Any) -> int | None:
    if value is None:
        return None
    return round(parse_seconds(which, value) * 10**9)


class Trace:
    """
    The recording of a run.

    Parameters
    ----------
    events : pandas.DataFrame
        Table of events.
    results : pandas.Series
        Results of the run.
    limit : int
        Maximum number of recorded events.
    parts : pandas.DataFrame
        Table of the parts of the latency of each delivered message.
    end : float
        End of the recorded period [us].

    Attributes
    ----------
    events : pandas.DataFrame
        One row per event, in order of time: `post`, `send`, `arrive`, `lose`, `deliver`, `complete`, `note` (an event
        of the protocol), `work` of a host and the `end` of the run, with node, peer (-1 for all or none), number of the
        message or frame, bytes, label and detail. Times are in nanoseconds.
    results : pandas.Series
        Results of the run, as from `relnet.run`.
    centre : float or None
        Time that charts are centred on [us]; they begin with the first event without one.
    """

    def __init__(self, events: Any, results: Any, limit: int, parts: Any, end: float, begin: float = 0) -> None:
        self.events = events
        self.results = results
        self.centre: float | None = None
        self._limit = limit
        self._parts = parts
        self._end = end
        self._begin = begin

    @property
    def truncated(self) -> bool:
        """Whether recording stopped at the limit."""
        return len(self.events) > self._limit

    @functools.cached_property
    def frames(self) -> Any:
        """
        Frames or packets, one row for each receiver.

        Columns: `number`, `source`, `destination` (-1 for a broadcast that has not arrived anywhere), `label`, `bytes`,
        `sent` and `ended` [us], `outcome` (`arrived`, `lost`, or `in flight` at the end of the run), `reason` of a loss
        or fault, and `repeated`, whether a frame with this label was sent before. A frame that was sent before the end
        of the run, by less than the longest time of any other, counts as in flight.
        """
        import pandas  # slow, and only frames need it

        sent: dict[int, Any] = {}
        rows: list[tuple] = []
        ended: set[int] = set()
        for event in self.events.itertuples(index=False):
            if event.Event == "send":
                sent[event.Number] = event
            elif event.Event in ("arrive", "lose") and event.Number in sent:
                start = sent[event.Number]
                ended.add(event.Number)
                outcome = "arrived" if event.Event == "arrive" else "lost"
                node = start.Peer if event.Node == start.Node else event.Node
                rows.append(_frame(start, node, event.Time / 1e3, outcome, event.Detail))
        longest = max((row[_ENDED] - row[_SENT] for row in rows if row[_OUTCOME] == "arrived"), default=0.0)
        last = max(self.events["Time"], default=0) / 1e3
        for number, start in sent.items():
            if number not in ended:
                flying = start.Time / 1e3 > last - longest
                outcome, reason = ("in flight", "") if flying else ("lost", "did not arrive")
                rows.append(_frame(start, start.Peer, float("nan"), outcome, reason))
        rows.sort(key=lambda row: (row[0], row[2]))
        frame = pandas.DataFrame(rows, columns=_FRAME_COLUMNS)
        frame.attrs["units"] = {"bytes": "bytes", "sent": "us", "ended": "us"}
        return frame

    @functools.cached_property
    def messages(self) -> Any:
        """
        Messages, one row each.

        Columns: `number`, `source`, `destination` (-1 for all others), `bytes`, `posted`, `delivered` (for the first
        time) and `ended` [us], `outcome`, which the protocol reported to the sender, or the reason of a refusal, and,
        in `reliability`, the parts of the latency until this delivery [us]: `sender`, `repeat`, `processors`,
        `network`, `queueing` and `receiver`. The latency begins when the application has the message, so it may be
        longer than the time since `posted`.
        """
        import pandas  # slow, and only frames need it

        rows: dict[int, dict[str, Any]] = {}
        for event in self.events.itertuples(index=False):
            if event.Event == "post":
                rows[event.Number] = {
                    "number": event.Number,
                    "source": event.Node,
                    "destination": event.Peer,
                    "bytes": event.Bytes,
                    "posted": event.Time / 1e3,
                    "delivered": float("nan"),
                    "ended": float("nan"),
                    "outcome": event.Detail,
                }
            elif event.Event in ("deliver", "complete") and event.Number in rows:
                row = rows[event.Number]
                column = "delivered" if event.Event == "deliver" else "ended"
                if row[column] != row[column]:
                    row[column] = event.Time / 1e3
                if event.Event == "complete":
                    row["outcome"] = event.Detail
        columns = ["number", "source", "destination", "bytes", "posted", "delivered", "ended", "outcome"]
        frame = pandas.DataFrame(list(rows.values()), columns=columns)
        frame.attrs["units"] = {"bytes": "bytes"} | dict.fromkeys(("posted", "delivered", "ended"), "us")
        if len(self._parts):
            first = self._parts.drop_duplicates("Number").set_index("Number")[list(PARTS)] / 1e3
            units = frame.attrs["units"] | dict.fromkeys(PARTS, "us")
            frame = frame.join(first, on="number")
            frame.attrs["units"] = units
        return frame

    @functools.cached_property
    def paths(self) -> Any:
        """
        Changes of the states of paths, one row each, of protocols that have such states (`mrc`).

        Columns: `node`, `peer` (the other end of the connection), `path`, `time` [us] and `state` from then on.
        """
        import pandas  # slow, and only frames need it

        notes = self.events[self.events["Event"] == "note"]
        rows = [
            (event.Node, int(found[2]), int(found[1]), event.Time / 1e3, found[3])
            for event in notes.itertuples(index=False)
            if (found := _PATH.fullmatch(event.Label))
        ]
        frame = pandas.DataFrame(rows, columns=["node", "peer", "path", "time", "state"])
        frame.attrs["units"] = {"time": "us"}
        return frame

    @functools.cached_property
    def _parts_text(self) -> dict[tuple[int, int], str]:
        """Latency and its parts, by message and receiver."""
        told = {}
        for row in self._parts.to_dict("records"):
            whole = sum(row[part] for part in PARTS) / 1e3
            shares = ", ".join(f"{part} {row[part] / 1e3:.3f}" for part in PARTS if row[part])
            told[row["Number"], row["Node"]] = f" after {whole:.3f}" + (f": {shares}" if shares else "")
        return told

    @property
    def summary(self) -> str:
        """Numbers of frames by outcome, in one sentence."""
        frames = self.frames
        told = [f"{count} {outcome}" for outcome, count in frames["outcome"].value_counts().items()]
        if frames["repeated"].any():
            told.append(f"{frames['repeated'].sum()} repeated")
        counts = f": {', '.join(told)}" if told else ""
        cut = f" Recording ended after {self._limit} events." if self.truncated else ""
        return f"{len(frames)} frames{counts}; the run was {self.results['Verdict']}.{cut}"

    def text(self, first: int = 40, nodes: Iterable[int] | None = None, width: int | None = None) -> str:
        """
        Draw a sequence chart as text.

        Parameters
        ----------
        first : int
            Number of lines.
        nodes : iterable of int, optional
            Only messages and frames of these nodes.
        width : int, optional
            Width of a line [characters]; the width of the terminal by default.

        Raises
        ------
        RelnetError
            If nothing of these nodes was recorded, but something of others.
        """
        width = width or shutil.get_terminal_size((100, 24)).columns
        wanted = None if nodes is None else set(nodes)
        lines = self._lines(wanted)
        skipped = self._skipped(lines, first)
        shown = lines[skipped : skipped + first]
        present = sorted({node for line in shown for node in line[1:3] if node >= 0})
        if not present:
            return self._explain_absence(wanted)
        stamps = [f"{line[0]:.3f}" for line in shown]
        margin = max(map(len, [*stamps, "us"])) + 2
        gap = min((width - margin - 30) // max(1, len(present) - 1), 32)
        draw = _ladder(present, gap) if gap >= _LIST_WIDTH else None
        rows = [f"{'us':>{margin - 2}}  {draw(None)}" if draw else f"{'us':>{margin - 2}}"]
        if skipped:
            rows.append(f"{'':>{margin - 2}}  ... {skipped} earlier lines")
        marked = self.centre is None
        mark = "" if marked else f"{'':>{margin - 2}}  >>> {self.results['VerdictReason']}"
        for stamp, line in zip(stamps, shown, strict=True):
            if not marked and line[0] >= self.centre:
                marked = True
                rows.append(mark)
            rows.append(f"{stamp:>{margin - 2}}  {draw(line) if draw else _sentence(line)}".rstrip())
        if not marked:
            # A run in which nothing can happen any more may end after its last frame.
            rows.append(mark)
        more = len(lines) - len(shown) - skipped
        if more:
            rows.append(f"{'':>{margin - 2}}  ... {more} more lines")
        return "\n".join(rows)

    def _skipped(self, lines: Sequence[tuple], first: int) -> int:
        """Number of lines before those of a chart."""
        if self.centre is None:
            return 0
        before = sum(line[0] < self.centre for line in lines)
        return max(0, before - first // 2)

    def _explain_absence(self, nodes: set[int] | None) -> str:
        """The reason why a chart has no line; an error if others than these nodes have lines."""
        others = sorted({node for line in self._lines(None) for node in line[1:3] if node >= 0})
        if nodes is not None and others:
            wanted, there = (", ".join(map(str, one)) for one in (sorted(nodes), others))
            raise RelnetError(f"No message or frame of nodes {wanted} was recorded, but those of nodes {there} were.")
        if self._begin > 0 or self._end < _ALWAYS:
            return "Nothing was recorded between begin and end."
        return "Nothing was recorded: this scenario sends no frames over ports or net devices."

    def _lines(self, nodes: set[int] | None) -> list[tuple[float, int, int, str, str]]:
        """Time [us], node, peer (-1 for none), mark and text of each line of a chart, in order of time."""
        lines: list[tuple[int, tuple[float, int, int, str, str]]] = []
        place = {
            event.Number: index
            for index, event in enumerate(self.events.itertuples(index=False))
            if event.Event == "send"
        }
        for one in self.frames.itertuples(index=False):
            mark = {"arrived": ">", "lost": "x", "in flight": "."}[one.outcome]
            again = " again" if one.repeated else ""
            words = f"{one.label}{again}"
            if one.outcome == "arrived":
                words += f"|+{one.ended - one.sent:.3f}" + (f", {one.reason}" if one.reason else "")
            else:
                words += f"|{one.outcome}" + (f": {one.reason}" if one.reason not in ("", one.outcome) else "")
            lines.append((place[one.number], (one.sent, one.source, one.destination, mark, words)))
        verbs = {"post": "posts", "deliver": "delivers", "complete": "ends"}
        for index, event in enumerate(self.events.itertuples(index=False)):
            if event.Event in verbs and event.Time / 1e3 <= self._end:
                number = "a message" if event.Number < 0 else f"message {event.Number}"
                detail = f" ({event.Detail})" if event.Detail else ""
                size = f" ({event.Bytes} B)" if event.Event == "post" and not event.Detail else ""
                parts = self._parts_text.get((event.Number, event.Node), "") if event.Event == "deliver" else ""
                words = f"{verbs[event.Event]} {number}{size}{detail}{parts}"
                lines.append((index, (event.Time / 1e3, event.Node, -1, "", words)))
        # Events are in the order of time, and within a moment in that of their causes.
        lines.sort(key=lambda line: line[0])
        return [line for _, line in lines if nodes is None or line[1] in nodes or line[2] in nodes]

    def perfetto(self) -> dict[str, Any]:
        """
        Convert the recording to Chrome's trace event format, which ui.perfetto.dev opens.

        Nodes have messages from post to completion, events of the protocol, a counter of messages in flight, and the
        states of paths from their first change on. Links have frames from sender to receiver. Hosts have steps of work
        of each kind.
        """
        end = max(self.events[["Time", "End"]].max(), default=0) / 1e3
        tracks = _Tracks()
        changes: list[tuple[float, int, int]] = []
        for one in self.messages.itertuples(index=False):
            if one.posted != one.posted or one.outcome in _DECLINED:
                continue
            to = "all" if one.destination < 0 else one.destination
            last = end if one.ended != one.ended else one.ended
            told = {"bytes": one.bytes, "outcome": one.outcome or "not ended"}
            parts = {part: getattr(one, part) for part in PARTS if hasattr(one, part)}
            told |= {f"{part} [us]": time for part, time in parts.items() if time == time}
            line = f"node {one.source}: messages"
            tracks.slice(_NODES, line, f"message {one.number} to {to}", "message", one.posted, last, told)
            changes += [(one.posted, one.source, 1), (last, one.source, -1)]
        flying: dict[int, int] = defaultdict(int)
        for time, node, change in sorted(changes):
            flying[node] += change
            tracks.event("C", _NODES, f"node {node}", f"in flight from node {node}", time, {"messages": flying[node]})
        for event in self.events.itertuples(index=False):
            if event.Event in ("note", "send", "arrive", "deliver"):
                label = event.Label if event.Event == "note" else f"{event.Event} {event.Label}"
                tracks.event("i", _NODES, f"node {event.Node}", label, event.Time / 1e3, s="t", cat=event.Event)
        for one in self.frames.itertuples(index=False):
            last = one.ended if one.ended == one.ended else one.sent if one.outcome == "lost" else end
            told = {"bytes": one.bytes, "outcome": one.outcome, "reason": one.reason, "repeated": bool(one.repeated)}
            line = f"{one.source} to {'all' if one.destination < 0 else one.destination}"
            tracks.slice(_LINKS, line, one.label, "frame", one.sent, last, told)
        for (node, peer, path), changes in self.paths.groupby(["node", "peer", "path"]):
            line = f"node {node}: path {path} to {peer}"
            for begin, until, state in zip(
                changes["time"], [*changes["time"].iloc[1:], end], changes["state"], strict=True
            ):
                tracks.slice(_NODES, line, state, "path", begin, until, {})
        for step in self.events[self.events["Event"] == "work"].itertuples(index=False):
            told = {"amount": step.Bytes, "process": step.Number}
            line = f"host {step.Node}: {step.Label}"
            tracks.slice(_HOSTS, line, step.Label, "work", step.Time / 1e3, step.End / 1e3, told)
        if self.centre is not None:
            tracks.event("i", _NODES, "violation", self.results["VerdictReason"], self.centre, s="g", cat="violation")
        return {
            "traceEvents": tracks.finish(),
            "displayTimeUnit": "ns",
            "otherData": {"scenario": self.results.attrs["scenario"], "code": self.results.attrs["code"]},
        }

    def netanim(self) -> str:
        """
        Convert the recording to an animation for NetAnim: nodes on a circle, and the frames that arrived.

        Unlike ns-3's `AnimationInterface`, it covers frames of any network.
        """
        root = xml.Element("anim", ver="netanim-3.109", filetype="animation")
        arrived = self.frames[self.frames["outcome"] == "arrived"].sort_values("sent", kind="stable")
        count = int(self.frames[["source", "destination"]].max().max()) + 1 if len(self.frames) else 0
        for node in range(count):
            angle = 2 * math.pi * node / count
            place = {"locX": f"{50 + 40 * math.sin(angle):.3f}", "locY": f"{50 - 40 * math.cos(angle):.3f}"}
            xml.SubElement(root, "node", id=str(node), sysId="0", **place)
        for one in arrived.itertuples(index=False):
            begin, end = (f"{time / 1e6:.9f}" for time in (one.sent, one.ended))
            label = f"{one.label} again" if one.repeated else one.label
            words = {"fId": str(one.source), "fbTx": begin, "lbTx": begin, "meta-info": label}
            xml.SubElement(root, "p", words | {"tId": str(one.destination), "fbRx": end, "lbRx": end})
        xml.indent(root)
        return xml.tostring(root, encoding="unicode") + "\n"

    def save(self, path: str | os.PathLike, first: int = 40, nodes: Iterable[int] | None = None) -> None:
        """
        Write the recording to a file.

        Parameters
        ----------
        path : path
            The ending selects the format: `.txt`, `.svg` or `.png` for a sequence chart, `.json` for a trace for
            ui.perfetto.dev, `.xml` for an animation for NetAnim, `.csv` for the events.
        first : int
            Number of lines of a chart.
        nodes : iterable of int, optional
            Nodes of a chart.

        Raises
        ------
        RelnetError
            If the ending is unknown, or the file cannot be written.
        """
        from relnet import plots  # slow: it needs matplotlib

        target = check_file(path)
        nodes = None if nodes is None else set(nodes)
        if target.suffix == ".csv":
            content = self.events.to_csv(index=False, lineterminator="\n").encode()
        elif target.suffix == ".json":
            content = json.dumps(self.perfetto(), allow_nan=False, default=int).encode()
        elif target.suffix == ".xml":
            content = self.netanim().encode()
        elif target.suffix == ".txt":
            content = f"{self.text(first, nodes, _TEXT_WIDTH)}\n".encode()
        else:
            figure = plots.sequence(self, first, nodes)
            content = plots.svg(figure) if target.suffix == ".svg" else plots.png(figure)
        # Instead of a picture, its text can be printed.
        text = f"{self.text(first, nodes, _TEXT_WIDTH)}\n".encode
        replace_or_rescue(target, content, text if target.suffix == ".png" else None)

    def __repr__(self) -> str:
        return f"{self.text()}\n{self.summary}"

    def _repr_html_(self) -> str:
        from relnet import plots  # slow: it needs matplotlib

        drawn = plots.data_uri(plots.svg(plots.sequence(self)))
        return f'<img src="{drawn}" alt="Sequence chart"><p>{html.escape(self.summary)}</p>'


_NODES, _LINKS, _HOSTS = "nodes", "links", "hosts"
"""Groups of tracks of a trace for Perfetto."""


class _Tracks:
    """
    Tracks of a trace for Perfetto.

    Overlapping slices of a track are moved to further tracks. Asynchronous events could overlap, but Perfetto does not
    show them next to their track.
    """

    def __init__(self) -> None:
        self._events: list[dict[str, Any]] = []
        self._slices: list[tuple[float, float, str, str, str, str, dict[str, Any]]] = []
        self._places: dict[tuple[str, str], dict[str, int]] = {}

    def _place(self, group: str, line: str) -> dict[str, int]:
        pid = (_NODES, _LINKS, _HOSTS).index(group) + 1
        return self._places.setdefault((group, line), {"pid": pid, "tid": len(self._places) + 1})

    def event(
        self, phase: str, group: str, line: str, name: str, time: float, args: Any = None, **members: Any
    ) -> None:
        """Add an event at a time [us]."""
        told = {} if args is None else {"args": args}
        self._events.append({"ph": phase, "name": name, "ts": time} | self._place(group, line) | told | members)

    def slice(self, group: str, line: str, name: str, kind: str, begin: float, end: float, args: dict) -> None:
        """Add a slice from one time to another [us]."""
        self._slices.append((begin, end, group, line, name, kind, args))

    def finish(self) -> list[dict[str, Any]]:
        """All events, in order of time."""
        until: dict[tuple[str, str], list[float]] = defaultdict(list)
        for begin, end, group, line, name, kind, args in sorted(self._slices, key=lambda one: one[:4]):
            used = until[group, line]
            index = next((index for index, last in enumerate(used) if last <= begin), len(used))
            used[index : index + 1] = [end]
            track = f"{line} ({index + 1})" if index else line
            self.event("X", group, track, name, begin, args, dur=end - begin, cat=kind)
        names = {("process_name", place["pid"], 0): group for (group, _), place in self._places.items()}
        names |= {("thread_name", *place.values()): line for (_, line), place in self._places.items()}
        return [
            {"ph": "M", "name": kind, "pid": pid, "tid": tid, "ts": 0, "args": {"name": name}}
            for (kind, pid, tid), name in names.items()
        ] + sorted(self._events, key=lambda event: event["ts"])


def check_file(path: str | os.PathLike) -> Path:
    """Refuse a file with an unknown ending, or that cannot be written; return its absolute path."""
    return check(path, ENDINGS)


_FRAME_COLUMNS = (
    *("number", "source", "destination", "label", "bytes", "sent", "ended", "outcome", "reason", "repeated"),
)
"""Columns of the table of frames."""

_SENT, _ENDED, _OUTCOME = (_FRAME_COLUMNS.index(name) for name in ("sent", "ended", "outcome"))
"""Places of some of them."""


def _frame(start: Any, node: int, ended: float, outcome: str, reason: str) -> tuple:
    repeated = start.Detail == "repeated"
    return (
        *(start.Number, start.Node, node, start.Label, start.Bytes, start.Time / 1e3, ended, outcome, reason, repeated),
    )


def _sentence(line: Sequence[Any]) -> str:
    """A line of a chart with too many nodes for columns."""
    _, node, peer, mark, words = line
    if not mark:
        return f"node {node} {words}"
    label, _, end = words.rpartition("|")
    to = "all" if peer < 0 else peer
    return f"{node} --{'x' if mark == 'x' else '>'} {to}  {label}  ({end})"


def _ladder(nodes: list[int], gap: int) -> Any:
    """Make a function that draws lines of a chart with a column for each node."""
    column = {node: 3 + place * gap for place, node in enumerate(nodes)}
    width = column[nodes[-1]] + 1

    def draw(line: Sequence[Any] | None) -> str:
        if line is None:
            heads = [" "] * (width + 8)
            for node, place in column.items():
                head = f"node {node}"
                start = max(0, place - len(head) // 2)
                heads[start : start + len(head)] = head
            return "".join(heads).rstrip()
        _, node, peer, mark, words = line
        cells = [" "] * width
        for place in column.values():
            cells[place] = "|"
        if not mark:
            place = column[node]
            cells[place] = "*"
            fits = place + 2 + len(words) < min((one for one in column.values() if one > place), default=10**6)
            told = f" {words}"
            if fits:
                cells[place + 1 : place + 1 + len(told)] = told
                return "".join(cells)
            return "".join(cells) + told + (f" [node {node}]" if node != nodes[-1] else "")
        label, _, end = words.rpartition("|")
        source = column[node]
        target = column.get(peer, column[nodes[-1]] if node != nodes[-1] else column[nodes[0]])
        if peer == node:
            return "".join(cells) + f" {label} (to itself)"
        low, high = sorted((source, target))
        shaft = ["-"] * (high - low - 1)
        text = f" {label} "[: max(0, len(shaft) - 4)]
        start = (len(shaft) - len(text)) // 2
        shaft[start : start + len(text)] = text
        if mark == "x":
            cut = len(shaft) * 3 // 4
            place = cut if target > source else len(shaft) - 1 - cut
            if start <= place < start + len(text):
                place = start + len(text) if target > source else start - 1
            shaft[place] = "x"
            outside = range(place + 1, len(shaft)) if target > source else range(place)
            for index in outside:
                shaft[index] = " "
        elif mark == "." or target > source:
            shaft[-1 if target > source else 0] = ">" if target > source else "<"
        else:
            shaft[0] = "<"
        cells[low + 1 : high] = shaft
        return "".join(cells) + f"  {end}" + (" (to all)" if peer < 0 else "")

    return draw
