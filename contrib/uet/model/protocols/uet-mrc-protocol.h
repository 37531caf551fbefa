/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_PROTOCOL_H
#define UET_MRC_PROTOCOL_H

#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-search-core-protocol.h"
#include "ns3/nstime.h"
#include "ns3/roce-protocols.h"
#include "ns3/uet-mrc-flow.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup uet
 * MRC as a protocol of any network.
 */

namespace ns3
{
namespace uet
{

/** Parameters of MrcProtocol that do not depend on a network. */
struct MrcSettings
{
    roce::QueuePairs::Settings pair{}; ///< What does not differ from a queue pair of RoCE.
    Time timeout;                      ///< Timeout of a first transmission; 0 to derive it.
    Time probeInterval;                ///< Time between probes of a path; 0 for the timeout.
    Time reverseInterval;              ///< Time between EV probes; 0 for none.
    uint32_t retries{7};               ///< Timeouts of a packet before the queue pair fails.
    uint32_t immediates{128};          ///< Most messages in flight.
    uint32_t ackBytes{16384};          ///< Bytes after which a SACK is sent [bytes].
    uint32_t paths{128};               ///< Most paths in use.
    uint32_t backups{16};              ///< Most backups of paths.
    uint32_t deniedPlanes{0};          ///< Excluded planes, a bit each.
    uint32_t repeatClass{0};           ///< Class of traffic of repeats.
};

/**
 * @ingroup uet
 * MRC 1.0 of the Open Compute Project, reliable connections of RoCE over many paths:
 * `protocol=mrc`.
 */
class MrcProtocol : public messaging::CoreProtocol<messaging::FlowCore<mrc::Flow>>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    MrcProtocol();
    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    messaging::FlowCore<mrc::Flow> MakeCore(const messaging::AnyPort& port,
                                            messaging::Peer peer) const override;
    std::vector<std::string> GetReasons() const override;

  private:
    /** @return the settings of a queue pair with the headers of MRC. */
    roce::QueuePairs::Settings GetPair() const;

    MrcSettings m_settings;                      ///< Parameters.
    std::shared_ptr<const mrc::Config> m_config; ///< Parameters over the network.
};

} // namespace uet
} // namespace ns3

#endif // UET_MRC_PROTOCOL_H
