/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_MESSAGE_ENGINE_H
#define INFINIBAND_MESSAGE_ENGINE_H

#include "infiniband-engine.h"
#include "infiniband-large-pages.h"
#include "infiniband-message-engine-state.h"
#include "infiniband-subnet.h"

#include "ns3/random-variable-stream.h"

#include <array>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * The engine that computes when messages arrive without simulating their packets.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Moves whole messages: each reserves the next free time of what it passes.
 *
 * What a message needs, it takes in this order: the sender's engine and DMA, each link of its route
 * with cut-through, the receiver's engine and DMA; over RC an ACK goes the same way back. It is cut
 * into trains of TrainPackets packets. A train is a head and a tail, the times of its first and
 * last byte; on each link it waits for those that came before and for what is in front of it in its
 * buffer, and occupies the link for as long as its packets take with their headers. What is further
 * off than Lookahead is not reserved but asked for again at its time, so that nobody who comes
 * later but is there earlier has to wait. Engines, turns of queue pairs and the caches of contexts
 * are those of the packet engine.
 *
 * Buffers have no end and there are no credits: nothing waits because a buffer downstream is full.
 *
 * A train that comes to a link that is down is lost, and so is what finds no way any more; after a
 * sweep of the subnet manager, trains are sent by the new ways.
 */
class MessageEngine : public Engine, private MessageEngineState, private messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessageEngine();
    ~MessageEngine() override;

    /**
     * Use fixed random streams.
     * @param stream the first
     * @return how many
     */
    int64_t AssignStreams(int64_t stream);

    std::string Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts) override;
    void Post(Qpn qp, const SendWr& wr) override;
    void Expect(Qpn qp) override;
    void OnState(Qpn qp, QpState state) override;
    Ticks GetIdleLatency(HostId from, HostId to, uint32_t bytes) const override;

    void SetLinkUp(PortId port, bool up) override;
    void PlanLink(PortId port, bool up, Ticks when) override;

    HostId GetNHosts() const override
    {
        return static_cast<HostId>(m_hosts.size());
    }

    const HcaCounters& GetHcaCounters(HostId host) const override
    {
        return m_hosts[host].counters;
    }

    /**
     * Set the network; without one, Start makes one of the default attributes.
     * @param subnet topology and routes, built
     */
    void SetSubnet(Ptr<Subnet> subnet)
    {
        m_subnet = subnet;
    }

    /** @return messages that RC has begun again, counted each time. */
    uint64_t GetNResent() const
    {
        return m_resent;
    }

  protected:
    void DoDispose() override;

  private:
    void OnTick(messaging::Peer peer, uint64_t datum) override;
    void OnTickAhead(messaging::Peer peer, uint64_t datum) override;

    /**
     * Place an event.
     * @param when when it is due [ns]
     * @param event what
     * @param index about which message, train or queue pair
     * @param datum what the event says
     */
    void At(Ticks when, Event event, uint32_t index, uint64_t datum = 0);

    /** @return a message of which one knows. */
    uint32_t NewMessage();

    /**
     * One less knows a message.
     * @param message the message, or NONE
     */
    void Release(uint32_t message);

    /**
     * Make a train.
     * @param from queue pair that it comes from
     * @param to queue pair that it goes to
     * @param cargo what it carries
     * @param generation of the queue pair that has made the request
     * @return the train
     */
    uint32_t NewTrain(Qpn from, Qpn to, Cargo cargo, uint16_t generation);

    /**
     * A train will arrive: bring its queue pair into the processor's caches.
     * @param qp the queue pair, which need not exist
     */
    void ExpectPair(Qpn qp);

    /**
     * The same, of what its adapter will touch; after ExpectPair.
     * @param train the train
     */
    void ExpectArrival(const Train& train) const;

    /**
     * Find the links between two hosts.
     * @param from a host
     * @param to another
     * @param path which of the 2^LMC paths
     * @return where in m_routes their number is, and they behind it; without a way, the host's own
     * link and one that is never up
     */
    uint32_t FindRoute(HostId from, HostId to, uint8_t path);

    /**
     * @param bytes of payload
     * @return how long they take over PCI Express [ns]
     */
    Ticks GetDmaTime(uint32_t bytes) const
    {
        return (uint64_t{bytes} * 1000 + m_hca.dmaRate - 1) / m_hca.dmaRate;
    }

    /**
     * Have an adapter fetch a context if it is not in its cache.
     * @param qp whose
     * @param role what for
     * @return how long its engine waits [ns]
     */
    Ticks Touch(Qpn qp, ContextRole role);

    /**
     * Have an adapter's engine work.
     * @param host the adapter
     * @param part which engine
     * @param time how long [ns]
     * @return until when [ns]
     */
    Ticks TakeEngine(HostId host, HcaCounters::Part part, Ticks time)
    {
        Ticks& free = GetEngine(host, part);
        const Ticks begin = std::max(free, m_clock->Now());
        free = begin + time;
        m_hosts[host].counters.parts[part].busy += time;
        m_work(host, part, begin, free);
        return free;
    }

    /**
     * The same for something that has waited for it.
     * @param host the adapter
     * @param part which engine
     * @param time how long [ns]
     * @param asked since when it has waited, or when it will be ready [ns]
     * @return until when [ns]
     */
    Ticks AwaitEngine(HostId host, HcaCounters::Part part, Ticks time, Ticks asked)
    {
        Ticks& free = GetEngine(host, part);
        free = std::max(free, asked);
        const Ticks end = TakeEngine(host, part, time);
        m_hosts[host].counters.Wait(part, asked, end - time);
        return end;
    }

    /**
     * @param host an adapter
     * @param part an engine; if it is shared, all are the first
     * @return when that engine is free [ns]
     */
    Ticks& GetEngine(HostId host, HcaCounters::Part part)
    {
        return m_hosts[host].engine[m_hca.sharedEngine ? HcaCounters::SEND : part];
    }

    /**
     * Have an adapter move data over PCI Express.
     * @param host the adapter, changed
     * @param part READ or WRITE
     * @param asked not before [ns]
     * @param bytes how much [bytes]
     * @return when all of it has passed [ns]
     */
    Ticks Transfer(Host& host, HcaCounters::Part part, Ticks asked, uint32_t bytes) const
    {
        Ticks& free = part == HcaCounters::READ ? host.read : host.write;
        const Ticks begin = std::max(free, asked);
        const Ticks time = GetDmaTime(bytes);
        free = begin + time;
        host.counters.Wait(part, asked, begin);
        host.counters.parts[part].busy += time;
        return free;
    }

    /**
     * Have a queue pair take its turn to send when it has something to be sent.
     * @param qp the queue pair
     */
    void Wake(Qpn qp);

    /**
     * Have an adapter's engine turn to the next queue pair when it is free and not too far ahead of
     * the link.
     * @param host the adapter
     */
    void Step(HostId host);

    /**
     * Send the next train of the queue pair whose turn it is.
     * @param host its adapter
     */
    void TakeTurn(HostId host);

    /**
     * Have an adapter prepare the next train of a queue pair.
     * @param qp the queue pair
     */
    void Send(Qpn qp);

    /**
     * Put a train on its host's link.
     * @param train the train; head and tail are when its first and its last packet are ready
     */
    void Launch(Train& train);

    /**
     * Cut the next train off a message.
     * @param message the message, changed
     * @param train set to it
     */
    void Cut(Message& message, Train& train) const;

    /**
     * Set the bytes of a train on the wire from its packets and its payload.
     * @param train the train, changed
     * @param headers bytes of each packet beside the payload
     * @param firstExtra the same, of the first in addition
     * @param lastExtra the same, of the last in addition
     */
    void SetBytes(Train& train, uint32_t headers, uint32_t firstExtra, uint32_t lastExtra) const;

    /** Find ways anew, after links have gone down or come up. */
    void Sweep();

    /**
     * Give a train its next link, or lose it there.
     * @param train the train, changed
     */
    void Pass(Train& train);

    /**
     * Have the trains in a buffer go on.
     * @param port the port of the link into it that sends
     */
    void Resume(PortId port);

    /**
     * Take a train over the links between switches until it has arrived or looks too far ahead.
     * @param index the train
     */
    void Advance(uint32_t index);

    /**
     * Messages of a queue pair have ended for its adapter.
     * @param qp the queue pair
     * @param sequence all before this number
     * @param when the adapter knows it [ns]
     */
    void Acknowledge(Qpn qp, uint32_t sequence, Ticks when);

    /**
     * Tell the program of requests that have ended: all before a number, and those behind it that
     * make no completion.
     * @param qp the queue pair
     * @param sequence the number
     */
    void Complete(Qpn qp, uint32_t sequence);

    /**
     * The program may see a message.
     * @param message the message
     */
    void Deliver(uint32_t message);

    /**
     * Begin again at a message that has not been answered, as go-back-N does.
     * @param qp the queue pair
     * @param sequence number of the message
     * @param packet its first packet that is missing
     */
    void GoBack(Qpn qp, uint32_t sequence, uint32_t packet);

    /**
     * The oldest message that has not been answered has failed.
     * @param qp the queue pair
     * @param status how
     * @param when the adapter knows it [ns]
     */
    void Fail(Qpn qp, WcStatus status, Ticks when);

    /**
     * Something that would have been answered was lost: look out for a timeout.
     * @param qp the queue pair that waits for the answer
     */
    void Watch(Qpn qp);

    /**
     * See whether an answer is overdue.
     * @param qp the queue pair
     */
    void LookAtTimeout(Qpn qp);

    /**
     * Forget all requests of a queue pair.
     * @param qp the queue pair
     */
    void Flush(Qpn qp);

    /**
     * @param train data that has arrived
     * @return whether its queue pair takes data from where it comes
     */
    bool IsForUs(const Train& train) const;

    /**
     * A train is at its host.
     * @param index the train
     */
    void Arrive(uint32_t index);

    /**
     * Requests and data have arrived over RC.
     * @param train what
     * @param passed number of its packets before the first that was lost
     */
    void ArriveReliable(const Train& train, uint32_t passed);

    /**
     * What RC's receiver has awaited has arrived.
     * @param train what
     * @param passed number of its packets before the first that was lost
     */
    void Accept(const Train& train, uint32_t passed);

    /**
     * RC's receiver cannot take a message.
     * @param train its first packets
     * @param status what Admit has said
     */
    void Refuse(const Train& train, WcStatus status);

    /**
     * Look whether a message may begin at its receiver, and take its receive.
     * @param message the message, changed
     * @return SUCCESS, RNR_RETRY_EXC_ERR without a receive, LOC_LEN_ERR or LOC_PROT_ERR if that is
     * too short or has no memory, or how it will end at its sender
     */
    WcStatus Admit(Message& message);

    /**
     * Data has arrived over UC or UD.
     * @param train what
     * @param passed number of its packets before the first that was lost
     */
    void ArriveUnreliable(const Train& train, uint32_t passed);

    /**
     * All data of a message has arrived.
     * @param train the last of it
     * @param done when it is in memory [ns]
     */
    void PutInPlace(const Train& train, Ticks done);

    /**
     * An answer has arrived.
     * @param train what
     */
    void ArriveAnswer(const Train& train);

    /**
     * Have an adapter take in the first packet of a message.
     * @param train it, and perhaps packets that follow
     */
    void Begin(const Train& train);

    /**
     * Have an adapter take in all packets that Begin has not.
     * @param train the packets
     * @return when all is in memory [ns]
     */
    Ticks TakeIn(const Train& train);

    /**
     * Answer the other end when the engine turns to it.
     * @param request what is answered
     * @param cargo the answer
     * @param sequence the number that it names
     * @param status for ERROR_NAK: why
     */
    void Answer(const Train& request,
                Cargo cargo,
                uint32_t sequence,
                WcStatus status = WcStatus::SUCCESS);

    /**
     * Have an adapter's engine turn to the oldest answer when it is free.
     * @param host the adapter
     */
    void PlanAnswer(HostId host);

    /**
     * Send the oldest answer of an adapter.
     * @param host the adapter
     */
    void SendAnswer(HostId host);

    /**
     * Send what a read or an atomic operation has asked for.
     * @param train the request
     */
    void Respond(const Train& train);

    /**
     * Draw how many packets pass before one is lost.
     * @param packets how many there are
     * @return that many if none is lost
     */
    uint32_t DrawLoss(uint32_t packets);

    Verbs* m_verbs{nullptr};                      ///< Who posts.
    Ptr<messaging::TickClock> m_clock;            ///< Counts nanoseconds.
    Ptr<Subnet> m_subnet;                         ///< Topology and routes.
    Ptr<UniformRandomVariable> m_random;          ///< Draws losses.
    std::vector<Message> m_messages;              ///< By index.
    std::vector<Train> m_trains;                  ///< By index.
    LargeVector<Pair> m_pairs;                    ///< By number of the queue pair.
    std::vector<Host> m_hosts;                    ///< By adapter.
    std::vector<Link> m_links;                    ///< By port that sends; the last is never up.
    std::vector<uint32_t> m_routes;               ///< Routes: how many links, and which.
    std::map<Qpn, RecvWr> m_kept;                 ///< Receives that were too short for what came.
    std::vector<std::vector<uint32_t>> m_routeOf; ///< By hosts and path: where the route lies.
    uint32_t m_freeMessage{NONE};                 ///< First free place in m_messages.
    uint32_t m_freeTrain{NONE};                   ///< First free place in m_trains.
    uint32_t m_user{0};                           ///< Our number at the clock.
    uint32_t m_trainPackets{0};                   ///< Most packets of a train.
    Ticks m_lookahead{0};                         ///< How far ahead links are reserved [ns].
    uint64_t m_resent{0};                         ///< Messages begun again.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_MESSAGE_ENGINE_H
