/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CHANNELS_H
#define WORMHOLE_CHANNELS_H

#include "ns3/wormhole-types.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Busy times of the channels of a lossy network.
 */

namespace ns3
{
namespace wormhole
{

/** Links of one channel each: one busy-until time per link. */
class SingleChannels
{
  public:
    /**
     * Create idle links.
     * @param topology the network's shape
     */
    template <class Topology>
    explicit SingleChannels(const Topology& topology)
        : m_busy(topology.GetNLinks(), 0)
    {
    }

    /**
     * Take a link for a packet if it is free.
     * @param link the link
     * @param now the cycle
     * @param cycles packet length [cycles]
     * @return whether it was free
     */
    bool Take(Link link, Cycle now, uint32_t cycles)
    {
        Cycle& busy = m_busy[link];
        if (busy > now)
        {
            return false;
        }
        busy = now + cycles;
        return true;
    }

    /**
     * Get the first cycle in which a packet can take a link.
     * @param link the link
     * @return the cycle
     */
    Cycle FreeAt(Link link) const
    {
        return m_busy[link];
    }

    /**
     * Prefetch a link's state.
     * @param link the link
     */
    void Prefetch(Link link) const
    {
        __builtin_prefetch(&m_busy[link], 1);
    }

    /**
     * Move the origin of time.
     * @param by shift [cycles]
     */
    void Rebase(Cycle by)
    {
        for (Cycle& busy : m_busy)
        {
            busy -= std::min(busy, by);
        }
    }

  private:
    std::vector<Cycle> m_busy; ///< First free cycle by link.
};

/** Links of several parallel channels. */
class BundledChannels
{
  public:
    /**
     * Create idle links.
     * @param topology the network's shape
     */
    template <class Topology>
    explicit BundledChannels(const Topology& topology)
    {
        m_bundles.reserve(topology.GetNLinks());
        uint32_t first = 0;
        for (Link link = 0; link < topology.GetNLinks(); ++link)
        {
            const uint32_t channels = topology.GetChannels(link);
            m_bundles.push_back(Bundle{first, channels, 0, 0});
            first += channels;
        }
        m_busy.assign(first, 0);
    }

    /**
     * Take a channel of a link for a packet if one is free.
     * @param link the link
     * @param now the cycle
     * @param cycles packet length [cycles]
     * @return whether one was free
     */
    bool Take(Link link, Cycle now, uint32_t cycles)
    {
        Bundle& bundle = m_bundles[link];
        if (bundle.freeAt > now)
        {
            return false;
        }
        Cycle earliest = FOREVER;
        for (uint32_t n = 0; n < bundle.channels; ++n)
        {
            Cycle& busy = m_busy[bundle.first + bundle.cursor];
            if (++bundle.cursor == bundle.channels)
            {
                bundle.cursor = 0;
            }
            if (busy <= now)
            {
                busy = now + cycles;
                return true;
            }
            earliest = std::min(earliest, busy);
        }
        bundle.freeAt = earliest;
        return false;
    }

    /**
     * Get the first cycle in which a packet can take a channel of a link.
     * @param link the link
     * @return the cycle
     */
    Cycle FreeAt(Link link) const
    {
        const Bundle& bundle = m_bundles[link];
        const auto first = m_busy.begin() + bundle.first;
        return *std::min_element(first, first + bundle.channels);
    }

    /**
     * Prefetch a link's state.
     * @param link the link
     */
    void Prefetch(Link link) const
    {
        __builtin_prefetch(&m_bundles[link], 1);
    }

    /**
     * Move the origin of time.
     * @param by shift [cycles]
     */
    void Rebase(Cycle by)
    {
        for (Cycle& busy : m_busy)
        {
            busy -= std::min(busy, by);
        }
        for (Bundle& bundle : m_bundles)
        {
            bundle.freeAt = 0;
        }
    }

  private:
    /** Channels of one link. */
    struct Bundle
    {
        uint32_t first;    ///< First channel.
        uint32_t channels; ///< Number of channels.
        uint32_t cursor;   ///< Offset of the channel where the search for a free one begins.
        Cycle freeAt;      ///< No channel is free before this cycle.
    };

    std::vector<Bundle> m_bundles; ///< Bundles by link.
    std::vector<Cycle> m_busy;     ///< First free cycle by channel.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CHANNELS_H
