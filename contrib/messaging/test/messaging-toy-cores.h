/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TOY_CORES_H
#define MESSAGING_TOY_CORES_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Small protocols to test the seam with: the alternating bit, and a three-packet handshake.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** Flaw of an AlternatingBit. */
enum class Flaw : uint8_t
{
    NONE,          ///< No flaw.
    IGNORES_BIT,   ///< The receiver delivers every frame.
    NEVER_REPEATS, ///< The sender does not repeat.
    ALTERS_SIZE,   ///< The receiver delivers one byte more.
    ALTERS_TAG     ///< The receiver delivers the next tag.
};

/**
 * Stop and wait: one message at a time to each peer, numbered with one bit.
 *
 * @verbatim
   sender    idle --request: send DATA(bit)--> waiting --ACK(bit): flip bit--> idle
                                               waiting --timer: repeat DATA(bit)--> waiting
   receiver  DATA(expected): deliver, flip expected; any DATA(bit): send ACK(bit)
   @endverbatim
 */
class AlternatingBit
{
  public:
    static constexpr bool IS_SYMMETRIC = true; ///< Names may be exchanged in a search.

    /** Packet types. */
    enum Kind : uint8_t
    {
        DATA, ///< Carries a message.
        ACK   ///< Acknowledges the bit of DATA.
    };

    /** Reasons noted. */
    enum : Reason
    {
        REPEATED, ///< Repetition after a timeout.
        OLD       ///< DATA with the other bit.
    };

    /**
     * Constructor. The core of any peer is the same.
     * @param nPeers the size of the group
     * @param flaw its flaw
     * @param timeout timeout of an ACK [ticks]
     */
    AlternatingBit(Peer, uint32_t nPeers, Flaw flaw = Flaw::NONE, Ticks timeout = 1)
        : m_links(nPeers),
          m_timeout(timeout),
          m_flaw(flaw)
    {
    }

    /**
     * Take a message.
     * @param request the message
     * @param out actions
     * @return stalled while another message for the same peer is in flight
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to >= m_links.size())
        {
            return Acceptance::REFUSED;
        }
        auto& link = m_links[request.to];
        if (link.busy)
        {
            return Acceptance::STALLED;
        }
        link.busy = true;
        link.request = request;
        SendData(request.to, out);
        return Acceptance::ACCEPTED;
    }

    /**
     * Take a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        auto& link = m_links[from];
        if (frame.kind == ACK)
        {
            if (link.busy && frame.flags == link.sendBit)
            {
                link.busy = false;
                link.sendBit ^= 1;
                out.Cancel(from);
                out.Complete(link.request.id, Completion::DELIVERED);
            }
            return;
        }
        const bool expected = frame.flags == link.expectedBit;
        if (expected || m_flaw == Flaw::IGNORES_BIT)
        {
            link.expectedBit ^= expected ? 1 : 0;
            const uint32_t bytes = frame.payload + (m_flaw == Flaw::ALTERS_SIZE ? 1 : 0);
            const uint32_t tag = frame.aux + (m_flaw == Flaw::ALTERS_TAG ? 1 : 0);
            out.Deliver(Delivery{frame.id, frame.contents, from, bytes, tag, 0});
        }
        else
        {
            out.Note(OLD);
        }
        out.Send(from, Frame{.id = frame.id, .header = 8, .kind = ACK, .flags = frame.flags});
    }

    /**
     * Repeat the unacknowledged message.
     * @param id the timer, which is the number of the peer
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        out.Note(REPEATED);
        SendData(static_cast<Peer>(id), out);
    }

    /** The core requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** The timer repeats lost or refused frames. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Declare the state. @param e the encoder */
    template <class E>
    void Encode(E& e) const
    {
        e.BeginSet();
        for (Peer peer = 0; peer < m_links.size(); ++peer)
        {
            const auto& link = m_links[peer];
            e.BeginItem();
            e.PutPeer(peer);
            e.Put(link.sendBit | link.expectedBit << 1 | (link.busy ? 4 : 0));
            if (link.busy)
            {
                e.PutContents(link.request.contents);
            }
        }
        e.EndSet();
    }

    /** Declare a timer. @param timer the timer @param e the encoder */
    template <class E>
    void EncodeTimer(TimerId timer, E& e) const
    {
        e.PutPeer(static_cast<Peer>(timer));
    }

    /**
     * Declare a frame.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame
     * @param e the encoder
     */
    template <class E>
    void EncodeFrame(Peer from, Peer to, const Frame& frame, E& e) const
    {
        e.Put(uint64_t{frame.payload} << 16 | uint64_t{frame.kind} << 8 | frame.flags);
        e.PutPeer(from);
        e.PutRequest(frame.kind == ACK ? to : from, frame.id);
        if (frame.kind == DATA)
        {
            e.PutContents(frame.contents);
            e.PutTag(frame.contents, frame.aux);
        }
    }

  private:
    /** State of the messages to and from one peer. */
    struct Link
    {
        Request request;        ///< The message in flight to the peer.
        uint8_t sendBit{0};     ///< Bit of that message.
        uint8_t expectedBit{0}; ///< Bit of the next message from the peer.
        bool busy{false};       ///< A message is in flight to the peer.
    };

    /**
     * Send or repeat the message that is in flight.
     * @param to the peer
     * @param out actions
     */
    template <class Out>
    void SendData(Peer to, Out& out)
    {
        const auto& link = m_links[to];
        const auto& request = link.request;
        out.Send(to,
                 Frame{.id = request.id,
                       .contents = request.contents,
                       .payload = request.bytes,
                       .aux = request.tag,
                       .header = 8,
                       .kind = DATA,
                       .flags = link.sendBit});
        if (m_flaw != Flaw::NEVER_REPEATS)
        {
            out.Arm(to, m_timeout);
        }
    }

    std::vector<Link> m_links; ///< Links by peer.
    Ticks m_timeout;           ///< Timeout of an ACK [ticks].
    Flaw m_flaw;               ///< Flaw.
};

/**
 * A handshake after which the receiver forgets: MSG until ACK, ACK, and CONF on every ACK.
 *
 * With retention, the receiver forgets some time after CONF instead of at once, which is necessary
 * if frames can overtake each other.
 */
class Forgetful
{
  public:
    /** Packet types. */
    enum Kind : uint8_t
    {
        MSG, ///< Carries a message.
        ACK, ///< Reports the arrival of a message.
        CONF ///< Permits to forget a message.
    };

    /**
     * Constructor. The core of any peer is the same.
     * @param retention whether to remember for some time after CONF
     */
    Forgetful(Peer, bool retention)
        : m_retention(retention)
    {
    }

    /**
     * Take a message.
     * @param request the message
     * @param out actions
     * @return accepted
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        m_sent.push_back(request);
        OnTimer(request.id, out);
        return Acceptance::ACCEPTED;
    }

    /**
     * Take a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (frame.kind == MSG)
        {
            if (std::find(m_seen.begin(), m_seen.end(), frame.id) == m_seen.end())
            {
                m_seen.push_back(frame.id);
                out.Deliver(Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, 0});
            }
            out.Send(from, Frame{.id = frame.id, .header = 8, .kind = ACK});
        }
        else if (frame.kind == ACK)
        {
            const auto ended = [&](const Request& request) { return request.id == frame.id; };
            if (std::erase_if(m_sent, ended) > 0)
            {
                out.Cancel(frame.id);
                out.Complete(frame.id, Completion::DELIVERED);
            }
            out.Send(from, Frame{.id = frame.id, .header = 8, .kind = CONF});
        }
        else if (m_retention)
        {
            out.Arm(RETENTION | frame.id, 1);
        }
        else
        {
            std::erase(m_seen, frame.id);
        }
    }

    /**
     * Repeat, or forget.
     * @param id a request's number, or RETENTION and the number of a message
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        if (id & RETENTION)
        {
            std::erase(m_seen, id & ~RETENTION);
            return;
        }
        for (const auto& request : m_sent)
        {
            if (request.id == id)
            {
                out.Send(request.to,
                         Frame{.id = id,
                               .contents = request.contents,
                               .payload = request.bytes,
                               .aux = request.tag,
                               .header = 8,
                               .kind = MSG});
                out.Arm(id, 1);
            }
        }
    }

    /** The core requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** The timer repeats lost or refused frames. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /**
     * Write the canonical state.
     * @param e the encoder
     */
    void Encode(Encoder& e) const
    {
        e.Put(m_sent.size());
        for (const auto& request : m_sent)
        {
            e.Put(request.id);
        }
        auto seen = m_seen;
        std::sort(seen.begin(), seen.end());
        for (const auto id : seen)
        {
            e.Put(id);
        }
    }

    static constexpr TimerId RETENTION = TimerId{1} << 62; ///< Marks the timers of the receiver.

  private:
    std::vector<Request> m_sent;  ///< Messages without an ACK.
    std::vector<uint64_t> m_seen; ///< Remembered messages.
    bool m_retention;             ///< Whether to remember for some time after CONF.
};

/**
 * Stop and wait to all others at once: each message is repeated until every peer has acknowledged
 * it. A receiver processes each new message for some time before it delivers and acknowledges it.
 */
class Announcer
{
  public:
    static constexpr bool IS_SYMMETRIC = true; ///< Names may be exchanged in a search.

    /**
     * Constructor.
     * @param self this peer
     * @param nPeers the size of the group, 64 at most
     * @param hasty whether one acknowledgement counts for all peers
     */
    Announcer(Peer self, uint32_t nPeers, bool hasty = false)
        : m_seen(nPeers),
          m_self(self),
          m_hasty(hasty)
    {
    }

    /**
     * Take a message.
     * @param request the message
     * @param out actions
     * @return stalled while another message is in flight
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to != NO_PEER)
        {
            return Acceptance::REFUSED;
        }
        if (m_missing)
        {
            return Acceptance::STALLED;
        }
        m_request = request;
        m_missing = (~uint64_t{0} >> (64 - m_seen.size())) & ~(uint64_t{1} << m_self);
        Repeat(out);
        return Acceptance::ACCEPTED;
    }

    /**
     * Take a frame: a message, or an acknowledgement.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        Seen& seen = m_seen[from];
        if (frame.kind == 0 && frame.id == seen.done)
        {
            out.Send(from, Frame{.id = frame.id, .header = 8, .kind = 1});
        }
        else if (frame.kind == 0 && frame.id != seen.frame.id)
        {
            seen.frame = frame;
            out.Do(Work{.id = from, .amount = PROCESSING_TIME});
        }
        else if (frame.kind == 1 && m_missing && frame.id == m_request.contents)
        {
            m_missing &= m_hasty ? 0 : ~(uint64_t{1} << from);
            if (m_missing == 0)
            {
                out.Cancel(0);
                out.Complete(m_request.id, Completion::DELIVERED);
            }
        }
    }

    /**
     * Repeat the unacknowledged message.
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId, Out& out)
    {
        Repeat(out);
    }

    /**
     * Deliver a processed message.
     * @param id its sender
     * @param out actions
     */
    template <class Out>
    void OnDone(WorkId id, Out& out)
    {
        const auto from = static_cast<Peer>(id);
        const Frame& frame = m_seen[from].frame;
        m_seen[from].done = frame.id;
        out.Deliver(Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, 0});
        out.Send(from, Frame{.id = frame.id, .header = 8, .kind = 1});
    }

    /** The timer repeats lost or refused frames. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Declare the state. @param e the encoder */
    template <class E>
    void Encode(E& e) const
    {
        e.BeginSet();
        for (Peer peer = 0; peer < m_seen.size(); ++peer)
        {
            e.BeginItem();
            e.PutPeer(peer);
            e.Put(m_missing >> peer & 1);
            e.PutContents(m_seen[peer].frame.id);
            e.PutContents(m_seen[peer].done);
        }
        e.EndSet();
        if (m_missing)
        {
            e.PutContents(m_request.contents);
        }
    }

    /** Declare the only timer. @param timer the timer @param e the encoder */
    template <class E>
    void EncodeTimer(TimerId timer, E& e) const
    {
        e.Put(timer);
    }

    /**
     * Declare work.
     * @param work sender of the processed message
     * @param e the encoder
     */
    template <class E>
    void EncodeWork(WorkId work, E& e) const
    {
        e.PutPeer(static_cast<Peer>(work));
    }

    /**
     * Declare a frame.
     * @param from its sender
     * @param frame the frame
     * @param e the encoder
     */
    template <class E>
    void EncodeFrame(Peer from, Peer, const Frame& frame, E& e) const
    {
        e.Put(uint64_t{frame.payload} << 8 | frame.kind);
        e.PutPeer(from);
        e.PutContents(frame.id);
        e.PutTag(frame.id, frame.aux);
    }

    static constexpr uint64_t PROCESSING_TIME = 5000; ///< Work for each message [ns].

  private:
    /** Messages of one peer. */
    struct Seen
    {
        Frame frame;      ///< The last message.
        uint64_t done{0}; ///< Number of the last one delivered.
    };

    /**
     * Send or repeat the message that is in flight.
     * @param out actions
     */
    template <class Out>
    void Repeat(Out& out)
    {
        out.Send(NO_PEER,
                 Frame{.id = m_request.contents,
                       .contents = m_request.contents,
                       .payload = m_request.bytes,
                       .aux = m_request.tag,
                       .header = 8});
        out.Arm(0, 100000);
    }

    std::vector<Seen> m_seen; ///< State by peer.
    Request m_request;        ///< The message in flight.
    uint64_t m_missing{0};    ///< Peers that have not acknowledged it, one bit each.
    Peer m_self;              ///< This peer.
    bool m_hasty;             ///< One acknowledgement counts for all peers.
};

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TOY_CORES_H
