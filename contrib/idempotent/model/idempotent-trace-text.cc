/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-file.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ns3
{
namespace idempotent
{

namespace
{

/// The first line of a trace in text.
constexpr std::string_view TITLE = "trace 1";

/**
 * Takes the next word off a line.
 *
 * @param line what is left of the line; shortened
 * @return the word, empty at the line's end
 */
std::string_view
NextWord(std::string_view& line)
{
    constexpr std::string_view SPACE = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(SPACE), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(SPACE));
    line.remove_prefix(word.size());
    return word;
}

/// Reads the text form line by line.
class TraceParser
{
  public:
    /// @param text what to read
    explicit TraceParser(std::string_view text)
        : m_text(text)
    {
    }

    /// @return the trace, not validated, or an error
    TraceOrError Parse()
    {
        std::string_view line;
        if (!NextLine(line) || line.substr(0, TITLE.size()) != TITLE ||
            !(line.remove_prefix(TITLE.size()), NextWord(line)).empty())
        {
            Fail("the first line must be " + Quoted(TITLE));
        }
        uint32_t nodes = 0;
        if (m_error.empty())
        {
            if (!NextLine(line))
            {
                line = {};
            }
            Field(line, "nodes", nodes);
            End(line);
        }
        TraceBuilder builder(nodes);
        std::vector<uint32_t> signals;
        while (m_error.empty() && NextLine(line))
        {
            ParseLine(line, builder, signals);
        }
        TraceOrError result;
        result.error = m_error;
        if (m_error.empty())
        {
            result.trace = builder.Finish(std::move(signals));
        }
        return result;
    }

  private:
    /**
     * Takes the next line that is neither empty nor a comment.
     *
     * @param line set to it, without its comment
     * @return false at the end
     */
    bool NextLine(std::string_view& line)
    {
        while (!m_text.empty())
        {
            ++m_line;
            line = m_text.substr(0, m_text.find('\n'));
            m_text.remove_prefix(std::min(line.size() + 1, m_text.size()));
            line = line.substr(0, line.find('#'));
            std::string_view rest = line;
            if (!NextWord(rest).empty())
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads a line with a block or a message.
     *
     * @param line the line
     * @param builder gets it
     * @param signals gets a block's signal count
     */
    void ParseLine(std::string_view line, TraceBuilder& builder, std::vector<uint32_t>& signals)
    {
        const std::string_view first = NextWord(line);
        if (first == "block")
        {
            uint32_t number = 0;
            uint32_t node = 0;
            uint32_t thread = NO_INDEX;
            uint32_t duration = 0;
            Number(NextWord(line), "a block's number", number);
            if (m_error.empty() && number != builder.GetBlocks())
            {
                Fail("block " + std::to_string(builder.GetBlocks()) + " is due, not " +
                     std::to_string(number));
            }
            Field(line, "node", node);
            Field(line, "thread", thread, true);
            signals.push_back(0);
            Field(line, "signals", signals.back());
            Field(line, "duration", duration);
            End(line);
            builder.SetDuration(builder.AddBlock(node, thread), duration);
            return;
        }
        TraceMessage message;
        std::size_t kind = 0;
        while (kind < MESSAGE_KINDS && first != MessageKindName(static_cast<MessageKind>(kind)))
        {
            ++kind;
        }
        if (kind == MESSAGE_KINDS || builder.GetBlocks() == 0)
        {
            Fail(kind == MESSAGE_KINDS
                     ? "a line must begin with \"block\" or the kind of a message, not " +
                           Quoted(first)
                     : "a message must follow a block");
            return;
        }
        message.kind = static_cast<MessageKind>(kind);
        Field(line, "to", message.destination);
        Field(line, "bytes", message.bytes);
        Field(line, "at", message.offset);
        Field(line, "target", message.target, true);
        End(line);
        builder.AddMessage(builder.GetBlocks() - 1, message);
    }

    /**
     * Reads a name and a number.
     *
     * @param line what is left of the line; shortened
     * @param name the name that must stand there
     * @param value set to the number
     * @param optional whether "-" may stand for no index
     */
    void Field(std::string_view& line, const char* name, uint32_t& value, bool optional = false)
    {
        const std::string_view word = NextWord(line);
        if (word != name)
        {
            Fail(Quoted(name) + " is due, not " + Quoted(word));
            return;
        }
        const std::string_view number = NextWord(line);
        if (optional && number == "-")
        {
            value = NO_INDEX;
            return;
        }
        Number(number, name, value);
    }

    /**
     * Reads a number.
     *
     * @param word what stands there
     * @param name its meaning
     * @param value set to the number
     */
    void Number(std::string_view word, const std::string& name, uint32_t& value)
    {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || value == NO_INDEX)
        {
            value = 0;
            Fail(name + " must be a number from 0 to 4294967294, not " + Quoted(word));
        }
    }

    /// @param line what is left of a line, which must be nothing
    void End(std::string_view line)
    {
        const std::string_view word = NextWord(line);
        if (!word.empty())
        {
            Fail("nothing may follow here, not " + Quoted(word));
        }
    }

    /// @param sentence what is wrong with the current line
    void Fail(const std::string& sentence)
    {
        if (m_error.empty())
        {
            m_error = "line " + std::to_string(std::max(m_line, 1U)) + ": " + sentence;
        }
    }

    std::string_view m_text; ///< what is left to read
    uint32_t m_line{0};      ///< number of the current line
    std::string m_error;     ///< the first error
};

} // namespace

std::string
Quoted(std::string_view word)
{
    std::string result(1, '"');
    result += word;
    result += '"';
    return result;
}

std::string
FormatTrace(const Trace& trace)
{
    const auto index = [](uint32_t value) {
        return value == NO_INDEX ? std::string("-") : std::to_string(value);
    };
    std::string text(TITLE);
    text += "\nnodes " + std::to_string(trace.GetNodes()) + "\n";
    for (uint32_t block = 0; block < trace.GetBlocks(); ++block)
    {
        text += "block " + std::to_string(block);
        text += " node " + std::to_string(trace.GetNode(block));
        text += " thread " + index(trace.GetThread(block));
        text += " signals " + std::to_string(trace.GetSignals(block));
        text += " duration " + std::to_string(trace.GetDuration(block)) + "\n";
        for (uint32_t i = trace.GetFirst(block); i < trace.GetEnd(block); ++i)
        {
            const TraceMessage message = trace.GetMessage(i);
            text += "  ";
            text += MessageKindName(message.kind);
            text += " to " + std::to_string(message.destination);
            text += " bytes " + std::to_string(message.bytes);
            text += " at " + std::to_string(message.offset);
            text += " target " + index(message.target) + "\n";
        }
    }
    return text;
}

TraceOrError
ParseTrace(std::string_view text)
{
    TraceOrError result = TraceParser(text).Parse();
    if (result.error.empty())
    {
        result.error = result.trace.Validate();
    }
    if (!result.error.empty())
    {
        result.trace = Trace();
    }
    return result;
}

} // namespace idempotent
} // namespace ns3
