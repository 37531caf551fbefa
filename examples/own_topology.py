# SPDX-License-Identifier: GPL-2.0-only
"""
A sweep over a Python function that builds a topology with `ns`: a chain of ns-3 point-to-point links.

Run it with `.venv/bin/python examples/own_topology.py`. Each point of the grid runs in a separate process, so a fatal
error in ns-3 affects one point. A second run reads the results from disk.
"""

import relnet
from relnet import ns

relnet.ns3_modules("point-to-point", "internet", "applications")


def chain(hops, loss, seed):
    """Send 200 packets along a chain of lossy links; return the number of arrivals."""
    nodes = ns.NodeContainer()
    nodes.Create(hops + 1)
    ns.InternetStackHelper().Install(nodes)
    link = ns.PointToPointHelper()
    link.SetDeviceAttribute("DataRate", ns.StringValue("100Mbps"))
    link.SetChannelAttribute("Delay", ns.StringValue("10us"))
    addresses = ns.Ipv4AddressHelper()
    for hop in range(hops):
        devices = link.Install(nodes.Get(hop), nodes.Get(hop + 1))
        model = ns.CreateObject[ns.RateErrorModel]()
        model.SetAttribute("ErrorUnit", ns.StringValue("ERROR_UNIT_PACKET"))
        model.SetAttribute("ErrorRate", ns.DoubleValue(loss))
        devices.Get(1).SetAttribute("ReceiveErrorModel", ns.PointerValue(model))
        addresses.SetBase(ns.Ipv4Address(f"10.0.{hop}.0"), ns.Ipv4Mask("255.255.255.0"))
        last = addresses.Assign(devices).GetAddress(1)
    ns.Ipv4GlobalRoutingHelper.PopulateRoutingTables()

    server = ns.UdpServerHelper(9).Install(nodes.Get(hops))
    client = ns.UdpClientHelper(last.ConvertTo(), 9)
    client.SetAttribute("MaxPackets", ns.UintegerValue(200))
    client.SetAttribute("Interval", ns.StringValue("100us"))
    client.Install(nodes.Get(0))
    ns.Simulator.Stop(ns.Seconds(1))
    ns.Simulator.Run()
    return {"received": server.Get(0).GetObject[ns.UdpServer]().GetReceived()}


if __name__ == "__main__":
    frame = relnet.sweep(chain, hops=[1, 2, 4], loss=[0, 0.05])
    print(frame.pivot(index="hops", columns="loss", values="received"))
