/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_PROTOCOL_H
#define EQA_PROTOCOL_H

#include "eqa-group.h"

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"

#include <optional>

/**
 * @file
 * @ingroup eqa
 * EQA's two broadcasts as protocols of the `reliability` scenario.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * DP-SMP over any network that can broadcast: push-pull messaging to one peer, and one of its
 * broadcasts to all. A receive is posted for each message in advance. Messages are in order within
 * a channel: a message to all may overtake one to a single peer.
 */
class EqaProtocol : public messaging::Protocol, public messaging::Searchable
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;

    messaging::Promise GetPromise(const messaging::PortInfo&) const override
    {
        // A delivered message may wait in the receiver's pushed buffer: its sender gets SENT alone.
        return {.confirms = false};
    }

    std::vector<NamedCount> GetCounts() const override;
    std::vector<NamedCount> GetLosses() const override;
    std::optional<uint64_t> GetMemory() const override;
    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override;

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    /** @param kind kind of broadcast */
    explicit EqaProtocol(BroadcastKind kind);

    /**
     * Make the TypeId of a protocol.
     * @param kind kind of broadcast
     * @return the TypeId, without a constructor
     */
    static TypeId MakeTypeId(BroadcastKind kind);

  private:
    Ptr<EqaGroup> m_parameters; ///< Holds the parameters.
    Ptr<EqaGroup> m_group;      ///< The group; nullptr before Connect.
    BroadcastKind m_kind;       ///< Kind of broadcast.
    Time m_timeout;             ///< Timeout of a sender; 0 for a number of round trips.
};

/** @ingroup eqa Simple Broadcast (section 3.2). */
using SbcastProtocol = messaging::ProtocolOf<EqaProtocol, BroadcastKind::SIMPLE>;
/** @ingroup eqa Push-Pull Broadcast (section 3.3). */
using PpbcastProtocol = messaging::ProtocolOf<EqaProtocol, BroadcastKind::PUSH_PULL>;

} // namespace eqa
} // namespace ns3

#endif // EQA_PROTOCOL_H
