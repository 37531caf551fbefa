/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/messaging-text-file.h"
#include "ns3/test.h"

#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

/**
 * @file
 * @ingroup messaging
 * Tests of the readers of text files.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Words and numbers. */
class WordsCase : public TestCase
{
  public:
    WordsCase()
        : TestCase("words end at blanks and comments, numbers are whole words within bounds")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(ListText(SplitWords("  a\tb1\r# c")),
                              "a, b1",
                              "words before a comment");
        NS_TEST_EXPECT_MSG_EQ(SplitWords("# all").size(), 0, "words of a line that is a comment");
        NS_TEST_EXPECT_MSG_EQ(ListText(ReadNumbers<uint32_t>(" 1,2 , 30", 1, 30)),
                              "1, 2, 30",
                              "numbers of a list");
        for (const auto* bad : {"", "1 2x", "1;2", "0 1", "31", "-1", "1 #"})
        {
            NS_TEST_EXPECT_MSG_EQ(ReadNumbers<uint32_t>(bad, 1, 30).size(),
                                  0,
                                  "numbers of the malformed list " << bad);
        }
        uint32_t number = 7;
        for (const char* word : {"", "x", "1x", " 1", "-1", "0", "11", "4294967297"})
        {
            NS_TEST_EXPECT_MSG_EQ(ReadNumber(word, 1, 10, number),
                                  false,
                                  "\"" << word << "\" is no number within the bounds");
        }
        NS_TEST_EXPECT_MSG_EQ(number, 7, "a refused word leaves the number unchanged");
        NS_TEST_EXPECT_MSG_EQ(ReadNumber("10", 1, 10, number), true, "a bound is accepted");
        NS_TEST_EXPECT_MSG_EQ(number, 10, "value of the bound");
        double length = 0;
        NS_TEST_EXPECT_MSG_EQ(ReadNumber("2.5", 0, 9, length), true, "a fraction is accepted");
        NS_TEST_EXPECT_MSG_EQ(length, 2.5, "value of the fraction");
        NS_TEST_EXPECT_MSG_EQ(ReadNumber("nan", 0, 9, length), false, "\"nan\" is no number");
    }
};

/** Endless lines and files. */
class BoundedFileCase : public TestCase
{
  public:
    BoundedFileCase()
        : TestCase("a line has a bound, and a file that is no regular file is refused")
    {
    }

  private:
    /** @return the lines of a text, joined by bars. @param text the text */
    static std::string Join(const std::string& text)
    {
        std::istringstream in(text);
        std::string joined;
        const auto keep = [&joined](const std::string& line, uint32_t) {
            joined += line + "|";
            return std::string();
        };
        const std::string error = ReadLines(in, "f", keep);
        return error.empty() ? joined : error;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Join(""), "", "lines of an empty text");
        NS_TEST_EXPECT_MSG_EQ(Join("a\n\nb"), "a||b|", "lines of a text without a last newline");
        NS_TEST_EXPECT_MSG_EQ(Join("a\nb\n"), "a|b|", "lines of a text with a last newline");
        const std::string longest(LONGEST_LINE, 'x');
        NS_TEST_EXPECT_MSG_EQ(Join(longest + "\ny"),
                              longest + "|y|",
                              "lines of the largest length");
        NS_TEST_EXPECT_MSG_EQ(Join("a\nx" + longest),
                              "f, line 2: the line is longer than 1048576 bytes.",
                              "a line that is too long");

        const std::string pipe = CreateTempDirFilename("pipe");
        NS_TEST_ASSERT_MSG_EQ(mkfifo(pipe.c_str(), 0600),
                              0,
                              "a pipe is made that nobody writes to");
        std::ifstream in;
        NS_TEST_EXPECT_MSG_EQ(OpenTextFile(pipe, in),
                              pipe + " is no regular file.",
                              "a pipe is refused");
        NS_TEST_EXPECT_MSG_EQ(OpenTextFile("/dev/zero", in),
                              "/dev/zero is no regular file.",
                              "a device is refused");
        NS_TEST_EXPECT_MSG_EQ(OpenTextFile("/proc/self/status", in),
                              "/proc/self/status is empty.",
                              "a file of the kernel, which may wait for ever");
        NS_TEST_EXPECT_MSG_EQ(OpenTextFile("/nowhere", in),
                              "/nowhere cannot be read.",
                              "a file that does not exist");
        const std::string folder = CreateTempDirFilename("");
        NS_TEST_EXPECT_MSG_EQ(OpenTextFile(folder, in),
                              folder + " cannot be read.",
                              "a folder is refused");
        const std::string path = CreateTempDirFilename("text");
        std::ofstream(path) << "a\n";
        NS_TEST_EXPECT_MSG_EQ((OpenTextFile(path, in).empty() && in.is_open()), true, "a text");
        unlink(pipe.c_str());
    }
};

/** Graphs and their errors. */
class GraphCase : public TestCase
{
  public:
    GraphCase()
        : TestCase("a graph is read, and an error names file and line")
    {
    }

  private:
    /** Read a text. @param text the text @return the error */
    std::string Read(const std::string& text)
    {
        const std::vector<GraphText::Kind> kinds{
            {.word = "host"},
            {.word = "switch",
             .number = "a number of ports",
             .initial = 8,
             .least = 1,
             .most = 128},
            {.word = "link",
             .link = true,
             .number = "a length",
             .initial = 3,
             .least = 0,
             .most = 10000,
             .unit = "metres"},
        };
        m_graph = {};
        std::istringstream in(text);
        return m_graph.Read(
            in,
            "net",
            kinds,
            "host or switch",
            [](const GraphText& graph) {
                return graph.vertices.size() > 3 ? "there are more than 3 vertices" : "";
            },
            [](const GraphText& graph) {
                return graph.links.back().to == 0 ? "no link may lead to the first" : "";
            });
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Read("# two hosts\nhost a\nhost b\n\nswitch s 4 # small\n"
                                   "link a s 2.5\nlink b s"),
                              "",
                              "a valid network");
        NS_TEST_ASSERT_MSG_EQ(m_graph.vertices.size(), 3, "vertices");
        NS_TEST_EXPECT_MSG_EQ(m_graph.vertices[2].name, "s", "name of the third vertex");
        NS_TEST_EXPECT_MSG_EQ(m_graph.vertices[2].kind, 1, "kind of the third vertex");
        NS_TEST_EXPECT_MSG_EQ(m_graph.vertices[2].number, 4, "number of the third vertex");
        NS_TEST_ASSERT_MSG_EQ(m_graph.links.size(), 2, "links");
        NS_TEST_EXPECT_MSG_EQ(m_graph.links[0].number, 2.5, "number of the first link");
        NS_TEST_EXPECT_MSG_EQ(m_graph.links[1].number,
                              3,
                              "number of a link without one is the default");
        NS_TEST_EXPECT_MSG_EQ(m_graph.links[1].from, 1, "first end of the second link");
        NS_TEST_EXPECT_MSG_EQ(m_graph.links[1].to, 2, "second end of the second link");

        const std::string ab = "host a\nhost b\n";
        const std::vector<std::pair<std::string, std::string>> wrong{
            {"hub a", "1: \"hub\" is not one of host, switch and link"},
            {"host a b", "1: host takes one name"},
            {"switch", "1: switch takes a name and perhaps a number of ports"},
            {"switch s 4 5", "1: switch takes a name and perhaps a number of ports"},
            {"switch s 2.5", "1: \"2.5\" is not a number of ports from 1 to 128"},
            {"switch s 0", "1: \"0\" is not a number of ports from 1 to 128"},
            {"host a\nhost a", "2: the name a is taken already"},
            {ab + "link a", "3: link takes two names and perhaps a length in metres"},
            {ab + "link a b -1", "3: \"-1\" is not a length from 0 to 10000 metres"},
            {ab + "link a c", "3: there is no host or switch c above this line"},
            {ab + "link b b", "3: link leads from b to itself"},
            {ab + "link b a", "3: no link may lead to the first"},
            {ab + "host c\nhost d", "4: there are more than 3 vertices"},
        };
        for (const auto& [text, sentence] : wrong)
        {
            NS_TEST_EXPECT_MSG_EQ(Read(text), "net, line " + sentence + ".", "error in: " << text);
        }
    }

    GraphText m_graph; ///< Result of the last read.
};

/** The suite. */
class TextFileTestSuite : public TestSuite
{
  public:
    TextFileTestSuite()
        : TestSuite("messaging-text-file", Type::UNIT)
    {
        AddTestCase(new WordsCase, TestCase::Duration::QUICK);
        AddTestCase(new BoundedFileCase, TestCase::Duration::QUICK);
        AddTestCase(new GraphCase, TestCase::Duration::QUICK);
    }
};

TextFileTestSuite g_textFileTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
