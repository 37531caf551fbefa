/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

/**
 * @file
 * Example of a scenario in a library outside the tree; CONTRIBUTING.md lists the steps.
 *
 * Stop and wait: a message is repeated until it and its acknowledgement arrive.
 */

namespace ns3
{

/** Time of messages over a link that loses packets, one message at a time. */
class StopAndWaitScenario : public messaging::Scenario
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

    /** Send the next message; a loss is detected by the timeout. */
    void Send();

    uint32_t m_messages{0};            ///< Messages to deliver.
    double m_loss{0};                  ///< Loss probability of a packet.
    Time m_roundTrip;                  ///< Time from the transmission to the acknowledgement.
    Time m_timeout;                    ///< Time from a transmission to its repetition.
    uint32_t m_delivered{0};           ///< Acknowledged messages.
    double m_transmissions{0};         ///< Packets sent for each message.
    Time m_end;                        ///< Time of the last acknowledgement.
    Ptr<UniformRandomVariable> m_draw; ///< Draws losses.
};

NS_OBJECT_ENSURE_REGISTERED(StopAndWaitScenario);

TypeId
StopAndWaitScenario::GetTypeId()
{
    static TypeId tid =
        messaging::SetSummary(TypeId("ns3::StopAndWaitScenario"),
                              "Time of messages over a lossy link, one message at a time.")
            .SetParent<messaging::Scenario>()
            .AddConstructor<StopAndWaitScenario>()
            .AddAttribute("Messages",
                          "Messages to deliver. [messages; default]",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&StopAndWaitScenario::m_messages),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("Loss",
                          "Loss probability of a packet. [probability; default]",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&StopAndWaitScenario::m_loss),
                          MakeDoubleChecker<double>(0, 0.9))
            .AddAttribute("RoundTrip",
                          "Time from the transmission to the acknowledgement. [s; default]",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&StopAndWaitScenario::m_roundTrip),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            .AddAttribute("Timeout",
                          "Time from a transmission to its repetition. [s; default]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&StopAndWaitScenario::m_timeout),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            // An attribute that can only be read is a result.
            .AddAttribute("TransmissionsPerMessage",
                          "Packets sent for each message. [packets per message; result]",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&StopAndWaitScenario::m_transmissions),
                          MakeDoubleChecker<double>())
            .AddAttribute("End",
                          "Time of the last acknowledgement. [s; result]",
                          TypeId::ATTR_GET,
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&StopAndWaitScenario::m_end),
                          MakeTimeChecker());
    return tid;
}

std::string
StopAndWaitScenario::Check() const
{
    return m_timeout < m_roundTrip ? "Timeout has to be at least RoundTrip." : "";
}

void
StopAndWaitScenario::DoRun()
{
    m_draw = CreateObject<UniformRandomVariable>();
    Simulator::ScheduleNow(&StopAndWaitScenario::Send, this);
    Simulator::Run();
}

void
StopAndWaitScenario::Send()
{
    ReportProgress(m_delivered, m_messages, "messages");
    if (m_delivered == m_messages)
    {
        m_end = Simulator::Now();
        return;
    }
    m_transmissions += 1.0 / m_messages;
    const bool messageLost = m_draw->GetValue() < m_loss;
    const bool lost = messageLost || m_draw->GetValue() < m_loss;
    m_delivered += lost ? 0 : 1;
    Simulator::Schedule(lost ? m_timeout : m_roundTrip, &StopAndWaitScenario::Send, this);
}

} // namespace ns3
