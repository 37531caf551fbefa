/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_LINK_ATTRIBUTES_H
#define INFINIBAND_LINK_ATTRIBUTES_H

#include "infiniband-config.h"

#include "ns3/messaging-attributes.h"

/**
 * @file
 * @ingroup infiniband
 * Attributes of links and switches.
 */

namespace ns3
{
namespace infiniband
{

/**
 * Add the members of a LinkConfig as attributes.
 * @tparam Binder an AttributeBinder of LinkConfig
 * @param binder adds them to a class
 */
template <class Binder>
void
AddLinkAttributes(Binder binder)
{
    using messaging::Range;
    constexpr Ticks LONGEST_HOP = 1'000'000; // A millisecond.
    binder
        .AddAttribute("LinkRate",
                      "Signalling rate of the 4X links: 1 or 2 GB/s of data [name; both were sold, "
                      "the paper does not say].",
                      &LinkConfig::rate,
                      {{LinkRate::SDR, "SDR"}, {LinkRate::DDR, "DDR"}})
        .AddAttribute("Mtu",
                      "Largest payload of a packet: 256, 512, 1024, 2048 or 4096 [bytes; section "
                      "4.2].",
                      &LinkConfig::mtu,
                      Range(MTUS.front(), MTUS.back()))
        .AddAttribute("CableDelay",
                      "Delay of a cable of 5 m [ns; 5 ns a metre].",
                      &LinkConfig::cableDelay,
                      Range(Ticks{1}, LONGEST_HOP))
        .AddAttribute("SwitchDelay",
                      "From a packet's head at the input of a switch to its head at the output "
                      "[ns; InfiniScale III: 140 to 200].",
                      &LinkConfig::switchDelay,
                      Range(Ticks{1}, LONGEST_HOP))
        .AddAttribute("BufferBytes",
                      "Room at the input of a port for one virtual lane; whole blocks of 64 bytes "
                      "count [bytes; default].",
                      &LinkConfig::bufferBytes,
                      Range(CREDIT_BYTES, 1U << 30))
        .AddAttribute("Lanes",
                      "Virtual lanes of each link for data; service level s takes lane s mod Lanes "
                      "[lanes; default].",
                      &LinkConfig::lanes,
                      Range(1, 15));
}

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_LINK_ATTRIBUTES_H
