/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_PATHS_H
#define UET_PATHS_H

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Choice of a path for each packet: entropy values (EV).
 */

namespace ns3
{
namespace uet
{

/** Kinds of choice. */
enum class PathKind : uint8_t
{
    SINGLE,    ///< SinglePath.
    OBLIVIOUS, ///< ObliviousPaths.
    BITMAP,    ///< BitmapPaths.
    REPS       ///< RepsPaths.
};

/** What happened to a packet on a path. */
enum class PathNews : uint8_t
{
    GOOD,     ///< It was acknowledged.
    MARKED,   ///< It was acknowledged, and bore MARK_CONGESTION.
    NACKED,   ///< It was trimmed, or refused.
    TIMED_OUT ///< Its timer expired.
};

/** Parameters of the choice. */
struct PathSettings
{
    PathKind kind{PathKind::SINGLE}; ///< Kind.
    uint16_t paths{1};               ///< Number of paths.
    messaging::Ticks freezeTime{1};  ///< Time for which REPS does not explore [ticks].
};

/**
 * @ingroup uet
 * One random path for all packets, as ROD needs it.
 */
class SinglePath
{
  public:
    /** @param settings parameters */
    explicit SinglePath(const PathSettings& settings)
        : m_paths(settings.paths)
    {
    }

    /** Choose a path. @param out actions @return the path */
    template <class Out>
    uint16_t Choose(Out& out)
    {
        if (m_paths > 1 && !m_path)
        {
            m_path = static_cast<uint16_t>(out.Random(m_paths));
        }
        return m_path.value_or(0);
    }

    /** Does nothing. */
    void OnNews(uint16_t, PathNews, messaging::Ticks)
    {
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_path.value_or(m_paths), "path");
    }

  private:
    uint16_t m_paths;               ///< Number of paths.
    std::optional<uint16_t> m_path; ///< The path.
};

/**
 * @ingroup uet
 * All paths in turn, in an order that changes at random after each round: a counter, exclusive-or a
 * random number [htsim, uec_mp.cpp]. The counter goes up to a power of two; values that are no
 * paths are left out.
 */
class ObliviousPaths
{
  public:
    /** @param settings parameters */
    explicit ObliviousPaths(const PathSettings& settings)
        : m_paths(settings.paths),
          m_values(std::bit_ceil(m_paths))
    {
    }

    /** Choose a path. @param out actions @return the path */
    template <class Out>
    uint16_t Choose(Out& out)
    {
        uint32_t path = m_paths;
        while (path >= m_paths)
        {
            if (m_count == 0)
            {
                m_mask = out.Random(m_values);
            }
            path = m_count ^ m_mask;
            m_count = (m_count + 1) % m_values;
        }
        return static_cast<uint16_t>(path);
    }

    /** Does nothing. */
    void OnNews(uint16_t, PathNews, messaging::Ticks)
    {
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_count, "path counter");
        encoder.Put(m_mask, "path mask");
    }

  private:
    uint32_t m_paths;    ///< Number of paths.
    uint32_t m_values;   ///< Values of the counter, a power of two.
    uint32_t m_count{0}; ///< Values of this round so far.
    uint32_t m_mask{0};  ///< Order of this round.
};

/**
 * @ingroup uet
 * Oblivious choice that skips a path with a penalty, and then reduces the penalty by one [htsim,
 * uec_mp.cpp].
 *
 * @verbatim
     news         mark   NACK   timeout
     penalty        1      4      15        at most 15
   @endverbatim
 */
class BitmapPaths
{
  public:
    /** @param settings parameters */
    explicit BitmapPaths(const PathSettings& settings)
        : m_order(settings),
          m_paths(settings.paths)
    {
    }

    /** Choose a path. @param out actions @return the path; after one round of penalties, the next
     */
    template <class Out>
    uint16_t Choose(Out& out)
    {
        uint16_t path = m_order.Choose(out);
        for (uint32_t i = 0; i < m_paths && GetPenalty(path) > 0; ++i)
        {
            --m_penalties[path];
            path = m_order.Choose(out);
        }
        return path;
    }

    /** Punish a path. @param path the path @param news what happened */
    void OnNews(uint16_t path, PathNews news, messaging::Ticks)
    {
        constexpr std::array<uint8_t, 4> PENALTIES{0, 1, 4, MOST_PENALTY};
        const uint32_t penalty = PENALTIES[static_cast<uint8_t>(news)];
        if (penalty > 0 && path < m_paths)
        {
            m_penalties.resize(m_paths);
            m_penalties[path] =
                static_cast<uint8_t>(std::min<uint32_t>(m_penalties[path] + penalty, MOST_PENALTY));
        }
    }

    /** @param path a path @return its penalty. */
    uint8_t GetPenalty(uint16_t path) const
    {
        return path < m_penalties.size() ? m_penalties[path] : 0;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        m_order.Encode(encoder);
        encoder.Put(m_penalties.size(), "penalties");
        for (const uint8_t penalty : m_penalties)
        {
            encoder.Put(penalty);
        }
    }

  private:
    static constexpr uint8_t MOST_PENALTY = 15; ///< Largest penalty.

    ObliviousPaths m_order;           ///< Order of the paths.
    std::vector<uint8_t> m_penalties; ///< Penalty of each path; none before the first one.
    uint16_t m_paths;                 ///< Number of paths.
};

/**
 * @ingroup uet
 * Recycled entropies [REPS, EuroSys 2026]: a packet takes the oldest path whose acknowledgement
 bore
 * no mark, or a random one if there is none. After a timeout, no new path is tried for a time:
 paths
 * that were good before are used again.
 *
 * @verbatim
      good news:  the path becomes a valid entry of a circle of 8
      send:       oldest valid entry; else a random path
      frozen:     oldest valid entry; else the next entry, valid or not
   @endverbatim
 */
class RepsPaths
{
  public:
    /** @param settings parameters */
    explicit RepsPaths(const PathSettings& settings)
        : m_freezeTime(settings.freezeTime),
          m_paths(settings.paths)
    {
    }

    /** Choose a path. @param out actions @return the path */
    template <class Out>
    uint16_t Choose(Out& out)
    {
        if (m_valid > 0)
        {
            const uint32_t oldest = (m_head + ENTRIES - m_valid) % ENTRIES;
            --m_valid;
            return m_entries[oldest];
        }
        if (m_known > 0 && out.Now() < m_frozenUntil)
        {
            m_reuse = (m_reuse + 1) % m_known;
            return m_entries[m_reuse];
        }
        return static_cast<uint16_t>(out.Random(m_paths));
    }

    /**
     * Keep a good path; freeze after a timeout.
     * @param path the path
     * @param news what happened
     * @param now the time [ticks]
     */
    void OnNews(uint16_t path, PathNews news, messaging::Ticks now)
    {
        if (news == PathNews::GOOD)
        {
            m_entries[m_head] = path;
            m_head = (m_head + 1) % ENTRIES;
            m_valid = std::min(m_valid + 1, ENTRIES);
            m_known = std::min(m_known + 1, ENTRIES);
        }
        else if (news == PathNews::TIMED_OUT)
        {
            m_frozenUntil = now + m_freezeTime;
        }
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const uint16_t entry : m_entries)
        {
            encoder.Put(entry, "path");
        }
        encoder.Put(m_head, "next entry");
        encoder.Put(m_valid, "valid entries");
        encoder.Put(m_known, "entries");
        encoder.Put(m_reuse, "entry used again");
        encoder.Put(m_frozenUntil > 0, "frozen");
    }

  private:
    static constexpr uint32_t ENTRIES = 8; ///< Paths that are kept.

    std::array<uint16_t, ENTRIES> m_entries{}; ///< Good paths, a circle.
    messaging::Ticks m_frozenUntil{0};         ///< End of the time without a new path [ticks].
    messaging::Ticks m_freezeTime;             ///< Length of that time [ticks].
    uint32_t m_head{0};                        ///< Entry that is written next.
    uint32_t m_valid{0};                       ///< Entries before it that were not used yet.
    uint32_t m_known{0};                       ///< Entries that were ever written.
    uint32_t m_reuse{0};                       ///< Entry that was used again last.
    uint16_t m_paths;                          ///< Number of paths.
};

/**
 * @ingroup uet
 * One kind of choice, selected at run time: a plain value.
 */
class PathChoice
{
  public:
    /** @param settings the kind and its parameters */
    explicit PathChoice(const PathSettings& settings)
        : m_choice(Make(settings))
    {
    }

    /** Choose a path. @param out actions @return the path */
    template <class Out>
    uint16_t Choose(Out& out)
    {
        return std::visit([&](auto& choice) { return choice.Choose(out); }, m_choice);
    }

    /**
     * Learn what happened to a packet.
     * @param path the path on which it was sent
     * @param news what happened
     * @param now the time [ticks]
     */
    void OnNews(uint16_t path, PathNews news, messaging::Ticks now)
    {
        std::visit([&](auto& choice) { choice.OnNews(path, news, now); }, m_choice);
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        std::visit([&](const auto& choice) { choice.Encode(encoder); }, m_choice);
    }

  private:
    /** One of the kinds, in the order of PathKind. */
    using Choice = std::variant<SinglePath, ObliviousPaths, BitmapPaths, RepsPaths>;

    /** @param settings the kind and its parameters @return the choice. */
    static Choice Make(const PathSettings& settings)
    {
        if (settings.paths <= 1)
        {
            return SinglePath(settings);
        }
        switch (settings.kind)
        {
        case PathKind::OBLIVIOUS:
            return ObliviousPaths(settings);
        case PathKind::BITMAP:
            return BitmapPaths(settings);
        case PathKind::REPS:
            return RepsPaths(settings);
        case PathKind::SINGLE:
            break;
        }
        return SinglePath(settings);
    }

    Choice m_choice; ///< The choice.
};

} // namespace uet
} // namespace ns3

#endif // UET_PATHS_H
