/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_NETWORK_H
#define ETHERNET_FABRIC_NETWORK_H

#include "ethernet-fabric-config.h"
#include "ethernet-fabric-port.h"
#include "ethernet-fabric-presets.h"

#include "ns3/messaging-network.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * An Ethernet fabric and its parameters.
 */

namespace ns3
{
namespace fabric
{

/**
 * @ingroup ethernet-fabric
 * Lossy Ethernet of today as a network: leaves and spines or a fat tree of switches.
 *
 * It has the parameters; FabricPort carries the frames. GetNativePort makes it at the first call,
 * so all attributes have to be set before.
 */
class FabricNetwork : public messaging::Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricNetwork();

    std::string Check(uint32_t hosts) const override;
    messaging::PortInfo GetInfo() const override;
    std::vector<messaging::NamedTable> GetTables() const override;
    int64_t AssignStreams(int64_t stream) override;

    bool BypassesKernel() const override
    {
        return true;
    }

    /** @return the parameters: those of the preset, and the attributes that were set. */
    FabricConfig GetConfig() const
    {
        return ApplyPreset(m_preset, m_config);
    }

    /**
     * Set the number of hosts, 8 by default.
     * @param hosts the number
     */
    void SetNodes(uint32_t hosts)
    {
        m_hosts = hosts;
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
    Ptr<FabricPort> GetNativePort() const;

    /**
     * Signature of the trace source Drop.
     * @param loss the loss
     * @param frame the frame
     */
    typedef void (*DropTracedCallback)(const LossEvent& loss, const Frame& frame);

    /**
     * Signature of the trace source Pause.
     * @param pause the pause
     */
    typedef void (*PauseTracedCallback)(const PauseEvent& pause);

    /**
     * Signature of the trace source Hop.
     * @param hop the hop
     * @param frame the frame, without the network's marks
     */
    typedef void (*HopTracedCallback)(const HopEvent& hop, const Frame& frame);

  protected:
    void DoDispose() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    /**
     * Count a lost frame.
     * @param loss the loss
     * @param frame the frame
     */
    void CountDrop(const LossEvent& loss, const Frame& frame);

    Preset m_preset{Preset::NONE};        ///< Published configuration.
    FabricConfig m_config;                ///< Attributes.
    uint32_t m_hosts{8};                  ///< Number of hosts.
    Ptr<UniformRandomVariable> m_random;  ///< Draws the seed.
    Ptr<FabricTraces> m_traces;           ///< Trace sources, which the port fires.
    mutable Ptr<FabricPort> m_nativePort; ///< The port, or null.
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_NETWORK_H
