/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs.h"

/**
 * @file
 * @ingroup infiniband
 * Verbs: registered memory.
 */

namespace ns3
{
namespace infiniband
{

namespace
{

/** Operand of an atomic operation [bytes]. */
constexpr uint32_t ATOMIC_BYTES = 8;

/** Bits of a memory key that tell a region from those that had its place before. */
constexpr unsigned GENERATION_BITS = 8;

/** Size of a page of memory [bytes]. */
constexpr uint64_t PAGE_BYTES = 4096;

} // namespace

MemoryKey
Verbs::RegMr(HostId host, uint64_t bytes, uint8_t access)
{
    std::size_t index = m_regions.size();
    if (m_freeRegions.empty())
    {
        m_regions.emplace_back();
    }
    else
    {
        index = m_freeRegions.back();
        m_freeRegions.pop_back();
    }
    auto& region = m_regions[index];
    region.bytes = bytes;
    region.host = host;
    region.access = access;
    region.valid = true;
    return static_cast<MemoryKey>((index + 1) << GENERATION_BITS) | region.generation;
}

const Verbs::Region*
Verbs::FindRegion(MemoryKey key, HostId host) const
{
    const std::size_t index = (key >> GENERATION_BITS) - std::size_t{1};
    if (index >= m_regions.size())
    {
        return nullptr;
    }
    const auto& region = m_regions[index];
    const bool fits = region.valid && region.host == host &&
                      region.generation == (key & ((1U << GENERATION_BITS) - 1));
    return fits ? &region : nullptr;
}

bool
Verbs::HoldsReceive(HostId host, const RecvWr& wr) const
{
    const Region* region = FindRegion(wr.localKey, host);
    return region && region->bytes >= wr.bytes;
}

bool
Verbs::DeregMr(MemoryKey key)
{
    const std::size_t index = (key >> GENERATION_BITS) - std::size_t{1};
    if (index >= m_regions.size() || !FindRegion(key, m_regions[index].host))
    {
        return false;
    }
    m_regions[index].valid = false;
    ++m_regions[index].generation;
    m_freeRegions.push_back(static_cast<uint32_t>(index));
    m_words.erase(m_words.lower_bound({key, 0}), m_words.lower_bound({key + 1, 0}));
    return true;
}

Ticks
Verbs::GetRegistrationTime(uint64_t bytes) const
{
    const auto& hca = m_engine->GetHcaConfig();
    return hca.registerBase + hca.registerPage * ((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
}

WcStatus
Verbs::CheckAccess(Qpn qp, const SendWr& wr) const
{
    uint8_t needed = 0;
    switch (wr.opcode)
    {
    case WrOpcode::SEND:
    case WrOpcode::SEND_WITH_IMM:
        return WcStatus::SUCCESS;
    case WrOpcode::RDMA_WRITE:
    case WrOpcode::RDMA_WRITE_WITH_IMM:
        needed = REMOTE_WRITE;
        break;
    case WrOpcode::RDMA_READ:
        needed = REMOTE_READ;
        break;
    case WrOpcode::ATOMIC_COMPARE_AND_SWAP:
    case WrOpcode::ATOMIC_FETCH_AND_ADD:
        needed = REMOTE_ATOMIC;
        if (wr.remoteAddress % ATOMIC_BYTES != 0)
        {
            return WcStatus::REM_INV_REQ_ERR;
        }
        break;
    }
    // InfiniBand architecture, volume 1, table 56: the queue pair does not take such requests.
    if (!(m_qps[qp].access & needed))
    {
        return WcStatus::REM_INV_REQ_ERR;
    }
    if (wr.bytes == 0)
    {
        return WcStatus::SUCCESS;
    }
    const Region* region = FindRegion(wr.remoteKey, m_qps[qp].host);
    const bool allowed = region && (region->access & needed) && wr.remoteAddress <= region->bytes &&
                         wr.bytes <= region->bytes - wr.remoteAddress;
    return allowed ? WcStatus::SUCCESS : WcStatus::REM_ACCESS_ERR;
}

uint64_t
Verbs::DoAtomic(const SendWr& wr)
{
    uint64_t& word = m_words[{wr.remoteKey, wr.remoteAddress}];
    const uint64_t before = word;
    if (wr.opcode == WrOpcode::ATOMIC_FETCH_AND_ADD)
    {
        word += wr.compareAdd;
    }
    else if (word == wr.compareAdd)
    {
        word = wr.swap;
    }
    return before;
}

} // namespace infiniband
} // namespace ns3
