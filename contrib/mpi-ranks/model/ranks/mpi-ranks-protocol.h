/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_PROTOCOL_H
#define MPI_RANKS_PROTOCOL_H

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-transport.h"
#include "ns3/mpi-ranks-core-group.h"

#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * MPI's point-to-point protocol over any network.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * Paper 4's point-to-point protocol in one of its six designs, without receives posted by programs.
 *
 * The designs on RC and UC write large messages by RDMA, those on UD cut them into datagrams. The
 * native designs rely on the network; the reliable ones repair losses in software. On a network
 * with transport services, each design uses its own. Messages of one
 * peer to another are not delivered in order, since smaller ones overtake a large one during its
 * rendezvous; MPI orders only their matching.
 */
class MpiProtocol : public messaging::Protocol,
                    public messaging::Searchable,
                    public messaging::TransportProtocol
{
  public:
    /** The six designs (section 8): each transport, native and reliable. */
    enum class Design : uint8_t
    {
        RC_NATIVE,   ///< RDMA, with the reliability of the network.
        RC_RELIABLE, ///< RDMA, with reliability in software.
        UC_NATIVE,   ///< RDMA, unreliable.
        UC_RELIABLE, ///< RDMA, with reliability in software.
        UD_NATIVE,   ///< Datagrams, unreliable.
        UD_RELIABLE  ///< Datagrams, with reliability in software.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override;
    messaging::Promise GetPromise(const messaging::PortInfo& info) const override;
    std::vector<NamedCount> GetCounts() const override;
    std::optional<uint64_t> GetMemory() const override;
    std::string GetTransport() const override;

    void SetTransportNetwork(messaging::TransportNetwork* network) override
    {
        m_adapters = network;
    }

    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override;

    /**
     * Renumber sequence numbers relative to the next expected one of each rank. A search needs
     * this, since NACKs increase the numbers without bound.
     * @param cores the cores, changed
     * @param frames the frames in flight with their receivers, changed
     */
    static void CountFromExpected(std::vector<RankCore>& cores,
                                  std::vector<messaging::FlyingFrame>& frames);

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override;

  private:
    /** @return the transport of the design. */
    infiniband::Transport GetService() const;

    /** @return true if the design has reliability in software. */
    bool IsReliable() const;

    /**
     * Get the parameters over a network.
     * @param info properties of the network
     * @return the parameters, with a timeout only if the attribute is set
     */
    RankConfig MakeConfig(const messaging::PortInfo& info) const;

    /**
     * Set the timeout that follows from the network.
     * @param port the network
     * @param config the parameters, changed
     */
    void SetTimeout(const messaging::AnyPort& port, RankConfig& config) const;

    Design m_design{Design::UD_RELIABLE};             ///< Design.
    Ticks m_timeout{0};                               ///< Timeout t_timeout, or 0 [ticks].
    RankConfig m_config;                              ///< Parameters of the protocol.
    messaging::TransportNetwork* m_adapters{nullptr}; ///< Network of the transport, not owned.
    Ptr<RankCoreGroup<messaging::AnyPort>> m_group;   ///< The group of the last Connect.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_PROTOCOL_H
