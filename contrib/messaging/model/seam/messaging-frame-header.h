/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FRAME_HEADER_H
#define MESSAGING_FRAME_HEADER_H

#include "ns3/header.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-types.h"
#include "ns3/packet.h"

#include <optional>

/**
 * @file
 * @ingroup messaging
 * Frames as packets of real bytes.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A Frame's fields and a checksum over them, in network byte order.
 *
 * @verbatim
     0      8          16        20    24    26  27  28         30     32      36
     | id   | contents | payload | aux | hdr | k | f | class, n | path | check | n words | zeroes
   @endverbatim
 *
 * The class of traffic has four bits, the number of words twelve. The marks are the network's, and
 not
 * in the header.
 *
 * A header has the size that the frame gives for the protocol's header. If that is too short for
 * the fields, its bytes derive from the checksum and a packet tag carries the fields. Size 0 means
 * that the protocol states none and gives SIZE.
 */
class FrameHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 36; ///< Size without words and zeroes [bytes].

    /**
     * Constructor.
     * @param frame the frame to carry
     */
    explicit FrameHeader(const Frame& frame = {});

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /** @return the frame. */
    const Frame& GetFrame() const
    {
        return m_frame;
    }

    /** @return true if the checksum agrees. */
    bool IsIntact() const
    {
        return m_intact;
    }

    /** @return the size of all fields, without the zeroes [bytes]. */
    uint32_t GetFieldsSize() const;

    /** @return the checksum over all fields. */
    uint32_t GetChecksum() const;

  private:
    Frame m_frame;       ///< The fields.
    bool m_intact{true}; ///< The checksum agrees.
};

/**
 * Get the size of a frame's header on the wire.
 * @param frame the frame
 * @return the protocol's size if the frame states one, else the port's [bytes]
 */
inline uint32_t
GetHeaderBytes(const Frame& frame)
{
    if (frame.header > 0)
    {
        return frame.header;
    }
    return FrameHeader::SIZE + frame.words.size() * sizeof(uint32_t);
}

/**
 * Make a packet of a frame: header and payload, whose bytes derive from the contents.
 * @param frame the frame
 * @return the packet
 */
Ptr<Packet> MakePacket(const Frame& frame);

/** Contents of a packet. */
struct ReadFrame
{
    Frame frame; ///< The frame; its contents differ from those sent if the payload was damaged.
    bool intact{true}; ///< No byte was damaged.
};

/**
 * Read a packet.
 * @param packet made by MakePacket; bytes behind it, such as a device's padding, are ignored
 * @return the frame, or nothing if its header is damaged
 */
std::optional<ReadFrame> ReadPacket(Ptr<const Packet> packet);

/**
 * Get the frame from the tag of a packet whose header is too short for the fields.
 * @param packet a packet, with the headers of any layers around it
 * @return the frame, or nothing if the packet has no such tag
 */
std::optional<Frame> PeekFields(Ptr<const Packet> packet);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FRAME_HEADER_H
