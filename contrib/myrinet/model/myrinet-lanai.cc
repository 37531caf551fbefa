/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-lanai.h"

#include "ns3/data-rate.h"
#include "ns3/messaging-attributes.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace myrinet
{

NS_OBJECT_ENSURE_REGISTERED(MyrinetLanai);

namespace
{

/** Clock of the processor, that of the PCI bus; an instruction takes a cycle [MHz; LANai 4]. */
constexpr double CLOCK = 33.33;

} // namespace

TypeId
MyrinetLanai::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::myrinet::MyrinetLanai")
                          .SetParent<Object>()
                          .SetGroupName("Myrinet")
                          .AddConstructor<MyrinetLanai>();
        messaging::Attributes<MyrinetLanai>(type).AddAttribute(
            "PacketInstructions",
            "Firmware's cost of a packet, sent or received; 100 to 150 for lean firmware "
            "[instructions; general knowledge].",
            &MyrinetLanai::m_packetInstructions,
            100);
        return type;
    }();
    return tid;
}

MyrinetLanai::MyrinetLanai()
    : m_interface(CreateObject<messaging::HostModel>())
{
    // 120 to 130 MB/s over 32-bit PCI.
    m_interface->SetAttribute("DmaRate", DataRateValue(DataRate("1Gb/s")));
}

void
MyrinetLanai::DoDispose()
{
    m_interface = nullptr;
    Object::DoDispose();
}

void
MyrinetLanai::SetHost(Ptr<messaging::HostModel> host)
{
    m_interface->ShareBus(*host);
}

uint32_t
MyrinetLanai::GetTime(uint32_t instructions)
{
    return static_cast<uint32_t>(std::llround(instructions * 1000.0 / CLOCK));
}

void
MyrinetLanai::Move(uint32_t bytes, Done done)
{
    using messaging::WorkKind;
    m_interface->Execute(
        messaging::KERNEL,
        {{0, GetTime(m_packetInstructions), WorkKind::INSTRUCTIONS}, {0, bytes, WorkKind::DMA}},
        std::move(done));
}

} // namespace myrinet
} // namespace ns3
