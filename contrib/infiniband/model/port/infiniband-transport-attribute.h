/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TRANSPORT_ATTRIBUTE_H
#define INFINIBAND_TRANSPORT_ATTRIBUTE_H

#include "ns3/infiniband-types.h"
#include "ns3/messaging-attributes.h"

/**
 * @file
 * @ingroup infiniband
 * The attribute Transport of networks and scenarios.
 */

namespace ns3
{
namespace infiniband
{

/**
 * Add the attribute Transport to a class.
 * @tparam Owner the class
 * @param type its TypeId
 * @param member the transport service
 * @param initial its default
 * @return the TypeId
 */
template <class Owner>
TypeId
AddTransportAttribute(TypeId type, Transport Owner::* member, Transport initial)
{
    return messaging::Attributes<Owner>(type).AddAttribute(
        "Transport",
        "Transport service of the queue pairs; RC is reliable, UD has multicast [name; section "
        "4.2].",
        member,
        initial,
        {{Transport::RC, "RC"}, {Transport::UC, "UC"}, {Transport::UD, "UD"}});
}

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TRANSPORT_ATTRIBUTE_H
