/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RIVAL_PARAMETERS_H
#define PCODE_RIVAL_PARAMETERS_H

#include "pcode-graph-core.h"
#include "pcode-ring-core.h"
#include "pcode-window-core.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

/**
 * @file
 * @ingroup pcode
 * The parameters of the token ring, the acknowledgement graph and the packing window as attributes.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * What PCODE's rivals of section 6.4.2 can be tuned by.
 *
 * The paper does not give their parameters (B-amb-8). Time-outs follow the principle of the cores:
 * one step of the time's timers before a gap is asked for, two before anything is repeated, five of
 * silence before what was received is told.
 */
class RivalParameters : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RivalParameters();
    ~RivalParameters() override;

    /**
     * Make the parameters of a token ring.
     * @param peers number of processors
     * @param mtu largest header plus payload of a frame [bytes]
     * @param tick length of a tick
     * @return the parameters
     */
    RingConfig MakeRing(uint32_t peers, uint32_t mtu, Time tick) const;

    /**
     * Make the parameters of an acknowledgement graph.
     * @param peers number of processors
     * @param mtu largest header plus payload of a frame [bytes]
     * @param tick length of a tick
     * @return the parameters
     */
    GraphConfig MakeGraph(uint32_t peers, uint32_t mtu, Time tick) const;

    /**
     * Make the parameters of a packing window.
     * @param peers number of processors
     * @param mtu largest header plus payload of a frame [bytes]
     * @param tick length of a tick
     * @return the parameters
     */
    WindowConfig MakeWindow(uint32_t peers, uint32_t mtu, Time tick) const;

  private:
    uint32_t m_ringWindow{0};        ///< See the attribute RingWindow.
    uint32_t m_ringPerVisit{0};      ///< See the attribute RingPerVisit.
    uint32_t m_ringSpan{0};          ///< See the attribute RingSpan.
    uint32_t m_ringQueue{0};         ///< See the attribute RingQueue.
    uint32_t m_ringIdleRotations{0}; ///< See the attribute RingIdleRotations.
    Time m_ringTokenTimeout;         ///< See the attribute RingTokenTimeout.
    Time m_ringWantTimeout;          ///< See the attribute RingWantTimeout.
    uint32_t m_lansisWindow{0};      ///< See the attribute LansisWindow.
    uint32_t m_lansisNackLimit{0};   ///< See the attribute LansisNackLimit.
    Time m_lansisNackDelay;          ///< See the attribute LansisNackDelay.
    Time m_lansisNackInterval;       ///< See the attribute LansisNackInterval.
    Time m_lansisIdleDelay;          ///< See the attribute LansisIdleDelay.
    Time m_lansisHoldOff;            ///< See the attribute LansisHoldOff.
    uint32_t m_horusWindow{0};       ///< See the attribute HorusWindow.
    uint32_t m_horusQueue{0};        ///< See the attribute HorusQueue.
    uint32_t m_horusStatusEvery{0};  ///< See the attribute HorusStatusEvery.
    Time m_horusPackDelay;           ///< See the attribute HorusPackDelay.
    Time m_horusNackDelay;           ///< See the attribute HorusNackDelay.
    Time m_horusNackInterval;        ///< See the attribute HorusNackInterval.
    Time m_horusIdleDelay;           ///< See the attribute HorusIdleDelay.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_RIVAL_PARAMETERS_H
