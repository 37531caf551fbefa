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
 * A store-and-forward switch as a medium.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * A store-and-forward switch, with a full-duplex link to each station: copies broadcasts in
 * hardware, learns addresses, and has finite buffers that drop frames when full.
 *
 * Attach plugs a station into the next port, with the DataRate and Delay that the switch has then;
 * so ports may differ. All other attributes are to be set before the first port is used. Connect
 * joins two switches. All switches that are joined are one LAN, which has to be a tree: they have
 * no spanning tree protocol, so a link that would close a loop is refused.
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

    /** @return an empty text if the attributes are consistent, else one sentence. */
    std::string Check() const;

    /**
     * Join two switches by a full-duplex link, with the DataRate and Delay of this one.
     * @param other the other one
     * @return an empty text, or one sentence on why it is refused
     */
    std::string Connect(Ptr<EthernetSwitch> other);

    /**
     * Cut or repair the link of a port, at both ends. What is queued there or on the wire is lost.
     * @param port the port
     * @param up whether it is up
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

    /** @return the number of ports in use. */
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_far.size());
    }

    /**
     * @param device a device
     * @return its port at this switch, NO_PORT if it has none
     */
    uint32_t FindPort(Ptr<const NetDevice> device) const;

    /**
     * @param port a port
     * @return its counts
     */
    const SwitchPortCounters& GetCounters(uint32_t port) const
    {
        return m_core->GetCounters(port);
    }

    /** @return the switches of the LAN that this one is part of, itself included. */
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
     * Signature of the trace source Drop.
     * @param frame the frame
     * @param port the output port at which a copy of it is dropped
     * @param reason why
     */
    typedef void (*DropTracedCallback)(Ptr<const WireFrame> frame,
                                       uint32_t port,
                                       SwitchDrop reason);

    /**
     * Signature of the trace sources FrameIn and FrameOut.
     * @param frame the frame
     * @param port the port
     */
    typedef void (*FrameTracedCallback)(Ptr<const WireFrame> frame, uint32_t port);

    /**
     * Signature of the trace sources PauseSent and PauseReceived.
     * @param port the port
     * @param quanta for how long [512 bit times]
     */
    typedef void (*PauseTracedCallback)(uint32_t port, uint16_t quanta);

  protected:
    void DoDispose() override;

  private:
    /** The other end of a port's link: a station or a switch. */
    struct Far
    {
        std::unique_ptr<LinkTransmitter> transmitter; ///< The station's, if it is one.
        Ptr<NetDevice> device;                        ///< Its device, if it has one.
        EthernetSwitch* neighbour{nullptr};           ///< The switch, if it is one.
        uint32_t port{0};                             ///< The port at that switch.
        mutable uint32_t context{UINT32_MAX};         ///< The device's, once it is known.
        DataRate rate;                                ///< Rate of the link.
    };

    /** All switches that are joined, and their devices. */
    struct Lan
    {
        std::vector<EthernetSwitch*> switches; ///< Switches.
        std::vector<Ptr<NetDevice>> devices;   ///< Devices.
    };

    class DepartureEvent;

    /**
     * The last bit of a frame has arrived.
     * @param port the port
     * @param frame the frame
     */
    void OnFrame(uint32_t port, Ptr<const WireFrame> frame);

    /**
     * A PAUSE frame of a neighbour has arrived.
     * @param port the port
     * @param quanta for how long [512 bit times]
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
     * Copies of a frame have arrived: deliver to the next receiver, and those of the same context.
     * @param departure number of the departure
     */
    void Deliver(uint32_t departure);

    /**
     * Let a departure be delivered, in the context of its next receiver.
     * @param departure its number
     * @param delay when
     */
    void ScheduleDelivery(uint32_t departure, Time delay);

    /**
     * Hand a frame over to the other end of a port's link.
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
     * A PAUSE frame of the switch has arrived.
     * @param port the port at which it left
     * @param quanta for how long [512 bit times]
     */
    void DeliverPause(uint32_t port, uint16_t quanta);

    /**
     * Repeat a request to pause.
     * @param port the port
     */
    void Refresh(uint32_t port);

    /** Fulfil the duties that the core lists. */
    void Drain();

    SwitchConfig m_config; ///< Parameters of the core.
    DataRate m_rate;       ///< Of ports to come.
    Time m_delay;          ///< Of cables to come.
    double m_loss{0};      ///< Probability that a copy is lost.

    std::optional<SwitchCore> m_core;           ///< Forwards; made with the first port.
    Ptr<UniformRandomVariable> m_random;        ///< Decides which copies are lost.
    std::vector<Far> m_far;                     ///< By port.
    std::vector<Ptr<const WireFrame>> m_frames; ///< Frames in the switch, by slot.
    std::shared_ptr<Lan> m_lan;                 ///< All that is joined.
    std::vector<Ptr<EventImpl>> m_events;       ///< Delivers, by departure.

    TracedCallback<Ptr<const WireFrame>, uint32_t> m_frameIn;          ///< A frame has come in.
    TracedCallback<Ptr<const WireFrame>, uint32_t> m_frameOut;         ///< A copy has arrived.
    TracedCallback<Ptr<const WireFrame>, uint32_t, SwitchDrop> m_drop; ///< A copy is dropped.
    TracedCallback<uint32_t, uint16_t> m_pauseSent;                    ///< A PAUSE frame is sent.
    TracedCallback<uint32_t, uint16_t> m_pauseReceived; ///< A PAUSE frame has come in.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_H
