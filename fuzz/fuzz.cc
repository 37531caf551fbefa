/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-targets.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

/**
 * @file
 * A program of libFuzzer: relnet-fuzz --target=NAME CORPUS; `--list` names the targets.
 */

namespace
{

/** The target of this process. */
fuzz::Target g_target;

} // namespace

/** Called by libFuzzer at the start. @param count number of arguments @param values the arguments
 * @return 0 */
extern "C" int
LLVMFuzzerInitialize(int* count, char*** values)
{
    constexpr std::string_view OPTION = "--target=";
    const auto targets = fuzz::GetTargets();
    for (int i = 1; i < *count; ++i)
    {
        const std::string_view word = (*values)[i];
        if (word == "--list")
        {
            for (const auto& [name, target] : targets)
            {
                std::cout << name << "\n";
            }
            std::exit(0);
        }
        if (const auto found = targets.find(std::string(
                word.substr(0, OPTION.size()) == OPTION ? word.substr(OPTION.size()) : ""));
            found != targets.end())
        {
            g_target = found->second;
        }
    }
    if (!g_target)
    {
        std::cerr << "relnet-fuzz: --target=NAME is missing; --list prints the names." << std::endl;
        std::exit(2);
    }
    return 0;
}

/** Called by libFuzzer with an input. @param bytes its bytes @param size their number @return 0 */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size)
{
    g_target(fuzz::Input({bytes, size}));
    return 0;
}
