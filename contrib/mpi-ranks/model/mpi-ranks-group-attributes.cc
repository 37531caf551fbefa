/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-group.h"

#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup mpi-ranks
 * The attributes of RankGroup.
 */

namespace ns3
{
namespace ranks
{

namespace
{

/** Longest time that an attribute may have: an hour [ns]. */
constexpr Ticks LONGEST = 3'600'000'000'000;

} // namespace

TypeId
RankGroup::GetTypeId()
{
    static TypeId tid = [] {
        const RankCosts costs;
        const MemoryConfig memory;
        TypeId type = TypeId("ns3::ranks::RankGroup")
                          .SetParent<Object>()
                          .SetGroupName("MpiRanks")
                          .AddConstructor<RankGroup>();
        using G = RankGroup;
        using C = RankCosts;
        using M = MemoryConfig;
        const auto time = [&type](const char* name,
                                  const char* help,
                                  Ticks initial,
                                  Ptr<const AttributeAccessor> accessor) {
            type.AddAttribute(name,
                              help,
                              UintegerValue(initial),
                              accessor,
                              MakeUintegerChecker<Ticks>(0, LONGEST));
        };
        time("CallTime",
             "Processor time to enter MPI for a send or receive [ns; calibrated: MPI latency of "
             "4.1 us and 0.8 to 1.5 M messages/s].",
             costs.call,
             MakeUintegerAccessor(&G::SetCost<&C::call>, &G::GetCost<&C::call>));
        time("MatchTime",
             "Processor time to match a message or a receive, or to queue it [ns; calibrated, as "
             "CallTime].",
             costs.match,
             MakeUintegerAccessor(&G::SetCost<&C::match>, &G::GetCost<&C::match>));
        time("HeaderTime",
             "Processor time to build or read a frame's header [ns; calibrated, as CallTime].",
             costs.header,
             MakeUintegerAccessor(&G::SetCost<&C::header>, &G::GetCost<&C::header>));
        time("PostTime",
             "Processor time of a work request and its doorbell [ns; calibrated, as CallTime].",
             costs.post,
             MakeUintegerAccessor(&G::SetCost<&C::post>, &G::GetCost<&C::post>));
        time("PollTime",
             "Processor time to take a completion and to post its receive again [ns; calibrated, "
             "as CallTime].",
             costs.poll,
             MakeUintegerAccessor(&G::SetCost<&C::poll>, &G::GetCost<&C::poll>));
        time("EmptyPollTime",
             "Processor time of a poll that finds nothing; of 1200 of them MVAPICH looks at owed "
             "ACKs [ns; default].",
             costs.emptyPoll,
             MakeUintegerAccessor(&G::SetCost<&C::emptyPoll>, &G::GetCost<&C::emptyPoll>));
        time("ReliabilityTime",
             "Processor time of each frame that needs an acknowledgement, at either end: time "
             "stamp, unacknowledged queue, duplicates [ns; default].",
             costs.reliability,
             MakeUintegerAccessor(&G::SetCost<&C::reliability>, &G::GetCost<&C::reliability>));
        time("SweepTime",
             "Processor time to look at one peer when the timer is due [ns; default].",
             costs.sweep,
             MakeUintegerAccessor(&G::SetCost<&C::sweep>, &G::GetCost<&C::sweep>));
        time("RegistrationTime",
             "Processor time at either end to register the buffer of a message by rendezvous; 0 "
             "with MVAPICH's cache of registrations [ns; default].",
             costs.registration,
             MakeUintegerAccessor(&G::SetCost<&C::registration>, &G::GetCost<&C::registration>));
        time("SharedMemoryLatency",
             "From one core's write until another core of the node sees it [ns; default].",
             memory.latency,
             MakeUintegerAccessor(&G::SetMemory<&M::latency>, &G::GetMemory<&M::latency>));
        type.AddAttribute(
            "CopyRate",
            "Rate at which one core copies [MB/s; default].",
            UintegerValue(memory.copyRate),
            MakeUintegerAccessor(&G::SetMemory<&M::copyRate>, &G::GetMemory<&M::copyRate>),
            MakeUintegerChecker<uint32_t>(1));
        type.AddAttribute(
            "MemoryRate",
            "Rate at which all cores of a node together copy; 0 for no limit [MB/s; default].",
            UintegerValue(memory.memoryRate),
            MakeUintegerAccessor(&G::SetMemory<&M::memoryRate>, &G::GetMemory<&M::memoryRate>),
            MakeUintegerChecker<uint32_t>());
        type.AddAttribute(
            "RanksPerNode",
            "Ranks of a node, each on its own core [ranks; section 8.1].",
            UintegerValue(memory.ranksPerNode),
            MakeUintegerAccessor(&G::SetMemory<&M::ranksPerNode>, &G::GetMemory<&M::ranksPerNode>),
            MakeUintegerChecker<uint32_t>(1, 1024));
        return type;
    }();
    return tid;
}

} // namespace ranks
} // namespace ns3
