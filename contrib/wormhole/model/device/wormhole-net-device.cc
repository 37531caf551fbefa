/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-net-device.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace wormhole
{

NS_OBJECT_ENSURE_REGISTERED(WormholeNetDevice);

TypeId
WormholeNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::wormhole::WormholeNetDevice")
            .SetParent<messaging::UnicastNetDevice>()
            .SetGroupName("Wormhole")
            .AddConstructor<WormholeNetDevice>()
            .AddAttribute(
                "Mtu",
                "Largest packet without its Ethernet header [bytes; default].",
                UintegerValue(1500),
                MakeUintegerAccessor(&WormholeNetDevice::SetMtu, &WormholeNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(68));
    return tid;
}

WormholeNetDevice::WormholeNetDevice() = default;

WormholeNetDevice::~WormholeNetDevice() = default;

} // namespace wormhole
} // namespace ns3
