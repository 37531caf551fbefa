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

/** Microseconds of a second. */
constexpr double US_PER_S = 1e6;

/** Nanoseconds of a microsecond. */
constexpr double NS_PER_US = 1e3;

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

/** Indices of ROWS. */
enum RowIndex : std::size_t
{
    ROW_LAYERS_SEND,
    ROW_LOOKUP,
    ROW_FETCH,
    ROW_STORE,
    ROW_SEND,
    ROW_NETWORK,
    ROW_RECEIVE,
    ROW_ACKNOWLEDGE,
    ROW_HANDLE,
    ROW_STATUS,
    ROW_TRANSFER,
    ROW_POLL,
    ROW_COPY,
    ROW_LAYERS_RECEIVE
};

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
    if (part >= static_cast<std::size_t>(LayerCore::Step::READ_HEADER))
    {
        part = LAYERS_RECEIVE;
    }
    else if (part >= N_PARTS)
    {
        part = LAYERS_SEND;
    }
    ++m_works[part];
    m_service[part] += end - begin;
}

double
PipelineRecorder::GetService(std::size_t index) const
{
    if (m_works[index] == 0)
    {
        return 0;
    }
    return m_service[index].GetSeconds() * US_PER_S / static_cast<double>(m_works[index]);
}

double
PipelineRecorder::GetMeanTime(std::size_t step) const
{
    return static_cast<double>(m_sums[step]) / NS_PER_US / static_cast<double>(m_counts[step]);
}

std::vector<double>
PipelineRecorder::MakeWay() const
{
    std::vector<double> way(ROWS.size());
    const uint64_t messages = m_counts[DELIVERY];
    const std::array path{Event::LOOKUP,
                          Event::STORE,
                          Event::SEND,
                          Event::RECEIVE,
                          Event::TRANSFER,
                          Event::POLL,
                          Event::COPY};
    const bool isWhole = std::ranges::all_of(path, [&](Event event) {
        return m_counts[static_cast<std::size_t>(event)] == messages;
    });
    if (messages == 0 || !isWhole)
    {
        return way;
    }
    const auto begin = [this](Event event) { return GetMeanTime(static_cast<std::size_t>(event)); };
    const auto service = [this](Part part) { return GetService(static_cast<std::size_t>(part)); };
    const auto layers = [this, messages](int index) {
        return m_service[index].GetSeconds() * US_PER_S / static_cast<double>(messages);
    };
    way[ROW_LAYERS_SEND] = layers(LAYERS_SEND);
    way[ROW_LOOKUP] = begin(Event::STORE) - begin(Event::LOOKUP);
    way[ROW_FETCH] = service(Part::FETCH);
    way[ROW_STORE] = begin(Event::SEND) - begin(Event::STORE) - way[ROW_FETCH];
    way[ROW_SEND] = service(Part::SEND);
    way[ROW_NETWORK] = begin(Event::RECEIVE) - begin(Event::SEND) - way[ROW_SEND];
    way[ROW_RECEIVE] = service(Part::RECEIVE);
    way[ROW_ACKNOWLEDGE] = begin(Event::TRANSFER) - begin(Event::RECEIVE) - way[ROW_RECEIVE];
    way[ROW_TRANSFER] = begin(Event::POLL) - begin(Event::TRANSFER);
    way[ROW_POLL] = begin(Event::COPY) - begin(Event::POLL);
    way[ROW_LAYERS_RECEIVE] = layers(LAYERS_RECEIVE);
    way[ROW_COPY] = GetMeanTime(DELIVERY) - begin(Event::COPY) - way[ROW_LAYERS_RECEIVE];
    return way;
}

Ptr<messaging::Table>
PipelineRecorder::MakeTable(Time elapsed, bool onWay) const
{
    const auto count = [this](const Row& row) -> uint64_t {
        if (row.part < 0)
        {
            return 0;
        }
        return m_works[row.part];
    };
    const auto service = [this](const Row& row) -> double {
        if (row.part < 0)
        {
            return 0;
        }
        return GetService(row.part);
    };
    const auto share = [&](const Row& row) -> double {
        if (row.part < 0 || elapsed.IsZero() || m_hosts == 0)
        {
            return 0;
        }
        return m_service[row.part].GetSeconds() / elapsed.GetSeconds() / m_hosts;
    };
    const auto table = messaging::RowTable(ROWS)
                           .Add("Step", "", &Row::step)
                           .Add("What", "", &Row::what)
                           .Add("Resource", "", &Row::where)
                           .Add("Count", "", count)
                           .Add("Service", "us", service)
                           .Add("Share", "fraction", share)
                           .Get();
    std::vector<double> way(ROWS.size());
    if (onWay)
    {
        way = MakeWay();
    }
    table->AddColumn("Way", "us", way);
    return table;
}

} // namespace parastation
} // namespace ns3
