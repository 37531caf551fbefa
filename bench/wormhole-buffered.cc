/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * The buffered network compared with BookSim2: uniform traffic at half load, packets of 8 flits.
 *
 * The load is 0.7 / k flits per node and cycle on a k x k mesh. BookSim2, with one virtual channel
 * and a buffer of one packet, accepts at most 0.088 on 16 x 16, which is 1.4 / k.
 *
 * The baseline is a measurement of BookSim2 on another machine, unless RELNET_BOOKSIM is the path
 * of its program: then it runs here, with the configuration of MakeConfiguration.
 */

#include "bench-uniform-traffic.h"

#include <cstdlib>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::bench;

namespace
{

/** Length of each packet [flits]. */
constexpr uint32_t FLITS = 8;

/**
 * Get the load.
 * @param side side of the mesh [nodes]
 * @return flits per node and cycle
 */
double
GetLoad(uint32_t side)
{
    return 0.7 / side;
}

/**
 * Describe the same network and traffic to BookSim2.
 * @param side side of the mesh [nodes]
 * @param cycles duration [cycles]
 * @return the text of a configuration file
 */
std::string
MakeConfiguration(uint32_t side, uint32_t cycles)
{
    std::ostringstream text;
    text << "topology = mesh; k = " << side << "; n = 2; routing_function = dor;\n"
         << "num_vcs = 1; vc_buf_size = " << FLITS << "; wait_for_tail_credit = 1;\n"
         << "traffic = uniform; packet_size = " << FLITS << "; injection_rate_uses_flits = 1;\n"
         << "injection_rate = " << GetLoad(side) << ";\n"
         << "sim_type = throughput; warmup_periods = 0; max_samples = 1; sample_period = " << cycles
         << ";\n";
    return text.str();
}

/** Cost of a run of BookSim2. */
struct BookSimRun
{
    double hops{0};    ///< Packet-hops.
    double seconds{0}; ///< Processor time [s].
};

/**
 * Run BookSim2.
 * @param program its name
 * @param side side of the mesh [nodes]
 * @param cycles duration [cycles]
 * @return the cost; no hops on failure
 */
BookSimRun
RunBookSim(const std::string& program, uint32_t side, uint32_t cycles)
{
    const TemporaryFile file(MakeConfiguration(side, cycles));
    const double start = GetCpuTime(RUSAGE_CHILDREN);
    FILE* output = popen((program + " " + file.GetName()).c_str(), "r");
    double rate = 0;
    char line[512];
    while (output && std::fgets(line, sizeof(line), output))
    {
        std::sscanf(line, "Injected packet rate average = %lf", &rate);
    }
    if (output)
    {
        pclose(output);
    }
    // All injected packets count, including those in flight.
    const double distance = 2.0 * (side - 1.0 / side) / 3;
    return {rate * side * side * distance * cycles, GetCpuTime(RUSAGE_CHILDREN) - start};
}

/**
 * Measure BookSim2 in a loaded network, as for ours: a run minus one of half its length.
 * @param program its name
 * @param side side of the mesh [nodes]
 * @param cycles duration [cycles]
 * @return packet-hops per second of processor time, 0 on failure
 */
double
MeasureBookSim(const std::string& program, uint32_t side, uint32_t cycles)
{
    const BookSimRun filling = RunBookSim(program, side, cycles);
    const BookSimRun whole = RunBookSim(program, side, 2 * cycles);
    const double seconds = whole.seconds - filling.seconds;
    return filling.hops > 0 && seconds > 0 ? (whole.hops - filling.hops) / seconds : 0;
}

} // namespace

int
main()
{
    const char* program = std::getenv("RELNET_BOOKSIM");
    for (const auto& [side, recorded] : {std::pair{32U, 0.073}, {64U, 0.022}})
    {
        auto settings = MakeMesh(side);
        settings["Router"] = "buffered";
        ClockedNetwork buffered(settings);
        const double rate = GetLoad(side) * side * side / FLITS;
        const UniformTraffic traffic(buffered, FLITS, 0, rate);
        const uint32_t cycles = 40000000 / (side * side);
        buffered.Measure(cycles);
        const std::string size = std::to_string(side) + "x" + std::to_string(side);
        const std::string name = "buffered network, " + size;
        if (!program)
        {
            std::vector<double> values(5);
            std::generate(values.begin(), values.end(), [&] { return buffered.Measure(cycles); });
            Report(name,
                   GetMedian(values) / 1e6,
                   "M packet-hops/s",
                   "BookSim2, recorded",
                   recorded);
        }
        else
        {
            const Pair pair(
                3,
                [&] { return buffered.Measure(cycles); },
                [&] { return MeasureBookSim(program, side, 32000 / side); });
            if (!(pair.beside > 0))
            {
                std::cerr << program << " cannot be run, or is not BookSim2." << std::endl;
                return 1;
            }
            Report(name,
                   pair.value / 1e6,
                   "M packet-hops/s",
                   "BookSim2",
                   pair.beside / 1e6,
                   pair.ratio);
        }
        Simulator::Destroy();
    }
    return 0;
}
