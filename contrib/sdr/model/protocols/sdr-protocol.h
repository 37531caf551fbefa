/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_PROTOCOL_H
#define SDR_PROTOCOL_H

#include "ns3/messaging-search-core-protocol.h"
#include "ns3/nstime.h"
#include "ns3/sdr-flow.h"
#include "ns3/sdr-packet.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * SDR as a protocol of any network.
 */

namespace ns3
{
namespace sdr
{

/** What happens to the chunks of a failed submessage. */
enum class Fallback : uint8_t
{
    WHOLE,  ///< All are sent again, and those that are here do not count.
    MISSING ///< Those that are not here are sent again, and parity goes on to count.
};

/**
 * @ingroup sdr
 * SDR: reliability in software over bitmaps of chunks, by selective repeat or an erasure code:
 * `protocol=sdr`.
 */
class SdrProtocol : public messaging::CoreProtocol<FlowCore>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    SdrProtocol();
    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;

    /**
     * Make the parameters of flows over a network.
     * @param port the network
     * @param tick length of a tick
     * @return the parameters, with all that is derived
     */
    Config Resolve(const messaging::AnyPort& port, Time tick) const;

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    FlowCore MakeCore(const messaging::AnyPort& port, Peer peer) const override;
    std::vector<std::string> GetReasons() const override;

  private:
    /** @param info a network @return the parameters that do not depend on times. */
    Config GetConfig(const messaging::PortInfo& info) const;

    uint32_t m_modulus{0};                  ///< Count of different message numbers in frames.
    uint32_t m_requests{0};                 ///< Messages in flight.
    uint32_t m_window{0};                   ///< Packets in flight; 0 to derive it.
    uint32_t m_mtu{0};                      ///< Payload of a packet; 0 to choose it [bytes].
    uint32_t m_chunkPackets{0};             ///< Packets of a chunk.
    uint32_t m_data{0};                     ///< Data chunks of a submessage.
    uint32_t m_parity{0};                   ///< Parity chunks of a submessage.
    uint32_t m_ackWords{0};                 ///< Words of a bitmap in an answer.
    Scheme m_scheme{Scheme::MDS};           ///< Loss recovery.
    Fallback m_fallback{Fallback::WHOLE};   ///< What happens to failed submessages.
    bool m_gaps{true};                      ///< A gap in acknowledgements is a loss.
    bool m_spray{false};                    ///< Choose a path for each frame.
    Time m_rto;                             ///< Timeout of a chunk; 0 to derive it.
    uint32_t m_doublings{0};                ///< Most doublings of it.
    Time m_slack;                           ///< FTO beyond the injection; 0 to derive it.
    std::shared_ptr<const Config> m_config; ///< Parameters over the network.
};

} // namespace sdr
} // namespace ns3

#endif // SDR_PROTOCOL_H
