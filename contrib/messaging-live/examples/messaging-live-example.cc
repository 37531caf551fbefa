/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/core-module.h"
#include "ns3/messaging-live-scenario.h"

#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

/**
 * @file
 * @ingroup messaging
 * Two peers in two processes of this machine, which send each other messages over UDP in real time.
 *
 *     ./ns3 run "messaging-live-example --messages=20"
 */

using namespace ns3;
using namespace ns3::messaging;

int
main(int argc, char* argv[])
{
    std::string protocol = "none";
    std::string messages = "10";
    uint16_t port = 47100;
    CommandLine cmd(__FILE__);
    cmd.AddValue("protocol", "Protocol over frames", protocol);
    cmd.AddValue("messages", "Messages of each peer", messages);
    cmd.AddValue("port", "First UDP port", port);
    cmd.Parse(argc, argv);

    const std::string peers =
        "127.0.0.1:" + std::to_string(port) + ",127.0.0.1:" + std::to_string(port + 1);
    const pid_t child = fork();
    const std::string self = child == 0 ? "1" : "0";
    const auto scenario = CreateObject<LiveScenario>();
    const std::string wrong = SetParameters(
        *scenario,
        {{"Protocol", protocol}, {"Messages", messages}, {"Peers", peers}, {"Peer", self}});
    if (!wrong.empty())
    {
        std::cerr << wrong << std::endl;
        return 1;
    }
    scenario->Run();
    std::cout << "peer " + self + ": " + scenario->GetVerdictName() + " " + scenario->GetFailure() +
                     "\n";
    if (child != 0)
    {
        int status = 0;
        waitpid(child, &status, 0);
    }
    return scenario->GetVerdict() == Verdict::COMPLETED ? 0 : 1;
}
