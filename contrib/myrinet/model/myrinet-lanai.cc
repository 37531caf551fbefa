/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-lanai.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

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
    static TypeId tid =
        TypeId("ns3::myrinet::MyrinetLanai")
            .SetParent<Object>()
            .SetGroupName("Myrinet")
            .AddConstructor<MyrinetLanai>()
            .AddAttribute("Clock",
                          "Clock of the processor, which does an instruction a cycle; that of the "
                          "PCI bus [MHz; LANai 4].",
                          DoubleValue(33.33),
                          MakeDoubleAccessor(&MyrinetLanai::m_clock),
                          MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute(
                "DmaRate",
                "Rate of the host DMA engine; 120 to 130 MB/s over 32-bit PCI "
                "[DataRate; general knowledge].",
                DataRateValue(DataRate("1Gb/s")),
                MakeDataRateAccessor(&MyrinetLanai::SetDmaRate, &MyrinetLanai::GetDmaRate),
                MakeDataRateChecker())
            .AddAttribute("HostTransfer",
                          "How packets get from the host into the SRAM: pio takes the host's "
                          "PioRate and processor, dma the interface's DmaRate [name; section 3.2, "
                          "step 2].",
                          EnumValue(HostTransfer::DMA),
                          MakeEnumAccessor<HostTransfer>(&MyrinetLanai::m_transfer),
                          MakeEnumChecker(HostTransfer::PIO, "pio", HostTransfer::DMA, "dma"))
            .AddAttribute("SendInstructions",
                          "Firmware's cost to send a packet; 100 to 150 for lean firmware "
                          "[instructions; general knowledge].",
                          UintegerValue(100),
                          MakeUintegerAccessor(&MyrinetLanai::m_sendInstructions),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveInstructions",
                          "Firmware's cost to receive a packet; 100 to 150 for lean firmware "
                          "[instructions; general knowledge].",
                          UintegerValue(100),
                          MakeUintegerAccessor(&MyrinetLanai::m_receiveInstructions),
                          MakeUintegerChecker<uint32_t>());
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
