/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_PORT_LINK_H
#define MPI_RANKS_PORT_LINK_H

#include "ns3/messaging-fifo.h"
#include "ns3/mpi-ranks-link.h"

#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * A link over any port, for tests of ranks without InfiniBand.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{

/**
 * @ingroup mpi-ranks
 * A link over a port. A frame flagged for a local completion completes when it is sent.
 * @tparam Port the network
 */
template <messaging::DatagramPort Port>
class PortRankLink : public RankLink, private messaging::PortUser
{
  public:
    /**
     * Constructor.
     * @param port the network
     * @param signaled the flag for a local completion
     */
    PortRankLink(Ptr<Port> port, uint8_t signaled)
        : m_port(port),
          m_inboxes(port->GetNPeers()),
          m_waiting(port->GetNPeers(), 0),
          m_signaled(signaled)
    {
        m_port->SetUser(this);
    }

    uint32_t GetNRanks() const override
    {
        return m_port->GetNPeers();
    }

    bool Send(Peer self, Peer to, const Frame& frame) override
    {
        if (!m_port->Send(self, to, frame))
        {
            return false;
        }
        if (frame.flags & m_signaled)
        {
            Put(self, RankArrival{.frame = frame, .peer = to, .sent = true});
        }
        return true;
    }

    uint32_t Poll(Peer self, RankArrival* arrivals, uint32_t max) override
    {
        uint32_t n = 0;
        while (n < max && !m_inboxes[self].IsEmpty())
        {
            arrivals[n++] = m_inboxes[self].Pop();
        }
        return n;
    }

    void Notify(Peer self) override
    {
        m_waiting[self] = 1;
        Inform(self);
    }

  protected:
    void DoDispose() override
    {
        m_port->SetUser(nullptr);
        m_port = nullptr;
        RankLink::DoDispose();
    }

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        Put(self, RankArrival{.frame = frame, .peer = from});
    }

    void OnReady(Peer /* self */) override
    {
    }

    /** Append an arrival. @param self the rank @param arrival the arrival */
    void Put(Peer self, const RankArrival& arrival)
    {
        m_inboxes[self].Push(arrival);
        Inform(self);
    }

    /** Notify the user if it waits and there is an arrival. @param self the rank */
    void Inform(Peer self)
    {
        if (m_waiting[self] && !m_inboxes[self].IsEmpty() && m_user)
        {
            m_waiting[self] = 0;
            m_user->OnArrival(self);
        }
    }

    Ptr<Port> m_port;                                    ///< The network.
    std::vector<messaging::Fifo<RankArrival>> m_inboxes; ///< Arrivals of each rank.
    std::vector<uint8_t> m_waiting;                      ///< Ranks to be notified.
    uint8_t m_signaled;                                  ///< Flag for a local completion.
};

} // namespace tests
} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_PORT_LINK_H
