/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-platform.h"

#include "ns3/messaging-attributes.h"
#include "ns3/myrinet-types.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3
{
namespace parastation
{

NS_OBJECT_ENSURE_REGISTERED(ParastationMachine);

namespace
{

/**
 * Processor time of each layer on a Pentium II, both ends together [us]: of a frame of ports and
 * TCP, which lock the HAL for each, and of a message of MPI and PVM, without PVM's second read of
 * the port. Calibrated, each on its own latency in table 3.
 */
constexpr std::array<double, 5> LAYER_TIMES{0, 3.71, 5.07, 5.24, 7.84};

/** Header of a fragment of PVM [bytes; PVM's TDFRAGHDR, include/pvmproto.h]. */
constexpr uint16_t PVM_FRAGMENT_HEADER = 16;

/** Header of a message of PVM, in its first fragment [bytes; PVM's MSGHDRLEN, src/global.h]. */
constexpr uint16_t PVM_MESSAGE_HEADER = 32;

/** Space for headers in every fragment of PVM [bytes; PVM's MAXHDR, include/pvmproto.h]. */
constexpr uint32_t PVM_HEADERS = PVM_FRAGMENT_HEADER + PVM_MESSAGE_HEADER;

/** Fragment of PVM with this space [bytes; PVM's UDPMAXLEN, src/global.h]. */
constexpr uint32_t PVM_FRAGMENT = 4080;

/** Smallest and largest fragment [bytes; PVM's pvm_setopt, src/lpvmgen.c]. */
constexpr uint32_t LEAST_PVM_FRAGMENT = PVM_HEADERS + 4;
constexpr uint32_t MOST_PVM_FRAGMENT = 1048576; ///< @copydoc LEAST_PVM_FRAGMENT

/** Header of a frame of each layer [bytes]: ports by default, TCP's [RFC 793], MPICH's packet
 * without data, PVM's fragment. */
constexpr std::array<uint16_t, 5> LAYER_HEADERS{0, 16, 20, 32, PVM_FRAGMENT_HEADER};

/** Largest message of MPI that its envelope carries [bytes; MPICH's MPID_PKT_MAX_DATA_SIZE]. */
constexpr uint32_t SHORT_BYTES = 1024;

/** DMA rate over PCI with one transfer for each page; VMMC's 108.4 MB/s were 98 % of it
 * [MB/s; Dubnicki et al. 1997]. */
constexpr double PAGE_DMA = 110.6;

/** Smallest packet that protocols with DMA at the sender fetch [bytes; general knowledge]. */
constexpr uint32_t DMA_THRESHOLD = 128;

/** Largest number of instructions of a packet. */
constexpr uint32_t MOST_INSTRUCTIONS = 1000000;

/** Descriptor of a packet on the bus in steps 2 and B [bytes; default]. */
constexpr uint16_t DESCRIPTOR = 8;

/** Word that step 7 writes to the host's table [bytes]. */
constexpr uint32_t STATUS_BYTES = 8;

/** @param us a time [us] @return the time [ns] */
uint32_t
ToNanoseconds(double us)
{
    return static_cast<uint32_t>(std::lround(us * 1000));
}

/** @param megabytes a rate [MB/s] @return the rate as an attribute value */
DataRateValue
ToRate(double megabytes)
{
    return DataRateValue(DataRate(static_cast<uint64_t>(std::llround(megabytes * 8e6))));
}

/** @param given a parameter, or 0 @param usual its value if it is 0 @return the value */
double
Choose(double given, double usual)
{
    if (given > 0)
    {
        return given;
    }
    return usual;
}

/** @param copies number of copies from memory @return the number [percent of one] */
uint16_t
ToPercent(double copies)
{
    return static_cast<uint16_t>(std::lround(copies * PERCENT));
}

/** Properties of a host: the middle of each known range. */
struct PlatformFacts
{
    double clock;     ///< Clock of the processor [MHz].
    double specint;   ///< Its SPECint95.
    double pio;       ///< Programmed output [MB/s].
    double dma;       ///< DMA of the network interface [MB/s].
    double copy;      ///< Copy in memory [MB/s].
    double hostFixed; ///< Host's fixed cost of a packet, both ends together [us].
};

/** @param platform a host @return its properties */
const PlatformFacts&
GetFacts(Platform platform)
{
    // Rates are the middle of the known ranges. The fixed costs are calibrated against the three
    // HAL latencies of table 3 alone; the UltraSPARC's is close to the Alphas'.
    //
    // SPECint95 in proportion to the clock from 11.6 at 300 MHz (Pentium II), 12.3 at 400 MHz
    // (21164) and 12.1 at 300 MHz (UltraSPARC) [Patterson, Modern Microprocessors, lighterra.com].
    // The 500 MHz 21164 is assumed to be an AlphaStation 500, whose CIA bridge halves the rate of
    // DMA to memory, and the 600 MHz one a Personal Workstation with the revised Pyxis bridge
    // [Anderson et al. 1998; Duke University's page on Trapeze, DMA and memory bandwidth].
    // According to that page, the first Pyxis is not usable with Myrinet.
    static constexpr std::array<PlatformFacts, 4> FACTS{
        {{.clock = 350, .specint = 13.5, .pio = 90, .dma = 125, .copy = 200, .hostFixed = 6.435},
         {.clock = 500, .specint = 15.4, .pio = 75, .dma = 66, .copy = 150, .hostFixed = 9.091},
         {.clock = 600, .specint = 18.5, .pio = 75, .dma = 125, .copy = 150, .hostFixed = 9.848},
         {.clock = 167, .specint = 6.7, .pio = 30, .dma = 46.8, .copy = 150, .hostFixed = 10}}};
    return FACTS[static_cast<std::size_t>(platform)];
}

} // namespace

TypeId
ParastationMachine::GetTypeId()
{
    using S = ParastationMachine;
    static TypeId tid =
        messaging::Attributes<S>(TypeId("ns3::parastation::ParastationMachine")
                                     .SetParent<Object>()
                                     .SetGroupName("Parastation")
                                     .AddConstructor<S>())
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
                          "Scaling of a layer's processor time, calibrated against the Pentium "
                          "II's latencies, to other hosts: by SPECint95, clock, or none [-; "
                          "default].",
                          &S::m_scale,
                          LayerScale::SPECINT,
                          {{LayerScale::SPECINT, "specint"},
                           {LayerScale::CLOCK, "clock"},
                           {LayerScale::NONE, "none"}})
            .AddAttribute("EagerLimit",
                          "Largest message that MPI sends without a request to the receiver "
                          "[bytes; MPICH].",
                          &S::m_eager,
                          128000)
            .AddAttribute("PvmFragment",
                          "Size of a fragment of PVM with its headers [bytes; PVM's UDPMAXLEN].",
                          &S::m_pvmFragment,
                          PVM_FRAGMENT,
                          LEAST_PVM_FRAGMENT,
                          MOST_PVM_FRAGMENT)
            .AddAttribute("HostJitter",
                          "Share by which the host's fixed cost deviates at most, which "
                          "keeps two hosts from running in step [fraction; default].",
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
                          "DMA of the network interface: 120 to 130 on PCI, of which 66 to memory "
                          "on alpha-500, 46.8 on SBus; at most 110.6 by vmmc2, page by page; 0 for "
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
                          "Cost of a copy from the cache, as a share of one from memory, for "
                          "copies of layers, but not of step D, which reads data written by DMA; "
                          "a third to one [fraction; general knowledge].",
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
                          "Firmware's cost of a control packet on each side, to build or to "
                          "handle it; about 1 us [instructions; default].",
                          &S::m_control,
                          33,
                          0,
                          MOST_INSTRUCTIONS)
            .AddAttribute("BusBurst",
                          "Size of a burst on the bus, after which another transfer can proceed "
                          "[bytes; default].",
                          &S::m_burst,
                          256,
                          0,
                          1 << 20)
            .AddAttribute("DmaThreshold",
                          "Smallest packet that the network interface fetches by DMA instead of "
                          "step 2's programmed output; 0 for never with parastation2, "
                          "backblocking, fm and lfc, and 128 with the others [bytes; general "
                          "knowledge].",
                          &S::m_dmaThreshold,
                          0)
            .AddAttribute("ReceiveCopies",
                          "Copies of step D; -1 for one with parastation2, backblocking and am2, "
                          "and none with the others [copies; section 4].",
                          &S::m_receiveCopies,
                          -1,
                          -1,
                          16);
    return tid;
}

Costs
ParastationMachine::GetCosts(ProtocolKind protocol) const
{
    Costs costs;
    const double fixed = GetFacts(m_platform).hostFixed;
    costs.hostSend = ToNanoseconds(fixed / 2);
    costs.hostReceive = costs.hostSend;
    costs.jitter = ToNanoseconds(fixed / 2 * m_jitter);
    costs.firmwareSend = myrinet::GetInstructionTime(m_packet);
    costs.firmwareReceive = costs.firmwareSend;
    costs.buildControl = myrinet::GetInstructionTime(m_control);
    costs.handleControl = costs.buildControl;
    costs.status = STATUS_BYTES;
    costs.descriptor = DESCRIPTOR;
    if (const uint32_t copies = GetReceiveCopies(protocol); copies > 0)
    {
        // The first copy is from memory, further ones are from the cache.
        costs.receiveCopies = ToPercent(1 + (copies - 1) * m_cachedCopy);
    }
    if (protocol == ProtocolKind::VMMC2)
    {
        costs.fetch = costs.firmwareSend;
    }
    if (m_dmaThreshold > 0)
    {
        costs.dmaThreshold = m_dmaThreshold;
    }
    else if (protocol == ProtocolKind::AM2 || protocol == ProtocolKind::VMMC2 ||
             protocol == ProtocolKind::NONE)
    {
        costs.dmaThreshold = DMA_THRESHOLD;
    }
    costs.bus = true;
    return costs;
}

uint32_t
ParastationMachine::GetReceiveCopies(ProtocolKind protocol) const
{
    if (m_receiveCopies >= 0)
    {
        return static_cast<uint32_t>(m_receiveCopies);
    }
    switch (protocol)
    {
    case ProtocolKind::PARASTATION2:
    case ProtocolKind::BACKBLOCKING:
    case ProtocolKind::AM2:
        return 1;
    default:
        return 0;
    }
}

double
ParastationMachine::GetLayerScale() const
{
    const PlatformFacts& reference = GetFacts(Platform::PENTIUM2_350);
    switch (m_scale)
    {
    case LayerScale::SPECINT:
        return reference.specint / GetFacts(m_platform).specint;
    case LayerScale::CLOCK:
        return reference.clock / GetFacts(m_platform).clock;
    case LayerScale::NONE:
        return 1;
    }
    return 1;
}

LayerConfig
ParastationMachine::MakeLayer(Layer layer, uint32_t packetBytes) const
{
    const auto index = static_cast<std::size_t>(layer);
    const uint32_t time = ToNanoseconds(LAYER_TIMES[index] * GetLayerScale() / 2);
    const auto cached = ToPercent(m_cachedCopy);
    LayerConfig config;
    config.header = LAYER_HEADERS[index];
    if (layer == Layer::PORTS || layer == Layer::TCP)
    {
        // A frame fits into a packet of the HAL; MPI and PVM leave the packets to the ports.
        config.fragment = std::max<uint32_t>(packetBytes, config.header + 1) - config.header;
        config.sendFrame = time;
        config.receiveFrame = time;
        config.bufferCopies = cached;
        return config;
    }
    config.sendCall = time;
    config.receiveCall = time;
    config.unpackCopies = cached;
    if (layer == Layer::MPI)
    {
        config.shortBytes = SHORT_BYTES;
        config.eagerBytes = m_eager;
    }
    else if (layer == Layer::PVM)
    {
        // PVM packs into fragments with space for both headers (pmsg_extend, src/pmsg.c), writes
        // each at once, and reads the header of a fragment separately (mxfer and mxinput,
        // src/lpvm.c). A read costs as much as ports need for a packet at one end.
        config.fragment = m_pvmFragment - PVM_HEADERS;
        config.messageHeader = PVM_MESSAGE_HEADER;
        config.readHeader = MakeLayer(Layer::PORTS, packetBytes).receiveFrame;
        config.packCopies = cached;
    }
    return config;
}

std::vector<LayerConfig>
ParastationMachine::GetLayers(uint32_t packetBytes) const
{
    switch (m_layer)
    {
    case Layer::HAL:
        return {};
    case Layer::MPI:
    case Layer::PVM:
        return {MakeLayer(Layer::PORTS, packetBytes), MakeLayer(m_layer, packetBytes)};
    default:
        return {MakeLayer(m_layer, packetBytes)};
    }
}

Ptr<messaging::HostModel>
ParastationMachine::MakeHost() const
{
    auto host = CreateObject<messaging::HostModel>();
    host->SetAttribute("PioRate", ToRate(Choose(m_pio, GetFacts(m_platform).pio)));
    host->SetAttribute("CopyRate", ToRate(Choose(m_copy, GetFacts(m_platform).copy)));
    host->GetBus()->SetBurst(m_burst);
    return host;
}

Ptr<messaging::HostModel>
ParastationMachine::MakeInterface(Ptr<messaging::HostModel> host, ProtocolKind protocol) const
{
    auto interface = CreateObject<messaging::HostModel>();
    double usual = GetFacts(m_platform).dma;
    if (protocol == ProtocolKind::VMMC2)
    {
        usual = std::min(usual, PAGE_DMA);
    }
    interface->SetAttribute("DmaRate", ToRate(Choose(m_dma, usual)));
    interface->ShareBus(*host);
    return interface;
}

} // namespace parastation
} // namespace ns3
