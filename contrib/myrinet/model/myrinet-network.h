/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_NETWORK_H
#define MYRINET_NETWORK_H

#include "ns3/messaging-network.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/myrinet-config.h"
#include "ns3/myrinet-port.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * A Myrinet and its parameters.
 */

/**
 * @defgroup myrinet Myrinet
 * Links with STOP/GO flow control, source-routed switches, network interfaces, and the four sources
 * of unreliability.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * A Myrinet with its parameters. MyrinetPort carries the frames. GetNativePort makes it at the
 * first call, so all attributes have to be set before.
 */
class MyrinetNetwork : public messaging::Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MyrinetNetwork();

    /**
     * Check the attributes, for the number of nodes that SetNodes has set.
     * @return empty, or one sentence with the error and the allowed values
     */
    std::string Check() const;

    std::string Check(uint32_t nodes) const override;
    messaging::PortInfo GetInfo() const override;
    std::vector<messaging::NamedTable> GetTables() const override;

    /** @return the host of paper 2. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::PENTIUM2_1999;
    }

    bool BypassesKernel() const override
    {
        return true;
    }

    /**
     * Set the number of nodes, 8 by default; the file of a graph determines its own number.
     * @param nodes the number
     */
    void SetNodes(uint32_t nodes)
    {
        m_config.topology.nodes = nodes;
    }

    /** @return a clock for the network, of 1 ns ticks. */
    static Ptr<messaging::TickClock> MakeClock()
    {
        return CreateObject<messaging::TickClock>();
    }

    /**
     * Make the port over a given clock.
     * @param clock the clock
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return the port, made on the first call; it needs SetClock or Build before its first use.
     */
    Ptr<MyrinetPort> GetNativePort() const;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Signature of the trace sources Sent and Delivery.
     * @param packet the packet
     */
    typedef void (*PacketTracedCallback)(const Packet& packet);

    /**
     * Signature of the trace source Drop.
     * @param packet the packet
     * @param reason the reason
     * @param channel the channel at whose end it was lost
     * @param when time of the decision [ps]
     */
    typedef void (*DropTracedCallback)(const Packet& packet,
                                       DropReason reason,
                                       ChannelId channel,
                                       Instant when);

  protected:
    void DoDispose() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    /**
     * Count a dropped packet as a loss.
     * @param packet the packet
     * @param reason reason of the drop
     * @param channel the channel at which it was lost
     * @param when the time
     */
    void CountDrop(const Packet& packet, DropReason reason, ChannelId channel, Instant when);

    MyrinetConfig m_config;                ///< Parameters.
    int64_t m_stream{-1};                  ///< First random stream, or -1.
    Ptr<MyrinetTraces> m_traces;           ///< Trace sources, which the port fires.
    mutable Ptr<MyrinetPort> m_nativePort; ///< The port, or null.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_NETWORK_H
