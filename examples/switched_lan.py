# SPDX-License-Identifier: GPL-2.0-only
"""
A switched LAN in a few lines: hosts send bursts to one host over UDP, and the switch drops packets when its buffer is
full.

Run it with `.venv/bin/python examples/switched_lan.py`. It sends the same bursts with several buffer sizes, without and
with PAUSE frames, each run in a separate process.
"""

import relnet
from relnet import ns

relnet.ns3_modules("internet", "applications")

HOSTS, BURST = 8, 16


def incast(buffer, pause):
    """Let all hosts but one send a burst of datagrams at the same time; return the number of arrivals."""
    nodes = ns.NodeContainer()
    nodes.Create(HOSTS)
    lan = ns.CreateObject[ns.ethernet.EthernetSwitch]()
    lan.SetAttribute("BufferSize", ns.UintegerValue(buffer))
    lan.SetAttribute("Pause", ns.BooleanValue(bool(pause)))
    devices = ns.ethernet.EthernetHelper().Install(nodes, lan)
    ns.InternetStackHelper().Install(nodes)
    addresses = ns.Ipv4AddressHelper()
    addresses.SetBase(ns.Ipv4Address("10.0.0.0"), ns.Ipv4Mask("255.255.255.0"))
    interfaces = addresses.Assign(devices)
    ns.NeighborCacheHelper().PopulateNeighborCache()

    server = ns.UdpServerHelper(9).Install(nodes.Get(0))
    client = ns.UdpClientHelper(interfaces.GetAddress(0).ConvertTo(), 9)
    client.SetAttribute("MaxPackets", ns.UintegerValue(BURST))
    client.SetAttribute("Interval", ns.StringValue("1us"))
    client.SetAttribute("PacketSize", ns.UintegerValue(1400))
    for host in range(1, HOSTS):
        client.Install(nodes.Get(host))
    ns.Simulator.Stop(ns.Seconds(1))
    ns.Simulator.Run()
    port = lan.GetCounters(0)
    return {
        "received": server.Get(0).GetObject[ns.UdpServer]().GetReceived(),
        "dropped": sum(port.drops),
        "longest queue": port.peak,
    }


if __name__ == "__main__":
    frame = relnet.sweep(incast, buffer=[16, 64], pause=[False, True])
    print(f"{(HOSTS - 1) * BURST} datagrams to one host")
    print(frame[["buffer", "pause", "received", "dropped", "longest queue"]].to_string(index=False))
