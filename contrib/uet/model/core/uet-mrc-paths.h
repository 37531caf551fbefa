/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_PATHS_H
#define UET_MRC_PATHS_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-encoder.h"
#include "ns3/messaging-types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Paths of MRC: entropy values (EV), and the state of each.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{

using messaging::Peer;

/** States of a path. */
enum class PathState : uint8_t
{
    GOOD,        ///< It is used.
    SKIP,        ///< It is left out once.
    ASSUMED_BAD, ///< It is not used until a probe returns.
    DENIED       ///< The administrator has excluded it.
};

/** @param state a state @return its name. */
constexpr const char*
GetName(PathState state)
{
    constexpr std::array NAMES{"good", "skip", "assumed bad", "denied"};
    return NAMES[static_cast<uint8_t>(state)];
}

/**
 * Print a state by name.
 * @param os the stream
 * @param state the value
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, PathState state)
{
    return os << GetName(state);
}

/** What a SACK says of the path of the packet that it answers: its field M. */
enum class PathNews : uint8_t
{
    NONE,       ///< Nothing.
    SKIP_ONCE,  ///< The packet bore a mark of congestion.
    ALWAYS_SKIP ///< The path must not be used.
};

/** Parameters of a profile. */
struct ProfileSettings
{
    /** Most paths of a profile, with backups: that of the window's packets. */
    static constexpr uint32_t MOST_PATHS = 512;

    uint16_t paths{1};        ///< Path values of the network; plane 0 has the lowest ones.
    uint16_t planes{1};       ///< Planes of the network.
    uint16_t active{1};       ///< Most paths in use.
    uint16_t backups{0};      ///< Most backups.
    uint32_t deniedPlanes{0}; ///< Planes that the administrator has excluded, a bit each.

    /** @return path values of a plane. */
    uint16_t GetPathsOfPlane() const
    {
        return static_cast<uint16_t>(std::max(1, paths / std::max<uint16_t>(planes, 1)));
    }

    /** @param path a path value @return its plane. */
    uint16_t GetPlane(uint16_t path) const
    {
        return static_cast<uint16_t>(path / GetPathsOfPlane());
    }

    /** @param plane a plane @return true if the administrator has excluded it. */
    bool IsDenied(uint32_t plane) const
    {
        return plane < 32 && (deniedPlanes >> plane & 1) != 0;
    }
};

/**
 * @ingroup uet
 * Profile of the entropy values of a queue pair: paths in use, evenly spread over the planes, and
 * backups. Packets take those in use in turn.
 *
 * @verbatim
                 SKIP_ONCE or NACK TRIMMED
        +------+ -------------------------> +------+
        | GOOD |                            | SKIP |
        +------+ <------------------------- +------+
          |   ^      its turn has passed      |  ^
          |   |                ALWAYS_SKIP or |  | a SACK of a probe, with
          |   | a SACK of a        timeout    v  | SKIP_ONCE
          |   | probe, with NONE         +-------------+       +--------+
          |   +------------------------- | ASSUMED_BAD |       | DENIED |  for ever
          +----------------------------> +-------------+       +--------+
              ALWAYS_SKIP or timeout
   @endverbatim
 *
 * A path that becomes ASSUMED_BAD changes places with a backup of the same plane that is GOOD, if
 * there is one. If no path is left, those that are ASSUMED_BAD are used. Backups have no turn, so
 * they are never SKIP.
 *
 * A profile of one path has no states: there is no other choice.
 */
class PathProfile
{
  public:
    /** @param settings parameters */
    explicit PathProfile(const ProfileSettings& settings)
        : m_settings(settings)
    {
        const auto planes = static_cast<uint16_t>(
            std::clamp<uint32_t>(settings.planes, 1, std::clamp<uint32_t>(settings.paths, 1, 256)));
        m_settings.planes = planes;
        const uint16_t ofPlane = m_settings.GetPathsOfPlane();
        // A backup for each three paths in use, at most.
        const uint32_t backups = std::min<uint32_t>(settings.backups / planes, ofPlane / 4);
        const uint32_t active =
            std::clamp<uint32_t>(settings.active / planes, 1, ofPlane - backups);
        for (uint32_t rank = 0; rank < active + backups; ++rank)
        {
            for (uint32_t plane = 0; plane < planes; ++plane)
            {
                m_order.push_back(static_cast<uint16_t>(plane * ofPlane + rank));
                m_states.push_back(settings.IsDenied(plane) ? PathState::DENIED : PathState::GOOD);
            }
        }
        m_active = active * planes;
    }

    /** @return number of paths in use. */
    uint32_t GetNActive() const
    {
        return m_active;
    }

    /** @return number of paths, with backups. */
    uint32_t GetNPaths() const
    {
        return static_cast<uint32_t>(m_order.size());
    }

    /** @param path a path of the profile @return its index, below GetNPaths, which never changes.
     */
    uint32_t GetIndex(uint16_t path) const
    {
        const uint32_t ofPlane = m_settings.GetPathsOfPlane();
        return path % ofPlane * m_settings.planes + path / ofPlane;
    }

    /** @param slot a number, below GetNPaths; those below GetNActive are in use @return the path
     * there. */
    uint16_t GetPath(uint32_t slot) const
    {
        return m_order[slot];
    }

    /** @param slot a number, below GetNPaths @return state of the path there. */
    PathState GetState(uint32_t slot) const
    {
        return m_states[slot];
    }

    /** @return true if a path is ASSUMED_BAD. */
    bool HasBad() const
    {
        return m_bad > 0;
    }

    /**
     * Choose the path of a packet: the next one in turn that is GOOD.
     * @param to the peer
     * @param out actions
     * @return the path
     */
    template <class Out>
    uint16_t Choose(Peer to, Out& out)
    {
        if (m_active == 1)
        {
            return m_order.front();
        }
        if (!m_hasBegun)
        {
            m_hasBegun = true;
            m_turn = out.Random(m_active);
        }
        // After one round, all that were SKIP are GOOD.
        for (uint32_t i = 0; i < 2 * m_active; ++i)
        {
            const uint32_t slot = TakeTurn();
            if (m_states[slot] == PathState::GOOD)
            {
                return m_order[slot];
            }
            if (m_states[slot] == PathState::SKIP)
            {
                Set(to, slot, PathState::GOOD, out);
            }
        }
        uint32_t slot = TakeTurn();
        while (m_states[slot] == PathState::DENIED)
        {
            slot = TakeTurn();
        }
        return m_order[slot];
    }

    /**
     * Receive what a SACK says of the path of a packet.
     * @param to the peer
     * @param path the path
     * @param news the field M
     * @param out actions
     */
    template <class Out>
    void OnNews(Peer to, uint16_t path, PathNews news, Out& out)
    {
        if (news == PathNews::ALWAYS_SKIP)
        {
            OnTimeout(to, path, out);
        }
        else if (news == PathNews::SKIP_ONCE)
        {
            OnTrimmed(to, path, out);
        }
    }

    /** A packet was trimmed. @param to the peer @param path its path @param out actions */
    template <class Out>
    void OnTrimmed(Peer to, uint16_t path, Out& out)
    {
        const uint32_t slot = Find(path);
        if (slot < m_active && m_states[slot] == PathState::GOOD)
        {
            Set(to, slot, PathState::SKIP, out);
        }
    }

    /** The timer of a packet has expired: there was neither a SACK nor a NACK. @param to the peer
     * @param path its path @param out actions */
    template <class Out>
    void OnTimeout(Peer to, uint16_t path, Out& out)
    {
        const uint32_t slot = Find(path);
        const bool isUsed = slot < GetNPaths() && (m_states[slot] == PathState::GOOD ||
                                                   m_states[slot] == PathState::SKIP);
        if (!isUsed)
        {
            return;
        }
        Set(to, slot, PathState::ASSUMED_BAD, out);
        if (slot < m_active)
        {
            Replace(slot);
        }
    }

    /**
     * Receive the answer to a probe.
     * @param to the peer
     * @param path its path
     * @param news the field M
     * @param out actions
     */
    template <class Out>
    void OnProbeAnswer(Peer to, uint16_t path, PathNews news, Out& out)
    {
        const uint32_t slot = Find(path);
        if (slot < GetNPaths() && m_states[slot] == PathState::ASSUMED_BAD &&
            news != PathNews::ALWAYS_SKIP)
        {
            const bool isSkipped = news == PathNews::SKIP_ONCE && slot < m_active;
            Set(to, slot, isSkipped ? PathState::SKIP : PathState::GOOD, out);
        }
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        if (m_active == 1)
        {
            return;
        }
        for (uint32_t slot = 0; slot < GetNPaths(); ++slot)
        {
            encoder.Put(m_order[slot], "path");
            encoder.Put(static_cast<uint64_t>(m_states[slot]), "its state");
        }
        encoder.Put(m_turn, "next path");
        encoder.Put(m_hasBegun, "paths have begun");
    }

  private:
    /** @return the path whose turn it is; the turn passes to the next one. */
    uint32_t TakeTurn()
    {
        const uint32_t slot = m_turn;
        m_turn = (m_turn + 1) % m_active;
        return slot;
    }

    /** @param path a path @return its place; GetNPaths if it has none, or the profile has no
     * states. */
    uint32_t Find(uint16_t path) const
    {
        if (m_active == 1)
        {
            return GetNPaths();
        }
        // Paths keep their first places unless one was bad, so look there first.
        const uint32_t first = GetIndex(path);
        if (first < GetNPaths() && m_order[first] == path)
        {
            return first;
        }
        return static_cast<uint32_t>(std::ranges::find(m_order, path) - m_order.begin());
    }

    /** Change a state. @param to the peer @param slot place of the path @param state the state
     * @param out actions */
    template <class Out>
    void Set(Peer to, uint32_t slot, PathState state, Out& out)
    {
        m_bad -= m_states[slot] == PathState::ASSUMED_BAD ? 1 : 0;
        m_bad += state == PathState::ASSUMED_BAD ? 1 : 0;
        m_states[slot] = state;
        messaging::TracePath(out, to, m_order[slot], GetName(state));
    }

    /** Let a backup of the same plane take the place of a path. @param slot place of the path */
    void Replace(uint32_t slot)
    {
        const uint16_t plane = m_settings.GetPlane(m_order[slot]);
        for (uint32_t backup = m_active; backup < GetNPaths(); ++backup)
        {
            if (m_states[backup] == PathState::GOOD &&
                m_settings.GetPlane(m_order[backup]) == plane)
            {
                std::swap(m_order[slot], m_order[backup]);
                std::swap(m_states[slot], m_states[backup]);
                return;
            }
        }
    }

    ProfileSettings m_settings;      ///< Parameters.
    std::vector<uint16_t> m_order;   ///< Paths in use, then backups.
    std::vector<PathState> m_states; ///< Their states, in the same order.
    uint32_t m_active{1};            ///< Number of paths in use.
    uint32_t m_turn{0};              ///< Place of the next path.
    uint32_t m_bad{0};               ///< Paths that are ASSUMED_BAD.
    bool m_hasBegun{false};          ///< A path was chosen.
};

} // namespace mrc
} // namespace uet
} // namespace ns3

#endif // UET_MRC_PATHS_H
