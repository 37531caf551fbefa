/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-protocols.h"

namespace ns3
{
namespace pcode
{

NS_OBJECT_ENSURE_REGISTERED(RingProtocol);
NS_OBJECT_ENSURE_REGISTERED(GraphProtocol);
NS_OBJECT_ENSURE_REGISTERED(WindowProtocol);

} // namespace pcode
} // namespace ns3
