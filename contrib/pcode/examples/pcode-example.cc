/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-lan.h"
#include "ns3/pcode-system.h"
#include "ns3/simulator.h"

#include <iostream>

/**
 * @file
 * @ingroup pcode
 * A user's program over PCODE: in each round, workstation 0 scatters work, all exchange their
 * results, and a barrier ends the round.
 */

using namespace ns3;
using namespace ns3::pcode;

int
main(int argc, char* argv[])
{
    uint32_t workstations = 8;
    uint32_t rounds = 100;
    double loss = 0.01;
    CommandLine command(__FILE__);
    command.AddValue("workstations", "Number of workstations, 2 to 250", workstations);
    command.AddValue("rounds", "Number of repetitions of the program", rounds);
    command.AddValue("loss", "Probability that a workstation loses a packet", loss);
    command.Parse(argc, argv);
    if (workstations < 2 || workstations > 250 || rounds == 0 || !(loss >= 0 && loss < 1))
    {
        std::cerr
            << "The arguments must be 2 to 250 workstations, at least one round, and a loss from "
               "0 to below 1."
            << std::endl;
        return 2;
    }

    GlobalProgram program(workstations);
    Collectives collectives(program);
    collectives.Scatter(0, 200);
    collectives.AllToAllInTurn(1024);
    collectives.Barrier();
    program.SetRounds(rounds);
    if (const std::string fault = program.CheckMatched(); !fault.empty())
    {
        std::cerr << fault << std::endl;
        return 2;
    }

    const auto lan = CreateObjectWithAttributes<Lan>("Loss", DoubleValue(loss));
    lan->Build(std::vector<HostCosts>(workstations), false);
    lan->AssignStreams(1);
    SystemOptions options;
    options.kind = SystemKind::PCODE;
    options.ipc = IpcKind::DAEMON;
    options.receiveBuffer = 61440;
    options.pcode = CreateObject<PcodeParameters>();
    const System system = MakeSystem(*lan, program, options);

    ProgramDriver driver(system.group, program);
    driver.SetEnded([] { Simulator::Stop(); });
    Simulator::Schedule(Seconds(1), [&] { driver.Start(); });
    Simulator::Run();

    std::cout << "time of a round  " << (Simulator::Now() - Seconds(1)).GetSeconds() * 1e3 / rounds
              << " ms\n"
              << "violations       "
              << (driver.GetViolation().empty() ? "none" : driver.GetViolation()) << "\n"
              << "collisions       " << lan->GetNCollisions() << "\n"
              << "NACKs            " << system.GetNNacks() << "\n"
              << "resends          " << system.GetNResends() << std::endl;
    system.group->Dispose();
    lan->Dispose();
    Simulator::Destroy();
    return 0;
}
