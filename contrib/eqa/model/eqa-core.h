/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CORE_H
#define EQA_CORE_H

#include "eqa-point.h"

#include <algorithm>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * DP-SMP at one node: push-pull messaging and both broadcasts.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * One node of DP-SMP: a protocol core.
 *
 * Messages of a channel - from one peer to another, or from one peer to all - are cut into packets
 * with consecutive numbers. The channel's retransmission buffer keeps them until every receiver has
 * acknowledged them. Receivers accept packets in order only (go-back-N).
 *
 * @verbatim
     to one peer (section 2)                     to all (section 3.3)

     sender            receiver                  root         chosen       others
        | BTP_1 ------------> |                    | BTP_1 =====> | ==========> |
        | BTP_2 ------------> | receive posted?    | BTP_2 =====> | ==========> |
        | <------- ACK + pull | then pull          | <- ACK+pull  |             |
        | rest, packet by --> |                    | rest ======> | ==========> |   = hardware
        |       packet        |                    |   packet by packet         |     broadcast
        | <--------------ACK  |                    | <-------ACK  | <-------ACK |
   @endverbatim
 *
 * A node has two sequences of steps, which run on two CPUs if it has them: the system calls of its
 * process, and the reception handler; each further sending process has a sequence of its own. A
 * step is work for the host, followed by an action. Without EqaConfig::hostWork steps take no time.
 *
 * The processes of a node share its send-only DPs (section 3.1). The tag of a message selects the
 * process that sends it (EqaConfig::senders), and the DP (EqaConfig::points): messages of different
 * DPs do not wait for one another. A broadcast DP has the members of its group as consumers; other
 * nodes drop its packets. With EqaConfig::locks, a sequence that enters a message, walks the light
 * DPs or updates them holds the DP's lock, and others spin until it is free.
 *
 * A receive is also a request: with flags RECEIVE, and the sender in `to` (section 2: the pull
 * phase begins when the receive operation is started). Receives match the messages of their channel
 * in order.
 */
class EqaCore
{
    using Work = messaging::WorkKind;
    using Frame = messaging::Frame;
    using Peer = messaging::Peer;

  public:
    /**
     * Constructor.
     * @param self the node
     * @param peers number of nodes
     * @param config the parameters, not owned
     */
    EqaCore(Peer self, uint32_t peers, const EqaConfig* config)
        : m_config(config),
          m_sendOf((peers + std::size_t{1}) * config->points, NONE),
          m_receiveOf(2 * std::size_t{peers} * config->points, NONE),
          m_lines(std::size_t{1} + config->senders),
          m_self(self),
          m_peers(peers)
    {
    }

    /**
     * Post a message or a receive.
     * @param request the message or receive
     * @param out actions
     * @return stalled if the send or receive queue is full
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out);

    /**
     * Handle the arrival of a frame at the card.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out);

    /**
     * Handle the timeout of a channel.
     * @param timer index of its send-only DP
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out);

    /**
     * Handle the end of a step's work.
     * @param work PROCESS or HANDLER
     * @param out actions
     */
    template <class Out>
    void OnDone(messaging::WorkId work, Out& out);

    /**
     * Send the frames that waited for the port.
     * @param out actions
     */
    template <class Out>
    void OnReady(Out& out);

    /** @return the size of the largest message [bytes]. */
    static uint32_t GetLargestMessage()
    {
        return MAX_MESSAGE;
    }

    /** @param encoder collects the canonical state */
    void Encode(messaging::Encoder& encoder) const;

    /** @return the send-only DPs in the order of their creation. */
    const std::vector<SendPoint>& GetSendPoints() const
    {
        return m_sends;
    }

    /** @return the receive-only DPs in the order of their creation. */
    const std::vector<ReceivePoint>& GetReceivePoints() const
    {
        return m_receives;
    }

    /** @return the tag of the message whose send call returned last (Event::RETURNED). */
    uint32_t GetReturnedTag() const
    {
        return m_returnedTag;
    }

  private:
    static constexpr uint32_t NONE = 0xffffffff;      ///< No DP.
    static constexpr uint64_t DAMAGED = ~uint64_t{0}; ///< Contents that mark a damaged message.
    static constexpr uint8_t MOST_DOUBLINGS = 6;      ///< Doublings of a timeout, at most.

    static constexpr uint64_t PUSH_ANSWER = 256;  ///< Flag of an answer: ends a push phase.
    static constexpr uint64_t PROBE_ANSWER = 512; ///< Flag of an answer: to a PROBE.

    /** Sequences of steps; the values of WorkId. Those of further senders follow. */
    enum Line : uint8_t
    {
        PROCESS, ///< The process that receives, and the first one that sends.
        HANDLER  ///< The reception handler, started by an interrupt.
    };

    /** Action at the end of a step's work. */
    enum class Action : uint8_t
    {
        NOTHING,       ///< No action.
        ENTER_SEND,    ///< Complete the system call of a send.
        ENTER_RECEIVE, ///< Complete the system call of a receive.
        TRANSLATED,    ///< Complete the translation of a message's addresses.
        LOCK,          ///< Take the lock of a DP.
        UNLOCK,        ///< Release it.
        EMIT,          ///< Send a packet.
        RESEND,        ///< Resend a packet.
        CONTROL,       ///< Send an ACK or ASK.
        PROBE,         ///< Send a PROBE.
        HANDLE,        ///< Handle a frame.
        PLACE,         ///< Accept a packet that was copied to its destination.
        BUFFER,        ///< Accept a packet that was copied into the pushed buffer.
        DRAIN,         ///< Remove a copied packet from the pushed buffer.
        WAKE           ///< Resume the process with its message.
    };

    /** A step: work, and the action at its end. */
    struct Step
    {
        uint64_t amount{0};             ///< Amount of work.
        Work kind{Work::INSTRUCTIONS};  ///< Kind of work.
        Action action{Action::NOTHING}; ///< Action at its end.
        uint32_t point{0};              ///< Index of the DP.
        uint64_t argument{0};           ///< Argument of the action.
    };

    /** A sequence of steps. */
    struct Steps
    {
        messaging::Fifo<Step> steps; ///< The pending steps.
        bool working{false};         ///< The host executes the first one.
        bool spinning{false};        ///< It executes an attempt to get a lock.
    };

    /** A frame in the card's receive ring, or one that waits for the port. */
    struct Received
    {
        Frame frame;  ///< The frame.
        Peer peer{0}; ///< Sender of a received frame; receiver of a waiting one.
    };

    // ---- Steps ----

    /** Count an event. @param event the event @param out actions */
    template <class Out>
    static void Note(Event event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /**
     * Append a step.
     * @param line the sequence
     * @param kind kind of its work
     * @param amount amount of its work
     * @param action action at its end
     * @param point index of the DP
     * @param argument argument of the action
     */
    void Add(Line line,
             Work kind,
             uint64_t amount,
             Action action = Action::NOTHING,
             uint32_t point = 0,
             uint64_t argument = 0)
    {
        m_lines[line].steps.Push(Step{amount, kind, action, point, argument});
    }

    /**
     * Append a step of CPU time.
     * @param line the sequence
     * @param time the CPU time
     * @param action action at its end
     * @param point index of the DP
     * @param argument argument of the action
     */
    void Compute(Line line,
                 Time time,
                 Action action = Action::NOTHING,
                 uint32_t point = 0,
                 uint64_t argument = 0);

    /**
     * Append the step that takes a DP's lock.
     * @param line the sequence
     * @param index index of the send-only DP
     */
    void Lock(Line line, uint32_t index)
    {
        Add(line, Work::INSTRUCTIONS, 0, Action::LOCK, index);
    }

    /** @param point a send-only DP @return true if it has a lock */
    bool HasLock(const SendPoint& point) const
    {
        return m_config->locks && point.IsBroadcast();
    }

    /** @param tag tag of a message @return the sequence of the process that sends it */
    Line GetLine(uint32_t tag) const
    {
        const uint32_t sender = tag % m_config->senders;
        if (sender == 0)
        {
            return PROCESS;
        }
        return static_cast<Line>(HANDLER + sender);
    }

    /** @param frame a packet @return the number of its DP, among those of its channel */
    uint32_t GetNumber(const Frame& frame) const
    {
        // The upper half of the number of a packet is a message's tag, or a DP.
        return static_cast<uint32_t>(frame.id >> 32) % m_config->points;
    }

    /**
     * Append the steps that send an ACK or an ASK.
     * @param line the sequence
     * @param index index of the receive-only DP
     * @param kind ACK or ASK
     * @param more a flag: PUSH_ANSWER, PROBE_ANSWER or 0
     */
    void Answer(Line line, uint32_t index, PacketKind kind, uint64_t more = 0)
    {
        const uint64_t argument = static_cast<uint64_t>(kind) | more;
        Compute(line, m_config->transmitTime, Action::CONTROL, index, argument);
    }

    /** Perform all steps that take no time, and start the next ones. @param out actions */
    template <class Out>
    void Run(Out& out);

    /**
     * Begin to handle the next frame of the receive ring.
     * @return false if there is none; the reception handler ends
     */
    bool BeginHandling();

    /**
     * Perform the steps of one sequence.
     * @param which the sequence
     * @param out actions
     * @return true if a step was performed
     */
    template <class Out>
    bool RunLine(Line which, Out& out);

    /**
     * Perform the action of a step.
     * @param line the sequence
     * @param step the step
     * @param out actions
     */
    template <class Out>
    void Perform(Line line, const Step& step, Out& out);

    /** Handle the first frame of the receive ring. @param out actions */
    template <class Out>
    void Handle(Out& out);

    /**
     * Send a frame, or keep it until the port is ready.
     * @param to the receiver, or NO_PEER
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void Transmit(Peer to, const Frame& frame, Out& out);

    // ---- Sender of a channel ----

    /** Post a message. @param request the message @param out actions @return the acceptance */
    template <class Out>
    messaging::Acceptance PostSend(const messaging::Request& request, Out& out);

    /**
     * Prepare the next packet of a channel, if it can be sent.
     * @param line the sequence that sends it
     * @param index index of the DP
     * @param out actions
     */
    template <class Out>
    void Pump(Line line, uint32_t index, Out& out);

    /**
     * Store a packet and send it.
     * @param line the sequence that sends it
     * @param index index of the DP
     * @param payload payload of the packet [bytes]
     * @param out actions
     */
    template <class Out>
    void Emit(Line line, uint32_t index, uint32_t payload, Out& out);

    /**
     * Prepare to resend the next packet that a receiver has lost.
     * @param line the sequence that sends it
     * @param index index of the DP
     * @param consumer the receiver's index
     */
    void PumpResend(Line line, uint32_t index, uint32_t consumer);

    /**
     * Resend a packet.
     * @param line the sequence that sends it
     * @param index index of the DP
     * @param consumer the receiver's index
     * @param out actions
     */
    template <class Out>
    void Resend(Line line, uint32_t index, uint32_t consumer, Out& out);

    /**
     * Fill a light DP's send queue with all packets that its receiver lacks (go-back-N).
     * @param point the DP
     * @param consumer the receiver's index
     */
    static void GoBack(SendPoint& point, uint32_t consumer)
    {
        point.lights[consumer].first = point.queue.GetConsumers()[consumer].next;
        point.lights[consumer].end = point.queue.GetHome().head;
    }

    /**
     * Handle an ACK or an ASK.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnAnswer(Peer from, const Frame& frame, Out& out);

    /** @param point a DP @param receiver a node @return its index; NO_CONSUMER if it has none */
    uint32_t GetConsumer(const SendPoint& point, Peer receiver) const
    {
        if (!point.IsBroadcast())
        {
            return 0;
        }
        const auto& consumers = point.queue.GetConsumers();
        if (consumers.size() + 1 < m_peers)
        {
            const auto found =
                std::find_if(consumers.begin(), consumers.end(), [receiver](const auto& local) {
                    return local.to == receiver;
                });
            if (found == consumers.end())
            {
                return NO_CONSUMER;
            }
            return static_cast<uint32_t>(found - consumers.begin());
        }
        // All nodes but this one, in order.
        if (receiver > m_self)
        {
            return receiver - 1;
        }
        return receiver;
    }

    /**
     * Release the packets that a receiver has acknowledged, and restart the timeout.
     * @param index index of the DP
     * @param consumer the receiver's index
     * @param needed first packet that it still needs
     * @param out actions
     */
    template <class Out>
    void Acknowledge(uint32_t index, uint32_t consumer, uint64_t needed, Out& out);

    /**
     * Note that a receiver lacks packets; Push-Pull Broadcast suspends the channel (section 3.3).
     * @param point the DP
     * @param consumer the receiver's index
     * @param out actions
     */
    template <class Out>
    void BeginRecovery(SendPoint& point, uint32_t consumer, Out& out);

    /**
     * Note that a receiver has caught up.
     * @param point the DP
     * @param consumer the receiver's index
     * @param out actions
     */
    template <class Out>
    void EndRecovery(SendPoint& point, uint32_t consumer, Out& out);

    /**
     * Handle a pull.
     * @param point the DP
     * @param frame the ACK with it
     * @param needed first packet that the receiver still needs
     */
    void OnPull(SendPoint& point, const Frame& frame, uint64_t needed);

    /**
     * Complete the messages that all receivers have acknowledged.
     * @param index index of the DP
     * @param out actions
     */
    template <class Out>
    void CompleteMessages(uint32_t index, Out& out);

    /** @return the CPU time of the MPI library, which only Simple Broadcast uses (4.1) */
    Time GetLibraryTime() const
    {
        if (m_config->broadcast == BroadcastKind::SIMPLE)
        {
            return m_config->mpiTime;
        }
        return Time();
    }

    /** @param point a DP @return the CPU time to scan the list of its light DPs */
    Time GetListTime(const SendPoint& point) const
    {
        if (!point.IsBroadcast())
        {
            return Time();
        }
        const auto lights = static_cast<int64_t>(point.lights.size());
        return lights * m_config->processes * m_config->lightTime;
    }

    /**
     * @param point a receive-only DP, which represents those of all processes of the node
     * @return the number of processes that receive its messages
     */
    uint32_t GetNOwners(const ReceivePoint& point) const
    {
        if (point.broadcast)
        {
            return m_config->processes;
        }
        return 1;
    }

    /** @param point a DP @return true if its channel has no push and pull phases (section 3.2) */
    bool IsSimple(const SendPoint& point) const
    {
        return point.IsBroadcast() && m_config->broadcast == BroadcastKind::SIMPLE;
    }

    /** @param point a DP @param entry its message @return true if a pull requests a part of it */
    bool IsPulledInParts(const SendPoint& point, const SendEntry& entry) const
    {
        return point.IsBroadcast() && !IsSimple(point) && m_config->pullPackets > 0 &&
               entry.pulled && entry.sent >= m_config->GetBtp();
    }

    /** @param point a DP @param entry its message @return the part that can be sent [bytes] */
    uint32_t GetLimit(const SendPoint& point, const SendEntry& entry) const;

    /** @param point a DP @param entry its message @return payload of its next packet [bytes] */
    uint32_t GetNextPayload(const SendPoint& point, const SendEntry& entry) const;

    /**
     * Check whether a packet ends a push phase, or a part that a pull has requested.
     * @param point the DP
     * @param entry its message, before the packet is counted
     * @param end end of the packet in the message [bytes]
     * @return true if so
     */
    bool EndsPush(const SendPoint& point, const SendEntry& entry, uint32_t end) const;

    /**
     * Check whether every receiver acknowledges a packet.
     * @param point the DP
     * @param entry its message, before the packet is counted
     * @param end end of the packet in the message [bytes]
     * @return true if so
     */
    bool NeedsAck(const SendPoint& point, const SendEntry& entry, uint32_t end) const;

    /**
     * Get the flags of a packet.
     * @param point the DP
     * @param entry its message, before the packet is counted
     * @param payload payload of the packet [bytes]
     * @return the flags
     */
    uint8_t GetFlags(const SendPoint& point, const SendEntry& entry, uint32_t payload) const;

    /** @param point a DP @param number number of a stored packet @return a frame with it */
    Frame MakeData(const SendPoint& point, uint64_t number) const;

    /**
     * Make a packet without data.
     * @param kind kind of packet
     * @param broadcast whether it belongs to a broadcast channel
     * @param number number of its DP
     * @return its frame
     */
    Frame MakeControl(PacketKind kind, bool broadcast, uint32_t number) const
    {
        Frame frame{.id = uint64_t{number} << 32,
                    .header = HEADER,
                    .kind = static_cast<uint8_t>(kind)};
        if (broadcast)
        {
            frame.flags = OF_BROADCAST;
        }
        return frame;
    }

    // ---- Receiver of a channel ----

    /** Post a receive. @param request the receive @param out actions @return the acceptance */
    template <class Out>
    messaging::Acceptance PostReceive(const messaging::Request& request, Out& out);

    /**
     * Complete the system call of a receive.
     * @param index index of the DP
     */
    void EnterReceive(uint32_t index);

    /**
     * Handle a data packet.
     * @param from its sender
     * @param frame the packet
     * @param out actions
     */
    template <class Out>
    void OnData(Peer from, const Frame& frame, Out& out);

    /**
     * Accept the copied packet, and release its descriptor.
     * @param index index of the DP
     * @param buffered whether it was copied into the pushed buffer
     * @param out actions
     */
    template <class Out>
    void Take(uint32_t index, bool buffered, Out& out);

    /**
     * Count an accepted packet, and answer if an answer is due.
     * @param index index of the DP
     * @param frame the packet
     */
    void Accept(uint32_t index, const Frame& frame);

    /**
     * Count a packet that is in its destination.
     * @param index index of the DP
     * @param packet the packet
     */
    void Place(uint32_t index, const PushedPacket& packet);

    /**
     * Begin to empty the pushed buffer, if a receive waits for its contents; request the packets
     * that were lost when it was full.
     * @param index index of the DP
     */
    void Drain(uint32_t index);

    /**
     * Handle a PROBE.
     * @param from its sender
     * @param frame the frame
     */
    void OnProbe(Peer from, const Frame& frame);

    /**
     * Send an ACK or an ASK.
     * @param index index of the DP
     * @param argument the kind of packet, with its flag
     * @param out actions
     */
    template <class Out>
    void SendAnswer(uint32_t index, uint64_t argument, Out& out);

    /**
     * Choose the receiver that acknowledges push phases: the next member of the group.
     * @param root a broadcaster
     * @param number number of its DP
     * @return the receiver
     */
    Peer GetChosen(Peer root, uint32_t number) const
    {
        Peer chosen = (root + 1) % m_peers;
        while (chosen != root && !m_config->IsMember(number, chosen))
        {
            chosen = (chosen + 1) % m_peers;
        }
        return chosen;
    }

    /**
     * Check whether this node acknowledges a packet by ReleaseRule::IN_TURN.
     * @param point the DP, which has just accepted a packet
     * @return true if so
     */
    bool IsTurn(const ReceivePoint& point) const
    {
        return point.broadcast && m_config->broadcast == BroadcastKind::PUSH_PULL &&
               m_config->release == ReleaseRule::IN_TURN &&
               (point.expected + m_self) % (m_config->window / 2) == 0;
    }

    // ---- DPs and numbers ----

    /** @param to a receiver, or NO_PEER @return the index of its channel in m_sendOf */
    uint32_t GetChannel(Peer to) const
    {
        if (to == messaging::NO_PEER)
        {
            return m_peers;
        }
        return to;
    }

    /**
     * Find or create a send-only DP.
     * @param to the receiver, or NO_PEER
     * @param number its number among the DPs to this receiver
     * @return its index
     */
    uint32_t GetSendPoint(Peer to, uint32_t number);

    /**
     * Find or create a receive-only DP.
     * @param from the sender
     * @param broadcast whether for the sender's broadcast channel
     * @param number its number among the DPs for this channel
     * @return its index
     */
    uint32_t GetReceivePoint(Peer from, bool broadcast, uint32_t number);

    /** @param bytes a size [bytes] @return the number of pages that it occupies */
    static int64_t GetPages(uint32_t bytes)
    {
        return (int64_t{bytes} + PAGE - 1) / PAGE;
    }

    /**
     * Expand the lower 32 bits of a number, which a frame carries.
     * @param bits the lower 32 bits
     * @param near a number less than 2^31 away
     * @return the number
     */
    static uint64_t Expand(uint64_t bits, uint64_t near)
    {
        return near +
               static_cast<int32_t>(static_cast<uint32_t>(bits) - static_cast<uint32_t>(near));
    }

    const EqaConfig* m_config;            ///< The parameters, not owned.
    std::vector<SendPoint> m_sends;       ///< Send-only DPs.
    std::vector<ReceivePoint> m_receives; ///< Receive-only DPs.
    std::vector<uint32_t> m_sendOf;       ///< Index by receiver, last for all, and number.
    std::vector<uint32_t> m_receiveOf;    ///< Index by sender, channel and number.
    messaging::Fifo<Received> m_ring;     ///< The card's receive ring.
    messaging::Fifo<Received> m_unsent;   ///< Frames that wait for the port.
    std::vector<Steps> m_lines;           ///< Sequences of steps, by Line.
    Peer m_self;                          ///< The node.
    uint32_t m_peers;                     ///< Number of nodes.
    uint32_t m_returnedTag{0};            ///< Tag of the message whose send call returned last.
    bool m_handling{false};               ///< The reception handler runs.
};

template <class Out>
messaging::Acceptance
EqaCore::OnRequest(const messaging::Request& request, Out& out)
{
    using messaging::Acceptance;
    const bool all = request.to == messaging::NO_PEER;
    if (request.to == m_self || (!all && request.to >= m_peers))
    {
        return Acceptance::REFUSED;
    }
    if (request.flags & RECEIVE)
    {
        if (request.flags > (RECEIVE | BROADCAST_CHANNEL) || all || m_config->standing)
        {
            return Acceptance::REFUSED;
        }
        return PostReceive(request, out);
    }
    if (request.flags != 0 || request.bytes > MAX_MESSAGE)
    {
        return Acceptance::REFUSED;
    }
    const uint32_t number = request.tag % m_config->points;
    if (all && !m_config->IsMember(number, m_self))
    {
        return Acceptance::REFUSED;
    }
    if (all && GetChosen(m_self, number) == m_self)
    {
        // There is no other node, or no other member.
        m_returnedTag = request.tag;
        Note(Event::RETURNED, out);
        out.Complete(request.id, messaging::Completion::SENT);
        return Acceptance::ACCEPTED;
    }
    return PostSend(request, out);
}

template <class Out>
void
EqaCore::OnFrame(Peer from, const Frame& frame, Out& out)
{
    if (from >= m_peers || from == m_self)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    if (m_ring.GetN() >= m_config->receiveRing)
    {
        Note(Event::RING_OVERFLOW, out);
        return;
    }
    m_ring.Push(Received{frame, from});
    Run(out);
}

template <class Out>
void
EqaCore::OnTimer(messaging::TimerId timer, Out& out)
{
    if (timer >= m_sends.size() || !m_sends[timer].armed)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    const auto index = static_cast<uint32_t>(timer);
    SendPoint& point = m_sends[index];
    Note(Event::TIMEOUT, out);
    point.silence = std::min<uint8_t>(point.silence + 1, MOST_DOUBLINGS);
    out.Arm(timer, m_config->timeoutTicks << point.silence);

    const bool simple = IsSimple(point);
    const bool waits = point.current < point.entered;
    Peer chosen = point.to;
    if (point.IsBroadcast())
    {
        chosen = GetChosen(m_self, point.number);
    }
    uint32_t probes = 0;
    const auto& consumers = point.queue.GetConsumers();
    for (uint32_t i = point.queue.GetHome().first; i != NO_CONSUMER; i = consumers[i].follower)
    {
        const bool behind = consumers[i].next < point.queue.GetHome().head;
        if (simple && behind && point.lights[i].IsIdle())
        {
            // Section 3.2: "the DP sends the lost packets based on the LMS".
            GoBack(point, i);
            PumpResend(HANDLER, index, i);
        }
        else if (!simple && probes < m_config->window &&
                 (behind || (waits && consumers[i].to == chosen)))
        {
            // At most a window, since all answers pass the root's port of the switch.
            ++probes;
            Compute(HANDLER, m_config->transmitTime, Action::PROBE, index, consumers[i].to);
        }
    }
    Run(out);
}

template <class Out>
void
EqaCore::OnDone(messaging::WorkId work, Out& out)
{
    if (work >= m_lines.size() || !m_lines[work].working)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    Steps& line = m_lines[work];
    line.working = false;
    if (std::exchange(line.spinning, false))
    {
        Run(out);
        return;
    }
    const Step step = line.steps.Pop();
    Perform(static_cast<Line>(work), step, out);
    Run(out);
}

template <class Out>
void
EqaCore::OnReady(Out& out)
{
    for (const auto& [frame, to] : std::exchange(m_unsent, {}))
    {
        Transmit(to, frame, out);
    }
    Run(out);
}

template <class Out>
void
EqaCore::Run(Out& out)
{
    bool any = true;
    while (any)
    {
        any = false;
        for (std::size_t line = PROCESS; line < m_lines.size(); ++line)
        {
            any = RunLine(static_cast<Line>(line), out) || any;
        }
    }
}

template <class Out>
bool
EqaCore::RunLine(Line which, Out& out)
{
    bool any = false;
    while (!m_lines[which].working)
    {
        Steps& line = m_lines[which];
        if (line.steps.IsEmpty())
        {
            if (which != HANDLER || !BeginHandling())
            {
                return any;
            }
            any = true;
        }
        const Step step = line.steps.Front();
        if (step.action == Action::LOCK && m_sends[step.point].locked)
        {
            Note(Event::LOCK_HELD, out);
            line.working = line.spinning = true;
            const auto attempt = static_cast<uint64_t>(m_config->lockTime.GetNanoSeconds());
            out.Do(messaging::Work{which, attempt, Work::INSTRUCTIONS});
            return any;
        }
        if (m_config->hostWork && step.amount > 0)
        {
            line.working = true;
            out.Do(messaging::Work{which, step.amount, step.kind});
            return any;
        }
        line.steps.Pop();
        Perform(which, step, out);
        any = true;
    }
    return any;
}

template <class Out>
void
EqaCore::Perform(Line line, const Step& step, Out& out)
{
    switch (step.action)
    {
    case Action::NOTHING:
        return;
    case Action::ENTER_SEND: {
        SendPoint& point = m_sends[step.point];
        point.locked = false;
        SendEntry& entry = point.GetEntry(step.argument);
        entry.translated = !m_config->maskTranslation || GetLimit(point, entry) == entry.bytes;
        entry.entered = true;
        // The call of another process for an earlier message may take longer.
        const uint64_t end = point.first + point.entries.GetN();
        while (point.entered < end && point.GetEntry(point.entered).entered)
        {
            ++point.entered;
        }
        Pump(line, step.point, out);
        return;
    }
    case Action::ENTER_RECEIVE:
        EnterReceive(step.point);
        return;
    case Action::TRANSLATED:
        m_sends[step.point].GetEntry(step.argument).translated = true;
        Pump(line, step.point, out);
        return;
    case Action::LOCK:
        m_sends[step.point].locked = true;
        return;
    case Action::UNLOCK:
        m_sends[step.point].locked = false;
        return;
    case Action::EMIT:
        Emit(line, step.point, static_cast<uint32_t>(step.argument), out);
        return;
    case Action::RESEND:
        Resend(line, step.point, static_cast<uint32_t>(step.argument), out);
        return;
    case Action::CONTROL:
        SendAnswer(step.point, step.argument, out);
        return;
    case Action::PROBE: {
        const SendPoint& point = m_sends[step.point];
        Frame frame = MakeControl(PacketKind::PROBE, point.IsBroadcast(), point.number);
        frame.id |= static_cast<uint32_t>(point.queue.GetHome().head);
        Note(Event::PROBE_SENT, out);
        Transmit(static_cast<Peer>(step.argument), frame, out);
        return;
    }
    case Action::HANDLE:
        Handle(out);
        return;
    case Action::PLACE:
    case Action::BUFFER:
        Take(step.point, step.action == Action::BUFFER, out);
        return;
    case Action::DRAIN: {
        ReceivePoint& point = m_receives[step.point];
        const PushedPacket packet = point.pushed.Pop();
        point.draining = false;
        Note(Event::DRAINED, out);
        Place(step.point, packet);
        Drain(step.point);
        return;
    }
    case Action::WAKE: {
        ReceivePoint& point = m_receives[step.point];
        const messaging::Delivery delivery = point.done.Pop();
        messaging::RequestId id = NO_ID;
        if (!m_config->standing)
        {
            id = point.receives.Pop();
        }
        out.Deliver(delivery);
        if (id != NO_ID)
        {
            out.Complete(id, messaging::Completion::SENT);
        }
        return;
    }
    }
}

template <class Out>
void
EqaCore::Handle(Out& out)
{
    const auto [frame, from] = m_ring.Front();
    const auto kind = static_cast<PacketKind>(frame.kind);
    if (kind == PacketKind::DATA)
    {
        OnData(from, frame, out);
        return;
    }
    m_ring.Pop();
    if (kind == PacketKind::ACK || kind == PacketKind::ASK)
    {
        OnAnswer(from, frame, out);
    }
    else if (kind == PacketKind::PROBE)
    {
        OnProbe(from, frame);
    }
    else
    {
        Note(Event::ILLEGAL, out);
    }
}

template <class Out>
void
EqaCore::Transmit(Peer to, const Frame& frame, Out& out)
{
    if (!m_unsent.IsEmpty() || !out.Send(to, frame))
    {
        m_unsent.Push(Received{frame, to});
    }
}

template <class Out>
messaging::Acceptance
EqaCore::PostSend(const messaging::Request& request, Out& out)
{
    const uint32_t index = GetSendPoint(request.to, request.tag % m_config->points);
    SendPoint& point = m_sends[index];
    if (point.entries.GetN() == m_config->queue)
    {
        return messaging::Acceptance::STALLED;
    }
    const SendEntry entry{.id = request.id,
                          .contents = request.contents,
                          .bytes = request.bytes,
                          .tag = request.tag};
    const uint32_t limit = GetLimit(point, entry);
    const uint64_t message = point.first + point.entries.GetN();
    point.entries.Push(entry);
    const Line line = GetLine(request.tag);
    Compute(line, GetLibraryTime());
    Add(line, Work::SYSTEM_CALL, 1);
    if (!m_config->maskTranslation)
    {
        Compute(line, GetPages(entry.bytes - limit) * m_config->translateTime);
    }
    if (HasLock(point))
    {
        Lock(line, index);
    }
    Add(line, Work::INSTRUCTIONS, 0, Action::ENTER_SEND, index, message);
    Run(out);
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
EqaCore::Pump(Line line, uint32_t index, Out& out)
{
    SendPoint& point = m_sends[index];
    if (point.emitting || point.current >= point.entered)
    {
        return;
    }
    // Section 3.3: suspended until all receivers with losses have caught up.
    if (point.recovering > 0 && !IsSimple(point))
    {
        return;
    }
    const SendEntry& entry = point.GetEntry(point.current);
    if ((entry.started && entry.sent >= GetLimit(point, entry)) ||
        (IsPulledInParts(point, entry) && point.queue.GetHome().head >= entry.granted))
    {
        return;
    }
    if (!point.queue.HasRoom())
    {
        Note(Event::WINDOW_FULL, out);
        return;
    }
    const uint32_t payload = GetNextPayload(point, entry);
    point.emitting = true;
    if (!m_config->insideNode)
    {
        Add(line, Work::COPY, payload);
    }
    // Section 3.1: conceptually, a packet is sent through every light DP.
    if (HasLock(point))
    {
        Compute(line, m_config->transmitTime);
        Lock(line, index);
        Compute(line, GetListTime(point), Action::EMIT, index, payload);
        return;
    }
    Compute(line, m_config->transmitTime + GetListTime(point), Action::EMIT, index, payload);
}

template <class Out>
void
EqaCore::Emit(Line line, uint32_t index, uint32_t payload, Out& out)
{
    SendPoint& point = m_sends[index];
    point.emitting = point.locked = false;
    SendEntry& entry = point.GetEntry(point.current);
    const uint8_t flags = GetFlags(point, entry, payload);
    const uint64_t number = point.queue.Produce(
        StoredPacket{entry.contents, payload, entry.bytes, entry.tag, 0, flags});
    entry.started = true;
    entry.sent += payload;
    entry.last = number;
    for (auto& light : point.lights)
    {
        // A receiver that is behind would detect a gap before this packet.
        if (!light.IsIdle())
        {
            light.end = number + 1;
        }
    }
    if (point.IsBroadcast())
    {
        Note(Event::BROADCAST, out);
    }
    else
    {
        Note(Event::UNICAST, out);
    }
    Transmit(point.to, MakeData(point, number), out);
    if (!point.armed)
    {
        point.armed = true;
        out.Arm(index, m_config->timeoutTicks);
    }
    const bool pushed = entry.sent >= GetLimit(point, entry) && !entry.translated;
    if (pushed && entry.sent < entry.bytes)
    {
        // Address Translation Overhead Masking: while the push is in flight.
        const Time time = GetPages(entry.bytes - entry.sent) * m_config->translateTime;
        Compute(GetLine(entry.tag), time, Action::TRANSLATED, index, point.current);
    }
    if (entry.sent == entry.bytes)
    {
        ++point.current;
        m_returnedTag = entry.tag;
        Note(Event::RETURNED, out);
        if (line != HANDLER && point.current < point.entered)
        {
            // The next message is sent in the call of its own process.
            line = GetLine(point.GetEntry(point.current).tag);
        }
    }
    Pump(line, index, out);
}

template <class Out>
void
EqaCore::Resend(Line line, uint32_t index, uint32_t consumer, Out& out)
{
    SendPoint& point = m_sends[index];
    LightPoint& light = point.lights[consumer];
    light.resending = false;
    const LocalStructure& local = point.queue.GetConsumers()[consumer];
    if (!light.IsIdle() && light.first >= local.next)
    {
        Frame frame = MakeData(point, light.first++);
        if (light.IsIdle())
        {
            frame.flags |= ACK_ME;
        }
        Note(Event::RESENT, out);
        Transmit(local.to, frame, out);
    }
    PumpResend(line, index, consumer);
}

template <class Out>
void
EqaCore::OnAnswer(Peer from, const Frame& frame, Out& out)
{
    Peer to = from;
    if (frame.flags & OF_BROADCAST)
    {
        to = messaging::NO_PEER;
    }
    const uint32_t index =
        m_sendOf[std::size_t{GetChannel(to)} * m_config->points + GetNumber(frame)];
    if (index == NONE || GetConsumer(m_sends[index], from) == NO_CONSUMER)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    SendPoint& point = m_sends[index];
    const uint32_t consumer = GetConsumer(point, from);
    const uint64_t next = point.queue.GetConsumers()[consumer].next;
    const uint64_t needed = Expand(frame.id, next);
    if (needed > point.queue.GetHome().head)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    if (needed < next)
    {
        Note(Event::STALE, out);
        return;
    }
    if (needed > next)
    {
        Acknowledge(index, consumer, needed, out);
    }
    const bool behind = needed < point.queue.GetHome().head;
    if (!behind)
    {
        EndRecovery(point, consumer, out);
    }
    if (frame.flags & PULL)
    {
        OnPull(point, frame, needed);
    }
    if (frame.kind == static_cast<uint8_t>(PacketKind::ASK) && behind)
    {
        BeginRecovery(point, consumer, out);
        GoBack(point, consumer);
        PumpResend(HANDLER, index, consumer);
    }
    CompleteMessages(index, out);
    Pump(HANDLER, index, out);
}

template <class Out>
void
EqaCore::Acknowledge(uint32_t index, uint32_t consumer, uint64_t needed, Out& out)
{
    SendPoint& point = m_sends[index];
    point.queue.Consume(consumer, needed);
    // The update scans the LMSs for free slots (section 3.1).
    if (HasLock(point))
    {
        Lock(HANDLER, index);
        Compute(HANDLER, GetListTime(point), Action::UNLOCK, index);
    }
    else
    {
        Compute(HANDLER, GetListTime(point));
    }
    point.silence = 0;
    if (point.armed)
    {
        out.Arm(index, m_config->timeoutTicks);
    }
}

template <class Out>
void
EqaCore::BeginRecovery(SendPoint& point, uint32_t consumer, Out& out)
{
    LightPoint& light = point.lights[consumer];
    if (light.recovering)
    {
        return;
    }
    light.recovering = true;
    if (++point.recovering == 1 && !IsSimple(point))
    {
        Note(Event::SUSPENDED, out);
    }
}

template <class Out>
void
EqaCore::EndRecovery(SendPoint& point, uint32_t consumer, Out& out)
{
    LightPoint& light = point.lights[consumer];
    if (!light.recovering)
    {
        return;
    }
    light.recovering = false;
    if (--point.recovering == 0 && !IsSimple(point))
    {
        Note(Event::RESUMED, out);
    }
}

template <class Out>
void
EqaCore::CompleteMessages(uint32_t index, Out& out)
{
    while (m_sends[index].first < m_sends[index].current)
    {
        SendPoint& point = m_sends[index];
        if (point.queue.GetHome().tail <= point.entries.Front().last)
        {
            break;
        }
        ++point.first;
        // SENT: it may be in the pushed buffer of a receiver without a posted receive.
        out.Complete(point.entries.Pop().id, messaging::Completion::SENT);
    }
    SendPoint& point = m_sends[index];
    if (point.armed && point.entries.IsEmpty())
    {
        point.armed = false;
        point.silence = 0;
        out.Cancel(index);
    }
}

template <class Out>
messaging::Acceptance
EqaCore::PostReceive(const messaging::Request& request, Out& out)
{
    const uint32_t index = GetReceivePoint(request.to,
                                           request.flags & BROADCAST_CHANNEL,
                                           request.tag % m_config->points);
    ReceivePoint& point = m_receives[index];
    if (point.requested - point.placed == m_config->queue)
    {
        return messaging::Acceptance::STALLED;
    }
    point.receives.Push(request.id);
    ++point.requested;
    Add(PROCESS, Work::SYSTEM_CALL, GetNOwners(point));
    if (!m_config->maskTranslation)
    {
        Compute(PROCESS, GetNOwners(point) * m_config->translateTime);
    }
    Add(PROCESS, Work::INSTRUCTIONS, 0, Action::ENTER_RECEIVE, index);
    Run(out);
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
EqaCore::OnData(Peer from, const Frame& frame, Out& out)
{
    const uint32_t dp = GetNumber(frame);
    const bool toGroup = (frame.flags & OF_BROADCAST) != 0;
    if (toGroup && !(m_config->IsMember(dp, m_self) && m_config->IsMember(dp, from)))
    {
        // A hardware broadcast reaches all nodes.
        m_ring.Pop();
        Note(Event::OTHER_GROUP, out);
        return;
    }
    const uint32_t index = GetReceivePoint(from, toGroup, dp);
    ReceivePoint& point = m_receives[index];
    const uint64_t number = Expand(frame.id, point.expected);
    if (number != point.expected)
    {
        m_ring.Pop();
        const bool isGap = number > point.expected;
        if (isGap)
        {
            Note(Event::GAP, out);
        }
        else
        {
            Note(Event::DUPLICATE, out);
        }
        if (isGap && !point.asked && !point.dropped)
        {
            point.asked = true;
            Answer(HANDLER, index, PacketKind::ASK);
        }
        else if (frame.flags & ACK_ME)
        {
            Answer(HANDLER, index, PacketKind::ACK);
        }
        return;
    }
    const bool starts = (frame.flags & FIRST) != 0;
    if (frame.payload > m_config->maxPayload || frame.payload > frame.aux ||
        starts == point.started || (point.started && frame.aux != point.arrivingBytes))
    {
        // No sender creates such a packet.
        m_ring.Pop();
        Note(Event::ILLEGAL, out);
        return;
    }
    const int64_t owners = GetNOwners(point);
    // Section 3.1: the lock and the entry of each further DP that gets the packet.
    const Time walk = (owners - 1) * m_config->lightTime;
    if (point.IsExpected() && point.pushed.IsEmpty())
    {
        uint64_t copies = owners;
        if (!m_config->zeroBuffer)
        {
            copies = 2 * owners;
        }
        Compute(HANDLER, walk);
        Add(HANDLER, Work::COPY, copies * frame.payload, Action::PLACE, index);
    }
    else if (point.pushed.Fits(frame.payload))
    {
        Compute(HANDLER, walk);
        Add(HANDLER, Work::COPY, owners * frame.payload, Action::BUFFER, index);
    }
    else
    {
        m_ring.Pop();
        Note(Event::BUFFER_OVERFLOW, out);
        point.dropped = true;
        if (frame.flags & ACK_ME)
        {
            Answer(HANDLER, index, PacketKind::ACK);
        }
    }
}

template <class Out>
void
EqaCore::Take(uint32_t index, bool buffered, Out& out)
{
    const Frame frame = m_ring.Pop().frame;
    const PushedPacket packet{frame.contents,
                              frame.payload,
                              frame.aux,
                              static_cast<uint32_t>(frame.id >> 32)};
    if (buffered)
    {
        Note(Event::BUFFERED, out);
        m_receives[index].pushed.Push(packet);
        Accept(index, frame);
        Drain(index);
    }
    else
    {
        Note(Event::DIRECT, out);
        Accept(index, frame);
        Place(index, packet);
    }
}

template <class Out>
void
EqaCore::SendAnswer(uint32_t index, uint64_t argument, Out& out)
{
    const ReceivePoint& point = m_receives[index];
    const auto kind = static_cast<PacketKind>(argument & ~(PUSH_ANSWER | PROBE_ANSWER));
    Frame frame = MakeControl(kind, point.broadcast, point.number);
    frame.id |= static_cast<uint32_t>(point.expected);
    frame.aux = static_cast<uint32_t>(point.arriving);
    const bool canPull = argument & (PUSH_ANSWER | PROBE_ANSWER);
    const bool pull = kind == PacketKind::ACK && point.pulled && canPull;
    if (pull)
    {
        frame.flags |= PULL;
    }
    if (point.dropped)
    {
        frame.flags |= NO_ROOM;
    }
    if (kind == PacketKind::ASK)
    {
        Note(Event::ASK_SENT, out);
    }
    else
    {
        Note(Event::ACK_SENT, out);
    }
    if (point.broadcast && (argument & PUSH_ANSWER))
    {
        Note(Event::PUSH_ACK_SENT, out);
    }
    if (pull)
    {
        Note(Event::PULL_SENT, out);
    }
    Transmit(point.from, frame, out);
}

} // namespace eqa
} // namespace ns3

#endif // EQA_CORE_H
