/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-collectives.h"

#include <bit>

namespace ns3
{
namespace ranks
{

namespace
{

// Each operation has its own tag, so that messages of different operations do not match.
constexpr uint32_t BROADCAST_TAG = COLLECTIVE_TAGS;     ///< MPI_Bcast.
constexpr uint32_t ALLREDUCE_TAG = COLLECTIVE_TAGS + 1; ///< MPI_Allreduce.

} // namespace

RankTask<uint64_t>
Broadcast(Rank rank, Peer root, uint32_t bytes, uint64_t contents)
{
    const uint32_t size = rank.GetSize();
    const uint32_t place = (rank.GetIndex() + size - root) % size;
    // The lowest set bit of its place determines a rank's parent and its number of children.
    const uint32_t own = place == 0 ? std::bit_ceil(size) : place & -place;
    if (place != 0)
    {
        const RankStatus status = co_await rank.Recv((place - own + root) % size, BROADCAST_TAG);
        contents = status.contents;
    }
    for (uint32_t step = own / 2; step > 0; step /= 2)
    {
        if (place + step < size)
        {
            co_await rank.Send((place + step + root) % size, bytes, BROADCAST_TAG, contents);
        }
    }
    co_return contents;
}

RankTask<uint64_t>
Allreduce(Rank rank, uint32_t bytes, uint64_t contents)
{
    const uint32_t size = rank.GetSize();
    const Peer self = rank.GetIndex();
    const uint32_t active = std::bit_floor(size);
    const uint32_t pairs = size - active;
    const bool paired = self < 2 * pairs;
    if (paired && self % 2 == 0)
    {
        co_await rank.Send(self + 1, bytes, ALLREDUCE_TAG, contents);
        const RankStatus status = co_await rank.Recv(self + 1, ALLREDUCE_TAG);
        co_return status.contents;
    }
    if (paired)
    {
        const RankStatus status = co_await rank.Recv(self - 1, ALLREDUCE_TAG);
        contents += status.contents;
    }
    const uint32_t place = paired ? self / 2 : self - pairs;
    for (uint32_t step = 1; step < active; step *= 2)
    {
        const uint32_t other = place ^ step;
        const Peer peer = other < pairs ? 2 * other + 1 : other + pairs;
        const RankRequest receive = co_await rank.Irecv(peer, ALLREDUCE_TAG);
        const RankRequest send = co_await rank.Isend(peer, bytes, ALLREDUCE_TAG, contents);
        const RankStatus status = co_await rank.Wait(receive);
        co_await rank.Wait(send);
        contents += status.contents;
    }
    if (paired)
    {
        co_await rank.Send(self - 1, bytes, ALLREDUCE_TAG, contents);
    }
    co_return contents;
}

} // namespace ranks
} // namespace ns3
