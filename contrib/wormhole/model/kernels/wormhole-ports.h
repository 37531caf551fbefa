/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_PORTS_H
#define WORMHOLE_PORTS_H

#include "ns3/nstime.h"
#include "ns3/wormhole-types.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Injection and ejection ports.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Busy-until times of the ports of all nodes.
 * @tparam Time type of a time
 */
template <class Time>
class Ports
{
  public:
    /**
     * Create idle ports.
     * @param nNodes number of nodes
     * @param nPorts ports of each node; 0: unlimited
     */
    Ports(uint32_t nNodes, uint32_t nPorts)
        : m_nPorts(nPorts),
          m_busy(static_cast<std::size_t>(nNodes) * nPorts, 0)
    {
    }

    /**
     * Take a port if one is free.
     * @param node the node
     * @param now the cycle
     * @param cycles duration [cycles]
     * @return whether one was free
     */
    bool Take(uint32_t node, Time now, uint32_t cycles)
    {
        if (m_nPorts == 1) [[likely]]
        {
            Time& port = m_busy[node];
            if (port > now)
            {
                return false;
            }
            port = now + cycles;
            return true;
        }
        return TakeOfMany(node, now, cycles);
    }

    /**
     * Change the busy-until time of a port.
     * @param node the node
     * @param until its busy-until time
     * @param now its new busy-until time
     */
    void Release(uint32_t node, Time until, Time now)
    {
        if (m_nPorts == 1) [[likely]]
        {
            Time& port = m_busy[node];
            if (port == until)
            {
                port = now;
            }
            return;
        }
        const auto first =
            m_busy.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * m_nPorts);
        const auto found = std::find(first, first + m_nPorts, until);
        if (found != first + m_nPorts)
        {
            *found = now;
        }
    }

    /**
     * Get the first cycle in which a port is free.
     * @param node the node
     * @return the cycle
     */
    Time FreeAt(uint32_t node) const
    {
        if (m_nPorts == 1) [[likely]]
        {
            return m_busy[node];
        }
        return FreeAtOfMany(node);
    }

    /**
     * Move the origin of time.
     * @param by shift [cycles]
     */
    void Rebase(Time by)
    {
        for (Time& busy : m_busy)
        {
            busy -= std::min(busy, by);
        }
    }

  private:
    /**
     * Take a port if one is free, for more than one port or an unlimited number.
     * @param node the node
     * @param now the cycle
     * @param cycles duration [cycles]
     * @return whether one was free
     */
    [[gnu::noinline]] bool TakeOfMany(uint32_t node, Time now, uint32_t cycles)
    {
        if (m_nPorts == 0)
        {
            return true;
        }
        Time* port = &m_busy[static_cast<std::size_t>(node) * m_nPorts];
        Time* const end = port + m_nPorts;
        while (*port > now)
        {
            if (++port == end)
            {
                return false;
            }
        }
        *port = now + cycles;
        return true;
    }

    /**
     * Get the first cycle in which a port is free, for more than one port or an unlimited number.
     * @param node the node
     * @return the cycle
     */
    [[gnu::noinline]] Time FreeAtOfMany(uint32_t node) const
    {
        if (m_nPorts == 0)
        {
            return 0;
        }
        const auto first =
            m_busy.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * m_nPorts);
        return *std::min_element(first, first + m_nPorts);
    }

    uint32_t m_nPorts;        ///< Ports of each node; 0: unlimited.
    std::vector<Time> m_busy; ///< First free cycle by node and port.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_PORTS_H
