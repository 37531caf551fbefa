/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup mpi-ranks
 * A program of MPI ranks: every rank computes, passes a message round a ring, and participates in a
 * reduction, over one of the paper's six configurations.
 *
 *     mpi-ranks-program-example --transport=UC --reliability=Reliable --bytes=20000
 */

#include "ns3/command-line.h"
#include "ns3/mpi-ranks-cluster.h"
#include "ns3/mpi-ranks-collectives.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ranks;

/**
 * Program of every rank.
 * @param rank the rank
 * @param bytes length of the ring's messages [bytes]
 * @return the program
 */
static RankTask<>
Main(Rank rank, uint32_t bytes)
{
    const uint32_t size = rank.GetSize();
    const Peer self = rank.GetIndex();
    co_await rank.Compute(1000 * self);
    const RankRequest receive = co_await rank.Irecv((self + size - 1) % size);
    co_await rank.Send((self + 1) % size, bytes, 0, self);
    const RankStatus status = co_await rank.Wait(receive);
    const uint64_t sum = co_await Allreduce(rank, 8, status.contents);
    if (self == 0)
    {
        std::cout << "rank 0 got " << status.bytes << " bytes of rank " << status.source
                  << "; all sources together are " << sum << "; " << rank.GetTime() / 1e3
                  << " us have passed\n";
    }
}

int
main(int argc, char* argv[])
{
    std::string transport = "RC";
    std::string reliability = "Native";
    uint32_t bytes = 1000;
    uint32_t nodes = 4;
    CommandLine cmd(__FILE__);
    cmd.AddValue("transport", "RC, UC or UD", transport);
    cmd.AddValue("reliability", "Native or Reliable", reliability);
    cmd.AddValue("bytes", "length of the ring's messages [bytes]", bytes);
    cmd.AddValue("nodes", "nodes with 8 ranks each", nodes);
    cmd.Parse(argc, argv);
    const bool isTransport = transport == "RC" || transport == "UC" || transport == "UD";
    if (!isTransport || (reliability != "Native" && reliability != "Reliable") || nodes == 0)
    {
        std::cerr << "The arguments must be transport RC, UC or UD, reliability Native or "
                     "Reliable, and at least one node.\n";
        return 2;
    }

    const auto cluster = CreateObject<RankCluster>();
    cluster->SetAttribute("Transport", StringValue(transport));
    cluster->SetAttribute("Reliability", StringValue(reliability));
    cluster->SetAttribute("Nodes", UintegerValue(nodes));
    const auto system = cluster->Build(nodes * cluster->GetRanksPerNode());
    if (!system.error.empty())
    {
        std::cerr << system.error << "\n";
        return 2;
    }
    system.group->Start([bytes](Rank rank) { return Main(rank, bytes); });
    Simulator::Run();
    std::cout << system.group->GetNDone() << " ranks have sent "
              << system.group->GetCounts().messages << " messages over the network and "
              << system.group->GetCounts().localMessages << " inside nodes\n";
    system.group->Dispose();
    Simulator::Destroy();
    return 0;
}
