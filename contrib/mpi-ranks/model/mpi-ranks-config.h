/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CONFIG_H
#define MPI_RANKS_CONFIG_H

#include "mpi-ranks-types.h"

#include "ns3/infiniband-types.h"

#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * The constants of the protocol: paper 4's where it tells them, otherwise those of MVAPICH 1.2rc1's
 * hybrid device, the descendant of the paper's code.
 */

namespace ns3
{
namespace ranks
{

/** What a transport does by itself (table 1). All that the protocol knows of it. */
struct TransportTraits
{
    bool ordered{true};  ///< Frames between two ranks arrive in the order sent.
    bool reliable{true}; ///< No frame is lost, and a local completion means that it has arrived.
    bool rdma{true};     ///< Data can be written into the peer's memory.
    uint32_t mtu{0};     ///< Largest header plus payload of one frame; 0: any [bytes].

    /** Equality of every trait. @return True if all are equal. */
    bool operator==(const TransportTraits&) const = default;
};

/**
 * Get what a transport service does by itself.
 * @param transport the service
 * @param mtu the MTU, which limits UD [bytes]
 * @param paths how many paths frames from a rank to another take; one path keeps order although
 * neither UC nor UD promises it
 * @return its traits
 */
TransportTraits GetTraits(infiniband::Transport transport, uint32_t mtu = 2048, uint32_t paths = 1);

/**
 * Get what a port of the seam does by itself.
 * @param info what the port promises
 * @return its traits
 */
TransportTraits GetTraits(const messaging::PortInfo& info);

/** Sizes of headers as the protocol puts them on the wire [bytes; MVAPICH, from its structs]. */
inline constexpr uint16_t EAGER_HEADER = 28;   ///< With the envelope of the message.
inline constexpr uint16_t SEGMENT_HEADER = 12; ///< Of further segments, and of explicit ACKs.
inline constexpr uint16_t RTS_HEADER = 36;     ///< Envelope, length and the sender's request.
inline constexpr uint16_t CTS_HEADER = 36;     ///< Address, key and both requests.
inline constexpr uint16_t FIN_HEADER = 20;     ///< The request; also of DONE and NACK.

/** All that a RankCore has to know. One for all ranks of a group. */
struct RankConfig
{
    TransportTraits traits;      ///< Of the transport below.
    bool reliability{false};     ///< Reliability in software (section 6.2).
    bool matching{true};         ///< Messages wait for their receives; otherwise each is taken as
                                 ///< it comes, for programs that post no receives.
    bool localCompletions{true}; ///< Whoever runs the core calls OnSent. If not, a frame that the
                                 ///< port has taken counts as completed.
    MemoryCharge memoryCharge{MemoryCharge::CAPACITY}; ///< C-amb-6.
    QueueUnit queueUnit{QueueUnit::SEGMENTS};          ///< C-amb-6.
    uint32_t eagerLimit{8192};    ///< A message of fewer bytes is eager [bytes; section 6.2].
    uint32_t credits{80};         ///< Sequenced frames that the peer has buffers for [MVAPICH].
    uint32_t creditThreshold{10}; ///< More unreturned credits than this: an explicit ACK [MVAPICH].
    uint32_t backlogThreshold{
        25};              ///< The same, as soon as more than this wait for credit [MVAPICH].
    uint32_t window{400}; ///< Unacknowledged segments, each peer [section 6.2; MVAPICH].
    uint32_t reorderWindow{2501};               ///< How far ahead a segment may arrive [MVAPICH].
    SweepCount sweepCount{SweepCount::RUNNING}; ///< What sweepMessages counts.
    uint32_t sweepMessages{10};   ///< More than this at the end of a progress call: ACK sweep
                                  ///< [MVAPICH].
    uint32_t sweepPolled{20};     ///< More messages since the last sweep while polling [MVAPICH].
    uint32_t pollsPerCheck{1200}; ///< Empty polls between two looks at sweepPolled [MVAPICH].
    uint32_t maxRetries{50};      ///< Retransmissions of a segment; 0: without end [MVAPICH].
    uint32_t periods{2};          ///< Periods of the timer in t_timeout; an ACK is owed no longer
                                  ///< than one [section 6.2: t_timeout / 2].
    Ticks timeout{500'000'000};   ///< t_timeout [ns; MVAPICH2].
    uint32_t maxBacklog{0};       ///< Messages that may wait before OnRequest answers STALLED;
                                  ///< 0: any number, as MPI_Isend.

    /**
     * Get the constants of one of the paper's six configurations (section 8, C-17).
     * @param transport the transport service
     * @param reliability whether there is reliability in software
     * @param mtu the MTU, which limits UD [bytes]
     * @param paths how many paths lead from a rank to another
     * @return the constants
     */
    static RankConfig Make(infiniband::Transport transport,
                           bool reliability,
                           uint32_t mtu = 2048,
                           uint32_t paths = 1);

    /** @return an empty text, or one sentence on what contradicts what. */
    std::string Check() const;

    /** @return sequenced frames that may be under way to one peer. */
    uint32_t GetLimit() const
    {
        return reliability && window < credits ? window : credits;
    }

    /** @return the period of the timer [ticks]. */
    Ticks GetPeriod() const
    {
        return timeout / periods;
    }

    /**
     * Tell whether an RDMA write has to tell the receiver of itself (section 6.3). With reliability
     * in software RC does as UC, since they share all code (C-15; MVAPICH does so too).
     * @return true if it has to
     */
    bool NeedsImmediate() const
    {
        return reliability || (!traits.reliable && !traits.ordered);
    }

    /** @return true if segments that arrive out of order are held back. */
    bool Reorders() const
    {
        return reliability || !traits.ordered;
    }

    /**
     * Tell how many receives a connection needs so that no frame finds none: the credits, and what
     * uses a receive without one (explicit ACKs, and writes with immediate data).
     * @return receives to be posted for each peer
     */
    uint32_t GetReceives() const;

    /**
     * Tell what a segment in the unacknowledged queue is charged (C-amb-6).
     * @param bytes header and payload [bytes]
     * @return memory [bytes]
     */
    uint32_t GetCharge(uint32_t bytes) const;

    /** Equality of every constant. @return True if all are equal. */
    bool operator==(const RankConfig&) const = default;
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CONFIG_H
