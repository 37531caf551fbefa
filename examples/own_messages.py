# SPDX-License-Identifier: GPL-2.0-only
"""
Messages over a protocol, from Python: four nodes on a csma channel that loses frames, and an audit.

Run it with `.venv/bin/python examples/own_messages.py`. A protocol accepts a message only if its tables have room. A
stalled post is not sent; the program repeats it when the endpoint is ready again. The audit counts such posts.
"""

from functools import partial

import relnet
from relnet import ns

NODES, MESSAGES = 4, 50


def ring(loss, seed):
    """Let each node post its messages to the next node at once; return the counts of the audit."""
    messaging = ns.messaging
    network = ns.CreateObject[messaging.CsmaNetwork]()
    network.Build(NODES)
    faults = ns.CreateObject[messaging.FaultPlan]()
    faults.SetAttribute("Loss", ns.DoubleValue(loss))
    faulty = messaging.FaultyPort[messaging.AnyPort]
    site = messaging.Site()
    site.clock = network.GetClock()
    site.port = messaging.MakeAnyPort(ns.Create[faulty](site.clock, network.GetPort(), faults))
    group = ns.CreateObject[ns.idempotent.IdempotentProtocol]().Connect(site)
    audit = ns.CreateObject[messaging.DeliveryAudit]()
    audit.SetGroup(group)
    nodes = ns.NodeContainer(NODES)
    endpoints = ns.CreateObject[messaging.GroupEndpoints]()
    endpoints.Connect(audit)
    endpoints.Aggregate(nodes)

    def post(endpoint, waiting):
        while waiting and endpoint.Post(waiting[0]) == messaging.Acceptance.ACCEPTED:
            waiting.pop(0)

    for node in range(NODES):
        endpoint = nodes.Get(node).GetObject[messaging.MessageEndpoint]()
        waiting = []
        for number in range(MESSAGES):
            request = messaging.Request()
            request.id, request.to, request.bytes = number, (node + 1) % NODES, 100
            waiting.append(request)
        endpoint.SetReadyCallback(relnet.callback(partial(post, endpoint, waiting), "void()"))
        relnet.schedule(0, post, endpoint, waiting)
    ns.Simulator.Run()
    audit.Finish()
    counts = audit.GetCounts()
    lost = faults.GetCount("lost")
    return {"delivered": counts.delivered, "stalled": counts.stalled, "clean": audit.IsClean(), "lost_frames": lost}


if __name__ == "__main__":
    print(relnet.sweep(ring, loss=[0, 0.1, 0.2], seeds=2).to_string(index=False))
