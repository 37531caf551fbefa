/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_HOST_SETTINGS_H
#define MESSAGING_SCENARIO_HOST_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

/**
 * @file
 * @ingroup messaging-scenario
 * Attributes of the hosts of a scenario.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging-scenario
 * Attributes of the HostModel of each node, under the same names.
 *
 * The initial value of an attribute leaves that of the host, which Host selects, as it is. A time
 * of zero is a cost of zero, since the initial value of the times that a host has is negative.
 */
class HostSettings : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    Time m_contextSwitch;          ///< Cost of a context switch; negative for the host's.
    Time m_systemCall;             ///< Cost of a system call; negative for the host's.
    Time m_interrupt;              ///< Cost of an interrupt; negative for the host's.
    Time m_coalescingDelay;        ///< Longest wait of an interrupt for others.
    uint32_t m_coalescingCount{1}; ///< Number of waiting interrupts that ends the wait.
    DataRate m_copyRate;           ///< Bandwidth of a copy; 0 for the host's.
    DataRate m_pioRate;            ///< Bandwidth of programmed input and output.
    DataRate m_dmaRate;            ///< Bandwidth of a DMA engine.
    Time m_dmaSetup;               ///< Start-up time of a DMA engine.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_HOST_SETTINGS_H
