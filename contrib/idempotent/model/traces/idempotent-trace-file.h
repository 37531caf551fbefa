/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TRACE_FILE_H
#define IDEMPOTENT_TRACE_FILE_H

/**
 * @file
 * @ingroup idempotent
 * Block-structured traces on disk, in a compact binary form and in a readable one. Both are
 * described in doc/trace-format.rst.
 */

#include "ns3/idempotent-trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace idempotent
{

/**
 * Packs a trace into the binary form.
 *
 * @param trace a valid trace
 * @return its bytes
 */
std::vector<uint8_t> EncodeTrace(const Trace& trace);

/**
 * Unpacks a trace from the binary form and validates it.
 *
 * @param bytes content of a file
 * @return the trace, or one sentence that names the offset in the file, or the block or message
 */
TraceOrError DecodeTrace(std::span<const uint8_t> bytes);

/**
 * Writes a trace as text, one line a block or message.
 *
 * @param trace a valid trace
 * @return the text
 */
std::string FormatTrace(const Trace& trace);

/**
 * Reads a trace from text and validates it.
 *
 * @param text content of a file
 * @return the trace, or one sentence that names the line, or the block or message
 */
TraceOrError ParseTrace(std::string_view text);

/**
 * Writes a trace to a file: as text if its name ends in .txt, else in the binary form.
 *
 * @param trace a valid trace
 * @param path name of the file
 * @return empty, or one sentence why it could not be written
 */
std::string WriteTraceFile(const Trace& trace, const std::string& path);

/**
 * Reads a trace from a file of either form, distinguished by its first bytes.
 *
 * @param path name of the file
 * @return the trace, or one sentence that names the file and the offset or line in it
 */
TraceOrError ReadTraceFile(const std::string& path);

/**
 * Reads a file whole.
 *
 * @param path name of the file
 * @param content set to its content
 * @return empty, or one sentence why it could not be read
 */
std::string ReadWholeFile(const std::string& path, std::string& content);

/**
 * Quotes a word for a sentence.
 *
 * @param word the word
 * @return the word in quotation marks
 */
std::string Quoted(std::string_view word);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_FILE_H
