/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-conformance-listener.h"
#include "messaging-net-device-conformance.h"

#include "ns3/error-model.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/pcap-file.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"
#include "ns3/system-path.h"

#include <filesystem>
#include <tuple>

/**
 * @file
 * @ingroup messaging
 * The checks of NetDeviceConformance on link, queue, traces, errors, random streams, packet capture
 * and disposal.
 */

namespace ns3
{
namespace messaging
{

using namespace conformance;

namespace
{

/**
 * Get the transmit queue of a device.
 * @param device the device
 * @return the queue, null if there is none
 */
Ptr<Queue<Packet>>
GetTxQueue(Ptr<NetDevice> device)
{
    PointerValue value;
    return device->GetAttributeFailSafe("TxQueue", value) ? value.Get<Queue<Packet>>() : nullptr;
}

} // namespace

std::vector<std::string>
NetDeviceConformance::GetTraceSources()
{
    return {"MacTx",
            "MacTxDrop",
            "MacPromiscRx",
            "MacRx",
            "PhyTxBegin",
            "PhyTxEnd",
            "PhyTxDrop",
            "PhyRxEnd",
            "PhyRxDrop",
            "Sniffer",
            "PromiscSniffer"};
}

std::string
NetDeviceConformance::CheckLinkChange() const
{
    const Network network = m_builder();
    Listener listener(network);
    const Ptr<NetDevice> device = network.devices.Get(0);
    const Address peer = network.devices.Get(1)->GetAddress();
    if (!device->IsLinkUp())
    {
        return "The link of a device that has just been installed is down.";
    }
    std::vector<bool> changes;
    device->AddLinkChangeCallback(
        Callback<void>([&changes, device] { changes.push_back(device->IsLinkUp()); }));
    std::string finding;
    if (m_linkHook)
    {
        Simulator::ScheduleWithContext(device->GetNode()->GetId(), START, [&] {
            m_linkHook(device, false);
            if (device->IsLinkUp() || changes != std::vector<bool>{false})
            {
                finding =
                    "When the link went down, IsLinkUp or the link change callback did not tell.";
            }
            else if (listener.Send(device, peer))
            {
                finding = "A frame was taken although the link is down.";
            }
            m_linkHook(device, true);
            if (finding.empty() &&
                (!device->IsLinkUp() || changes != std::vector<bool>{false, true}))
            {
                finding =
                    "When the link came up, IsLinkUp or the link change callback did not tell.";
            }
        });
    }
    listener.SendAt(START + MilliSeconds(1), 0, peer);
    Listener::Run();
    if (!finding.empty())
    {
        return finding;
    }
    if (!m_linkHook && !changes.empty())
    {
        return "The link change callback was called although the link did not change.";
    }
    return listener.GetReceived().size() == 1
               ? ""
               : "With the link up, one frame sent is not one frame received.";
}

std::string
NetDeviceConformance::CheckQueue() const
{
    const Network network = m_builder();
    Listener listener(network);
    const Ptr<Queue<Packet>> queue = GetTxQueue(network.devices.Get(0));
    if (!queue)
    {
        return "There is no attribute TxQueue that holds a Queue<Packet>.";
    }
    queue->SetMaxSize(QueueSize("4p"));
    const uint32_t* drops = listener.Count(0, "MacTxDrop");
    const uint32_t count = 50;
    listener.SendAt(START, 0, network.devices.Get(1)->GetAddress(), count);
    Listener::Run();
    if (listener.GetNAccepted() < 4 || listener.GetNAccepted() == count)
    {
        return Say("Of ",
                   count,
                   " frames sent at once through a queue of 4, ",
                   listener.GetNAccepted(),
                   " were taken.");
    }
    if (listener.GetReceived().size() != listener.GetNAccepted())
    {
        return Say("Of ",
                   listener.GetNAccepted(),
                   " frames taken, ",
                   listener.GetReceived().size(),
                   " arrived.");
    }
    if (!drops || *drops != count - listener.GetNAccepted())
    {
        return Say(count - listener.GetNAccepted(),
                   " frames were refused, but MacTxDrop fired ",
                   drops ? *drops : 0,
                   " times.");
    }
    return "";
}

std::string
NetDeviceConformance::CheckQueueInterface() const
{
    const Network network = m_builder();
    Listener listener(network);
    const Ptr<NetDevice> device = network.devices.Get(0);
    const Ptr<NetDeviceQueueInterface> interface = device->GetObject<NetDeviceQueueInterface>();
    const Ptr<Queue<Packet>> queue = GetTxQueue(device);
    if (!interface || !queue)
    {
        return "No NetDeviceQueueInterface is aggregated, or there is no attribute TxQueue.";
    }
    const Ptr<NetDeviceQueue> transmit = interface->GetTxQueue(0);
    queue->SetMaxSize(QueueSize("4p"));
    uint32_t wakes = 0;
    uint32_t taken = 0;
    bool refused = false;
    const auto fill = [&] {
        while (!transmit->IsStopped() && !refused && taken < 100)
        {
            refused = !listener.Send(device, network.devices.Get(1)->GetAddress());
            taken += !refused;
        }
    };
    // As a queue disc does, who is woken sends at once.
    transmit->SetWakeCallback(Callback<void>([&] {
        ++wakes;
        fill();
    }));
    bool stopped = false;
    Simulator::ScheduleWithContext(device->GetNode()->GetId(), START, [&] {
        fill();
        stopped = taken < 100;
    });
    Listener::Run();
    if (refused)
    {
        return Say("Frame ",
                   taken,
                   " was refused although the transmit queue had not been stopped.");
    }
    if (!stopped)
    {
        return "The transmit queue of 4 was not stopped by 100 frames sent at once.";
    }
    if (wakes == 0 || transmit->IsStopped())
    {
        return "The transmit queue was stopped, but not woken when its frames had left.";
    }
    return listener.GetReceived().size() == taken
               ? ""
               : Say("Of ",
                     taken,
                     " frames sent when the transmit queue was not stopped, ",
                     listener.GetReceived().size(),
                     " arrived.");
}

std::string
NetDeviceConformance::CheckTraceSources() const
{
    const Network network = m_builder();
    const TypeId type = network.devices.Get(0)->GetInstanceTypeId();
    std::string missing;
    for (const auto& name : GetTraceSources())
    {
        if (!type.LookupTraceSourceByName(name))
        {
            missing += (missing.empty() ? "" : ", ") + name;
        }
    }
    return missing.empty() ? "" : type.GetName() + " lacks the trace sources " + missing + ".";
}

std::string
NetDeviceConformance::CheckTraces() const
{
    const Network network = m_builder();
    Listener listener(network);
    const std::vector<std::tuple<uint32_t, std::string, uint32_t>> expected{
        {0, "MacTx", 1},
        {0, "MacTxDrop", 0},
        {0, "PhyTxBegin", 1},
        {0, "PhyTxEnd", 1},
        {0, "PhyTxDrop", 0},
        {0, "Sniffer", 1},
        {0, "PromiscSniffer", 1},
        {1, "PhyRxEnd", 1},
        {1, "PhyRxDrop", 0},
        {1, "MacRx", 1},
        {1, "MacPromiscRx", 1},
        {1, "Sniffer", 1},
        {1, "PromiscSniffer", 1}};
    std::vector<const uint32_t*> counters;
    counters.reserve(expected.size());
    for (const auto& [device, source, count] : expected)
    {
        counters.push_back(listener.Count(device, source));
    }
    listener.ListenPromiscuously();
    listener.SendAt(START, 0, network.devices.Get(1)->GetAddress());
    Listener::Run();
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const auto& [device, source, count] = expected[i];
        if (!counters[i] || *counters[i] != count)
        {
            return Say("For one frame from device 0 to device 1, ",
                       source,
                       " of device ",
                       device,
                       " fired ",
                       counters[i] ? *counters[i] : 0,
                       " times instead of ",
                       count,
                       ".");
        }
    }
    return "";
}

std::string
NetDeviceConformance::CheckErrorModel() const
{
    const Network network = m_builder();
    Listener listener(network);
    auto model = CreateObject<ReceiveListErrorModel>();
    model->SetList({1});
    if (!network.devices.Get(1)->SetAttributeFailSafe("ReceiveErrorModel", PointerValue(model)))
    {
        return "There is no attribute ReceiveErrorModel that takes an ErrorModel.";
    }
    const uint32_t* drops = listener.Count(1, "PhyRxDrop");
    listener.SendAt(START, 0, network.devices.Get(1)->GetAddress(), 3);
    Listener::Run();
    const auto& received = listener.GetReceived();
    if (received.size() != 2 || received[0].bytes != Contents(FRAME_SIZE, 0) ||
        received[1].bytes != Contents(FRAME_SIZE, 2))
    {
        return Say("Of three frames, of which the error model corrupts the second, ",
                   received.size(),
                   " arrived.");
    }
    return drops && *drops == 1
               ? ""
               : "PhyRxDrop did not fire once for the frame that the error model corrupts.";
}

std::string
NetDeviceConformance::CheckRepeatable() const
{
    using Trace = std::vector<std::tuple<uint32_t, Time, std::vector<uint8_t>>>;
    const auto record = [this] {
        const Network network = m_builder();
        if (m_streamsHook)
        {
            m_streamsHook(network, 1000);
        }
        Listener listener(network);
        for (uint32_t i = 0; i < network.devices.GetN(); ++i)
        {
            listener.SendAt(START,
                            i,
                            network.devices.Get((i + 1) % network.devices.GetN())->GetAddress(),
                            4);
        }
        Listener::Run();
        Trace trace;
        for (const auto& reception : listener.GetReceived())
        {
            trace.emplace_back(reception.listener, reception.when, reception.bytes);
        }
        return trace;
    };
    const Trace first = record();
    Simulator::Destroy();
    return first == record()
               ? ""
               : "The same frames on the same random streams arrived otherwise in a second run.";
}

std::string
NetDeviceConformance::CheckAssignStreams() const
{
    if (!m_streamsHook)
    {
        return "There is no AssignStreams, or no hook that calls it.";
    }
    const Network network = m_builder();
    const int64_t used = m_streamsHook(network, 1000);
    if (used < 0 || used != m_streamsHook(network, 2000))
    {
        return Say("AssignStreams says that it used ",
                   used,
                   " streams, and another number when called again.");
    }
    return "";
}

std::string
NetDeviceConformance::CheckPcap() const
{
    if (!m_pcapHook)
    {
        return "There is no EnablePcap, or no hook that calls it.";
    }
    const std::string directory = SystemPath::MakeTemporaryDirectoryName();
    SystemPath::MakeDirectories(directory);
    const uint32_t count = 3;
    {
        const Network network = m_builder();
        Listener listener(network);
        m_pcapHook(SystemPath::Append(directory, "frames"), network);
        listener.SendAt(START, 0, network.devices.Get(1)->GetAddress(), count);
        Listener::Run();
    }
    Simulator::Destroy();
    uint32_t records = 0;
    for (const auto& name : SystemPath::ReadFiles(directory))
    {
        PcapFile file;
        file.Open(SystemPath::Append(directory, name), std::ios::in);
        std::vector<uint8_t> bytes(1 << 16);
        uint32_t fields[5]{};
        file.Read(bytes.data(),
                  bytes.size(),
                  fields[0],
                  fields[1],
                  fields[2],
                  fields[3],
                  fields[4]);
        while (!file.Fail() && !file.Eof())
        {
            ++records;
            file.Read(bytes.data(),
                      bytes.size(),
                      fields[0],
                      fields[1],
                      fields[2],
                      fields[3],
                      fields[4]);
        }
    }
    std::filesystem::remove_all(directory);
    if (records < 2 * count)
    {
        return Say("The packet capture of ",
                   count,
                   " frames holds ",
                   records,
                   " records, fewer than one at the sender and one at the receiver for each.");
    }
    return "";
}

std::string
NetDeviceConformance::CheckDispose() const
{
    std::vector<Ptr<NetDevice>> devices;
    {
        const Network network = m_builder();
        Listener listener(network);
        listener.SendAt(START, 0, network.devices.Get(1)->GetAddress(), 20);
        listener.SendAt(START, 1, network.devices.Get(0)->GetAddress(), 20);
        Simulator::Stop(START + NanoSeconds(1));
        Simulator::Run();
        devices.assign(network.devices.Begin(), network.devices.End());
        Simulator::Destroy();
    }
    for (std::size_t i = 0; i < devices.size(); ++i)
    {
        if (devices[i]->GetReferenceCount() != 1)
        {
            return Say("After Simulator::Destroy, something still holds a reference to device ",
                       i,
                       ".");
        }
    }
    return "";
}

} // namespace messaging
} // namespace ns3
