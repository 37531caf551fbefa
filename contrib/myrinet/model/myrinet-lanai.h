/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_LANAI_H
#define MYRINET_LANAI_H

#include "ns3/messaging-host.h"
#include "ns3/object.h"

#include <functional>

/**
 * @file
 * @ingroup myrinet
 * Processor of a network interface and its connection to the host.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * LANai 4: a 32-bit processor without cache at the clock of the PCI bus, and a host DMA engine.
 * They run in parallel with each other and with the send and receive engines of MyrinetNetwork. The
 * host DMA engine fetches and delivers packets over the host's bus.
 *
 * The costs of firmware are in instructions, one per cycle.
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

    /**
     * Put the interface on a host's bus.
     * @param host the host
     */
    void SetHost(Ptr<messaging::HostModel> host);

    /** @param instructions a number of instructions @return their time [ns] */
    static uint32_t GetTime(uint32_t instructions);

    /**
     * Run the firmware for a packet and move it between the host's memory and the SRAM.
     * @param bytes its size
     * @param done completion callback
     */
    void Move(uint32_t bytes, Done done);

  protected:
    void DoDispose() override;

  private:
    Ptr<messaging::HostModel> m_interface; ///< The interface.
    uint32_t m_packetInstructions{0};      ///< Firmware's cost of a packet [instructions].
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_LANAI_H
