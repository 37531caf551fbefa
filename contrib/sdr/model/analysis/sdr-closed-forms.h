/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_CLOSED_FORMS_H
#define SDR_CLOSED_FORMS_H

#include "ns3/sdr-erasure-code.h"

#include <cstdint>

/**
 * @file
 * @ingroup sdr
 * Completion times of a message on one long link, in closed form.
 */

namespace ns3
{
namespace sdr
{

/** Link and protocol of the closed forms. Times have any unit, the same for all. */
struct LinkModel
{
    double chunkTime{1};                     ///< Time to inject a chunk.
    double roundTrip{0};                     ///< Round trip.
    double timeout{0};                       ///< Timeout of a chunk (RTO).
    double slack{0};                         ///< FTO beyond the injection.
    double loss{0};                          ///< Probability that a chunk is lost.
    uint32_t data{32};                       ///< Data chunks of a submessage, k.
    uint32_t parity{8};                      ///< Parity chunks of a submessage, m.
    Scheme scheme{Scheme::SELECTIVE_REPEAT}; ///< Loss recovery.
};

/** Mean and standard deviation of a time. */
struct TimeMoments
{
    double mean{0};      ///< Mean.
    double deviation{0}; ///< Standard deviation.
};

/**
 * Get the probability that a submessage is recoverable.
 * @param model the link; its scheme is XOR or MDS
 * @param data its data chunks, k' of the last one
 * @return sum of C(k + m, i) P^i (1 - P)^(k + m - i) over i up to m with MDS; with XOR, the product
 * over the groups of (1 - P)^n + n P (1 - P)^(n - 1), n = chunks of the group with parity
 */
double GetDecodeProbability(const LinkModel& model, uint32_t data);

/**
 * Get the time until the sender knows that all chunks have arrived by selective repeat:
 * max_i X_i + RTT, X_i = i T + (RTO + T) (Y_i - 1), with geometric Y_i.
 * @param model the link
 * @param chunks number of chunks
 * @return the time, a round trip without chunks
 */
TimeMoments GetRepeatTime(const LinkModel& model, uint64_t chunks);

/**
 * Get the time until the sender knows that all chunks have arrived by an erasure code: injection
 * and round trip, or injection, round trip, slack, and the data chunks of the failed submessages by
 * selective repeat.
 * @param model the link
 * @param chunks number of data chunks
 * @return the time
 */
TimeMoments GetCodedTime(const LinkModel& model, uint64_t chunks);

/**
 * Get the time of a message by the scheme of the model.
 * @param model the link
 * @param chunks number of data chunks
 * @return the time
 */
TimeMoments GetCompletionTime(const LinkModel& model, uint64_t chunks);

} // namespace sdr
} // namespace ns3

#endif // SDR_CLOSED_FORMS_H
