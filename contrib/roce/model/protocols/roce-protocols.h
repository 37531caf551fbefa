/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PROTOCOLS_H
#define ROCE_PROTOCOLS_H

#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-search-core-protocol.h"
#include "ns3/nstime.h"
#include "ns3/roce-flow.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-irn.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup roce
 * RoCE and IRN as protocols of any network.
 */

namespace ns3
{
namespace roce
{

/** One end of a queue pair of RoCE. */
using RoceFlow = Flow<GoBackNSender, GoBackNReceiver>;

/** One end of a queue pair of IRN. */
using IrnFlow = Flow<IrnSender, IrnReceiver>;

/** One end of a queue pair of IRN without a cap of the packets in flight. */
using UncappedIrnFlow = Flow<BasicIrnSender<LongPacketBitmap>, BasicIrnReceiver<LongPacketBitmap>>;

/** What RoCE and IRN have in common, except the type of their cores: parameters and checks. */
class QueuePairs
{
  public:
    /** Parameters that do not depend on a network. */
    struct Settings
    {
        uint32_t modulus{1 << 24}; ///< Count of different packet numbers in frames.
        uint32_t window{0}; ///< Largest number of packets without a cumulative ACK; 0 to derive it.
        uint32_t requests{128};                  ///< Messages that a send queue holds.
        uint32_t mtu{0};                         ///< Payload of a packet; 0 to choose it [bytes].
        uint16_t extension{0};                   ///< Additional header of a packet [bytes].
        uint16_t ackExtension{0};                ///< Additional header of an answer [bytes].
        bool spray{false};                       ///< Choose a path for each packet.
        bool grants{false};                      ///< Receivers grant credit, as RCCC needs it.
        std::string pcap{};                      ///< File of arriving packets; empty for none.
        messaging::CongestionSettings control{}; ///< Congestion control.
    };

    /**
     * Check whether queue pairs can use a network.
     * @param settings the parameters
     * @param info the network
     * @return empty if they can, else one sentence with the reason
     */
    static std::string Check(const Settings& settings, const messaging::PortInfo& info);

    /**
     * Get the largest window that the parameters may lead to.
     * @param settings the parameters
     * @return the window [packets]
     */
    static uint32_t GetLargestWindow(const Settings& settings);

    /**
     * Check whether no packet number repeats while an old frame with it may still arrive.
     * @param settings the parameters
     * @param info the network
     * @return true if none does
     */
    static bool HasDistinctNumbers(const Settings& settings, const messaging::PortInfo& info);

    /**
     * Make the parameters of flows over a network, without timeouts and retries.
     * @param settings the parameters
     * @param port the network
     * @param tick length of a tick
     * @return the parameters
     */
    static Config Resolve(const Settings& settings, const messaging::AnyPort& port, Time tick);

    /**
     * Get a time within which an answer comes even if many peers send to one at once.
     * @param config the parameters
     * @param port the network
     * @return some idle round trips, and the time of the windows of these peers [ticks]
     */
    static Ticks GetPatience(const Config& config, const messaging::AnyPort& port);

    /**
     * Get the same for a protocol whose packets have timers of their own, which begin when they
     * leave. A network that loses nothing holds the windows of all peers, however many they are,
     * and a timer that is too long does no harm there.
     * @param config the parameters
     * @param port the network
     * @return GetPatience; without losses at least the time of the windows of all others [ticks]
     */
    static Ticks GetPacketPatience(const Config& config, const messaging::AnyPort& port);

    /**
     * Capture the packets of a group, if the parameters say so.
     * @param settings the parameters
     * @param group the group
     * @return the group
     */
    static Ptr<messaging::MessageGroup> Capture(const Settings& settings,
                                                Ptr<messaging::MessageGroup> group);

    /** @return names of the events, in the order of Event. */
    static std::vector<std::string> GetNames();
};

/**
 * @ingroup roce
 * RoCE, a reliable connection (RC) with go-back-N: `protocol=roce`.
 */
class RoceProtocol : public messaging::CoreProtocol<messaging::FlowCore<RoceFlow>>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    RoceProtocol();
    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    messaging::FlowCore<RoceFlow> MakeCore(const messaging::AnyPort& port,
                                           Peer peer) const override;
    std::vector<std::string> GetReasons() const override;

  private:
    QueuePairs::Settings m_settings;        ///< Parameters.
    uint32_t m_timeout{0};                  ///< Exponent of the timeout; 0 to choose it.
    uint32_t m_retries{7};                  ///< Retries in a row.
    std::shared_ptr<const Config> m_config; ///< Parameters over the network.
};

/** Loss recovery of IRN. */
enum class IrnRecovery : uint8_t
{
    SELECTIVE, ///< Holes are sent again, as IRN does.
    GO_BACK_N  ///< All from a hole on is sent again, to show what that costs.
};

/**
 * @ingroup roce
 * IRN, an improved RoCE network card: `protocol=irn`.
 *
 * Without one of its two parts, BDP-FC and selective recovery, it runs other flows, by a protocol
 * of its own that Connect makes.
 */
class IrnProtocol : public messaging::CoreProtocol<messaging::FlowCore<IrnFlow>>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    IrnProtocol();
    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;
    std::vector<NamedCount> GetCounts() const override;
    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override;

  protected:
    void DoDispose() override;
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    messaging::FlowCore<IrnFlow> MakeCore(const messaging::AnyPort& port, Peer peer) const override;
    std::vector<std::string> GetReasons() const override;

  private:
    /** @return the parameters, whose window is the longest one without BDP-FC. */
    QueuePairs::Settings GetSettings() const;

    QueuePairs::Settings m_settings;                ///< Parameters that IRN shares with RoCE.
    bool m_hasFlowControl{true};                    ///< Packets in flight have a cap (BDP-FC).
    IrnRecovery m_recovery{IrnRecovery::SELECTIVE}; ///< Loss recovery.
    Ptr<messaging::Protocol> m_reduced;     ///< Runs the flows if a part of IRN is off; else null.
    Time m_lowTimeout;                      ///< Short timeout; 0 to derive it.
    Time m_highTimeout;                     ///< Long timeout; 0 to derive it.
    uint32_t m_quickPackets{QUICK_PACKETS}; ///< Packets up to which the short timeout holds.
    std::shared_ptr<const Config> m_config; ///< Parameters over the network.
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PROTOCOLS_H
