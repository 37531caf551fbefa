/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-header.h"

#include "ns3/abort.h"

namespace ns3
{
namespace idempotent
{

NS_OBJECT_ENSURE_REGISTERED(IdempotentHeader);

namespace
{

constexpr unsigned KIND_BITS = 2; ///< Bits of the packet type.

/** Shift of the source node ID in the first 64 bits of the packet. */
constexpr unsigned SOURCE_SHIFT = 64 - KIND_BITS - 2 * NODE_BITS;

/** Bits of the message ID in the last 32 bits of the packet. */
constexpr unsigned LOW_ID_BITS = 32;

static_assert(KIND_BITS + 2 * NODE_BITS + MESSAGE_ID_BITS == 8 * ACK_BYTES,
              "Section 2.2: an ACK fits into 96 bits.");
static_assert(SOURCE_SHIFT + LOW_ID_BITS == MESSAGE_ID_BITS);

} // namespace

TypeId
IdempotentHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::idempotent::IdempotentHeader")
                            .SetParent<Header>()
                            .SetGroupName("Idempotent")
                            .AddConstructor<IdempotentHeader>();
    return tid;
}

IdempotentHeader::IdempotentHeader() = default;

IdempotentHeader::IdempotentHeader(PacketKind kind,
                                   messaging::Peer source,
                                   messaging::Peer destination,
                                   uint64_t id)
    : m_kind(kind),
      m_source(source),
      m_destination(destination),
      m_id(id)
{
    NS_ABORT_MSG_IF(source >> NODE_BITS || destination >> NODE_BITS || id >> MESSAGE_ID_BITS,
                    "A node ID has 20 bits and a message ID 54.");
}

IdempotentHeader::~IdempotentHeader() = default;

bool
IdempotentHeader::IsValid() const
{
    return m_kind == PacketKind::MSG || m_kind == PacketKind::ACK || m_kind == PacketKind::CONF;
}

TypeId
IdempotentHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
IdempotentHeader::Print(std::ostream& os) const
{
    os << m_kind << " " << m_id << " from " << m_source << " to " << m_destination;
}

uint32_t
IdempotentHeader::GetSerializedSize() const
{
    return ACK_BYTES;
}

void
IdempotentHeader::Serialize(Buffer::Iterator start) const
{
    const uint64_t first = (static_cast<uint64_t>(m_kind) << (64 - KIND_BITS)) |
                           (uint64_t{m_destination} << (64 - KIND_BITS - NODE_BITS)) |
                           (uint64_t{m_source} << SOURCE_SHIFT) | (m_id >> LOW_ID_BITS);
    start.WriteHtonU64(first);
    start.WriteHtonU32(static_cast<uint32_t>(m_id));
}

uint32_t
IdempotentHeader::Deserialize(Buffer::Iterator start)
{
    constexpr uint64_t nodeMask = (uint64_t{1} << NODE_BITS) - 1;
    const uint64_t first = start.ReadNtohU64();
    const uint64_t low = start.ReadNtohU32();
    m_kind = static_cast<PacketKind>(first >> (64 - KIND_BITS));
    m_destination =
        static_cast<messaging::Peer>((first >> (64 - KIND_BITS - NODE_BITS)) & nodeMask);
    m_source = static_cast<messaging::Peer>((first >> SOURCE_SHIFT) & nodeMask);
    m_id = ((first & ((uint64_t{1} << SOURCE_SHIFT) - 1)) << LOW_ID_BITS) | low;
    return ACK_BYTES;
}

} // namespace idempotent
} // namespace ns3
