/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_WORK_H
#define MESSAGING_WORK_H

#include <cstddef>
#include <cstdint>
#include <ostream>

/**
 * @file
 * @ingroup messaging
 * Work of a host: what a core requests and a HostModel executes.
 */

namespace ns3
{
namespace messaging
{

/** Identifier of work that a core has requested from its host. */
using WorkId = uint64_t;

/** Kinds of work that occupy a resource of the host. */
enum class WorkKind : uint8_t
{
    INSTRUCTIONS, ///< Processor time; the amount is in ns.
    COPY,         ///< A copy in memory; the amount is in bytes.
    PIO,          ///< Programmed input or output over the bus; the amount is in bytes.
    DMA,          ///< A transfer by a DMA engine over the bus; the amount is in bytes.
    SYSTEM_CALL,  ///< A number of system calls.
    INTERRUPT     ///< A number of interrupts.
};

/** Units that execute work. */
enum class WorkUnit : uint8_t
{
    HOST,     ///< The processors of the host, its bus and its DMA engines.
    INTERFACE ///< The processor of the network interface.
};

/** Number of units. */
inline constexpr std::size_t N_WORK_UNITS = 2;

/** Work that a core requests from its host; the host calls OnDone at its end. */
struct Work
{
    WorkId id{0};                          ///< Returned in OnDone.
    uint64_t amount{0};                    ///< Amount, in the unit of the kind.
    WorkKind kind{WorkKind::INSTRUCTIONS}; ///< Kind.
    WorkUnit unit{WorkUnit::HOST};         ///< Unit that executes it.
};

/**
 * Print a kind of work by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, WorkKind kind);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_WORK_H
