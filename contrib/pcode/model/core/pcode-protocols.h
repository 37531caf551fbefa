/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PROTOCOLS_H
#define PCODE_PROTOCOLS_H

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-segmented-protocol.h"
#include "ns3/pcode-parameters.h"

#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * P0, P1 and PCODE over any network that broadcasts.
 */

namespace ns3
{
namespace pcode
{

class LaneGroup;

/** The protocols of paper 3. */
enum class LaneVariant : uint8_t
{
    P0,   ///< The simple protocol (section 3).
    P1,   ///< The practical protocol (section 4).
    PCODE ///< P1 with all additions (section 5).
};

/**
 * @ingroup pcode
 * A protocol of paper 3 for applications without a global program (LaneCore).
 *
 * The paper's timers have steps of 10 ms, about ten round trips of its LAN. Here a step is ten
 * round trips of the largest frame. The interval of NACKs is multiplied by the number of other
 * nodes: a node requests messages of all of them, where a program requests one.
 */
class LaneProtocol : public messaging::Protocol,
                     public messaging::Searchable,
                     public messaging::SegmentedProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~LaneProtocol() override;

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;
    std::vector<NamedCount> GetCounts() const override;
    std::optional<uint64_t> GetMemory() const override;
    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override;
    uint32_t GetLargestWhole(Ptr<messaging::AnyPort> port) const override;

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;
    /** @param variant the protocol */
    explicit LaneProtocol(LaneVariant variant);

    /**
     * Make the TypeId of a protocol.
     * @param variant the protocol
     * @return the TypeId, without a constructor
     */
    static TypeId MakeTypeId(LaneVariant variant);

  private:
    const LaneVariant m_variant;       ///< The protocol.
    Ptr<PcodeParameters> m_parameters; ///< Parameters of the cores.
    Ptr<LaneGroup> m_group;            ///< The group; null before Connect.
};

/** @ingroup pcode The simple protocol of section 3, with an unbounded buffer of sent messages. */
using P0Protocol = messaging::ProtocolOf<LaneProtocol, LaneVariant::P0>;
/** @ingroup pcode P0 with a bounded buffer and STATUS (section 4). */
using P1Protocol = messaging::ProtocolOf<LaneProtocol, LaneVariant::P1>;
/** @ingroup pcode P1 with the additions of section 5. */
using PcodeProtocol = messaging::ProtocolOf<LaneProtocol, LaneVariant::PCODE>;

} // namespace pcode
} // namespace ns3

#endif // PCODE_PROTOCOLS_H
