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
 * Full-duplex link.
 */

namespace ns3
{
namespace ethernet
{

/** Unit of a pause [bits] (IEEE 802.3, 31B.2). */
constexpr int64_t PAUSE_QUANTUM_BITS = 512;

/**
 * Get the length of a bit at a rate of a full-duplex link.
 * @param rate the rate
 * @return the length [ns], 0 for an unsupported rate
 */
int64_t GetBitTime(DataRate rate);

/**
 * Check a rate.
 * @param rate a rate
 * @return empty if full-duplex links support it, or one sentence with the error
 */
std::string CheckLinkRate(DataRate rate);

/**
 * Get the simulator's context of a device's events.
 * @param device the device, or null
 * @return the number of its node, Simulator::NO_CONTEXT if it has none
 */
uint32_t GetContextOf(Ptr<const NetDevice> device);

/**
 * @ingroup broadcast-ethernet
 * Transmitter of one direction of a full-duplex link, with one frame of its station at a time:
 * preamble, serialisation, gap and cable, and pauses, which delay the next frame.
 */
class LinkTransmitter
{
  public:
    /** Callback with a frame, without the context of a node. */
    using FrameCallback = std::function<void(Ptr<const WireFrame>)>;

    /**
     * Construct.
     * @param user the station
     * @param receive called when the last bit of a frame has arrived at the far end
     * @param lose called instead if the link was cut in the meantime
     * @param bitTime length of a bit [ns]
     * @param delay delay of the cable [ns]
     */
    LinkTransmitter(MediumUser* user,
                    FrameCallback receive,
                    FrameCallback lose,
                    int64_t bitTime,
                    int64_t delay);

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
     * @param quanta length of the pause [512 bit times]; 0 ends it
     */
    void Pause(uint16_t quanta);

    /**
     * Cut or repair the link. Frames on the wire at the cut, and those sent before the repair, are
     * lost; the station is not notified.
     * @param up whether the link is up
     */
    void SetUp(bool up);

    /** @return the station. */
    MediumUser* GetUser() const
    {
        return m_user;
    }

  private:
    /** Schedule the earliest start of the frame. */
    void Plan();

    /** Send the first bit. */
    void Begin();

    /** Finish the frame after its last bit. */
    void End();

    /**
     * Deliver a frame whose last bit has arrived, or lose it.
     * @param frame the frame
     * @param cuts value of m_cuts when its first bit left
     * @param sent whether the link was up when its first bit left
     */
    void Arrive(Ptr<const WireFrame> frame, uint32_t cuts, bool sent);

    MediumUser* m_user;           ///< The station.
    FrameCallback m_receive;      ///< Receiver at the far end.
    FrameCallback m_lose;         ///< Receiver of lost frames.
    Ptr<const WireFrame> m_frame; ///< The frame that waits or is being sent.
    EventId m_event;              ///< Begin or end of the frame.
    int64_t m_bitTime;            ///< Length of a bit [ns].
    int64_t m_delay;              ///< Delay of the cable [ns].
    int64_t m_freeAt{0};          ///< End of the wire's use, gap included [ns].
    int64_t m_pausedUntil{0};     ///< End of the current pause [ns].
    uint32_t m_cuts{0};           ///< Number of cuts.
    uint32_t m_frameCuts{0};      ///< Value of m_cuts at the begin of the frame.
    bool m_up{true};              ///< The link is up.
    bool m_frameUp{true};         ///< The link was up at the begin of the frame.
    bool m_begun{false};          ///< The frame has begun to leave.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_LINK_H
