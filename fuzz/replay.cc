/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-targets.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

/**
 * @file
 * relnet-fuzz-replay CORPUS: runs each file of a corpus in the target with the name of its folder,
 * with any compiler.
 */

int
main(int argc, char** argv)
{
    const auto targets = fuzz::GetTargets();
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(argc > 1 ? argv[1] : "."))
    {
        if (!entry.is_regular_file())
        {
            continue;
        }
        const std::string name = entry.path().parent_path().filename();
        const auto target = targets.find(name);
        if (target == targets.end())
        {
            std::cerr << "There is no target " << name << "." << std::endl;
            return 2;
        }
        std::ifstream file(entry.path(), std::ios::binary);
        const std::vector<uint8_t> bytes(std::istreambuf_iterator<char>(file), {});
        // Flushed, so that the last line is the file that ended the program.
        std::cout << name << "/" << entry.path().filename().string() << std::endl;
        target->second(fuzz::Input(bytes));
    }
    return 0;
}
