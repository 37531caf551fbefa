/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_HTSIM_H
#define BENCH_HTSIM_H

#include "bench-scenario.h"

#include "ns3/ethernet-fabric-scenario.h"
#include "ns3/messaging-table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include <variant>
#include <vector>

/**
 * @file
 * Permutations over fat trees with the physics of uet-htsim, and the same in uet-htsim itself.
 */

namespace ns3
{
namespace bench
{

/**
 * Get the parameters of `fabric` for a fat tree of three tiers with the physics and the congestion
 * control of uet-htsim's validation [uet.rst, Beside htsim]: 100 Gb/s, links of 1 us, packets of
 * 4150 bytes, queues of a bandwidth-delay product that trim, NSCC, 128 paths chosen by a bitmap.
 * @param hosts number of hosts
 * @param radix ports of a switch
 * @return the parameters
 */
inline std::map<std::string, std::string>
GetHtsimPhysics(uint32_t hosts, uint32_t radix)
{
    return {{"Nodes", std::to_string(hosts)},
            {"Protocol", "uet"},
            {"QueuePairs", "1"},
            {"network.Topology", "fat-tree"},
            {"network.Radix", std::to_string(radix)},
            {"network.Mtu", "4146"},
            {"network.Overhead", "20"},
            {"network.HostRate", "100Gbps"},
            {"network.Delay", "1us"},
            {"network.Latency", "0us"},
            {"network.Gaps", "false"},
            {"network.Admission", "trim"},
            {"network.Ecn", "red"},
            {"network.EcnPoint", "dequeue"},
            {"network.Paths", "128"},
            {"network.Buffer", "178450"},
            {"network.TrimThreshold", "178450"},
            {"network.HeaderQueue", "356900"},
            {"network.EcnLow", "37350"},
            {"network.EcnHigh", "145250"},
            {"protocol.Mtu", "4086"},
            {"protocol.Mpr", "128"},
            {"protocol.AckBytes", "16000"},
            {"protocol.Rto", "100.656us"},
            {"protocol.Retries", "14"},
            {"protocol.Idle", "10ms"},
            {"protocol.CongestionControl", "nscc"},
            {"protocol.Spraying", "bitmap"}};
}

/** A run, of either simulator. */
struct FlowRun
{
    double seconds{0};   ///< Processor time in user mode [s].
    double mebibytes{0}; ///< Peak memory [MiB].
    double last{0};      ///< Time at which the last sender knows that its flow has arrived [us].
    double repeats{0};   ///< Packets sent again.
};

/** A folder for the files that htsim writes, which exists as long as this object. */
class TemporaryFolder
{
  public:
    TemporaryFolder()
        : m_name((std::filesystem::temp_directory_path() / "relnet-bench-XXXXXX").string())
    {
        if (!mkdtemp(m_name.data()))
        {
            std::perror(m_name.c_str());
            std::exit(1);
        }
    }

    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_name, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /** @return its name. */
    const std::string& GetName() const
    {
        return m_name;
    }

  private:
    std::string m_name; ///< Its name.
};

/**
 * Find a connection matrix of htsim: its program is somewhere below the folder `sim`, and the
 * matrices are in `sim/datacenter`.
 * @param program path of the program
 * @param name name of the matrix
 * @return its path; empty if there is none
 */
inline std::string
FindMatrix(const std::string& program, const std::string& name)
{
    std::error_code ignored;
    std::filesystem::path folder = std::filesystem::canonical(program, ignored);
    while (folder.has_relative_path())
    {
        folder = folder.parent_path();
        for (const char* below : {"connection_matrices", "datacenter/connection_matrices"})
        {
            const auto path = folder / below / name;
            if (std::filesystem::exists(path, ignored))
            {
                return path.string();
            }
        }
    }
    return "";
}

/**
 * Run htsim's program for Ultra Ethernet with NSCC alone, 128 paths, and its defaults for the rest.
 * The program ends if that fails.
 * @param program path of the program
 * @param matrix path of the connection matrix
 * @return the run
 */
inline FlowRun
RunHtsim(const std::string& program, const std::string& matrix)
{
    const TemporaryFolder folder;
    const std::string path = std::filesystem::absolute(program).string();
    const ChildRun child = RunInChild([&](int output) {
        if (dup2(output, STDOUT_FILENO) < 0 || chdir(folder.GetName().c_str()) != 0)
        {
            return false;
        }
        execl(path.c_str(),
              path.c_str(),
              "-tm",
              matrix.c_str(),
              "-sender_cc_only",
              "-end",
              "1000",
              "-load_balancing_algo",
              "bitmap",
              "-paths",
              "128",
              nullptr);
        return false;
    });
    FlowRun run{.seconds = child.seconds, .mebibytes = child.peakBytes / 1048576};
    std::istringstream lines(child.output);
    for (std::string line; std::getline(lines, line);)
    {
        const std::string ended = " finished at ";
        if (const auto place = line.find(ended); place != std::string::npos)
        {
            run.last = std::max(run.last, std::atof(line.c_str() + place + ended.size()));
        }
        const std::string repeated = " Rtx: ";
        if (const auto place = line.find(repeated); place != std::string::npos)
        {
            run.repeats = std::atof(line.c_str() + place + repeated.size());
        }
    }
    if (!(run.last > 0))
    {
        std::cerr << program << " cannot be run, or is not htsim_uec." << std::endl;
        std::exit(1);
    }
    return run;
}

/**
 * Get the end of the last flow of a run with Details.
 * @param scenario the scenario after the run
 * @return the time at which its sender knows that it has arrived [us]
 */
inline double
GetLastConfirmation(const fabric::FabricScenario& scenario)
{
    double last = 0;
    for (const auto& [name, table] : scenario.GetPartTables())
    {
        for (const auto& column : table->GetColumns())
        {
            if (name == "Flows" && column.name == "confirmed")
            {
                last = std::ranges::max(std::get<std::vector<double>>(column.cells));
            }
        }
    }
    return last;
}

/**
 * Run the same flows here, with the audit of each message.
 * @param settings parameters of `fabric`
 * @param matrix path of the connection matrix, whose flows start at once
 * @return the run
 */
inline FlowRun
RunMatrix(std::map<std::string, std::string> settings, const std::string& matrix)
{
    settings["Workload"] = "file";
    settings["FlowFile"] = matrix;
    settings["Details"] = "true";
    const auto run =
        RunScenario<fabric::FabricScenario>(settings, {"Repeats"}, GetLastConfirmation);
    run.Require(matrix);
    return {run.seconds, run.peakBytes / 1048576, run.measured, run.results.at("Repeats")};
}

/** Largest difference of the ends of the last flows of comparable runs, as a fraction. */
constexpr double LAST_TOLERANCE = 0.03;

/** Largest difference of the packets sent again of comparable runs, as a fraction of htsim's. */
constexpr double REPEAT_TOLERANCE = 0.1;

/**
 * Run permutations in htsim and here in turn, and report times of those that are comparable. The
 * program ends if htsim cannot be run.
 * @param program path of htsim's program
 */
inline void
CompareWithHtsim(const std::string& program)
{
    constexpr int ROUNDS = 7;

    struct Case
    {
        uint32_t hosts;     ///< Hosts.
        uint32_t radix;     ///< Ports of a switch.
        const char* matrix; ///< Connection matrix of htsim.
    };

    for (const Case& each :
         {Case{128, 8, "perm_128n_128c_2MB.cm"}, Case{1024, 16, "perm_1024n_1024c_0u_2000000b.cm"}})
    {
        const std::string matrix = FindMatrix(program, each.matrix);
        if (matrix.empty())
        {
            std::cerr << each.matrix << " is in no folder above " << program << '.' << std::endl;
            std::exit(1);
        }
        FlowRun here;
        FlowRun there;
        const auto measure = [](FlowRun& last, const FlowRun& run) {
            last = run;
            return run.seconds;
        };
        const Pair pair(
            ROUNDS,
            [&] {
                return measure(here, RunMatrix(GetHtsimPhysics(each.hosts, each.radix), matrix));
            },
            [&] { return measure(there, RunHtsim(program, matrix)); });
        const bool isAsLong = std::abs(here.last / there.last - 1) <= LAST_TOLERANCE;
        const bool isAsLossy =
            std::abs(here.repeats - there.repeats) <= REPEAT_TOLERANCE * there.repeats;
        const std::string title =
            "permutation of " + std::to_string(each.hosts) + " hosts, 2 MB a flow, NSCC";
        if (isAsLong && isAsLossy)
        {
            Report(title, pair.value, "s", "htsim", pair.beside, pair.ratio);
        }
        else
        {
            char reason[128];
            std::snprintf(reason,
                          sizeof(reason),
                          "; not comparable: last flow %.1f and %.1f us, sent again %.0f and %.0f",
                          here.last,
                          there.last,
                          here.repeats,
                          there.repeats);
            Report(title + reason, pair.value, "s");
            Report(title + ", htsim", pair.beside, "s");
        }
        Report(title + ", memory", here.mebibytes, "MiB", "htsim", there.mebibytes);
    }
}

} // namespace bench
} // namespace ns3

#endif // BENCH_HTSIM_H
