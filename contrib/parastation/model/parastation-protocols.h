/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_PROTOCOLS_H
#define PARASTATION_PROTOCOLS_H

#include "parastation-group.h"
#include "parastation-platform.h"
#include "parastation-settings.h"

#include "ns3/messaging-protocol.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * ParaStation2 and its rivals as protocols that are found by name and run over any network.
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
class ParastationProtocol : public messaging::Protocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~ParastationProtocol() override;

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;
    Ptr<messaging::MessageGroup> Connect(const messaging::Site& site) override;
    std::vector<NamedCount> GetCounts() const override;
    uint64_t GetMemory() const override;

  protected:
    /** @param kind the protocol */
    explicit ParastationProtocol(ProtocolKind kind);

    void DoDispose() override;

    /**
     * Make the TypeId of a protocol.
     * @tparam P class of the protocol
     * @param name of the class
     * @param summary one sentence
     * @param attributes names of the attributes of ParastationSettings that it has
     * @return the TypeId
     */
    template <class P>
    static TypeId MakeTypeId(const std::string& name,
                             const std::string& summary,
                             const std::vector<std::string>& attributes);

  private:
    const ProtocolKind m_kind;           ///< The protocol.
    Ptr<ParastationSettings> m_settings; ///< Its parameters.
    double m_timeout{0};                 ///< Retransmission timeout [round trips].
    Ptr<ParastationGroup> m_group;       ///< The group of the last Connect.
};

/** @ingroup parastation ParaStation2. */
class Parastation2Protocol : public ParastationProtocol
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId();
    Parastation2Protocol();
};

/** @ingroup parastation Active Messages II. */
class Am2Protocol : public ParastationProtocol
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId();
    Am2Protocol();
};

/** @ingroup parastation VMMC-2. */
class Vmmc2Protocol : public ParastationProtocol
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId();
    Vmmc2Protocol();
};

/** @ingroup parastation Credits alone, as FM, LFC and PM. */
class CreditsProtocol : public ParastationProtocol
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId();
    CreditsProtocol();
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_PROTOCOLS_H
