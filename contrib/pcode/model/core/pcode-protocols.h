/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PROTOCOLS_H
#define PCODE_PROTOCOLS_H

#include "ns3/messaging-protocol.h"
#include "ns3/pcode-parameters.h"

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

/**
 * @ingroup pcode
 * A protocol of paper 3 for applications without a global program (LaneCore).
 *
 * The paper's timers have steps of 10 ms, about ten round trips of its LAN. Here a step is ten
 * round trips of the largest frame. The interval of NACKs is multiplied by the number of other
 * nodes: a node requests messages of all of them, where a program requests one.
 */
class LaneProtocol : public messaging::Protocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LaneProtocol();
    ~LaneProtocol() override;

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;
    std::vector<uint32_t> GetList(const messaging::Frame& frame) const override;
    uint64_t PutList(const std::vector<uint32_t>& list) override;
    std::vector<NamedCount> GetCounts() const override;
    uint64_t GetMemory() const override;
    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override;

  protected:
    /** @return the parameters of P0, P1 and PCODE. */
    Ptr<PcodeParameters> GetParameters() const
    {
        return m_parameters;
    }

    /**
     * Make the group.
     * @param site network and hosts
     * @param parameters parameters of the protocol
     * @return the group
     */
    Ptr<messaging::MessageGroup> Make(const messaging::Site& site,
                                      Ptr<const PcodeParameters> parameters);

  private:
    Ptr<PcodeParameters> m_parameters; ///< Parameters of the cores.
    Ptr<LaneGroup> m_group;            ///< The group; null before Connect.
};

/** @ingroup pcode The simple protocol of section 3, with an unbounded buffer of sent messages. */
class P0Protocol : public LaneProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<messaging::MessageGroup> Connect(const messaging::Site& site) override
    {
        return Make(site, GetParameters()->AsP0());
    }
};

/** @ingroup pcode P0 with a bounded buffer and STATUS (section 4). */
class P1Protocol : public LaneProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<messaging::MessageGroup> Connect(const messaging::Site& site) override
    {
        return Make(site, GetParameters()->AsP1());
    }
};

/** @ingroup pcode P1 with the additions of section 5. */
class PcodeProtocol : public LaneProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<messaging::MessageGroup> Connect(const messaging::Site& site) override
    {
        return Make(site, GetParameters());
    }
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_PROTOCOLS_H
