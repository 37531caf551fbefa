/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_EXPLORER_HOST_H
#define MESSAGING_EXPLORER_HOST_H

#include "ns3/messaging-explorer.h"

/**
 * @file
 * @ingroup messaging
 * What the cores of an exhaustive search act upon. Included by messaging-explorer.h.
 */

namespace ns3
{
namespace messaging
{

/** What the cores of a search act upon. */
template <class Core>
class Explorer<Core>::Host
{
  public:
    /**
     * Constructor.
     * @param explorer the search
     * @param state the state, changed by what the core does
     * @param self the peer whose core acts
     * @param passed frames that the frame being handled has passed
     * @param out where to write down what the core does, or nullptr
     */
    Host(Explorer& explorer,
         State& state,
         Peer self,
         std::vector<std::size_t> passed,
         std::ostream* out)
        : m_explorer(explorer),
          m_state(state),
          m_self(self),
          m_passed(std::move(passed)),
          m_out(out)
    {
    }

    /**
     * Send a frame. One to all others becomes a frame to each, which fare differently.
     * @param to the peer it is for, or NO_PEER
     * @param frame the frame
     * @return false if the port is busy
     */
    bool Send(Peer to, const Frame& frame)
    {
        std::vector<Peer> receivers{to};
        if (to == NO_PEER)
        {
            receivers.resize(m_state.cores.size());
            std::iota(receivers.begin(), receivers.end(), 0);
            std::erase(receivers, m_self);
        }
        if (m_explorer.m_options.losses == 0 &&
            std::any_of(receivers.begin(), receivers.end(), [this](Peer p) { return IsFull(p); }))
        {
            m_state.waiting[m_self] = true;
            Write([&](auto& os) { os << ", finds its port busy"; });
            return false;
        }
        for (const Peer peer : receivers)
        {
            const bool full = IsFull(peer);
            if (!full)
            {
                m_state.flights.push_back(Flight{frame, m_self, peer, {}});
            }
            Write([&](auto& os) {
                os << ", sends " << m_explorer.Describe(frame) << " to peer " << peer
                   << (full ? " (lost)" : "");
            });
        }
        return true;
    }

    /** @return the distance of any two peers [ticks]. */
    Ticks Distance(Peer) const
    {
        return 1;
    }

    /** @return the length of any frame [ticks]. */
    Ticks WireTicks(const Frame&) const
    {
        return 1;
    }

    /**
     * Arm a timer.
     * @param id which
     */
    void Arm(TimerId id, Ticks)
    {
        Cancel(id);
        auto& timers = m_state.timers[m_self];
        timers.insert(std::upper_bound(timers.begin(), timers.end(), id), id);
        if (m_explorer.m_options.outlastsSlip && m_explorer.m_options.outlastsSlip(id))
        {
            for (const auto index : m_passed)
            {
                m_state.flights[index].blocks.push_back(id);
            }
        }
        Write([&](auto& os) { os << ", arms timer " << id; });
    }

    /**
     * Disarm a timer.
     * @param id which
     */
    void Cancel(TimerId id)
    {
        std::erase(m_state.timers[m_self], id);
        for (auto& flight : m_state.flights)
        {
            if (flight.to == m_self)
            {
                std::erase(flight.blocks, id);
            }
        }
    }

    /**
     * Ask for work.
     * @param work the work
     */
    void Do(const Work& work)
    {
        auto& pending = m_state.work[m_self];
        pending.insert(std::upper_bound(pending.begin(), pending.end(), work.id), work.id);
    }

    /**
     * Deliver a message.
     * @param delivery the message
     */
    void Deliver(const Delivery& delivery)
    {
        Write([&](auto& os) {
            os << ", delivers message " << delivery.id << " of peer " << delivery.from;
        });
        for (std::size_t i = 0; i < m_explorer.m_requests.size(); ++i)
        {
            const auto& [from, request] = m_explorer.m_requests[i];
            if (request.contents != delivery.contents)
            {
                continue;
            }
            const bool meant = request.to == NO_PEER ? from != m_self : request.to == m_self;
            if (!meant || from != delivery.from || request.bytes != delivery.bytes ||
                request.tag != delivery.tag)
            {
                Violate("A message was delivered to the wrong peer, or altered");
            }
            else if (m_state.fates[i].delivered >> m_self & 1)
            {
                Violate("A message was delivered twice");
            }
            m_state.fates[i].delivered |= uint64_t{1} << m_self;
            for (std::size_t later = i + 1; later < m_explorer.m_requests.size(); ++later)
            {
                if (m_explorer.m_options.ordered && m_explorer.m_requests[later].first == from &&
                    (m_state.fates[later].delivered >> m_self & 1))
                {
                    Violate("A message was delivered after one that was posted later");
                }
            }
            return;
        }
        Violate("A message was delivered that nobody has posted");
    }

    /**
     * End a request.
     * @param id which
     * @param completion how
     */
    void Complete(RequestId id, Completion completion)
    {
        Write([&](auto& os) { os << ", completes request " << id << " as " << completion; });
        for (std::size_t i = 0; i < m_explorer.m_requests.size(); ++i)
        {
            const auto& [from, request] = m_explorer.m_requests[i];
            if (from != m_self || request.id != id || m_state.fates[i].ended)
            {
                continue;
            }
            if (completion == Completion::DELIVERED && !m_explorer.IsDelivered(m_state, i))
            {
                Violate("A message was reported as delivered before it was");
            }
            m_state.fates[i].ended = true;
            return;
        }
        Violate("A request was completed that is not under way");
    }

    /**
     * Count a reason.
     * @param reason the reason
     */
    void Note(Reason reason)
    {
        ++m_explorer.m_reasons[reason];
    }

  private:
    /**
     * Look whether the channel to a peer takes no more frames.
     * @param to the peer
     * @return true if it does not
     */
    bool IsFull(Peer to) const
    {
        const auto underWay = std::count_if(
            m_state.flights.begin(),
            m_state.flights.end(),
            [&](const Flight& flight) { return flight.from == m_self && flight.to == to; });
        return underWay >= static_cast<int64_t>(m_explorer.m_options.capacity);
    }

    /**
     * Write down what the core does, if anybody wants to know.
     * @param write writes to a stream
     */
    template <class F>
    void Write(F write)
    {
        if (m_out)
        {
            write(*m_out);
        }
    }

    /**
     * Keep a violation.
     * @param sentence names it, without a full stop
     */
    void Violate(const std::string& sentence)
    {
        if (m_state.violation.empty())
        {
            m_state.violation = sentence + ".";
        }
    }

    Explorer& m_explorer;              ///< The search.
    State& m_state;                    ///< The state.
    Peer m_self;                       ///< The peer whose core acts.
    std::vector<std::size_t> m_passed; ///< Frames that the frame being handled has passed.
    std::ostream* m_out;               ///< Where to write down what the core does.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_EXPLORER_HOST_H
