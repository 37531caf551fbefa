/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_PLATFORM_H
#define PARASTATION_PLATFORM_H

#include "parastation-layer.h"

#include "ns3/messaging-host.h"
#include "ns3/object.h"

/**
 * @file
 * @ingroup parastation
 * Costs of hosts, software layers and protocols.
 */

namespace ns3
{
namespace parastation
{

/** The hosts of table 3, and that of AM-II in table 2. */
enum class Platform : uint8_t
{
    PENTIUM2_350, ///< 350 MHz Pentium II, PCI, Linux 2.0.35.
    ALPHA_500,    ///< 500 MHz Alpha 21164, PCI, Digital Unix 4.0D.
    ALPHA_600,    ///< 600 MHz Alpha 21164, PCI, Digital Unix 4.0D.
    ULTRASPARC    ///< UltraSPARC, SBus, Solaris.
};

/** The software layers of table 3. */
enum class Layer : uint8_t
{
    HAL,   ///< Hardware abstraction layer.
    PORTS, ///< Ports, on the HAL.
    TCP,   ///< TCP, on the HAL.
    MPI,   ///< MPI, on the ports.
    PVM    ///< PVM, on the ports.
};

/** Protocols between network interfaces. */
enum class ProtocolKind : uint8_t
{
    PARASTATION2, ///< ParaStation2.
    AM2,          ///< Active Messages II.
    VMMC2,        ///< VMMC-2.
    BACKBLOCKING, ///< Strict back-blocking.
    FM,           ///< Fast Messages: credits for buffers of the receiving host.
    LFC,          ///< Link-level flow control: credits for slots of its network interface.
    NONE          ///< No protocol, as BIP.
};

/** Scaling of the layers' costs from the Pentium II to other hosts. */
enum class LayerScale : uint8_t
{
    SPECINT, ///< In inverse proportion to the processor's SPECint95.
    CLOCK,   ///< In inverse proportion to its clock.
    NONE     ///< The same on all hosts.
};

/**
 * @ingroup parastation
 * Costs of a host, its network interface and a software layer as attributes, and a factory of both.
 */
class ParastationMachine : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Get the cost of each step.
     * @param protocol the protocol
     * @return the costs
     */
    Costs GetCosts(ProtocolKind protocol) const;

    /** @param protocol the protocol @return copies of a packet in the receiving host (step D) */
    uint32_t GetReceiveCopies(ProtocolKind protocol) const;

    /**
     * Get the software layers above the HAL.
     * @param packetBytes largest packet of the HAL
     * @return their frame formats and costs, the lowest layer first
     */
    std::vector<LayerConfig> GetLayers(uint32_t packetBytes) const;

    /**
     * Make one of the software layers.
     * @param layer the layer
     * @param packetBytes largest packet of the HAL [bytes]
     * @return its frame formats and costs
     */
    LayerConfig MakeLayer(Layer layer, uint32_t packetBytes) const;

    /** @return a host. */
    Ptr<messaging::HostModel> MakeHost() const;

    /**
     * Make the processor and host DMA engine of a network interface: those of a LANai.
     * @param host the host, whose bus it uses
     * @param protocol the protocol that it runs
     * @return the network interface
     */
    Ptr<messaging::HostModel> MakeInterface(Ptr<messaging::HostModel> host,
                                            ProtocolKind protocol) const;

  private:
    /** @return the factor of the layers' processor time on this host. */
    double GetLayerScale() const;

    Platform m_platform{};      ///< The host.
    Layer m_layer{};            ///< The software layer.
    LayerScale m_scale{};       ///< Scaling of the layer's cost.
    double m_pio{0};            ///< Programmed output [MB/s]; 0 for the platform's.
    double m_dma{0};            ///< DMA [MB/s]; 0 for the platform's.
    double m_copy{0};           ///< Copy in memory [MB/s]; 0 for the platform's.
    double m_cachedCopy{0};     ///< Copy from the cache, as a share of one from memory.
    double m_jitter{0};         ///< Largest deviation of the fixed cost, as a share.
    uint32_t m_packet{0};       ///< Firmware, a data packet on either side [instructions].
    uint32_t m_control{0};      ///< Firmware, a control packet on either side [instructions].
    uint32_t m_burst{0};        ///< Burst on the bus [bytes].
    uint32_t m_dmaThreshold{0}; ///< Smallest packet that DMA fetches [bytes].
    uint32_t m_eager{0};        ///< Largest message that MPI sends without an OK [bytes].
    uint32_t m_pvmFragment{0};  ///< Fragment of PVM with its headers [bytes].
    int32_t m_receiveCopies{0}; ///< Copies of step D, or -1 for those of the protocol.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_PLATFORM_H
