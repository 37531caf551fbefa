/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include "bench-common.h"

#include "ns3/idempotent-scenario.h"
#include "ns3/string.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

/**
 * @file
 * Runs of scenarios, each in a separate process.
 */

namespace ns3
{
namespace bench
{

/** Outcome of a run. */
struct ScenarioRun
{
    std::string verdict;                   ///< Verdict.
    double seconds{0};                     ///< Processor time of its process [s].
    double peakBytes{0};                   ///< Peak memory of its process [bytes].
    std::map<std::string, double> results; ///< Results by name.

    /**
     * End the program unless the run has completed.
     * @param name name of the run
     */
    void Require(const std::string& name) const
    {
        if (verdict != "completed")
        {
            std::cerr << name << ": " << (verdict.empty() ? "crashed" : verdict) << std::endl;
            std::exit(1);
        }
    }
};

/**
 * Run a scenario in a separate process, to measure its time and memory separately.
 * @tparam Scenario the scenario
 * @param settings parameters by name
 * @param wanted names of the results
 * @return the run
 */
template <class Scenario = idempotent::IdempotentScenario>
ScenarioRun
RunScenario(const std::map<std::string, std::string>& settings,
            const std::vector<std::string>& wanted)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return {};
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const auto scenario = CreateObject<Scenario>();
        for (const auto& [name, value] : settings)
        {
            // In ASCII, "Network" precedes "network.Router".
            const auto dot = name.find('.');
            const Ptr<Object> owner = dot == std::string::npos
                                          ? Ptr<Object>(scenario)
                                          : scenario->GetPart(name.substr(0, dot));
            owner->SetAttribute(name.substr(dot + 1), StringValue(value));
        }
        scenario->Run();
        std::string told = scenario->GetVerdictName() + "\n";
        for (const auto& name : wanted)
        {
            StringValue value;
            scenario->GetAttribute(name, value);
            told += value.Get() + "\n";
        }
        const bool written = write(ends[1], told.data(), told.size()) >= 0;
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    std::string told;
    char part[512];
    for (ssize_t n = 0; (n = read(ends[0], part, sizeof(part))) > 0;)
    {
        told.append(part, static_cast<std::size_t>(n));
    }
    close(ends[0]);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    ScenarioRun run;
    run.seconds = static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec;
    run.peakBytes = 1024.0 * usage.ru_maxrss;
    std::size_t at = told.find('\n');
    run.verdict = told.substr(0, at);
    for (const auto& name : wanted)
    {
        if (at == std::string::npos)
        {
            break;
        }
        run.results[name] = std::strtod(told.c_str() + at + 1, nullptr);
        at = told.find('\n', at + 1);
    }
    return run;
}

} // namespace bench
} // namespace ns3

#endif // BENCH_SCENARIO_H
