/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_SCRIPTED_ENGINE_H
#define INFINIBAND_SCRIPTED_ENGINE_H

#include "ns3/infiniband-verbs.h"

#include <utility>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * Verbs without a network: the test decides how each work request ends.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Stores posted requests until the test ends them. */
class ScriptedEngine : public Engine
{
  public:
    std::string Start(Verbs*, Ptr<messaging::TickClock>, HostId) override
    {
        return GetFabric()->Check();
    }

    void Post(Qpn qp, const SendWr& wr) override
    {
        posted.emplace_back(qp, wr);
    }

    void OnState(Qpn qp, const QpAttr& attr) override
    {
        states.emplace_back(qp, attr.state);
        if (attr.state != QpState::RTS && attr.state != QpState::SQD)
        {
            std::erase_if(posted, [qp](const auto& entry) { return entry.first == qp; });
        }
    }

    std::vector<std::pair<Qpn, SendWr>> posted;  ///< Requests posted by the verbs.
    std::vector<std::pair<Qpn, QpState>> states; ///< State changes reported by the verbs.
};

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_SCRIPTED_ENGINE_H
