/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-goal.h"

#include "ns3/messaging-text-file.h"

#include <algorithm>
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
/// @return whether a label or keyword can begin with it
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
    return '"' + std::string(word) + '"';
}

/// Largest number of ranks of a schedule, against excessive memory after a typing error.
constexpr uint32_t MOST_RANKS = uint32_t{1} << 24;

/// Parser of GOAL text, token by token.
class GoalParser
{
  public:
    /// @param text the text to parse
    explicit GoalParser(std::string_view text)
        : m_next(text.data()),
          m_end(text.data() + text.size())
    {
        Advance();
    }

    /// @return the schedule, or an error
    GoalOrError Parse()
    {
        GoalOrError result;
        uint32_t ranks = 0;
        SkipLines();
        const uint32_t line = m_line;
        if (Expect("num_ranks") && Number("the number of ranks", ranks) && EndLine())
        {
            if (ranks == 0 || ranks > MOST_RANKS)
            {
                Fail("a schedule has from 1 to " + std::to_string(MOST_RANKS) + " ranks, not " +
                         std::to_string(ranks),
                     line);
                ranks = 0;
            }
            result.schedule = GoalSchedule(ranks);
            m_schedule = &result.schedule;
            m_seen.assign(ranks, false);
            for (SkipLines(); !m_token.empty(); SkipLines())
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
    /// Dependency between labels, which can be undefined so far.
    struct NamedDependency
    {
        std::string_view operation; ///< Label of the waiting operation.
        std::string_view required;  ///< Label of the required operation.
        bool start{false};          ///< It waits only for the start.
        uint32_t line{0};           ///< Line of the dependency.
    };

    /**
     * Stores the first error and stops.
     *
     * @param sentence the error
     * @param line its line; 0 for the current line
     * @return false
     */
    bool Fail(const std::string& sentence, uint32_t line = 0)
    {
        if (m_error.empty())
        {
            m_error = "line " + std::to_string(line == 0 ? m_line : line) + ": " + sentence;
        }
        m_next = m_end;
        m_token = {};
        return false;
    }

    /// Advances to the next token: a word, a number, an end of line or another character. The end
    /// of the text is an empty token.
    void Advance()
    {
        m_line += m_token == "\n" ? 1 : 0;
        SkipBlanks();
        const char* begin = m_next;
        if (m_next != m_end)
        {
            const bool word = IsLetter(*m_next);
            const bool number = IsDigit(*m_next);
            ++m_next;
            while (m_next != m_end && (((word || number) && IsDigit(*m_next)) ||
                                       (word && (IsLetter(*m_next) || *m_next == '_'))))
            {
                ++m_next;
            }
        }
        m_token = {begin, m_next};
    }

    /// Skips blanks and comments, but not the end of a line outside a comment.
    void SkipBlanks()
    {
        while (m_next != m_end)
        {
            const std::string_view rest(m_next, m_end);
            if (*m_next == ' ' || *m_next == '\t' || *m_next == '\r')
            {
                ++m_next;
            }
            else if (rest.starts_with("//"))
            {
                m_next += std::min(rest.find('\n'), rest.size());
            }
            else if (rest.starts_with("/*"))
            {
                const auto close = rest.find("*/", 2);
                if (close == std::string_view::npos)
                {
                    Fail("a comment is not closed");
                    return;
                }
                m_line += static_cast<uint32_t>(std::count(m_next, m_next + close, '\n'));
                m_next += close + 2;
            }
            else
            {
                return;
            }
        }
    }

    /// Skips empty lines.
    void SkipLines()
    {
        while (m_token == "\n")
        {
            Advance();
        }
    }

    /**
     * Takes a token if it is the current one.
     *
     * @param token the token
     * @return whether it is the current token
     */
    bool Take(std::string_view token)
    {
        const bool found = m_token == token;
        if (found)
        {
            Advance();
        }
        return found;
    }

    /**
     * Takes a required token.
     *
     * @param token the token
     * @return whether it follows
     */
    bool Expect(std::string_view token)
    {
        return Take(token) || Fail(Quoted(token) + " is expected, not " + Found());
    }

    /// @return whether the line ends here; advances to the next line
    bool EndLine()
    {
        return Take("\n") || (m_token.empty() && m_error.empty()) ||
               Fail("the end of the line is expected, not " + Found());
    }

    /// @return the current token, for a sentence
    std::string Found() const
    {
        if (m_token.empty() || m_token == "\n")
        {
            return "the end of the line";
        }
        std::string found(m_token.substr(0, 20));
        std::replace_if(found.begin(), found.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
        return Quoted(found);
    }

    /// @return the current token if it is a keyword or label, or empty
    std::string_view Word()
    {
        const std::string_view word = m_token;
        if (word.empty() || !IsLetter(word[0]))
        {
            return {};
        }
        Advance();
        return word;
    }

    /**
     * Takes a required number.
     *
     * @param what its meaning, for an error
     * @param number set to it
     * @return whether it follows
     */
    bool Number(const char* what, uint32_t& number)
    {
        if (!ReadNumber(m_token, 0, UINT32_MAX - 1, number))
        {
            return Fail(std::string(what) + " must be a number from 0 to 4294967294, not " +
                        Found());
        }
        Advance();
        return true;
    }

    /**
     * Takes a number, or the wildcard -1 of a receive.
     *
     * @param what its meaning, for an error
     * @param any whether the wildcard is allowed
     * @param number set to it
     * @return whether one of them follows
     */
    bool NumberOrAny(const char* what, bool any, uint32_t& number)
    {
        if (any && Take("-"))
        {
            number = UINT32_MAX;
            return Expect("1");
        }
        return Number(what, number);
    }

    /// Reads a rank from its keyword to its closing brace.
    void Rank()
    {
        uint32_t rank = 0;
        const uint32_t begin = m_line;
        if (!Expect("rank") || !Number("a rank", rank))
        {
            return;
        }
        if (rank >= m_schedule->GetRanks() || m_seen[rank])
        {
            Fail("rank " + std::to_string(rank) +
                 (rank < m_schedule->GetRanks()
                      ? " is defined a second time"
                      : ", but there are only " + std::to_string(m_schedule->GetRanks()) +
                            " ranks"));
            return;
        }
        m_seen[rank] = true;
        m_labels.clear();
        m_named.clear();
        if (!Expect("{") || !EndLine())
        {
            return;
        }
        for (SkipLines(); !m_token.empty() && m_token != "}"; SkipLines())
        {
            if (!Item(rank))
            {
                return;
            }
        }
        if (!Take("}"))
        {
            Fail("rank " + std::to_string(rank) + " is not closed by \"}\"", begin);
            return;
        }
        for (const NamedDependency& it : m_named)
        {
            Resolve(it);
        }
        EndLine();
    }

    /**
     * Reads an operation or a dependency.
     *
     * @param rank its rank
     * @return whether it is right
     */
    bool Item(uint32_t rank)
    {
        GoalOperation operation;
        operation.rank = rank;
        operation.line = m_line;
        std::string_view word = Word();
        if (word.empty())
        {
            return Fail("an operation, a dependency or \"}\" is expected, not " + Found());
        }
        if (word != "send" && word != "recv" && word != "calc")
        {
            const std::string_view label = word;
            if (!Take(":"))
            {
                return Dependency(label);
            }
            const auto index = static_cast<uint32_t>(m_schedule->GetOperations().size());
            if (!m_labels.emplace(label, index).second)
            {
                return Fail("label " + std::string(label) + " is defined a second time");
            }
            word = Word();
        }
        if (!Operation(word, operation))
        {
            return false;
        }
        m_schedule->Add(operation);
        return EndLine();
    }

    /**
     * Reads a dependency after its label.
     *
     * @param label the label
     * @return whether it is right
     */
    bool Dependency(std::string_view label)
    {
        const uint32_t line = m_line;
        const bool start = Take("irequires");
        if (!start && !Take("requires"))
        {
            return Fail("\":\", \"requires\" or \"irequires\" is expected after a label");
        }
        const std::string_view required = Word();
        if (required.empty())
        {
            return Fail("a label is expected, not " + Found());
        }
        m_named.push_back({label, required, start, line});
        return EndLine();
    }

    /**
     * Reads an operation after its keyword.
     *
     * @param keyword the keyword
     * @param operation the operation to complete
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
            if (!Number("a message length", operation.amount) || !Expect("b") ||
                !Expect(send ? "to" : "from") || !NumberOrAny("a rank", !send, operation.peer))
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
            return Fail("\"send\", \"recv\" or \"calc\" is expected");
        }
        return Options(operation);
    }

    /**
     * Reads the options after an operation, in any order.
     *
     * @param operation the operation
     * @return whether it is right
     */
    bool Options(GoalOperation& operation)
    {
        while (!m_token.empty() && IsLetter(m_token[0]))
        {
            uint32_t ignored = 0;
            bool right = false;
            if (operation.kind != GoalKind::CALC && Take("tag"))
            {
                right = NumberOrAny("a tag", operation.kind == GoalKind::RECV, operation.tag);
            }
            else if (Take("cpu") || Take("nic"))
            {
                right = Number("a processor or network interface", ignored);
            }
            else
            {
                Fail("\"tag\", \"cpu\" or \"nic\" is expected, not " + Found());
            }
            if (!right)
            {
                return false;
            }
        }
        return true;
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

    const char* m_next;                                      ///< End of the current token.
    const char* m_end;                                       ///< End of the text.
    std::string_view m_token;                                ///< Current token.
    uint32_t m_line{1};                                      ///< Line of the current token.
    std::string m_error;                                     ///< First error.
    GoalSchedule* m_schedule{nullptr};                       ///< Schedule so far.
    std::vector<bool> m_seen;                                ///< Ranks that have been read.
    std::unordered_map<std::string_view, uint32_t> m_labels; ///< Labels of the current rank.
    std::vector<NamedDependency> m_named;                    ///< Dependencies of the current rank.
};

} // namespace

GoalOrError
ParseGoal(std::string_view text)
{
    return GoalParser(text).Parse();
}

GoalOrError
ReadGoalFile(const std::string& path)
{
    GoalOrError result;
    std::ifstream file;
    std::ostringstream buffer;
    if (result.error = OpenTextFile(path, file); !result.error.empty())
    {
        result.error.pop_back();
        return result;
    }
    buffer << file.rdbuf();
    result = ParseGoal(std::move(buffer).str());
    if (!result.error.empty())
    {
        result.error = path + ": " + result.error;
    }
    return result;
}

} // namespace messaging
} // namespace ns3
