/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-goal.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace messaging
{

namespace
{

/// @param c a character
/// @return whether a label or keyword may begin with it
constexpr bool
IsLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// @param c a character
/// @return whether it is a decimal digit
constexpr bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// @param word a word
/// @return the word in quotation marks
std::string
Quoted(std::string_view word)
{
    std::string result(1, '"');
    result += word;
    result += '"';
    return result;
}

/// Most ranks of a schedule: a larger number is taken for a mistake rather than for memory.
constexpr uint32_t MOST_RANKS = uint32_t{1} << 24;

/// Reads GOAL text.
class GoalParser
{
  public:
    /// @param text what to read
    explicit GoalParser(std::string_view text)
        : m_next(text.data()),
          m_end(text.data() + text.size())
    {
    }

    /// @return the schedule, or an error
    GoalOrError Parse()
    {
        GoalOrError result;
        uint32_t ranks = 0;
        SkipLines();
        if (Keyword("num_ranks") && Number("the number of ranks", ranks) && EndLine())
        {
            if (ranks == 0 || ranks > MOST_RANKS)
            {
                Fail("a schedule has from 1 to " + std::to_string(MOST_RANKS) + " ranks, not " +
                         std::to_string(ranks),
                     m_line - 1);
                ranks = 0;
            }
            result.schedule = GoalSchedule(ranks);
            m_schedule = &result.schedule;
            m_seen.assign(ranks, false);
            for (SkipLines(); m_error.empty() && m_next != m_end; SkipLines())
            {
                Rank();
            }
        }
        result.error = m_error;
        if (!m_error.empty())
        {
            result.schedule = GoalSchedule(0);
        }
        return result;
    }

  private:
    /// A dependency between labels that need not be known yet.
    struct NamedDependency
    {
        std::string_view operation; ///< label of the operation that waits
        std::string_view required;  ///< label of the one it waits for
        bool start{false};          ///< waits for its start only
        uint32_t line{0};           ///< line it stands in
    };

    /**
     * Remembers the first error and stops.
     *
     * @param sentence what is wrong
     * @param line where; 0 for the current line
     * @return false
     */
    bool Fail(const std::string& sentence, uint32_t line = 0)
    {
        if (m_error.empty())
        {
            m_error = "line " + std::to_string(line == 0 ? m_line : line) + ": " + sentence;
        }
        m_next = m_end;
        return false;
    }

    /// Skips blanks and comments, but no end of a line outside a comment.
    void SkipBlanks()
    {
        while (m_next != m_end)
        {
            const char c = *m_next;
            if (c == ' ' || c == '\t' || c == '\r')
            {
                ++m_next;
            }
            else if (c == '/' && m_end - m_next > 1 && m_next[1] == '/')
            {
                while (m_next != m_end && *m_next != '\n')
                {
                    ++m_next;
                }
            }
            else if (c == '/' && m_end - m_next > 1 && m_next[1] == '*')
            {
                SkipComment();
            }
            else
            {
                return;
            }
        }
    }

    /// Skips a comment that may span lines.
    void SkipComment()
    {
        const uint32_t begin = m_line;
        for (m_next += 2; m_end - m_next > 1; ++m_next)
        {
            if (m_next[0] == '*' && m_next[1] == '/')
            {
                m_next += 2;
                return;
            }
            m_line += *m_next == '\n' ? 1 : 0;
        }
        Fail("a comment is not closed", begin);
    }

    /// Skips blanks, comments and empty lines.
    void SkipLines()
    {
        for (SkipBlanks(); m_next != m_end && *m_next == '\n'; SkipBlanks())
        {
            ++m_next;
            ++m_line;
        }
    }

    /// @return whether nothing but a comment follows in the line; goes on to the next one
    bool EndLine()
    {
        SkipBlanks();
        if (m_next == m_end)
        {
            return m_error.empty();
        }
        if (*m_next != '\n')
        {
            return Fail("nothing may follow here, not " + Found());
        }
        ++m_next;
        ++m_line;
        return true;
    }

    /// @return what stands at the present position, for a sentence
    std::string Found() const
    {
        if (m_next == m_end || *m_next == '\n')
        {
            return "the end of the line";
        }
        const char* end = m_next + 1;
        while (end != m_end && (IsLetter(*end) || IsDigit(*end)) && end - m_next < 20)
        {
            ++end;
        }
        std::string found(m_next, end);
        std::replace_if(found.begin(), found.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
        return Quoted(found);
    }

    /// @return the keyword or label at the present position, empty if there is none
    std::string_view Word()
    {
        SkipBlanks();
        const char* begin = m_next;
        if (m_next != m_end && IsLetter(*m_next))
        {
            while (m_next != m_end && (IsLetter(*m_next) || IsDigit(*m_next) || *m_next == '_'))
            {
                ++m_next;
            }
        }
        return {begin, m_next};
    }

    /**
     * Takes a keyword that must stand here.
     *
     * @param keyword the keyword
     * @return whether it does
     */
    bool Keyword(std::string_view keyword)
    {
        SkipBlanks();
        const char* begin = m_next;
        if (Word() == keyword)
        {
            return true;
        }
        m_next = begin;
        return Fail(Quoted(keyword) + " is due, not " + Found());
    }

    /**
     * Takes a character that must stand here.
     *
     * @param c the character
     * @return whether it does
     */
    bool Character(char c)
    {
        SkipBlanks();
        if (m_next == m_end || *m_next != c)
        {
            return Fail(Quoted({&c, 1}) + " is due, not " + Found());
        }
        ++m_next;
        return true;
    }

    /**
     * Takes a number that must stand here.
     *
     * @param what its meaning
     * @param number set to it
     * @return whether it does
     */
    bool Number(const char* what, uint32_t& number)
    {
        SkipBlanks();
        const auto [end, error] = std::from_chars(m_next, m_end, number);
        if (error != std::errc() || number == UINT32_MAX)
        {
            return Fail(std::string(what) + " must be a number from 0 to 4294967294, not " +
                        Found());
        }
        m_next = end;
        return true;
    }

    /// Reads a rank from its keyword to its closing brace.
    void Rank()
    {
        uint32_t rank = 0;
        const uint32_t begin = m_line;
        if (!Keyword("rank") || !Number("a rank", rank))
        {
            return;
        }
        if (rank >= m_schedule->GetRanks() || m_seen[rank])
        {
            Fail("rank " + std::to_string(rank) +
                 (rank < m_schedule->GetRanks()
                      ? " stands here a second time"
                      : ", but there are only " + std::to_string(m_schedule->GetRanks()) +
                            " ranks"));
            return;
        }
        m_seen[rank] = true;
        m_labels.clear();
        m_named.clear();
        if (!Character('{') || !EndLine())
        {
            return;
        }
        for (SkipLines(); m_next != m_end && *m_next != '}'; SkipLines())
        {
            if (!Item(rank))
            {
                return;
            }
        }
        if (m_next == m_end)
        {
            Fail("rank " + std::to_string(rank) + " is not closed by \"}\"", begin);
            return;
        }
        ++m_next;
        for (const NamedDependency& it : m_named)
        {
            Resolve(it);
        }
        EndLine();
    }

    /**
     * Reads an operation or a dependency.
     *
     * @param rank rank it belongs to
     * @return whether it is right
     */
    bool Item(uint32_t rank)
    {
        const uint32_t line = m_line;
        std::string_view word = Word();
        if (word.empty())
        {
            return Fail("an operation, a dependency or \"}\" is due, not " + Found());
        }
        if (word != "send" && word != "recv" && word != "calc")
        {
            const std::string_view label = word;
            SkipBlanks();
            if (m_next == m_end || *m_next != ':')
            {
                const std::string_view verb = Word();
                if (verb != "requires" && verb != "irequires")
                {
                    return Fail("\":\", \"requires\" or \"irequires\" is due after a label");
                }
                const std::string_view required = Word();
                if (required.empty())
                {
                    return Fail("a label is due, not " + Found());
                }
                m_named.push_back({label, required, verb == "irequires", line});
                return EndLine();
            }
            ++m_next;
            const auto index = static_cast<uint32_t>(m_schedule->GetOperations().size());
            if (!m_labels.emplace(label, index).second)
            {
                return Fail("label " + std::string(label) + " stands here a second time");
            }
            word = Word();
        }
        GoalOperation operation;
        operation.rank = rank;
        operation.line = line;
        if (!Operation(word, operation))
        {
            return false;
        }
        m_schedule->Add(operation);
        return EndLine();
    }

    /**
     * Reads an operation after its keyword.
     *
     * @param keyword the keyword
     * @param operation what is known of it
     * @return whether it is right
     */
    bool Operation(std::string_view keyword, GoalOperation& operation)
    {
        const bool send = keyword == "send";
        if (keyword == "calc")
        {
            operation.kind = GoalKind::CALC;
            if (!Number("a computation", operation.amount))
            {
                return false;
            }
        }
        else if (send || keyword == "recv")
        {
            operation.kind = send ? GoalKind::SEND : GoalKind::RECV;
            if (!Number("a message length", operation.amount) || !Character('b') ||
                !Keyword(send ? "to" : "from") || !NumberOrAny("a rank", !send, operation.peer))
            {
                return false;
            }
            if (operation.peer >= m_schedule->GetRanks() && operation.peer != GOAL_ANY_SOURCE)
            {
                return Fail("rank " + std::to_string(operation.peer) + ", but there are only " +
                            std::to_string(m_schedule->GetRanks()) + " ranks");
            }
        }
        else
        {
            return Fail("\"send\", \"recv\" or \"calc\" is due");
        }
        return Options(operation);
    }

    /**
     * Reads what may follow an operation, in any order.
     *
     * @param operation the operation
     * @return whether it is right
     */
    bool Options(GoalOperation& operation)
    {
        for (SkipBlanks(); m_next != m_end && IsLetter(*m_next); SkipBlanks())
        {
            const char* begin = m_next;
            const std::string_view option = Word();
            uint32_t ignored = 0;
            bool right = false;
            if (option == "tag" && operation.kind != GoalKind::CALC)
            {
                right = NumberOrAny("a tag", operation.kind == GoalKind::RECV, operation.tag);
            }
            else if (option == "cpu" || option == "nic")
            {
                right = Number("a processor or network interface", ignored);
            }
            else
            {
                m_next = begin;
                Fail("\"tag\", \"cpu\" or \"nic\" is due, not " + Found());
            }
            if (!right)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes a number, or the wildcard of a receive.
     *
     * @param what its meaning
     * @param any whether the wildcard may stand here
     * @param number set to it
     * @return whether one of them stands here
     */
    bool NumberOrAny(const char* what, bool any, uint32_t& number)
    {
        SkipBlanks();
        if (any && m_end - m_next >= 2 && m_next[0] == '-' && m_next[1] == '1')
        {
            m_next += 2;
            number = UINT32_MAX;
            return true;
        }
        return Number(what, number);
    }

    /**
     * Adds a dependency, once all labels of its rank are known.
     *
     * @param named the dependency
     */
    void Resolve(const NamedDependency& named)
    {
        const auto operation = m_labels.find(named.operation);
        const auto required = m_labels.find(named.required);
        if (operation == m_labels.end() || required == m_labels.end())
        {
            Fail("there is no label " +
                     std::string(operation == m_labels.end() ? named.operation : named.required) +
                     " in this rank",
                 named.line);
            return;
        }
        m_schedule->Add(GoalDependency{.operation = operation->second,
                                       .required = required->second,
                                       .start = named.start});
    }

    const char* m_next;                ///< the next character
    const char* m_end;                 ///< after the last character
    uint32_t m_line{1};                ///< number of the current line
    std::string m_error;               ///< the first error
    GoalSchedule* m_schedule{nullptr}; ///< the schedule so far
    std::vector<bool> m_seen;          ///< per rank: whether it has stood here
    std::unordered_map<std::string_view, uint32_t> m_labels; ///< labels of the current rank
    std::vector<NamedDependency> m_named;                    ///< dependencies of the current rank
};

} // namespace

GoalSchedule::GoalSchedule(uint32_t ranks)
    : m_ranks(ranks)
{
}

uint32_t
GoalSchedule::Add(const GoalOperation& operation)
{
    m_operations.push_back(operation);
    return static_cast<uint32_t>(m_operations.size() - 1);
}

void
GoalSchedule::Add(const GoalDependency& dependency)
{
    m_dependencies.push_back(dependency);
}

GoalOrError
ParseGoal(std::string_view text)
{
    return GoalParser(text).Parse();
}

std::string
FormatGoal(const GoalSchedule& schedule)
{
    const std::vector<GoalOperation>& operations = schedule.GetOperations();
    std::vector<std::string> ranks(schedule.GetRanks());
    std::vector<uint32_t> count(schedule.GetRanks(), 0);
    std::vector<uint32_t> label(operations.size());
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        const GoalOperation& it = operations[i];
        label[i] = ++count[it.rank];
        std::string& text = ranks[it.rank];
        text += 'l' + std::to_string(label[i]) + ": ";
        if (it.kind == GoalKind::CALC)
        {
            text += "calc " + std::to_string(it.amount) + "\n";
            continue;
        }
        text += it.kind == GoalKind::SEND ? "send " : "recv ";
        text += std::to_string(it.amount);
        text += it.kind == GoalKind::SEND ? "b to " : "b from ";
        text += (it.peer == GOAL_ANY_SOURCE ? "-1" : std::to_string(it.peer)) + " tag " +
                (it.tag == GOAL_ANY_TAG ? "-1" : std::to_string(it.tag)) + "\n";
    }
    for (const GoalDependency& it : schedule.GetDependencies())
    {
        ranks[operations[it.operation].rank] += 'l' + std::to_string(label[it.operation]) +
                                                (it.start ? " irequires l" : " requires l") +
                                                std::to_string(label[it.required]) + "\n";
    }
    std::string text = "num_ranks " + std::to_string(schedule.GetRanks()) + "\n";
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    {
        text += "\nrank " + std::to_string(rank) + " {\n" + ranks[rank] + "}\n";
    }
    return text;
}

GoalOrError
ReadGoalFile(const std::string& path)
{
    GoalOrError result;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream buffer;
    // A directory opens, too, but nothing can be read from it.
    if (!file || (file.peek() != std::ifstream::traits_type::eof() && !(buffer << file.rdbuf())) ||
        file.bad())
    {
        result.error = path + ": the file cannot be read";
        return result;
    }
    result = ParseGoal(std::move(buffer).str());
    if (!result.error.empty())
    {
        result.error = path + ": " + result.error;
    }
    return result;
}

} // namespace messaging
} // namespace ns3
