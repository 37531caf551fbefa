/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CORE_H
#define EQA_CORE_H

#include "eqa-config.h"
#include "eqa-point.h"

#include <array>
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

/** What a node's DPs have allocated. */
struct PointMemory
{
    uint32_t sends{0};          ///< Send-only DPs.
    uint32_t lights{0};         ///< Light DPs.
    uint32_t receives{0};       ///< Receive-only DPs.
    uint64_t sendBytes{0};      ///< Allocated by send-only DPs [bytes].
    uint64_t lightBytes{0};     ///< Allocated by light DPs [bytes].
    uint64_t receiveBytes{0};   ///< Allocated by receive-only DPs [bytes].
    uint64_t structureBytes{0}; ///< Of the overhead, what this model accounts for [bytes].
};

/**
 * @ingroup eqa
 * One node of DP-SMP: a protocol core.
 *
 * Messages of a channel - from one peer to another, or from one peer to all - are cut into packets
 * with consecutive numbers, kept in the channel's retransmission buffer until every receiver has
 * acknowledged them, and taken by receivers in order only (go-back-N).
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
 * Two things go on at a node at a time, on two CPUs if it has them: what a process does in its
 * system calls, and what the reception handler does. Each is a line of steps; a step is work for
 * the host, and what happens when it is done. Without EqaConfig::hostWork steps take no time and
 * are done at once.
 *
 * A receive is a request, too: with flags RECEIVE, and `to` naming the sender (section 2: the pull
 * phase begins when the receive operation is started). Receives match the messages of their channel
 * in order.
 */
class EqaCore
{
  public:
    /**
     * Constructor.
     * @param self the node
     * @param peers number of nodes
     * @param config the parameters, not owned
     */
    EqaCore(messaging::Peer self, uint32_t peers, const EqaConfig* config);

    /**
     * Post a message or a receive.
     * @param request what
     * @param out acts
     * @return stalled if the send or receive queue is full
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out);

    /**
     * A frame has arrived at the card.
     * @param from its sender
     * @param frame the frame
     * @param out acts
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * A channel has been silent for too long.
     * @param timer index of its send-only DP
     * @param out acts
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out);

    /**
     * The host has done a step of work.
     * @param work PROCESS or HANDLER
     * @param out acts
     */
    template <class Out>
    void OnDone(messaging::WorkId work, Out& out);

    /**
     * The port takes frames again.
     * @param out acts
     */
    template <class Out>
    void OnReady(Out& out);

    /**
     * Put what matters of the state.
     * @param encoder collects it
     */
    void Encode(messaging::Encoder& encoder) const;

    /**
     * Allocate the DPs of a channel before its first message.
     * @param to the receiver, or NO_PEER
     */
    void OpenSend(messaging::Peer to)
    {
        GetSendPoint(to);
    }

    /**
     * Allocate a receive-only DP before its first message.
     * @param from the sender; the node itself counts, as in section 4.2
     * @param broadcast whether it receives from the sender's broadcast channel
     */
    void OpenReceive(messaging::Peer from, bool broadcast)
    {
        GetReceivePoint(from, broadcast);
    }

    /** @return what the DPs have allocated. */
    PointMemory GetMemory() const;

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

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const EqaCore&) const = default;

  private:
    static constexpr uint32_t NONE = 0xffffffff; ///< No DP.

    /** The two lines of steps; the values of WorkId. */
    enum Line : uint8_t
    {
        PROCESS, ///< The process that sends or receives.
        HANDLER  ///< The reception handler, started by an interrupt.
    };

    /** What happens when a step's work is done. */
    enum class Action : uint8_t
    {
        NOTHING,       ///< Only the work counts.
        ENTER_SEND,    ///< The system call of a send has been made.
        ENTER_RECEIVE, ///< The system call of a receive has been made.
        TRANSLATED,    ///< Addresses of a message's pages are known.
        EMIT,          ///< A packet is ready to be sent.
        RESEND,        ///< A packet is ready to be sent again.
        CONTROL,       ///< An ACK or ASK is ready to be sent.
        PROBE,         ///< A PROBE is ready to be sent.
        HANDLE,        ///< The handler has looked at a frame.
        PLACE,         ///< The handler has copied a packet to its destination.
        BUFFER,        ///< The handler has copied a packet into the pushed buffer.
        DRAIN,         ///< The process has copied a packet out of the pushed buffer.
        WAKE           ///< The process goes on with its message.
    };

    /** A step: work, and what happens then. */
    struct Step
    {
        uint64_t amount{0};                                          ///< How much work.
        messaging::WorkKind kind{messaging::WorkKind::INSTRUCTIONS}; ///< What work.
        Action action{Action::NOTHING};                              ///< What happens then.
        uint32_t point{0};                                           ///< For which DP.
        uint64_t argument{0};                                        ///< More about it.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Step&) const = default;
    };

    /** Steps that follow each other. */
    struct Steps
    {
        std::vector<Step> steps; ///< From `next` on, those to be done.
        std::size_t next{0};     ///< Steps done.
        bool working{false};     ///< The host does the first one's work.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Steps&) const = default;
    };

    /** A frame in the card's receive ring. */
    struct Received
    {
        messaging::Frame frame;  ///< The frame.
        messaging::Peer peer{0}; ///< Its sender; of one that is to be sent, its receiver.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Received&) const = default;
    };

    /**
     * Count an event.
     * @param event which
     * @param out acts
     */
    template <class Out>
    static void Note(Event event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /**
     * Append a step.
     * @param line where
     * @param kind of its work
     * @param amount of its work
     * @param action what happens then
     * @param point for which DP
     * @param argument more about it
     */
    void Add(Line line,
             messaging::WorkKind kind,
             uint64_t amount,
             Action action = Action::NOTHING,
             uint32_t point = 0,
             uint64_t argument = 0);

    /**
     * Do all steps that take no time, and give the host the next ones.
     * @param out acts
     */
    template <class Out>
    void Run(Out& out);

    /**
     * Do the steps of one line.
     * @param line which
     * @param out acts
     * @return true if any was done
     */
    template <class Out>
    bool RunLine(Line line, Out& out);

    /**
     * Have happen what a step was for.
     * @param line where
     * @param step the step
     * @param out acts
     */
    template <class Out>
    void Perform(Line line, const Step& step, Out& out);

    /**
     * Send a frame, or keep it until the port is ready.
     * @param to the receiver, or NO_PEER
     * @param frame the frame
     * @param out acts
     */
    template <class Out>
    void Transmit(messaging::Peer to, const messaging::Frame& frame, Out& out);

    // The sender's side, in eqa-core-send.h.

    /**
     * Begin with the next packet of a channel, if it may be sent.
     * @param line who does it
     * @param index of the DP
     * @param out acts
     */
    template <class Out>
    void Pump(Line line, uint32_t index, Out& out);

    /**
     * A packet is ready: store it and send it.
     * @param line who does it
     * @param index of the DP
     * @param payload of the packet [bytes]
     * @param out acts
     */
    template <class Out>
    void Emit(Line line, uint32_t index, uint32_t payload, Out& out);

    /**
     * Begin to send the next packet again that a receiver has lost.
     * @param line who does it
     * @param index of the DP
     * @param consumer the receiver's index
     */
    void PumpResend(Line line, uint32_t index, uint32_t consumer);

    /**
     * A packet is ready to be sent again.
     * @param line who does it
     * @param index of the DP
     * @param consumer the receiver's index
     * @param out acts
     */
    template <class Out>
    void Resend(Line line, uint32_t index, uint32_t consumer, Out& out);

    /**
     * Fill a light DP's send queue with all that its receiver needs (go-back-N).
     * @param point the DP
     * @param consumer the receiver's index
     */
    static void GoBack(SendPoint& point, uint32_t consumer);

    /**
     * An ACK or an ASK has been handled.
     * @param from its sender
     * @param frame the frame
     * @param out acts
     */
    template <class Out>
    void OnAnswer(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * Tell of messages that all receivers have.
     * @param index of the DP
     * @param out acts
     */
    template <class Out>
    void CompleteMessages(uint32_t index, Out& out);

    /**
     * Look whether a channel knows no push and pull phases (section 3.2).
     * @param point the DP
     * @return true if so
     */
    bool IsSimple(const SendPoint& point) const
    {
        return point.IsBroadcast() && m_config->broadcast == BroadcastKind::SIMPLE;
    }

    /**
     * Look whether a channel pauses while a receiver recovers; in a simple broadcast each channel
     * goes on by itself.
     * @param point the DP
     * @return true if so
     */
    bool Pauses(const SendPoint& point) const
    {
        return !IsSimple(point);
    }

    /**
     * Compute how much of a message may leave.
     * @param point the DP
     * @param entry the message
     * @return up to where [bytes]
     */
    uint32_t GetLimit(const SendPoint& point, const SendEntry& entry) const;

    /**
     * Compute the size of a message's next packet.
     * @param point the DP
     * @param entry the message
     * @return its payload [bytes]
     */
    uint32_t GetNextPayload(const SendPoint& point, const SendEntry& entry) const;

    /**
     * Find the packet's flags.
     * @param point the DP
     * @param entry its message, the packet not counted
     * @param payload of the packet [bytes]
     * @return the flags
     */
    uint8_t GetFlags(const SendPoint& point, const SendEntry& entry, uint32_t payload) const;

    /**
     * Make a frame of a stored packet.
     * @param point the DP
     * @param number of the packet
     * @return the frame
     */
    messaging::Frame MakeData(const SendPoint& point, uint64_t number) const;

    // The receiver's side, in eqa-core-receive.h.

    /**
     * A data packet is looked at by the handler.
     * @param from its sender
     * @param frame the packet
     * @param out acts
     */
    template <class Out>
    void OnData(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * A packet has been taken: count it, and answer if an answer is due.
     * @param index of the DP
     * @param frame the packet
     * @param out acts
     */
    template <class Out>
    void Accept(uint32_t index, const messaging::Frame& frame, Out& out);

    /**
     * A packet is in its destination.
     * @param index of the DP
     * @param packet what matters of it
     * @param out acts
     */
    template <class Out>
    void Place(uint32_t index, const PushedPacket& packet, Out& out);

    /**
     * Begin to empty the pushed buffer, if a receive waits for what is in it; ask for what was lost
     * when it had no room.
     * @param index of the DP
     */
    void Drain(uint32_t index);

    /**
     * A receive has been posted: its system call is made.
     * @param index of the DP
     * @param out acts
     */
    template <class Out>
    void EnterReceive(uint32_t index, Out& out);

    /**
     * A PROBE has been handled.
     * @param from its sender
     * @param frame the frame
     */
    void OnProbe(messaging::Peer from, const messaging::Frame& frame);

    /**
     * Send an ACK or an ASK that is ready.
     * @param index of the DP
     * @param argument the kind of packet, and PUSH_ANSWER or PROBE_ANSWER if it is one
     * @param out acts
     */
    template <class Out>
    void Answer(uint32_t index, uint64_t argument, Out& out);

    /**
     * Look whether this node acknowledges the push phase of the arriving message.
     * @param point the DP
     * @return true if so
     */
    bool IsChosen(const ReceivePoint& point) const;

    /**
     * Look whether it is this node's turn to acknowledge (ReleaseRule::IN_TURN).
     * @param point the DP, which has just accepted a packet
     * @return true if so
     */
    bool IsTurn(const ReceivePoint& point) const;

    /**
     * Look whether a receive has been posted for the arriving message.
     * @param point the DP
     * @return true if so
     */
    static bool IsExpected(const ReceivePoint& point)
    {
        return point.posted > point.arriving;
    }

    /**
     * Find who acknowledges the push phase of a message.
     * @param root who broadcasts it
     * @param message its number
     * @return the node
     */
    messaging::Peer GetChosen(messaging::Peer root, uint64_t message) const;

    /**
     * Find or create a send-only DP.
     * @param to the receiver, or NO_PEER
     * @return its index
     */
    uint32_t GetSendPoint(messaging::Peer to);

    /**
     * Find or create a receive-only DP.
     * @param from the sender
     * @param broadcast whether for the sender's broadcast channel
     * @return its index
     */
    uint32_t GetReceivePoint(messaging::Peer from, bool broadcast);

    /**
     * Find a receiver among the consumers of a channel.
     * @param point the DP
     * @param peer the receiver
     * @return its index
     */
    uint32_t GetConsumer(const SendPoint& point, messaging::Peer peer) const
    {
        return point.IsBroadcast() ? peer - (peer > m_self ? 1 : 0) : 0;
    }

    /**
     * Tell what a whole number is of which 32 bits came in a frame.
     * @param bits the lower 32 bits
     * @param near a number less than 2^31 away
     * @return the number
     */
    static uint64_t Expand(uint64_t bits, uint64_t near)
    {
        return near +
               static_cast<int32_t>(static_cast<uint32_t>(bits) - static_cast<uint32_t>(near));
    }

    static constexpr uint64_t PUSH_ANSWER = 256;  ///< An answer ends a push phase.
    static constexpr uint64_t PROBE_ANSWER = 512; ///< An answer to a PROBE.

    const EqaConfig* m_config;            ///< The parameters, not owned.
    std::vector<SendPoint> m_sends;       ///< Send-only DPs.
    std::vector<ReceivePoint> m_receives; ///< Receive-only DPs.
    std::vector<uint32_t> m_sendOf;       ///< Index by receiver, the last for all.
    std::vector<uint32_t> m_receiveOf;    ///< Index by sender and channel.
    std::vector<Received> m_ring;         ///< The card's receive ring.
    std::vector<Received> m_unsent;       ///< Frames for which the port was busy.
    std::array<Steps, 2> m_lines;         ///< The lines of steps.
    messaging::Peer m_self;               ///< The node.
    uint32_t m_peers;                     ///< Number of nodes.
    bool m_handling{false};               ///< The handler runs.
};

} // namespace eqa
} // namespace ns3

#include "eqa-core-impl.h"

#endif // EQA_CORE_H
