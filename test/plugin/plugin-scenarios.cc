/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <chrono>
#include <csignal>
#include <limits>
#include <thread>

/**
 * @file
 * Scenarios outside all modules, compiled as by a user of relnet; the tests of the Python layer run
 * them.
 */

namespace ns3
{
namespace plugin
{

using messaging::CreateByName;
using messaging::Scenario;
using messaging::SetSummary;
using messaging::Table;
using messaging::Verdict;

/** Behaviour of the test scenario. */
enum class Behaviour : uint8_t
{
    FINE,     ///< Ends and gives results.
    LIVELOCK, ///< Ends with the verdict livelock, which is a result.
    FAILING,  ///< Ends with the verdict error.
    FATAL,    ///< Calls NS_FATAL_ERROR.
    SEGFAULT, ///< Accesses invalid memory.
    THROWING  ///< Throws a C++ exception.
};

/** One parameter of every type, results of every type, and two tables. */
class SampleScenario : public Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check() const override;

  private:
    void DoRun() override;

    uint32_t m_nodes{0};                    ///< Number of nodes.
    int32_t m_offset{0};                    ///< Added to the sum.
    double m_loss{0};                       ///< Probability that a packet is lost.
    bool m_audit{false};                    ///< The audit is enabled.
    Behaviour m_behaviour{Behaviour::FINE}; ///< End of the run.
    std::string m_label;                    ///< Any text.
    Time m_delay;                           ///< Duration of the simulated run.
    DataRate m_rate;                        ///< Rate of a link.
    uint32_t m_wall{0};                     ///< Duration of the run [ms of wall clock].
    uint32_t m_rows{0};                     ///< Rows of the tables.
    uint64_t m_sum{0};                      ///< Sum over the nodes.
    double m_mean{0};                       ///< Mean of the draws.
    Time m_end;                             ///< Simulated end.
    std::string m_echo;                     ///< The label.
    Ptr<Table> m_draws;                     ///< All draws.
    Ptr<Table> m_names;                     ///< Name of each row.
};

NS_OBJECT_ENSURE_REGISTERED(SampleScenario);

TypeId
SampleScenario::GetTypeId()
{
    static TypeId tid =
        SetSummary(TypeId("ns3::plugin::SampleScenario"),
                   "Every kind of parameter, result and end.")
            .SetParent<Scenario>()
            .SetGroupName("Plugin")
            .AddConstructor<SampleScenario>()
            .AddAttribute("Nodes",
                          "Number of nodes. [nodes; section 4.1]",
                          UintegerValue(16),
                          MakeUintegerAccessor(&SampleScenario::m_nodes),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("Offset",
                          "Added to the sum. [1; default]",
                          IntegerValue(-3),
                          MakeIntegerAccessor(&SampleScenario::m_offset),
                          MakeIntegerChecker<int32_t>(-100, 100))
            .AddAttribute("Loss",
                          "Probability that a packet is lost. [1; default]",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&SampleScenario::m_loss),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Audit",
                          "Whether the delivery audit is on. [; default]",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SampleScenario::m_audit),
                          MakeBooleanChecker())
            .AddAttribute("Behaviour",
                          "How the run ends. [; default]",
                          EnumValue(Behaviour::FINE),
                          MakeEnumAccessor<Behaviour>(&SampleScenario::m_behaviour),
                          MakeEnumChecker(Behaviour::FINE,
                                          "fine",
                                          Behaviour::LIVELOCK,
                                          "livelock",
                                          Behaviour::FAILING,
                                          "failing",
                                          Behaviour::FATAL,
                                          "fatal",
                                          Behaviour::SEGFAULT,
                                          "segfault",
                                          Behaviour::THROWING,
                                          "throwing"))
            .AddAttribute("Label",
                          "Any text. [; default]",
                          StringValue("plain"),
                          MakeStringAccessor(&SampleScenario::m_label),
                          MakeStringChecker())
            .AddAttribute("Delay",
                          "How long the simulated run lasts. [s; default]",
                          TimeValue(MicroSeconds(3)),
                          MakeTimeAccessor(&SampleScenario::m_delay),
                          MakeTimeChecker(Time(0), Seconds(100)))
            .AddAttribute("Rate",
                          "Rate of a link. [bit/s; default]",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&SampleScenario::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Wall",
                          "How long the run takes by the clock on the wall. [ms; default]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SampleScenario::m_wall),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Rows",
                          "Rows of the tables. [rows; default]",
                          UintegerValue(4),
                          MakeUintegerAccessor(&SampleScenario::m_rows),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Sum",
                          "Sum over the nodes and the offset. [nodes; result]",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&SampleScenario::m_sum),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Mean",
                          "Mean of the draws. [1; result]",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&SampleScenario::m_mean),
                          MakeDoubleChecker<double>())
            .AddAttribute("End",
                          "Simulated end of the run. [s; result]",
                          TypeId::ATTR_GET,
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SampleScenario::m_end),
                          MakeTimeChecker())
            .AddAttribute("Echo",
                          "The label again. [; result]",
                          TypeId::ATTR_GET,
                          StringValue(""),
                          MakeStringAccessor(&SampleScenario::m_echo),
                          MakeStringChecker())
            .AddAttribute("Draws",
                          "All draws. [; result]",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SampleScenario::m_draws),
                          MakePointerChecker<Table>())
            .AddAttribute("Names",
                          "Name of each row. [; result]",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SampleScenario::m_names),
                          MakePointerChecker<Table>());
    return tid;
}

std::string
SampleScenario::Check() const
{
    return m_nodes % 2 == 1 && m_label == "even" ? "Nodes has to be even where Label is even." : "";
}

void
SampleScenario::DoRun()
{
    auto draw = CreateObject<UniformRandomVariable>();
    std::vector<int64_t> index;
    std::vector<double> value;
    std::vector<std::string> name;
    double total = 0;
    for (uint32_t row = 0; row < m_rows; ++row)
    {
        index.push_back(row);
        value.push_back(draw->GetValue());
        name.push_back("row \"" + std::to_string(row) + "\"");
        total += value.back();
    }

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto length = std::chrono::milliseconds(m_wall);
    while (Clock::now() - start < length)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::chrono::duration<double, std::milli> done = Clock::now() - start;
        ReportProgress(done.count(), m_wall, "ms");
    }
    switch (m_behaviour)
    {
    case Behaviour::FINE:
        break;
    case Behaviour::LIVELOCK:
        SetVerdict(Verdict::LIVELOCK, "The limit of 100 cycles was reached.");
        break;
    case Behaviour::FAILING:
        SetVerdict(Verdict::ERROR, "The plan cannot be carried out.");
        return;
    case Behaviour::FATAL:
        NS_FATAL_ERROR("a fatal error in the middle of the run");
        break;
    case Behaviour::SEGFAULT:
        std::raise(SIGSEGV);
        break;
    case Behaviour::THROWING:
        throw std::runtime_error("an exception in the middle of the run");
    }
    m_sum = m_nodes;
    for (uint32_t node = 0; node < m_nodes; ++node)
    {
        m_sum += node;
    }
    m_sum += m_offset;

    m_mean = m_rows > 0 ? total / m_rows : std::numeric_limits<double>::quiet_NaN();
    m_draws = CreateObject<Table>();
    m_draws->AddColumn("Index", "", std::move(index));
    m_draws->AddColumn("Value", "s", std::move(value));
    m_names = CreateObject<Table>();
    m_names->AddColumn("Name", "", std::move(name));
    m_echo = m_label;
    Simulator::Stop(m_delay);
    Simulator::Run();
    m_end = Simulator::Now();
}

/** A kind of part with two classes. */
class Engine : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::plugin::Engine").SetParent<Object>().SetGroupName("Plugin");
        return tid;
    }

    /** @return the power [kW]. */
    virtual double GetPower() const = 0;
};

/** An engine with a number of cylinders. */
class PetrolEngine : public Engine
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = SetSummary(TypeId("ns3::plugin::PetrolEngine"), "Burns petrol.")
                                .SetParent<Engine>()
                                .SetGroupName("Plugin")
                                .AddConstructor<PetrolEngine>()
                                .AddAttribute("Cylinders",
                                              "Number of cylinders. [cylinders; default]",
                                              UintegerValue(4),
                                              MakeUintegerAccessor(&PetrolEngine::m_cylinders),
                                              MakeUintegerChecker<uint32_t>(1, 16));
        return tid;
    }

    double GetPower() const override
    {
        return 20.0 * m_cylinders;
    }

  private:
    uint32_t m_cylinders{0}; ///< Number of cylinders.
};

/** An engine with a battery. */
class ElectricEngine : public Engine
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = SetSummary(TypeId("ns3::plugin::ElectricEngine"), "Has a battery.")
                                .SetParent<Engine>()
                                .SetGroupName("Plugin")
                                .AddConstructor<ElectricEngine>()
                                .AddAttribute("Voltage",
                                              "Voltage of the battery. [V; default]",
                                              DoubleValue(400),
                                              MakeDoubleAccessor(&ElectricEngine::m_voltage),
                                              MakeDoubleChecker<double>(0, 1000));
        return tid;
    }

    double GetPower() const override
    {
        return m_voltage / 4;
    }

  private:
    double m_voltage{0}; ///< Voltage of the battery [V].
};

/** A kind of part with one class. */
class Wheel : public Object
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::plugin::Wheel").SetParent<Object>().SetGroupName("Plugin");
        return tid;
    }
};

/** A wheel. */
class SmallWheel : public Wheel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = SetSummary(TypeId("ns3::plugin::SmallWheel"), "Fits small cars.")
                                .SetParent<Wheel>()
                                .SetGroupName("Plugin")
                                .AddConstructor<SmallWheel>();
        return tid;
    }
};

/** Another wheel. */
class LargeWheel : public Wheel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = SetSummary(TypeId("ns3::plugin::LargeWheel"), "Fits large cars.")
                                .SetParent<Wheel>()
                                .SetGroupName("Plugin")
                                .AddConstructor<LargeWheel>();
        return tid;
    }
};

/** A scenario whose parts are chosen by name. */
class AssemblyScenario : public Scenario
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = SetSummary(TypeId("ns3::plugin::AssemblyScenario"),
                                       "A car whose parts are chosen by name.")
                                .SetParent<Scenario>()
                                .SetGroupName("Plugin")
                                .AddConstructor<AssemblyScenario>()
                                .AddAttribute("Engine",
                                              "Engine of the car. [name; default]",
                                              StringValue("petrol"),
                                              MakeStringAccessor(&AssemblyScenario::m_engineName),
                                              MakeStringChecker())
                                .AddAttribute("Wheel",
                                              "Wheel of the car. [name; default]",
                                              StringValue("small"),
                                              MakeStringAccessor(&AssemblyScenario::m_wheelName),
                                              MakeStringChecker())
                                .AddAttribute("Mass",
                                              "Mass of the car. [t; default]",
                                              DoubleValue(1),
                                              MakeDoubleAccessor(&AssemblyScenario::m_mass),
                                              MakeDoubleChecker<double>(0.5, 10))
                                .AddAttribute("Acceleration",
                                              "Power over mass. [W/kg; result]",
                                              TypeId::ATTR_GET,
                                              DoubleValue(0),
                                              MakeDoubleAccessor(&AssemblyScenario::m_acceleration),
                                              MakeDoubleChecker<double>());
        return tid;
    }

    std::vector<Part> GetParts() const override
    {
        return {{"engine", "Engine", Engine::GetTypeId()}, {"wheel", "Wheel", Wheel::GetTypeId()}};
    }

    std::string Check() const override
    {
        if (m_mass > 8)
        {
            return "No engine moves more than 8 t.";
        }
        return m_engineName == "electric" && m_wheelName == "small"
                   ? "An electric engine needs a large wheel."
                   : "";
    }

  private:
    void DoRun() override
    {
        const double power = GetPart<Engine>("engine")->GetPower();
        m_acceleration = power / m_mass;
        auto table = CreateObject<Table>();
        table->AddColumn("Power", "kW", std::vector<double>{power});
        m_tables = {{"Engine", table}};
    }

    std::string m_engineName; ///< Name of the engine.
    std::string m_wheelName;  ///< Name of the wheel.
    double m_mass{0};         ///< Mass [t].
    double m_acceleration{0}; ///< Power over mass [W/kg].
};

NS_OBJECT_ENSURE_REGISTERED(PetrolEngine);
NS_OBJECT_ENSURE_REGISTERED(ElectricEngine);
NS_OBJECT_ENSURE_REGISTERED(LargeWheel);
NS_OBJECT_ENSURE_REGISTERED(SmallWheel);
NS_OBJECT_ENSURE_REGISTERED(AssemblyScenario);

} // namespace plugin
} // namespace ns3
