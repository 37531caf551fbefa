/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-platform.h"

#include "ns3/messaging-attributes.h"

#include <array>
#include <cmath>

namespace ns3
{
namespace parastation
{

NS_OBJECT_ENSURE_REGISTERED(ParastationMachine);

namespace
{

/** Costs of a layer on top of the HAL's. */
struct LayerFacts
{
    double fixed;          ///< For each packet on a Pentium II, both ends together [us].
    uint8_t sendCopies;    ///< Copies at the sender.
    uint8_t receiveCopies; ///< Copies at the receiver.
};

/**
 * Calibrated: latency less that of the HAL, row Pentium II of table 3. The copies follow from the
 * layering (section 4): ports and TCP on the HAL, MPI and PVM on the ports, a buffer for each; and
 * PVM packs what it sends.
 */
constexpr std::array<LayerFacts, 5> LAYERS{
    {{0, 0, 0}, {4.2, 0, 1}, {5.7, 0, 1}, {10.5, 0, 2}, {15.5, 1, 2}}};

/** Host on which the layers' costs are known [MHz]. */
constexpr double REFERENCE_CLOCK = 350;

/** Smallest packet fetched by protocols that use DMA at the sender [bytes; general knowledge]. */
constexpr uint32_t DMA_THRESHOLD = 128;

/** Clock of the LANai 4, that of the PCI bus; an instruction takes a cycle [MHz]. */
constexpr double LANAI_CLOCK = 33.33;

/** Most instructions of a packet. */
constexpr uint32_t MOST_INSTRUCTIONS = 1000000;

/** Descriptor that crosses the bus with a packet, steps 2 and B [bytes; default]. */
constexpr uint16_t DESCRIPTOR = 8;

/** Word that step 7 writes to the host's table [bytes]. */
constexpr uint32_t STATUS_BYTES = 8;

/** @param us a time [us] @return it [ns] */
uint32_t
ToNanoseconds(double us)
{
    return static_cast<uint32_t>(std::lround(us * 1000));
}

/** @param megabytes a rate [MB/s] @return it */
DataRateValue
ToRate(double megabytes)
{
    return DataRateValue(DataRate(static_cast<uint64_t>(std::llround(megabytes * 8e6))));
}

/** @param count a number of instructions of the LANai @return their time [ns] */
uint32_t
GetInstructionTime(uint32_t count)
{
    return static_cast<uint32_t>(std::llround(count * 1000.0 / LANAI_CLOCK));
}

/** @param copies copies from memory @return them [percent of one] */
uint16_t
ToPercent(double copies)
{
    return static_cast<uint16_t>(std::lround(copies * 100));
}

} // namespace

const PlatformFacts&
GetFacts(Platform platform)
{
    // Rates are the middle of the known ranges. The fixed costs are calibrated against the three
    // HAL latencies of table 3, and nothing else; that of the UltraSPARC is about the Alphas'.
    static constexpr std::array<PlatformFacts, 4> FACTS{{{350, 90, 125, 200, 6.435},
                                                         {500, 75, 125, 150, 9.348},
                                                         {600, 75, 125, 150, 9.848},
                                                         {167, 30, 46.8, 150, 10}}};
    return FACTS[static_cast<std::size_t>(platform)];
}

bool
IsReliable(ProtocolKind protocol)
{
    return protocol == ProtocolKind::PARASTATION2 || protocol == ProtocolKind::AM2 ||
           protocol == ProtocolKind::VMMC2;
}

bool
IsOrdered(ProtocolKind protocol)
{
    return protocol != ProtocolKind::AM2;
}

TypeId
ParastationMachine::GetTypeId()
{
    using S = ParastationMachine;
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::parastation::ParastationMachine")
                          .SetParent<Object>()
                          .SetGroupName("Parastation")
                          .AddConstructor<S>();
        messaging::Attributes<S>(type)
            .AddAttribute("Platform",
                          "The host: table 3's three, and an UltraSPARC with SBus as AM-II had "
                          "[-; section 4].",
                          &S::m_platform,
                          Platform::PENTIUM2_350,
                          {{Platform::PENTIUM2_350, "pentium2-350"},
                           {Platform::ALPHA_500, "alpha-500"},
                           {Platform::ALPHA_600, "alpha-600"},
                           {Platform::ULTRASPARC, "ultrasparc"}})
            .AddAttribute("Layer",
                          "The software layer [-; table 3].",
                          &S::m_layer,
                          Layer::HAL,
                          {{Layer::HAL, "hal"},
                           {Layer::PORTS, "ports"},
                           {Layer::TCP, "tcp"},
                           {Layer::MPI, "mpi"},
                           {Layer::PVM, "pvm"}})
            .AddAttribute("LayerScale",
                          "Scaling of a layer's fixed cost, calibrated against the Pentium II's "
                          "latencies, to other hosts: by clock, or none [-; default].",
                          &S::m_scale,
                          LayerScale::CLOCK,
                          {{LayerScale::CLOCK, "clock"}, {LayerScale::NONE, "none"}})
            .AddAttribute("HostJitter",
                          "Deviation of the host's fixed cost, at most, as a share of it; it keeps "
                          "two hosts from running in step [fraction; default].",
                          &S::m_jitter,
                          0.1,
                          0,
                          1)
            .AddAttribute("PioRate",
                          "Programmed output with write combining: 70 to 110 on a Pentium II, 50 "
                          "to 100 on an Alpha; 0 for the platform's 90, 75 [MB/s; general "
                          "knowledge].",
                          &S::m_pio,
                          0,
                          0,
                          1e6)
            .AddAttribute("DmaRate",
                          "DMA of the network interface: 120 to 130 on PCI, 46.8 on SBus; 0 for "
                          "the platform's [MB/s; general knowledge].",
                          &S::m_dma,
                          0,
                          0,
                          1e6)
            .AddAttribute("CopyRate",
                          "Copy in memory: 150 to 250 on a Pentium II, 100 to 200 on an Alpha; 0 "
                          "for the platform's 200, 150 [MB/s; general knowledge].",
                          &S::m_copy,
                          0,
                          0,
                          1e6)
            .AddAttribute("CachedCopy",
                          "Cost of a copy whose source lies in the cache, as a share of one from "
                          "memory: those of a layer, but not the first at the receiver, which "
                          "reads what DMA wrote. A third to all of it [fraction; general "
                          "knowledge].",
                          &S::m_cachedCopy,
                          0.5,
                          0,
                          1)
            .AddAttribute("PacketInstructions",
                          "Firmware's cost of a data packet on each side; 100 to 150 for lean "
                          "firmware [instructions; general knowledge].",
                          &S::m_packet,
                          100,
                          0,
                          MOST_INSTRUCTIONS)
            .AddAttribute("ControlInstructions",
                          "Firmware's cost of a control packet on each side, to build it or to "
                          "handle it; about 1 us [instructions; default].",
                          &S::m_control,
                          33,
                          0,
                          MOST_INSTRUCTIONS)
            .AddAttribute("BusBurst",
                          "Part of a transfer after which another one gets its turn on the bus "
                          "[bytes; default].",
                          &S::m_burst,
                          256,
                          0,
                          1 << 20)
            .AddAttribute("DmaThreshold",
                          "Smallest packet that the network interface fetches by DMA instead of "
                          "step 2's programmed output; 0 for never with parastation2, "
                          "backblocking and credit, and 128 with the others [bytes; general "
                          "knowledge].",
                          &S::m_dmaThreshold,
                          0)
            .AddAttribute("ReceiveCopies",
                          "Copies at the receiver, step D included; -1 for those of protocol and "
                          "layer: one with parastation2, backblocking and am2, none with the "
                          "others, and those of the layer [copies; section 4].",
                          &S::m_receiveCopies,
                          -1,
                          -1,
                          16);
        return type;
    }();
    return tid;
}

ParastationMachine::ParastationMachine() = default;

ParastationMachine::~ParastationMachine() = default;

Costs
ParastationMachine::GetCosts(ProtocolKind protocol) const
{
    Costs costs;
    const LayerFacts& layer = LAYERS[static_cast<std::size_t>(m_layer)];
    const double scale = m_scale == LayerScale::CLOCK ? REFERENCE_CLOCK / GetPlatform().clock : 1.0;
    const double fixed = GetPlatform().hostFixed;
    costs.hostSend = ToNanoseconds((fixed + layer.fixed * scale) / 2);
    costs.hostReceive = costs.hostSend;
    costs.jitter = ToNanoseconds(fixed / 2 * m_jitter);
    costs.firmwareSend = GetInstructionTime(m_packet);
    costs.firmwareReceive = costs.firmwareSend;
    costs.buildControl = GetInstructionTime(m_control);
    costs.handleControl = costs.buildControl;
    costs.status = STATUS_BYTES;
    costs.descriptor = DESCRIPTOR;
    const bool copies = protocol == ProtocolKind::PARASTATION2 ||
                        protocol == ProtocolKind::BACKBLOCKING || protocol == ProtocolKind::AM2;
    costs.sendCopies = ToPercent(layer.sendCopies * m_cachedCopy);
    const int32_t received =
        m_receiveCopies < 0 ? (copies ? 1 : 0) + layer.receiveCopies : m_receiveCopies;
    costs.receiveCopies = received == 0 ? 0 : ToPercent(1 + (received - 1) * m_cachedCopy);
    const bool fetches = protocol == ProtocolKind::AM2 || protocol == ProtocolKind::VMMC2 ||
                         protocol == ProtocolKind::NONE;
    if (m_dmaThreshold > 0 || fetches)
    {
        costs.dmaThreshold = m_dmaThreshold > 0 ? m_dmaThreshold : DMA_THRESHOLD;
    }
    costs.bus = true;
    return costs;
}

Ptr<messaging::HostModel>
ParastationMachine::MakeHost() const
{
    auto host = CreateObject<messaging::HostModel>();
    host->SetAttribute("PioRate", ToRate(m_pio > 0 ? m_pio : GetPlatform().pio));
    host->SetAttribute("CopyRate", ToRate(m_copy > 0 ? m_copy : GetPlatform().copy));
    host->GetBus()->SetBurst(m_burst);
    return host;
}

Ptr<messaging::HostModel>
ParastationMachine::MakeInterface(Ptr<messaging::HostModel> host) const
{
    auto interface = CreateObject<messaging::HostModel>();
    interface->SetAttribute("DmaRate", ToRate(m_dma > 0 ? m_dma : GetPlatform().dma));
    interface->ShareBus(*host);
    return interface;
}

} // namespace parastation
} // namespace ns3
