/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_WIFI_LOSSES_H
#define MESSAGING_WIFI_LOSSES_H

#include "ns3/fcfs-wifi-queue-scheduler.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-container.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wifi-mac-header.h"
#include "ns3/wifi-mac-queue-scheduler-impl.h"
#include "ns3/wifi-mac.h"
#include "ns3/wifi-mode.h"
#include "ns3/wifi-mpdu.h"
#include "ns3/wifi-phy-common.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup messaging-wifi
 * Losses of wifi devices.
 */

namespace ns3
{
namespace messaging_wifi
{

/**
 * @ingroup messaging-wifi
 * Scheduler that lets the queue itself drop a frame that finds it full, before ns-3.48.
 *
 * @tparam Base the scheduler
 */
template <class Base>
class PrivateDropScheduler : public Base
{
  private:
    Ptr<WifiMpdu> HasToDropBeforeEnqueuePriv(AcIndex, Ptr<WifiMpdu>) override
    {
        return nullptr;
    }
};

/**
 * @ingroup messaging-wifi
 * The same from ns-3.48 on.
 *
 * @tparam Base the scheduler
 */
template <class Base>
class PublicDropScheduler : public Base
{
  public:
    Ptr<WifiMpdu> HasToDropBeforeEnqueue(AcIndex, Ptr<WifiMpdu>) override
    {
        return nullptr;
    }
};

/**
 * Check whether the base of a scheduler decides on drops, as from ns-3.48 on.
 * @return true if it does
 */
template <class Priority, class Compare>
constexpr bool
HasDropPolicy(const WifiMacQueueSchedulerImpl<Priority, Compare>*)
{
    return requires { typename WifiMacQueueSchedulerImpl<Priority, Compare>::DropPolicy; };
}

/** The one of them that overrides what the release of ns-3 declares. */
using QueueDropScheduler =
    std::conditional_t<HasDropPolicy(static_cast<FcfsWifiQueueScheduler*>(nullptr)),
                       PublicDropScheduler<FcfsWifiQueueScheduler>,
                       PrivateDropScheduler<FcfsWifiQueueScheduler>>;

/**
 * @ingroup messaging-wifi
 * First come, first served, as by default. A frame that finds the queue full is dropped by the
 * queue, which reports it; the scheduler of ns-3 drops it without a trace.
 */
class ReportingScheduler : public QueueDropScheduler
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
};

/**
 * @ingroup messaging-wifi
 * Observer of the data frames that the stations of an ad hoc cell lose.
 *
 * A unicast frame is lost when its sender gives it up, unless its receiver has it and only the ACKs
 * were lost. A frame to a group is sent once; it is lost for the stations that have not received it
 * after the longest time of propagation. Until a sender ends a unicast frame, it sends no other, so
 * the number of the last one that a station has received shows whether it has that frame.
 */
class WifiLosses : public SimpleRefCount<WifiLosses>
{
  public:
    /** Receiver of losses: the place, and the number of copies. */
    using Sink = std::function<void(const std::string& place, uint64_t copies)>;

    /**
     * Construct.
     * @param devices all devices of the cell
     * @param sink called at each loss
     */
    WifiLosses(const NetDeviceContainer& devices, Sink sink);

    /** Connect the trace sources, once. */
    void Start();

    /** Ignore all later losses, and release the devices, whose trace sources refer to this. */
    void Stop()
    {
        m_sink = nullptr;
        m_devices = NetDeviceContainer();
    }

  private:
    /** A frame: the address of its transmitter, and its sequence number. */
    using FrameKey = std::pair<Mac48Address, uint16_t>;

    /** A direction: the transmitter and the receiver. */
    using Direction = std::pair<Mac48Address, Mac48Address>;

    /**
     * A station gives up a frame.
     * @param reason the reason
     * @param frame the frame
     */
    void OnDrop(WifiMacDropReason reason, Ptr<const WifiMpdu> frame);

    /**
     * The last bit of a frame has left.
     * @param packet the packet with its MAC header
     */
    void OnSent(Ptr<const Packet> packet);

    /**
     * A station has received a frame intact.
     * @param station its address
     * @param packet the packet with its MAC header
     * @param snr ratio of signal and noise
     * @param mode mode of the frame
     * @param preamble its preamble
     */
    void OnReceived(Mac48Address station,
                    Ptr<const Packet> packet,
                    double snr,
                    WifiMode mode,
                    WifiPreamble preamble);

    /**
     * Count the stations that have not received a frame to the group.
     * @param frame the frame
     */
    void CheckGroup(FrameKey frame);

    /**
     * Report a loss.
     * @param place the place
     * @param copies number of copies
     */
    void Report(const std::string& place, uint64_t copies) const;

    NetDeviceContainer m_devices;           ///< The devices.
    Sink m_sink;                            ///< Receiver of losses; empty after Stop.
    std::map<FrameKey, uint64_t> m_arrived; ///< Stations that have received a frame to the group.
    std::map<Direction, uint16_t> m_last;   ///< Last unicast frame received.
};

} // namespace messaging_wifi
} // namespace ns3

#endif // MESSAGING_WIFI_LOSSES_H
