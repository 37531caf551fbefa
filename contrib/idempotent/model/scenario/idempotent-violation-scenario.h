/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_VIOLATION_SCENARIO_H
#define IDEMPOTENT_VIOLATION_SCENARIO_H

#include "ns3/idempotent-group.h"
#include "ns3/idempotent-scripted-network.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-scenario.h"

#include <vector>

/**
 * @file
 * @ingroup idempotent
 * The exchanges of Figures 1, 3, 4 and 5 of paper 1, packet by packet.
 */

namespace ns3
{
namespace idempotent
{

/** A figure of sections 2.1 to 2.3. */
enum class FigureKind : uint8_t
{
    FIGURE1, ///< Any packet may be lost.
    FIGURE3, ///< A message ID is reused while its message is remembered.
    FIGURE4, ///< A secondary ID is reused while a CONF with it is in flight.
    FIGURE5  ///< A message is delayed past its CONF.
};

/**
 * @ingroup idempotent
 * Plays the script of one of the paper's figures to the broken variant of the protocol that the
 * figure is about, or to the sound protocol. The delivery audit counts the deliveries.
 */
class ViolationScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoRun() override;

  private:
    /** A message of a script. */
    struct Post
    {
        messaging::Ticks when; ///< When it is posted [cycles].
        messaging::Peer from;  ///< Sender.
        messaging::Peer to;    ///< Receiver.
    };

    /** Script of a figure. */
    struct Story
    {
        std::vector<Post> posts;        ///< Messages.
        ScriptedNetwork::Script script; ///< Fate of the packets.
        Variant variant;                ///< Shortcut that the figure shows to be wrong.
        messaging::Ticks maxSlip;       ///< Of the network [cycles].
    };

    /**
     * Make the script of a figure.
     * @param figure the figure
     * @return its script
     */
    static Story Tell(FigureKind figure);

    /**
     * Make the table of all packets.
     * @param packets the packets
     */
    void MakeTable(const std::vector<ScriptedNetwork::Packet>& packets);

    FigureKind m_figure{};            ///< Which figure.
    bool m_sound{false};              ///< The sound protocol instead of the broken variant.
    uint64_t m_messages{0};           ///< Messages posted.
    uint64_t m_delivered{0};          ///< Messages acted upon.
    uint64_t m_duplicates{0};         ///< Repeated actions.
    uint64_t m_forgotten{0};          ///< Messages never acted upon.
    Ptr<messaging::Table> m_exchange; ///< All packets.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_VIOLATION_SCENARIO_H
