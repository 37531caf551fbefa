/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

/**
 * @file
 * Common parts of the benchmarks: time, random numbers, results.
 */

namespace ns3
{
namespace bench
{

/**
 * Get the processor time of a process, which depends less on other processes than the time of day.
 * @param who RUSAGE_SELF or RUSAGE_CHILDREN
 * @return the user time [s]
 */
inline double
GetCpuTime(int who = RUSAGE_SELF)
{
    rusage usage{};
    getrusage(who, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec;
}

/**
 * Get the median.
 * @param values at least one value
 * @return their median
 */
inline double
GetMedian(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/**
 * Print a result in the format of bench/run.
 * @param name name of the result
 * @param value measured value
 * @param unit unit of the value and of the baseline
 * @param baseline name of the baseline, empty for none
 * @param beside the baseline's value
 * @param ratio the ratio, 0 for value / beside
 * @param nodes size of the network if varied, else 0
 */
inline void
Report(const std::string& name,
       double value,
       const char* unit,
       const std::string& baseline = "",
       double beside = 0,
       double ratio = 0,
       uint64_t nodes = 0)
{
    std::printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"", name.c_str(), value, unit);
    if (!baseline.empty())
    {
        std::printf(", \"baseline\": \"%s\", \"baseline_value\": %.6g, \"ratio\": %.4g",
                    baseline.c_str(),
                    beside,
                    ratio > 0 ? ratio : value / beside);
    }
    if (nodes > 0)
    {
        std::printf(", \"nodes\": %llu", static_cast<unsigned long long>(nodes));
    }
    std::printf("}\n");
    std::fflush(stdout);
}

/** Random numbers of negligible cost. */
class Random
{
  public:
    /**
     * Draw a number.
     * @param limit exclusive upper bound
     * @return a number from 0 to limit - 1
     */
    uint32_t Below(uint32_t limit)
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return static_cast<uint32_t>(((m_state >> 32) * limit) >> 32);
    }

  private:
    uint64_t m_state{0x9e3779b97f4a7c15ULL}; ///< Never zero.
};

/** A file that exists as long as this object. */
class TemporaryFile
{
  public:
    /**
     * Create the file.
     * @param text its content
     */
    explicit TemporaryFile(const std::string& text)
        : m_name((std::filesystem::temp_directory_path() / "relnet-bench-XXXXXX").string())
    {
        const int file = mkstemp(m_name.data());
        if (file < 0)
        {
            std::perror(m_name.c_str());
            std::exit(1);
        }
        close(file);
        std::ofstream(m_name) << text;
    }

    ~TemporaryFile()
    {
        std::remove(m_name.c_str());
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /** @return its name. */
    const std::string& GetName() const
    {
        return m_name;
    }

  private:
    std::string m_name; ///< Its name.
};

/** Two rates measured in turn, so that other load of the machine affects both. */
class Pair
{
  public:
    /**
     * Measure both in turn.
     * @param rounds number of rounds
     * @param measured returns a rate
     * @param baseline returns a rate
     */
    template <class Measured, class Baseline>
    Pair(int rounds, Measured&& measured, Baseline&& baseline)
    {
        std::vector<double> values;
        std::vector<double> besides;
        std::vector<double> ratios;
        for (int round = 0; round < rounds; ++round)
        {
            besides.push_back(baseline());
            values.push_back(measured());
            ratios.push_back(values.back() / besides.back());
        }
        value = GetMedian(values);
        beside = GetMedian(besides);
        ratio = GetMedian(ratios);
    }

    double value;  ///< Median of the measured rate.
    double beside; ///< Median rate of the baseline.
    double ratio;  ///< Median of the ratios of each round.
};

} // namespace bench
} // namespace ns3

#endif // BENCH_COMMON_H
