/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-pipeline.h"

#include "parastation-layer.h"

#include "ns3/callback.h"
#include "ns3/messaging-row-table.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace parastation
{

namespace
{

/** Row of the table: a part of a step, or the network between two. */
struct Row
{
    const char* step;  ///< Figure 2's name of the step.
    const char* what;  ///< Description.
    const char* where; ///< Its resource.
    int part;          ///< The part, or -1 for the network.
};

/** Work of the layers at the sender, and at the receiver. */
constexpr int LAYERS_SEND = N_PARTS;
constexpr int LAYERS_RECEIVE = N_PARTS + 1; ///< @copydoc LAYERS_SEND

/** All rows, in the order of a message and of its acknowledgement. */
constexpr std::array<Row, 14> ROWS{
    {{"L", "layers above, sending", "host CPU", LAYERS_SEND},
     {"1", "look up a free send slot", "host CPU", static_cast<int>(Part::LOOKUP)},
     {"2", "translate and start DMA", "firmware", static_cast<int>(Part::FETCH)},
     {"2", "store the packet", "PCI bus", static_cast<int>(Part::STORE)},
     {"3", "send", "firmware", static_cast<int>(Part::SEND)},
     {"-", "network, and waiting for it", "link", -1},
     {"4, A", "receive, find a host buffer", "firmware", static_cast<int>(Part::RECEIVE)},
     {"5", "acknowledge", "firmware", static_cast<int>(Part::ACKNOWLEDGE)},
     {"6", "handle the ACK", "firmware", static_cast<int>(Part::HANDLE)},
     {"7", "update the host's table", "PCI bus", static_cast<int>(Part::STATUS)},
     {"B", "transfer to host memory", "PCI bus", static_cast<int>(Part::TRANSFER)},
     {"C", "find the packet by polling", "host CPU", static_cast<int>(Part::POLL)},
     {"D", "copy to the application", "host CPU", static_cast<int>(Part::COPY)},
     {"L", "layers above, receiving", "host CPU", LAYERS_RECEIVE}}};

/** Index of deliveries in the counts and sums of steps. */
constexpr std::size_t DELIVERY = N_STEPS;

} // namespace

void
PipelineRecorder::Connect(Ptr<ParastationGroup> group,
                          const std::vector<Ptr<messaging::HostModel>>& hosts,
                          const std::vector<Ptr<messaging::HostModel>>& interfaces)
{
    m_hosts = static_cast<uint32_t>(hosts.size());
    group->TraceConnectWithoutContext("Event", MakeCallback(&PipelineRecorder::OnEvent, this));
    for (const auto* machines : {&hosts, &interfaces})
    {
        for (const auto& machine : *machines)
        {
            machine->TraceConnectWithoutContext("Work",
                                                MakeCallback(&PipelineRecorder::OnWork, this));
        }
    }
}

void
PipelineRecorder::EndMessage()
{
    ++m_counts[DELIVERY];
    m_sums[DELIVERY] += Simulator::Now().GetNanoSeconds();
}

void
PipelineRecorder::OnEvent(messaging::Peer, Event event)
{
    m_last = Simulator::Now();
    const auto index = static_cast<std::size_t>(event);
    if (index < N_STEPS)
    {
        ++m_counts[index];
        m_sums[index] += m_last.GetNanoSeconds();
    }
}

void
PipelineRecorder::OnWork(messaging::ProcessId, const messaging::Work& work, Time begin, Time end)
{
    auto part = static_cast<std::size_t>(work.id >> 32);
    if (part > static_cast<std::size_t>(LayerCore::Step::UNPACK))
    {
        return;
    }
    if (part >= N_PARTS)
    {
        const bool sends = part < static_cast<std::size_t>(LayerCore::Step::RECEIVE_FRAME);
        part = static_cast<std::size_t>(sends ? LAYERS_SEND : LAYERS_RECEIVE);
    }
    ++m_works[part];
    m_service[part] += end - begin;
}

double
PipelineRecorder::GetService(std::size_t index) const
{
    return m_works[index] == 0
               ? 0
               : m_service[index].GetSeconds() * 1e6 / static_cast<double>(m_works[index]);
}

Ptr<messaging::Table>
PipelineRecorder::MakeTable(Time elapsed, bool onWay) const
{
    std::array<double, ROWS.size()> way{};
    const auto at = [this](std::size_t index) {
        return static_cast<double>(m_sums[index]) / 1e3 / static_cast<double>(m_counts[index]);
    };
    const std::array<Event, 7> path{Event::LOOKUP,
                                    Event::STORE,
                                    Event::SEND,
                                    Event::RECEIVE,
                                    Event::TRANSFER,
                                    Event::POLL,
                                    Event::COPY};
    const uint64_t messages = m_counts[DELIVERY];
    onWay = onWay && messages > 0 && std::all_of(path.begin(), path.end(), [&](Event event) {
                return m_counts[static_cast<std::size_t>(event)] == messages;
            });
    if (onWay)
    {
        std::array<double, 8> moments{};
        for (std::size_t i = 0; i < path.size(); ++i)
        {
            moments[i] = at(static_cast<std::size_t>(path[i]));
        }
        moments[7] = at(DELIVERY);
        const auto layers = [this, messages](int index) {
            return m_service[index].GetSeconds() * 1e6 / static_cast<double>(messages);
        };
        const auto service = [this](Part part) {
            return GetService(static_cast<std::size_t>(part));
        };
        way[0] = layers(LAYERS_SEND);
        way[1] = moments[1] - moments[0];
        way[2] = service(Part::FETCH);
        way[3] = moments[2] - moments[1] - way[2];
        way[4] = service(Part::SEND);
        way[5] = moments[3] - moments[2] - way[4];
        way[6] = service(Part::RECEIVE);
        way[7] = moments[4] - moments[3] - way[6];
        way[10] = moments[5] - moments[4];
        way[11] = moments[6] - moments[5];
        way[13] = layers(LAYERS_RECEIVE);
        way[12] = moments[7] - moments[6] - way[13];
    }
    const auto count = [this](const Row& row) { return row.part < 0 ? 0 : m_works[row.part]; };
    const auto service = [this](const Row& row) { return row.part < 0 ? 0 : GetService(row.part); };
    const auto share = [&](const Row& row) {
        return row.part < 0 || elapsed.IsZero() || m_hosts == 0
                   ? 0
                   : m_service[row.part].GetSeconds() / elapsed.GetSeconds() / m_hosts;
    };
    const auto table = messaging::RowTable(ROWS)
                           .Add("Step", "", &Row::step)
                           .Add("What", "", &Row::what)
                           .Add("Resource", "", &Row::where)
                           .Add("Count", "", count)
                           .Add("Service", "us", service)
                           .Add("Share", "fraction", share)
                           .Get();
    table->AddColumn("Way", "us", std::vector<double>(way.begin(), way.end()));
    return table;
}

} // namespace parastation
} // namespace ns3
