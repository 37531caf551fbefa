/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Access of the Python layer to ns-3's own classes. It loads this library before ns-3, so that all
 * callers use the definition of RngStream::RandU01 here, which counts random numbers and calls
 * ns-3's.
 */

#include "ns3/log.h"
#include "ns3/rng-stream.h"

#include <cstdint>
#include <dlfcn.h>
#include <map>
#include <sstream>
#include <string>

namespace
{

uint64_t g_draws = 0; ///< Number of random numbers drawn.

/** Names of levels in NS_LOG. */
const std::map<std::string, ns3::LogLevel> LEVELS{
    {"error", ns3::LOG_ERROR},
    {"warn", ns3::LOG_WARN},
    {"debug", ns3::LOG_DEBUG},
    {"info", ns3::LOG_INFO},
    {"function", ns3::LOG_FUNCTION},
    {"logic", ns3::LOG_LOGIC},
    {"level_error", ns3::LOG_LEVEL_ERROR},
    {"level_warn", ns3::LOG_LEVEL_WARN},
    {"level_debug", ns3::LOG_LEVEL_DEBUG},
    {"level_info", ns3::LOG_LEVEL_INFO},
    {"level_function", ns3::LOG_LEVEL_FUNCTION},
    {"level_logic", ns3::LOG_LEVEL_LOGIC},
    {"level_all", ns3::LOG_LEVEL_ALL},
    {"func", ns3::LOG_PREFIX_FUNC},
    {"prefix_func", ns3::LOG_PREFIX_FUNC},
    {"time", ns3::LOG_PREFIX_TIME},
    {"prefix_time", ns3::LOG_PREFIX_TIME},
    {"node", ns3::LOG_PREFIX_NODE},
    {"prefix_node", ns3::LOG_PREFIX_NODE},
    {"level", ns3::LOG_PREFIX_LEVEL},
    {"prefix_level", ns3::LOG_PREFIX_LEVEL},
    {"prefix_all", ns3::LOG_PREFIX_ALL},
};

/**
 * Read the levels of a component.
 * @param text levels separated by bars, as in NS_LOG; everything if empty
 * @param unknown extended by words that are not levels
 * @return the levels
 */
ns3::LogLevel
ReadLevels(const std::string& text, std::string& unknown)
{
    const int everything = ns3::LOG_LEVEL_ALL | ns3::LOG_PREFIX_ALL;
    int levels = text.empty() ? everything : 0;
    std::istringstream words(text);
    // As in ns-3, the first "all" means all levels, a later one all prefixes.
    bool first = true;
    for (std::string word; std::getline(words, word, '|'); first = false)
    {
        if (word == "**")
        {
            levels |= everything;
        }
        else if (word == "all" || word == "*")
        {
            levels |= first ? ns3::LOG_LEVEL_ALL : ns3::LOG_PREFIX_ALL;
        }
        else if (const auto found = LEVELS.find(word); found != LEVELS.end())
        {
            levels |= found->second;
        }
        else
        {
            unknown += "level " + word + "\n";
        }
    }
    return static_cast<ns3::LogLevel>(levels);
}

} // namespace

double
ns3::RngStream::RandU01()
{
    using Draw = double (*)(RngStream*);
    static const auto draw =
        reinterpret_cast<Draw>(dlsym(RTLD_NEXT, "_ZN3ns39RngStream7RandU01Ev"));
    ++g_draws;
    return draw(this);
}

extern "C"
{
    /**
     * Get the number of random numbers drawn.
     * @return their number
     */
    uint64_t RelnetDraws()
    {
        return g_draws;
    }

    /**
     * Enable logs now. Enabling them before the libraries are loaded would log hundreds of
     * megabytes.
     * @param text components and levels, as in NS_LOG
     * @return nonexistent components and levels, one per line
     */
    const char* RelnetEnableLogs(const char* text)
    {
        static std::string unknown;
        unknown.clear();
        auto& components = *ns3::LogComponent::GetComponentList();
        std::istringstream entries(text);
        for (std::string entry; std::getline(entries, entry, ':');)
        {
            const auto equals = entry.find('=');
            const auto name = entry.substr(0, equals);
            const auto levels =
                ReadLevels(equals == std::string::npos ? "" : entry.substr(equals + 1), unknown);
            if (name == "*" || name == "***")
            {
                ns3::LogComponentEnableAll(levels);
            }
            else if (const auto found = components.find(name); found != components.end())
            {
                found->second->Enable(levels);
            }
            else
            {
                unknown += "component " + name + "\n";
            }
        }
        return unknown.c_str();
    }

    /**
     * Get all log components.
     * @return name and source file of each, one per line
     */
    const char* RelnetLogComponents()
    {
        static std::string names;
        names.clear();
        for (const auto& [name, component] : *ns3::LogComponent::GetComponentList())
        {
            names += name + " " + component->File() + "\n";
        }
        return names.c_str();
    }
}
