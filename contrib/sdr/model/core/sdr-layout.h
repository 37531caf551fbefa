/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_LAYOUT_H
#define SDR_LAYOUT_H

#include "sdr-packet.h"

#include <algorithm>
#include <cstdint>

/**
 * @file
 * @ingroup sdr
 * Packets, chunks and submessages of a message.
 */

namespace ns3
{
namespace sdr
{

/** Place of a packet in its message. */
struct Place
{
    uint32_t submessage{0}; ///< Index of the submessage.
    uint32_t chunk{0};      ///< Index of the chunk in it; parity follows data.
    uint32_t packet{0};     ///< Index of the packet in the chunk.
    uint32_t index{0};      ///< Index of the packet in frames, among data or parity.
    bool isParity{false};   ///< It is a parity packet.
};

/**
 * @ingroup sdr
 * Division of a message, in the order of transmission:
 *
 * @verbatim
      submessage 0                             submessage 1
      | chunk 0 | ... | chunk k-1 | parity 0 | ... | parity m-1 | chunk k | ...
      |p|p|...|p|                 |p|p|...|p|
   @endverbatim
 *
 * The last submessage may have fewer data chunks, k', and then has ceil(k' m / k) parity chunks.
 * The last chunk may have fewer packets. A parity chunk has as many packets as the longest data
 * chunk of its submessage. A message without bytes has one packet.
 */
class Layout
{
  public:
    /** @param bytes size of the message [bytes] @param config parameters */
    Layout(uint32_t bytes, const Config& config)
        : m_bytes(bytes),
          m_mtu(config.mtu),
          m_perChunk(config.chunkPackets),
          m_data(config.data),
          m_parity(config.parity),
          m_packets(std::max<uint32_t>(DivideUp(bytes, config.mtu), 1)),
          m_chunks(DivideUp(m_packets, m_perChunk)),
          m_submessages(DivideUp(m_chunks, m_data))
    {
    }

    /** @return number of data packets. */
    uint32_t GetPackets() const
    {
        return m_packets;
    }

    /** @return number of data chunks. */
    uint32_t GetChunks() const
    {
        return m_chunks;
    }

    /** @return number of submessages. */
    uint32_t GetSubmessages() const
    {
        return m_submessages;
    }

    /** @param submessage its index @return its data chunks. */
    uint32_t GetData(uint32_t submessage) const
    {
        return std::min(m_data, m_chunks - submessage * m_data);
    }

    /** @param submessage its index @return its parity chunks. */
    uint32_t GetParity(uint32_t submessage) const
    {
        return DivideUp(GetData(submessage) * m_parity, m_data);
    }

    /**
     * Get the packets of a chunk.
     * @param submessage index of the submessage
     * @param chunk index of the chunk in it
     * @return their number
     */
    uint32_t GetChunkPackets(uint32_t submessage, uint32_t chunk) const
    {
        const uint32_t like = chunk < GetData(submessage) ? chunk : 0;
        const uint32_t first = (submessage * m_data + like) * m_perChunk;
        return std::min(m_perChunk, m_packets - first);
    }

    /** @param submessage its index @return its data packets. */
    uint32_t GetDataPackets(uint32_t submessage) const
    {
        const uint32_t full = m_data * m_perChunk;
        return std::min(full, m_packets - submessage * full);
    }

    /** @param submessage its index @return its packets with those of parity. */
    uint32_t GetAllPackets(uint32_t submessage) const
    {
        return GetDataPackets(submessage) + GetParity(submessage) * GetChunkPackets(submessage, 0);
    }

    /** @param submessage its index @return the position of its first packet. */
    uint32_t GetPosition(uint32_t submessage) const
    {
        return submessage * (m_data + m_parity) * m_perChunk;
    }

    /** @return number of packets with those of parity: the position after the last one. */
    uint32_t GetEnd() const
    {
        return GetPosition(m_submessages - 1) + GetAllPackets(m_submessages - 1);
    }

    /** @param position position in the order of transmission @return the packet there. */
    Place GetPlace(uint32_t position) const
    {
        const uint32_t submessage = position / ((m_data + m_parity) * m_perChunk);
        const uint32_t offset = position - GetPosition(submessage);
        const uint32_t data = GetDataPackets(submessage);
        if (offset < data)
        {
            return GetDataPlace(submessage * m_data * m_perChunk + offset);
        }
        const uint32_t length = GetChunkPackets(submessage, 0);
        const uint32_t row = (offset - data) / length;
        const uint32_t packet = (offset - data) % length;
        return GetParityPlace((submessage * m_parity + row) * m_perChunk + packet);
    }

    /** @param index index of a data packet @return its place. */
    Place GetDataPlace(uint32_t index) const
    {
        const uint32_t chunk = index / m_perChunk;
        return {chunk / m_data, chunk % m_data, index % m_perChunk, index, false};
    }

    /** @param index index of a parity packet @return its place, which may be none of the message.
     */
    Place GetParityPlace(uint32_t index) const
    {
        const uint32_t row = index / m_perChunk;
        const uint32_t submessage = row / m_parity;
        const uint32_t data = submessage < m_submessages ? GetData(submessage) : 0;
        return {submessage, data + row % m_parity, index % m_perChunk, index, true};
    }

    /** @param place a place @return its position in the order of transmission. */
    uint32_t GetPosition(const Place& place) const
    {
        const uint32_t begin = GetPosition(place.submessage);
        const uint32_t data = GetData(place.submessage);
        if (!place.isParity)
        {
            return begin + place.chunk * m_perChunk + place.packet;
        }
        const uint32_t length = GetChunkPackets(place.submessage, 0);
        return begin + GetDataPackets(place.submessage) + (place.chunk - data) * length +
               place.packet;
    }

    /** @param place a place, valid or not @return true if the message has it. */
    bool Has(const Place& place) const
    {
        if (place.submessage >= m_submessages)
        {
            return false;
        }
        const uint32_t data = GetData(place.submessage);
        const bool hasChunk =
            place.isParity ? place.chunk < data + GetParity(place.submessage) : place.chunk < data;
        return hasChunk && place.packet < GetChunkPackets(place.submessage, place.chunk);
    }

    /** @param index index of a data packet @return its payload [bytes]. */
    uint32_t GetPayload(uint32_t index) const
    {
        return std::min(m_mtu, m_bytes - index * m_mtu);
    }

    /** @param submessage index of the submessage @param chunk chunk in it @param packet packet in
     * it
     * @return index of the data packet. */
    uint32_t GetIndex(uint32_t submessage, uint32_t chunk, uint32_t packet) const
    {
        return (submessage * m_data + chunk) * m_perChunk + packet;
    }

  private:
    /** @param a a number @param b another, not zero @return a / b, rounded up. */
    static uint32_t DivideUp(uint32_t a, uint32_t b)
    {
        return a / b + (a % b > 0 ? 1 : 0);
    }

    uint32_t m_bytes;       ///< Size of the message [bytes].
    uint32_t m_mtu;         ///< Payload of a packet [bytes].
    uint32_t m_perChunk;    ///< Packets of a chunk.
    uint32_t m_data;        ///< Data chunks of a full submessage.
    uint32_t m_parity;      ///< Parity chunks of a full submessage.
    uint32_t m_packets;     ///< Data packets.
    uint32_t m_chunks;      ///< Data chunks.
    uint32_t m_submessages; ///< Submessages.
};

} // namespace sdr
} // namespace ns3

#endif // SDR_LAYOUT_H
