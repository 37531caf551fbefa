/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BACKOFF_H
#define IDEMPOTENT_BACKOFF_H

#include "ns3/messaging-types.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Backoff of a retransmission as a function of the number of attempts (paper 1, sections 4.3 and
 * 6).
 */

namespace ns3
{
namespace idempotent
{

/** Strategies of retransmission (sections 4.3 and 6). */
enum class BackoffKind : uint8_t
{
    CONSTANT,    ///< C, which the paper found to livelock.
    LINEAR,      ///< C n.
    QUADRATIC,   ///< C n^2, the paper's choice with C = 3.
    EXPONENTIAL, ///< C 2^n, which the paper found to wait too long.
    TABLE,       ///< A lookup table; its last value applies to all further attempts (section 6).
    CONGESTION,  ///< C n on a calm node, up to 16 C n if all its packets fail (section 6).
    DESTINATION, ///< As CONGESTION, for the packets of the node to that region (section 6).
    NETWORK      ///< As CONGESTION, with an estimate that CONFs spread over all nodes (section 6).
};

/**
 * Backoffs of a group of nodes, shared by all of them. The table avoids a virtual call per packet.
 */
struct BackoffTable
{
    std::vector<messaging::Ticks> calm; ///< Backoff after n attempts without congestion [ticks].
    std::vector<messaging::Ticks>
        congested; ///< Backoff at full congestion [ticks]; empty without estimates of congestion.
    messaging::Ticks slope{0}; ///< Increment for each attempt past the end of the table [ticks].

    /**
     * Look up a backoff.
     * @param n number of attempts
     * @param congestion the estimate of congestion, 0 for none to 65535 for full
     * @return the backoff [ticks]
     */
    messaging::Ticks Get(uint32_t n, uint16_t congestion) const
    {
        if (n >= calm.size())
        {
            const auto last = calm.size() - 1;
            return Get(static_cast<uint32_t>(last), congestion) + (n - last) * slope;
        }
        if (congested.empty())
        {
            return calm[n];
        }
        return calm[n] + (((congested[n] - calm[n]) * congestion) >> 16);
    }
};

/** Parameters of the backoff; IdempotentProtocol has them as attributes. */
struct Backoff
{
    /** Maximum backoff [ticks]. */
    static constexpr messaging::Ticks LONGEST = messaging::Ticks{1} << 40;

    BackoffKind kind{BackoffKind::QUADRATIC};         ///< Strategy.
    double c{3};                                      ///< The constant C [cycles].
    std::string table{"0 3 12 27 48 75 108 147 192"}; ///< Values of strategy TABLE [cycles].

    /** @return empty if the parameters are valid, else one sentence. */
    std::string Check() const;

    /**
     * Compute the table of backoffs.
     * @param cycle length of a cycle [ticks]
     * @return the table
     */
    BackoffTable MakeTable(messaging::Ticks cycle = 1) const;
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BACKOFF_H
