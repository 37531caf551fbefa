/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-congestion-choice.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace messaging
{

namespace
{

/**
 * Convert a time.
 * @param time the time
 * @param tick length of a tick
 * @return the time, at least one tick [ticks]
 */
Ticks
CountTicks(Time time, Time tick)
{
    return std::max<Ticks>(static_cast<Ticks>(time.GetTimeStep() / tick.GetTimeStep()), 1);
}

} // namespace

CongestionChoice::Control
CongestionChoice::Make(const CongestionSettings& settings, const CongestionSite& site)
{
    switch (settings.kind)
    {
    case CongestionKind::WINDOW:
        return AimdWindow(site.segment, site.segment, site.window);
    case CongestionKind::DCQCN:
        return Dcqcn({.line = site.rate,
                      .least = settings.dcqcnLeast * site.rate,
                      .additive = settings.dcqcnAdditive * site.rate,
                      .hyper = settings.dcqcnHyper * site.rate,
                      .gain = settings.dcqcnGain,
                      .alphaInterval = CountTicks(settings.dcqcnAlphaInterval, site.tick),
                      .cutInterval = CountTicks(settings.dcqcnCutInterval, site.tick),
                      .increaseInterval = CountTicks(settings.dcqcnIncreaseInterval, site.tick),
                      .bytes = settings.dcqcnBytes,
                      .rounds = settings.dcqcnRounds});
    case CongestionKind::SWIFT: {
        SwiftConstants constants;
        constants.segment = site.segment;
        constants.most = std::max(static_cast<double>(site.window) / site.segment, 1.0);
        constants.least = constants.rangeLeast;
        constants.base = settings.swiftTarget * static_cast<double>(site.roundTrip + site.hosts);
        constants.range = settings.swiftRange * constants.base;
        return Swift(constants);
    }
    case CongestionKind::NSCC:
        return Nscc({.segment = site.segment,
                     .rate = site.rate,
                     .roundTrip = site.roundTrip,
                     .hosts = site.hosts,
                     .tick = static_cast<double>(site.tick.GetNanoSeconds()),
                     .target = settings.nsccTarget,
                     .most = settings.nsccMost});
    case CongestionKind::RCCC:
        return Rccc(site.segment, GetFirstCredit(settings, site));
    case CongestionKind::NONE:
        break;
    }
    return FixedWindow(std::numeric_limits<uint64_t>::max());
}

uint64_t
GetFirstCredit(const CongestionSettings& settings, const CongestionSite& site)
{
    const double product = site.rate * static_cast<double>(site.roundTrip);
    return std::max<uint64_t>(static_cast<uint64_t>(settings.rcccFirst * product), site.segment);
}

std::string
CheckCongestionControl(const CongestionSettings& settings, double rate, bool grants)
{
    if (settings.kind == CongestionKind::DCQCN && rate == 0)
    {
        return "DCQCN needs a network that states its rate.";
    }
    if (settings.kind == CongestionKind::NSCC && rate == 0)
    {
        return "NSCC needs a network that states its rate.";
    }
    if (settings.kind == CongestionKind::RCCC && !grants)
    {
        return "RCCC needs a protocol whose receivers grant credit, such as uet.";
    }
    if (settings.kind == CongestionKind::RCCC && rate == 0)
    {
        return "RCCC needs a network that states its rate.";
    }
    return "";
}

} // namespace messaging
} // namespace ns3
