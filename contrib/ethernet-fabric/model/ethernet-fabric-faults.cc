/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-faults.h"

#include "ns3/data-rate.h"
#include "ns3/messaging-attribute-text.h"
#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace fabric
{

namespace
{

/** Most repetitions of a flap. */
constexpr uint32_t MOST_FLAPS = 1'000'000;

/** @param word a time as text @param time set to it [ps] @return whether it is a time */
bool
ReadTime(const std::string& word, Instant& time)
{
    const auto checker = MakeTimeChecker(Time(0), Seconds(100000));
    TimeValue value;
    if (!messaging::IsWellFormed(word, *checker) || !value.DeserializeFromString(word, checker) ||
        !checker->Check(value))
    {
        return false;
    }
    time = static_cast<Instant>(value.Get().GetPicoSeconds());
    return true;
}

/** @param word a rate as text @param rate set to it [bit/s] @return whether it is a rate of a link
 */
bool
ReadRate(const std::string& word, uint64_t& rate)
{
    constexpr uint64_t LEAST = 10'000'000;
    const auto checker = MakeDataRateChecker();
    DataRateValue value;
    if (!messaging::IsWellFormed(word, *checker) || !value.DeserializeFromString(word, checker))
    {
        return false;
    }
    rate = value.Get().GetBitRate();
    return rate >= LEAST;
}

/**
 * Read one fault.
 * @param words its words
 * @param topology the links
 * @param faults the faults so far, changed
 * @return false if the words are wrong
 */
bool
ReadFault(const std::vector<std::string>& words,
          const FabricTopology& topology,
          std::vector<LinkFault>& faults)
{
    LinkFault fault;
    if (words.size() < 3 || !ReadTime(words[0], fault.when))
    {
        return false;
    }
    fault.port = topology.FindLink(words[1]);
    const std::string& kind = words[2];
    if (fault.port == NONE)
    {
        return false;
    }
    if (words.size() == 3 && (kind == "down" || kind == "up"))
    {
        fault.up = kind == "up";
        faults.push_back(fault);
        return true;
    }
    if (words.size() == 4 && kind == "rate" && ReadRate(words[3], fault.rate))
    {
        faults.push_back(fault);
        return true;
    }
    Instant period = 0;
    Instant down = 0;
    uint32_t times = 0;
    if (words.size() != 6 || kind != "flap" || !ReadTime(words[3], period) ||
        !ReadTime(words[4], down) || down >= period ||
        !messaging::ReadNumber(words[5], 1, MOST_FLAPS, times))
    {
        return false;
    }
    for (uint32_t flap = 0; flap < times; ++flap)
    {
        fault.up = false;
        faults.push_back(fault);
        faults.push_back({.when = fault.when + down, .port = fault.port});
        fault.when += period;
    }
    return true;
}

} // namespace

std::vector<LinkFault>
ReadFaults(const std::string& text, const FabricTopology& topology, std::string& error)
{
    std::string lines = text;
    std::replace(lines.begin(), lines.end(), ';', '\n');
    std::istringstream in(lines);
    std::vector<LinkFault> faults;
    for (std::string line; std::getline(in, line);)
    {
        const auto words = messaging::SplitWords(line);
        if (!words.empty() && !ReadFault(words, topology, faults))
        {
            error = messaging::ToText("Faults has \"",
                                      line,
                                      "\", which is not a time, a link such as host0 or "
                                      "leaf0-spine0, and one of down, up, rate RATE, and flap "
                                      "PERIOD DOWNTIME TIMES.");
            return {};
        }
    }
    return faults;
}

} // namespace fabric
} // namespace ns3
