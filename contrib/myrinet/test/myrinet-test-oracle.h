/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TEST_ORACLE_H
#define MYRINET_TEST_ORACLE_H

#include "ns3/myrinet-fabric.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

/**
 * @file
 * The same network character by character.
 */

namespace ns3
{
namespace myrinet
{
namespace tests
{

/**
 * Moves every character separately, with an event for each step: slow, but too simple to share the
 * fabric's errors. Arbitration is first come, first served; nothing fails.
 */
class Oracle
{
  public:
    /**
     * Construct.
     * @param topology the network
     * @param routes its routes
     * @param config its settings
     */
    Oracle(const Topology& topology, const Routes& routes, const FabricConfig& config)
        : m_topology(topology),
          m_routes(routes),
          m_config(config),
          m_character(config.GetCharacter()),
          m_fallThrough(static_cast<Instant>(config.fallThrough.GetPicoSeconds())),
          m_nChannels(static_cast<ChannelId>(topology.GetChannels().size())),
          m_buffers(m_nChannels + topology.GetNHosts()),
          m_links(m_nChannels)
    {
    }

    /**
     * Schedule a packet.
     * @param when time of Send [ps]
     * @param packet the packet; the id of its frame identifies it
     */
    void Send(Instant when, const Packet& packet)
    {
        At(when, [this, packet] {
            const ChannelId source = m_nChannels + packet.from;
            for (uint32_t n = 0; n < packet.chars; ++n)
            {
                m_buffers[source].chars.push_back(
                    Character{packet.frame.id, packet.from, packet.to, n, n + 1 == packet.chars});
            }
            if (m_buffers[source].state == State::NONE)
            {
                BeginRouting(source);
            }
        });
    }

    /** Run all events. */
    void Run()
    {
        while (!m_events.empty())
        {
            m_now = m_events.top().when;
            const auto action = m_events.top().action;
            m_events.pop();
            action();
        }
    }

    std::map<uint64_t, Instant> delivered; ///< Arrival of the last character by packet ID [ps].
    std::size_t fullest{0};                ///< Most characters in any slack buffer.
    uint64_t stops{0};                     ///< STOP characters sent.

  private:
    /** A character. */
    struct Character
    {
        uint64_t packet; ///< ID of its packet.
        Peer from;       ///< Source.
        Peer to;         ///< Destination.
        uint32_t number; ///< Number within the packet; each hop removes a route byte.
        bool last;       ///< It is the last one of the packet.
    };

    /** State of the first packet of a buffer. */
    enum class State
    {
        NONE,     ///< Idle.
        ROUTING,  ///< Its route is being read.
        WAITING,  ///< It waits for its output.
        CONNECTED ///< It is connected.
    };

    /** A buffer, which sends its characters one after the other to its output. */
    struct Buffer
    {
        std::deque<Character> chars; ///< Stored characters.
        State state{State::NONE};    ///< State of its first packet.
        ChannelId out{NO_CHANNEL};   ///< Output of its first packet, NO_CHANNEL for a host.
        bool sending{false};         ///< A character is leaving.
        bool headComing{false};      ///< A head has begun to arrive in the empty buffer.
        bool stopSent{false};        ///< The last control character was STOP.
    };

    /** The sender of a channel. */
    struct Link
    {
        std::deque<ChannelId> line; ///< Buffers that wait for it.
        bool taken{false};          ///< A buffer is connected.
        bool stopped{false};        ///< The last control character received was STOP.
        Instant freeAt{0};          ///< End of the GAP [ps].
    };

    /** A pending action. */
    struct Event
    {
        Instant when;                 ///< Time [ps].
        uint64_t order;               ///< Order of creation.
        std::function<void()> action; ///< Action.

        /** @param other another event @return whether it has lower priority in the queue */
        bool operator<(const Event& other) const
        {
            if (when != other.when)
            {
                return when > other.when;
            }
            return order > other.order;
        }
    };

    /** Schedule an action. @param when its time [ps] @param action the action */
    void At(Instant when, std::function<void()> action)
    {
        m_events.push(Event{when, m_order++, std::move(action)});
    }

    /** @param c a channel @return its delay [ps] */
    Instant Delay(ChannelId c) const
    {
        return static_cast<Instant>(
            m_topology.GetChannels()[c].cable * static_cast<double>(CABLE_DELAY) + 0.5);
    }

    /** @param c a buffer @return whether it is at a host's receiver */
    bool IsReceiver(ChannelId c) const
    {
        return c < m_nChannels && m_topology.GetChannels()[c].to < m_topology.GetNHosts();
    }

    /**
     * Begin to route the packet at the front of a buffer, whose head may still be arriving.
     * @param c the buffer
     */
    void BeginRouting(ChannelId c)
    {
        Buffer& b = m_buffers[c];
        b.headComing = false;
        b.state = State::ROUTING;
        const bool isSource = c >= m_nChannels;
        if (isSource)
        {
            RequestOutput(c);
            return;
        }
        const Instant delay = IsReceiver(c) ? m_character : m_fallThrough;
        At(m_now + delay, [this, c] { RequestOutput(c); });
    }

    /** Request the output of a buffer's first packet. @param c the buffer */
    void RequestOutput(ChannelId c)
    {
        Buffer& b = m_buffers[c];
        const Character head = b.chars.front();
        if (IsReceiver(c))
        {
            b.out = NO_CHANNEL;
            b.state = State::CONNECTED;
            Feed(c);
            return;
        }
        const auto route = m_routes.Get(head.from, head.to);
        const auto at = std::find(route.begin(), route.end(), c);
        b.out = route[0]; // Of a packet at its source, which is not on the route.
        if (at != route.end())
        {
            b.out = *(at + 1);
        }
        b.state = State::WAITING;
        m_links[b.out].line.push_back(c);
        Grant(b.out);
    }

    /** Grant a free channel to the next waiting buffer. @param out the channel */
    void Grant(ChannelId out)
    {
        Link& link = m_links[out];
        if (link.taken || link.line.empty())
        {
            return;
        }
        if (m_now < link.freeAt)
        {
            At(link.freeAt, [this, out] { Grant(out); });
            return;
        }
        const ChannelId c = link.line.front();
        link.line.pop_front();
        link.taken = true;
        m_buffers[c].state = State::CONNECTED;
        if (c < m_nChannels)
        {
            Take(c);
        }
        Feed(c);
    }

    /** Remove a character from a buffer. @param c the buffer @return the character */
    Character Take(ChannelId c)
    {
        Buffer& b = m_buffers[c];
        const Character character = b.chars.front();
        b.chars.pop_front();
        if (c < m_nChannels && b.stopSent && b.chars.size() <= m_config.go)
        {
            b.stopSent = false;
            At(m_now + Delay(c), [this, c] {
                m_links[c].stopped = false;
                for (ChannelId feeder = 0; feeder < m_buffers.size(); ++feeder)
                {
                    if (m_buffers[feeder].state == State::CONNECTED && m_buffers[feeder].out == c)
                    {
                        Feed(feeder);
                    }
                }
            });
        }
        return character;
    }

    /** Send the next character of a buffer, if possible. @param c the buffer */
    void Feed(ChannelId c)
    {
        Buffer& b = m_buffers[c];
        if (b.sending || b.state != State::CONNECTED || b.chars.empty() ||
            (b.out != NO_CHANNEL && m_links[b.out].stopped))
        {
            return;
        }
        const Character character = Take(c);
        b.sending = true;
        const ChannelId out = b.out;
        if (out != NO_CHANNEL)
        {
            const bool head = character.number == 0 || m_heads.contains({character.packet, c});
            if (head)
            {
                m_heads.erase({character.packet, c});
                At(m_now + Delay(out), [this, out, character] { BeginHead(out, character); });
            }
            At(m_now + Delay(out) + m_character,
               [this, out, character] { Receive(out, character); });
        }
        At(m_now + m_character, [this, c, character] { EndCharacter(c, character); });
    }

    /** Handle the first character of a packet. @param c the buffer @param head the character */
    void BeginHead(ChannelId c, const Character& head)
    {
        Buffer& b = m_buffers[c];
        // The character after the route byte is the head of the next hop.
        m_heads.insert({head.packet, c});
        if (b.state == State::NONE && b.chars.empty())
        {
            BeginRouting(c);
        }
        else
        {
            b.headComing = true;
        }
    }

    /** Handle an arrived character. @param c the buffer @param character the character */
    void Receive(ChannelId c, const Character& character)
    {
        Buffer& b = m_buffers[c];
        b.chars.push_back(character);
        fullest = std::max(fullest, b.chars.size());
        if (!b.stopSent && b.chars.size() >= m_config.stop)
        {
            b.stopSent = true;
            ++stops;
            At(m_now + Delay(c), [this, c] { m_links[c].stopped = true; });
        }
        Feed(c);
    }

    /** Handle a departed character. @param c the buffer @param character the character */
    void EndCharacter(ChannelId c, const Character& character)
    {
        Buffer& b = m_buffers[c];
        b.sending = false;
        if (!character.last)
        {
            Feed(c);
            return;
        }
        if (b.out == NO_CHANNEL)
        {
            delivered[character.packet] = m_now;
        }
        else
        {
            m_links[b.out].taken = false;
            m_links[b.out].freeAt = m_now + m_character;
            Grant(b.out);
        }
        b.state = State::NONE;
        if (!b.chars.empty() || b.headComing)
        {
            BeginRouting(c);
        }
    }

    const Topology& m_topology;                       ///< The network.
    const Routes& m_routes;                           ///< Its routes.
    FabricConfig m_config;                            ///< Its settings.
    Instant m_character;                              ///< Time of a character [ps].
    Instant m_fallThrough;                            ///< Delay of a head in a switch [ps].
    ChannelId m_nChannels;                            ///< Channels.
    std::vector<Buffer> m_buffers;                    ///< By channel, then send engines.
    std::vector<Link> m_links;                        ///< Links by channel.
    std::set<std::pair<uint64_t, ChannelId>> m_heads; ///< Packets whose head has to leave a buffer.
    std::priority_queue<Event> m_events;              ///< Pending actions.
    uint64_t m_order{0};                              ///< Order of the next event.
    Instant m_now{0};                                 ///< Current time [ps].
};

} // namespace tests
} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TEST_ORACLE_H
