/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GROUP_VERBS_H
#define MPI_RANKS_GROUP_VERBS_H

#include "mpi-ranks-config.h"
#include "mpi-ranks-group-link.h"

#include "ns3/infiniband-verbs.h"

#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Ranks over the verbs.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * A link of queue pairs: over RC and UC one for each peer, connected when a rank first sends to it;
 * over UD one for each rank (section 4.2). No shared receive queues (section 7).
 */
class VerbsRankLink : public RankLink, private infiniband::CqUser
{
  public:
    /**
     * Constructor.
     * @param verbs the verbs, opened
     * @param transport the transport service
     * @param config the protocol's parameters
     * @param ranks number of ranks
     * @param ranksPerNode how many of them share an adapter
     */
    VerbsRankLink(Ptr<infiniband::Verbs> verbs,
                  infiniband::Transport transport,
                  const RankConfig& config,
                  uint32_t ranks,
                  uint32_t ranksPerNode);

    ~VerbsRankLink() override;

    uint32_t GetNRanks() const override;
    bool Send(Peer self, Peer to, const Frame& frame) override;
    void Expect(Peer self, Peer to) override;
    uint32_t Poll(Peer self, RankArrival* arrivals, uint32_t max) override;
    void Notify(Peer self) override;
    std::string GetFailure() const override;

    /** @return the number of pairs of ranks that are connected; of UD, that have talked. */
    uint64_t GetNConnections() const
    {
        return m_connections;
    }

  protected:
    void DoDispose() override;

  private:
    /** Of a rank. */
    struct Port
    {
        std::vector<infiniband::Qpn> to; ///< Its queue pair for each peer, if connected.
        infiniband::CqNumber cq{0};      ///< Its completions.
        infiniband::MemoryKey key{0};    ///< Its memory.
        infiniband::Qpn datagram{infiniband::NO_QP}; ///< Its queue pair, of UD.
    };

    void OnCompletion(infiniband::CqNumber cq, uint64_t cookie) override;
    void OnExpected(uint64_t cookie) override;

    /**
     * The data of a write has arrived.
     * @param qp the queue pair at which it has
     * @param wr the request
     */
    void OnWrite(infiniband::Qpn qp, const infiniband::SendWr& wr);

    /**
     * Make arrivals of a completion.
     * @param self the rank
     * @param wc the completion
     * @param arrivals where to, changed; there is room for two
     * @return how many
     */
    uint32_t Take(Peer self, const infiniband::WorkCompletion& wc, RankArrival* arrivals);

    /**
     * Connect two ranks.
     * @param self the one
     * @param to the other
     * @return the one's queue pair
     */
    infiniband::Qpn Connect(Peer self, Peer to);

    /**
     * Create a queue pair with its receives.
     * @param self its rank
     * @param receives how many
     * @return the queue pair
     */
    infiniband::Qpn CreateQp(Peer self, uint32_t receives);

    Ptr<infiniband::Verbs> m_verbs; ///< The verbs.
    std::vector<Port> m_ports;      ///< One a rank.
    std::vector<Peer> m_peerOf;     ///< By queue pair: the peer at its other end; UD: its rank.
    std::vector<Frame> m_signaled;  ///< Frames that wait for their local completion.
    std::array<infiniband::WorkCompletion, 16> m_polled; ///< Completions that are being handled.
    std::vector<uint32_t> m_freeSignaled;                ///< Places of it that are free.
    /** Writes without immediate data that have arrived, by the queue pair at which they have:
     * nothing tells of them, but what they have written is there when the FIN behind them is
     * (section 6.3). */
    std::map<infiniband::Qpn, std::deque<Frame>> m_written;
    std::string m_failure;             ///< What has gone wrong first.
    infiniband::Transport m_transport; ///< Transport service.
    infiniband::RecvWr m_receive;      ///< Every receive.
    uint64_t m_connections{0};         ///< Pairs of ranks.
    uint32_t m_receives;               ///< Receives of a queue pair.
    uint32_t m_ranksPerNode;           ///< Ranks that share an adapter.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GROUP_VERBS_H
