/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-lanai.h"

#include "ns3/messaging-attributes.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace myrinet
{

NS_OBJECT_ENSURE_REGISTERED(MyrinetLanai);

TypeId
MyrinetLanai::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::myrinet::MyrinetLanai")
                          .SetParent<Object>()
                          .SetGroupName("Myrinet")
                          .AddConstructor<MyrinetLanai>();
        type.AddAttribute(
            "DmaRate",
            "Rate of the host DMA engine; 120 to 130 MB/s over 32-bit PCI "
            "[DataRate; general knowledge].",
            DataRateValue(DataRate("1Gb/s")),
            MakeDataRateAccessor(&MyrinetLanai::SetDmaRate, &MyrinetLanai::GetDmaRate),
            MakeDataRateChecker());
        messaging::Attributes<MyrinetLanai>(type)
            .AddAttribute("Clock",
                          "Clock of the processor, an instruction a cycle; that of the PCI bus "
                          "[MHz; LANai 4].",
                          &MyrinetLanai::m_clock,
                          33.33,
                          0.001,
                          1e6)
            .AddAttribute("HostTransfer",
                          "Transfer of packets into the SRAM: pio by the host's PioRate and "
                          "processor, dma by the interface's DmaRate [name; section 3.2, step 2].",
                          &MyrinetLanai::m_transfer,
                          HostTransfer::DMA,
                          {{HostTransfer::PIO, "pio"}, {HostTransfer::DMA, "dma"}})
            .AddAttribute("SendInstructions",
                          "Firmware's cost of a packet sent; 100 to 150 for lean firmware "
                          "[instructions; general knowledge].",
                          &MyrinetLanai::m_sendInstructions,
                          100)
            .AddAttribute("ReceiveInstructions",
                          "Firmware's cost of a packet received; 100 to 150 for lean firmware "
                          "[instructions; general knowledge].",
                          &MyrinetLanai::m_receiveInstructions,
                          100);
        return type;
    }();
    return tid;
}

MyrinetLanai::MyrinetLanai()
    : m_host(CreateObject<messaging::HostModel>()),
      m_interface(CreateObject<messaging::HostModel>())
{
    m_interface->ShareBus(*m_host);
}

MyrinetLanai::~MyrinetLanai() = default;

void
MyrinetLanai::DoDispose()
{
    m_host = nullptr;
    m_interface = nullptr;
    Object::DoDispose();
}

void
MyrinetLanai::SetHost(Ptr<messaging::HostModel> host)
{
    m_host = host;
    m_interface->ShareBus(*host);
}

Ptr<messaging::HostModel>
MyrinetLanai::GetInterface() const
{
    return m_interface;
}

void
MyrinetLanai::SetDmaRate(DataRate rate)
{
    m_dmaRate = rate;
    m_interface->SetAttribute("DmaRate", DataRateValue(rate));
}

DataRate
MyrinetLanai::GetDmaRate() const
{
    return m_dmaRate;
}

messaging::Work
MyrinetLanai::Instructions(uint32_t count) const
{
    messaging::Work work;
    work.kind = messaging::WorkKind::INSTRUCTIONS;
    work.amount = static_cast<uint64_t>(std::llround(count * 1000.0 / m_clock));
    work.unit = 1;
    return work;
}

void
MyrinetLanai::FromHost(uint32_t bytes, Done done)
{
    messaging::Work move;
    move.amount = bytes;
    if (m_transfer == HostTransfer::DMA)
    {
        move.kind = messaging::WorkKind::DMA;
        move.unit = 1;
        m_interface->Execute(messaging::KERNEL,
                             {Instructions(m_sendInstructions), move},
                             std::move(done));
        return;
    }
    move.kind = messaging::WorkKind::PIO;
    m_host->Execute(
        messaging::KERNEL,
        {move},
        [interface = m_interface, firmware = Instructions(m_sendInstructions), done]() mutable {
            interface->Execute(messaging::KERNEL, {firmware}, std::move(done));
        });
}

void
MyrinetLanai::ToHost(uint32_t bytes, Done done)
{
    messaging::Work move;
    move.amount = bytes;
    move.kind = messaging::WorkKind::DMA;
    move.unit = 1;
    m_interface->Execute(messaging::KERNEL,
                         {Instructions(m_receiveInstructions), move},
                         std::move(done));
}

} // namespace myrinet
} // namespace ns3
