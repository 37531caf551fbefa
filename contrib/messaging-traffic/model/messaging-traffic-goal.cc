/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal.h"

#include "ns3/messaging-text-file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory_resource>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace messaging
{

namespace
{

/// Classes of characters, as bits.
enum CharacterClass : uint8_t
{
    BLANK = 1,
    DIGIT = 2,
    LETTER = 4,
    LOW_LINE = 8
};

/// @return the classes of all characters, 0 for those without a class
constexpr std::array<uint8_t, 256>
MakeClasses()
{
    std::array<uint8_t, 256> classes{};
    for (const unsigned blank : {' ', '\t', '\r'})
    {
        classes[blank] = BLANK;
    }
    for (unsigned digit = '0'; digit <= '9'; ++digit)
    {
        classes[digit] = DIGIT;
    }
    for (unsigned letter = 'a'; letter <= 'z'; ++letter)
    {
        classes[letter] = LETTER;
        classes[letter - 'a' + 'A'] = LETTER;
    }
    classes['_'] = LOW_LINE;
    return classes;
}

/// Class of each character.
constexpr std::array<uint8_t, 256> CLASSES = MakeClasses();

/// @param c a character
/// @return its class
constexpr uint8_t
GetClass(char c)
{
    return CLASSES[static_cast<uint8_t>(c)];
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

/// The keywords of operations, for an error.
constexpr const char* OPERATIONS = "\"send\", \"recv\", \"calc\" or \"coll\"";

/// @return the keywords of collectives, for an error
std::string
ListCollectives()
{
    std::string list;
    for (auto kind = CollectiveKind::BARRIER; kind < CollectiveKind::SCAN;
         kind = static_cast<CollectiveKind>(static_cast<uint8_t>(kind) + 1))
    {
        list += std::string(GetCollectiveWord(kind)) + ", ";
    }
    return list + "and " + std::string(GetCollectiveWord(CollectiveKind::SCAN));
}

/// Letters of a keyword of four, recognised by one comparison.
using FourLetters = uint32_t;

/// @return the letters of a word, or 0 if there are not four. @param word the word
constexpr FourLetters
Pack(std::string_view word)
{
    FourLetters letters = 0;
    if (word.size() == 4)
    {
        for (unsigned i = 0; i < 4; ++i)
        {
            letters |= FourLetters{static_cast<uint8_t>(word[i])} << 8 * i;
        }
    }
    return letters;
}

/// Keywords of operations.
constexpr FourLetters SEND_WORD = Pack("send");
constexpr FourLetters RECV_WORD = Pack("recv");
constexpr FourLetters CALC_WORD = Pack("calc");
constexpr FourLetters COLL_WORD = Pack("coll");

/// @return whether a word is the keyword of an operation. @param letters its letters
constexpr bool
IsOperation(FourLetters letters)
{
    return letters == SEND_WORD || letters == RECV_WORD || letters == CALC_WORD ||
           letters == COLL_WORD;
}

/// Value of the lowest 32 bits of a tag that would mean any tag.
constexpr uint32_t WILDCARD = UINT32_MAX;

/// Parser of GOAL text, token by token. Its functions throw std::runtime_error at the first error.
class GoalParser
{
  public:
    /// @param text the text to parse
    explicit GoalParser(std::string_view text)
        : m_next(text.data()),
          m_end(text.data() + text.size())
    {
    }

    /// @return the schedule
    GoalSchedule Parse()
    {
        Advance();
        SkipLines();
        Expect("num_ranks");
        m_schedule.ranks = Number("the number of ranks");
        if (m_schedule.ranks == 0 || m_schedule.ranks > MOST_RANKS)
        {
            Fail("a schedule has from 1 to " + std::to_string(MOST_RANKS) + " ranks, not " +
                 std::to_string(m_schedule.ranks));
        }
        m_seen.assign(m_schedule.ranks, false);
        for (SkipLines(); !m_token.empty(); SkipLines())
        {
            Rank();
        }
        return std::move(m_schedule);
    }

  private:
    /// Operations of a rank by their labels.
    using Labels = std::pmr::unordered_map<std::string_view, uint32_t>;

    /// Dependency between labels, which can be undefined so far.
    struct NamedDependency
    {
        std::string_view operation; ///< Label of the waiting operation.
        std::string_view required;  ///< Label of the required operation.
        bool start{false};          ///< It waits only for the start.
        uint32_t line{0};           ///< Line of the dependency.
    };

    /**
     * Stops at an error.
     *
     * @param sentence the error
     * @param line its line
     */
    [[noreturn]] static void Fail(const std::string& sentence, uint32_t line)
    {
        throw std::runtime_error("line " + std::to_string(line) + ": " + sentence);
    }

    /// Stops at an error in the current line. @param sentence the error
    [[noreturn]] void Fail(const std::string& sentence) const
    {
        Fail(sentence, m_line);
    }

    /// Advances to the next token: a word, a number, an end of line or another character. The end
    /// of the text is an empty token.
    void Advance()
    {
        m_line += Is('\n') ? 1 : 0;
        // Not the members themselves, which the compiler would load and store for each character.
        const char* const end = m_end;
        const char* next = m_next;
        while (next != end && GetClass(*next) == BLANK)
        {
            ++next;
        }
        if (next != end && *next == '/')
        {
            next = SkipComments(next);
        }
        const char* const begin = next;
        if (next != end)
        {
            const uint8_t first = GetClass(*next);
            const uint8_t rest = first == LETTER ? LETTER | DIGIT | LOW_LINE : first;
            do
            {
                ++next;
            } while (next != end && (GetClass(*next) & rest));
        }
        m_token = {begin, next};
        m_next = next;
    }

    /// Skips comments and blanks. Not inline, so that Advance is. @param next a slash
    /// @return the next token
    [[gnu::noinline]] const char* SkipComments(const char* next)
    {
        for (; next != m_end && (*next == '/' || GetClass(*next) == BLANK); ++next)
        {
            const std::string_view rest(next, m_end);
            if (rest.starts_with("//"))
            {
                next += std::min(rest.find('\n'), rest.size()) - 1;
            }
            else if (rest.starts_with("/*"))
            {
                const auto close = rest.find("*/", 2);
                if (close == std::string_view::npos)
                {
                    Fail("a comment is not closed");
                }
                m_line += static_cast<uint32_t>(std::count(next, next + close, '\n'));
                next += close + 1;
            }
            else if (*next == '/')
            {
                break;
            }
        }
        return next;
    }

    /// @return whether the current token is a character. @param c the character
    bool Is(char c) const
    {
        return m_token.size() == 1 && m_token[0] == c;
    }

    /// Skips empty lines.
    void SkipLines()
    {
        while (Is('\n'))
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
    [[gnu::always_inline]] bool Take(std::string_view token)
    {
        // With a constant token, this is one comparison of a few bytes.
        const bool found =
            m_token.size() == token.size() &&
            std::char_traits<char>::compare(m_token.data(), token.data(), token.size()) == 0;
        if (found)
        {
            Advance();
        }
        return found;
    }

    /// Stops, since the current token is not the expected one. @param what the expected one
    [[noreturn]] void FailExpected(const std::string& what) const
    {
        Fail(what + " is expected, not " + Found());
    }

    /// Takes a required token. @param token the token
    [[gnu::always_inline]] void Expect(std::string_view token)
    {
        if (!Take(token))
        {
            FailExpected(Quoted(token));
        }
    }

    /// Takes the required end of an item: of the line, or of the rank, whose brace stays.
    void EndItem()
    {
        if (!m_token.empty() && !Take("\n") && !Is('}'))
        {
            FailExpected("the end of the line");
        }
    }

    /// @return the current token, for a sentence
    std::string Found() const
    {
        if (m_token.empty() || Is('\n'))
        {
            return "the end of the line";
        }
        std::string found(m_token.substr(0, 20));
        std::replace_if(found.begin(), found.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
        return Quoted(found);
    }

    /// @return whether the current token is a keyword or label
    bool IsWord() const
    {
        return !m_token.empty() && GetClass(m_token[0]) == LETTER;
    }

    /// Takes a required keyword or label. @param what its meaning, for an error @return the word
    [[gnu::always_inline]] std::string_view Word(const char* what)
    {
        if (!IsWord())
        {
            FailExpected(what);
        }
        const std::string_view word = m_token;
        Advance();
        return word;
    }

    /// Takes a required number of 32 bits. @param what its meaning, for an error @return the number
    uint32_t Number(const char* what)
    {
        uint32_t number = 0;
        if (!ReadNumber(m_token, 0, UINT32_MAX - 1, number))
        {
            FailNumber(what, UINT32_MAX - 1);
        }
        Advance();
        return number;
    }

    /**
     * Takes a required number.
     *
     * @param what its meaning, for an error
     * @param most the largest allowed number
     * @return the number
     */
    uint64_t Amount(const char* what, uint64_t most)
    {
        uint64_t number = 0;
        if (!ReadNumber(m_token, 0, most, number))
        {
            FailNumber(what, most);
        }
        Advance();
        return number;
    }

    /**
     * Stops, since the current token is not the expected number.
     *
     * @param what its meaning
     * @param most the largest allowed number
     */
    [[noreturn]] void FailNumber(const char* what, uint64_t most) const
    {
        Fail(std::string(what) + " must be a number from 0 to " + std::to_string(most) + ", not " +
             Found());
    }

    /// Takes a required message length. @return the length [bytes]
    uint64_t Length()
    {
        const uint64_t length = Amount("a message length", GOAL_MAX_BYTES);
        Expect("b");
        return length;
    }

    /**
     * Takes the wildcard -1, if it is the current token.
     *
     * @param any whether the wildcard is allowed
     * @return whether it was taken
     */
    bool TakeAny(bool any)
    {
        const bool found = any && Take("-");
        if (found)
        {
            Expect("1");
        }
        return found;
    }

    /**
     * Takes a rank, or the wildcard.
     *
     * @param any whether the wildcard is allowed
     * @return the rank, or GOAL_ANY_SOURCE
     */
    uint32_t RankOrAny(bool any)
    {
        if (TakeAny(any))
        {
            return GOAL_ANY_SOURCE;
        }
        const uint32_t rank = Number("a rank");
        CheckRank(rank);
        return rank;
    }

    /**
     * Takes a tag, of which 32 bits count, or the wildcard.
     *
     * @param any whether the wildcard is allowed
     * @return the tag, or GOAL_ANY_TAG
     */
    uint32_t TagOrAny(bool any)
    {
        if (TakeAny(any))
        {
            return GOAL_ANY_TAG;
        }
        const auto tag = static_cast<uint32_t>(Amount("a tag", UINT64_MAX));
        if (tag == WILDCARD)
        {
            Fail("the lowest 32 bits of a tag must not all be set");
        }
        return tag;
    }

    /// Reads a rank from its keyword to its closing brace.
    void Rank()
    {
        const uint32_t begin = m_line;
        Expect("rank");
        const uint32_t rank = Number("a rank");
        CheckRank(rank);
        if (m_seen[rank])
        {
            Fail("rank " + std::to_string(rank) + " is defined a second time");
        }
        m_seen[rank] = true;
        std::pmr::monotonic_buffer_resource memory;
        Labels labels(512, &memory);
        m_named.clear();
        Expect("{");
        for (SkipLines(); !m_token.empty() && !Is('}'); SkipLines())
        {
            Item(rank, labels);
        }
        if (!Take("}"))
        {
            Fail("rank " + std::to_string(rank) + " is not closed by \"}\"", begin);
        }
        for (const NamedDependency& it : m_named)
        {
            m_schedule.dependencies.push_back({.operation = Resolve(labels, it.operation, it.line),
                                               .required = Resolve(labels, it.required, it.line),
                                               .start = it.start});
        }
    }

    /// Checks that a rank exists. @param rank the rank
    void CheckRank(uint32_t rank) const
    {
        if (rank >= m_schedule.ranks)
        {
            Fail("rank " + std::to_string(rank) + ", but there are only " +
                 std::to_string(m_schedule.ranks) + " ranks");
        }
    }

    /// Reads an operation or a dependency. @param rank its rank @param labels the rank's labels
    void Item(uint32_t rank, Labels& labels)
    {
        GoalOperation operation;
        operation.rank = rank;
        operation.line = m_line;
        std::string_view word = Word("an operation, a dependency or \"}\"");
        if (!IsOperation(Pack(word)))
        {
            const std::string_view label = word;
            if (!Take(":"))
            {
                Dependency(label);
                return;
            }
            const std::size_t index = m_schedule.operations.size();
            if (!labels.emplace(label, index).second)
            {
                Fail("label " + std::string(label) + " is defined a second time");
            }
            word = Word(OPERATIONS);
        }
        Operation(word, operation);
        m_schedule.Add(operation);
        EndItem();
    }

    /// Reads a dependency after its label. @param label the label
    void Dependency(std::string_view label)
    {
        const uint32_t line = m_line;
        const bool start = Take("irequires");
        if (!start && !Take("requires"))
        {
            Fail("\":\", \"requires\" or \"irequires\" is expected after a label");
        }
        m_named.push_back({label, Word("a label"), start, line});
        EndItem();
    }

    /**
     * Reads an operation after its keyword.
     *
     * @param keyword the keyword
     * @param operation the operation to complete
     */
    void Operation(std::string_view keyword, GoalOperation& operation)
    {
        const FourLetters letters = Pack(keyword);
        const bool send = letters == SEND_WORD;
        if (letters == CALC_WORD)
        {
            operation.kind = GoalKind::CALC;
            operation.amount = Amount("a computation", GOAL_MAX_CALC);
        }
        else if (send || letters == RECV_WORD)
        {
            operation.kind = send ? GoalKind::SEND : GoalKind::RECV;
            operation.amount = Length();
            Expect(send ? "to" : "from");
            operation.peer = RankOrAny(!send);
        }
        else if (letters == COLL_WORD)
        {
            Collective(operation);
        }
        else
        {
            Fail(std::string(OPERATIONS) + " is expected, not " + Quoted(keyword));
        }
        Options(operation);
    }

    /// Reads a collective after its keyword. @param operation the operation to complete
    void Collective(GoalOperation& operation)
    {
        const std::string_view word = Word("a collective");
        if (!FindCollectiveKind(word, operation.collective))
        {
            Fail(Quoted(word) + " is no collective; there are " + ListCollectives());
        }
        operation.kind = GoalKind::COLL;
        operation.amount = Length();
        operation.group = Number("a group");
        operation.tag = Number("an instance");
        operation.peer = RankOrAny(true);
    }

    /// Reads the options after an operation, in any order. @param operation the operation
    void Options(GoalOperation& operation)
    {
        while (IsWord())
        {
            if (operation.kind < GoalKind::CALC && Take("tag"))
            {
                operation.tag = TagOrAny(operation.kind == GoalKind::RECV);
            }
            else if (Take("cpu") || Take("nic"))
            {
                Number("a processor or network interface");
            }
            else
            {
                FailExpected("\"tag\", \"cpu\" or \"nic\"");
            }
        }
    }

    /**
     * Finds an operation.
     *
     * @param labels all labels of its rank
     * @param label its label
     * @param line line of the dependency
     * @return its index in the schedule
     */
    static uint32_t Resolve(const Labels& labels, std::string_view label, uint32_t line)
    {
        const auto found = labels.find(label);
        if (found == labels.end())
        {
            Fail("there is no label " + std::string(label) + " in this rank", line);
        }
        return found->second;
    }

    const char* m_next;                   ///< End of the current token.
    const char* m_end;                    ///< End of the text.
    std::string_view m_token;             ///< Current token.
    uint32_t m_line{1};                   ///< Line of the current token.
    GoalSchedule m_schedule;              ///< Schedule so far.
    std::vector<bool> m_seen;             ///< Ranks that have been read.
    std::vector<NamedDependency> m_named; ///< Dependencies of the current rank.
};

/// Longest cycle that is listed whole [operations].
constexpr std::size_t LISTED = 16;

/// @return a rank or tag in a text. @param number the number @param any the value for any
std::string
FormatOrAny(uint32_t number, uint32_t any)
{
    return number == any ? "-1" : std::to_string(number);
}

} // namespace

std::string
GetGoalPlace(const GoalSchedule& schedule, uint32_t operation)
{
    const GoalOperation& it = schedule.operations[operation];
    if (it.line > 0)
    {
        return "line " + std::to_string(it.line);
    }
    uint32_t number = 0;
    while (number < operation && schedule.operations[operation - number - 1].rank == it.rank)
    {
        ++number;
    }
    return "operation " + std::to_string(number) + " of rank " + std::to_string(it.rank);
}

std::string
FindGoalCycle(const GoalSchedule& schedule)
{
    const std::size_t count = schedule.operations.size();
    std::vector<std::vector<uint32_t>> dependants(count);
    std::vector<uint32_t> missing(count, 0);
    for (const GoalDependency& it : schedule.dependencies)
    {
        dependants[it.required].push_back(it.operation);
        ++missing[it.operation];
    }
    // Operations that can start, one after the other; the others are on cycles or behind them.
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (missing[i] == 0)
        {
            ready.push_back(i);
        }
    }
    while (!ready.empty())
    {
        const uint32_t operation = ready.back();
        ready.pop_back();
        for (const uint32_t dependant : dependants[operation])
        {
            if (--missing[dependant] == 0)
            {
                ready.push_back(dependant);
            }
        }
    }
    const auto first = std::ranges::find_if(missing, [](uint32_t left) { return left > 0; });
    if (first == missing.end())
    {
        return "";
    }
    // From one that cannot start, each step leads to a requirement that cannot start either, so
    // that the steps end in a cycle.
    std::vector<uint32_t> blocker(count, 0);
    for (const GoalDependency& it : schedule.dependencies)
    {
        if (missing[it.required] > 0)
        {
            blocker[it.operation] = it.required;
        }
    }
    std::vector<bool> seen(count, false);
    auto at = static_cast<uint32_t>(first - missing.begin());
    for (; !seen[at]; at = blocker[at])
    {
        seen[at] = true;
    }
    const uint32_t begin = at;
    std::string sentence = "the operations of rank " +
                           std::to_string(schedule.operations[begin].rank) +
                           " wait for each other in a cycle: ";
    std::size_t listed = 0;
    do
    {
        sentence += GetGoalPlace(schedule, at) + (listed == 0 ? " requires " : ", which requires ");
        at = blocker[at];
    } while (at != begin && ++listed < LISTED);
    return sentence + (at == begin ? "" : "others and at last ") + GetGoalPlace(schedule, begin);
}

GoalOrError
ParseGoal(std::string_view text)
{
    try
    {
        return {GoalParser(text).Parse(), ""};
    }
    catch (const std::runtime_error& error)
    {
        return {{}, error.what()};
    }
}

std::string
DescribeGoalOperation(const GoalOperation& operation)
{
    const std::string amount = std::to_string(operation.amount);
    const std::string peer = FormatOrAny(operation.peer, GOAL_ANY_SOURCE);
    const std::string tag = FormatOrAny(operation.tag, GOAL_ANY_TAG);
    switch (operation.kind)
    {
    case GoalKind::SEND:
        return "send " + amount + "b to " + peer + " tag " + tag;
    case GoalKind::RECV:
        return "recv " + amount + "b from " + peer + " tag " + tag;
    case GoalKind::COLL:
        return "coll " + std::string(GetCollectiveWord(operation.collective)) + " " + amount +
               "b " + std::to_string(operation.group) + " " + tag + " " + peer;
    case GoalKind::CALC:
        break;
    }
    return "calc " + amount;
}

std::string
FormatGoal(const GoalSchedule& schedule)
{
    const std::vector<GoalOperation>& operations = schedule.operations;
    std::vector<std::string> ranks(schedule.ranks);
    std::vector<uint32_t> count(schedule.ranks, 0);
    std::vector<std::string> labels(operations.size());
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        const uint32_t rank = operations[i].rank;
        labels[i] = 'l' + std::to_string(++count[rank]);
        ranks[rank] += labels[i] + ": " + DescribeGoalOperation(operations[i]) + "\n";
    }
    for (const GoalDependency& it : schedule.dependencies)
    {
        ranks[operations[it.operation].rank] += labels[it.operation] +
                                                (it.start ? " irequires " : " requires ") +
                                                labels[it.required] + "\n";
    }
    std::string text = "num_ranks " + std::to_string(schedule.ranks) + "\n";
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
    std::ifstream file;
    if (result.error = OpenTextFile(path, file); !result.error.empty())
    {
        result.error.pop_back();
        return result;
    }
    file.seekg(0, std::ios::end);
    std::string text(file.tellg(), 0);
    file.seekg(0);
    text.resize(file.read(text.data(), static_cast<std::streamsize>(text.size())).gcount());
    result = IsBinaryGoal(text) ? ParseBinaryGoal(text) : ParseGoal(text);
    if (!result.error.empty())
    {
        result.error = path + ": " + result.error;
    }
    return result;
}

} // namespace messaging
} // namespace ns3
