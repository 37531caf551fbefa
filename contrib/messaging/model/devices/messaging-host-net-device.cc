/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-net-device.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

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
        TypeId("ns3::messaging::HostNetDevice")
            .SetParent<NetDeviceDecorator>()
            .SetGroupName("Messaging")
            .AddConstructor<HostNetDevice>()
            .AddAttribute("Mtu",
                          "The MTU of the device behind. [bytes; default]",
                          TypeId::ATTR_GET | TypeId::ATTR_SET,
                          UintegerValue(1500),
                          MakeUintegerAccessor(&HostNetDevice::SetMtu, &HostNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("ReceiveErrorModel",
                          "The error model of the device behind. [-; default]",
                          PointerValue(),
                          MakePointerAccessor(&HostNetDevice::SetReceiveErrorModel,
                                              &HostNetDevice::GetReceiveErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddAttribute("TxQueue",
                          "The packets that wait to be sent, first in, first out. [-; default]",
                          StringValue("ns3::DropTailQueue<Packet>"),
                          MakePointerAccessor(&HostNetDevice::m_queue),
                          MakePointerChecker<Queue<Packet>>())
            .AddAttribute("Process",
                          "Whose work it is; 4294967295 is the kernel's. [-; default]",
                          UintegerValue(KERNEL),
                          MakeUintegerAccessor(&HostNetDevice::m_process),
                          MakeUintegerChecker<ProcessId>())
            .AddAttribute("SendSystemCalls",
                          "System calls for each packet that is sent. [calls; default]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostNetDevice::m_sendSystemCalls),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SendInstructions",
                          "CPU time for each packet that is sent. [s; default]",
                          TimeValue(Time()),
                          MakeTimeAccessor(&HostNetDevice::m_sendInstructions),
                          MakeTimeChecker(Time()))
            .AddAttribute("SendCopies",
                          "Copies in memory of each packet that is sent. [copies; default]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostNetDevice::m_sendCopies),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SendTransfer",
                          "How packets get to the device. [-; default]",
                          EnumValue(NONE),
                          MakeEnumAccessor<TransferMode>(&HostNetDevice::m_sendTransferMode),
                          MakeEnumChecker(NONE, "None", PIO, "Pio", DMA, "Dma"))
            .AddAttribute("ReceiveInterrupts",
                          "Interrupts for each packet that is received, before coalescing. "
                          "[interrupts; default]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostNetDevice::m_receiveInterrupts),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveInstructions",
                          "CPU time for each packet that is received. [s; default]",
                          TimeValue(Time()),
                          MakeTimeAccessor(&HostNetDevice::m_receiveInstructions),
                          MakeTimeChecker(Time()))
            .AddAttribute("ReceiveCopies",
                          "Copies in memory of each packet that is received. [copies; default]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostNetDevice::m_receiveCopies),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveSystemCalls",
                          "System calls for each packet that is received. [calls; default]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostNetDevice::m_receiveSystemCalls),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveTransfer",
                          "How packets get from the device. [-; default]",
                          EnumValue(NONE),
                          MakeEnumAccessor<TransferMode>(&HostNetDevice::m_receiveTransferMode),
                          MakeEnumChecker(NONE, "None", PIO, "Pio", DMA, "Dma"))
            .AddAttribute(
                "ReceiveRing",
                "Most packets in the receive path; further ones are dropped. [packets; default]",
                UintegerValue(1024),
                MakeUintegerAccessor(&HostNetDevice::m_receiveRing),
                MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("MacTx",
                            "A packet has been taken for transmission.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet has been dropped before transmission.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A packet is handed up promiscuously.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_macPromiscRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet is handed up.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRxDrop",
                            "A packet that has arrived is dropped, since the receive ring is full.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_macRxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "The device behind begins to transmit a packet.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "The device behind has transmitted a packet.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_phyTxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "The device behind drops a packet while transmitting.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_phyTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "The device behind has received a packet.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "The device behind drops a packet while receiving.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_phyRxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource(
                "Sniffer",
                "Packets of this node as a packet sniffer at the device behind sees them.",
                MakeTraceSourceAccessor(&HostNetDevice::m_snifferTrace),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "All packets as a packet sniffer at the device behind sees them.",
                            MakeTraceSourceAccessor(&HostNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

HostNetDevice::HostNetDevice() = default;

HostNetDevice::~HostNetDevice() = default;

void
HostNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (Stage* stage : {&m_sendCpu, &m_sendTransfer, &m_receiveTransfer, &m_receiveCpu})
    {
        stage->line.clear();
    }
    m_queued.clear();
    m_ready.clear();
    m_host = nullptr;
    m_queue = nullptr;
    m_errorModel = nullptr;
    m_deviceQueue = nullptr;
    NetDeviceDecorator::DoDispose();
}

void
HostNetDevice::SetHost(Ptr<HostModel> host)
{
    m_host = host;
}

Ptr<HostModel>
HostNetDevice::GetHost() const
{
    return m_host;
}

void
HostNetDevice::SetDevice(Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NetDeviceDecorator::SetDevice(device);
    device->SetReceiveCallback(MakeCallback(&HostNetDevice::ReceiveFromDevice, this));
    if (m_errorModel)
    {
        SetReceiveErrorModel(m_errorModel);
    }
    if (const auto interface = device->GetObject<NetDeviceQueueInterface>())
    {
        m_deviceQueue = interface->GetTxQueue(0);
        m_deviceQueue->SetWakeCallback(MakeCallback(&HostNetDevice::HandOver, this));
    }
    Forward("PhyTxBegin", m_phyTxBeginTrace);
    Forward("PhyTxEnd", m_phyTxEndTrace);
    Forward("PhyTxDrop", m_phyTxDropTrace);
    Forward("PhyRxEnd", m_phyRxEndTrace);
    Forward("PhyRxDrop", m_phyRxDropTrace);
    Forward("Sniffer", m_snifferTrace);
    Forward("PromiscSniffer", m_promiscSnifferTrace);
}

void
HostNetDevice::Forward(const std::string& name, TracedCallback<Ptr<const Packet>>& trace)
{
    const auto fire = +[](TracedCallback<Ptr<const Packet>>* target, Ptr<const Packet> packet) {
        (*target)(packet);
    };
    GetDevice()->TraceConnectWithoutContext(name, MakeBoundCallback(fire, &trace));
}

Ptr<Queue<Packet>>
HostNetDevice::GetQueue() const
{
    return m_queue;
}

void
HostNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    m_errorModel = model;
    if (GetDevice())
    {
        GetDevice()->SetAttributeFailSafe("ReceiveErrorModel", PointerValue(model));
    }
}

Ptr<ErrorModel>
HostNetDevice::GetReceiveErrorModel() const
{
    return m_errorModel;
}

std::vector<Work>
HostNetDevice::GetSendCpuWork(uint32_t bytes) const
{
    return {
        Work{0, m_sendSystemCalls, WorkKind::SYSTEM_CALL},
        Work{0, static_cast<uint64_t>(m_sendInstructions.GetNanoSeconds()), WorkKind::INSTRUCTIONS},
        Work{0, uint64_t{m_sendCopies} * bytes, WorkKind::COPY}};
}

std::vector<Work>
HostNetDevice::GetSendTransferWork(uint32_t bytes) const
{
    if (m_sendTransferMode == NONE)
    {
        return {};
    }
    return {Work{0, bytes, m_sendTransferMode == PIO ? WorkKind::PIO : WorkKind::DMA}};
}

std::vector<Work>
HostNetDevice::GetReceiveTransferWork(uint32_t bytes) const
{
    if (m_receiveTransferMode == NONE)
    {
        return {};
    }
    return {Work{0, bytes, m_receiveTransferMode == PIO ? WorkKind::PIO : WorkKind::DMA}};
}

std::vector<Work>
HostNetDevice::GetInterruptWork() const
{
    return {Work{0, m_receiveInterrupts, WorkKind::INTERRUPT}};
}

std::vector<Work>
HostNetDevice::GetReceiveCpuWork(uint32_t bytes) const
{
    return {Work{0,
                 static_cast<uint64_t>(m_receiveInstructions.GetNanoSeconds()),
                 WorkKind::INSTRUCTIONS},
            Work{0, uint64_t{m_receiveCopies} * bytes, WorkKind::COPY},
            Work{0, m_receiveSystemCalls, WorkKind::SYSTEM_CALL}};
}

std::vector<Work>
HostNetDevice::GetSendWork(uint32_t bytes) const
{
    std::vector<Work> work = GetSendCpuWork(bytes);
    const std::vector<Work> transfer = GetSendTransferWork(bytes);
    work.insert(work.end(), transfer.begin(), transfer.end());
    return work;
}

std::vector<Work>
HostNetDevice::GetReceiveWork(uint32_t bytes) const
{
    std::vector<Work> work = GetReceiveTransferWork(bytes);
    for (const auto& part : {GetInterruptWork(), GetReceiveCpuWork(bytes)})
    {
        work.insert(work.end(), part.begin(), part.end());
    }
    return work;
}

void
HostNetDevice::Enter(Stage& stage,
                     Item item,
                     std::vector<Work> (HostNetDevice::*steps)(uint32_t) const,
                     Step next)
{
    stage.line.push_back(std::move(item));
    Serve(stage, steps, next);
}

void
HostNetDevice::Serve(Stage& stage,
                     std::vector<Work> (HostNetDevice::*steps)(uint32_t) const,
                     Step next)
{
    while (!stage.busy && !stage.line.empty())
    {
        stage.busy = true;
        const std::vector<Work> work = (this->*steps)(stage.line.front().packet->GetSize());
        const auto end = [this, &stage, next] {
            const Item item = std::move(stage.line.front());
            stage.line.pop_front();
            stage.busy = false;
            (this->*next)(item);
        };
        if (!m_host->IsFree(work))
        {
            m_host->Execute(m_process, work, [this, &stage, steps, next, end] {
                end();
                Serve(stage, steps, next);
            });
            return;
        }
        end();
    }
}

bool
HostNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return Accept(Item{packet, std::nullopt, dest, protocolNumber, PACKET_HOST});
}

bool
HostNetDevice::SendFrom(Ptr<Packet> packet,
                        const Address& source,
                        const Address& dest,
                        uint16_t protocolNumber)
{
    return SupportsSendFrom() && Accept(Item{packet, source, dest, protocolNumber, PACKET_HOST});
}

bool
HostNetDevice::Accept(Item item)
{
    NS_LOG_FUNCTION(this << item.packet << item.destination << item.protocol);
    if (!IsLinkUp() || item.packet->GetSize() > GetMtu())
    {
        m_macTxDropTrace(item.packet);
        return false;
    }
    m_macTxTrace(item.packet);
    if (!m_queue->Enqueue(item.packet))
    {
        m_macTxDropTrace(item.packet);
        return false;
    }
    m_queued.push_back(std::move(item));
    StartSending();
    return true;
}

void
HostNetDevice::StartSending()
{
    // Taking a packet from the queue wakes its user, who may send the next one.
    if (m_starting)
    {
        return;
    }
    m_starting = true;
    while (m_sendCpu.line.empty() && m_sendTransfer.line.size() + m_ready.size() <= 1 &&
           !m_queue->IsEmpty())
    {
        Item item = std::move(m_queued.front());
        m_queued.pop_front();
        m_queue->Dequeue();
        Enter(m_sendCpu,
              std::move(item),
              &HostNetDevice::GetSendCpuWork,
              &HostNetDevice::EndSendCpu);
    }
    m_starting = false;
}

void
HostNetDevice::EndSendCpu(const Item& item)
{
    Enter(m_sendTransfer,
          item,
          &HostNetDevice::GetSendTransferWork,
          &HostNetDevice::EndSendTransfer);
    StartSending();
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
        const bool taken =
            item.source
                ? GetDevice()->SendFrom(item.packet, *item.source, item.destination, item.protocol)
                : GetDevice()->Send(item.packet, item.destination, item.protocol);
        if (!taken)
        {
            m_macTxDropTrace(item.packet);
        }
    }
    StartSending();
}

bool
HostNetDevice::ReceiveFromDevice(Ptr<NetDevice>,
                                 Ptr<const Packet> packet,
                                 uint16_t protocol,
                                 const Address& from)
{
    if (m_promiscCallback.IsNull())
    {
        StartReceiving(Item{packet->Copy(), from, Address(), protocol, PACKET_HOST});
    }
    return true;
}

bool
HostNetDevice::PromiscReceiveFromDevice(Ptr<NetDevice>,
                                        Ptr<const Packet> packet,
                                        uint16_t protocol,
                                        const Address& from,
                                        const Address& to,
                                        PacketType type)
{
    StartReceiving(Item{packet->Copy(), from, to, protocol, type});
    return true;
}

void
HostNetDevice::StartReceiving(Item item)
{
    NS_LOG_FUNCTION(this << item.packet << item.protocol);
    if (m_receiving >= m_receiveRing)
    {
        m_macRxDropTrace(item.packet);
        return;
    }
    ++m_receiving;
    Enter(m_receiveTransfer,
          std::move(item),
          &HostNetDevice::GetReceiveTransferWork,
          &HostNetDevice::EndReceiveTransfer);
}

void
HostNetDevice::EndReceiveTransfer(const Item& item)
{
    const auto process = [this, item] {
        Enter(m_receiveCpu, item, &HostNetDevice::GetReceiveCpuWork, &HostNetDevice::HandUp);
    };
    const std::vector<Work> work = GetInterruptWork();
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
    --m_receiving;
    if (!m_promiscCallback.IsNull())
    {
        m_macPromiscRxTrace(item.packet);
        m_promiscCallback(this,
                          item.packet,
                          item.protocol,
                          *item.source,
                          item.destination,
                          item.type);
    }
    if (item.type != PACKET_OTHERHOST)
    {
        m_macRxTrace(item.packet);
        m_rxCallback(this, item.packet, item.protocol, *item.source);
    }
}

void
HostNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_rxCallback = cb;
}

void
HostNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscCallback = cb;
    GetDevice()->SetPromiscReceiveCallback(
        cb.IsNull() ? PromiscReceiveCallback()
                    : MakeCallback(&HostNetDevice::PromiscReceiveFromDevice, this));
}

} // namespace messaging
} // namespace ns3
