/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup roce
 * Feeds a trace of arrivals to receivers of IRN, and compares their answers with those of the
 * trace: the test vector that the author of IRN's hardware has published
 * (github.com/NetSys/irn-vivado-hls, irn_receiver/traces).
 *
 *     roce-irn-trace --arrivals=recvInput-40Gbps-incast.txt --answers=recvOutput-40Gbps-incast.txt
 *
 * An arrival is a line of queue pair, opcode and packet number, after a first line with their
 * count. An answer is a line of syndrome, next number in order, number selected, messages and
 * completions. Without files, a short trace is printed: five packets, of which the third is late.
 */

#include "ns3/command-line.h"
#include "ns3/roce-irn.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/** What an opcode of InfiniBand means for a receiver [IBTA 9.2.1]. */
struct Meaning
{
    bool isLast{false};    ///< The packet ends a message.
    bool completes{false}; ///< Its message needs a completion at the receiver.
};

/** @param opcode an opcode of a reliable connection @return its meaning. */
Meaning
GetMeaning(uint32_t opcode)
{
    constexpr std::array<uint32_t, 6> WITH_COMPLETION{2, 3, 4, 5, 9, 11};
    constexpr std::array<uint32_t, 3> WITHOUT_COMPLETION{8, 10, 12};
    const bool completes = std::ranges::count(WITH_COMPLETION, opcode) > 0;
    return {completes || std::ranges::count(WITHOUT_COMPLETION, opcode) > 0, completes};
}

/** @param answer an answer @return its line in a trace. */
std::string
WriteAnswer(const roce::Answer& answer)
{
    std::ostringstream line;
    line << answer.isEarly << ' ' << answer.next << ' ' << answer.trigger << ' ' << answer.messages
         << ' ' << answer.completed;
    return line.str();
}

/**
 * Compare the answers to a trace.
 * @param arrivals the arrivals
 * @param answers the answers of the trace
 * @return true if all are the same
 */
bool
Compare(std::istream& arrivals, std::istream& answers)
{
    std::map<uint32_t, roce::IrnReceiver> receivers;
    std::array<uint64_t, 2> counts{};
    uint64_t differences = 0;
    uint64_t duplicates = 0;
    uint64_t lines = 0;
    uint64_t seen = 0;
    arrivals >> lines;
    uint32_t pair = 0;
    uint32_t opcode = 0;
    uint64_t number = 0;
    std::string expected;
    while (arrivals >> pair >> opcode >> number)
    {
        auto& receiver = receivers.try_emplace(pair, 0).first->second;
        const auto [isLast, completes] = GetMeaning(opcode);
        const roce::Answer answer = receiver.OnPacket(number, isLast, completes);
        const std::string line = WriteAnswer(answer);
        const bool hasAnswer = static_cast<bool>(std::getline(answers >> std::ws, expected));
        ++seen;
        ++counts[answer.isEarly ? 1 : 0];
        if (!answer.isPlaced)
        {
            ++duplicates;
        }
        if (!answer.isSent || !hasAnswer || line != expected)
        {
            ++differences;
            std::cerr << "Arrival " << seen << " is answered by \"" << line
                      << "\"; the trace has \"" << (hasAnswer ? expected : "nothing") << "\"."
                      << std::endl;
        }
    }
    const bool isWhole = seen == lines && !(answers >> expected);
    std::cout << seen << " of " << lines << " arrivals at " << receivers.size()
              << " queue pairs: " << counts[1] << " answers with syndrome 1, " << counts[0]
              << " with 0, " << duplicates << " duplicates, " << differences
              << " differences from the trace" << std::endl;
    return isWhole && differences == 0;
}

/** Print the answers to a short trace. */
void
ShowExample()
{
    roce::IrnReceiver receiver(0);
    for (const uint64_t number : {0, 1, 3, 4, 2})
    {
        const roce::Answer answer = receiver.OnPacket(number, number == 4);
        std::cout << "packet " << number << ": " << WriteAnswer(answer) << std::endl;
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string arrivals;
    std::string answers;
    CommandLine cmd(__FILE__);
    cmd.AddValue("arrivals", "File of arrivals", arrivals);
    cmd.AddValue("answers", "File of their answers", answers);
    cmd.Parse(argc, argv);
    if (arrivals.empty() && answers.empty())
    {
        ShowExample();
        return 0;
    }
    std::ifstream arrivalFile(arrivals);
    std::ifstream answerFile(answers);
    if (!arrivalFile || !answerFile)
    {
        std::cerr << "The arguments must be a file of arrivals and one of their answers."
                  << std::endl;
        return 2;
    }
    return Compare(arrivalFile, answerFile) ? 0 : 1;
}
