/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_NETWORKS_H
#define BROADCAST_ETHERNET_NETWORKS_H

#include "ns3/broadcast-ethernet-segment.h"
#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/data-rate.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-table.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * Segment and switch as networks of the `reliability` scenario.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Network with a network card on each node, and a medium.
 */
class EthernetNetwork : public messaging::Network
{
  public:
    messaging::PortInfo GetInfo() const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    /** @return the rate of the nodes' links. */
    virtual DataRate GetDataRate() const = 0;
};

/**
 * @ingroup broadcast-ethernet
 * Network of a shared segment with CSMA/CD, with the attributes of the segment.
 */
class SegmentNetwork : public EthernetNetwork
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SegmentNetwork();

    std::string Check(uint32_t peers) const override;

    /** @return the host of paper 3. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::SPARC10_1995;
    }

    /**
     * Get the tables of a run.
     * @return Stations: frames, collisions and losses by reason of each card; Attempts: frames by
     * number of attempts; Use: share of the data rate in frames, and with preambles and gaps
     */
    std::vector<messaging::NamedTable> GetTables() const override;

  protected:
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;
    DataRate GetDataRate() const override;

  private:
    Ptr<EthernetSegment> m_parameters; ///< Attributes of the segment.
};

/**
 * Make a table of the counts of a LAN's ports.
 * @param lan any switch of the LAN
 * @return a row for each port, the switches in the order in which they were joined
 */
Ptr<messaging::Table> MakePortTable(Ptr<const EthernetSwitch> lan);

/**
 * @ingroup broadcast-ethernet
 * Network of store-and-forward switches, with the attributes of a switch. With more than one
 * switch, nodes are attached to them in turn, and the switches are the leaves of a tree.
 */
class SwitchNetwork : public EthernetNetwork
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SwitchNetwork();

    std::string Check(uint32_t peers) const override;

    /** @return the host of paper 5. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::PENTIUM2_1999;
    }

    /**
     * Get the tables of a run.
     * @return Ports: frames and drops by reason of each port of each switch
     */
    std::vector<messaging::NamedTable> GetTables() const override;

  protected:
    void DoDispose() override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;
    DataRate GetDataRate() const override;

  private:
    /** A cut or a repair of a cable. */
    struct CableChange
    {
        Time when;          ///< Its time.
        bool up{false};     ///< A repair.
        bool trunk{false};  ///< The cable joins a leaf switch and the root.
        uint32_t number{0}; ///< Number of the node or the leaf switch.
    };

    /**
     * Read the attribute Failures.
     * @param peers number of nodes
     * @param changes filled with the cuts and repairs
     * @return empty, or one sentence with the error
     */
    std::string ReadFailures(uint32_t peers, std::vector<CableChange>& changes) const;

    /**
     * Cut or repair a cable.
     * @param change the change
     */
    void Apply(const CableChange& change);

    /**
     * A cut of its cable has lost a frame from a node.
     * @param number number of its switch
     * @param frame the frame
     * @param port its port
     */
    void OnCableLoss(uint32_t number, Ptr<const WireFrame> frame, uint32_t port);

    /**
     * A switch has dropped a copy of a frame.
     * @param number number of the switch
     * @param frame the frame
     * @param port output port of the copy
     * @param reason the reason
     */
    void OnDrop(uint32_t number, Ptr<const WireFrame> frame, uint32_t port, SwitchDrop reason);

    Ptr<EthernetSwitch> m_parameters;         ///< Attributes of the switches.
    std::vector<Ptr<EthernetSwitch>> m_built; ///< The switches, the root last.
    DataRate m_trunkRate;                     ///< Rate of the links between switches.
    uint32_t m_switches{0};                   ///< Number of leaf switches.
    std::string m_failures;                   ///< Cuts and repairs of cables.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_NETWORKS_H
