/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TRACE_FILE_H
#define IDEMPOTENT_TRACE_FILE_H

/**
 * @file
 * @ingroup idempotent
 * Block-structured traces as text; doc/trace-format.rst describes the format.
 */

#include "ns3/idempotent-trace.h"

#include <istream>
#include <ostream>
#include <string>

namespace ns3
{
namespace idempotent
{

/**
 * Writes a trace as text, one line for each block or message.
 *
 * @param os the stream
 * @param trace a valid trace
 */
void WriteTrace(std::ostream& os, const Trace& trace);

/**
 * Reads a trace from text and validates it.
 *
 * @param in the text
 * @param name name of the text, for errors
 * @return the trace, or one sentence with the line, block or message of the error
 */
TraceOrError ReadTrace(std::istream& in, const std::string& name);

/**
 * Reads a trace from a file and validates it.
 *
 * @param path path of the file
 * @return the trace, or one sentence with the file and the line, block or message of the error
 */
TraceOrError ReadTraceFile(const std::string& path);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_FILE_H
