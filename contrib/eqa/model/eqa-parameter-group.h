/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_PARAMETER_GROUP_H
#define EQA_PARAMETER_GROUP_H

#include "eqa-group.h"

/**
 * @file
 * @ingroup eqa
 * A group that is never connected.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * A group without nodes: holds the parameters of those that a scenario makes.
 */
class ParameterGroup : public EqaGroup
{
  public:
    uint32_t GetNPeers() const override;
    messaging::Acceptance Post(messaging::Peer self, const messaging::Request& request) override;
    const EqaCore& GetNode(messaging::Peer peer) const override;
    uint64_t GetEventCount(Event event) const override;

    /**
     * Set a group's attributes to those held here.
     * @param group the group, changed
     */
    void CopyTo(Ptr<EqaGroup> group) const;

  protected:
    EqaCore& GetMutableNode(messaging::Peer peer) override;

  private:
    EqaCore m_core{0, 1, &GetConfig()}; ///< A node without channels.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_PARAMETER_GROUP_H
