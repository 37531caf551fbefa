/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-types.h"

namespace ns3
{
namespace messaging
{

std::ostream&
operator<<(std::ostream& os, Acceptance a)
{
    switch (a)
    {
    case Acceptance::ACCEPTED:
        return os << "accepted";
    case Acceptance::STALLED:
        return os << "stalled";
    case Acceptance::REFUSED:
        return os << "refused";
    }
    return os << "unknown acceptance";
}

std::ostream&
operator<<(std::ostream& os, Completion c)
{
    switch (c)
    {
    case Completion::DELIVERED:
        return os << "delivered";
    case Completion::SENT:
        return os << "sent";
    case Completion::UNREACHABLE:
        return os << "unreachable";
    case Completion::FAILED:
        return os << "failed";
    }
    return os << "unknown completion";
}

} // namespace messaging
} // namespace ns3
