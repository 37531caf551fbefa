/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include "bench-common.h"

#include "ns3/idempotent-scenario.h"
#include "ns3/string.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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
    std::string verdict{};                   ///< Verdict.
    double seconds{0};                       ///< Processor time of its process [s].
    double peakBytes{0};                     ///< Peak memory of its process [bytes].
    double measured{0};                      ///< A further number, see RunScenario.
    std::map<std::string, double> results{}; ///< Results by name.

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

/** Output and cost of a child process. */
struct ChildRun
{
    std::string output;  ///< What it has written.
    double seconds{0};   ///< Processor time in user mode [s].
    double peakBytes{0}; ///< Peak memory [bytes].
};

/**
 * Run a function in a child process, to measure its time and memory separately.
 * @param body gets the file descriptor for its output; returns true on success
 * @return the run; without output on failure
 */
template <class Body>
ChildRun
RunInChild(Body&& body)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return {};
    }
    const pid_t child = fork();
    if (child == 0)
    {
        close(ends[0]);
        _exit(body(ends[1]) ? 0 : 1);
    }
    close(ends[1]);
    ChildRun run;
    char part[512];
    for (ssize_t n = 0; (n = read(ends[0], part, sizeof(part))) > 0;)
    {
        run.output.append(part, static_cast<std::size_t>(n));
    }
    close(ends[0]);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    run.seconds = static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec;
    run.peakBytes = 1024.0 * usage.ru_maxrss;
    return run;
}

/**
 * Run a scenario in a separate process.
 * @tparam Scenario the scenario
 * @param settings parameters by name
 * @param wanted names of the results
 * @param measure computes a further number after the run, from tables for instance; null for none
 * @return the run
 */
template <class Scenario = idempotent::IdempotentScenario>
ScenarioRun
RunScenario(const std::map<std::string, std::string>& settings,
            const std::vector<std::string>& wanted,
            const std::function<double(const Scenario&)>& measure = nullptr)
{
    const ChildRun child = RunInChild([&](int output) {
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
        told += std::to_string(measure ? measure(*scenario) : 0) + "\n";
        for (const auto& name : wanted)
        {
            StringValue value;
            scenario->GetAttribute(name, value);
            told += value.Get() + "\n";
        }
        return write(output, told.data(), told.size()) >= 0;
    });
    ScenarioRun run{.seconds = child.seconds, .peakBytes = child.peakBytes};
    std::istringstream lines(child.output);
    std::getline(lines, run.verdict);
    std::string line;
    std::getline(lines, line);
    run.measured = std::strtod(line.c_str(), nullptr);
    for (const auto& name : wanted)
    {
        if (std::getline(lines, line))
        {
            run.results[name] = std::strtod(line.c_str(), nullptr);
        }
    }
    return run;
}

} // namespace bench
} // namespace ns3

#endif // BENCH_SCENARIO_H
