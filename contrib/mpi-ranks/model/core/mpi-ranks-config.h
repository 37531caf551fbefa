/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CONFIG_H
#define MPI_RANKS_CONFIG_H

#include "ns3/infiniband-types.h"
#include "ns3/messaging-attributes.h"
#include "ns3/mpi-ranks-types.h"

#include <algorithm>
#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * Constants of the protocol: those of paper 4 where it states them, otherwise those of the hybrid
 * device of MVAPICH 1.2rc1, which descends from the paper's code.
 */

namespace ns3
{
namespace ranks
{

/**
 * Get the properties of a transport service (table 1).
 * @param transport the service
 * @param mtu the MTU; UD's datagrams are shorter by the global routing header, for which buffers
 * reserve space [bytes; MVAPICH]
 * @param paths paths from a rank to another; one path keeps the order, although neither UC nor UD
 * guarantees it
 * @return its properties; an MTU of 0 is unlimited
 */
messaging::PortInfo GetTraits(infiniband::Transport transport,
                              uint32_t mtu = 2048,
                              uint32_t paths = 1);

/** Sizes of headers on the wire [bytes; MVAPICH, from its structs]. */
inline constexpr uint16_t EAGER_HEADER = 28;   ///< Eager message, with its envelope.
inline constexpr uint16_t SEGMENT_HEADER = 12; ///< Further segments and explicit ACKs.
inline constexpr uint16_t RTS_HEADER = 36;     ///< RTS: envelope, length and the sender's request.
inline constexpr uint16_t CTS_HEADER = 36;     ///< CTS: address, key and both requests.
inline constexpr uint16_t FIN_HEADER = 20;     ///< FIN, DONE and NACK: the request.

/** Longest RDMA write, and thus message where large ones are written [bytes]. */
inline constexpr uint32_t LONGEST_WRITE = 1U << 31;

/** Parameters of a RankCore, shared by all ranks of a group. */
struct RankConfig
{
    /** Transport service; only ordered, rdma and mtu matter. */
    messaging::PortInfo traits{.ordered = true, .lossless = true, .rdma = true};
    bool reliability{false};       ///< Reliability in software (section 6.2).
    bool matching{true};           ///< Messages wait for matching receives; otherwise each is
                                   ///< delivered on arrival, to programs that post no receives.
    bool localCompletions{true};   ///< OnSent is called for SIGNALED frames. Otherwise a frame that
                                   ///< the port has accepted counts as completed.
    bool reportsSends{false};      ///< OnLeft is called for every frame that has left, and
                                   ///< OnDisconnected for a lost peer.
    uint32_t eagerLimit{8192};     ///< Messages of fewer bytes are eager [bytes; section 6.2].
    uint32_t credits{80};          ///< Sequenced frames for which the peer has buffers [MVAPICH].
    uint32_t creditThreshold{10};  ///< Unreturned credits above which an explicit ACK is sent
                                   ///< [MVAPICH].
    uint32_t backlogThreshold{25}; ///< Messages waiting for credit above which an explicit ACK is
                                   ///< sent [MVAPICH].
    uint32_t window{400};          ///< Maximum unacknowledged segments [section 6.2; MVAPICH].
    uint32_t reorderWindow{2501};  ///< Maximum lead over the next expected segment [MVAPICH].
    SweepCount sweepCount{SweepCount::RUNNING}; ///< Unit of sweepMessages.
    uint32_t sweepMessages{10};   ///< Messages above which the end of a progress call sends all
                                  ///< owed ACKs [MVAPICH].
    uint32_t sweepPolled{20};     ///< Messages since the last sweep above which polling sends all
                                  ///< owed ACKs [MVAPICH].
    uint32_t pollsPerCheck{1200}; ///< Empty polls between two checks of sweepPolled [MVAPICH].
    uint32_t maxRetries{50};      ///< Retransmissions of a segment; 0: unlimited [MVAPICH].
    uint32_t periods{2};          ///< Timer periods per t_timeout; an ACK is delayed by at most one
                                  ///< [section 6.2: t_timeout / 2].
    Ticks timeout{500'000'000};   ///< t_timeout [ns; MVAPICH2].
    double patience{0};           ///< Extension of the timeout for each byte of the longest large
                                  ///< message, which may be ahead of a frame [ticks a byte].
    uint32_t maxBacklog{0};       ///< Waiting messages at which OnRequest returns STALLED; 0:
                                  ///< unlimited, as MPI_Isend.

    /**
     * Choose one of the paper's six configurations (section 8, C-17).
     * @param transport the transport service
     * @param software reliability in software
     * @param properties of the transport service or of another network
     */
    void Choose(infiniband::Transport transport,
                bool software,
                const messaging::PortInfo& properties);

    /** @return an empty text, or one sentence on a contradiction. */
    std::string Check() const;

    /** @return sequenced frames in flight to one peer, at most. */
    uint32_t GetLimit() const
    {
        if (reliability)
        {
            return std::min(window, credits);
        }
        return credits;
    }

    /** @return the period of the timer [ticks]. */
    Ticks GetPeriod() const
    {
        return timeout / periods;
    }

    /**
     * Check whether frames may arrive out of order. If so, segments wait for their predecessors,
     * and an RDMA write notifies its receiver, since FIN may overtake it (section 6.3). With
     * reliability in software, RC behaves as UC, since they share all code (C-15; as in MVAPICH).
     * @return true if they may
     */
    bool Reorders() const
    {
        return reliability || !traits.ordered;
    }

    /**
     * Get the receives that a connection needs so that every frame finds one: the credits, and the
     * frames that use a receive without a credit (explicit ACKs, writes with immediate data).
     * @return receives posted for each peer
     */
    uint32_t GetReceives() const;

    /**
     * Get the memory charged for a segment in the unacknowledged queue (C-amb-6): for a message
     * copied to a buffer of the library, the size of that buffer with its first segment; for data
     * of a large message, a segment's part of the largest buffer [MVAPICH].
     * @param segment the segment
     * @param left remaining bytes of its message after it [bytes]
     * @return memory [bytes]
     */
    uint32_t GetCharge(const Frame& segment, uint32_t left) const;
};

/**
 * Add the common attributes of the protocol to a class that has its parameters.
 * @tparam Owner the class
 * @param type its TypeId
 * @param config its parameters
 * @return the TypeId
 */
template <class Owner>
TypeId
AddRankAttributes(TypeId type, RankConfig Owner::* config)
{
    using messaging::Range;
    return messaging::Attributes<Owner>(type)
        .In(config)
        .AddAttribute("EagerLimit",
                      "Length from which messages use rendezvous [bytes; section 6.2].",
                      &RankConfig::eagerLimit,
                      Range<uint32_t>{1, 1 << 20})
        .AddAttribute("Credits",
                      "Buffers of a peer for a rank over RC and UC [buffers; MVAPICH].",
                      &RankConfig::credits,
                      Range<uint32_t>{2, 32767})
        .AddAttribute("CreditThreshold",
                      "Unreturned credits over RC and UC above which an explicit ACK is sent "
                      "[buffers; MVAPICH].",
                      &RankConfig::creditThreshold,
                      Range<uint32_t>{0, 32766});
}

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CONFIG_H
