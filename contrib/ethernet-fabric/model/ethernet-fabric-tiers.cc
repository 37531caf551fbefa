/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-tiers.h"

#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace ns3
{
namespace fabric
{

using messaging::ToText;

namespace
{

/** Bits per second of a gigabit per second. */
constexpr uint64_t GIGABIT = 1'000'000'000;

/** Largest number of hosts, ports, links or bytes in a file. */
constexpr uint32_t LARGEST = 1U << 30;

/** Tiers of switches that a file can have. */
constexpr uint32_t MOST_TIERS = 3;

/** Words of the head of a file. */
enum class Head : uint8_t
{
    NODES,
    TIERS,
    PODSIZE,
    N_HEADS
};

/** Words of a section of a file. */
enum class Entry : uint8_t
{
    RATE,
    DOWN,
    UP,
    OVERSUBSCRIBED,
    BUNDLE,
    DELAY,
    LATENCY,
    BUFFER_DOWN,
    BUFFER_UP,
    N_ENTRIES
};

constexpr std::size_t N_HEADS = static_cast<std::size_t>(Head::N_HEADS);      ///< Their number.
constexpr std::size_t N_ENTRIES = static_cast<std::size_t>(Entry::N_ENTRIES); ///< Their number.

/** Words of Head. */
constexpr std::array<const char*, N_HEADS> HEAD_WORDS{"nodes", "tiers", "podsize"};

/** Words of Entry. */
constexpr std::array<const char*, N_ENTRIES> ENTRY_WORDS{"downlink_speed_gbps",
                                                         "radix_down",
                                                         "radix_up",
                                                         "oversubscribed",
                                                         "bundle",
                                                         "downlink_latency_ns",
                                                         "switch_latency_ns",
                                                         "queue_down",
                                                         "queue_up"};

/** Numbers of a section, by Entry. */
using Section = std::array<std::optional<uint32_t>, N_ENTRIES>;

/** What a file says. */
struct FileText
{
    std::array<std::optional<uint32_t>, N_HEADS> head{};    ///< Numbers by Head.
    std::array<std::optional<Section>, MOST_TIERS> tiers{}; ///< Sections by tier.
    Section* section{nullptr};                              ///< Section of the line.

    /** @return a number of the head. @param which the number */
    uint32_t Get(Head which) const
    {
        return head[static_cast<std::size_t>(which)].value_or(0);
    }

    /** @return a number of a section. @param tier the tier @param which the number @param initial
     * the number if the section lacks it */
    uint32_t Get(uint32_t tier, Entry which, uint32_t initial) const
    {
        return (*tiers[tier])[static_cast<std::size_t>(which)].value_or(initial);
    }

    /** @return whether a section has a number. @param tier the tier @param which the number */
    bool Has(uint32_t tier, Entry which) const
    {
        return (*tiers[tier])[static_cast<std::size_t>(which)].has_value();
    }
};

/**
 * Find a word and set its number.
 * @param words known words
 * @param word word of the line
 * @param number number of the line
 * @param numbers numbers by word
 * @return empty, or the error; nothing if the word is not known
 */
template <std::size_t N>
std::optional<std::string>
SetNumber(const std::array<const char*, N>& words,
          const std::string& word,
          uint32_t number,
          std::array<std::optional<uint32_t>, N>& numbers)
{
    for (std::size_t index = 0; index < N; ++index)
    {
        if (word != words[index])
        {
            continue;
        }
        if (numbers[index])
        {
            return word + " is given twice";
        }
        numbers[index] = number;
        return "";
    }
    return std::nullopt;
}

/**
 * Read a line.
 * @param line the line
 * @param text what the lines before it say
 * @return empty, or the error
 */
std::string
ReadLine(const std::string& line, FileText& text)
{
    std::vector<std::string> words = messaging::SplitWords(line);
    if (words.empty())
    {
        return "";
    }
    std::string& word = words[0];
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    uint32_t number = 0;
    if (words.size() != 2 || !messaging::ReadNumber(words[1], 0, LARGEST, number))
    {
        return ToText("a line has a word and a number from 0 to ", LARGEST);
    }
    if (word == "tier")
    {
        if (number >= MOST_TIERS || text.tiers[number])
        {
            return "tiers are numbered from 0 to 2, and each is given once";
        }
        text.section = &text.tiers[number].emplace();
        return "";
    }
    const auto problem = text.section ? SetNumber(ENTRY_WORDS, word, number, *text.section)
                                      : SetNumber(HEAD_WORDS, word, number, text.head);
    if (problem)
    {
        return *problem;
    }
    return text.section ? '"' + word +
                              "\" is not one of downlink_speed_gbps, radix_down, radix_up, "
                              "oversubscribed, bundle, downlink_latency_ns, switch_latency_ns, "
                              "queue_down, queue_up and tier"
                        : '"' + word + "\" is not one of nodes, tiers, podsize and tier";
}

/**
 * Check that a text is complete.
 * @param text the text
 * @return empty, or the error
 */
std::string
CheckComplete(const FileText& text)
{
    for (std::size_t index = 0; index < N_HEADS; ++index)
    {
        if (text.head[index].value_or(0) == 0)
        {
            return ToText("has no number of ", HEAD_WORDS[index], " in its head, from 1 on");
        }
    }
    const uint32_t count = text.Get(Head::TIERS);
    if (count < 2 || count > MOST_TIERS)
    {
        return ToText("has ", count, " tiers; there are 2 or 3");
    }
    for (uint32_t tier = 0; tier < MOST_TIERS; ++tier)
    {
        if (text.tiers[tier].has_value() != (tier < count))
        {
            return ToText("has to have a section for each of its ", count, " tiers");
        }
        if (tier >= count)
        {
            continue;
        }
        for (const Entry which : {Entry::RATE, Entry::DOWN, Entry::UP, Entry::BUNDLE})
        {
            const bool needed = which != Entry::UP || tier + 1 < count;
            if (needed && text.Get(tier, which, which == Entry::BUNDLE ? 1 : 0) == 0)
            {
                return ToText("has no ",
                              ENTRY_WORDS[static_cast<std::size_t>(which)],
                              " from 1 on in tier ",
                              tier);
            }
            if (!needed && text.Has(tier, which))
            {
                return ToText("has a radix_up in its top tier ", tier);
            }
        }
    }
    return "";
}

/**
 * Check that ports and numbers of switches fit.
 * @param tiers the tiers
 * @param text the text
 * @return empty, or the error
 */
std::string
CheckFit(const std::vector<FabricTier>& tiers, const FileText& text)
{
    const uint32_t hosts = text.Get(Head::NODES);
    const uint32_t pod = text.Get(Head::PODSIZE);
    if (tiers[0].bundle != 1)
    {
        return "has a bundle of links to hosts in tier 0; a host has one port in a plane";
    }
    if (hosts % pod != 0 || pod % tiers[0].down != 0)
    {
        return "needs nodes to be a multiple of podsize, and podsize one of radix_down in tier 0";
    }
    // The switches below one of each tier: leaves of a pod, then pods.
    std::vector<uint32_t> below{pod / tiers[0].down};
    if (tiers.size() == MOST_TIERS)
    {
        below.push_back(hosts / pod);
    }
    else if (hosts != pod)
    {
        return "needs a third tier, since podsize is less than nodes";
    }
    for (uint32_t tier = 0; tier + 1 < tiers.size(); ++tier)
    {
        const FabricTier& lower = tiers[tier];
        const FabricTier& upper = tiers[tier + 1];
        if (lower.up % upper.bundle != 0)
        {
            return ToText("needs radix_up of tier ",
                          tier,
                          " to be a multiple of the bundle of tier ",
                          tier + 1);
        }
        if (upper.down != below[tier] * upper.bundle)
        {
            return ToText("has radix_down ",
                          upper.down,
                          " in tier ",
                          tier + 1,
                          ", but ",
                          below[tier],
                          " switches below each of its switches, by ",
                          upper.bundle,
                          " links each");
        }
        const uint64_t ratio = text.Get(tier, Entry::OVERSUBSCRIBED, 1);
        const uint64_t upwards = lower.up * upper.rate.GetBitRate();
        if (lower.down * lower.rate.GetBitRate() != ratio * upwards)
        {
            return ToText("has oversubscribed ",
                          ratio,
                          " in tier ",
                          tier,
                          ", which is not the ratio of its rates downwards and upwards");
        }
    }
    return "";
}

} // namespace

FabricTiers
ReadTiers(std::istream& in, const std::string& name, const FabricConfig& config)
{
    FabricTiers result;
    FileText text;
    result.error = messaging::ReadLines(in, name, [&text](const std::string& line, uint32_t) {
        return ReadLine(line, text);
    });
    if (!result.error.empty())
    {
        return result;
    }
    std::string problem = CheckComplete(text);
    for (uint32_t tier = 0; problem.empty() && tier < text.Get(Head::TIERS); ++tier)
    {
        FabricTier& read = result.tiers.emplace_back();
        read.rate = DataRate(text.Get(tier, Entry::RATE, 0) * GIGABIT);
        read.down = text.Get(tier, Entry::DOWN, 0);
        read.up = text.Get(tier, Entry::UP, 0);
        read.bundle = text.Get(tier, Entry::BUNDLE, 1);
        read.delay = config.delay;
        if (text.Has(tier, Entry::DELAY))
        {
            read.delay = NanoSeconds(text.Get(tier, Entry::DELAY, 0));
        }
        read.latency = config.latency;
        if (text.Has(tier, Entry::LATENCY))
        {
            read.latency = NanoSeconds(text.Get(tier, Entry::LATENCY, 0));
        }
        read.bufferDown = text.Get(tier, Entry::BUFFER_DOWN, config.buffer);
        read.bufferUp = text.Get(tier, Entry::BUFFER_UP, config.buffer);
    }
    if (problem.empty())
    {
        problem = CheckFit(result.tiers, text);
    }
    if (!problem.empty())
    {
        result.error = name + ' ' + problem + '.';
    }
    result.hosts = text.Get(Head::NODES);
    return result;
}

FabricTiers
GetTiers(const FabricConfig& config, uint32_t hosts)
{
    FabricTiers result;
    const FabricTier low{.rate = config.hostRate,
                         .delay = config.delay,
                         .latency = config.latency,
                         .bufferUp = config.buffer,
                         .bufferDown = config.buffer};
    FabricTier high = low;
    high.rate = config.GetTrunkRate();
    high.bundle = config.parallel;
    switch (config.topology)
    {
    case TopologyKind::SWITCH:
        result.tiers = {low};
        result.tiers[0].down = hosts;
        break;
    case TopologyKind::LEAF_SPINE:
    case TopologyKind::OF_PRESET:
        result.tiers = {low, high};
        result.tiers[0].down = config.GetHostsPerLeaf(hosts);
        result.tiers[0].up = config.GetSpines(hosts) * config.parallel;
        break;
    case TopologyKind::FAT_TREE: {
        const uint32_t half = config.GetRadix(hosts) / 2;
        result.tiers = {low, high, high};
        result.tiers[0].down = half * config.oversubscription;
        result.tiers[0].up = half * config.parallel;
        result.tiers[1].down = half * config.parallel;
        result.tiers[1].up = half * config.parallel;
        break;
    }
    case TopologyKind::FROM_FILE: {
        std::ifstream in;
        result.error = config.topologyFile.empty()
                           ? "needs to be the path of a file, since Topology is file."
                           : messaging::OpenTextFile(config.topologyFile, in);
        if (result.error.empty())
        {
            result = ReadTiers(in, config.topologyFile, config);
        }
        if (!result.error.empty())
        {
            result.error = "TopologyFile " + result.error;
        }
        break;
    }
    }
    return result;
}

} // namespace fabric
} // namespace ns3
