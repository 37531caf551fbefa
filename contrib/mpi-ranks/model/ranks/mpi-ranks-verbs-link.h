/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_VERBS_LINK_H
#define MPI_RANKS_VERBS_LINK_H

#include "ns3/infiniband-verbs.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/mpi-ranks-config.h"
#include "ns3/mpi-ranks-link.h"

#include <array>
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
 *
 * With several paths, the frames between two ranks use them in turn: over UC by a queue pair for
 * each path, as in MVAPICH2's hot-spot avoidance, over UD by an address handle, as in MVAPICH.
 * Frames may then arrive out of order, and a FIN may overtake the preceding write (section 6.3). RC
 * uses one queue pair, since FIN in figure 2 implies the preceding write.
 */
class VerbsRankLink : public RankLink, private infiniband::CqUser
{
  public:
    /**
     * Constructor.
     * @param verbs the verbs, opened
     * @param transport the transport service
     * @param config parameters of the protocol
     * @param ranks number of ranks
     * @param ranksPerNode ranks that share an adapter
     * @param paths number of paths, used in turn
     */
    VerbsRankLink(Ptr<infiniband::Verbs> verbs,
                  infiniband::Transport transport,
                  const RankConfig& config,
                  uint32_t ranks,
                  uint32_t ranksPerNode,
                  uint32_t paths = 1);

    uint32_t GetNRanks() const override
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    bool Send(Peer self, Peer to, const Frame& frame) override;
    uint32_t Poll(Peer self, RankArrival* arrivals, uint32_t max) override;
    void Notify(Peer self) override;
    void Expect(Peer self, Peer to, bool soon) override;

    std::string GetFailure() const override
    {
        return m_failure;
    }

    /** @return number of connected pairs of ranks; over UD, of pairs that exchanged frames. */
    uint64_t GetNConnections() const
    {
        return m_connections;
    }

  protected:
    void DoDispose() override;

  private:
    /** Queue pairs of a rank. */
    struct Port
    {
        std::vector<infiniband::Qpn> to; ///< The first queue pair to each peer, if connected.
        std::vector<uint8_t> turns;      ///< The path of the next frame to each peer, if there are
                                         ///< several.
        infiniband::CqNumber cq{0};      ///< Its completion queue.
        infiniband::MemoryKey key{0};    ///< Its memory.
        infiniband::Qpn datagram{infiniband::NO_QP}; ///< Its queue pair, for UD.
    };

    void OnCompletion(infiniband::CqNumber cq, uint64_t cookie) override;
    void OnExpected(uint64_t cookie,
                    infiniband::Qpn qp,
                    infiniband::Nearness nearness,
                    infiniband::Qpn source) override;

    /**
     * The data of a write has arrived. Without immediate data it generates no completion, but the
     * data are in memory when the following FIN arrives (section 6.3).
     * @param qp the queue pair of its arrival
     * @param wr the request
     */
    void OnWrite(infiniband::Qpn qp, const infiniband::SendWr& wr);

    /** Prefetch what polled completions need. @param n their number */
    void ExpectTakes(uint32_t n) const;

    /**
     * Convert a completion to an arrival.
     * @param self the rank
     * @param wc the completion
     * @param arrival set to the arrival
     * @return false if the work request has failed
     */
    bool Take(Peer self, const infiniband::WorkCompletion& wc, RankArrival& arrival);

    /**
     * Connect two ranks.
     * @param self a rank
     * @param to another
     * @return the first queue pair of self
     */
    infiniband::Qpn Connect(Peer self, Peer to);

    /**
     * Create a queue pair with its receives.
     * @param self its rank
     * @param receives number of receives
     * @param peer the remote rank; for UD its own rank
     * @return the queue pair
     */
    infiniband::Qpn CreateQp(Peer self, uint32_t receives, Peer peer);

    Ptr<infiniband::Verbs> m_verbs;        ///< The verbs.
    std::vector<Port> m_ports;             ///< Queue pairs by rank.
    messaging::SlotPool<Frame> m_signaled; ///< Frames that wait for their local completion.
    std::array<infiniband::WorkCompletion, 16> m_polled; ///< Completions being handled.
    std::string m_failure;                               ///< The first failure.
    infiniband::Transport m_transport;                   ///< Transport service.
    infiniband::RecvWr m_receive;                        ///< Work request of every receive.
    uint64_t m_connections{0};                           ///< Number of connected pairs of ranks.
    uint32_t m_receives;                                 ///< Receives of a queue pair.
    uint32_t m_ranksPerNode;                             ///< Ranks that share an adapter.
    uint32_t m_paths;                                    ///< Number of paths, used in turn.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_VERBS_LINK_H
