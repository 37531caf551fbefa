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
                                      .SetParent<PlainNetDevice>()
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
            .AddAttribute(
                "SendTransfer",
                "Transfer of each sent packet over the bus to the device: none takes no "
                "time [name; default].",
                &Costs::sendTransfer,
                {{Transfer::NONE, "none"}, {Transfer::PIO, "pio"}, {Transfer::DMA, "dma"}})
            .AddAttribute("ChecksumRate",
                          "Rate at which the CPU computes the checksum of each packet; 0 if it "
                          "takes no time, as with an adapter that computes it [bit/s; default].",
                          &Costs::checksumRate)
            .AddAttribute(
                "ReceiveTransfer",
                "Transfer of each received packet over the bus from the device, before "
                "its interrupt: none takes no time [name; default].",
                &Costs::receiveTransfer,
                {{Transfer::NONE, "none"}, {Transfer::PIO, "pio"}, {Transfer::DMA, "dma"}})
            .AddAttribute("ReceiveInterrupts",
                          "Interrupts for each received packet [interrupts; default].",
                          &Costs::receiveInterrupts)
            .AddAttribute("ReceiveInstructions",
                          "CPU time for each received packet [s; default].",
                          &Costs::receiveInstructions)
            .AddAttribute("ReceiveCopies",
                          "Copies in memory of each received packet [copies; default].",
                          &Costs::receiveCopies)
            .AddAttribute("ReceiveRing",
                          "Largest number of packets in the receive path; further ones are "
                          "dropped [packets; default].",
                          &Costs::receiveRing,
                          Range{1U, UINT32_MAX});
    return tid;
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
    m_arrived.line.clear();
    m_incoming.line.clear();
    m_outgoing.line.clear();
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

Work
HostNetDevice::GetInstructions(Time instructions, uint32_t bytes) const
{
    if (m_costs.checksumRate.GetBitRate() > 0)
    {
        instructions += m_costs.checksumRate.CalculateBytesTxTime(bytes);
    }
    return Work{0, static_cast<uint64_t>(instructions.GetNanoSeconds()), WorkKind::INSTRUCTIONS};
}

std::vector<Work>
HostNetDevice::GetSendWork(uint32_t bytes) const
{
    return {Work{0, m_costs.sendSystemCalls, WorkKind::SYSTEM_CALL},
            GetInstructions(m_costs.sendInstructions, bytes),
            Work{0, uint64_t{m_costs.sendCopies} * bytes, WorkKind::COPY}};
}

std::vector<Work>
HostNetDevice::GetReceiveWork(uint32_t bytes) const
{
    return {GetInstructions(m_costs.receiveInstructions, bytes),
            Work{0, uint64_t{m_costs.receiveCopies} * bytes, WorkKind::COPY}};
}

std::vector<Work>
HostNetDevice::GetTransferWork(Transfer transfer, uint32_t bytes)
{
    return {Work{0, bytes, transfer == Transfer::PIO ? WorkKind::PIO : WorkKind::DMA}};
}

template <class GetWork, class Next>
void
HostNetDevice::Serve(Stage& stage, GetWork work, Next next)
{
    if (stage.busy || stage.line.empty())
    {
        return;
    }
    stage.busy = true;
    const Item item = std::move(stage.line.front());
    stage.line.pop_front();
    Charge(work(item.packet->GetSize()), [this, &stage, work, next, item] {
        stage.busy = false;
        next(item);
        Serve(stage, work, next);
    });
}

template <class Done>
void
HostNetDevice::Charge(const std::vector<Work>& work, Done done)
{
    if (m_host->IsFree(work))
    {
        done();
    }
    else
    {
        m_host->Execute(KERNEL, work, std::move(done));
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
        NS_LOG_INFO("A packet of " << item.packet->GetSize()
                                   << " bytes is refused: link down, or longer than the MTU of "
                                   << GetMtu());
        m_macTxDrop(item.packet);
        return false;
    }
    m_macTx(item.packet);
    if (!GetQueue()->Enqueue(item.packet))
    {
        NS_LOG_INFO("A packet is dropped: the transmit queue is full");
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
    while (!m_sending && m_outgoing.line.size() + m_ready.size() <= 1 && Dequeue())
    {
        m_sending = true;
        const Item item = std::move(m_queued.front());
        m_queued.pop_front();
        Charge(GetSendWork(item.packet->GetSize()), [this, item] { EndSendWork(item); });
    }
    m_starting = false;
}

void
HostNetDevice::EndSendWork(const Item& item)
{
    NS_LOG_LOGIC("The CPU work of a packet to " << item.destination << " is done");
    m_sending = false;
    ++m_worked;
    if (m_costs.sendTransfer == Transfer::NONE)
    {
        m_ready.push_back(item);
        HandOver();
    }
    else
    {
        m_outgoing.line.push_back(item);
        TransferOut();
        Transmit();
    }
    NotifyWriters();
}

void
HostNetDevice::TransferOut()
{
    Serve(
        m_outgoing,
        [this](uint32_t bytes) { return GetTransferWork(m_costs.sendTransfer, bytes); },
        [this](const Item& item) {
            m_ready.push_back(item);
            HandOver();
        });
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
            NS_LOG_INFO("The underlying device refuses a packet to " << item.destination);
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
        NS_LOG_INFO("A received packet is dropped: the ring of " << m_costs.receiveRing
                                                                 << " packets is full");
        m_macRxDrop(item.packet);
        return true;
    }
    ++m_receiving;
    if (m_costs.receiveTransfer == Transfer::NONE)
    {
        Interrupt(item);
    }
    else
    {
        m_incoming.line.push_back(std::move(item));
        TransferIn();
    }
    return true;
}

void
HostNetDevice::TransferIn()
{
    Serve(
        m_incoming,
        [this](uint32_t bytes) { return GetTransferWork(m_costs.receiveTransfer, bytes); },
        [this](const Item& item) { Interrupt(item); });
}

void
HostNetDevice::Interrupt(const Item& item)
{
    Charge({Work{0, m_costs.receiveInterrupts, WorkKind::INTERRUPT}}, [this, item] {
        m_arrived.line.push_back(item);
        Serve(
            m_arrived,
            [this](uint32_t bytes) { return GetReceiveWork(bytes); },
            [this](const Item& done) { HandUp(done); });
    });
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
    NS_LOG_LOGIC("The CPU work of a packet from " << *item.source << " is done");
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
