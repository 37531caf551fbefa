/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BACKOFF_H
#define IDEMPOTENT_BACKOFF_H

#include "ns3/messaging-types.h"
#include "ns3/object.h"

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

/**
 * A backoff policy laid out for the hot path: one shared by all nodes of a group, no call through
 * a pointer when a packet is sent.
 */
struct BackoffTable
{
    std::vector<messaging::Ticks> calm; ///< Backoff after n attempts without congestion [ticks].
    std::vector<messaging::Ticks>
        congested; ///< The same at full congestion; empty if the policy does not estimate it.
    messaging::Ticks slope{0}; ///< Added for each attempt past the end of the table [ticks].

    /**
     * Look up a backoff.
     * @param n number of attempts
     * @param congestion the node's estimate of congestion, 0 for none to 65535 for full
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

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const BackoffTable&) const = default;
};

/**
 * @ingroup idempotent
 * Strategy of retransmission: how many cycles are added to the time in which a packet's answer
 * could have come (section 4.3).
 *
 * A policy answers for a number of attempts; a group asks it once for each and keeps the answers
 * in a BackoffTable. A policy that returns more for a congested node than for a calm one makes
 * each node estimate its congestion, as section 6 suggests.
 */
class BackoffPolicy : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~BackoffPolicy() override;

    /**
     * @param n number of attempts
     * @return the backoff [ticks]
     */
    virtual messaging::Ticks GetBackoff(uint32_t n) const = 0;

    /**
     * @param n number of attempts
     * @return the backoff of a node all of whose packets fail, not less than GetBackoff [ticks]
     */
    virtual messaging::Ticks GetCongestedBackoff(uint32_t n) const;

    /** @return empty if the parameters can be used, else one sentence. */
    virtual std::string Check() const;

    /** @return the policy laid out for the hot path. */
    BackoffTable MakeTable() const;

    /** Backoffs never exceed this, however many attempts [ticks]. */
    static constexpr messaging::Ticks LONGEST = messaging::Ticks{1} << 40;
};

/**
 * @ingroup idempotent
 * A policy with the constant C of section 4.3.
 */
class ScaledBackoff : public BackoffPolicy
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    /**
     * @param factor a function of the number of attempts
     * @return C times the factor, rounded and limited [ticks]
     */
    messaging::Ticks Scale(double factor) const;

  private:
    double m_c{3}; ///< The constant C [cycles].
};

/**
 * @ingroup idempotent
 * Backoff C, which the paper found to livelock (section 4.3).
 */
class ConstantBackoff : public ScaledBackoff
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::Ticks GetBackoff(uint32_t n) const override;
};

/**
 * @ingroup idempotent
 * Backoff C n (section 4.3).
 */
class LinearBackoff : public ScaledBackoff
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::Ticks GetBackoff(uint32_t n) const override;
};

/**
 * @ingroup idempotent
 * Backoff C n^2, the paper's choice with C = 3 (section 4.3).
 */
class QuadraticBackoff : public ScaledBackoff
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::Ticks GetBackoff(uint32_t n) const override;
};

/**
 * @ingroup idempotent
 * Backoff C 2^n, which the paper found to wait too long (section 4.3).
 */
class ExponentialBackoff : public ScaledBackoff
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::Ticks GetBackoff(uint32_t n) const override;
};

/**
 * @ingroup idempotent
 * Backoff from a lookup table, which section 6 suggests for arbitrary functions of n. Past its end
 * the last value is repeated.
 */
class TableBackoff : public BackoffPolicy
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::Ticks GetBackoff(uint32_t n) const override;
    std::string Check() const override;

  private:
    /**
     * Set the values.
     * @param text whole numbers separated by blanks or commas
     */
    void SetValues(const std::string& text);

    /** @return the values as text. */
    std::string GetValues() const;

    std::vector<messaging::Ticks> m_values; ///< Backoff after n attempts [ticks].
    std::string m_text;                     ///< The text that the values come from.
};

/**
 * @ingroup idempotent
 * Backoff C n on a calm node, rising to C n (1 + Gain) on a node whose packets all fail (section
 * 6: "estimated measures of congestion around the source node").
 */
class CongestionBackoff : public ScaledBackoff
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::Ticks GetBackoff(uint32_t n) const override;
    messaging::Ticks GetCongestedBackoff(uint32_t n) const override;

  private:
    double m_gain{15}; ///< How much longer a fully congested node waits.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BACKOFF_H
