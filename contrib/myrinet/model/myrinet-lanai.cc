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

Ptr<messaging::HostModel>
MyrinetLanai::GetInterface() const
{
    return m_interface;
}

void
MyrinetLanai::Move(uint32_t bytes, Done done)
{
    messaging::Work firmware;
    firmware.kind = messaging::WorkKind::INSTRUCTIONS;
    firmware.amount = static_cast<uint64_t>(std::llround(m_packetInstructions * 1000.0 / CLOCK));
    firmware.unit = 1;
    messaging::Work move;
    move.kind = messaging::WorkKind::DMA;
    move.amount = bytes;
    move.unit = 1;
    m_interface->Execute(messaging::KERNEL, {firmware, move}, std::move(done));
}

} // namespace myrinet
} // namespace ns3
