/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/core-module.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-search-explorer.h"

#include <iostream>

/**
 * @file
 * @ingroup messaging
 * A search of all states of two peers without a protocol: over a network that loses and reorders
 * frames, it prints the shortest path on which messages come in the wrong order, or are lost.
 *
 *     ./ns3 run "messaging-search-example --reordering=false"
 */

using namespace ns3;
using namespace ns3::messaging;

int
main(int argc, char* argv[])
{
    constexpr uint32_t LARGEST = 1024;
    ExplorerOptions options;
    options.ordered = true;
    options.delivered = true;
    options.reordering = true;
    uint32_t messages = 2;
    CommandLine cmd(__FILE__);
    cmd.AddValue("losses", "Maximum number of lost frames", options.losses);
    cmd.AddValue("reordering", "Frames may overtake each other", options.reordering);
    cmd.AddValue("messages", "Number of messages from peer 0 to peer 1", messages);
    cmd.Parse(argc, argv);

    Explorer<DatagramCore> explorer({DatagramCore(LARGEST), DatagramCore(LARGEST)}, options);
    for (uint32_t i = 0; i < messages; ++i)
    {
        explorer.AddRequest(0, Request{.id = i, .contents = 100 + i, .to = 1, .bytes = 8});
    }
    const ExplorerResult result = explorer.Run();
    std::cout << result.verdict << ", " << result.states << " states" << std::endl;
    for (const auto& step : result.steps)
    {
        std::cout << "  " << step.text << std::endl;
    }
    std::cout << result.sentence << std::endl;
    return 0;
}
