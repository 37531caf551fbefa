/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_NET_DEVICE_H
#define BROADCAST_ETHERNET_NET_DEVICE_H

#include "broadcast-ethernet-medium.h"

#include "ns3/messaging-plain-net-device.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * Network card.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Network card with a ring of descriptors, on any medium.
 *
 * The transmit ring is TxQueue: frames queued by the driver that the medium has not accepted yet.
 * Frames without a free descriptor are lost. The card passes received frames up at once; a
 * HostNetDevice in front of it models a finite receive ring, interrupts and copies.
 *
 * Frames are Ethernet II, padded to 64 bytes with the FCS, which is counted but not carried.
 */
class EthernetNetDevice : public messaging::PlainNetDevice, private MediumUser
{
  public:
    /** Counts since construction. */
    struct Counters
    {
        uint64_t sent{0};                ///< Frames sent.
        uint64_t received{0};            ///< Intact frames for this station.
        uint64_t txRingDrops{0};         ///< Frames refused because of a full transmit ring.
        uint64_t damaged{0};             ///< Frames with a wrong FCS.
        uint64_t collisions{0};          ///< Attempts that ended in a collision.
        uint64_t excessiveCollisions{0}; ///< Frames given up after the last attempt.
        uint64_t lateCollisions{0};      ///< Frames given up after a late collision.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Attach the device to a medium, once.
     * @param medium the medium
     */
    void Attach(Ptr<EthernetMedium> medium);

    /** @return the counts. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    Ptr<Channel> GetChannel() const override
    {
        return m_medium;
    }

    bool SetMtu(const uint16_t mtu) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;

    /**
     * Signature of the trace source Collision.
     * @param packet the packet
     * @param attempt number of the failed attempt, from 1
     */
    typedef void (*CollisionTracedCallback)(Ptr<const Packet> packet, uint32_t attempt);

  protected:
    void DoDispose() override;

    /** Pass the next frame of the ring to the medium, if the medium has none. */
    void Transmit() override;

  private:
    void OnTransmitBegin(uint32_t attempt) override;
    void OnCollision(uint32_t attempt) override;
    void OnTransmitEnd(TxOutcome outcome) override;
    bool Wants(const WireFrame& frame) const override;
    void OnReceive(Ptr<const WireFrame> frame, bool damaged) override;

    /**
     * Check whether a frame is for this station.
     * @param frame the frame
     * @return whether its destination is this address or a group
     */
    bool IsForMe(const WireFrame& frame) const
    {
        return frame.IsGroup() || frame.GetTo() == m_address;
    }

    /** Trace source of frames. */
    using FrameTrace = TracedCallback<Ptr<const Packet>>;

    /**
     * Fire a trace source for a frame, if it is connected.
     * @param source the trace source
     * @param frame the frame
     */
    static void Fire(const FrameTrace& source, const WireFrame& frame);

    /**
     * Report a frame that is lost on arrival.
     * @param mine whether it is for this node
     * @param frame the frame
     */
    void FireLoss(bool mine, const WireFrame& frame);

    Ptr<EthernetMedium> m_medium;   ///< The medium.
    Ptr<const WireFrame> m_current; ///< The frame in the medium, or null.
    Counters m_counters;            ///< Counts.
    uint32_t m_station{0};          ///< Number on the medium.

    TracedCallback<Ptr<const Packet>, uint32_t>
        m_collisionTrace; ///< Fired when an attempt ends in a collision.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_NET_DEVICE_H
