/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_CQ_USER_H
#define INFINIBAND_CQ_USER_H

#include "ns3/infiniband-engine.h"

/**
 * @file
 * @ingroup infiniband
 * Receiver of completions.
 */

namespace ns3
{
namespace infiniband
{

/** Receiver of the events of completion queues for which ReqNotifyCq was called. */
class CqUser
{
  public:
    virtual ~CqUser() = default;

    /**
     * A completion has been written.
     * @param cq the queue
     * @param cookie what was given when the queue was created
     */
    virtual void OnCompletion(CqNumber cq, uint64_t cookie) = 0;

    /**
     * A message arrives that will be written as a completion soon, if nothing happens to it: bring
     * what OnCompletion needs into the processor's caches. Nothing has to be done.
     * @param cookie what was given when the queue was created
     */
    virtual void OnExpected([[maybe_unused]] uint64_t cookie)
    {
    }
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_CQ_USER_H
