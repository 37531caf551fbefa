/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_NET_DEVICE_H
#define MESSAGING_HOST_NET_DEVICE_H

#include "ns3/messaging-host.h"
#include "ns3/messaging-net-device-decorator.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <deque>
#include <functional>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A device in front of another that charges the cost of packets to the host.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A device in front of any NetDevice that charges the IP stack's work to the node's HostModel.
 *
 * ns-3's IP stack costs no processor time, and every comparison with TCP depends on that time. A
 * packet that is sent waits in TxQueue and then passes two stages, and one that is received passes
 * three:
 *
 * @verbatim
   Send --> TxQueue --> CPU: system calls,   --> PIO or DMA --> Send of the device
                        instructions, copies

   up   <-- CPU: instructions, <-- interrupt <-- PIO or DMA <-- receive callback of the device
            copies
   @endverbatim
 *
 * Each stage but the interrupt serves one packet at a time, so packets stay in order while the work
 * of several overlaps. No packet is passed to the device while its queue is stopped. Packets that
 * arrive while ReceiveRing of them are in the receive path are dropped.
 *
 * The device behind stays in the node's list, without an IP interface of its own. GetChannel gives
 * its channel, which does not list this device: code that finds neighbours through channels, such
 * as global routing, does not see it.
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

    /**
     * Set the host that is charged.
     * @param host the host
     */
    void SetHost(Ptr<HostModel> host)
    {
        m_host = host;
    }

    /**
     * Set the device behind, once, and its receive callbacks.
     * @param device the device, which has been added to the same node before
     */
    void SetDevice(Ptr<NetDevice> device) override;

    void SetReceiveErrorModel(Ptr<ErrorModel> model) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;

    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override
    {
        return Accept(Item{packet, std::nullopt, dest, protocol, PACKET_HOST});
    }

    /**
     * Call back when the CPU has done its work for all packets that have been accepted, and for the
     * segments of a write to a TCP socket that has just been made: in a write(), that work is done
     * on the time of the caller.
     * @param done called then
     */
    void AfterSending(std::function<void()> done);

  protected:
    void DoDispose() override;
    void NotifyConstructionCompleted() override;

    /** Begin with the packets in TxQueue, as far as the stages behind are ready for them. */
    void Transmit() override;

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

    /** Returns the steps of work that a packet of a size costs in a stage. */
    using Steps = std::vector<Work> (HostNetDevice::*)(uint32_t) const;

    /** Continues with a packet after a stage. */
    using Next = void (HostNetDevice::*)(const Item& item);

    /** A stage, which serves the packets in its line one at a time. */
    struct Stage
    {
        Steps steps;             ///< Cost of a packet.
        Next next;               ///< Continuation.
        std::deque<Item> line{}; ///< Packets; the first is being served if busy.
        bool busy{false};        ///< A packet is being served.
    };

    /**
     * Append a packet to the line of a stage.
     * @param stage the stage
     * @param item the packet
     */
    void Enter(Stage& stage, Item item);

    /**
     * Serve the packets in a stage's line, if it is idle.
     * @param stage the stage
     */
    void Serve(Stage& stage);

    /**
     * Accept a packet to be sent.
     * @param item the packet
     * @return false if it is dropped
     */
    bool Accept(Item item);

    /**
     * Continue after the CPU work of sending.
     * @param item the packet
     */
    void EndSendCpu(const Item& item);

    /** Call back those who wait for the CPU work of sending, as far as it is done. */
    void NotifyWriters();

    /**
     * Continue after the transfer of a packet to the device.
     * @param item the packet
     */
    void EndSendTransfer(const Item& item);

    /** Pass the ready packets to the device behind, until it stops its queue. */
    void HandOver();

    /**
     * Begin with a packet that the device behind has received.
     * @param item the packet
     * @return true
     */
    bool StartReceiving(Item item);

    /**
     * Continue after the transfer of a packet from the device.
     * @param item the packet
     */
    void EndReceiveTransfer(const Item& item);

    /**
     * Continue after the CPU work of receiving.
     * @param item the packet
     */
    void HandUp(const Item& item);

    /** @param bytes size of a packet [bytes] @return its CPU work when sent */
    std::vector<Work> GetSendCpuWork(uint32_t bytes) const;

    /** @param bytes size of a packet [bytes] @return its bus work when sent */
    std::vector<Work> GetSendTransferWork(uint32_t bytes) const
    {
        return GetTransferWork(m_sendMode, bytes);
    }

    /** @param bytes size of a packet [bytes] @return its bus work when received */
    std::vector<Work> GetReceiveTransferWork(uint32_t bytes) const
    {
        return GetTransferWork(m_receiveMode, bytes);
    }

    /** @param mode how it crosses the bus @param bytes size of a packet [bytes] @return its work */
    static std::vector<Work> GetTransferWork(TransferMode mode, uint32_t bytes);

    /** @param bytes size of a packet [bytes] @return its CPU work after its interrupt */
    std::vector<Work> GetReceiveCpuWork(uint32_t bytes) const;

    /**
     * Connect a trace source to that of the device behind, if it has one of the name.
     * @param name the name
     * @param trace the trace source
     */
    void Forward(const std::string& name, TracedCallback<Ptr<const Packet>>& trace);

    /** Someone who waits for the CPU work of sending. */
    struct Writer
    {
        uint64_t packets;           ///< Packets whose work it waits for, counted from the first.
        std::function<void()> done; ///< Called then.
    };

    std::deque<Writer> m_writers;      ///< Those who wait for the CPU work of sending.
    uint64_t m_accepted{0};            ///< Packets accepted to be sent.
    uint64_t m_worked{0};              ///< Of those, packets whose CPU work is done.
    Ptr<HostModel> m_host;             ///< The host that is charged.
    Ptr<NetDeviceQueue> m_deviceQueue; ///< Transmit queue of the device behind, may be null.
    std::deque<Item> m_queued;         ///< The packets in TxQueue with their destinations.
    std::deque<Item> m_ready;          ///< Packets that wait for the device behind.
    Stage m_sendCpu;                   ///< CPU work of sending.
    Stage m_sendTransfer;              ///< Bus work of sending.
    Stage m_receiveTransfer;           ///< Bus work of receiving.
    Stage m_receiveCpu;                ///< CPU work of receiving.
    Time m_sendInstructions;           ///< CPU time of a sent packet.
    Time m_receiveInstructions;        ///< CPU time of a received packet.
    uint32_t m_sendSystemCalls;        ///< System calls of a sent packet.
    uint32_t m_sendCopies;             ///< Copies of a sent packet.
    uint32_t m_receiveCopies;          ///< Copies of a received packet.
    uint32_t m_receiveInterrupts;      ///< Interrupts of a received packet.
    uint32_t m_receiveRing;            ///< Most packets in the receive path.
    uint32_t m_receiving{0};           ///< Packets in the receive path.
    TransferMode m_sendMode;           ///< Transfer of packets to the device.
    TransferMode m_receiveMode;        ///< Transfer of packets from the device.
    bool m_starting{false};            ///< Transmit is running.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_NET_DEVICE_H
