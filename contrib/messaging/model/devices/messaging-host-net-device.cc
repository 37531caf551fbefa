/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-net-device.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingHostNetDevice");
NS_OBJECT_ENSURE_REGISTERED(HostNetDevice);

TypeId
HostNetDevice::GetTypeId()
{
    static TypeId tid =
        Attributes<HostNetDevice>(TypeId("ns3::messaging::HostNetDevice")
                                      .SetParent<NetDeviceDecorator>()
                                      .SetGroupName("Messaging")
                                      .AddConstructor<HostNetDevice>())
            .In(&HostNetDevice::m_costs)
            .AddAttribute("SendSystemCalls",
                          "System calls for each sent packet [calls; default].",
                          &Costs::sendSystemCalls)
            .AddAttribute("SendInstructions",
                          "CPU time for each sent packet [s; default].",
                          &Costs::sendInstructions)
            .AddAttribute("SendCopies",
                          "Copies in memory of each sent packet [copies; default].",
                          &Costs::sendCopies)
            .AddAttribute("SendTransfer",
                          "Transfer of packets to the device [name; default].",
                          &Costs::sendTransfer,
                          {{NONE, "None"}, {PIO, "Pio"}, {DMA, "Dma"}})
            .AddAttribute("ReceiveInterrupts",
                          "Interrupts for each received packet, before coalescing "
                          "[interrupts; default].",
                          &Costs::receiveInterrupts)
            .AddAttribute("ReceiveInstructions",
                          "CPU time for each received packet [s; default].",
                          &Costs::receiveInstructions)
            .AddAttribute("ReceiveCopies",
                          "Copies in memory of each received packet [copies; default].",
                          &Costs::receiveCopies)
            .AddAttribute("ReceiveTransfer",
                          "Transfer of packets from the device [name; default].",
                          &Costs::receiveTransfer,
                          {{NONE, "None"}, {PIO, "Pio"}, {DMA, "Dma"}})
            .AddAttribute("ReceiveRing",
                          "Largest number of packets in the receive path; further ones are "
                          "dropped [packets; default].",
                          &Costs::receiveRing,
                          Range{1U, UINT32_MAX});
    return tid;
}

HostNetDevice::HostNetDevice()
    : m_sendCpu{&HostNetDevice::GetSendCpuWork, &HostNetDevice::EndSendCpu},
      m_sendTransfer{&HostNetDevice::GetSendTransferWork, &HostNetDevice::EndSendTransfer},
      m_receiveTransfer{&HostNetDevice::GetReceiveTransferWork, &HostNetDevice::EndReceiveTransfer},
      m_receiveCpu{&HostNetDevice::GetReceiveCpuWork, &HostNetDevice::HandUp}
{
}

void
HostNetDevice::NotifyConstructionCompleted()
{
    NetDeviceDecorator::NotifyConstructionCompleted();
    if (!GetQueue())
    {
        SetQueue(CreateObject<DropTailQueue<Packet>>());
    }
}

void
HostNetDevice::DoDispose()
{
    for (Stage* stage : {&m_sendCpu, &m_sendTransfer, &m_receiveTransfer, &m_receiveCpu})
    {
        stage->line.clear();
    }
    m_queued.clear();
    m_ready.clear();
    m_writers.clear();
    m_host = nullptr;
    m_deviceQueue = nullptr;
    NetDeviceDecorator::DoDispose();
}

void
HostNetDevice::SetDevice(Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NetDeviceDecorator::SetDevice(device);
    device->SetReceiveCallback([this](auto, auto packet, auto protocol, const auto& from) {
        return !m_promiscReceive.IsNull() ||
               StartReceiving(Item{packet->Copy(), from, Address(), protocol, PACKET_HOST});
    });
    if (m_errorModel)
    {
        SetReceiveErrorModel(m_errorModel);
    }
    if (const auto interface = device->GetObject<NetDeviceQueueInterface>())
    {
        m_deviceQueue = interface->GetTxQueue(0);
        m_deviceQueue->SetWakeCallback(MakeCallback(&HostNetDevice::HandOver, this));
    }
    Forward("PhyTxBegin", m_phyTxBegin);
    Forward("PhyTxEnd", m_phyTxEnd);
    Forward("PhyTxDrop", m_phyTxDrop);
    Forward("PhyRxEnd", m_phyRxEnd);
    Forward("PhyRxDrop", m_phyRxDrop);
    Forward("Sniffer", m_sniffer);
    Forward("PromiscSniffer", m_promiscSniffer);
}

void
HostNetDevice::Forward(const std::string& name, TracedCallback<Ptr<const Packet>>& trace)
{
    const auto fire = +[](TracedCallback<Ptr<const Packet>>* target, Ptr<const Packet> packet) {
        (*target)(packet);
    };
    m_device->TraceConnectWithoutContext(name, MakeBoundCallback(fire, &trace));
}

void
HostNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    PlainNetDevice::SetReceiveErrorModel(model);
    if (m_device)
    {
        m_device->SetAttributeFailSafe("ReceiveErrorModel", PointerValue(model));
    }
}

std::vector<Work>
HostNetDevice::GetSendCpuWork(uint32_t bytes) const
{
    const auto instructions = static_cast<uint64_t>(m_costs.sendInstructions.GetNanoSeconds());
    return {Work{0, m_costs.sendSystemCalls, WorkKind::SYSTEM_CALL},
            Work{0, instructions, WorkKind::INSTRUCTIONS},
            Work{0, uint64_t{m_costs.sendCopies} * bytes, WorkKind::COPY}};
}

std::vector<Work>
HostNetDevice::GetTransferWork(TransferMode mode, uint32_t bytes)
{
    return mode == NONE
               ? std::vector<Work>{}
               : std::vector<Work>{{0, bytes, mode == PIO ? WorkKind::PIO : WorkKind::DMA}};
}

std::vector<Work>
HostNetDevice::GetReceiveCpuWork(uint32_t bytes) const
{
    const auto instructions = static_cast<uint64_t>(m_costs.receiveInstructions.GetNanoSeconds());
    return {Work{0, instructions, WorkKind::INSTRUCTIONS},
            Work{0, uint64_t{m_costs.receiveCopies} * bytes, WorkKind::COPY}};
}

void
HostNetDevice::Enter(Stage& stage, Item item)
{
    stage.line.push_back(std::move(item));
    Serve(stage);
}

void
HostNetDevice::Serve(Stage& stage)
{
    while (!stage.busy && !stage.line.empty())
    {
        stage.busy = true;
        const std::vector<Work> work = (this->*stage.steps)(stage.line.front().packet->GetSize());
        const auto end = [this, &stage] {
            const Item item = std::move(stage.line.front());
            stage.line.pop_front();
            stage.busy = false;
            (this->*stage.next)(item);
        };
        if (!m_host->IsFree(work))
        {
            m_host->Execute(KERNEL, work, [this, &stage, end] {
                end();
                Serve(stage);
            });
            return;
        }
        end();
    }
}

bool
HostNetDevice::SendFrom(Ptr<Packet> packet,
                        const Address& source,
                        const Address& dest,
                        uint16_t protocol)
{
    return SupportsSendFrom() && Accept(Item{packet, source, dest, protocol, PACKET_HOST});
}

bool
HostNetDevice::Accept(Item item)
{
    NS_LOG_FUNCTION(this << item.packet << item.destination << item.protocol);
    if (!IsLinkUp() || item.packet->GetSize() > GetMtu())
    {
        m_macTxDrop(item.packet);
        return false;
    }
    m_macTx(item.packet);
    if (!GetQueue()->Enqueue(item.packet))
    {
        m_macTxDrop(item.packet);
        return false;
    }
    ++m_accepted;
    m_queued.push_back(std::move(item));
    Transmit();
    return true;
}

void
HostNetDevice::Transmit()
{
    // A dequeue wakes the user of the queue, which can send the next packet.
    if (m_starting)
    {
        return;
    }
    m_starting = true;
    while (m_sendCpu.line.empty() && m_sendTransfer.line.size() + m_ready.size() <= 1 && Dequeue())
    {
        Item item = std::move(m_queued.front());
        m_queued.pop_front();
        Enter(m_sendCpu, std::move(item));
    }
    m_starting = false;
}

void
HostNetDevice::EndSendCpu(const Item& item)
{
    ++m_worked;
    Enter(m_sendTransfer, item);
    Transmit();
    NotifyWriters();
}

void
HostNetDevice::AfterSending(std::function<void()> done)
{
    // A TCP socket of ns-3 sends one nanosecond after it accepts the bytes.
    Simulator::Schedule(NanoSeconds(2),
                        [device = Ptr<HostNetDevice>(this), done = std::move(done)] {
                            device->m_writers.push_back(Writer{device->m_accepted, done});
                            device->NotifyWriters();
                        });
}

void
HostNetDevice::NotifyWriters()
{
    while (!m_writers.empty() && m_writers.front().packets <= m_worked)
    {
        const auto done = std::move(m_writers.front().done);
        m_writers.pop_front();
        done();
    }
}

void
HostNetDevice::EndSendTransfer(const Item& item)
{
    m_ready.push_back(item);
    HandOver();
}

void
HostNetDevice::HandOver()
{
    while (!m_ready.empty() && !(m_deviceQueue && m_deviceQueue->IsStopped()))
    {
        const Item item = std::move(m_ready.front());
        m_ready.pop_front();
        const bool accepted =
            item.source
                ? m_device->SendFrom(item.packet, *item.source, item.destination, item.protocol)
                : m_device->Send(item.packet, item.destination, item.protocol);
        if (!accepted)
        {
            m_macTxDrop(item.packet);
        }
    }
    Transmit();
}

bool
HostNetDevice::StartReceiving(Item item)
{
    NS_LOG_FUNCTION(this << item.packet << item.protocol);
    if (m_receiving >= m_costs.receiveRing)
    {
        m_macRxDrop(item.packet);
        return true;
    }
    ++m_receiving;
    Enter(m_receiveTransfer, std::move(item));
    return true;
}

void
HostNetDevice::EndReceiveTransfer(const Item& item)
{
    const auto process = [this, item] { Enter(m_receiveCpu, item); };
    const std::vector<Work> work{Work{0, m_costs.receiveInterrupts, WorkKind::INTERRUPT}};
    if (m_host->IsFree(work))
    {
        process();
        return;
    }
    m_host->Execute(KERNEL, work, process);
}

void
HostNetDevice::HandUp(const Item& item)
{
    if (const auto node = GetNode(); node && Simulator::GetContext() != node->GetId())
    {
        // The previous step on the processor was posted in another node's context.
        Simulator::ScheduleWithContext(node->GetId(),
                                       Time(0),
                                       &HostNetDevice::HandUp,
                                       Ptr<HostNetDevice>(this),
                                       item);
        return;
    }
    --m_receiving;
    if (!m_promiscReceive.IsNull())
    {
        m_macPromiscRx(item.packet);
        m_promiscReceive(this,
                         item.packet,
                         item.protocol,
                         *item.source,
                         item.destination,
                         item.type);
    }
    if (item.type != PACKET_OTHERHOST)
    {
        m_macRx(item.packet);
        m_receive(this, item.packet, item.protocol, *item.source);
    }
}

void
HostNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    PlainNetDevice::SetPromiscReceiveCallback(callback);
    const auto receive = [this](auto,
                                Ptr<const Packet> packet,
                                uint16_t protocol,
                                const Address& from,
                                const Address& to,
                                PacketType type) {
        return StartReceiving(Item{packet->Copy(), from, to, protocol, type});
    };
    m_device->SetPromiscReceiveCallback(callback.IsNull() ? PromiscReceiveCallback()
                                                          : PromiscReceiveCallback(receive));
}

} // namespace messaging
} // namespace ns3
