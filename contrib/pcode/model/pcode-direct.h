/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_DIRECT_H
#define PCODE_DIRECT_H

#include "pcode-frames.h"

#include "ns3/messaging-core.h"

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

/**
 * One processor's point-to-point messages to and from all others, with the recovery of their own
 * that section 5.6 calls simple to construct: messages of a pair are numbered, accepted in order,
 * answered with the number accepted, and all that are not answered are sent again on a timer.
 */
class DirectMessages
{
  public:
    /**
     * Constructor.
     * @param nProcessors the number of processors
     */
    explicit DirectMessages(uint32_t nProcessors)
        : m_outgoing(nProcessors),
          m_incoming(nProcessors)
    {
    }

    /**
     * Get the number of messages to a processor that are not answered.
     * @param to the processor
     * @return the number
     */
    std::size_t GetNUnanswered(messaging::Peer to) const
    {
        return m_outgoing[to].unanswered.size();
    }

    /** @return true if all messages have been answered. */
    bool IsServed() const
    {
        return std::all_of(m_outgoing.begin(), m_outgoing.end(), [](const Outgoing& outgoing) {
            return outgoing.unanswered.empty();
        });
    }

    /**
     * Send a message.
     * @param to its target
     * @param m the message; its PersonalCount is set
     * @param timer names the timer of this target
     * @param self the processor
     * @param config parameters
     * @param out what is to be done
     */
    template <class Out>
    void Send(messaging::Peer to,
              Message m,
              messaging::TimerId timer,
              messaging::Peer self,
              const PcodeConfig& config,
              Out& out)
    {
        auto& outgoing = m_outgoing[to];
        m.personal = ++outgoing.sent;
        outgoing.unanswered.push_back(m);
        Transmit(to, m, Event::DIRECT_FIRST, self, config, out);
        if (outgoing.unanswered.size() == 1)
        {
            out.Arm(timer, config.directPeriod);
        }
    }

    /**
     * A target's timer has fired.
     * @param to the target
     * @param timer the timer
     * @param self the processor
     * @param config parameters
     * @param out what is to be done
     */
    template <class Out>
    void OnTimer(messaging::Peer to,
                 messaging::TimerId timer,
                 messaging::Peer self,
                 const PcodeConfig& config,
                 Out& out)
    {
        for (const auto& m : m_outgoing[to].unanswered)
        {
            Transmit(to, m, Event::DIRECT_RESENT, self, config, out);
        }
        if (!m_outgoing[to].unanswered.empty())
        {
            out.Arm(timer, config.directPeriod);
        }
    }

    /**
     * An answer has come.
     * @param from the target
     * @param accepted the PersonalCount that it has accepted
     * @param timer the target's timer
     * @param out what is to be done
     */
    template <class Out>
    void OnAck(messaging::Peer from, uint64_t accepted, messaging::TimerId timer, Out& out)
    {
        auto& unanswered = m_outgoing[from].unanswered;
        std::erase_if(unanswered, [accepted](const Message& m) { return m.personal <= accepted; });
        if (unanswered.empty())
        {
            out.Cancel(timer);
        }
    }

    /**
     * A message has come.
     * @param from its source
     * @param m the message
     * @param slots input slots for each source
     * @return what was done with it; it is to be answered in any case
     */
    Event OnMessage(messaging::Peer from, const Message& m, uint32_t slots)
    {
        auto& incoming = m_incoming[from];
        if (m.personal != incoming.accepted + 1)
        {
            return m.personal <= incoming.accepted ? Event::DROP_LATE : Event::DROP_EARLY;
        }
        if (incoming.ready.size() >= slots)
        {
            return Event::DROP_SLOT;
        }
        ++incoming.accepted;
        incoming.ready.push_back(m);
        return Event::ACCEPTED;
    }

    /**
     * Get how many messages of a source have been accepted.
     * @param from the source
     * @return the number
     */
    uint32_t GetAccepted(messaging::Peer from) const
    {
        return m_incoming[from].accepted;
    }

    /**
     * Take the oldest message of a source out of its slot.
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
     * Put the canonical form of the state.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const
    {
        for (const auto& outgoing : m_outgoing)
        {
            e.Put(uint64_t{outgoing.sent} << 32 | outgoing.unanswered.size());
        }
        for (const auto& incoming : m_incoming)
        {
            e.Put(uint64_t{incoming.accepted} << 32 | incoming.ready.size());
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const DirectMessages&) const = default;

  private:
    /** Messages to one processor. */
    struct Outgoing
    {
        std::vector<Message> unanswered; ///< Sent and not answered.
        uint32_t sent{0};                ///< PersonalCount of the last one.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Outgoing&) const = default;
    };

    /** Messages of one processor. */
    struct Incoming
    {
        std::vector<Message> ready; ///< Accepted and not delivered.
        uint32_t accepted{0};       ///< PersonalCount of the last one accepted.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Incoming&) const = default;
    };

    /**
     * Send a message.
     * @param to its target
     * @param m the message
     * @param event first or again
     * @param self the processor
     * @param config parameters
     * @param out what is to be done
     */
    template <class Out>
    static void Transmit(messaging::Peer to,
                         const Message& m,
                         Event event,
                         messaging::Peer self,
                         const PcodeConfig& config,
                         Out& out)
    {
        const bool sent = out.Send(to, MakeRegular(m, self, config, FrameKind::DIRECT));
        out.Note(static_cast<messaging::Reason>(sent ? event : Event::PORT_BUSY));
    }

    std::vector<Outgoing> m_outgoing; ///< By target.
    std::vector<Incoming> m_incoming; ///< By source.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DIRECT_H
