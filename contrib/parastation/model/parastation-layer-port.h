/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_LAYER_PORT_H
#define PARASTATION_LAYER_PORT_H

#include "parastation-layer.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/simple-ref-count.h"

#include <vector>

/**
 * @file
 * @ingroup parastation
 * Port of a software layer over the group of the layer below.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Port whose frames are the messages of a group, the layer below.
 *
 * Several processes of a node share its member of the group: process p is on node p modulo the
 * number of nodes. Frames between processes of one node do not leave it.
 */
class LayerPort : public SimpleRefCount<LayerPort>,
                  private messaging::GroupUser,
                  private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param clock the clock of the network's ticks
     * @param below the layer below, without another user
     * @param processes processes of each node
     */
    LayerPort(Ptr<messaging::TickClock> clock,
              Ptr<messaging::MessageGroup> below,
              uint32_t processes);

    ~LayerPort() override;

    /** @return the properties of the port. */
    messaging::PortInfo GetInfo() const
    {
        return messaging::PortInfo{.mtu = NONE, .ordered = true, .lossless = true};
    }

    /** @return the number of processes. */
    uint32_t GetNPeers() const
    {
        return m_nodes * m_processes;
    }

    /** @return 0, as the distance of processes is unknown [ticks]. */
    messaging::Ticks Distance(messaging::Peer, messaging::Peer) const
    {
        return 0;
    }

    /** @return 0, as the transmission time of a frame is unknown [ticks]. */
    messaging::Ticks WireTicks(const messaging::Frame&) const
    {
        return 0;
    }

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver
     * @param frame the frame
     * @return false if the layer below has no room for it
     */
    bool Send(messaging::Peer self, messaging::Peer to, const messaging::Frame& frame);

    /** Set the user. @param user receiver of frames, not owned */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

  private:
    /** Frame in flight; the low bits of its message's tag are its index. */
    struct Flight
    {
        messaging::Frame frame;  ///< The frame.
        messaging::Peer from{0}; ///< Its sender.
        messaging::Peer to{0};   ///< Its receiver.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer, messaging::RequestId, messaging::Completion) override;
    void OnReady(messaging::Peer self) override;
    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /** Pass a frame to its receiver. @param flight the frame */
    void Arrive(const Flight& flight);

    Ptr<messaging::TickClock> m_clock;    ///< The clock.
    Ptr<messaging::MessageGroup> m_below; ///< The layer below.
    messaging::PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
    std::vector<Flight> m_flights;        ///< Frames in flight, by the low bits of their tags.
    std::vector<uint8_t> m_waiting;       ///< Processes whose last Send was refused.
    uint32_t m_nodes;                     ///< Members of the layer below.
    uint32_t m_processes;                 ///< Processes of each.
    uint32_t m_next{0};                   ///< Next tag.
    uint32_t m_number;                    ///< The clock's number for frames inside a node.
};

/** @ingroup parastation The processes of a software layer, over the layer below. */
using LayerGroup = messaging::CoreGroup<LayerCore, LayerPort>;

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_LAYER_PORT_H
