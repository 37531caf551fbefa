/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-backoff.h"

#include "ns3/messaging-text-file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace idempotent
{

using messaging::Ticks;

namespace
{

/** Attempts with separate entries in a BackoffTable. */
constexpr uint32_t TABLE_ATTEMPTS = 512;

/** Multiple of C n at full congestion; section 6 gives no value. */
constexpr double CONGESTION_FACTOR = 16;

/**
 * Get a strategy's multiple of C.
 * @param kind a strategy with the constant C
 * @param n number of attempts
 * @return the multiple
 */
double
GetFactor(BackoffKind kind, uint32_t n)
{
    switch (kind)
    {
    case BackoffKind::QUADRATIC:
        return static_cast<double>(n) * n;
    case BackoffKind::EXPONENTIAL:
        return std::ldexp(1.0, static_cast<int>(n));
    case BackoffKind::CONSTANT:
        return 1;
    default:
        return n;
    }
}

/** @return a time, at most LONGEST [ticks]. @param value the time [ticks] */
Ticks
LimitTicks(double value)
{
    if (value < static_cast<double>(Backoff::LONGEST))
    {
        return static_cast<Ticks>(std::llround(value));
    }
    return Backoff::LONGEST;
}

/** @return the values of a table; none if it is malformed. @param table their text */
std::vector<Ticks>
ReadTable(const std::string& table)
{
    return messaging::ReadNumbers<Ticks>(table, 0, std::numeric_limits<Ticks>::max());
}

} // namespace

std::string
Backoff::Check() const
{
    if (kind == BackoffKind::TABLE && ReadTable(table).empty())
    {
        return "\"" + table +
               "\" is not a valid BackoffTable; it has to consist of whole numbers of cycles, "
               "separated by blanks or commas.";
    }
    return "";
}

BackoffTable
Backoff::MakeTable(Ticks cycle) const
{
    const double unit = c * static_cast<double>(cycle);
    const std::vector<Ticks> values = ReadTable(table);
    BackoffTable result;
    for (uint32_t n = 0; n < TABLE_ATTEMPTS; ++n)
    {
        if (kind == BackoffKind::TABLE)
        {
            Ticks value = 0;
            if (!values.empty())
            {
                value = values[std::min<std::size_t>(n, values.size() - 1)];
            }
            result.calm.push_back(std::min(value * cycle, LONGEST));
            continue;
        }
        result.calm.push_back(LimitTicks(unit * GetFactor(kind, n)));
        if (kind >= BackoffKind::CONGESTION)
        {
            result.congested.push_back(LimitTicks(unit * (n * CONGESTION_FACTOR)));
        }
    }
    const Ticks last = result.calm[TABLE_ATTEMPTS - 1];
    result.slope = last - std::min(last, result.calm[TABLE_ATTEMPTS - 2]);
    return result;
}

} // namespace idempotent
} // namespace ns3
