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

/** Counters of all adapters together. */
struct EngineCounters
{
    uint64_t packets{0};  ///< Packets injected into the fabric, including ACKs.
    uint64_t acks{0};     ///< ACKs and NAKs among them.
    uint64_t retries{0};  ///< Retries of RC.
    uint64_t dropped{0};  ///< Messages of UC and UD dropped at their receiver.
    uint64_t notReady{0}; ///< Arrivals without a posted receive: RNR NAKs of RC, drops of others.
    uint64_t lost{0};     ///< Packets lost by faults.
    uint64_t events{0};   ///< Events of the engine.
};

/**
 * @ingroup infiniband
 * Adapters and transports below the verbs: RC, UC and UD in the adapter, over a fabric.
 *
 * The verbs pass it work requests after all local checks, in the order posted for each queue pair.
 * The engine decides when they end, and calls Verbs::CompleteSend, Verbs::TakeReceive and
 * Verbs::CompleteReceive.
 *
 * RC numbers packets with 24 bits and acknowledges each message. After a NAK or a timeout it
 * repeats all packets from a lost one on (go-back-N); after an RNR NAK it waits. It repeats reads
 * with lost responses. Duplicates are acknowledged again, but not executed twice. UC divides
 * messages into packets and drops incomplete ones. UD sends one packet. HcaConfig has the time of
 * each step.
 *
 * A packet to the own host loops back within the adapter, in the time that it would need on the
 * link. A datagram to the group also loops back to the other members at its sender's host.
 *
 * A queue pair of RC or UC sends with its service level, a datagram with that of its address; the
 * fabric maps levels to virtual lanes. Lanes do not wait for each other in the adapter: each has
 * its own prepared packets and its own queue pairs in turn, and the requester and the link serve
 * the lanes in turn.
 *
 * The engine also has the attributes of Fabric and Subnet.
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
     * @param begin start of the work [ns]
     * @param end end of the work [ns]
     */
    typedef void (*WorkTracedCallback)(HostId host, HcaCounters::Part part, Ticks begin, Ticks end);

    /**
     * Signature of trace source ContextMiss.
     * @param host the adapter
     * @param qp the queue pair; NO_QP - 1 minus its number for a shared receive queue
     * @param kind kind of the missed line
     * @param writesBack whether an evicted context was written back
     */
    typedef void (*ContextMissTracedCallback)(HostId host,
                                              Qpn qp,
                                              ContextKind kind,
                                              bool writesBack);

    /**
     * Signature of trace sources PacketTx and PacketRx.
     * @param host the adapter
     * @param header transport header of the packet
     * @param bytes length on the wire [bytes]
     */
    typedef void (*PacketTracedCallback)(HostId host,
                                         const TransportHeader& header,
                                         uint32_t bytes);

    /**
     * Signature of trace sources AckSent and NakSent.
     * @param qp the responder
     * @param syndrome the syndrome
     * @param psn for an ACK the last PSN that has arrived, for a NAK the rejected or expected one
     */
    typedef void (*AckTracedCallback)(Qpn qp, Syndrome syndrome, uint32_t psn);

    /**
     * Signature of trace sources Retry and RnrRetry.
     * @param qp the requester
     * @param psn first PSN to be sent again
     * @param retries number of retries without progress
     */
    typedef void (*RetryTracedCallback)(Qpn qp, uint32_t psn, uint8_t retries);

    /**
     * Signature of trace source Loss.
     * @param wr the request of the message
     * @param place name of the place
     * @param copies number of receivers that it does not reach
     */
    typedef void (*LossTracedCallback)(const SendWr& wr, const std::string& place, uint64_t copies);

    Engine();

    /**
     * Check the constants and build a subnet.
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
     * Start the engine.
     * @param verbs the verbs, not owned
     * @param clock counts nanoseconds
     * @param nHosts the number of adapters, which overrides the attribute Nodes; 0: as in Nodes
     * @return an empty text, or one sentence with the reason
     */
    virtual std::string Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts);

    /**
     * Post a work request on a queue pair in RTS, or in SQD, where it waits for RTS.
     * @param qp the queue pair
     * @param wr the request, to be copied
     */
    virtual void Post(Qpn qp, const SendWr& wr);

    /**
     * Handle a new state of a queue pair: RESET and ERR discard its messages.
     * @param qp the queue pair
     * @param attr its new state, and the attributes set with it
     */
    virtual void OnState(Qpn qp, const QpAttr& attr);

    /**
     * Prefetch a queue pair before a post.
     * @param qp the queue pair
     */
    void Expect(Qpn qp) const;

    /**
     * Get the latency between two hosts on an idle network.
     * @param from a host
     * @param to another host
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
     * Set the adapters' constants, including those that are not attributes, before Start.
     * @param hca the constants
     */
    void SetHcaConfig(const HcaConfig& hca)
    {
        m_hca = hca;
    }

    /**
     * Get the busy time of an adapter's engine, or of the busier one of its two.
     * @param host the adapter
     * @return the time [ns]
     */
    Ticks GetEngineTime(HostId host) const;

    /** @return the number of cache misses of contexts and translations. */
    uint64_t GetNContextMisses() const;

    /** @return the counters of all adapters together. */
    const EngineCounters& GetCounters() const
    {
        return m_counters;
    }

    /** @return the number of messages that are not completed at both ends. */
    uint32_t GetNMessages() const
    {
        return static_cast<uint32_t>(m_messages.GetN());
    }

  protected:
    void DoDispose() override;

  private:
    /** Cause of the loss of a message. A reason of the fabric is FABRIC plus its number. */
    enum LossCause : uint8_t
    {
        QUEUE_PAIR,  ///< A queue pair does not work, or has flushed the message.
        RECEIVE,     ///< There is no receive for it, or one that is too short.
        PACKET_LOSS, ///< Random loss.
        FABRIC       ///< First of the reasons of the fabric.
    };

    /** Kinds of events. */
    enum class Event : uint8_t
    {
        FETCHED,  ///< An adapter has fetched a work request; queue pair, message.
        SEND,     ///< An adapter's engine serves its send queues; host.
        ANSWER,   ///< An adapter's engine serves its answers; host.
        INJECT,   ///< The link accepts the next packet; host.
        LOOP,     ///< A packet has looped back to its own host; host, slot.
        SENT,     ///< A send has ended; queue pair.
        ATOMIC,   ///< An atomic operation has ended; queue pair, message.
        FAILED,   ///< A send has failed; queue pair, status.
        RECEIVED, ///< A receive has ended; queue pair, slot.
        TIMEOUT,  ///< RC checks its retransmission deadline; queue pair.
        RESUME,   ///< RC repeats after an RNR NAK; queue pair.
    };

    /** A queue pair that waits for an engine. */
    struct Turn
    {
        Qpn qp;         ///< The queue pair.
        uint32_t place; ///< Message or answer that it will probably begin with.
    };

    /** A packet that loops back. */
    struct Loop
    {
        TransportHeader header; ///< Its header.
        uint32_t bytes{0};      ///< Its length on the wire [bytes].
    };

    /** A shared receive queue, as the adapter sees it. */
    struct SharedQueue
    {
        ContextCache::Hints hints{}; ///< Hints for the context cache.
        uint32_t place{0};           ///< Index of the last taken receive.
    };

    /** No virtual lane. */
    static constexpr uint8_t NO_LANE = MAX_LANES;

    /** A receive whose completion is in flight. */
    struct Arrival
    {
        RecvWr receive;             ///< The receive.
        uint32_t message{NO_PLACE}; ///< Message that fills it.
    };

    /**
     * Schedule an event.
     * @param when the time [ns]
     * @param event kind of the event
     * @param peer queue pair or host
     * @param index message, status or slot, depending on the kind
     */
    void At(Ticks when, Event event, uint32_t peer, uint32_t index = 0)
    {
        const bool checked = event == Event::SENT || event == Event::ATOMIC ||
                             event == Event::FAILED || event == Event::RESUME;
        const uint64_t epoch = checked ? m_pairs[peer].epoch : 0;
        m_clock->At(when, m_user, peer, static_cast<uint64_t>(event) << 56 | epoch << 32 | index);
    }

    void OnTick(messaging::Peer peer, uint64_t datum) override;
    Ticks OnPacket(HostId host, PacketIndex index) override;
    void OnReady(HostId host, uint8_t lane) override;
    void OnLastLink(HostId host, PacketIndex index) override;
    void OnDrop(PacketIndex index, DropReason reason) override;
    void OnCopy(PacketIndex index) override;

    /**
     * Handle a packet that has arrived at a host, from the fabric or looped back.
     * @param host the host
     * @param header its header
     * @param bytes its length on the wire [bytes]
     * @return time at which the adapter has processed it [ns]
     */
    Ticks Arrive(HostId host, const TransportHeader& header, uint32_t bytes);

    /**
     * Handle a packet at one of its queue pairs.
     * @param host the host
     * @param qp the queue pair, which need not exist
     * @param header its header
     * @return time at which the adapter has processed it [ns]
     */
    Ticks Dispatch(HostId host, Qpn qp, const TransportHeader& header);

    /**
     * Report a loss of a message.
     * @param message the message
     * @param cause the cause
     * @param copies number of receivers
     */
    void Lose(const Message& message, uint8_t cause, uint32_t copies);

    /** @return the headers of a packet in the fabric. @param index the packet */
    TransportHeader GetHeader(PacketIndex index) const
    {
        return std::bit_cast<TransportHeader>(PeekPointer(m_fabric)->Get(index).user);
    }

    /** Prefetch a message. @param message the message */
    void ExpectMessage(uint32_t message) const
    {
        const auto* begin = reinterpret_cast<const char*>(&m_messages[message]);
        for (std::size_t offset = 0; offset < sizeof(Message); offset += 64)
        {
            __builtin_prefetch(begin + offset, 1);
        }
    }

    /**
     * Release a reference to a message.
     * @param message the message, or NO_PLACE
     */
    void Release(uint32_t message);

    /**
     * Look up a context or a translation.
     * @param qp the queue pair
     * @param kind kind of the line
     * @param part number of the part, of a BUFFER or an EXTENSION
     * @return the time of its fetch, 0 if it is cached [ns]
     */
    Ticks Touch(Qpn qp, ContextKind kind, uint32_t part = 0);

    /**
     * Look up a context for work of an engine, of RC with further lines.
     * @param qp the queue pair
     * @param work the work, which has further lines of its own
     * @return the time of the fetches, 0 if all are cached [ns]
     */
    Ticks TouchContext(Qpn qp, HcaCounters::Part work);

    /**
     * Look up a translation of the receives of a queue pair, which may be in a shared queue.
     * @param qp the queue pair
     * @param kind RECEIVE_QUEUE or BUFFER
     * @param part number of the part, of a BUFFER
     * @return the time of its fetch, 0 if it is cached [ns]
     */
    Ticks TouchReceives(Qpn qp, ContextKind kind, uint32_t part = 0);

    /**
     * Look up a line.
     * @param host the adapter
     * @param owner number of the queue pair or of the shared receive queue among lines
     * @param kind kind of the line
     * @param part number of the part, of a BUFFER or an EXTENSION
     * @param hints hints of the owner, changed
     * @return the time of its fetch, 0 if it is cached [ns]
     */
    Ticks TouchLine(HostId host,
                    Qpn owner,
                    ContextKind kind,
                    uint32_t part,
                    ContextCache::Hints& hints);

    /** @return a shared receive queue. @param srq its number */
    SharedQueue& GetShared(SrqNumber srq);

    // Adapters.

    /**
     * Occupy an engine of an adapter.
     * @param host the adapter
     * @param part the work
     * @param asked time at which the work is ready [ns]
     * @param time duration [ns]
     * @param counted whether to count it as a job of its own
     * @return end of the work [ns]
     */
    Ticks TakeEngine(HostId host,
                     HcaCounters::Part part,
                     Ticks asked,
                     Ticks time,
                     bool counted = true);

    /** @return the virtual lane after another one. @param lane the other one */
    uint8_t GetNextLane(uint8_t lane) const
    {
        return lane + 1 < m_lanes ? lane + 1 : 0;
    }

    /**
     * Get the virtual lane of the next packet of a queue pair.
     * @param pair the queue pair, which can send or has to answer a read
     * @return the virtual lane
     */
    uint8_t GetLane(const QueuePair& pair) const;

    /**
     * Find the next virtual lane in turn with a queue pair that waits for the requester, and with
     * room for prepared packets.
     * @param hca the adapter
     * @return the virtual lane, or NO_LANE
     */
    uint8_t FindSenders(const Hca& hca) const;

    /**
     * Queue a queue pair for sending if it can send.
     * @param qp the queue pair
     */
    void WakeSend(Qpn qp);

    /**
     * Queue a queue pair for its answers.
     * @param qp the queue pair
     */
    void WakeAnswer(Qpn qp);

    /**
     * @param pair a queue pair
     * @return whether it has to answer a read next
     */
    bool Responds(const QueuePair& pair) const;

    /**
     * Check whether a queue pair can send.
     * @param pair the queue pair
     * @return true if it can
     */
    bool CanSend(const QueuePair& pair) const;

    /**
     * Schedule the next step of an engine, if a queue pair waits for it.
     * @param host the adapter
     * @param engine the engine
     */
    void Step(HostId host, HcaCounters::Engine engine);

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
     * @param qp queue pair of the packet
     * @param list list of the packet
     * @param packet the packet; its sender, destination, path and service level are filled in
     */
    void Prepared(Qpn qp, Hca::OutList list, OutPacket packet);

    /**
     * Trace an ACK or a NAK.
     * @param qp the responder
     * @param answer the ACK or NAK
     */
    void NoteAck(Qpn qp, const Answer& answer);

    /**
     * Schedule the next injection of an adapter.
     * @param host the adapter
     */
    void PlanInject(HostId host);

    /**
     * Inject the next packet.
     * @param host the adapter
     */
    void Inject(HostId host);

    /**
     * Inject the first packet of a list.
     * @param host the adapter
     * @param number the virtual lane
     * @param list the list, not empty
     * @return false if the fabric has no room; the virtual lane is then blocked
     */
    bool InjectFrom(HostId host, uint8_t number, Hca::OutList list);

    /**
     * Schedule the completion of a send.
     * @param qp the queue pair
     * @param message the message
     * @param when the time [ns]
     */
    void PlanSent(Qpn qp, uint32_t message, Ticks when);

    /**
     * Inject a packet.
     * @param host the adapter
     * @param packet the packet
     * @return false if the fabric has no room
     */
    bool Carry(HostId host, const OutPacket& packet);

    /**
     * Loop a packet back to its own host.
     * @param host the adapter
     * @param packet the packet
     */
    void LoopBack(HostId host, const OutPacket& packet);

    /**
     * @param host an adapter
     * @param except a queue pair
     * @return whether another queue pair of the adapter is in the multicast group
     */
    bool HasMulticastMember(HostId host, Qpn except) const;

    /**
     * Count the receivers of a datagram.
     * @param sender the queue pair that sends it
     * @param to the destination
     * @return number of queue pairs, without the sender
     */
    uint32_t CountReceivers(Qpn sender, const Address& to) const;

    // Requester.

    /**
     * Remove the oldest message from a send queue.
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
     * Retry from a PSN on, or fail.
     * @param qp the queue pair
     * @param psn the PSN
     */
    void Retry(Qpn qp, uint32_t psn);

    /**
     * Retry after an RNR NAK, later, or fail.
     * @param qp the queue pair
     * @param psn first PSN to be sent again
     * @param when time at which the adapter has processed the NAK [ns]
     */
    void RetryRnr(Qpn qp, uint32_t psn, Ticks when);

    /**
     * Fail the oldest message of a queue pair.
     * @param qp the queue pair
     * @param status status of its completion
     * @param when time at which the adapter has processed it [ns]
     */
    void Fail(Qpn qp, WcStatus status, Ticks when);

    /**
     * Acknowledge all packets before a PSN.
     * @param qp the queue pair
     * @param psn the PSN
     * @param when time at which the adapter has processed it [ns]
     * @return false if a read before it lacks responses, which are then requested again
     */
    bool Acknowledge(Qpn qp, uint32_t psn, Ticks when);

    /**
     * Restart the retransmission timer.
     * @param qp the queue pair
     * @param from its start [ns]
     */
    void SetTimer(Qpn qp, Ticks from);

    /**
     * Check the retransmission deadline of a queue pair.
     * @param qp the queue pair
     */
    void OnTimeout(Qpn qp);

    /**
     * Handle an ACK or a NAK.
     * @param qp the queue pair
     * @param header the packet
     * @return time at which the adapter has processed it [ns]
     */
    Ticks OnAck(Qpn qp, const TransportHeader& header);

    /**
     * Handle a response to a read or an atomic operation.
     * @param qp the queue pair
     * @param header the packet
     * @return time at which the adapter has processed it [ns]
     */
    Ticks OnResponse(Qpn qp, const TransportHeader& header);

    // Responder.

    /**
     * Handle a request packet of RC.
     * @param qp the queue pair
     * @param header the packet
     * @return time at which the adapter has processed it [ns]
     */
    Ticks OnReliableRequest(Qpn qp, const TransportHeader& header);

    /**
     * Handle a request packet of RC out of sequence.
     * @param qp the queue pair
     * @param header the packet
     * @param distance its distance ahead, negative for a duplicate
     * @return time at which the adapter has processed it [ns]
     */
    Ticks OnUnexpected(Qpn qp, const TransportHeader& header, int32_t distance);

    /**
     * Handle a packet of UC.
     * @param qp the queue pair
     * @param header the packet
     * @return time at which the adapter has processed it [ns]
     */
    Ticks OnUnreliable(Qpn qp, const TransportHeader& header);

    /**
     * Handle a datagram.
     * @param qp the queue pair
     * @param header the packet
     * @return time at which the adapter has processed it [ns]
     */
    Ticks OnDatagram(Qpn qp, const TransportHeader& header);

    /**
     * Take the receive for a message, unless one was taken before or none is posted. A receive
     * without memory fails with its queue pair.
     * @param qp the queue pair
     * @param message the message
     * @return false if a receive has failed
     */
    bool TakeReceive(Qpn qp, uint32_t message);

    /**
     * Occupy the engine with an incoming packet.
     * @param qp the queue pair
     * @param first whether a message begins
     * @return end of the work [ns]
     */
    Ticks TakePacket(Qpn qp, bool first);

    /**
     * Write the data of a packet to memory, and complete the receive with the last one.
     * @param qp the queue pair
     * @param header the packet
     * @param from earliest start [ns]
     * @return time at which the data is in memory [ns]
     */
    Ticks Place(Qpn qp, const TransportHeader& header, Ticks from);

    /**
     * Get the length of the data of a packet.
     * @param message the message
     * @param index number of the packet
     * @return its length [bytes]
     */
    uint32_t GetPayload(const Message& message, uint32_t index) const;

    /**
     * Queue an answer.
     * @param qp the queue pair
     * @param answer the answer
     */
    void QueueAnswer(Qpn qp, const Answer& answer);

    /**
     * Queue the response to a read or an atomic operation.
     * @param qp the queue pair
     * @param header the request
     * @param ready earliest time [ns]
     */
    void QueueResponse(Qpn qp, const TransportHeader& header, Ticks ready);

    /**
     * Queue an ACK or a NAK.
     * @param qp the queue pair
     * @param syndrome its syndrome
     * @param psn its PSN
     * @param ready earliest time [ns]
     */
    void QueueAck(Qpn qp, Syndrome syndrome, uint32_t psn, Ticks ready);

    /**
     * Fail a responder: notify the requester, and enter the error state.
     * @param qp the queue pair
     * @param syndrome reason
     * @param ready earliest time [ns]
     */
    void FailResponder(Qpn qp, Syndrome syndrome, Ticks ready);

    /**
     * Fail the taken receive and its queue pair.
     * @param qp the queue pair
     * @param message the message for it
     * @param status the error
     */
    void FailReceive(Qpn qp, uint32_t message, WcStatus status);

    /**
     * Discard all state in flight.
     * @param qp the queue pair
     */
    void Clear(Qpn qp);

    Verbs* m_verbs{nullptr};                ///< Verbs, not owned.
    messaging::TickClock* m_clock{nullptr}; ///< Clock of nanoseconds, without a check at each use.
    Ptr<messaging::TickClock> m_ownedClock; ///< The same, which lasts until the disposal.
    Ptr<Subnet> m_subnet;                   ///< Topology and routes.
    Ptr<Fabric> m_fabric;                   ///< Links and switches.
    HcaConfig m_hca;                        ///< Constants of the adapters.
    double m_packetLoss{0};                 ///< Loss probability of a packet.
    uint32_t m_mtu{0};                      ///< MTU [bytes].
    uint8_t m_lanes{1};                     ///< Virtual lanes.
    Ptr<UniformRandomVariable> m_random;    ///< Draws losses and replacements.
    messaging::LargeVector<QueuePair> m_pairs; ///< Queue pairs by number.
    std::vector<Hca> m_hcas;                   ///< Adapters by host.
    messaging::SlotPool<Message> m_messages;   ///< All messages.
    messaging::SlotPool<Arrival> m_arrivals;   ///< Receives with a pending completion.
    messaging::SlotPool<Loop> m_loops;         ///< Packets that loop back.
    std::vector<SharedQueue> m_shared;         ///< Shared receive queues by number.
    ListPool<Answer> m_answers;                ///< Answers owed by responders.
    ListPool<OutPacket> m_out;                 ///< Prepared packets that wait for links.
    ListPool<Turn> m_queued;                   ///< Queue pairs in the lists of adapters.
    EngineCounters m_counters;                 ///< Counters of all adapters together.
    uint32_t m_user{0};                        ///< User number at the clock.
    /** Work of an engine of an adapter: adapter, engine, begin, end. */
    TracedCallback<HostId, HcaCounters::Part, Ticks, Ticks> m_work;
    /** A packet enters the link or loops back: adapter, header, length. */
    TracedCallback<HostId, const TransportHeader&, uint32_t> m_packetTx;
    /** A packet has arrived: adapter, header, length. */
    TracedCallback<HostId, const TransportHeader&, uint32_t> m_packetRx;
    /** An ACK is sent: responder, syndrome, PSN. */
    TracedCallback<Qpn, Syndrome, uint32_t> m_ackSent;
    /** A NAK is sent: responder, syndrome, PSN. */
    TracedCallback<Qpn, Syndrome, uint32_t> m_nakSent;
    /** RC sends again: requester, first PSN, retries. */
    TracedCallback<Qpn, uint32_t, uint8_t> m_retry;
    /** RC waits for a receive: requester, first PSN, RNR retries. */
    TracedCallback<Qpn, uint32_t, uint8_t> m_rnrRetry;
    /** A message is lost: request, place, receivers. */
    TracedCallback<const SendWr&, const std::string&, uint64_t> m_loss;
    /** Cache miss of a context or a translation: adapter, queue pair, kind, write-back. */
    TracedCallback<HostId, Qpn, ContextKind, bool> m_contextMiss;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ENGINE_H
