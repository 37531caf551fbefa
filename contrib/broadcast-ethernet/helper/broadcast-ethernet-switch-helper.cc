/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-helper.h"

#include "ns3/abort.h"

#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{
namespace ethernet
{

EthernetSwitchHelper::EthernetSwitchHelper()
    : m_switchFactory("ns3::ethernet::EthernetSwitch")
{
}

void
EthernetSwitchHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switchFactory.Set(name, value);
}

Ptr<EthernetSwitch>
EthernetSwitchHelper::CreateSwitch() const
{
    return m_switchFactory.Create<EthernetSwitch>();
}

NetDeviceContainer
EthernetSwitchHelper::Install(const NodeContainer& nodes) const
{
    return Install(nodes, CreateSwitch());
}

void
EthernetSwitchHelper::Connect(Ptr<EthernetSwitch> a, Ptr<EthernetSwitch> b)
{
    const std::string error = a->Connect(b);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
}

Ptr<EthernetSwitch>
EthernetSwitchHelper::GetSwitch(Ptr<NetDevice> device)
{
    return DynamicCast<EthernetSwitch>(device->GetChannel());
}

void
EthernetSwitchHelper::Join(Ptr<NetDevice> device, Mac48Address group)
{
    const auto lan = GetSwitch(device);
    NS_ABORT_MSG_UNLESS(lan, "The device that is to join group " << group << " is on no switch.");
    lan->JoinLan(group, device);
}

void
EthernetSwitchHelper::SetLinkUp(Ptr<NetDevice> device, bool up)
{
    const auto lan = GetSwitch(device);
    NS_ABORT_MSG_UNLESS(lan, "The device whose cable is to be cut or repaired is on no switch.");
    lan->SetLinkUp(lan->FindPort(device), up);
}

Ptr<messaging::Table>
EthernetSwitchHelper::MakePortTable(Ptr<const EthernetSwitch> lan)
{
    std::map<std::string, std::vector<int64_t>> columns;
    const std::vector<std::pair<std::string, std::string>> names{{"switch", ""},
                                                                 {"port", ""},
                                                                 {"rate", "Mbit/s"},
                                                                 {"framesIn", "frames"},
                                                                 {"bytesIn", "bytes"},
                                                                 {"filtered", "frames"},
                                                                 {"flooded", "frames"},
                                                                 {"offered", "frames"},
                                                                 {"framesOut", "frames"},
                                                                 {"bytesOut", "bytes"},
                                                                 {"pausesSent", "frames"},
                                                                 {"pausesReceived", "frames"},
                                                                 {"peak", "buffer units"}};
    const auto add = [&](const std::string& name, uint64_t value) {
        columns[name].push_back(static_cast<int64_t>(value));
    };
    const auto& switches = lan->GetLan();
    const auto reasons = static_cast<uint8_t>(SwitchDrop::N_REASONS);
    const auto reasonName = [](uint8_t reason) {
        std::ostringstream os;
        os << static_cast<SwitchDrop>(reason);
        return "drop " + os.str();
    };
    for (uint32_t number = 0; number < switches.size(); ++number)
    {
        for (uint32_t port = 0; port < switches[number]->GetNPorts(); ++port)
        {
            const SwitchPortCounters& counters = switches[number]->GetCounters(port);
            add("switch", number);
            add("port", port);
            add("rate", switches[number]->GetDataRate(port).GetBitRate() / 1000000);
            add("framesIn", counters.framesIn);
            add("bytesIn", counters.bytesIn);
            add("filtered", counters.filtered);
            add("flooded", counters.flooded);
            add("offered", counters.offered);
            add("framesOut", counters.framesOut);
            add("bytesOut", counters.bytesOut);
            add("pausesSent", counters.pausesSent);
            add("pausesReceived", counters.pausesReceived);
            add("peak", counters.peak);
            for (uint8_t reason = 0; reason < reasons; ++reason)
            {
                add(reasonName(reason), counters.drops[reason]);
            }
        }
    }
    auto table = CreateObject<messaging::Table>();
    for (const auto& [name, unit] : names)
    {
        table->AddColumn(name, unit, std::move(columns[name]));
    }
    for (uint8_t reason = 0; reason < reasons; ++reason)
    {
        table->AddColumn(reasonName(reason), "frames", std::move(columns[reasonName(reason)]));
    }
    return table;
}

int64_t
EthernetSwitchHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    std::set<EthernetSwitch*> done;
    int64_t next = stream;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        if (const auto lan = GetSwitch(*device))
        {
            for (EthernetSwitch* member : lan->GetLan())
            {
                if (done.insert(member).second)
                {
                    next += member->AssignStreams(next);
                }
            }
        }
    }
    return next - stream;
}

} // namespace ethernet
} // namespace ns3
