/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-collectives.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ns3
{
namespace ranks
{

using messaging::Collective;
using messaging::CollectiveKind;
using messaging::CollectiveMessage;

namespace
{

/** Arrays of words that represent the blocks of a rank. */
struct Blocks
{
    std::span<const uint64_t> send; ///< Blocks to send.
    std::span<uint64_t> receive;    ///< Blocks received; usually the same.
};

/** Tag of an operation, so that messages of different operations do not match. @param kind the
 * operation @return its tag */
constexpr uint32_t
GetTag(CollectiveKind kind)
{
    return COLLECTIVE_TAGS + static_cast<uint32_t>(kind);
}

/**
 * Get the contents of a message: its word, or the handle of its words.
 * @param rank the rank
 * @param message the message
 * @param blocks the rank's blocks
 * @return the contents
 */
uint64_t
Pack(Rank rank, const CollectiveMessage& message, std::span<const uint64_t> blocks)
{
    if (message.blocks == 1)
    {
        return blocks[message.block];
    }
    std::vector<uint64_t> words(message.blocks);
    for (uint32_t i = 0; i < message.blocks; ++i)
    {
        words[i] = blocks[(message.block + i) % blocks.size()];
    }
    return rank.Store(std::move(words));
}

/**
 * Store the contents of a received message in the rank's blocks.
 * @param rank the rank
 * @param message the message
 * @param contents its contents
 * @param blocks the rank's blocks
 */
void
Unpack(Rank rank, const CollectiveMessage& message, uint64_t contents, std::span<uint64_t> blocks)
{
    std::vector<uint64_t> words{contents};
    if (message.blocks > 1)
    {
        words = rank.Take(contents);
        // Without the data, as after a loss that no layer repairs, there is nothing to find.
        words.resize(message.blocks, 0);
    }
    for (uint32_t i = 0; i < message.blocks; ++i)
    {
        uint64_t& block = blocks[(message.block + i) % blocks.size()];
        if (message.adds)
        {
            block += words[i];
        }
        else
        {
            block = words[i];
        }
    }
}

/**
 * Run the messages of a rank, step by step.
 * @param rank the rank
 * @param kind the operation
 * @param bytes length of its data [bytes]
 * @param messages the messages
 * @param blocks the rank's blocks
 * @return ends with the last step
 */
RankTask<>
Run(Rank rank,
    CollectiveKind kind,
    uint64_t bytes,
    std::vector<CollectiveMessage> messages,
    Blocks blocks)
{
    const uint32_t tag = GetTag(kind);
    rank.BeginCollective(kind, bytes);
    std::vector<RankRequest> requests;
    for (std::size_t first = 0, end = 0; first < messages.size(); first = end)
    {
        for (; end < messages.size() && messages[end].step == messages[first].step; ++end)
        {
        }
        const CollectiveMessage& only = messages[first];
        const auto length = static_cast<uint32_t>(only.bytes);
        if (end == first + 1 && only.sends)
        {
            co_await rank.Send(only.member, length, tag, Pack(rank, only, blocks.send));
            continue;
        }
        if (end == first + 1)
        {
            const RankStatus status = co_await rank.Recv(only.member, tag);
            Unpack(rank, only, status.contents, blocks.receive);
            continue;
        }
        requests.clear();
        for (std::size_t i = first; i < end; ++i)
        {
            const CollectiveMessage& it = messages[i];
            RankRequest request = 0;
            if (it.sends)
            {
                request = co_await rank.Isend(it.member,
                                              static_cast<uint32_t>(it.bytes),
                                              tag,
                                              Pack(rank, it, blocks.send));
            }
            else
            {
                request = co_await rank.Irecv(it.member, tag);
            }
            requests.push_back(request);
        }
        for (std::size_t i = first; i < end; ++i)
        {
            const RankStatus status = co_await rank.Wait(requests[i - first]);
            if (!messages[i].sends)
            {
                Unpack(rank, messages[i], status.contents, blocks.receive);
            }
        }
    }
    rank.EndCollective(kind);
}

/**
 * Run an operation on blocks.
 * @param rank the rank
 * @param collective the operation; the members are all ranks
 * @param blocks the rank's blocks
 * @return ends with the operation
 */
RankTask<>
Run(Rank rank, Collective collective, Blocks blocks)
{
    collective.members = rank.GetSize();
    return Run(rank,
               collective.kind,
               collective.bytes,
               messaging::MakeCollective(collective, rank.GetIndex()),
               blocks);
}

/**
 * Run an operation whose operand is one vector, of which a word represents each block.
 * @param rank the rank
 * @param collective the operation
 * @param contents represents the vector
 * @return the word of the rank's block
 */
RankTask<uint64_t>
RunOnVector(Rank rank, Collective collective, uint64_t contents)
{
    collective.members = rank.GetSize();
    std::vector<uint64_t> blocks(collective.GetNBlocks(), contents);
    co_await Run(rank, collective, {blocks, blocks});
    co_return blocks[rank.GetIndex() % blocks.size()];
}

} // namespace

RankTask<>
Barrier(Rank rank)
{
    co_await RunOnVector(rank, {.kind = CollectiveKind::BARRIER}, 0);
}

RankTask<uint64_t>
Broadcast(Rank rank, Peer root, uint32_t bytes, uint64_t contents, uint64_t ringBytes)
{
    return RunOnVector(
        rank,
        {.kind = CollectiveKind::BCAST, .root = root, .bytes = bytes, .ring = bytes >= ringBytes},
        contents);
}

RankTask<uint64_t>
Reduce(Rank rank, Peer root, uint32_t bytes, uint64_t contents, uint64_t ringBytes)
{
    const uint64_t sum = co_await RunOnVector(
        rank,
        {.kind = CollectiveKind::REDUCE, .root = root, .bytes = bytes, .ring = bytes >= ringBytes},
        contents);
    if (rank.GetIndex() != root)
    {
        co_return 0;
    }
    co_return sum;
}

RankTask<uint64_t>
Allreduce(Rank rank, uint32_t bytes, uint64_t contents, uint64_t ringBytes)
{
    return RunOnVector(
        rank,
        {.kind = CollectiveKind::ALLREDUCE, .bytes = bytes, .ring = bytes >= ringBytes},
        contents);
}

RankTask<uint64_t>
Scan(Rank rank, uint32_t bytes, uint64_t contents)
{
    return RunOnVector(rank, {.kind = CollectiveKind::SCAN, .bytes = bytes}, contents);
}

RankTask<uint64_t>
ReduceScatter(Rank rank, uint32_t bytes, std::span<const uint64_t> send, uint64_t ringBytes)
{
    std::vector<uint64_t> blocks(send.begin(), send.end());
    const uint64_t all = uint64_t{bytes} * rank.GetSize();
    co_await Run(rank,
                 {.kind = CollectiveKind::REDUCE_SCATTER, .bytes = all, .ring = all >= ringBytes},
                 {blocks, blocks});
    co_return blocks[rank.GetIndex()];
}

RankTask<>
Gather(Rank rank, Peer root, uint32_t bytes, uint64_t contents, std::span<uint64_t> receive)
{
    std::vector<uint64_t> blocks(rank.GetSize());
    blocks[rank.GetIndex()] = contents;
    co_await Run(
        rank,
        {.kind = CollectiveKind::GATHER, .root = root, .bytes = uint64_t{bytes} * rank.GetSize()},
        {blocks, blocks});
    if (rank.GetIndex() == root)
    {
        std::ranges::copy(blocks, receive.begin());
    }
}

RankTask<uint64_t>
Scatter(Rank rank, Peer root, uint32_t bytes, std::span<const uint64_t> send)
{
    std::vector<uint64_t> blocks(rank.GetSize());
    if (rank.GetIndex() == root)
    {
        std::ranges::copy(send, blocks.begin());
    }
    co_await Run(
        rank,
        {.kind = CollectiveKind::SCATTER, .root = root, .bytes = uint64_t{bytes} * rank.GetSize()},
        {blocks, blocks});
    co_return blocks[rank.GetIndex()];
}

RankTask<>
Allgather(Rank rank,
          uint32_t bytes,
          uint64_t contents,
          std::span<uint64_t> receive,
          uint64_t ringBytes)
{
    receive[rank.GetIndex()] = contents;
    const uint64_t all = uint64_t{bytes} * rank.GetSize();
    return Run(rank,
               {.kind = CollectiveKind::ALLGATHER, .bytes = all, .ring = all >= ringBytes},
               {receive, receive});
}

RankTask<>
Alltoall(Rank rank, uint32_t bytes, std::span<const uint64_t> send, std::span<uint64_t> receive)
{
    receive[rank.GetIndex()] = send[rank.GetIndex()];
    return Run(rank,
               {.kind = CollectiveKind::ALLTOALL, .bytes = uint64_t{bytes} * rank.GetSize()},
               {send, receive});
}

RankTask<>
Alltoallv(Rank rank,
          std::span<const uint64_t> bytes,
          std::span<const uint64_t> send,
          std::span<uint64_t> receive)
{
    receive[rank.GetIndex()] = send[rank.GetIndex()];
    // A rank needs no length to receive.
    const std::vector<uint64_t> unknown(bytes.size(), 0);
    return Run(rank,
               CollectiveKind::ALLTOALL,
               std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}),
               messaging::MakeAlltoallv(rank.GetIndex(), bytes, unknown),
               {send, receive});
}

} // namespace ranks
} // namespace ns3
