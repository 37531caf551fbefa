# SPDX-License-Identifier: GPL-2.0-only
"""The most important parameters of a scenario, the groups of parameters, and one example for each scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable

from relnet.catalog.parameters import Parameter
from relnet.names import fold

GROUPS = ("workload", "protocol", "network", "hosts", "faults", "limits")
"""Groups of parameters, in the order of a description."""

FEW = 10
"""Number of parameters in a short description."""

_BY_ORIGIN = (
    (r"::(\w*Faults?)$", "faults"),
    (
        r"::(HostModel|HostSettings|HostNetDevice|ParastationMachine|ParastationPlatform|RankGroup|EqaHost|\w*Costs)$",
        "hosts",
    ),
    (r"::(TraceReplayer)$", "limits"),
    (r"::(\w*Network|Engine|Hca|Fabric|Subnet|\w*Segment|\w*Switch|\w*Channel|Lan|\w*NetDevice)$", "network"),
    (r"::(\w*Protocol|\w*Settings|\w*Parameters|EqaGroup|StreamGroup)$", "protocol"),
    (r"::(\w*Application|\w*Benchmark|Workload\w*)$", "workload"),
)
_BY_NAME = (
    (r"(Max(Cycles|Idle)|TimeLimit|StallFrames|States)$", "limits"),
    (
        r"(Faults|PacketLoss|Loss\w*|Corruption\w*|SwitchCorruption|CrcMiss|Overwrite\w*|\w*Stall(Rate|Length)|Outage\w*|"
        r"Failures|FailedLinks|\w*Failure(Rate|Time)|RepairTime|Duplication|Reorder\w*|Burst(Begin|End|Loss))$",
        "faults",
    ),
    (
        r"(Cpus|CpuRatio|SystemCallTime|InterruptTime|CopyRate|FrameTime|Host|P4\w+|HostScale|Ipc|ReceiveBuffer|PollTime|"
        r"ReliabilityTime|TimerInterrupt|MemoryRate|RanksPerNode|\w*Instructions|PioRate|DmaRate|DmaThreshold|CachedCopy|"
        r"BusBurst|HostJitter|Platform|TransmitTime|LightTime|HandleTime|WakeTime|Driver|SendProcessing|Context\w+)$",
        "hosts",
    ),
    (
        r"(Network|network\..+|Topology\w*|Router|Routing|Router\w+|Nodes|LinkRate|DataRate|Delay|Mtu|CableDelay|"
        r"SwitchDelay|Switch\w*|Buffer\w*|Forwarding\w+|EmulateBroadcast|Paths|Lmc)$",
        "network",
    ),
    (
        r"(Protocol|protocol\..+|System|Reliability|Transport|Variant|Layer|LayerScale|Window|\w*Window|Backoff|"
        r"Credits|CreditThreshold|EagerLimit|Timeout|Sweep\w+|QueueReading|Nagle|HearsOwn)$",
        "protocol",
    ),
)

_FIRST = {
    "eqa": "System Operation Nodes Size Rounds Network Late Loss Btp1 Btp2",
    "eqa-point": "System Place Size Rounds Network Btp1 Btp2 Cpus CopyRate Loss",
    "explore": "Protocol Peers Messages Size Faults Capacity Fair Symmetry States Threads",
    "fabric": "Protocol Workload Nodes Load Flows Size Senders QueuePairs Loss TimeLimit",
    "idempotent": "Benchmark Nodes Entries Topology Router Protocol Backoff C Loss MaxCycles",
    "infiniband-perf": "Transport Operation MinBytes MaxBytes Iterations Topology LinkRate Mtu PacketLoss Corruption",
    "live": "Protocol Peer Peers Size Messages Application Loss Corruption Duplication TimeLimit",
    "mpi-application": "DataSet Duration Transport Reliability Nodes RanksPerNode EagerLimit Credits Paths PacketLoss",
    "mpi-goal": "File RingBytes Transport Reliability Nodes RanksPerNode EagerLimit Credits Topology PacketLoss",
    "mpi-osu": "Sizes Pairs Peers Transport Reliability EagerLimit Credits Timeout LinkRate PacketLoss",
    "parastation2": "Pattern Size Rounds Nodes Protocol Window RetransmitTimeout Platform Layer Loss",
    "pcode": "Collective System Nodes Size Rounds Network Driver Ipc SendBuffer Loss",
    "reliability": "Pattern Nodes Size Messages Load Protocol Network Host Loss TimeLimit",
}
"""Most important parameters of relnet's scenarios; other scenarios list the first that they declare."""

EXAMPLES = {
    "eqa": "system=ppbcast nodes=8 size=4096 rounds=20",
    "eqa-memory": "nodes=64",
    "eqa-point": "system=pushpull size=1024 rounds=50",
    "explore": "protocol=idempotent messages=1",
    "fabric": "protocol=irn workload=alistorage nodes=16 flows=500",
    "idempotent": "benchmark=add nodes=64 router=lossy loss=0.01",
    "infiniband-perf": "transport=UC maxbytes=4KiB iterations=100",
    "mpi-application": "dataset=jac2000 nodes=2 duration=10ms",
    "mpi-goal": "transport=UD reliability=reliable",
    "mpi-osu": "sizes=1024 transport=UD reliability=reliable",
    "parastation2": "size=1024 loss=0.01",
    "pcode": "system=pcode collective=onetoall nodes=4 rounds=20",
    "reliability": "network=csma protocol=idempotent loss=0.1 nodes=4",
}
"""Parameters of a run of about a second, for each scenario of relnet that runs alone."""


def example(name: str) -> str:
    """An example command of a scenario; a process of `live` needs others, which `relnet live` starts."""
    if name == "live":
        return "relnet live idempotent loss=0.1"
    return f"relnet run {name} {EXAMPLES.get(name, '')}".rstrip()


def group(parameter: Parameter) -> str:
    """The group of a parameter, by the class that declares it or by its name."""
    for pattern, found in _BY_NAME[:2]:
        if re.match(pattern, parameter.name):
            return found
    for pattern, found in _BY_ORIGIN:
        if re.search(pattern, parameter.origin):
            return found
    return next((found for pattern, found in _BY_NAME[2:] if re.match(pattern, parameter.name)), "workload")


def first(name: str, parameters: Iterable[Parameter]) -> list[Parameter]:
    """The parameters of a short description, in order."""
    known = {fold(one.name): one for one in parameters}
    words = [word for word in _FIRST.get(name, "").split() if fold(word) in known]
    return [known[fold(word)] for word in words] or list(known.values())[:FEW]
