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
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Device in front of another that charges the cost of packets to the host.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Device in front of any NetDevice that charges the IP stack's work to the node's HostModel.
 *
 * ns-3's IP stack takes no processor time, but every comparison with TCP depends on that time:
 *
 * @verbatim
   Send --> TxQueue --> CPU: system calls, --> bus: PIO or DMA --> Send of the device
                        instructions, copies

   up   <-- CPU: instructions, <-- interrupt <-- bus: PIO or DMA <-- receive callback of the device
            copies
   @endverbatim
 *
 * Each stage except interrupts serves one packet of each direction at a time, so packets stay in
 * order while the work of several overlaps. No packet is passed to the device while its queue is
 * stopped. Packets that arrive while ReceiveRing of them are in the receive path are dropped.
 *
 * The underlying device remains in the node's list, without an IP interface. GetChannel returns its
 * channel, which does not list this device: code that finds neighbours through channels, such as
 * global routing, does not find it.
 */
class HostNetDevice : public NetDeviceDecorator
{
  public:
    /** Transfer of packets over the bus between memory and device. */
    enum class Transfer : uint8_t
    {
        NONE, ///< Without cost.
        PIO,  ///< By a CPU.
        DMA   ///< By a DMA engine.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Set the host to charge.
     * @param host the host
     */
    void SetHost(Ptr<HostModel> host)
    {
        m_host = host;
    }

    /**
     * Set the underlying device, once, and its receive callbacks.
     * @param device the device, already added to the same node
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
     * Call back when the CPU work is done for all accepted packets, and for the segments of a write
     * to a TCP socket just before this call: a write() does that work in the time of the caller.
     * @param done completion callback
     */
    void AfterSending(std::function<void()> done);

  protected:
    void DoDispose() override;
    void NotifyConstructionCompleted() override;

    /** Begin with packets in TxQueue while the CPU and the device can accept them. */
    void Transmit() override;

  private:
    /** The attributes. */
    struct Costs
    {
        uint32_t sendSystemCalls{0};              ///< System calls of a sent packet.
        Time sendInstructions;                    ///< CPU time of a sent packet.
        uint32_t sendCopies{0};                   ///< Copies of a sent packet.
        Transfer sendTransfer{Transfer::NONE};    ///< Transfer of a packet to the device.
        DataRate checksumRate;                    ///< Checksum of a packet in software.
        Transfer receiveTransfer{Transfer::NONE}; ///< Transfer of a packet from the device.
        uint32_t receiveInterrupts{0};            ///< Interrupts of a received packet.
        Time receiveInstructions;                 ///< CPU time of a received packet.
        uint32_t receiveCopies{0};                ///< Copies of a received packet.
        uint32_t receiveRing{1024};               ///< Limit of packets in the receive path.
    };

    /** Packet in a send or receive stage. */
    struct Item
    {
        Ptr<Packet> packet;            ///< The packet.
        std::optional<Address> source; ///< Source; none for the device's address.
        Address destination;           ///< Destination.
        uint16_t protocol{0};          ///< Protocol number.
        PacketType type{PACKET_HOST};  ///< Packet type of a received packet.
    };

    /** Stage that serves one packet at a time, in order. */
    struct Stage
    {
        std::deque<Item> line; ///< Packets that wait.
        bool busy{false};      ///< A packet is being served.
    };

    /**
     * Serve the packets of a stage, unless it is busy.
     * @param stage the stage
     * @param work returns the work of a packet of a size
     * @param next called with each packet after its work
     */
    template <class GetWork, class Next>
    void Serve(Stage& stage, GetWork work, Next next);

    /**
     * Let the host do work, unless it takes no time.
     * @param work the work
     * @param done completion callback
     */
    template <class Done>
    void Charge(const std::vector<Work>& work, Done done);

    /**
     * Accept a packet for sending.
     * @param item the packet
     * @return false if it is dropped
     */
    bool Accept(Item item);

    /**
     * Continue after the CPU work of sending.
     * @param item the packet
     */
    void EndSendWork(const Item& item);

    /** Transfer packets to the underlying device's memory. */
    void TransferOut();

    /** Call the writers whose CPU work of sending is done. */
    void NotifyWriters();

    /** Pass the ready packets to the underlying device until it stops its queue. */
    void HandOver();

    /**
     * Begin with a packet received by the underlying device.
     * @param item the packet
     * @return true
     */
    bool StartReceiving(Item item);

    /** Transfer received packets from the underlying device's memory. */
    void TransferIn();

    /**
     * Take the interrupt of a received packet, and then do its CPU work.
     * @param item the packet
     */
    void Interrupt(const Item& item);

    /**
     * Continue after the CPU work of receiving.
     * @param item the packet
     */
    void HandUp(const Item& item);

    /**
     * Get the CPU work of a packet's stack.
     * @param instructions time without the checksum
     * @param bytes size of the packet [bytes]
     * @return the work, with the checksum
     */
    Work GetInstructions(Time instructions, uint32_t bytes) const;

    /** @param bytes size of a packet [bytes] @return its CPU work when sent */
    std::vector<Work> GetSendWork(uint32_t bytes) const;

    /** @param bytes size of a packet [bytes] @return its CPU work after its interrupt */
    std::vector<Work> GetReceiveWork(uint32_t bytes) const;

    /**
     * Get the bus work of a packet.
     * @param transfer its transfer, not NONE
     * @param bytes its size [bytes]
     * @return the work
     */
    static std::vector<Work> GetTransferWork(Transfer transfer, uint32_t bytes);

    /**
     * Connect a trace source to the underlying device's one of the same name, if it exists.
     * @param name the name
     * @param trace the trace source
     */
    void Forward(const std::string& name, TracedCallback<Ptr<const Packet>>& trace);

    /** Caller of AfterSending that waits. */
    struct Writer
    {
        uint64_t packets;           ///< Value of m_worked that it waits for.
        std::function<void()> done; ///< Completion callback.
    };

    Costs m_costs;                     ///< The attributes.
    std::deque<Writer> m_writers;      ///< Callers of AfterSending that wait.
    uint64_t m_accepted{0};            ///< Packets accepted for sending.
    uint64_t m_worked{0};              ///< Of these, packets whose CPU work is done.
    Ptr<HostModel> m_host;             ///< The host to charge.
    Ptr<NetDeviceQueue> m_deviceQueue; ///< Transmit queue of the underlying device, or null.
    std::deque<Item> m_queued;         ///< The packets in TxQueue with their destinations.
    Stage m_outgoing;                  ///< Transfer of packets to the underlying device.
    std::deque<Item> m_ready;          ///< Packets that wait for the underlying device.
    Stage m_incoming;                  ///< Transfer of packets from the underlying device.
    Stage m_arrived;                   ///< CPU work of received packets.
    uint32_t m_receiving{0};           ///< Packets in the receive path.
    bool m_sending{false};             ///< The CPU works on a packet to send.
    bool m_starting{false};            ///< Transmit is running.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_NET_DEVICE_H
