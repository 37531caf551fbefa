/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * States visited by the exhaustive search per second of processor time, and their memory: the
 * idempotent protocol, and the alternating bit compared with TLC (TLA+). TLC_JAR is the path of its
 * jar.
 *
 * bench-explorer [MESSAGES [CAPACITY]] searches only the idempotent protocol.
 */

#include "bench-common.h"

#include "ns3/idempotent-core.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/messaging-toy-cores.h"

#include <array>
#include <iostream>
#include <regex>

using namespace ns3;
using namespace ns3::messaging;
using bench::GetCpuTime;
using bench::Report;

namespace
{

/** Cost of a search. */
struct Measured
{
    double states{0};    ///< Different states.
    double generated{0}; ///< Steps between them.
    double seconds{0};   ///< Processor time [s].
    double bytes{0};     ///< Memory of a state [bytes].
};

/**
 * Search with messages from peer 0 to peer 1, or both ways.
 * @param cores the two cores
 * @param messages messages of each sender
 * @param bothWays whether peer 1 sends, too
 * @param options limits
 * @return the cost
 */
template <class Core>
Measured
Search(std::vector<Core> cores, uint32_t messages, bool bothWays, const ExplorerOptions& options)
{
    Explorer<Core> explorer(std::move(cores), options);
    for (Peer from = 0; from < (bothWays ? 2 : 1); ++from)
    {
        for (uint32_t i = 0; i < messages; ++i)
        {
            explorer.AddRequest(from, Request{i, 100 * (from + 1) + i, 1 - from, 8, i, 0});
        }
    }
    const double begin = GetCpuTime();
    const auto result = explorer.Run();
    const double seconds = GetCpuTime() - begin;
    if (result.verdict != ExplorerVerdict::SOUND)
    {
        std::cerr << "The search has ended as " << result.verdict << ": " << result.sentence
                  << std::endl;
        std::exit(1);
    }
    const auto states = static_cast<double>(result.states);
    return Measured{states,
                    static_cast<double>(result.transitions),
                    seconds,
                    static_cast<double>(result.memory) / states};
}

/**
 * Let TLC search the same alternating bit.
 * @param jar its jar
 * @param messages messages of each peer
 * @param capacity capacity of a channel
 * @return the cost; no states on failure
 */
Measured
RunTlc(const std::string& jar, uint32_t messages, uint32_t capacity)
{
    const auto folder = std::filesystem::temp_directory_path() / "relnet-bench-tlc";
    std::filesystem::create_directories(folder);
    const auto source = std::filesystem::path(__FILE__).parent_path() / "alternating_bit.tla";
    std::filesystem::copy_file(source,
                               folder / source.filename(),
                               std::filesystem::copy_options::overwrite_existing);
    std::ofstream(folder / "alternating_bit.cfg")
        << "SPECIFICATION Spec\nINVARIANT Sound\nCONSTANTS Messages = " << messages
        << "\n Capacity = " << capacity << "\n";
    const std::string command = "cd " + folder.string() + " && java -XX:+UseParallelGC -cp " + jar +
                                " tlc2.TLC -workers 1 -deadlock -config alternating_bit.cfg "
                                "alternating_bit.tla";
    const double begin = GetCpuTime(RUSAGE_CHILDREN);
    std::string output;
    if (FILE* pipe = popen(command.c_str(), "r"))
    {
        std::array<char, 4096> line;
        while (std::fgets(line.data(), line.size(), pipe))
        {
            output += line.data();
        }
        pclose(pipe);
    }
    Measured measured;
    measured.seconds = GetCpuTime(RUSAGE_CHILDREN) - begin;
    std::erase(output, ',');
    std::smatch found;
    if (std::regex_search(output,
                          found,
                          std::regex("(\\d+) states generated (\\d+) distinct states found 0 ")))
    {
        measured.generated = std::stod(found[1]);
        measured.states = std::stod(found[2]);
    }
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    measured.bytes = static_cast<double>(usage.ru_maxrss) * 1024 / std::max(1.0, measured.states);
    return measured;
}

} // namespace

int
main(int argc, char** argv)
{
    const auto read = [&](int place, uint32_t standard) {
        return argc > place ? static_cast<uint32_t>(std::atoi(argv[place])) : standard;
    };
    idempotent::IdempotentConfig config;
    config.sendTable = 2;
    config.receiveTable = 2;
    ExplorerOptions options;
    options.capacity = read(2, 3);
    options.maxStates = 4000000000;
    options.symmetry = false;
    const std::vector<idempotent::IdempotentCore> pair{{config, 0}, {config, 1}};
    const Measured all = Search(pair, read(1, 6), false, options);
    const std::string name = "idempotent, two peers, " + std::to_string(read(1, 6)) + " messages, ";
    Report(name + "states/s", all.states / all.seconds, "states/s");
    Report(name + "memory", all.bytes, "bytes/state");
    if (argc > 1)
    {
        Report(name + "states", all.states, "states");
        return 0;
    }
    options.symmetry = true;
    const Measured reduced = Search(pair, 6, false, options);
    Report("the same with symmetry", reduced.states, "states", "without", all.states);
    Report("the same with symmetry, time", reduced.seconds, "s", "without", all.seconds);
    options.symmetry = false;
    options.stuck = false;
    const Measured safety = Search(pair, 6, false, options);
    Report("the same, safety alone", safety.states / safety.seconds, "states/s");
    Report("the same, safety alone, memory", safety.bytes, "bytes/state");

    constexpr uint32_t MESSAGES = 8;
    options.capacity = 3;
    using tests::AlternatingBit;
    const Measured ours = Search<AlternatingBit>({AlternatingBit(0, 2), AlternatingBit(1, 2)},
                                                 MESSAGES,
                                                 true,
                                                 options);
    Report("alternating bit, states", ours.states, "states");
    const char* jar = std::getenv("TLC_JAR");
    if (!jar)
    {
        Report("alternating bit, safety alone", ours.states / ours.seconds, "states/s");
        std::cerr << "TLC_JAR is not the path of tla2tools.jar, so TLC is skipped." << std::endl;
        return 0;
    }
    Measured theirs = RunTlc(jar, MESSAGES, options.capacity);
    if (theirs.states != ours.states)
    {
        std::cerr << "TLC has found " << theirs.states << " states, the search " << ours.states
                  << std::endl;
        return 1;
    }
    // A search of a few states measures the start of the Java machine and the parser.
    theirs.seconds -= RunTlc(jar, 1, 1).seconds;
    Report("alternating bit, safety alone",
           ours.states / ours.seconds,
           "states/s",
           "TLC, one worker, without its start",
           theirs.states / theirs.seconds);
    Report("alternating bit, memory",
           ours.bytes,
           "bytes/state",
           "TLC, resident memory",
           theirs.bytes);
    return 0;
}
