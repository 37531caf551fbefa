/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_LANAI_H
#define MYRINET_LANAI_H

#include "ns3/data-rate.h"
#include "ns3/messaging-host.h"
#include "ns3/object.h"

#include <functional>

/**
 * @file
 * @ingroup myrinet
 * The processor of a network interface and its connection to the host.
 */

namespace ns3
{
namespace myrinet
{

/** Transfer of packets from the host into the SRAM of its network interface. */
enum class HostTransfer : uint8_t
{
    PIO, ///< The host writes them, word by word (section 3.2, step 2).
    DMA  ///< The interface fetches them by its host DMA engine.
};

/**
 * @ingroup myrinet
 * A LANai 4: a 32-bit processor without cache at the clock of the PCI bus, and a host DMA engine,
 * beside the send and receive engines of MyrinetNetwork. All of them run in parallel; the host DMA
 * engine and the host's programmed output share the host's bus.
 *
 * Costs of firmware are instructions, one a cycle.
 */
class MyrinetLanai : public Object
{
  public:
    /** Completion callback. */
    using Done = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MyrinetLanai();
    ~MyrinetLanai() override;

    /**
     * Put the interface on a host's bus.
     * @param host the host
     */
    void SetHost(Ptr<messaging::HostModel> host);

    /** @return the interface's processor and host DMA engine. */
    Ptr<messaging::HostModel> GetInterface() const;

    /**
     * Get the cost of instructions, as work of a network interface.
     * @param count number of instructions
     * @return the work, of unit 1
     */
    messaging::Work Instructions(uint32_t count) const;

    /**
     * Bring a packet from the host into the SRAM and run the firmware for it.
     * @param bytes its size
     * @param done called when it can be sent
     */
    void FromHost(uint32_t bytes, Done done);

    /**
     * Run the firmware for a received packet and bring it to the host.
     * @param bytes its size
     * @param done called when it is in the host's memory
     */
    void ToHost(uint32_t bytes, Done done);

  protected:
    void DoDispose() override;

  private:
    /** @param rate rate of the host DMA engine */
    void SetDmaRate(DataRate rate);

    /** @return the rate of the host DMA engine. */
    DataRate GetDmaRate() const;

    Ptr<messaging::HostModel> m_host;      ///< The host.
    Ptr<messaging::HostModel> m_interface; ///< The interface.
    double m_clock{0};                     ///< Clock of the processor [MHz].
    DataRate m_dmaRate;                    ///< Rate of the host DMA engine.
    HostTransfer m_transfer{};             ///< Transfer of packets into the SRAM.
    uint32_t m_sendInstructions{0};        ///< Firmware, a packet sent.
    uint32_t m_receiveInstructions{0};     ///< Firmware, a packet received.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_LANAI_H
