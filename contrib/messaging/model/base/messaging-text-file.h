/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TEXT_FILE_H
#define MESSAGING_TEXT_FILE_H

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <istream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Readers of text files: lines, words and numbers, and graphs of named vertices.
 */

namespace ns3
{
namespace messaging
{

/** Longest line of a text file [bytes]. */
inline constexpr std::size_t LONGEST_LINE = std::size_t{1} << 20;

/**
 * Open a text file of finite size: a regular file, not one that the kernel generates on reading.
 * @param path path of the file
 * @param in the stream to open
 * @return an empty string, or one sentence with the error
 */
std::string OpenTextFile(const std::string& path, std::ifstream& in);

/**
 * Read a text line by line until an error, such as a line longer than LONGEST_LINE.
 * @param in the text
 * @param name name of the file, for the error
 * @param read given a line and its number from 1, returns the error or an empty string
 * @return an empty string, or one sentence with file, line and error
 */
std::string ReadLines(std::istream& in,
                      const std::string& name,
                      const std::function<std::string(const std::string&, uint32_t)>& read);

/**
 * Split a line into words.
 * @param line the line; `#` begins a comment
 * @return its words
 */
std::vector<std::string> SplitWords(const std::string& line);

/**
 * Read a word that is a number.
 * @param word the word
 * @param least smallest allowed value
 * @param most largest allowed value
 * @param value set to the number, if the word is one within the bounds
 * @return true if the word is a number within the bounds
 */
template <class T>
bool
ReadNumber(std::string_view word,
           std::type_identity_t<T> least,
           std::type_identity_t<T> most,
           T& value)
{
    T number{};
    const char* const end = word.data() + word.size();
    const auto [at, problem] = std::from_chars(word.data(), end, number);
    if (problem != std::errc() || at != end || !(number >= least && number <= most))
    {
        return false;
    }
    value = number;
    return true;
}

/**
 * Read a list of numbers.
 * @param text the numbers, separated by blanks or commas
 * @param least smallest allowed value
 * @param most largest allowed value
 * @return the numbers; none if a word is not a number within the bounds
 */
template <class T>
std::vector<T>
ReadNumbers(std::string text, T least, T most)
{
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream words(std::move(text));
    std::vector<T> numbers;
    for (std::string word; words >> word;)
    {
        if (!ReadNumber(word, least, most, numbers.emplace_back()))
        {
            return {};
        }
    }
    return numbers;
}

/**
 * @ingroup messaging
 * A graph that a text file describes, with vertices and links of several kinds.
 *
 * A line contains a kind and then the name of a new vertex, or of two earlier vertices to link. A
 * number may follow if the kind has one:
 * @verbatim
   host a            # to the line's end: a comment
   switch s 8
   link a s 2.5
   @endverbatim
 */
class GraphText
{
  public:
    /** A kind of line. */
    struct Kind
    {
        std::string word;     ///< First word of the line.
        bool link{false};     ///< The line adds a link, otherwise a vertex.
        std::string number{}; ///< Meaning of the number, as "a number of ports"; empty for none.
        double initial{0};    ///< Default of the number.
        double least{0};      ///< Smallest number.
        double most{0};       ///< Largest number.
        std::string unit{};   ///< Unit of a number that may be a fraction; empty for whole numbers.
    };

    /** A vertex. */
    struct Vertex
    {
        std::string name; ///< Its name.
        uint32_t kind;    ///< Index of its kind.
        double number;    ///< Its number.
    };

    /** A link. */
    struct Link
    {
        uint32_t from; ///< First end, as an index of the vertices.
        uint32_t to;   ///< Second end.
        uint32_t kind; ///< Index of its kind.
        double number; ///< Its number.
    };

    /** Checks the vertex or link that a line has added; returns the error or an empty string. */
    using Check = std::function<std::string(const GraphText& graph)>;

    /**
     * Read a text.
     * @param in the text
     * @param name name of the file, for the error
     * @param kinds the kinds of lines
     * @param vertices words for the vertices, as "host or switch"
     * @param checkVertex checks the last vertex; empty for no check
     * @param checkLink checks the last link; empty for no check
     * @return an empty string, or one sentence with file, line and error
     */
    std::string Read(std::istream& in,
                     const std::string& name,
                     const std::vector<Kind>& kinds,
                     const std::string& vertices,
                     const Check& checkVertex = {},
                     const Check& checkLink = {});

    std::vector<Vertex> vertices; ///< Vertices by kind, then in the order of the lines.
    std::vector<Link> links;      ///< Links in the order of the lines.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TEXT_FILE_H
