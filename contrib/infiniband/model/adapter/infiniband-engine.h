/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_ENGINE_H
#define INFINIBAND_ENGINE_H

#include "infiniband-context-cache.h"
#include "infiniband-hca.h"
#include "infiniband-queue-pair.h"

#include "ns3/infiniband-fabric.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <bit>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Adapters and transports, packet by packet.
 */

namespace ns3
{
namespace infiniband
{

class Verbs;

/**
 * @ingroup infiniband
 * Adapters and transports below the verbs: RC, UC and UD as the adapter does them, over a fabric.
 *
 * The verbs hand it work requests that have passed all local checks, in the order posted for each
 * queue pair. The engine decides when they end, and calls Verbs::CompleteSend, Verbs::TakeReceive
 * and Verbs::CompleteReceive.
 *
 * RC numbers packets with 24 bits, acknowledges each message, repeats from a lost packet on
 * (go-back-N) after a NAK or a timeout, waits after an RNR NAK, and repeats reads whose responses
 * were lost; what arrives twice is acknowledged again and not executed twice. UC cuts messages into
 * packets and drops those with a hole. UD sends one packet. The time of each step is in
 * HcaConfig.
 *
 * The engine has the attributes of Fabric and Subnet too.
 */
class Engine : public Object, private messaging::TickUser, private FabricUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Signature of trace source Work.
     * @param host the adapter
     * @param part the work: SEND or ACK_IN of its requester, RECEIVE or ACK_OUT of its responder
     * @param begin since when it works [ns]
     * @param end until when [ns]
     */
    typedef void (*WorkTracedCallback)(HostId host, HcaCounters::Part part, Ticks begin, Ticks end);

    /**
     * Signature of trace source ContextMiss.
     * @param host the adapter
     * @param qp the queue pair
     * @param kind what of it was read from memory
     * @param writesBack whether a context was written back to make room
     */
    typedef void (*ContextMissTracedCallback)(HostId host,
                                              Qpn qp,
                                              ContextKind kind,
                                              bool writesBack);

    Engine();

    /** @return an empty text, or one sentence on constants that contradict each other. */
    std::string Check() const;

    /**
     * Check the constants and build a subnet as Start would.
     * @param nHosts the number of adapters, as of Start
     * @param error set to an empty text, or to one sentence with the reason
     * @return the subnet, built if there is no error
     */
    Ptr<Subnet> MakeSubnet(HostId nHosts, std::string& error) const;

    /** @return true if packets are lost at random, links fail, or links or switches corrupt. */
    bool HasFaults() const
    {
        return m_packetLoss > 0 || m_fabric->HasFaults();
    }

    /**
     * Replace the fabric, before Start.
     * @param fabric links and switches
     */
    void SetFabric(Ptr<Fabric> fabric)
    {
        m_fabric = fabric;
    }

    /** @return links and switches. */
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    /** @return topology and routes, built by Start. */
    Ptr<Subnet> GetSubnet() const
    {
        return m_subnet;
    }

    /**
     * Use fixed random streams.
     * @param stream the first
     * @return the number of streams
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Begin to serve.
     * @param verbs the verbs, not owned
     * @param clock counts nanoseconds
     * @param nHosts the number of adapters, which replaces the attribute Nodes; 0: as that says
     * @return an empty text, or one sentence with the reason
     */
    virtual std::string Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts);

    /**
     * A work request was posted on a queue pair in RTS.
     * @param qp the queue pair
     * @param wr the request, to be copied
     */
    virtual void Post(Qpn qp, const SendWr& wr);

    /**
     * A queue pair has changed its state: forget what a transition to RESET or ERR ends.
     * @param qp the queue pair
     * @param state its new state
     */
    virtual void OnState(Qpn qp, QpState state);

    /**
     * A work request will be posted: bring what is known of its queue pair into the processor's
     * caches.
     * @param qp the queue pair
     */
    void Expect(Qpn qp);

    /**
     * Get the latency between two hosts on an idle network.
     * @param from a host
     * @param to another
     * @param bytes length of a message [bytes]
     * @return from the doorbell to the receiver's completion [ns]
     */
    Ticks GetIdleLatency(HostId from, HostId to, uint32_t bytes) const;

    /** @return the number of adapters. */
    HostId GetNHosts() const
    {
        return static_cast<HostId>(m_hcas.size());
    }

    /** @return the counters of an adapter. @param host the adapter */
    const HcaCounters& GetHcaCounters(HostId host) const
    {
        return m_hcas[host].counters;
    }

    /** @return the time that the busier of an adapter's engines has worked [ns]. @param host the
     * adapter */
    Ticks GetEngineTime(HostId host) const;

    /** @return the links' constants. */
    const LinkConfig& GetLinkConfig() const
    {
        return m_fabric->GetLinkConfig();
    }

    /** @return the adapters' constants. */
    const HcaConfig& GetHcaConfig() const
    {
        return m_hca;
    }

    /**
     * Set the adapters' constants, before Start: those that are no attributes too.
     * @param hca the constants
     */
    void SetHcaConfig(const HcaConfig& hca)
    {
        m_hca = hca;
    }

    /** @return contexts and translations that adapters had to fetch over PCI Express. */
    uint64_t GetNContextMisses() const;

    /** @return packets lost by the faults. */
    uint64_t GetNLost() const
    {
        return m_lost;
    }

    /** @return events that the engine has served. */
    uint64_t GetNEvents() const
    {
        return m_events;
    }

    /** @return packets that adapters have given to the fabric, ACKs included. */
    uint64_t GetNPackets() const
    {
        return m_packets;
    }

    /** @return ACKs and NAKs among them. */
    uint64_t GetNAcks() const
    {
        return m_acks;
    }

    /** @return times that RC has gone back. */
    uint64_t GetNRetries() const
    {
        return m_retries;
    }

    /** @return messages of UC and UD that were dropped at their receiver. */
    uint64_t GetNDroppedMessages() const
    {
        return m_dropped;
    }

    /** @return messages that have not ended at both sides. */
    uint32_t GetNMessages() const
    {
        return static_cast<uint32_t>(m_messages.GetN());
    }

  protected:
    void DoDispose() override;

  private:
    /** Kinds of events. */
    enum class Event : uint8_t
    {
        FETCHED,  ///< An adapter has a work request; queue pair, message.
        SEND,     ///< An adapter's engine turns to what is to be sent; host.
        ANSWER,   ///< An adapter's engine turns to what is to be acknowledged; host.
        INJECT,   ///< A packet may leave; host.
        LOOP,     ///< A packet comes back to its own host; host, place.
        SENT,     ///< A send has ended; queue pair, message.
        FAILED,   ///< A send has failed; queue pair, status.
        RECEIVED, ///< A receive has ended; queue pair, place.
        TIMEOUT,  ///< RC checks whether an answer is overdue; queue pair.
        RESUME,   ///< RC repeats after an RNR NAK; queue pair.
    };

    /** A receive whose completion is in flight. */
    struct Arrival
    {
        RecvWr receive;                     ///< The receive.
        uint32_t message{NO_PLACE};         ///< Message that has filled it.
        WcStatus status{WcStatus::SUCCESS}; ///< How.
    };

    /**
     * Place an event.
     * @param when the time [ns]
     * @param event what
     * @param peer queue pair or host
     * @param index what else
     */
    void At(Ticks when, Event event, uint32_t peer, uint32_t index = 0)
    {
        const bool checked =
            event == Event::SENT || event == Event::FAILED || event == Event::RESUME;
        const uint64_t epoch = checked ? m_pairs[peer].epoch : 0;
        m_clock->At(when, m_user, peer, static_cast<uint64_t>(event) << 56 | epoch << 32 | index);
    }

    void OnTick(messaging::Peer peer, uint64_t datum) override;
    Ticks OnPacket(HostId host, PacketIndex index) override;
    void OnReady(HostId host, uint8_t lane) override;
    void OnLastLink(HostId host, PacketIndex index) override;
    void OnDrop(PacketIndex index, DropReason reason) override;
    void OnCopy(PacketIndex from, PacketIndex to) override;

    /** @return the headers of a packet in the fabric. @param index the packet */
    TransportHeader GetHeader(PacketIndex index) const
    {
        return std::bit_cast<TransportHeader>(PeekPointer(m_fabric)->Get(index).user);
    }

    /**
     * A packet has arrived at a host, or came back to its own.
     * @param host the host
     * @param header its headers
     * @return when its buffer is empty [ns]
     */
    Ticks Arrive(HostId host, const TransportHeader& header);

    /**
     * Check the constants and build a subnet.
     * @param subnet the subnet, changed
     * @param nHosts the number of adapters, as of Start
     * @return an empty text, or one sentence with the reason
     */
    std::string Build(Subnet& subnet, HostId nHosts) const;

    /** Bring a message into the processor's caches. @param message the message */
    void ExpectMessage(uint32_t message) const
    {
        const auto* begin = reinterpret_cast<const char*>(&m_messages[message]);
        for (std::size_t offset = 0; offset < sizeof(Message); offset += 64)
        {
            __builtin_prefetch(begin + offset, 1);
        }
    }

    /**
     * One use of a message less.
     * @param message the message, or NO_PLACE
     */
    void Release(uint32_t message);

    /**
     * Look a context or a translation up.
     * @param qp the queue pair
     * @param kind what of it
     * @param part number of the part, of a BUFFER
     * @return the time of its fetch, 0 if it is cached [ns]
     */
    Ticks Touch(Qpn qp, ContextKind kind, uint32_t part = 0);

    // Adapters.

    /**
     * Occupy an engine of an adapter.
     * @param host the adapter
     * @param part the work
     * @param asked since when there is that work [ns]
     * @param time how long it takes [ns]
     * @param counted whether it is a thing of its own that has waited
     * @return until when [ns]
     */
    Ticks TakeEngine(HostId host,
                     HcaCounters::Part part,
                     Ticks asked,
                     Ticks time,
                     bool counted = true);

    /**
     * Queue a queue pair for sending if it may send.
     * @param qp the queue pair
     */
    void WakeSend(Qpn qp);

    /**
     * Queue a queue pair for its answers.
     * @param qp the queue pair
     */
    void WakeAnswer(Qpn qp);

    /**
     * Check whether a queue pair may send.
     * @param pair the queue pair
     * @return true if it may
     */
    bool CanSend(const QueuePair& pair) const;

    /**
     * Plan the next send of an adapter, if there is any.
     * @param host the adapter
     */
    void StepSends(HostId host);

    /**
     * Plan the next ACK of an adapter, if there is any.
     * @param host the adapter
     */
    void StepAnswers(HostId host);

    /**
     * Prepare a packet of the next queue pair.
     * @param host the adapter
     */
    void DoSend(HostId host);

    /**
     * Prepare the next ACK.
     * @param host the adapter
     */
    void DoAnswer(HostId host);

    /**
     * Prepare the next packet of a queue pair's send queue.
     * @param qp the queue pair
     */
    void PrepareRequest(Qpn qp);

    /**
     * Prepare the next response of a queue pair to a read.
     * @param qp the queue pair
     */
    void PrepareResponse(Qpn qp);

    /**
     * Queue a prepared packet for the link.
     * @param qp whose it is
     * @param lane list to wait in
     * @param packet the packet; from, to and path are filled in
     */
    void Prepared(Qpn qp, Hca::Lane lane, OutPacket packet);

    /**
     * Plan the next injection of an adapter.
     * @param host the adapter
     */
    void PlanInject(HostId host);

    /**
     * Inject the packet that may leave now.
     * @param host the adapter
     */
    void Inject(HostId host);

    /**
     * Plan the completion of a send.
     * @param qp the queue pair
     * @param message the message
     * @param when the time [ns]
     */
    void PlanSent(Qpn qp, uint32_t message, Ticks when);

    /**
     * Carry a packet to hosts, its own included.
     * @param host the adapter
     * @param packet the packet
     * @return false if the fabric has no room
     */
    bool Carry(HostId host, const OutPacket& packet);

    // Requester.

    /**
     * Take the oldest message off a send queue.
     * @param qp the queue pair
     */
    void Unqueue(Qpn qp);

    /**
     * Move a queue pair's cursor to a PSN.
     * @param qp the queue pair
     * @param psn the PSN
     */
    void SetCursor(Qpn qp, uint32_t psn);

    /**
     * Repeat from a PSN on, or give up.
     * @param qp the queue pair
     * @param psn the PSN
     */
    void Retry(Qpn qp, uint32_t psn);

    /**
     * The oldest message of a queue pair has failed.
     * @param qp the queue pair
     * @param status how
     * @param when the adapter has understood it [ns]
     */
    void Fail(Qpn qp, WcStatus status, Ticks when);

    /**
     * Everything before a PSN has arrived.
     * @param qp the queue pair
     * @param psn the PSN
     * @param when the adapter has understood it [ns]
     * @return false if a read before it lacks responses, which are then asked for again
     */
    bool Acknowledge(Qpn qp, uint32_t psn, Ticks when);

    /**
     * Expect an answer from now on.
     * @param qp the queue pair
     * @param from the time [ns]
     */
    void SetTimer(Qpn qp, Ticks from);

    /**
     * The deadline of a queue pair may have come.
     * @param qp the queue pair
     */
    void OnTimeout(Qpn qp);

    /**
     * An ACK or a NAK arrives.
     * @param qp the queue pair
     * @param header the packet
     * @return when the adapter is done with it [ns]
     */
    Ticks OnAck(Qpn qp, const TransportHeader& header);

    /**
     * A response to a read or an atomic operation arrives.
     * @param qp the queue pair
     * @param header the packet
     * @return when the adapter is done with it [ns]
     */
    Ticks OnResponse(Qpn qp, const TransportHeader& header);

    // Responder.

    /**
     * A packet of a request arrives on RC.
     * @param qp the queue pair
     * @param header the packet
     * @return when the adapter is done with it [ns]
     */
    Ticks OnReliableRequest(Qpn qp, const TransportHeader& header);

    /**
     * A request packet of RC is not the expected one.
     * @param qp the queue pair
     * @param header the packet
     * @param distance how far it is ahead, negative if it was there before
     * @return when the adapter is done with it [ns]
     */
    Ticks OnUnexpected(Qpn qp, const TransportHeader& header, int32_t distance);

    /**
     * A packet arrives on UC.
     * @param qp the queue pair
     * @param header the packet
     * @return when the adapter is done with it [ns]
     */
    Ticks OnUnreliable(Qpn qp, const TransportHeader& header);

    /**
     * A datagram arrives.
     * @param qp the queue pair
     * @param header the packet
     * @return when the adapter is done with it [ns]
     */
    Ticks OnDatagram(Qpn qp, const TransportHeader& header);

    /**
     * Take the receive that a message will fill.
     * @param qp the queue pair
     * @return false if none is posted
     */
    bool TakeReceive(Qpn qp);

    /**
     * Occupy the engine with a packet that arrives.
     * @param qp the queue pair
     * @param first with a message that begins
     * @return when it is done [ns]
     */
    Ticks TakePacket(Qpn qp, bool first);

    /**
     * Write the data of a packet to memory, and complete the receive with the last.
     * @param qp the queue pair
     * @param header the packet
     * @param from not before [ns]
     * @return when the data is in memory [ns]
     */
    Ticks Place(Qpn qp, const TransportHeader& header, Ticks from);

    /**
     * Get the data of a packet of a message.
     * @param message the message
     * @param index number of the packet
     * @return its length [bytes]
     */
    uint32_t GetPayload(const Message& message, uint32_t index) const;

    /**
     * Owe an answer.
     * @param qp the queue pair
     * @param answer the answer
     */
    void Owe(Qpn qp, const Answer& answer);

    /**
     * Owe an ACK or a NAK.
     * @param qp the queue pair
     * @param syndrome which
     * @param psn its PSN
     * @param ready not before [ns]
     */
    void OweAck(Qpn qp, Syndrome syndrome, uint32_t psn, Ticks ready);

    /**
     * A responder has failed: notify the requester, and go to the error state.
     * @param qp the queue pair
     * @param syndrome why
     * @param ready not before [ns]
     */
    void FailResponder(Qpn qp, Syndrome syndrome, Ticks ready);

    /**
     * The receive that was taken ends in an error, and with it its queue pair.
     * @param qp the queue pair
     * @param message what was to fill it
     * @param status the error
     */
    void FailReceive(Qpn qp, uint32_t message, WcStatus status);

    /**
     * Forget the message that is arriving, but keep its receive for the next.
     * @param qp the queue pair
     */
    void DropIncoming(Qpn qp);

    /**
     * Forget everything in flight.
     * @param qp the queue pair
     */
    void Clear(Qpn qp);

    Verbs* m_verbs{nullptr};                      ///< The verbs.
    messaging::TickClock* m_clock{nullptr};       ///< Counts nanoseconds, not owned.
    Ptr<Subnet> m_subnet;                         ///< Topology and routes.
    Ptr<Fabric> m_fabric;                         ///< Links and switches.
    HcaConfig m_hca;                              ///< Constants of adapters.
    double m_packetLoss{0};                       ///< Probability that a packet is lost.
    uint32_t m_mtu{0};                            ///< Largest payload of a packet [bytes].
    Ptr<UniformRandomVariable> m_random;          ///< For losses and replacement.
    LargeVector<QueuePair> m_pairs;               ///< By number.
    std::vector<Hca> m_hcas;                      ///< By host.
    messaging::SlotPool<Message> m_messages;      ///< All messages.
    messaging::SlotPool<Arrival> m_arrivals;      ///< Receives whose completions are in flight.
    messaging::SlotPool<TransportHeader> m_loops; ///< Packets to their own host.
    ListPool<Answer> m_answers;                   ///< Answers that responders owe.
    ListPool<OutPacket> m_out;                    ///< Packets that wait for links.
    ListPool<Qpn> m_queued;                       ///< Queue pairs in lists of adapters.
    std::vector<std::vector<Qpn>> m_members;      ///< The multicast group, by host.
    uint32_t m_groupChanges{0};                   ///< Changes of the group that it knows of.
    uint64_t m_packets{0};                        ///< Given to the fabric.
    uint64_t m_acks{0};                           ///< ACKs and NAKs among them.
    uint64_t m_retries{0};                        ///< Times that RC has gone back.
    uint64_t m_dropped{0};                        ///< Messages of UC and UD dropped.
    uint64_t m_lost{0};                           ///< Packets lost by the faults.
    uint64_t m_events{0};                         ///< Events served.
    uint32_t m_user{0};                           ///< Our number at the clock.
    /** An engine of an adapter works: adapter, which, begin, end. */
    TracedCallback<HostId, HcaCounters::Part, Ticks, Ticks> m_work;
    /** A context or a translation is not in the cache: adapter, queue pair, kind, write-back. */
    TracedCallback<HostId, Qpn, ContextKind, bool> m_contextMiss;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ENGINE_H
