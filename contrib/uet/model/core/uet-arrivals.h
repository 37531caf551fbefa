/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_ARRIVALS_H
#define UET_ARRIVALS_H

#include "uet-window.h"

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-types.h"
#include "ns3/messaging-word-bits.h"
#include "ns3/roce-packet-bitmap.h"

#include <algorithm>
#include <cstdint>

/**
 * @file
 * @ingroup uet
 * Packets that have arrived at the receiving end of a connection.
 */

namespace ns3
{
namespace uet
{

/**
 * @ingroup uet
 * Packets that have arrived at the receiving end of a connection, by PSN, and when they are
 * acknowledged.
 *
 * @verbatim
     PSN       next                                      next + 64
      arrived ... |  0 1 1 0 1 ...  (bits of a SACK)         |
   @endverbatim
 *
 * An acknowledgement is due at once for a packet that requests it, bears a mark of congestion, or
 * is below one that has requested it: the acknowledgement of that one has left a hole. Others are
 * acknowledged when their bytes, at least 1 KiB each, reach a threshold.
 *
 * @tparam Bitmap a roce::BasicPacketBitmap, as long as the longest window
 */
template <class Bitmap>
class BasicArrivals
{
  public:
    /** @param first PSN of the first packet */
    explicit BasicArrivals(uint64_t first)
        : m_next(first)
    {
    }

    /** @return PSN of the next packet in order. */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** @param psn a PSN @return true if the packet has arrived. */
    bool Has(uint64_t psn) const
    {
        return psn < m_next || m_arrived.Get(psn - m_next);
    }

    /** @return true if a packet has arrived after a gap. */
    bool HasGap() const
    {
        return !m_arrived.IsEmpty();
    }

    /** Record an arrival. @param psn PSN of a packet that has not arrived, less than Bitmap::BITS
     * from the next one in order on */
    void Add(uint64_t psn)
    {
        m_arrived.Set(psn - m_next);
        const uint32_t inOrder = m_arrived.CountLeading();
        m_arrived.Shift(inOrder);
        m_next += inOrder;
    }

    /**
     * Count a new packet towards the next acknowledgement.
     * @param psn its PSN
     * @param frame the packet
     * @param isRequested it requests an acknowledgement
     * @param threshold bytes after which an acknowledgement is due [bytes]
     * @return true if the acknowledgement is due
     */
    bool CountTowardsAck(uint64_t psn,
                         const messaging::Frame& frame,
                         bool isRequested,
                         uint32_t threshold)
    {
        m_bytes += std::max(frame.payload, LEAST_BYTES);
        const bool isMarked = (frame.marks & messaging::MARK_CONGESTION) != 0;
        const bool isDue = isMarked || m_bytes >= threshold || isRequested || psn < m_requested;
        if (isRequested)
        {
            m_requested = std::max(m_requested, psn);
        }
        return isDue;
    }

    /**
     * Make the bitmap of an acknowledgement: the offset of its first bit from the next PSN in
     * order, and its bits. All packets that have arrived count as acknowledged.
     * @param psn a PSN that the bitmap includes if it is after a gap
     * @return the words; none if no packet has arrived after a gap
     */
    messaging::FrameWords Acknowledge(uint64_t psn)
    {
        m_bytes = 0;
        if (!HasGap())
        {
            return {};
        }
        const uint64_t offset = psn > m_next ? psn - m_next : 0;
        const uint64_t base = offset / Window::SACK_BITS * Window::SACK_BITS;
        messaging::FrameWords words{static_cast<uint32_t>(base), 0, 0};
        for (uint64_t bit = 0; bit < Window::SACK_BITS; ++bit)
        {
            if (m_arrived.Get(base + bit))
            {
                messaging::SetWordBit(words, static_cast<uint32_t>(messaging::WORD_BITS + bit));
            }
        }
        return words;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_next, "next PSN");
        m_arrived.Encode(encoder, "arrived");
        encoder.Put(m_requested, "acknowledgement requested before");
        encoder.Put(m_bytes, "bytes without an acknowledgement");
    }

  private:
    /** Least bytes that a packet counts towards an acknowledgement [bytes; XDP2]. */
    static constexpr uint32_t LEAST_BYTES = 1024;

    Bitmap m_arrived;        ///< Packets that have arrived, from m_next on.
    uint64_t m_next;         ///< PSN of the next packet in order.
    uint64_t m_requested{0}; ///< Last PSN that has requested an acknowledgement.
    uint32_t m_bytes{0};     ///< Bytes since the last acknowledgement [bytes].
};

/** Arrivals of UET. */
using Arrivals = BasicArrivals<roce::PacketBitmap>;

} // namespace uet
} // namespace ns3

#endif // UET_ARRIVALS_H
