/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_LINK_H
#define BROADCAST_ETHERNET_LINK_H

#include "broadcast-ethernet-medium.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>

/**
 * @file
 * @ingroup broadcast-ethernet
 * A full-duplex link.
 */

namespace ns3
{
namespace ethernet
{

/** Unit of a pause [bits] (IEEE 802.3, 31B.2). */
constexpr int64_t PAUSE_QUANTUM_BITS = 512;

/**
 * Get the length of a bit at a rate that full-duplex links have.
 * @param rate the rate
 * @return the length [ns], 0 for a rate that they do not have
 */
int64_t GetBitTime(DataRate rate);

/**
 * Check a rate.
 * @param rate a rate
 * @return an empty text if full-duplex links have it, or one sentence
 */
std::string CheckLinkRate(DataRate rate);

/**
 * Get the simulator's context of a device's events.
 * @param device the device; may be null
 * @return the number of its node, Simulator::NO_CONTEXT if it has none
 */
uint32_t GetContextOf(Ptr<const NetDevice> device);

/**
 * @ingroup broadcast-ethernet
 * One direction of a full-duplex link, behind a station that has one frame at a time with it:
 * preamble, serialisation, gap and cable, and pauses, which hold back the next frame.
 */
class LinkTransmitter
{
  public:
    /** Receives a frame at the far end, without the context of a node. */
    using Receiver = std::function<void(Ptr<const WireFrame>)>;

    /**
     * Construct.
     * @param user the station
     * @param receiver called when the last bit of a frame has arrived
     * @param bitTime length of a bit [ns]
     * @param delay of the cable [ns]
     */
    LinkTransmitter(MediumUser* user, Receiver receiver, int64_t bitTime, int64_t delay);

    ~LinkTransmitter();

    LinkTransmitter(const LinkTransmitter&) = delete;
    LinkTransmitter& operator=(const LinkTransmitter&) = delete;

    /**
     * Send a frame as soon as gap and pause allow.
     * @param frame the frame
     */
    void Transmit(Ptr<const WireFrame> frame);

    /**
     * Obey a PAUSE frame.
     * @param quanta for how long [512 bit times]; 0: not any more
     */
    void Pause(uint16_t quanta);

    /**
     * Cut or repair the link. What is on the wire when it is cut, or sent until it is repaired,
     * does not arrive; the station does not notice.
     * @param up whether it is up
     */
    void SetUp(bool up);

    /** @return the station. */
    MediumUser* GetUser() const
    {
        return m_user;
    }

  private:
    /** Begin to send the frame as soon as possible. */
    void Plan();

    /** The first bit leaves. */
    void Begin();

    /** The last bit has left. */
    void End();

    /**
     * The last bit has arrived.
     * @param frame the frame
     * @param epoch state of the link when its first bit left
     */
    void Arrive(Ptr<const WireFrame> frame, uint32_t epoch);

    MediumUser* m_user;           ///< The station.
    Receiver m_receiver;          ///< The receiver at the far end.
    Ptr<const WireFrame> m_frame; ///< The frame to be sent, or on its way out.
    EventId m_event;              ///< Its beginning or its end.
    int64_t m_bitTime;            ///< Length of a bit [ns].
    int64_t m_delay;              ///< Of the cable [ns].
    int64_t m_freeAt{0};          ///< End of the wire's use, gap included [ns].
    int64_t m_pausedUntil{0};     ///< End of the pause that is obeyed [ns].
    uint32_t m_epoch{0};          ///< Number of cuts and repairs; even: up.
    uint32_t m_frameEpoch{0};     ///< The same when the frame began to leave.
    bool m_begun{false};          ///< Whether the frame has begun to leave.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_LINK_H
