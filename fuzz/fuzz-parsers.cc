/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-targets.h"

#include "ns3/header.h"
#include "ns3/idempotent-trace-file.h"
#include "ns3/infiniband-topology.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-live-datagram.h"
#include "ns3/messaging-traffic-goal.h"
#include "ns3/myrinet-mapper.h"
#include "ns3/myrinet-topology.h"
#include "ns3/packet.h"
#include "ns3/wormhole-graph.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <vector>

/**
 * @file
 * Fuzzing of the readers of external data.
 */

namespace fuzz
{

using namespace ns3;

void
Require(bool isSo, const std::string& sentence)
{
    if (!isSo)
    {
        std::cerr << sentence << std::endl;
        std::abort();
    }
}

namespace
{

/** @param in the input @return its bytes as a text */
std::string
ReadText(const Input& in)
{
    const auto rest = in.Rest();
    return {rest.begin(), rest.end()};
}

/** Dependencies must be between operations. @param in a GOAL schedule, text or binary */
void
ReadGoal(Input in)
{
    const std::string bytes = ReadText(in);
    const auto read = messaging::IsBinaryGoal(bytes) ? messaging::ParseBinaryGoal(bytes)
                                                     : messaging::ParseGoal(bytes);
    for (const auto& dependency : read.schedule.dependencies)
    {
        const auto& operations = read.schedule.operations;
        Require(dependency.operation < operations.size() && dependency.required < operations.size(),
                "A dependency refers to a nonexistent operation.");
    }
    Require(read.error.empty() || read.schedule.operations.empty(),
            "A faulty schedule has operations.");
}

/** @param in a trace */
void
ReadTrace(Input in)
{
    std::istringstream text(ReadText(in));
    const auto read = idempotent::ReadTrace(text, "input");
    if (read.error.empty())
    {
        std::stringstream written;
        idempotent::WriteTrace(written, read.trace);
        const std::string once = written.str();
        const auto again = idempotent::ReadTrace(written, "output");
        Require(again.error.empty(), again.error);
        std::ostringstream twice;
        idempotent::WriteTrace(twice, again.trace);
        Require(once == twice.str(), "A trace changes when it is written and read.");
    }
}

/** @param in a Myrinet graph, for which routes are then computed */
void
ReadMyrinet(Input in)
{
    std::istringstream text(ReadText(in));
    std::string error;
    const auto topology = myrinet::Topology::Read(text, "input", {}, error);
    if (!error.empty())
    {
        return;
    }
    for (const auto kind : {myrinet::RouteKind::UPDOWN, myrinet::RouteKind::SHORTEST})
    {
        const myrinet::Routes routes(topology, kind);
        for (messaging::Peer from = 0; from < topology.GetNHosts(); ++from)
        {
            for (messaging::Peer to = 0; to < topology.GetNHosts(); ++to)
            {
                uint32_t at = from;
                for (const auto channel : routes.Get(from, to))
                {
                    Require(topology.GetChannels().at(channel).from == at, "A route has a gap.");
                    at = topology.GetChannels()[channel].to;
                }
                Require(at == to, "A route leads elsewhere.");
            }
        }
    }
}

/** @param in a graph of wormhole routers */
void
ReadWormhole(Input in)
{
    for (const bool upDown : {false, true})
    {
        std::istringstream text(ReadText(in));
        std::string error;
        const auto graph = wormhole::Graph::Read(text, "input", upDown, error);
        Require((graph == nullptr) == !error.empty(), "There is neither a graph nor an error.");
    }
}

/** @param in an InfiniBand subnet in the format of ibnetdiscover */
void
ReadInfiniband(Input in)
{
    std::istringstream text(ReadText(in));
    std::string error;
    const auto topology = infiniband::Topology::Read(text, "input", infiniband::LinkRate{}, error);
    Require(error.empty() || topology.GetNHosts() == 0, "A faulty topology has hosts.");
}

/** @param in a datagram, also tried with the right checksum */
void
ReadDatagram(Input in)
{
    constexpr std::size_t CHECKSUM = 24;
    std::vector<uint8_t> bytes(in.Rest().begin(), in.Rest().end());
    messaging::LiveDatagram datagram;
    (void)messaging::ReadLiveDatagram(bytes, datagram);
    if (bytes.size() < messaging::LiveDatagram::HEAD)
    {
        return;
    }
    std::fill_n(bytes.begin() + CHECKSUM, 4, 0);
    const uint32_t sum = messaging::GetCrc32(bytes);
    for (std::size_t i = 0; i < 4; ++i)
    {
        bytes[CHECKSUM + i] = static_cast<uint8_t>(sum >> (24 - 8 * i));
    }
    if (!messaging::ReadLiveDatagram(bytes, datagram))
    {
        messaging::LiveDatagram again;
        Require(!messaging::ReadLiveDatagram(messaging::WriteLiveDatagram(datagram), again) &&
                    again == datagram,
                "A datagram changes when it is written and read.");
    }
}

/** @param in a packet of a frame */
void
ReadPacket(Input in)
{
    const auto packet = Create<Packet>(in.Rest().data(), static_cast<uint32_t>(in.Rest().size()));
    if (const auto read = messaging::ReadPacket(packet))
    {
        const auto again = messaging::ReadPacket(messaging::MakePacket(read->frame));
        Require(again && again->intact && again->frame == read->frame,
                "A frame changes when it is written and read.");
    }
    messaging::PeekFields(packet);
}

/**
 * Read a header of any class.
 * @param type its class
 * @param in its bytes
 */
void
ReadHeader(TypeId type, Input in)
{
    const std::unique_ptr<ObjectBase> made(type.GetConstructor()());
    auto& header = dynamic_cast<Header&>(*made);
    const auto packet = Create<Packet>(in.Rest().data(), static_cast<uint32_t>(in.Rest().size()));
    const uint32_t taken = packet->RemoveHeader(header);
    Require(taken <= in.Rest().size(), "A header has taken more bytes than available.");
    std::ostringstream text;
    header.Print(text);
    packet->AddHeader(header);
}

} // namespace

std::map<std::string, Target>
GetParsers()
{
    std::map<std::string, Target> targets{{"goal", ReadGoal},
                                          {"trace", ReadTrace},
                                          {"myrinet", ReadMyrinet},
                                          {"wormhole", ReadWormhole},
                                          {"infiniband", ReadInfiniband},
                                          {"datagram", ReadDatagram},
                                          {"packet", ReadPacket}};
    // Headers of ns-3 itself are in the namespace ns3; those of the modules are in nested
    // namespaces.
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const std::string name = type.GetName();
        const auto colons = name.rfind("::");
        if (type.IsChildOf(Header::GetTypeId()) && type.HasConstructor() && colons > 3 &&
            colons != std::string::npos)
        {
            targets["header-" + name.substr(colons + 2)] = [type](Input in) {
                ReadHeader(type, in);
            };
        }
    }
    return targets;
}

} // namespace fuzz
