/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sdr-closed-forms.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ns3
{
namespace sdr
{

namespace
{

/** Probabilities below this one are left out. */
constexpr double NEGLIGIBLE = 1e-9;

/** @param n number of trials @param p probability @param i successes @return their probability. */
double
GetBinomial(uint64_t n, double p, uint64_t i)
{
    if (p <= 0 || p >= 1)
    {
        const uint64_t certain = p <= 0 ? 0 : n;
        return i == certain ? 1 : 0;
    }
    const auto count = static_cast<double>(n);
    const auto hits = static_cast<double>(i);
    const double ways =
        std::lgamma(count + 1) - std::lgamma(hits + 1) - std::lgamma(count - hits + 1);
    return std::exp(ways + hits * std::log(p) + (count - hits) * std::log1p(-p));
}

/** @param a a number @param b another @return a / b, rounded up. */
uint64_t
DivideUp(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/** @param first first moment @param second second moment @return mean and standard deviation. */
TimeMoments
MakeMoments(double first, double second)
{
    return {first, std::sqrt(std::max(second - first * first, 0.0))};
}

} // namespace

double
GetDecodeProbability(const LinkModel& model, uint32_t data)
{
    const uint32_t parity = static_cast<uint32_t>(DivideUp(data * model.parity, model.data));
    double probability = 0;
    if (model.scheme == Scheme::MDS || data == 1)
    {
        for (uint32_t lost = 0; lost <= parity; ++lost)
        {
            probability += GetBinomial(data + parity, model.loss, lost);
        }
        return std::min(probability, 1.0);
    }
    probability = 1;
    for (uint32_t group = 0; group < parity; ++group)
    {
        const uint32_t chunks = data / parity + (group < data % parity ? 1 : 0) + 1;
        // With all data, the loss of parity alone does no harm; that is one of the single losses.
        probability *= GetBinomial(chunks, model.loss, 0) + GetBinomial(chunks, model.loss, 1);
    }
    return probability;
}

TimeMoments
GetRepeatTime(const LinkModel& model, uint64_t chunks)
{
    // F(q) = prod_i (1 - P^n_i(q)), n_i(q) = transmissions of chunk i that have ended by q. From
    // the end of the injection on, F has a step at each i T + n O. E[T^r] = r times the integral of
    // q^(r - 1) (1 - F(q)).
    const double begin = static_cast<double>(chunks) * model.chunkTime;
    const double period = model.timeout + model.chunkTime;
    std::vector<std::pair<double, double>> steps;
    double logarithm = 0;
    double remaining = 1;
    for (uint64_t sent = 1; remaining > NEGLIGIBLE && model.loss > 0; ++sent)
    {
        const double before = std::pow(model.loss, static_cast<double>(sent));
        const double change = std::log1p(-before * model.loss) - std::log1p(-before);
        for (uint64_t chunk = 1; chunk <= chunks; ++chunk)
        {
            const double time =
                static_cast<double>(chunk) * model.chunkTime + static_cast<double>(sent) * period;
            logarithm += sent == 1 ? std::log1p(-model.loss) : 0;
            if (time <= begin)
            {
                logarithm += change;
            }
            else
            {
                steps.emplace_back(time, change);
            }
        }
        remaining = static_cast<double>(chunks) * before * model.loss;
    }
    std::ranges::sort(steps);
    double first = begin + model.roundTrip;
    double second = first * first;
    double last = begin;
    for (const auto& [time, change] : steps)
    {
        const double open = -std::expm1(logarithm);
        const double from = last + model.roundTrip;
        const double to = time + model.roundTrip;
        first += open * (to - from);
        second += open * (to * to - from * from);
        logarithm += change;
        last = time;
    }
    return MakeMoments(first, second);
}

TimeMoments
GetCodedTime(const LinkModel& model, uint64_t chunks)
{
    const uint64_t full = chunks / model.data;
    const auto rest = static_cast<uint32_t>(chunks % model.data);
    const uint64_t all = chunks + full * model.parity + DivideUp(rest * model.parity, model.data);
    const double injection = static_cast<double>(all) * model.chunkTime;
    const double failure = 1 - GetDecodeProbability(model, model.data);
    const double restFailure = rest > 0 ? 1 - GetDecodeProbability(model, rest) : 0;
    double first = 0;
    double second = 0;
    for (uint64_t failed = 0; failed <= full; ++failed)
    {
        const double probability = GetBinomial(full, failure, failed);
        for (const bool fails : {false, true})
        {
            const double weight = probability * (fails ? restFailure : 1 - restFailure);
            if (weight < NEGLIGIBLE)
            {
                continue;
            }
            TimeMoments after{model.roundTrip, 0};
            if (failed > 0 || fails)
            {
                after = GetRepeatTime(model, failed * model.data + (fails ? rest : 0));
                after.mean += model.roundTrip + model.slack;
            }
            const double mean = injection + after.mean;
            first += weight * mean;
            second += weight * (mean * mean + after.deviation * after.deviation);
        }
    }
    return MakeMoments(first, second);
}

TimeMoments
GetCompletionTime(const LinkModel& model, uint64_t chunks)
{
    return model.scheme == Scheme::SELECTIVE_REPEAT ? GetRepeatTime(model, chunks)
                                                    : GetCodedTime(model, chunks);
}

} // namespace sdr
} // namespace ns3
