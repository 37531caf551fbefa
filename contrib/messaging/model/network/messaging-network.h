/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NETWORK_H
#define MESSAGING_NETWORK_H

#include "ns3/messaging-any-port.h"
#include "ns3/messaging-device-losses.h"
#include "ns3/messaging-host-profile.h"
#include "ns3/messaging-loss-counts.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A network that can be selected by name and carries the frames or packets of any protocol.
 */

namespace ns3
{
namespace messaging
{

class PacketPort;

/**
 * @ingroup messaging
 * A network of peers, built from its attributes: a clock and a port, or nodes with net devices.
 *
 * A derived class called XNetwork becomes the network `x` of the `reliability` scenario when its
 * TypeId is registered with a constructor and a summary. It implements GetInfo, and DoInstall for
 * net devices, DoBuild for a custom port, or both.
 *
 * Each frame that the port has accepted, or packet that a device was given, arrives at its
 * receivers, is in flight, or is a loss: it is counted at one place, and the trace source Loss is
 * fired. A frame to all others counts once for each receiver that it does not reach.
 */
class Network : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Network();

    ~Network() override;

    /** @return the properties of the network for the current attributes, before it is built. */
    virtual PortInfo GetInfo() const = 0;

    /** @return whether BuildDevices makes net devices, which protocols over sockets need. */
    virtual bool HasDevices() const
    {
        return true;
    }

    /** @return the host of a peer, unless the user selects another. */
    virtual HostKind GetHostKind() const
    {
        return HostKind::SERVER_2025;
    }

    /** @return whether frames pass between a process and the adapter without the kernel. */
    virtual bool BypassesKernel() const
    {
        return false;
    }

    /**
     * Check the attributes.
     * @param peers number of peers
     * @return empty if the network can be built, else one sentence with the reason
     */
    virtual std::string Check([[maybe_unused]] uint32_t peers) const
    {
        return "";
    }

    /**
     * Build the network for protocols that send frames: clock and port.
     * @param peers number of peers
     */
    void Build(uint32_t peers);

    /**
     * Build the network for protocols that use sockets: nodes with net devices.
     * @param peers number of peers, one node for each
     */
    void BuildDevices(uint32_t peers);

    /** @return the clock of the port; nullptr before Build. */
    Ptr<TickClock> GetClock() const
    {
        return m_clock;
    }

    /** @return the port; nullptr before Build. */
    Ptr<AnyPort> GetPort() const
    {
        return m_port;
    }

    /** @return the nodes in the order of the peers; empty if peers need no nodes. */
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /** @return the net devices in the order of the peers; empty if peers need no devices. */
    const NetDeviceContainer& GetDevices() const
    {
        return m_devices;
    }

    /** @return lost frames, or packets of the devices, by place. */
    const LossCounts& GetLosses() const
    {
        return m_losses;
    }

    /** @return the tables of the network itself after a run, such as the use of its links. */
    virtual std::vector<NamedTable> GetTables() const
    {
        return {};
    }

    /**
     * Assign random streams, after Build or BuildDevices.
     * @param stream first stream
     * @return number of streams assigned
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }

    /**
     * Signature of the trace source Loss.
     * @param place name of the place
     * @param copies lost frames or packets: for one to all others, the receivers it does not reach
     */
    typedef void (*LossTracedCallback)(const std::string& place, uint64_t copies);

  protected:
    void DoDispose() override;

    /**
     * Create the clock and the port and pass them to SetPort; by default, a NetDevicePort over the
     * devices of DoInstall.
     * @param peers number of peers
     */
    virtual void DoBuild(uint32_t peers);

    /**
     * Install net devices on nodes. A network without devices returns false from HasDevices.
     * @param nodes the nodes, in the order of the peers
     * @return a device for each node, in the same order
     */
    virtual NetDeviceContainer DoInstall(const NodeContainer& nodes);

    /**
     * Count the losses of the devices of DoInstall, at their trace sources. A network whose devices
     * have none counts them in other ways.
     */
    virtual void ObserveDevices();

    /**
     * Count the damaged frames that a port drops.
     * @param port the port
     */
    void ObserveFrames(Ptr<PacketPort> port);

    /**
     * Set the clock and the port.
     * @param clock the clock that counts the ticks of the port
     * @param port the port
     */
    void SetPort(Ptr<TickClock> clock, Ptr<AnyPort> port)
    {
        m_clock = clock;
        m_port = port;
    }

    /**
     * Count losses, now.
     * @param place name of the place; a constant where losses are frequent
     * @param copies lost frames or packets
     */
    void Lose(const std::string& place, uint64_t copies);

  private:
    /** Find the log component of the class, and whether it is on. */
    void ChooseLog();

    Ptr<TickClock> m_clock;       ///< Counts the ticks of the port.
    Ptr<AnyPort> m_port;          ///< Carries frames.
    NodeContainer m_nodes;        ///< Nodes of the peers.
    NetDeviceContainer m_devices; ///< Net devices of the peers.
    LossCounts m_losses;          ///< Losses by place.
    Ptr<DeviceLosses> m_observer; ///< Observes the devices.
    const LogComponent* m_log;    ///< Log component of the class.
    bool m_logsLosses{false};     ///< Whether losses are logged, as of Build.

    TracedCallback<const std::string&, uint64_t> m_lossTrace; ///< Fired for each loss.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NETWORK_H
