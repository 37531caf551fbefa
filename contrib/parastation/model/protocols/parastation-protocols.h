/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_PROTOCOLS_H
#define PARASTATION_PROTOCOLS_H

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-segmented-protocol.h"
#include "ns3/parastation-group.h"
#include "ns3/parastation-platform.h"
#include "ns3/parastation-settings.h"

#include <optional>
#include <string>

/**
 * @file
 * @ingroup parastation
 * ParaStation2 and its rivals as protocols, found by name, that run over any network.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Base of ParaStation2 and its rivals over any network: the cores of paper 2 without costs, with
 * timers relative to a round trip.
 *
 * Packets have at most the network's MTU. Where a network has no back-pressure, a packet that finds
 * no free slot is lost.
 */
class ParastationProtocol : public messaging::Protocol,
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

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    /** @param kind the protocol */
    explicit ParastationProtocol(ProtocolKind kind);

    /**
     * Make the TypeId of a protocol.
     * @param kind the protocol
     * @return the TypeId, without a constructor
     */
    static TypeId MakeTypeId(ProtocolKind kind);

  private:
    /**
     * Check whether no sequence number repeats while an old frame with it may still arrive.
     *
     * The frames that a peer can send while a packet, and then its acknowledgement, are late by the
     * slip of the network, of a header each, must be fewer than the numbers outside both windows.
     *
     * @param info properties of the network
     * @return true if so; false if the rate or the slip has no bound
     */
    bool DoNumbersLast(const messaging::PortInfo& info) const;

    const ProtocolKind m_kind;           ///< The protocol.
    Ptr<ParastationSettings> m_settings; ///< Its parameters.
    double m_timeout{0};                 ///< Retransmission timeout [round trips]; 0: derived.
    Ptr<ParastationGroup> m_group;       ///< The group of the last Connect.
};

/** @ingroup parastation ParaStation2. */
using Parastation2Protocol = messaging::ProtocolOf<ParastationProtocol, ProtocolKind::PARASTATION2>;
/** @ingroup parastation Active Messages II. */
using Am2Protocol = messaging::ProtocolOf<ParastationProtocol, ProtocolKind::AM2>;
/** @ingroup parastation VMMC-2. */
using Vmmc2Protocol = messaging::ProtocolOf<ParastationProtocol, ProtocolKind::VMMC2>;
/** @ingroup parastation Credits alone, as LFC. */
using CreditsProtocol = messaging::ProtocolOf<ParastationProtocol, ProtocolKind::LFC>;

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_PROTOCOLS_H
