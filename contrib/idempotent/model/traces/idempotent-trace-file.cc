/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-file.h"

#include "ns3/log.h"
#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"

#include <fstream>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentTraceFile");

namespace
{

/// A field of a line: a name and a number.
struct Field
{
    const char* name;     ///< The name.
    uint32_t* value;      ///< Set to the number.
    bool optional{false}; ///< "-" may represent no index.
};

/**
 * Reads the fields of a line.
 *
 * @param words the words of the line from its first field on
 * @param fields the expected fields
 * @return empty, or the first error
 */
std::string
ReadFields(std::span<const std::string> words, std::initializer_list<Field> fields)
{
    const auto take = [&words]() -> std::string {
        if (words.empty())
        {
            return "";
        }
        const std::string word = words.front();
        words = words.subspan(1);
        return word;
    };
    for (const auto& [name, value, optional] : fields)
    {
        if (const std::string word = take(); word != name)
        {
            return messaging::ToText('"', name, "\" is expected, not \"", word, '"');
        }
        const std::string number = take();
        if (optional && number == "-")
        {
            *value = NO_INDEX;
        }
        else if (!messaging::ReadNumber(number, 0U, NO_INDEX - 1, *value))
        {
            return std::string(name) + " must be a number from 0 to 4294967294, not \"" + number +
                   "\"";
        }
    }
    if (!words.empty())
    {
        return "nothing may follow here, not \"" + words.front() + "\"";
    }
    return "";
}

/**
 * Reads a line with a block or a message.
 *
 * @param words the line
 * @param builder receives the block or message
 * @param signals receives a block's signal count
 * @return empty, or the error
 */
std::string
ReadLine(const std::vector<std::string>& words,
         TraceBuilder& builder,
         std::vector<uint32_t>& signals)
{
    if (words[0] == "block")
    {
        const uint32_t expected = builder.GetBlocks();
        uint32_t number = 0;
        TraceBlock block;
        std::string error = ReadFields(words,
                                       {{"block", &number},
                                        {"node", &block.node},
                                        {"thread", &block.thread, true},
                                        {"signals", &signals.emplace_back()},
                                        {"duration", &block.duration}});
        if (error.empty() && number != expected)
        {
            error =
                "block " + std::to_string(expected) + " is expected, not " + std::to_string(number);
        }
        builder.GetBlock(builder.AddBlock(block.node, block.thread)).duration = block.duration;
        return error;
    }
    TraceMessage message;
    std::size_t kind = 0;
    while (kind < MESSAGE_KINDS && words[0] != MessageKindName(static_cast<MessageKind>(kind)))
    {
        ++kind;
    }
    if (kind == MESSAGE_KINDS)
    {
        return "a line must begin with \"block\" or the kind of a message, not \"" + words[0] +
               "\"";
    }
    if (builder.GetBlocks() == 0)
    {
        return "a message must follow a block";
    }
    message.kind = static_cast<MessageKind>(kind);
    const std::string error = ReadFields(std::span(words).subspan(1),
                                         {{"to", &message.destination},
                                          {"bytes", &message.bytes},
                                          {"at", &message.offset},
                                          {"target", &message.target, true}});
    builder.AddMessage(builder.GetBlocks() - 1, message);
    return error;
}

} // namespace

void
WriteTrace(std::ostream& os, const Trace& trace)
{
    const auto index = [](uint32_t value) -> std::string {
        if (value == NO_INDEX)
        {
            return "-";
        }
        return std::to_string(value);
    };
    os << "trace 1\nnodes " << trace.nodes << "\n";
    for (uint32_t block = 0; block < trace.blocks.size(); ++block)
    {
        os << "block " << block << " node " << trace.blocks[block].node << " thread "
           << index(trace.blocks[block].thread) << " signals " << trace.blocks[block].signals
           << " duration " << trace.blocks[block].duration << "\n";
        for (uint32_t i = trace.blocks[block].first; i < trace.blocks[block].end; ++i)
        {
            const TraceMessage message = trace.messages[i];
            os << "  " << MessageKindName(message.kind) << " to " << message.destination
               << " bytes " << message.bytes << " at " << message.offset << " target "
               << index(message.target) << "\n";
        }
    }
}

TraceOrError
ReadTrace(std::istream& in, const std::string& name)
{
    bool titled = false;
    std::optional<TraceBuilder> builder;
    std::vector<uint32_t> signals;
    const auto read = [&](const std::string& line, uint32_t) -> std::string {
        const auto words = messaging::SplitWords(line);
        if (words.empty())
        {
            return "";
        }
        if (!titled)
        {
            titled = words == std::vector<std::string>{"trace", "1"};
            if (!titled)
            {
                return "the first line must be \"trace 1\"";
            }
            return "";
        }
        if (!builder)
        {
            uint32_t nodes = 0;
            std::string error = ReadFields(words, {{"nodes", &nodes}});
            builder.emplace(nodes);
            return error;
        }
        return ReadLine(words, *builder, signals);
    };
    TraceOrError result;
    result.error = messaging::ReadLines(in, name, read);
    if (!result.error.empty())
    {
        return result;
    }
    if (!titled)
    {
        result.error = name + " is empty.";
        return result;
    }
    if (!builder)
    {
        result.error = name + " has no line \"nodes COUNT\".";
        return result;
    }
    result.trace = builder->Finish();
    for (std::size_t block = 0; block < signals.size(); ++block)
    {
        result.trace.blocks[block].signals = signals[block];
    }
    if (const std::string error = result.trace.Validate(); !error.empty())
    {
        result = {.trace = {}, .error = name + ": " + error + "."};
        return result;
    }
    NS_LOG_INFO("Trace " << name << " has " << result.trace.nodes << " nodes, "
                         << result.trace.blocks.size() << " blocks and "
                         << result.trace.messages.size() << " messages");
    return result;
}

TraceOrError
ReadTraceFile(const std::string& path)
{
    std::ifstream file;
    if (std::string error = messaging::OpenTextFile(path, file); !error.empty())
    {
        return {.trace = {}, .error = std::move(error)};
    }
    return ReadTrace(file, path);
}

} // namespace idempotent
} // namespace ns3
