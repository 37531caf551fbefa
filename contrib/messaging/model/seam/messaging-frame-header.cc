/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-frame-header.h"

#include "ns3/tag.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(FrameHeader);

namespace
{

/**
 * Generate the payload bytes from the contents of a frame.
 * @param contents the contents
 * @param bytes number of bytes
 * @return the bytes
 */
std::vector<uint8_t>
Expand(uint64_t contents, uint32_t bytes)
{
    std::vector<uint8_t> payload(bytes);
    for (uint32_t i = 0; i < bytes; i += 8)
    {
        uint64_t word = SpreadBits(contents + (i + 1) * 0x9e3779b97f4a7c15);
        for (uint32_t j = i; j < std::min(i + 8, bytes); ++j, word >>= 8)
        {
            payload[j] = static_cast<uint8_t>(word);
        }
    }
    return payload;
}

/** Packet tag with the fields of a frame whose header is too short for them. */
class FrameTag : public Tag
{
  public:
    /** @param frame the frame to carry */
    explicit FrameTag(const Frame& frame = {})
        : m_header(frame)
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::messaging::FrameTag")
                                .SetParent<Tag>()
                                .SetGroupName("Messaging")
                                .AddConstructor<FrameTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return TAG_BYTES + m_header.GetFrame().words.size() * sizeof(uint32_t);
    }

    void Serialize(TagBuffer buffer) const override
    {
        const Frame& frame = m_header.GetFrame();
        buffer.WriteU64(frame.id);
        buffer.WriteU64(frame.contents);
        buffer.WriteU32(frame.payload);
        buffer.WriteU32(frame.aux);
        buffer.WriteU16(frame.header);
        buffer.WriteU16(frame.path);
        buffer.WriteU8(frame.kind);
        buffer.WriteU8(frame.flags);
        buffer.WriteU8(frame.trafficClass);
        buffer.WriteU32(frame.words.size());
        for (const uint32_t word : frame.words)
        {
            buffer.WriteU32(word);
        }
    }

    void Deserialize(TagBuffer buffer) override
    {
        Frame frame;
        frame.id = buffer.ReadU64();
        frame.contents = buffer.ReadU64();
        frame.payload = buffer.ReadU32();
        frame.aux = buffer.ReadU32();
        frame.header = buffer.ReadU16();
        frame.path = buffer.ReadU16();
        frame.kind = buffer.ReadU8();
        frame.flags = buffer.ReadU8();
        frame.trafficClass = buffer.ReadU8();
        for (uint32_t words = buffer.ReadU32(); words > 0; --words)
        {
            frame.words.push_back(buffer.ReadU32());
        }
        m_header = FrameHeader(frame);
    }

    void Print(std::ostream& os) const override
    {
        m_header.Print(os);
    }

    /** @return the fields. */
    const FrameHeader& GetHeader() const
    {
        return m_header;
    }

  private:
    static constexpr uint32_t TAG_BYTES = 35; ///< Size without words [bytes].

    FrameHeader m_header; ///< The fields.
};

NS_OBJECT_ENSURE_REGISTERED(FrameTag);

/** Bits of the number of words in a header. */
constexpr uint32_t COUNT_BITS = 12;

/** @param header a frame's header @return true if it is too short for the fields */
bool
IsShort(const FrameHeader& header)
{
    const Frame& frame = header.GetFrame();
    return (frame.header > 0 && frame.header < header.GetFieldsSize()) ||
           frame.words.size() >> COUNT_BITS != 0 || frame.trafficClass >> (16 - COUNT_BITS) != 0;
}

} // namespace

FrameHeader::FrameHeader(const Frame& frame)
    : m_frame(frame)
{
}

TypeId
FrameHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::FrameHeader")
                            .SetParent<Header>()
                            .SetGroupName("Messaging")
                            .AddConstructor<FrameHeader>();
    return tid;
}

TypeId
FrameHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
FrameHeader::Print(std::ostream& os) const
{
    os << "kind=" << +m_frame.kind << " id=" << m_frame.id << " payload=" << m_frame.payload;
}

uint32_t
FrameHeader::GetSerializedSize() const
{
    return std::max<uint32_t>(GetFieldsSize(), m_frame.header);
}

uint32_t
FrameHeader::GetFieldsSize() const
{
    return SIZE + m_frame.words.size() * sizeof(uint32_t);
}

uint32_t
FrameHeader::GetChecksum() const
{
    uint64_t sum = SpreadBits(m_frame.id + 1);
    sum = SpreadBits(sum ^ m_frame.contents);
    sum = SpreadBits(sum ^ (uint64_t{m_frame.path} << 48 | uint64_t{m_frame.trafficClass} << 32 |
                            m_frame.payload));
    sum = SpreadBits(sum ^ (uint64_t{m_frame.aux} << 32 | uint64_t{m_frame.header} << 16 |
                            uint64_t{m_frame.kind} << 8 | m_frame.flags));
    for (const uint32_t word : m_frame.words)
    {
        sum = SpreadBits(sum ^ (uint64_t{word} + 1));
    }
    return static_cast<uint32_t>(sum);
}

void
FrameHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(m_frame.id);
    start.WriteHtonU64(m_frame.contents);
    start.WriteHtonU32(m_frame.payload);
    start.WriteHtonU32(m_frame.aux);
    start.WriteHtonU16(m_frame.header);
    start.WriteU8(m_frame.kind);
    start.WriteU8(m_frame.flags);
    start.WriteHtonU16(
        static_cast<uint16_t>(m_frame.trafficClass << COUNT_BITS | m_frame.words.size()));
    start.WriteHtonU16(m_frame.path);
    start.WriteHtonU32(GetChecksum());
    for (const uint32_t word : m_frame.words)
    {
        start.WriteHtonU32(word);
    }
    start.WriteU8(0, GetSerializedSize() - GetFieldsSize());
}

uint32_t
FrameHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t present = start.GetRemainingSize();
    if (present < SIZE)
    {
        m_intact = false;
        return present;
    }
    m_frame.id = start.ReadNtohU64();
    m_frame.contents = start.ReadNtohU64();
    m_frame.payload = start.ReadNtohU32();
    m_frame.aux = start.ReadNtohU32();
    m_frame.header = start.ReadNtohU16();
    m_frame.kind = start.ReadU8();
    m_frame.flags = start.ReadU8();
    const uint16_t classAndCount = start.ReadNtohU16();
    m_frame.trafficClass = static_cast<uint8_t>(classAndCount >> COUNT_BITS);
    m_frame.path = start.ReadNtohU16();
    const uint32_t checksum = start.ReadNtohU32();
    const uint32_t count = classAndCount & ((1U << COUNT_BITS) - 1);
    m_frame.words.clear();
    if (SIZE + count * sizeof(uint32_t) > present)
    {
        m_intact = false;
        return SIZE;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        m_frame.words.push_back(start.ReadNtohU32());
    }
    m_intact = checksum == GetChecksum() && GetSerializedSize() <= present;
    return m_intact ? GetSerializedSize() : SIZE;
}

Ptr<Packet>
MakePacket(const Frame& frame)
{
    const auto payload = Expand(frame.contents, frame.payload);
    auto packet = Create<Packet>(payload.data(), frame.payload);
    const FrameHeader header(frame);
    if (!IsShort(header))
    {
        packet->AddHeader(header);
        return packet;
    }
    const uint32_t size = GetHeaderBytes(frame);
    const auto bytes = Expand(header.GetChecksum(), size);
    auto whole = Create<Packet>(bytes.data(), size);
    whole->AddAtEnd(packet);
    whole->AddPacketTag(FrameTag(frame));
    return whole;
}

std::optional<ReadFrame>
ReadPacket(Ptr<const Packet> packet)
{
    auto rest = packet->Copy();
    FrameHeader header;
    FrameTag tag;
    bool intact = false;
    if (rest->RemovePacketTag(tag))
    {
        header = tag.GetHeader();
        const uint32_t size = GetHeaderBytes(header.GetFrame());
        std::vector<uint8_t> bytes(size);
        intact = rest->GetSize() >= size && rest->CopyData(bytes.data(), size) == size &&
                 bytes == Expand(header.GetChecksum(), size);
        rest->RemoveAtStart(std::min(size, rest->GetSize()));
    }
    else
    {
        rest->RemoveHeader(header);
        intact = header.IsIntact();
    }
    ReadFrame read{header.GetFrame()};
    if (!intact || rest->GetSize() < read.frame.payload)
    {
        return std::nullopt;
    }
    std::vector<uint8_t> payload(read.frame.payload);
    rest->CopyData(payload.data(), read.frame.payload);
    const auto expected = Expand(read.frame.contents, read.frame.payload);
    if (payload != expected)
    {
        read.intact = false;
        uint64_t damage = 0;
        for (std::size_t i = 0; i < payload.size(); ++i)
        {
            damage = SpreadBits(damage + (payload[i] ^ expected[i]) + 1);
        }
        read.frame.contents ^= damage | 1;
    }
    return read;
}

std::optional<Frame>
PeekFields(Ptr<const Packet> packet)
{
    FrameTag tag;
    return packet->PeekPacketTag(tag) ? std::optional(tag.GetHeader().GetFrame()) : std::nullopt;
}

} // namespace messaging
} // namespace ns3
