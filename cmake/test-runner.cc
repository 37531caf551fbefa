/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Runs the ns-3 test suites of all modules, with the options of ns-3's own test-runner.
 */

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
