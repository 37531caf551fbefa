/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-backoff.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentBackoff");
NS_OBJECT_ENSURE_REGISTERED(BackoffPolicy);
NS_OBJECT_ENSURE_REGISTERED(ScaledBackoff);
NS_OBJECT_ENSURE_REGISTERED(ConstantBackoff);
NS_OBJECT_ENSURE_REGISTERED(LinearBackoff);
NS_OBJECT_ENSURE_REGISTERED(QuadraticBackoff);
NS_OBJECT_ENSURE_REGISTERED(ExponentialBackoff);
NS_OBJECT_ENSURE_REGISTERED(TableBackoff);
NS_OBJECT_ENSURE_REGISTERED(CongestionBackoff);

using messaging::Ticks;

namespace
{

/** Attempts for which a BackoffTable has entries of their own. */
constexpr uint32_t TABLE_ATTEMPTS = 512;

} // namespace

TypeId
BackoffPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::idempotent::BackoffPolicy").SetParent<Object>().SetGroupName("Idempotent");
    return tid;
}

BackoffPolicy::~BackoffPolicy() = default;

Ticks
BackoffPolicy::GetCongestedBackoff(uint32_t n) const
{
    return GetBackoff(n);
}

std::string
BackoffPolicy::Check() const
{
    return "";
}

BackoffTable
BackoffPolicy::MakeTable() const
{
    BackoffTable table;
    bool estimates = false;
    for (uint32_t n = 0; n < TABLE_ATTEMPTS; ++n)
    {
        table.calm.push_back(std::min(GetBackoff(n), LONGEST));
        table.congested.push_back(std::clamp(GetCongestedBackoff(n), table.calm.back(), LONGEST));
        estimates |= table.congested.back() != table.calm.back();
    }
    if (!estimates)
    {
        table.congested.clear();
    }
    const Ticks last = table.calm[TABLE_ATTEMPTS - 1];
    table.slope = last - std::min(last, table.calm[TABLE_ATTEMPTS - 2]);
    return table;
}

TypeId
ScaledBackoff::GetTypeId()
{
    static TypeId tid = TypeId("ns3::idempotent::ScaledBackoff")
                            .SetParent<BackoffPolicy>()
                            .SetGroupName("Idempotent")
                            .AddAttribute("C",
                                          "The constant C of the backoff [cycles; section 4.3].",
                                          DoubleValue(3),
                                          MakeDoubleAccessor(&ScaledBackoff::m_c),
                                          MakeDoubleChecker<double>(0, 1e9));
    return tid;
}

Ticks
ScaledBackoff::Scale(double factor) const
{
    const double value = m_c * factor;
    return value < static_cast<double>(LONGEST) ? static_cast<Ticks>(std::llround(value)) : LONGEST;
}

TypeId
ConstantBackoff::GetTypeId()
{
    static TypeId tid = TypeId("ns3::idempotent::ConstantBackoff")
                            .SetParent<ScaledBackoff>()
                            .SetGroupName("Idempotent")
                            .AddConstructor<ConstantBackoff>();
    return tid;
}

Ticks
ConstantBackoff::GetBackoff(uint32_t) const
{
    return Scale(1);
}

TypeId
LinearBackoff::GetTypeId()
{
    static TypeId tid = TypeId("ns3::idempotent::LinearBackoff")
                            .SetParent<ScaledBackoff>()
                            .SetGroupName("Idempotent")
                            .AddConstructor<LinearBackoff>();
    return tid;
}

Ticks
LinearBackoff::GetBackoff(uint32_t n) const
{
    return Scale(n);
}

TypeId
QuadraticBackoff::GetTypeId()
{
    static TypeId tid = TypeId("ns3::idempotent::QuadraticBackoff")
                            .SetParent<ScaledBackoff>()
                            .SetGroupName("Idempotent")
                            .AddConstructor<QuadraticBackoff>();
    return tid;
}

Ticks
QuadraticBackoff::GetBackoff(uint32_t n) const
{
    return Scale(static_cast<double>(n) * n);
}

TypeId
ExponentialBackoff::GetTypeId()
{
    static TypeId tid = TypeId("ns3::idempotent::ExponentialBackoff")
                            .SetParent<ScaledBackoff>()
                            .SetGroupName("Idempotent")
                            .AddConstructor<ExponentialBackoff>();
    return tid;
}

Ticks
ExponentialBackoff::GetBackoff(uint32_t n) const
{
    return Scale(std::ldexp(1.0, static_cast<int>(std::min(n, 1000U))));
}

TypeId
TableBackoff::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::idempotent::TableBackoff")
            .SetParent<BackoffPolicy>()
            .SetGroupName("Idempotent")
            .AddConstructor<TableBackoff>()
            .AddAttribute("Values",
                          "Backoff after 0, 1, 2, ... attempts, separated by blanks or commas; the "
                          "last holds for all further attempts [cycles; section 6].",
                          StringValue("0 3 12 27 48 75 108 147 192"),
                          MakeStringAccessor(&TableBackoff::SetValues, &TableBackoff::GetValues),
                          MakeStringChecker());
    return tid;
}

void
TableBackoff::SetValues(const std::string& text)
{
    m_text = text;
    m_values.clear();
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true)
    {
        at = std::find_if_not(at, end, [](char c) { return c == ' ' || c == ','; });
        if (at == end)
        {
            return;
        }
        Ticks value = 0;
        const auto [rest, error] = std::from_chars(at, end, value);
        if (error != std::errc() || (rest != end && *rest != ' ' && *rest != ','))
        {
            m_values.clear();
            return;
        }
        m_values.push_back(value);
        at = rest;
    }
}

std::string
TableBackoff::GetValues() const
{
    return m_text;
}

std::string
TableBackoff::Check() const
{
    return m_values.empty() ? "\"" + m_text +
                                  "\" is no lookup table of backoffs: whole numbers of cycles, "
                                  "separated by blanks or commas, are allowed."
                            : "";
}

Ticks
TableBackoff::GetBackoff(uint32_t n) const
{
    return m_values.empty() ? 0 : m_values[std::min<std::size_t>(n, m_values.size() - 1)];
}

TypeId
CongestionBackoff::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::idempotent::CongestionBackoff")
            .SetParent<ScaledBackoff>()
            .SetGroupName("Idempotent")
            .AddConstructor<CongestionBackoff>()
            .AddAttribute("Gain",
                          "How many times C n is added on a node whose packets all fail "
                          "[ratio; default].",
                          DoubleValue(15),
                          MakeDoubleAccessor(&CongestionBackoff::m_gain),
                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

Ticks
CongestionBackoff::GetBackoff(uint32_t n) const
{
    return Scale(n);
}

Ticks
CongestionBackoff::GetCongestedBackoff(uint32_t n) const
{
    return Scale(n * (1 + m_gain));
}

} // namespace idempotent
} // namespace ns3
