/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-host-settings.h"

#include "ns3/messaging-attributes.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(HostSettings);

TypeId
HostSettings::GetTypeId()
{
    using S = HostSettings;
    // Initial value of a time that leaves that of the host as it is.
    const Time ofHost = NanoSeconds(-1);
    static TypeId tid =
        Attributes<S>(TypeId("ns3::messaging::HostSettings")
                          .SetParent<Object>()
                          .SetGroupName("MessagingScenario")
                          .AddConstructor<HostSettings>())
            .AddAttribute("ContextSwitch",
                          "CPU time of a change from one process to another; negative for the "
                          "host's [s; default].",
                          &S::m_contextSwitch,
                          ofHost,
                          ofHost)
            .AddAttribute("SystemCall",
                          "CPU time of entering and leaving the kernel; negative for the host's "
                          "[s; default].",
                          &S::m_systemCall,
                          ofHost,
                          ofHost)
            .AddAttribute("Interrupt",
                          "CPU time of an interrupt, which comes on top of the work for a frame; "
                          "negative for the host's [s; default].",
                          &S::m_interrupt,
                          ofHost,
                          ofHost)
            .AddAttribute("CoalescingDelay",
                          "Longest wait of an interrupt for others, with which it is taken as one "
                          "[s; default].",
                          &S::m_coalescingDelay,
                          Time(0))
            .AddAttribute("CoalescingCount",
                          "Number of waiting interrupts that ends the wait; 1 for no coalescing "
                          "[interrupts; default].",
                          &S::m_coalescingCount,
                          1,
                          1)
            .AddAttribute("CopyRate",
                          "Bandwidth of a copy in memory; 0 for the host's [bit/s; default].",
                          &S::m_copyRate,
                          DataRate(0))
            .AddAttribute("PioRate",
                          "Bandwidth of programmed input and output; 0 costs nothing [bit/s; "
                          "default].",
                          &S::m_pioRate,
                          DataRate(0))
            .AddAttribute("DmaRate",
                          "Bandwidth of a DMA engine; 0 costs nothing [bit/s; default].",
                          &S::m_dmaRate,
                          DataRate(0))
            .AddAttribute("DmaSetup",
                          "Start-up time of a DMA engine [s; default].",
                          &S::m_dmaSetup,
                          Time(0));
    return tid;
}

} // namespace messaging
} // namespace ns3
