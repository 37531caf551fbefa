/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_SCRIPTED_NETWORK_H
#define IDEMPOTENT_SCRIPTED_NETWORK_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <array>
#include <functional>
#include <map>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Network with a script for the fate of each packet.
 */

namespace ns3
{
namespace idempotent
{

/**
 * @ingroup idempotent
 * A network without contention, a DatagramPort, with a script that decides the fate of each packet.
 * It replays the exchanges of Figures 1, 3, 4 and 5 packet by packet.
 *
 * A packet takes the distance plus its length; all nodes have the same distance. Unless the network
 * reorders, a packet waits for earlier ones to the same node, as on a wormhole network with one
 * injection port.
 */
class ScriptedNetwork : public SimpleRefCount<ScriptedNetwork>, private messaging::TickUser
{
  public:
    /** Fate of a packet. */
    struct Fate
    {
        uint32_t copies{1};        ///< Number of copies delivered; 0 if lost.
        messaging::Ticks delay{0}; ///< Additional delay [ticks].
        bool busy{false};          ///< The port is busy instead, until WakePort.
    };

    /** A packet for the script. */
    struct Packet
    {
        messaging::Ticks sent{0};    ///< Time of Send [ticks].
        messaging::Ticks arrives{0}; ///< Time of arrival; NEVER if lost [ticks].
        messaging::Peer from{0};     ///< Sender.
        messaging::Peer to{0};       ///< Receiver.
        uint64_t nth{0};             ///< Earlier packets of its kind and pair.
        messaging::Frame frame;      ///< Its frame.
    };

    /** Decides the fate of a packet. */
    using Script = std::function<Fate(const Packet& packet)>;

    /** Distance of any two nodes [ticks]. */
    static constexpr messaging::Ticks DISTANCE = 10;

    /**
     * Set up the network.
     * @param clock counts its ticks
     * @param peers number of nodes
     * @param script decides the fate of each packet; empty to deliver all
     * @param maxSlip longest time by which an earlier packet may arrive after a later one; 0 if
     * ordered [ticks]
     */
    void Setup(Ptr<messaging::TickClock> clock,
               uint32_t peers,
               Script script = Script(),
               messaging::Ticks maxSlip = 0);

    /**
     * Notify a node that its port is free again.
     * @param peer the node
     */
    void WakePort(messaging::Peer peer);

    /** @return all sent packets, in order. */
    const std::vector<Packet>& GetPackets() const
    {
        return m_packets;
    }

    /** @name DatagramPort
     * @{ */

    /** @return the properties of the network; a tick is a cycle. */
    messaging::PortInfo GetInfo() const;

    /** @return the number of nodes. */
    uint32_t GetNPeers() const
    {
        return m_peers;
    }

    /** @return the distance of any two nodes [ticks]. */
    messaging::Ticks Distance(messaging::Peer, messaging::Peer) const
    {
        return DISTANCE;
    }

    /**
     * @param frame a frame
     * @return its length in flits of 32 bits, a checksum flit included [ticks]
     */
    messaging::Ticks WireTicks(const messaging::Frame& frame) const
    {
        return (uint64_t{frame.header} + frame.payload + 3) / 4 + 1;
    }

    /**
     * Send a frame.
     * @param self sender
     * @param to receiver
     * @param frame the frame
     * @return false if the script makes the port busy
     */
    bool Send(messaging::Peer self, messaging::Peer to, const messaging::Frame& frame);

    /** Set the receiver of frames. @param user the user, or nullptr */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

    /** @} */

  private:
    void OnTick(messaging::Peer peer, uint64_t datum) override;

    Ptr<messaging::TickClock> m_clock;                    ///< Counts the ticks.
    messaging::PortUser* m_user{nullptr};                 ///< Receiver of frames.
    Script m_script;                                      ///< Decides the fate of each packet.
    std::vector<Packet> m_packets;                        ///< All packets so far.
    std::map<std::array<uint32_t, 3>, uint64_t> m_counts; ///< Packets by sender, receiver, kind.
    std::map<std::array<uint32_t, 2>, messaging::Ticks> m_last; ///< Last arrival, by pair.
    messaging::Ticks m_maxSlip{0}; ///< Largest slip; 0 if ordered [ticks].
    uint32_t m_peers{0};           ///< Number of nodes.
    uint32_t m_number{0};          ///< User number at the clock.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_SCRIPTED_NETWORK_H
