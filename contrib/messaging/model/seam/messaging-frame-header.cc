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
        return sizeof(Frame);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.Write(reinterpret_cast<const uint8_t*>(&m_header.GetFrame()), sizeof(Frame));
    }

    void Deserialize(TagBuffer buffer) override
    {
        Frame frame;
        buffer.Read(reinterpret_cast<uint8_t*>(&frame), sizeof(Frame));
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
    FrameHeader m_header; ///< The fields.
};

NS_OBJECT_ENSURE_REGISTERED(FrameTag);

/** @param frame a frame @return true if its header is too short for its fields */
bool
IsShort(const Frame& frame)
{
    return frame.header > 0 && frame.header < FrameHeader::SIZE;
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
    os << "kind=" << +m_frame.kind << " id=" << m_frame.id << " source=" << m_frame.source
       << " payload=" << m_frame.payload;
}

uint32_t
FrameHeader::GetSerializedSize() const
{
    return std::max<uint32_t>(SIZE, m_frame.header);
}

uint32_t
FrameHeader::GetChecksum() const
{
    uint64_t sum = SpreadBits(m_frame.id + 1);
    sum = SpreadBits(sum ^ m_frame.contents);
    sum = SpreadBits(sum ^ (uint64_t{m_frame.source} << 32 | m_frame.payload));
    sum = SpreadBits(sum ^ (uint64_t{m_frame.aux} << 32 | uint64_t{m_frame.header} << 16 |
                            uint64_t{m_frame.kind} << 8 | m_frame.flags));
    return static_cast<uint32_t>(sum);
}

void
FrameHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(m_frame.id);
    start.WriteHtonU64(m_frame.contents);
    start.WriteHtonU32(m_frame.source);
    start.WriteHtonU32(m_frame.payload);
    start.WriteHtonU32(m_frame.aux);
    start.WriteHtonU16(m_frame.header);
    start.WriteU8(m_frame.kind);
    start.WriteU8(m_frame.flags);
    start.WriteHtonU32(GetChecksum());
    start.WriteU8(0, GetSerializedSize() - SIZE);
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
    m_frame.source = start.ReadNtohU32();
    m_frame.payload = start.ReadNtohU32();
    m_frame.aux = start.ReadNtohU32();
    m_frame.header = start.ReadNtohU16();
    m_frame.kind = start.ReadU8();
    m_frame.flags = start.ReadU8();
    m_intact = start.ReadNtohU32() == GetChecksum() && GetSerializedSize() <= present;
    return m_intact ? GetSerializedSize() : SIZE;
}

Ptr<Packet>
MakePacket(const Frame& frame)
{
    const auto payload = Expand(frame.contents, frame.payload);
    auto packet = Create<Packet>(payload.data(), frame.payload);
    const FrameHeader header(frame);
    if (!IsShort(frame))
    {
        packet->AddHeader(header);
        return packet;
    }
    const auto bytes = Expand(header.GetChecksum(), frame.header);
    auto whole = Create<Packet>(bytes.data(), frame.header);
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
        const uint32_t size = header.GetFrame().header;
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
