/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_SETTINGS_H
#define PARASTATION_SETTINGS_H

#include "parastation-types.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

/**
 * @file
 * @ingroup parastation
 * What can be chosen of ParaStation2 and its rivals, as attributes.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * The parameters of the protocols and their rings as attributes.
 */
class ParastationSettings : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ParastationSettings();
    ~ParastationSettings() override;

    /**
     * Get the parameters, costs not included.
     * @param tick length of a tick
     * @return the parameters
     */
    Config GetConfig(Time tick) const;

  private:
    uint32_t m_sendRing{0};      ///< Slots of the send ring.
    uint32_t m_receiveRing{0};   ///< Slots of the receive ring.
    uint32_t m_hostBuffers{0};   ///< Packets that the host can hold before they are polled.
    uint32_t m_queue{0};         ///< Messages that wait in the host.
    uint32_t m_packetSize{0};    ///< Largest packet [bytes].
    uint32_t m_window{0};        ///< Packets of a pair that may lack their ACK.
    uint8_t m_sequenceBits{0};   ///< Bits of a sequence number.
    uint16_t m_header{0};        ///< Header of every packet [bytes].
    uint32_t m_channels{0};      ///< Logical channels of a pair.
    uint32_t m_credits{0};       ///< Credits of a pair.
    HighAck m_highAck{};         ///< A-amb-2.
    LowSequence m_lowSequence{}; ///< A-amb-3.
    NackNumber m_nackNumber{};   ///< A-amb-4.
    AckOrder m_ackOrder{};       ///< When an ACK is built.
    Time m_timeout;              ///< After it a packet is sent again.
    Time m_pause;                ///< Between a NACK for shortage and the retransmission.
    Time m_backoff;              ///< Mean of the first random backoff.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_SETTINGS_H
