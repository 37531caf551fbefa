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

/** Largest bit error rate of a link. */
constexpr double MOST_ERRORS = 0.01;

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
    const std::string& kind = words[2];
    std::vector<LinkFault> changes;
    Instant period = 0;
    Instant down = 0;
    uint32_t times = 0;
    if (words.size() == 3 && (kind == "down" || kind == "up"))
    {
        fault.up = kind == "up";
        changes.push_back(fault);
    }
    else if (words.size() == 4 && kind == "rate" && ReadRate(words[3], fault.rate))
    {
        changes.push_back(fault);
    }
    else if (words.size() == 4 && kind == "errors" &&
             messaging::ReadNumber(words[3], 0, MOST_ERRORS, fault.errors))
    {
        changes.push_back(fault);
    }
    else if (words.size() == 6 && kind == "flap" && ReadTime(words[3], period) &&
             ReadTime(words[4], down) && down < period &&
             messaging::ReadNumber(words[5], 1, MOST_FLAPS, times))
    {
        for (uint32_t flap = 0; flap < times; ++flap)
        {
            changes.push_back({.when = fault.when, .up = false});
            changes.push_back({.when = fault.when + down});
            fault.when += period;
        }
    }
    const std::vector<PortId> ports = topology.FindLinks(words[1]);
    for (const LinkFault& change : changes)
    {
        for (const PortId port : ports)
        {
            faults.push_back(change);
            faults.back().port = port;
        }
    }
    return !changes.empty() && !ports.empty();
}

/**
 * Read faults of a text.
 * @param in the text
 * @param name name of the text, for errors
 * @param topology the links
 * @param faults the faults so far, changed
 * @return empty, or one sentence
 */
std::string
ReadText(std::istream& in,
         const std::string& name,
         const FabricTopology& topology,
         std::vector<LinkFault>& faults)
{
    return messaging::ReadLines(in, name, [&](const std::string& line, uint32_t) -> std::string {
        const auto words = messaging::SplitWords(line);
        if (words.empty() || ReadFault(words, topology, faults))
        {
            return "";
        }
        return '"' + line +
               "\" is not a time, a link or switch such as host0, leaf0-spine0 or spine0, and one "
               "of down, up, rate RATE, errors SHARE, and flap PERIOD DOWNTIME TIMES";
    });
}

} // namespace

std::vector<LinkFault>
ReadFaults(const FabricConfig& config, const FabricTopology& topology, std::string& error)
{
    std::vector<LinkFault> faults;
    std::string lines = config.faults;
    std::replace(lines.begin(), lines.end(), ';', '\n');
    std::istringstream text(lines);
    error = ReadText(text, "Faults", topology, faults);
    if (error.empty() && !config.faultsFile.empty())
    {
        std::ifstream file;
        error = messaging::OpenTextFile(config.faultsFile, file);
        if (error.empty())
        {
            error = ReadText(file, config.faultsFile, topology, faults);
        }
        error = error.empty() ? "" : "FaultsFile " + error;
    }
    if (!error.empty())
    {
        faults.clear();
    }
    return faults;
}

} // namespace fabric
} // namespace ns3
