/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_DIRECT_H
#define PCODE_DIRECT_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-config.h"

#include <algorithm>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Point-to-point messages (paper 3, section 5.6).
 */

namespace ns3
{
namespace pcode
{

/** Frame::flags of a DIRECT message: more messages wait for room at its target. */
inline constexpr uint8_t DIRECT_MORE = 1;
/** Frame::flags of a DIRECT_ACK: the next message was rejected, and has room now. */
inline constexpr uint8_t DIRECT_AGAIN = 2;

/**
 * Point-to-point messages of one node, with their recovery, which section 5.6 calls simple to
 * construct: messages of a pair are numbered, accepted in order and answered with the number
 * accepted. Messages without an answer are resent by a timer.
 *
 * The flow control of section 5.2 uses the GlobalCounter, which these messages do not have. Their
 * flow control (PcodeConfig::directFlow) follows from the input slots of section 3:
 * @verbatim
   target:  every answer has the number up to which there is room: messages delivered plus slots;
            if the source has more, or was rejected, a request that frees a slot answers, too;
   source:  messages within the room are sent at once, and one beyond it, unless the target knows
            that it waits: a message is marked if more wait behind it (DIRECT_MORE);
            rejected messages are resent at the request of the target (DIRECT_AGAIN);
            when the timer fires, the oldest one is resent.
   @endverbatim
 * Nodes in step exchange a message and an answer, as without flow control. A message of a node that
 * runs ahead costs a second answer.
 */
class DirectMessages
{
  public:
    /**
     * Constructor.
     * @param config parameters of the group, which must outlive this
     */
    explicit DirectMessages(const PcodeConfig& config)
        : m_config(&config),
          m_outgoing(config.groups->GetNNodes()),
          m_incoming(config.groups->GetNNodes())
    {
        for (auto& outgoing : m_outgoing)
        {
            outgoing.room = UNLIMITED;
            if (config.directFlow)
            {
                outgoing.room = config.slots;
            }
        }
    }

    /**
     * Get the number of unanswered messages to a node.
     * @param to the node
     * @return the number
     */
    std::size_t GetNUnanswered(messaging::Peer to) const
    {
        return m_outgoing[to].unanswered.size();
    }

    /**
     * Send a message, or keep it until there is room for it.
     * @param to its target
     * @param m the message; its PersonalCount is set
     * @param out actions
     */
    template <class Out>
    void Send(messaging::Peer to, Message m, Out& out)
    {
        auto& outgoing = m_outgoing[to];
        m.personal = ++outgoing.issued;
        outgoing.unanswered.push_back(m);
        if (outgoing.unanswered.size() == 1)
        {
            out.Arm(MakeTimer(PcodeTimer::DIRECT, to), m_config->nackPeriod);
        }
        SendNext(to, out);
    }

    /**
     * Handle the timer of a target.
     * @param to the target
     * @param twice whether to send the oldest message twice
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::Peer to, bool twice, Out& out)
    {
        auto& outgoing = m_outgoing[to];
        if (outgoing.unanswered.empty())
        {
            return;
        }
        // The answer with the room may be lost: the oldest message triggers another.
        const auto last = std::max(outgoing.sent, outgoing.unanswered.front().personal);
        for (const auto& m : outgoing.unanswered)
        {
            if (m.personal <= last)
            {
                Transmit(to, m, out);
            }
        }
        if (twice)
        {
            Transmit(to, outgoing.unanswered.front(), out);
        }
        out.Arm(MakeTimer(PcodeTimer::DIRECT, to), m_config->nackPeriod);
    }

    /**
     * Handle an answer.
     * @param from the target
     * @param accepted the PersonalCount that it has accepted
     * @param room the PersonalCount up to which it has room
     * @param again whether the message after the accepted ones was rejected
     * @param out actions
     */
    template <class Out>
    void OnAck(messaging::Peer from, uint64_t accepted, uint32_t room, bool again, Out& out)
    {
        auto& outgoing = m_outgoing[from];
        const auto before = outgoing.room;
        outgoing.room = std::max(before, room);
        const auto answered = std::erase_if(outgoing.unanswered, [accepted](const Message& m) {
            return m.personal <= accepted;
        });
        if (outgoing.unanswered.empty())
        {
            out.Cancel(MakeTimer(PcodeTimer::DIRECT, from));
            return;
        }
        if (answered > 0 || outgoing.room > before)
        {
            out.Arm(MakeTimer(PcodeTimer::DIRECT, from), m_config->nackPeriod);
        }
        for (const auto& m : outgoing.unanswered)
        {
            if (again && m.personal <= std::min(outgoing.room, outgoing.sent))
            {
                Transmit(from, m, out);
            }
        }
        SendNext(from, out);
    }

    /**
     * Handle a message.
     * @param from its source
     * @param m the message
     * @param more whether others wait for room
     * @return the event; the caller answers the message in any case
     */
    Event OnMessage(messaging::Peer from, const Message& m, bool more)
    {
        auto& incoming = m_incoming[from];
        if (m.personal <= incoming.accepted)
        {
            return Event::DROP_LATE;
        }
        if (m.personal > incoming.accepted + 1)
        {
            return Event::DROP_EARLY;
        }
        if (incoming.ready.size() >= m_config->slots)
        {
            incoming.awaited = m_config->directFlow;
            incoming.rejected = m_config->directFlow;
            return Event::DROP_SLOT;
        }
        ++incoming.accepted;
        incoming.ready.push_back(m);
        incoming.awaited = more;
        incoming.rejected = false;
        return Event::ACCEPTED;
    }

    /**
     * Answer a source with the number accepted and the room.
     * @param to the source
     * @param taken whether an open request takes the message in its slot
     * @param out actions
     */
    template <class Out>
    void Answer(messaging::Peer to, bool taken, Out& out)
    {
        auto& incoming = m_incoming[to];
        messaging::Frame frame = MakeFrame(FrameKind::DIRECT_ACK);
        frame.id = incoming.accepted;
        frame.aux = UNLIMITED;
        if (m_config->directFlow)
        {
            uint32_t kept = 0;
            if (!taken)
            {
                kept = static_cast<uint32_t>(incoming.ready.size());
            }
            frame.aux = incoming.accepted - kept + m_config->slots;
            if (frame.aux > incoming.accepted)
            {
                if (incoming.rejected)
                {
                    frame.flags = DIRECT_AGAIN;
                }
                incoming.awaited = false;
                incoming.rejected = false;
            }
        }
        SendFrame(to, frame, Event::DIRECT_ACK_SENT, out);
    }

    /**
     * Check whether a source waits for room.
     * @param from the source
     * @return true if its last answer had no room
     */
    bool IsAwaited(messaging::Peer from) const
    {
        return m_incoming[from].awaited;
    }

    /**
     * Remove the oldest message of a source from its slot.
     * @param from the source
     * @return the message, or nothing
     */
    std::optional<Message> Take(messaging::Peer from)
    {
        auto& ready = m_incoming[from].ready;
        if (ready.empty())
        {
            return std::nullopt;
        }
        const Message m = ready.front();
        ready.erase(ready.begin());
        return m;
    }

    /**
     * Encode the canonical form of the state.
     * @param e the encoder
     */
    void Encode(messaging::Encoder& e) const
    {
        for (const auto& outgoing : m_outgoing)
        {
            e.Put(uint64_t{outgoing.issued} << 32 | outgoing.unanswered.size());
            e.Put(uint64_t{outgoing.sent} << 32 | outgoing.room);
            e.Put(outgoing.announced);
        }
        for (const auto& incoming : m_incoming)
        {
            e.Put(uint64_t{incoming.accepted} << 32 | incoming.ready.size() << 2 |
                  uint64_t{incoming.rejected} << 1 | incoming.awaited);
        }
    }

  private:
    /** Room of a target without flow control. */
    static constexpr uint32_t UNLIMITED = ~uint32_t{0};

    /** Messages to one node. */
    struct Outgoing
    {
        std::vector<Message> unanswered; ///< Unanswered messages, in order.
        uint32_t issued{0};              ///< PersonalCount of the last message.
        uint32_t sent{0};                ///< Highest PersonalCount sent.
        uint32_t room{0};                ///< Highest PersonalCount with room at the target.
        bool announced{false};           ///< The last message sent had DIRECT_MORE.
    };

    /** Messages of one node. */
    struct Incoming
    {
        std::vector<Message> ready; ///< Accepted messages that are not delivered.
        uint32_t accepted{0};       ///< PersonalCount of the last accepted message.
        bool awaited{false};        ///< Its source waits for room.
        bool rejected{false};       ///< The next message was rejected for lack of room.
    };

    /**
     * Send the unsent messages for which there is room, and one more to a target that has not been
     * notified of waiting messages.
     * @param to the target
     * @param out actions
     */
    template <class Out>
    void SendNext(messaging::Peer to, Out& out)
    {
        auto& outgoing = m_outgoing[to];
        for (const auto& m : outgoing.unanswered)
        {
            const bool asks = !outgoing.announced && m.personal == outgoing.room + 1;
            if (m.personal > outgoing.sent && (m.personal <= outgoing.room || asks))
            {
                Transmit(to, m, out);
            }
        }
    }

    /**
     * Send a message.
     * @param to its target
     * @param m the message
     * @param out actions
     */
    template <class Out>
    void Transmit(messaging::Peer to, const Message& m, Out& out)
    {
        auto& outgoing = m_outgoing[to];
        Event event = Event::DIRECT_RESENT;
        if (m.personal > outgoing.sent)
        {
            event = Event::DIRECT_FIRST;
        }
        outgoing.sent = std::max(outgoing.sent, m.personal);
        outgoing.announced = outgoing.issued > std::max(outgoing.room, m.personal);
        messaging::Frame frame = MakeRegular(m, FrameKind::DIRECT);
        if (outgoing.announced)
        {
            frame.flags = DIRECT_MORE;
        }
        SendFrame(to, frame, event, out);
    }

    const PcodeConfig* m_config;      ///< Parameters of the group, not owned.
    std::vector<Outgoing> m_outgoing; ///< Outgoing messages, by target.
    std::vector<Incoming> m_incoming; ///< Incoming messages, by source.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DIRECT_H
