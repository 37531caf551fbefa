/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_NET_DEVICE_H
#define MESSAGING_HOST_NET_DEVICE_H

#include "ns3/error-model.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-net-device-decorator.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A device in front of another that charges what packets cost the host.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Stands in front of any NetDevice and charges the IP stack's work to the node's HostModel.
 *
 * ns-3's IP stack costs no processor time, and every comparison with TCP depends on that time. A
 * packet that is sent waits in TxQueue and then passes two stages, and one that is received passes
 * three:
 *
 * @verbatim
   Send --> TxQueue --> CPU: system calls,   --> PIO or DMA --> Send of the device
                        instructions, copies

   up   <-- CPU: instructions, <-- interrupt <-- PIO or DMA <-- receive callback of the device
            copies, system calls
   @endverbatim
 *
 * Each stage but the interrupt serves one packet at a time, so packets stay in order while the work
 * of several overlaps. Nothing is handed to the device while its queue is stopped. Packets that
 * arrive while ReceiveRing of them are in the receive path are dropped.
 *
 * The device behind stays in the node's list, without an IP interface of its own. GetChannel gives
 * its channel, which does not list this device: what finds neighbours through channels, such as
 * global routing, does not see it.
 */
class HostNetDevice : public NetDeviceDecorator
{
  public:
    /** How packets cross the bus between memory and device. */
    enum TransferMode
    {
        NONE, ///< At no cost.
        PIO,  ///< Moved by a CPU.
        DMA   ///< Moved by a DMA engine.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HostNetDevice();
    ~HostNetDevice() override;

    /**
     * Set the host that is charged.
     * @param host the host
     */
    void SetHost(Ptr<HostModel> host);

    /** @return the host that is charged. */
    Ptr<HostModel> GetHost() const;

    /**
     * Set the device behind, and take over its receive callbacks.
     * @param device the device, which has been added to the same node before
     */
    void SetDevice(Ptr<NetDevice> device) override;

    /** @return the queue of packets that wait to be sent. */
    Ptr<Queue<Packet>> GetQueue() const;

    /**
     * Tell what a packet that is sent costs.
     * @param bytes size of the packet [bytes]
     * @return the steps of work, in order
     */
    std::vector<Work> GetSendWork(uint32_t bytes) const;

    /**
     * Tell what a packet that is received costs.
     * @param bytes size of the packet [bytes]
     * @return the steps of work, in order
     */
    std::vector<Work> GetReceiveWork(uint32_t bytes) const;

    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;

  protected:
    void DoDispose() override;

  private:
    /** A packet on its way down or up. */
    struct Item
    {
        Ptr<Packet> packet;            ///< The packet.
        std::optional<Address> source; ///< Source; none for the device's own.
        Address destination;           ///< Destination.
        uint16_t protocol{0};          ///< Protocol number.
        PacketType type{PACKET_HOST};  ///< Packet type, on the way up.
    };

    /** A stage serves the packets in its line one at a time. */
    struct Stage
    {
        std::deque<Item> line; ///< Packets; the first is being served if busy.
        bool busy{false};      ///< Whether one is being served, or held.
    };

    /** What to do with a packet when a stage has served it. */
    using Step = void (HostNetDevice::*)(const Item& item);

    /**
     * Put a packet in the line of a stage.
     * @param stage the stage
     * @param item the packet
     * @param steps what a packet of its size costs there
     * @param next what follows
     */
    void Enter(Stage& stage,
               Item item,
               std::vector<Work> (HostNetDevice::*steps)(uint32_t) const,
               Step next);

    /**
     * Serve the first packets of a stage's line, if it is idle.
     * @param stage the stage
     * @param steps what a packet costs there
     * @param next what follows
     */
    void Serve(Stage& stage, std::vector<Work> (HostNetDevice::*steps)(uint32_t) const, Step next);

    /**
     * Take a packet that is to be sent.
     * @param item the packet
     * @return whether it was taken
     */
    bool Accept(Item item);

    /** Begin with the packets in TxQueue, as far as the stages behind are ready for them. */
    void StartSending();

    /**
     * A packet to be sent has left the CPU.
     * @param item the packet
     */
    void EndSendCpu(const Item& item);

    /**
     * A packet to be sent has crossed the bus.
     * @param item the packet
     */
    void EndSendTransfer(const Item& item);

    /** Hand the packets that are ready to the device behind, until it stops its queue. */
    void HandOver();

    /**
     * The device behind has received a packet, and no promiscuous callback is set.
     * @param device the device behind
     * @param packet the packet
     * @param protocol the protocol number
     * @param from the source
     * @return True
     */
    bool ReceiveFromDevice(Ptr<NetDevice> device,
                           Ptr<const Packet> packet,
                           uint16_t protocol,
                           const Address& from);

    /**
     * The device behind has received or overheard a packet, and a promiscuous callback is set.
     * @param device the device behind
     * @param packet the packet
     * @param protocol the protocol number
     * @param from the source
     * @param to the destination
     * @param type the type of the packet
     * @return True
     */
    bool PromiscReceiveFromDevice(Ptr<NetDevice> device,
                                  Ptr<const Packet> packet,
                                  uint16_t protocol,
                                  const Address& from,
                                  const Address& to,
                                  PacketType type);

    /**
     * Begin with a packet that has arrived.
     * @param item the packet
     */
    void StartReceiving(Item item);

    /**
     * A packet has crossed the bus on its way up.
     * @param item the packet
     */
    void EndReceiveTransfer(const Item& item);

    /**
     * A packet has been processed on its way up.
     * @param item the packet
     */
    void HandUp(const Item& item);

    /**
     * Tell what a packet that is sent costs a CPU.
     * @param bytes size of the packet [bytes]
     * @return the steps of work
     */
    std::vector<Work> GetSendCpuWork(uint32_t bytes) const;

    /**
     * Tell what a packet that is sent costs on the bus.
     * @param bytes size of the packet [bytes]
     * @return the steps of work
     */
    std::vector<Work> GetSendTransferWork(uint32_t bytes) const;

    /**
     * Tell what a packet that is received costs on the bus.
     * @param bytes size of the packet [bytes]
     * @return the steps of work
     */
    std::vector<Work> GetReceiveTransferWork(uint32_t bytes) const;

    /**
     * Tell what a packet that is received costs a CPU after its interrupt.
     * @param bytes size of the packet [bytes]
     * @return the steps of work
     */
    std::vector<Work> GetReceiveCpuWork(uint32_t bytes) const;

    /** @return what a packet that is received costs in interrupts. */
    std::vector<Work> GetInterruptWork() const;

    /**
     * Set the error model of the device behind.
     * @param model the model
     */
    void SetReceiveErrorModel(Ptr<ErrorModel> model);

    /** @return the error model of the device behind. */
    Ptr<ErrorModel> GetReceiveErrorModel() const;

    /**
     * Have a trace source fire with that of the device behind, if it has one of that name.
     * @param name the name
     * @param trace the trace source
     */
    void Forward(const std::string& name, TracedCallback<Ptr<const Packet>>& trace);

    Ptr<HostModel> m_host;        ///< The host that is charged.
    Ptr<Queue<Packet>> m_queue;   ///< Packets that wait to be sent.
    Ptr<ErrorModel> m_errorModel; ///< Error model for the device behind.
    Ptr<NetDeviceQueue>
        m_deviceQueue;            ///< Transmit queue of the device behind, null if it never stops.
    std::deque<Item> m_queued;    ///< Where the packets in m_queue go, in the same order.
    std::deque<Item> m_ready;     ///< Packets that wait for the device behind.
    Stage m_sendCpu;              ///< CPU work of sending.
    Stage m_sendTransfer;         ///< Bus work of sending.
    Stage m_receiveTransfer;      ///< Bus work of receiving.
    Stage m_receiveCpu;           ///< CPU work of receiving.
    ReceiveCallback m_rxCallback; ///< Called with packets for this node.
    PromiscReceiveCallback m_promiscCallback;       ///< Called with all packets.
    Time m_sendInstructions;                        ///< CPU time of a packet that is sent.
    Time m_receiveInstructions;                     ///< CPU time of a packet that is received.
    uint32_t m_sendSystemCalls{0};                  ///< System calls of a packet that is sent.
    uint32_t m_receiveSystemCalls{0};               ///< System calls of a packet that is received.
    uint32_t m_sendCopies{0};                       ///< Copies of a packet that is sent.
    uint32_t m_receiveCopies{0};                    ///< Copies of a packet that is received.
    uint32_t m_receiveInterrupts{0};                ///< Interrupts of a packet that is received.
    uint32_t m_receiveRing{0};                      ///< Most packets in the receive path.
    uint32_t m_receiving{0};                        ///< Packets in the receive path.
    ProcessId m_process{KERNEL};                    ///< Whose work it is.
    TransferMode m_sendTransferMode{NONE};          ///< How packets get to the device.
    TransferMode m_receiveTransferMode{NONE};       ///< How packets get from the device.
    bool m_starting{false};                         ///< StartSending is going on.
    TracedCallback<Ptr<const Packet>> m_macTxTrace; ///< Taken from above.
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;      ///< Dropped before transmission.
    TracedCallback<Ptr<const Packet>> m_macPromiscRxTrace;   ///< Handed up promiscuously.
    TracedCallback<Ptr<const Packet>> m_macRxTrace;          ///< Handed up.
    TracedCallback<Ptr<const Packet>> m_macRxDropTrace;      ///< Dropped since the host is behind.
    TracedCallback<Ptr<const Packet>> m_phyTxBeginTrace;     ///< That of the device behind.
    TracedCallback<Ptr<const Packet>> m_phyTxEndTrace;       ///< That of the device behind.
    TracedCallback<Ptr<const Packet>> m_phyTxDropTrace;      ///< That of the device behind.
    TracedCallback<Ptr<const Packet>> m_phyRxEndTrace;       ///< That of the device behind.
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace;      ///< That of the device behind.
    TracedCallback<Ptr<const Packet>> m_snifferTrace;        ///< That of the device behind.
    TracedCallback<Ptr<const Packet>> m_promiscSnifferTrace; ///< That of the device behind.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_NET_DEVICE_H
