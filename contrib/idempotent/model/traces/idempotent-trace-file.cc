/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-file.h"

#include "ns3/messaging-text-file.h"

#include <fstream>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

namespace
{

/// Words of a line, read in order until the first error.
class Words
{
  public:
    /// @param line the line
    explicit Words(const std::string& line)
        : m_words(messaging::SplitWords(line))
    {
    }

    /// @return the next word, empty at the line's end
    std::string Take()
    {
        return m_at < m_words.size() ? m_words[m_at++] : "";
    }

    /// @return whether no word is left
    bool IsEmpty() const
    {
        return m_at == m_words.size();
    }

    /**
     * Reads a number.
     *
     * @param name its meaning
     * @param value set to the number
     * @param optional whether "-" may represent no index
     */
    void Number(const std::string& name, uint32_t& value, bool optional = false)
    {
        const std::string word = Take();
        if (optional && word == "-")
        {
            value = NO_INDEX;
        }
        else if (!messaging::ReadNumber(word, 0U, NO_INDEX - 1, value))
        {
            Fail(name + " must be a number from 0 to 4294967294, not \"" + word + "\"");
        }
    }

    /**
     * Reads a name and a number.
     *
     * @param name the expected name
     * @param value set to the number
     * @param optional whether "-" may represent no index
     */
    void Field(const std::string& name, uint32_t& value, bool optional = false)
    {
        if (const std::string word = Take(); word != name)
        {
            Fail("\"" + name + "\" is expected, not \"" + word + "\"");
        }
        Number(name, value, optional);
    }

    /// @param sentence an error of the line
    void Fail(const std::string& sentence)
    {
        m_error = m_error.empty() ? sentence : m_error;
    }

    /// @return the first error of the line, also if words are left, or empty
    std::string End()
    {
        if (!IsEmpty())
        {
            Fail("nothing may follow here, not \"" + Take() + "\"");
        }
        return m_error;
    }

  private:
    std::vector<std::string> m_words; ///< The words.
    std::size_t m_at{0};              ///< Index of the next word.
    std::string m_error;              ///< First error.
};

/**
 * Reads a line with a block or a message.
 *
 * @param words the line
 * @param builder receives the block or message
 * @param signals receives a block's signal count
 * @return empty, or the error
 */
std::string
ReadLine(Words words, TraceBuilder& builder, std::vector<uint32_t>& signals)
{
    const std::string first = words.Take();
    if (first == "block")
    {
        uint32_t number = 0;
        uint32_t node = 0;
        uint32_t thread = NO_INDEX;
        uint32_t duration = 0;
        words.Number("a block's number", number);
        if (number != builder.GetBlocks())
        {
            words.Fail("block " + std::to_string(builder.GetBlocks()) + " is expected, not " +
                       std::to_string(number));
        }
        words.Field("node", node);
        words.Field("thread", thread, true);
        words.Field("signals", signals.emplace_back());
        words.Field("duration", duration);
        builder.GetBlock(builder.AddBlock(node, thread)).duration = duration;
        return words.End();
    }
    TraceMessage message;
    std::size_t kind = 0;
    while (kind < MESSAGE_KINDS && first != MessageKindName(static_cast<MessageKind>(kind)))
    {
        ++kind;
    }
    if (kind == MESSAGE_KINDS)
    {
        return "a line must begin with \"block\" or the kind of a message, not \"" + first + "\"";
    }
    if (builder.GetBlocks() == 0)
    {
        return "a message must follow a block";
    }
    message.kind = static_cast<MessageKind>(kind);
    words.Field("to", message.destination);
    words.Field("bytes", message.bytes);
    words.Field("at", message.offset);
    words.Field("target", message.target, true);
    builder.AddMessage(builder.GetBlocks() - 1, message);
    return words.End();
}

} // namespace

void
WriteTrace(std::ostream& os, const Trace& trace)
{
    const auto index = [](uint32_t value) {
        return value == NO_INDEX ? std::string("-") : std::to_string(value);
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
        Words words(line);
        if (words.IsEmpty())
        {
            return "";
        }
        if (!titled)
        {
            titled = words.Take() == "trace" && words.Take() == "1" && words.IsEmpty();
            return titled ? "" : "the first line must be \"trace 1\"";
        }
        if (!builder)
        {
            uint32_t nodes = 0;
            words.Field("nodes", nodes);
            builder.emplace(nodes);
            return words.End();
        }
        return ReadLine(std::move(words), *builder, signals);
    };
    TraceOrError result;
    result.error = messaging::ReadLines(in, name, read);
    if (!result.error.empty())
    {
        return result;
    }
    if (!builder)
    {
        result.error = name + (titled ? " has no line \"nodes COUNT\"." : " is empty.");
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
    }
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
