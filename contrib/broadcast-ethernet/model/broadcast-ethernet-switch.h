/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_H
#define BROADCAST_ETHERNET_SWITCH_H

#include "broadcast-ethernet-link.h"
#include "broadcast-ethernet-medium.h"
#include "broadcast-ethernet-switch-core.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Store-and-forward switch as a medium.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Store-and-forward switch with a full-duplex link to each station. It copies broadcasts in
 * hardware, learns addresses, and has finite buffers that drop frames when full.
 *
 * Attach connects a station to the next port, with the DataRate and Delay that the switch has at
 * that time, so ports can differ. Set all other attributes before the first port is used. Connect
 * joins two switches. Joined switches form one LAN, which has to be a tree: there is no spanning
 * tree protocol, and a link that would close a loop is refused.
 */
class EthernetSwitch : public EthernetMedium
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EthernetSwitch();

    /** @return empty if the attributes are consistent, or one sentence with the error. */
    std::string Check() const;

    /**
     * Join two switches by a full-duplex link, with the DataRate and Delay of this one.
     * @param other the other one
     * @return empty, or one sentence with the reason of the refusal
     */
    std::string Connect(Ptr<EthernetSwitch> other);

    /**
     * Cut or repair the link of a port at both ends. Frames queued for it or on the wire are lost,
     * and counted. For a time in the future, schedule the call.
     * @param port the port
     * @param up whether the link is up
     */
    void SetLinkUp(uint32_t port, bool up);

    /**
     * @param port a port
     * @return whether its link is up
     */
    bool IsLinkUp(uint32_t port) const
    {
        return m_core->IsLinkUp(port);
    }

    /**
     * @param device a device
     * @return its port at this switch, or NO_PORT
     */
    uint32_t FindPort(Ptr<const NetDevice> device) const;

    /**
     * @param other a switch
     * @return the port that joins it to this switch, or NO_PORT
     */
    uint32_t FindTrunk(Ptr<const EthernetSwitch> other) const;

    /** @return the number of ports in use. */
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_far.size());
    }

    /**
     * @param port a port
     * @return its counts
     */
    const SwitchPortCounters& GetCounters(uint32_t port) const
    {
        return m_core->GetCounters(port);
    }

    /**
     * @param port a port
     * @return the number of frames from its station that a cut of the link has lost
     */
    uint64_t GetNCableLosses(uint32_t port) const
    {
        return m_far[port].cableLosses;
    }

    /**
     * Count the stations behind a port that a frame is for.
     * @param port the port
     * @param frame the frame
     * @return all stations for a frame to a group, else 1 or 0
     */
    uint64_t CountReceivers(uint32_t port, const WireFrame& frame) const;

    /** @return all switches of this switch's LAN, itself included. */
    const std::vector<EthernetSwitch*>& GetLan() const
    {
        return m_lan->switches;
    }

    int64_t AssignStreams(int64_t stream) override;
    uint32_t Attach(MediumUser* user, Ptr<NetDevice> device) override;

    void Transmit(uint32_t station, Ptr<const WireFrame> frame) override
    {
        m_far[station].transmitter->Transmit(frame);
    }

    /** @return the rate of new ports. */
    DataRate GetDataRate() const
    {
        return m_rate;
    }

    /** @param port a port @return its rate */
    DataRate GetDataRate(uint32_t port) const
    {
        return m_far[port].rate;
    }

    std::size_t GetNDevices() const override
    {
        return m_lan->devices.size();
    }

    Ptr<NetDevice> GetDevice(std::size_t i) const override
    {
        return m_lan->devices[i];
    }

    /**
     * Signature of the trace sources FrameIn, FrameOut and CableLoss.
     * @param frame the frame
     * @param port the port of the switch that it enters or leaves by
     */
    typedef void (*FrameTracedCallback)(Ptr<const WireFrame> frame, uint32_t port);

    /**
     * Signature of the trace sources PauseSent and PauseReceived.
     * @param port the port of the switch that the PAUSE frame leaves or enters by
     * @param quanta length of the pause [512 bit times]
     */
    typedef void (*PauseTracedCallback)(uint32_t port, uint16_t quanta);

    /**
     * Signature of the trace source LinkChange.
     * @param port the port
     * @param up whether its link is up
     */
    typedef void (*LinkChangeTracedCallback)(uint32_t port, bool up);

    /**
     * Signature of the trace source Drop.
     * @param frame the frame
     * @param port the output port of the dropped copy
     * @param reason the reason
     */
    typedef void (*DropTracedCallback)(Ptr<const WireFrame> frame,
                                       uint32_t port,
                                       SwitchDrop reason);

  protected:
    void DoDispose() override;

  private:
    /** Other end of a port's link: a station or a switch. */
    struct Far
    {
        std::unique_ptr<LinkTransmitter> transmitter; ///< The station's transmitter, or null.
        Ptr<NetDevice> device;                        ///< The station's device, or null.
        EthernetSwitch* neighbour{nullptr};           ///< The neighbouring switch, or null.
        uint32_t port{0};                             ///< The port at that switch.
        mutable uint32_t context{UINT32_MAX};         ///< Context of the device, once known.
        DataRate rate;                                ///< Rate of the link.
        uint64_t cableLosses{0};                      ///< Frames of the station lost by cuts.
    };

    /** Joined switches, and their devices. */
    struct Lan
    {
        std::vector<EthernetSwitch*> switches; ///< Switches.
        std::vector<Ptr<NetDevice>> devices;   ///< Devices.
    };

    class DepartureEvent;

    /**
     * Forward a frame whose last bit has arrived.
     * @param port the port
     * @param frame the frame
     */
    void OnFrame(uint32_t port, Ptr<const WireFrame> frame);

    /**
     * Count and report a frame of a station that a cut of its link has lost.
     * @param port the port
     * @param frame the frame
     */
    void OnCableLoss(uint32_t port, Ptr<const WireFrame> frame);

    /**
     * Obey a PAUSE frame from a neighbour.
     * @param port the port
     * @param quanta length of the pause [512 bit times]
     */
    void OnPause(uint32_t port, uint16_t quanta);

    /**
     * Add a port.
     * @param rate rate of its link
     * @param delay of its cable
     * @return its number
     */
    uint32_t AddPort(DataRate rate, Time delay);

    /**
     * Deliver copies of a frame to the next receiver and to those after it in the same context.
     * @param departure number of the departure
     */
    void Deliver(uint32_t departure);

    /**
     * Schedule the delivery of a departure in the context of its next receiver.
     * @param departure its number
     * @param delay time until the delivery
     */
    void ScheduleDelivery(uint32_t departure, Time delay);

    /**
     * Pass a frame to the other end of a port's link.
     * @param port the port
     * @param frame the frame
     */
    void HandOver(uint32_t port, const Ptr<const WireFrame>& frame);

    /**
     * @param port a port
     * @return the simulator's context of the other end of its link
     */
    uint32_t GetFarContext(uint32_t port) const;

    /**
     * Deliver a PAUSE frame of the switch.
     * @param port the output port
     * @param quanta length of the pause [512 bit times]
     */
    void DeliverPause(uint32_t port, uint16_t quanta);

    /**
     * Repeat a PAUSE frame, if it is still needed.
     * @param port the port
     */
    void Refresh(uint32_t port);

    /** Carry out the duties listed by the core. */
    void Drain();

    SwitchConfig m_config; ///< Parameters of the core.
    DataRate m_rate;       ///< Rate of new ports.
    Time m_delay;          ///< Cable delay of new ports.
    double m_loss{0};      ///< Probability that a copy is lost.

    std::optional<SwitchCore> m_core;           ///< Forwarding core; made with the first port.
    Ptr<UniformRandomVariable> m_random;        ///< Random losses.
    std::vector<Far> m_far;                     ///< Other ends of links by port.
    std::vector<Ptr<const WireFrame>> m_frames; ///< Frames in the switch by slot.
    std::shared_ptr<Lan> m_lan;                 ///< The LAN, shared by the joined switches.
    std::vector<Ptr<EventImpl>> m_events;       ///< Delivery events by departure.

    TracedCallback<Ptr<const WireFrame>, uint32_t> m_frameIn;          ///< Frame received.
    TracedCallback<Ptr<const WireFrame>, uint32_t> m_frameOut;         ///< Copy delivered.
    TracedCallback<uint32_t, uint16_t> m_pauseSent;                    ///< PAUSE frame sent.
    TracedCallback<uint32_t, uint16_t> m_pauseReceived;                ///< PAUSE frame received.
    TracedCallback<Ptr<const WireFrame>, uint32_t, SwitchDrop> m_drop; ///< Copy dropped.
    TracedCallback<Ptr<const WireFrame>, uint32_t> m_cableLoss;        ///< Frame lost by a cut.
    TracedCallback<uint32_t, bool> m_linkChange;                       ///< Link cut or repaired.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_H
