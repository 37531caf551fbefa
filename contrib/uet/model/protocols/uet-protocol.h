/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_PROTOCOL_H
#define UET_PROTOCOL_H

#include "ns3/messaging-search-core-protocol.h"
#include "ns3/nstime.h"
#include "ns3/roce-protocols.h"
#include "ns3/uet-endpoint.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Ultra Ethernet's packet delivery sublayer as a protocol of any network.
 */

namespace ns3
{
namespace uet
{

/** Parameters of UetProtocol that do not depend on a network. */
struct Settings
{
    Mode mode{Mode::RUD};                   ///< Delivery mode.
    uint64_t modulus{uint64_t{1} << 32};    ///< Count of different PSNs in frames.
    roce::QueuePairs::Settings pair{};      ///< What does not differ from a queue pair.
    PathKind spraying{PathKind::OBLIVIOUS}; ///< Choice of paths.
    Time freezeTime{MicroSeconds(100)};     ///< Time for which REPS does not explore.
    Time timeout;                           ///< Timeout of a first transmission; 0 to derive it.
    uint32_t retries{5};                    ///< Timeouts of a packet before the PDC fails.
    Time refusalDelay{MilliSeconds(1)};     ///< Wait after the first NO_RESOURCE.
    uint32_t refusals{5};                   ///< NO_RESOURCE in a row before the PDC fails.
    Time idle;                              ///< Idle time of a PDC; 0 to derive it.
    Time safety;                            ///< Syn_Retx_Safety_Time; 0 to derive it.
    bool checksStarts{true};                ///< A target refuses SYNs of earlier PDCs.
    uint32_t contexts{65535};               ///< PDCs that a target can have open.
    uint32_t pdcs{65535};                   ///< Different PDC numbers of an initiator.
    uint32_t responses{0};    ///< Guaranteed responses that a PDC can store; 0 for default ones.
    uint32_t ackBytes{16384}; ///< Bytes after which an ACK is sent [bytes].
    uint32_t lossDistance{0}; ///< PSNs from a lost packet to the last one here; 0 for never.
};

/**
 * @ingroup uet
 * Ultra Ethernet Transport, its packet delivery sublayer: `protocol=uet`.
 */
class UetProtocol : public messaging::CoreProtocol<Endpoint>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    UetProtocol();
    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    Endpoint MakeCore(const messaging::AnyPort& port, Peer peer) const override;
    std::vector<std::string> GetReasons() const override;

  private:
    /** @return the settings of a queue pair with the headers of the mode. */
    roce::QueuePairs::Settings GetPair() const;

    /**
     * Check whether no frame arrives so late that it is taken for another one.
     * @param info the network
     * @return true if none does
     */
    bool IsSafe(const messaging::PortInfo& info) const;

    Settings m_settings;                    ///< Parameters.
    std::shared_ptr<const Config> m_config; ///< Parameters over the network.
};

} // namespace uet
} // namespace ns3

#endif // UET_PROTOCOL_H
