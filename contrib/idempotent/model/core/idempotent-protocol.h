/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_PROTOCOL_H
#define IDEMPOTENT_PROTOCOL_H

#include "ns3/idempotent-group.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-segmented-protocol.h"

#include <optional>

/**
 * @file
 * @ingroup idempotent
 * Protocol idempotent.
 */

namespace ns3
{
namespace idempotent
{

/**
 * @ingroup idempotent
 * The idempotent messaging protocol with its parameters, for any network.
 */
class IdempotentProtocol : public messaging::Protocol,
                           public messaging::Searchable,
                           public messaging::SegmentedProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;
    std::vector<NamedCount> GetCounts() const override;
    std::vector<NamedCount> GetLosses() const override;
    std::optional<uint64_t> GetMemory() const override;
    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override;
    uint32_t GetLargestWhole(Ptr<messaging::AnyPort> port) const override;

    /** @return the parameters. */
    const IdempotentSettings& GetSettings() const
    {
        return m_settings;
    }

    /**
     * Connect a group to a port without virtual calls. It refuses messages longer than a frame.
     * @tparam Port a DatagramPort
     * @param clock counts the port's ticks
     * @param port the port
     * @return the group
     */
    template <messaging::DatagramPort Port>
    Ptr<IdempotentGroup> ConnectPort(Ptr<messaging::TickClock> clock, Ptr<Port> port) const
    {
        auto group = CreateObject<IdempotentPortGroup<Port>>();
        group->Connect(clock, port, m_settings);
        return group;
    }

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;

  private:
    IdempotentSettings m_settings; ///< Parameters.
    bool m_adaptive{true};         ///< Repetitions wait for the measured queueing.
    Ptr<IdempotentGroup> m_group;  ///< Group of the last Connect.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_PROTOCOL_H
