/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-text-file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

namespace ns3
{
namespace messaging
{

namespace
{

/**
 * List the words of several kinds.
 * @param kinds the kinds
 * @return the words, as "host, switch and link"
 */
std::string
ListWords(const std::vector<GraphText::Kind>& kinds)
{
    std::string list;
    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        if (i > 0)
        {
            list += i + 1 < kinds.size() ? ", " : " and ";
        }
        list += kinds[i].word;
    }
    return list;
}

/**
 * Describe the words of a line behind the first.
 * @param kind kind of the line
 * @return the words, as "a name and perhaps a rate in Gb/s"
 */
std::string
DescribeWords(const GraphText::Kind& kind)
{
    std::string words = "one name";
    if (kind.link)
    {
        words = "two names";
    }
    else if (!kind.number.empty())
    {
        words = "a name";
    }
    if (!kind.number.empty())
    {
        words += " and perhaps " + kind.number;
    }
    if (!kind.unit.empty())
    {
        words += " in " + kind.unit;
    }
    return words;
}

/**
 * Read the number at the end of a line.
 * @param kind kind of the line
 * @param word the number as text
 * @param number set to the number
 * @return the error, or an empty string
 */
std::string
ReadKindNumber(const GraphText::Kind& kind, const std::string& word, double& number)
{
    const bool good = ReadNumber(word, kind.least, kind.most, number);
    if (good && (!kind.unit.empty() || number == std::floor(number)))
    {
        return "";
    }
    const auto print = [](double bound) { return std::to_string(std::llround(bound)); };
    return '"' + word + "\" is not " + kind.number + " from " + print(kind.least) + " to " +
           print(kind.most) + (kind.unit.empty() ? "" : " ") + kind.unit;
}

} // namespace

std::string
OpenTextFile(const std::string& path, std::ifstream& in)
{
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    const bool present = std::filesystem::exists(status) && !std::filesystem::is_directory(status);
    if (present && !std::filesystem::is_regular_file(status))
    {
        return path + " is no regular file.";
    }
    if (present && std::filesystem::file_size(path, problem) == 0)
    {
        return path + " is empty.";
    }
    if (present)
    {
        in.open(path, std::ios::binary);
    }
    return in.is_open() ? "" : path + " cannot be read.";
}

std::string
ReadLines(std::istream& in,
          const std::string& name,
          const std::function<std::string(const std::string&, uint32_t)>& read)
{
    std::vector<char> line(LONGEST_LINE + 1);
    for (uint32_t number = 1; in.getline(line.data(), line.size()) || in.gcount() > 0; ++number)
    {
        // The end of the line is counted, too, unless the file ends first.
        const std::streamsize length = in.eof() ? in.gcount() : in.gcount() - 1;
        const std::string problem =
            in.fail() ? "the line is longer than " + std::to_string(LONGEST_LINE) + " bytes"
                      : read(std::string(line.data(), length), number);
        if (!problem.empty())
        {
            return name + ", line " + std::to_string(number) + ": " + problem + ".";
        }
    }
    return "";
}

std::vector<std::string>
SplitWords(const std::string& line)
{
    std::istringstream in(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; in >> word;)
    {
        words.push_back(word);
    }
    return words;
}

std::string
GraphText::Read(std::istream& in,
                const std::string& name,
                const std::vector<Kind>& kinds,
                const std::string& vertexName,
                const Check& checkVertex,
                const Check& checkLink)
{
    std::map<std::string, uint32_t> numbers;
    const auto readVertex =
        [&](const std::vector<std::string>& words, uint32_t kind, double value) {
            if (!numbers.emplace(words[1], vertices.size()).second)
            {
                return "the name " + words[1] + " is taken already";
            }
            vertices.push_back(Vertex{words[1], kind, value});
            return checkVertex ? checkVertex(*this) : "";
        };
    const auto readLink = [&](const std::vector<std::string>& words, uint32_t kind, double value) {
        std::array<uint32_t, 2> ends{};
        for (unsigned n = 0; n < 2; ++n)
        {
            const auto found = numbers.find(words[1 + n]);
            if (found == numbers.end())
            {
                return "there is no " + vertexName + " " + words[1 + n] + " above this line";
            }
            ends[n] = found->second;
        }
        if (ends[0] == ends[1])
        {
            return words[0] + " leads from " + words[1] + " to itself";
        }
        links.push_back(Link{ends[0], ends[1], kind, value});
        return checkLink ? checkLink(*this) : "";
    };
    const auto readLine = [&](const std::string& line, uint32_t) -> std::string {
        const auto words = SplitWords(line);
        if (words.empty())
        {
            return "";
        }
        const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
            return kind.word == words[0];
        });
        if (found == kinds.end())
        {
            return "\"" + words[0] + "\" is not one of " + ListWords(kinds);
        }
        const Kind& kind = *found;
        const std::size_t names = kind.link ? 2 : 1;
        const std::size_t most = names + (kind.number.empty() ? 0 : 1);
        if (words.size() < 1 + names || words.size() > 1 + most)
        {
            return kind.word + " takes " + DescribeWords(kind);
        }
        double number = kind.initial;
        if (words.size() == 2 + names)
        {
            if (const auto problem = ReadKindNumber(kind, words.back(), number); !problem.empty())
            {
                return problem;
            }
        }
        const auto index = static_cast<uint32_t>(found - kinds.begin());
        return kind.link ? readLink(words, index, number) : readVertex(words, index, number);
    };
    std::string error = ReadLines(in, name, readLine);
    std::vector<Vertex> sorted;
    std::vector<uint32_t> places(vertices.size());
    for (uint32_t kind = 0; kind < kinds.size(); ++kind)
    {
        for (std::size_t n = 0; n < vertices.size(); ++n)
        {
            if (vertices[n].kind == kind)
            {
                places[n] = static_cast<uint32_t>(sorted.size());
                sorted.push_back(vertices[n]);
            }
        }
    }
    vertices = std::move(sorted);
    for (Link& link : links)
    {
        link.from = places[link.from];
        link.to = places[link.to];
    }
    return error;
}

} // namespace messaging
} // namespace ns3
