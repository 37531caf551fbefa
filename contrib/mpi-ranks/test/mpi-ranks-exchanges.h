/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_EXCHANGES_H
#define MPI_RANKS_EXCHANGES_H

#include "ns3/mpi-ranks-program.h"

/**
 * @file
 * @ingroup mpi-ranks-tests
 * Programs in which each rank exchanges messages with many others.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{

/**
 * Exchange a message with each other rank: send to the one k above, receive from the one k below.
 * @param rank the rank
 * @param bytes length of each message [bytes]
 * @param send represents the data for each rank
 * @param receive set to the data from each rank
 * @return ends with the exchange
 */
inline RankTask<>
Alltoall(Rank rank, uint32_t bytes, const uint64_t* send, uint64_t* receive)
{
    constexpr uint32_t TAG = 1000;
    const uint32_t size = rank.GetSize();
    const Peer self = rank.GetIndex();
    receive[self] = send[self];
    for (uint32_t step = 1; step < size; ++step)
    {
        const Peer to = (self + step) % size;
        const Peer from = (self + size - step) % size;
        const RankRequest request = co_await rank.Irecv(from, TAG);
        const RankRequest sending = co_await rank.Isend(to, bytes, TAG, send[to]);
        const RankStatus status = co_await rank.Wait(request);
        co_await rank.Wait(sending);
        receive[from] = status.contents;
    }
}

} // namespace tests
} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_EXCHANGES_H
