/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-types.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of scenarios: parameters, results, tables, verdicts and progress.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** Counts up to a number. */
class CountingTestScenario : public Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::messaging::tests::CountingTestScenario")
                                .SetParent<Scenario>()
                                .SetGroupName("MessagingScenario")
                                .AddConstructor<CountingTestScenario>()
                                .AddAttribute("Last",
                                              "Last number [1; default].",
                                              UintegerValue(10),
                                              MakeUintegerAccessor(&CountingTestScenario::m_last),
                                              MakeUintegerChecker<uint64_t>(1, 1000))
                                .AddAttribute("Limit",
                                              "Number at which it gives up [1; default].",
                                              UintegerValue(100),
                                              MakeUintegerAccessor(&CountingTestScenario::m_limit),
                                              MakeUintegerChecker<uint64_t>())
                                .AddAttribute("Sum",
                                              "Sum of all numbers [1; result].",
                                              TypeId::ATTR_GET,
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&CountingTestScenario::m_sum),
                                              MakeUintegerChecker<uint64_t>())
                                .AddAttribute("Numbers",
                                              "All numbers [table; result].",
                                              TypeId::ATTR_GET,
                                              PointerValue(),
                                              MakePointerAccessor(&CountingTestScenario::m_numbers),
                                              MakePointerChecker<Table>());
        return tid;
    }

    std::string Check() const override
    {
        return m_limit == 0 ? "Limit is 0, and has to be at least 1." : "";
    }

  private:
    void DoRun() override
    {
        std::vector<int64_t> numbers;
        std::vector<std::string> names;
        m_sum = 0;
        for (uint64_t i = 1; i <= m_last; ++i)
        {
            if (i > m_limit)
            {
                SetVerdict(Verdict::UNDECIDED, "The limit was reached.");
                return;
            }
            m_sum += i;
            numbers.push_back(static_cast<int64_t>(i));
            names.push_back(std::to_string(i));
            ReportProgress(static_cast<double>(i), static_cast<double>(m_last), "numbers");
        }
        Simulator::Schedule(Seconds(1), []() {});
        Simulator::Run();
        m_numbers = CreateObject<Table>();
        m_numbers->AddColumn("number", "1", numbers);
        m_numbers->AddColumn("name", "", names);
    }

    uint64_t m_last{0};   ///< Last number.
    uint64_t m_limit{0};  ///< Number at which it fails.
    uint64_t m_sum{0};    ///< Sum of all numbers.
    Ptr<Table> m_numbers; ///< All numbers.
};

NS_OBJECT_ENSURE_REGISTERED(CountingTestScenario);

/** A scenario with a parameter of every type, and no action. */
class TypesTestScenario : public Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::messaging::tests::TypesTestScenario")
                .SetParent<Scenario>()
                .SetGroupName("MessagingScenario")
                .AddConstructor<TypesTestScenario>()
                .AddAttribute("Truth",
                              "A truth value [1; default].",
                              BooleanValue(false),
                              MakeBooleanAccessor(&TypesTestScenario::m_truth),
                              MakeBooleanChecker())
                .AddAttribute("Real",
                              "A number [1; default].",
                              DoubleValue(0),
                              MakeDoubleAccessor(&TypesTestScenario::m_real),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("Whole",
                              "A whole number [1; default].",
                              IntegerValue(0),
                              MakeIntegerAccessor(&TypesTestScenario::m_whole),
                              MakeIntegerChecker<int32_t>(-5, 5))
                .AddAttribute("Delay",
                              "A time [s; default].",
                              TimeValue(Seconds(0)),
                              MakeTimeAccessor(&TypesTestScenario::m_delay),
                              MakeTimeChecker(Seconds(0)))
                .AddAttribute(
                    "Choice",
                    "One of several [1; default].",
                    EnumValue(Verdict::COMPLETED),
                    MakeEnumAccessor<Verdict>(&TypesTestScenario::m_choice),
                    MakeEnumChecker(Verdict::COMPLETED, "completed", Verdict::FAILED, "failed"));
        return tid;
    }

  private:
    void DoRun() override
    {
    }

    bool m_truth{false};                  ///< Boolean.
    double m_real{0};                     ///< Real number.
    int32_t m_whole{0};                   ///< Integer.
    Time m_delay;                         ///< Time.
    Verdict m_choice{Verdict::COMPLETED}; ///< Enumeration.
};

NS_OBJECT_ENSURE_REGISTERED(TypesTestScenario);

namespace
{

/** A run of a scenario, and its results. */
class ScenarioCase : public TestCase
{
  public:
    ScenarioCase()
        : TestCase("parameters in, verdict, results and tables out")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = CreateObject<CountingTestScenario>();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::NOT_RUN, "verdict before the run");
        uint32_t reports = 0;
        scenario->SetProgress([&](double done, double total, const std::string& unit) {
            ++reports;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(done, total, "progress does not exceed its total");
            NS_TEST_EXPECT_MSG_EQ(unit, "numbers", "unit of the progress");
        });
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::COMPLETED, scenario->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(reports,
                              1,
                              "one report at the begin, and none within the interval after it");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now().IsZero(),
                              true,
                              "the simulator is reset after the run");
        UintegerValue sum;
        scenario->GetAttribute("Sum", sum);
        NS_TEST_EXPECT_MSG_EQ(sum.Get(), 55, "value of the result");
        NS_TEST_EXPECT_MSG_EQ(scenario->SetAttributeFailSafe("Sum", UintegerValue(1)),
                              false,
                              "a result cannot be set");
        StringValue verdict;
        scenario->GetAttribute("Verdict", verdict);
        NS_TEST_EXPECT_MSG_EQ(verdict.Get(), "completed", "the verdict is a result, too");
        PointerValue pointer;
        scenario->GetAttribute("Numbers", pointer);
        const auto table = pointer.Get<Table>();
        NS_TEST_ASSERT_MSG_EQ(table->GetColumns().size(), 2, "columns of the table");
        NS_TEST_EXPECT_MSG_EQ(table->GetNRows(), 10, "rows of the table");
        NS_TEST_EXPECT_MSG_EQ(table->GetColumns()[0].name,
                              "number",
                              "columns are in the order in which they were added");
        NS_TEST_EXPECT_MSG_EQ(std::get<std::vector<std::string>>(table->GetColumns()[1].cells)[9],
                              "10",
                              "last cell of the second column");

        scenario->SetAttribute("Last", UintegerValue(200));
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(),
                              Verdict::UNDECIDED,
                              "the verdict that the scenario sets");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetFailure(),
                              "The limit was reached.",
                              "the reason that the scenario sets");
        scenario->SetAttribute("Last", UintegerValue(3));
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(),
                              Verdict::COMPLETED,
                              "a second run has a verdict of its own");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetFailure(),
                              "",
                              "a second run has no failure of the first");
        scenario->SetAttribute("Limit", UintegerValue(0));
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(),
                              Verdict::ERROR,
                              "an invalid combination is not run");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetFailure(),
                              "Limit is 0, and has to be at least 1.",
                              "the reason of the refusal");
    }
};

/** Names of all enumerators of the seam. */
class NamesCase : public TestCase
{
  public:
    NamesCase()
        : TestCase("every verdict, acceptance and completion has a name")
    {
    }

  private:
    void DoRun() override
    {
        std::ostringstream names;
        for (const auto verdict : {Verdict::NOT_RUN,
                                   Verdict::COMPLETED,
                                   Verdict::LIVELOCK,
                                   Verdict::DEADLOCK,
                                   Verdict::UNREACHABLE,
                                   Verdict::VIOLATED,
                                   Verdict::FAILED,
                                   Verdict::UNDECIDED,
                                   Verdict::ERROR})
        {
            names << verdict << " ";
        }
        names << Acceptance::ACCEPTED << " " << Acceptance::STALLED << " " << Acceptance::REFUSED
              << " " << Completion::DELIVERED << " " << Completion::SENT << " "
              << Completion::UNREACHABLE << " " << Completion::FAILED;
        NS_TEST_EXPECT_MSG_EQ(
            names.str(),
            "not-run completed livelock deadlock unreachable violated failed undecided error "
            "accepted stalled refused delivered sent unreachable failed",
            "names of all verdicts, acceptances and completions");
    }
};

/** User input is accepted or refused in one sentence, and never ends the program. */
class ParametersCase : public TestCase
{
  public:
    ParametersCase()
        : TestCase("parameters from texts: taken, or refused in one sentence")
    {
    }

  private:
    /**
     * Set one parameter.
     * @tparam T type of the scenario
     * @param name name of the parameter
     * @param value its value
     * @return the result of SetParameters
     */
    template <class T>
    static std::string Set(const std::string& name, const std::string& value)
    {
        return SetParameters(*CreateObject<T>(), {{name, value}});
    }

    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> taken{{"Truth", "true"},
                                                                     {"Real", "1e-3"},
                                                                     {"Real", ".5"},
                                                                     {"Whole", "-5"},
                                                                     {"Delay", "1.5ms"},
                                                                     {"Delay", "2"},
                                                                     {"Choice", "failed"}};
        for (const auto& [name, value] : taken)
        {
            NS_TEST_EXPECT_MSG_EQ(Set<TypesTestScenario>(name, value), "", name << " " << value);
        }
        const std::vector<std::pair<std::string, std::string>> refused{{"Truth", "yes"},
                                                                       {"Real", ""},
                                                                       {"Real", "abc"},
                                                                       {"Real", "0.5x"},
                                                                       {"Real", "2"},
                                                                       {"Whole", "1.5"},
                                                                       {"Whole", "6"},
                                                                       {"Delay", "1 hour"},
                                                                       {"Delay", "-1s"},
                                                                       {"Choice", "fail"},
                                                                       {"Choice", ""}};
        for (const auto& [name, value] : refused)
        {
            const auto start = name + " is \"" + value + "\"; allowed is ";
            NS_TEST_EXPECT_MSG_EQ(Set<TypesTestScenario>(name, value).find(start),
                                  0,
                                  name << " " << value);
        }
        NS_TEST_EXPECT_MSG_EQ(Set<TypesTestScenario>("Choice", "fail"),
                              "Choice is \"fail\"; allowed is completed|failed.",
                              "a refusal names the allowed choices");
        NS_TEST_EXPECT_MSG_EQ(Set<CountingTestScenario>("Last", "-1"),
                              "Last is \"-1\"; allowed is uint64_t 1:1000.",
                              "a refusal names the allowed range");
        NS_TEST_EXPECT_MSG_EQ(Set<CountingTestScenario>("Sum", "1"),
                              "There is no parameter Sum.",
                              "a result is no parameter");
        NS_TEST_EXPECT_MSG_EQ(Set<CountingTestScenario>("Size", "1"),
                              "There is no parameter Size.",
                              "an unknown parameter is refused");
        NS_TEST_EXPECT_MSG_EQ(Set<CountingTestScenario>("Limit", "0"),
                              "Limit is 0, and has to be at least 1.",
                              "an invalid combination is refused");
    }
};

/** The suite. */
class ScenarioTestSuite : public TestSuite
{
  public:
    ScenarioTestSuite()
        : TestSuite("messaging-scenario", Type::UNIT)
    {
        AddTestCase(new ScenarioCase, TestCase::Duration::QUICK);
        AddTestCase(new NamesCase, TestCase::Duration::QUICK);
        AddTestCase(new ParametersCase, TestCase::Duration::QUICK);
    }
};

ScenarioTestSuite g_scenarioTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
