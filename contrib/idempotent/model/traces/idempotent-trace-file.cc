/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

namespace ns3
{
namespace idempotent
{

namespace
{

/// First bytes of the binary form; the last one is its version.
constexpr std::array<uint8_t, 8> MAGIC{'b', 'l', 'k', 't', 'r', 'a', 'c', 1};

/// Length of the checksum at the end of the binary form [bytes].
constexpr std::size_t CHECKSUM_BYTES = 4;

/// Bit of a message's first number for a local message.
constexpr uint32_t LOCAL_BIT = 0x10;

/// Bit of a message's first number for the length of the preceding message.
constexpr uint32_t SAME_LENGTH_BIT = 0x20;

/// Bits of a message's first number that hold its kind.
constexpr uint32_t KIND_MASK = 0x0f;

/**
 * CRC-32 as in IEEE 802.3.
 *
 * @param bytes the bytes
 * @return the checksum
 */
uint32_t
Checksum(std::span<const uint8_t> bytes)
{
    static constexpr auto TABLE = [] {
        std::array<uint32_t, 256> table{};
        for (uint32_t i = 0; i < table.size(); ++i)
        {
            uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
            {
                value = (value >> 1) ^ (value & 1 ? 0xedb88320 : 0);
            }
            table[i] = value;
        }
        return table;
    }();
    uint32_t crc = UINT32_MAX;
    for (const uint8_t byte : bytes)
    {
        crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >> 8);
    }
    return ~crc;
}

/**
 * Maps small differences of either sign to small numbers.
 *
 * @param difference a difference of two 32-bit numbers
 * @return 0, -1, 1, -2, 2, ... as 0, 1, 2, 3, 4, ...
 */
uint64_t
ZigZag(int64_t difference)
{
    return (static_cast<uint64_t>(difference) << 1) ^ static_cast<uint64_t>(difference >> 63);
}

/**
 * The inverse of ZigZag().
 *
 * @param number a number
 * @return the difference
 */
int64_t
UnZigZag(uint64_t number)
{
    return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
}

/**
 * Appends a number, seven bits a byte, the lowest first.
 *
 * @param bytes where to
 * @param number the number
 */
void
Put(std::vector<uint8_t>& bytes, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
    {
        bytes.push_back(static_cast<uint8_t>(number | 0x80));
    }
    bytes.push_back(static_cast<uint8_t>(number));
}

/// Takes numbers off a sequence of bytes and remembers the first that cannot be.
class ByteReader
{
  public:
    /// @param bytes the file's content
    explicit ByteReader(std::span<const uint8_t> bytes)
        : m_bytes(bytes)
    {
    }

    /**
     * Takes a number.
     *
     * @param what its name in an error
     * @param limit largest value allowed
     * @return the number, 0 after an error
     */
    uint64_t Get(const char* what, uint64_t limit)
    {
        const std::size_t begin = m_position;
        uint64_t number = 0;
        // Ten groups of seven bits hold any 64-bit number.
        for (int shift = 0; shift < 70; shift += 7)
        {
            if (m_position == m_bytes.size())
            {
                Fail(begin, std::string("the file ends inside ") + what);
                return 0;
            }
            const uint8_t byte = m_bytes[m_position++];
            number |= shift < 63 ? uint64_t{byte & 0x7fU} << shift : uint64_t{byte & 1U} << 63;
            if (byte < 0x80)
            {
                if (number > limit)
                {
                    Fail(begin,
                         std::string(what) + " is " + std::to_string(number) + ", but at most " +
                             std::to_string(limit) + " is allowed");
                    return 0;
                }
                return number;
            }
        }
        Fail(begin, std::string(what) + " is longer than a number can be");
        return 0;
    }

    /**
     * Takes a number stored as the difference to another one.
     *
     * @param what its name in an error
     * @param base the other one
     * @return the number, 0 after an error
     */
    uint32_t GetNear(const char* what, uint32_t base)
    {
        const std::size_t begin = m_position;
        const uint64_t zigzag = Get(what, uint64_t{1} << 34);
        const int64_t number = int64_t{base} + UnZigZag(zigzag);
        if (number < 0 || number > std::numeric_limits<uint32_t>::max())
        {
            Fail(begin, std::string(what) + " is out of range");
            return 0;
        }
        return static_cast<uint32_t>(number);
    }

    /// @return bytes not read yet
    std::size_t GetRest() const
    {
        return m_bytes.size() - m_position;
    }

    /// @return offset of the next byte
    std::size_t GetPosition() const
    {
        return m_position;
    }

    /// @return the first error, or empty
    const std::string& GetError() const
    {
        return m_error;
    }

  private:
    /**
     * Remembers the first error.
     *
     * @param offset where it is
     * @param sentence its description
     */
    void Fail(std::size_t offset, const std::string& sentence)
    {
        if (m_error.empty())
        {
            m_error = "offset " + std::to_string(offset) + ": " + sentence;
        }
        m_position = m_bytes.size();
    }

    std::span<const uint8_t> m_bytes; ///< the content
    std::size_t m_position{0};        ///< offset of the next byte
    std::string m_error;              ///< the first error
};

/**
 * Reads the blocks and messages after the header.
 *
 * @param reader positioned after the magic
 * @return the trace, not validated, or an error
 */
TraceOrError
DecodeBody(ByteReader& reader)
{
    constexpr uint64_t ANY = std::numeric_limits<uint32_t>::max();
    // A block takes five bytes or more and a message three: nothing is allocated for counts beyond.
    const auto nodes = static_cast<uint32_t>(reader.Get("the number of nodes", ANY - 1));
    const auto blocks =
        static_cast<uint32_t>(reader.Get("the number of blocks", reader.GetRest() / 5));
    const auto messages =
        static_cast<uint32_t>(reader.Get("the number of messages", reader.GetRest() / 3));
    TraceBuilder builder(nodes);
    builder.Reserve(blocks, messages);
    std::vector<uint32_t> signals;
    uint32_t node = 0;
    uint32_t thread = 0;
    uint32_t bytes = 0;
    uint32_t left = messages;
    for (uint32_t block = 0; block < blocks && reader.GetError().empty(); ++block)
    {
        node = reader.GetNear("a block's node", node);
        const uint32_t threadCode = reader.GetNear("a block's thread", thread + 1);
        thread = threadCode == 0 ? thread : threadCode - 1;
        signals.push_back(static_cast<uint32_t>(reader.Get("a block's signal count", messages)));
        const auto duration = static_cast<uint32_t>(reader.Get("a block's duration", ANY));
        const auto count = static_cast<uint32_t>(reader.Get("a block's message count", left));
        left -= count;
        builder.AddBlock(node, threadCode == 0 ? NO_INDEX : thread);
        builder.SetDuration(block, duration);
        TraceMessage message;
        for (uint32_t i = 0; i < count && reader.GetError().empty(); ++i)
        {
            const auto head = static_cast<uint32_t>(
                reader.Get("a message's kind", KIND_MASK | LOCAL_BIT | SAME_LENGTH_BIT));
            message.kind = static_cast<MessageKind>(head & KIND_MASK);
            message.destination = node;
            if (!(head & LOCAL_BIT))
            {
                message.destination = reader.GetNear("a message's destination", node);
            }
            if (!(head & SAME_LENGTH_BIT))
            {
                bytes = static_cast<uint32_t>(reader.Get("a message's length", ANY / WORD_BYTES)) *
                        WORD_BYTES;
            }
            message.bytes = bytes;
            message.offset +=
                static_cast<uint32_t>(reader.Get("a message's offset", ANY - message.offset));
            const uint32_t target = reader.GetNear("a message's target", block);
            message.target = target == block ? NO_INDEX : target;
            builder.AddMessage(block, message);
        }
    }
    TraceOrError result;
    result.error = reader.GetError();
    if (result.error.empty() && (left > 0 || reader.GetRest() > 0))
    {
        result.error = "offset " + std::to_string(reader.GetPosition()) +
                       (left > 0 ? ": the blocks hold fewer messages than the header says"
                                 : ": the file goes on after its last block");
    }
    if (result.error.empty())
    {
        result.trace = builder.Finish(std::move(signals));
    }
    return result;
}

/**
 * Replaces a trace that is not valid by its fault.
 *
 * @param result the trace, or an error
 * @return the trace if it is valid, else the error
 */
TraceOrError
Validated(TraceOrError result)
{
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

/// The first line of a trace in text.
constexpr std::string_view TITLE = "trace 1";

/**
 * Takes the next word off a line.
 *
 * @param line rest of the line; shortened
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
    /// @param text the text
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
     * @param line rest of the line; shortened
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
     * @param word the word
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

    /// @param line rest of a line, which must be empty
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

    std::string_view m_text; ///< rest of the text
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
    return Validated(TraceParser(text).Parse());
}

std::vector<uint8_t>
EncodeTrace(const Trace& trace)
{
    std::vector<uint8_t> bytes(MAGIC.begin(), MAGIC.end());
    Put(bytes, trace.GetNodes());
    Put(bytes, trace.GetBlocks());
    Put(bytes, trace.GetMessages());
    const auto near = [&bytes](uint32_t number, uint32_t base) {
        Put(bytes, ZigZag(int64_t{number} - int64_t{base}));
    };
    uint32_t node = 0;
    uint32_t thread = 0;
    uint32_t length = 0;
    for (uint32_t block = 0; block < trace.GetBlocks(); ++block)
    {
        near(trace.GetNode(block), node);
        node = trace.GetNode(block);
        const bool memory = trace.GetThread(block) == NO_INDEX;
        near(memory ? 0 : trace.GetThread(block) + 1, thread + 1);
        thread = memory ? thread : trace.GetThread(block);
        Put(bytes, trace.GetSignals(block));
        Put(bytes, trace.GetDuration(block));
        Put(bytes, trace.GetEnd(block) - trace.GetFirst(block));
        uint32_t offset = 0;
        for (uint32_t i = trace.GetFirst(block); i < trace.GetEnd(block); ++i)
        {
            const TraceMessage message = trace.GetMessage(i);
            const bool local = message.destination == node;
            const bool same = message.bytes == length;
            Put(bytes,
                static_cast<uint32_t>(message.kind) | (local ? LOCAL_BIT : 0) |
                    (same ? SAME_LENGTH_BIT : 0));
            if (!local)
            {
                near(message.destination, node);
            }
            if (!same)
            {
                Put(bytes, message.bytes / WORD_BYTES);
            }
            length = message.bytes;
            Put(bytes, message.offset - offset);
            offset = message.offset;
            near(message.target == NO_INDEX ? block : message.target, block);
        }
    }
    const uint32_t checksum = Checksum(bytes);
    for (std::size_t i = 0; i < CHECKSUM_BYTES; ++i)
    {
        bytes.push_back(static_cast<uint8_t>(checksum >> (8 * i)));
    }
    return bytes;
}

TraceOrError
DecodeTrace(std::span<const uint8_t> bytes)
{
    TraceOrError result;
    const std::size_t shared = std::min(bytes.size(), MAGIC.size() - 1);
    const auto differs = std::mismatch(bytes.begin(), bytes.begin() + shared, MAGIC.begin()).first;
    const std::size_t equal = differs - bytes.begin();
    if (equal < MAGIC.size() - 1)
    {
        result.error = "offset " + std::to_string(equal) + ": this is not a trace file";
        return result;
    }
    if (bytes.size() < MAGIC.size() + CHECKSUM_BYTES)
    {
        result.error = "offset " + std::to_string(bytes.size()) + ": the file ends in its header";
        return result;
    }
    if (bytes[MAGIC.size() - 1] != MAGIC.back())
    {
        result.error = "offset " + std::to_string(MAGIC.size() - 1) + ": the format's version is " +
                       std::to_string(bytes[MAGIC.size() - 1]) + ", but only version " +
                       std::to_string(MAGIC.back()) + " can be read";
        return result;
    }
    const auto content = bytes.first(bytes.size() - CHECKSUM_BYTES);
    // The place of a fault is more use than a checksum that does not match.
    ByteReader reader(content);
    for (std::size_t i = 0; i < MAGIC.size(); ++i)
    {
        reader.Get("the header", UINT8_MAX);
    }
    result = DecodeBody(reader);
    uint32_t checksum = 0;
    for (std::size_t i = 0; i < CHECKSUM_BYTES; ++i)
    {
        checksum |= uint32_t{bytes[content.size() + i]} << (8 * i);
    }
    if (result.error.empty() && checksum != Checksum(content))
    {
        result.error = "offset " + std::to_string(content.size()) +
                       ": the checksum does not match what the file holds";
    }
    return Validated(std::move(result));
}

std::string
WriteTraceFile(const Trace& trace, const std::string& path)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (path.ends_with(".txt"))
    {
        const std::string text = FormatTrace(trace);
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    else
    {
        const std::vector<uint8_t> bytes = EncodeTrace(trace);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    file.close();
    return file ? "" : path + ": the file cannot be written";
}

std::string
ReadWholeFile(const std::string& path, std::string& content)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream buffer;
    // A directory opens, too, but nothing can be read from it.
    if (!file || (file.peek() != std::ifstream::traits_type::eof() && !(buffer << file.rdbuf())) ||
        file.bad())
    {
        return path + ": the file cannot be read";
    }
    content = std::move(buffer).str();
    return {};
}

TraceOrError
ReadTraceFile(const std::string& path)
{
    TraceOrError result;
    std::string content;
    result.error = ReadWholeFile(path, content);
    if (!result.error.empty())
    {
        return result;
    }
    if (content.starts_with("trace"))
    {
        result = ParseTrace(content);
    }
    else
    {
        result = DecodeTrace(
            std::span(reinterpret_cast<const uint8_t*>(content.data()), content.size()));
    }
    if (!result.error.empty())
    {
        result.error = path + ": " + result.error;
    }
    return result;
}

} // namespace idempotent
} // namespace ns3
