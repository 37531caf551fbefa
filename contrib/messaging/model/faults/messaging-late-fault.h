/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LATE_FAULT_H
#define MESSAGING_LATE_FAULT_H

#include "ns3/messaging-fault.h"

/**
 * @file
 * @ingroup messaging
 * Base of the faults that delay frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of the faults that delay frames or their copies, all up to one bound.
 */
class LateFault : public Fault
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    /** @param effects names of the effects to count */
    explicit LateFault(std::vector<std::string> effects);

    /** @return the longest delay [ticks]. */
    Ticks GetBound() const
    {
        return m_bound;
    }

    /**
     * Draw a delay.
     * @return from 1 to the bound, or 0 if that is zero [ticks]
     */
    Ticks DrawDelay();

  private:
    Ticks m_bound{0}; ///< Longest delay [ticks].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LATE_FAULT_H
