/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Counts the random numbers that a process draws from ns-3. The Python layer loads this library
 * ahead of ns-3, so that its definition of RngStream::RandU01 is the one that all others call; it
 * calls that of ns-3.
 */

#include "ns3/rng-stream.h"

#include <cstdint>
#include <dlfcn.h>

namespace
{

uint64_t g_draws = 0; ///< Random numbers drawn so far.

} // namespace

double
ns3::RngStream::RandU01()
{
    using Draw = double (*)(RngStream*);
    static const auto draw =
        reinterpret_cast<Draw>(dlsym(RTLD_NEXT, "_ZN3ns39RngStream7RandU01Ev"));
    ++g_draws;
    return draw(this);
}

/**
 * Get the random numbers drawn so far.
 * @return their number
 */
extern "C" uint64_t
RelnetDraws()
{
    return g_draws;
}
