/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-decorator.h"

#include "ns3/abort.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(NetDeviceDecorator);

TypeId
NetDeviceDecorator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::NetDeviceDecorator")
                            .SetParent<PlainNetDevice>()
                            .SetGroupName("Messaging");
    return tid;
}

void
NetDeviceDecorator::DoDispose()
{
    m_device = nullptr;
    PlainNetDevice::DoDispose();
}

void
NetDeviceDecorator::SetDevice(Ptr<NetDevice> device)
{
    NS_ABORT_MSG_IF(m_device, "The underlying device can be set only once.");
    m_device = device;
}

} // namespace messaging
} // namespace ns3
