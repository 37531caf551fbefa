/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SEGMENT_H
#define BROADCAST_ETHERNET_SEGMENT_H

#include "broadcast-ethernet-medium.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

#include <cstdlib>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * A shared segment with CSMA/CD.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * A shared half-duplex segment: a cable with taps, or a hub, with CSMA/CD as IEEE 802.3 has it in
 * clause 4.2.
 *
 * @verbatim
             frame            own or other's carrier        gap over, no backoff left
      IDLE --------> WAITING <----------------------- ... ----------------------------> SENDING
        ^             ^                                                                   |
        |             |  backoff: 0 to 2^min(attempt, 10) - 1 slots                       |
        |             +---------------------- collision: preamble, jam --------------------+
        +----------- sent, or the attempts are used up -----------------------------------+
   @endverbatim
 *
 * Signals propagate: two stations are Delay apart, plus the cable between their places. So a signal
 * reaches one station later than another, the later one starts in the meantime, and each notices
 * the collision when the other's signal arrives. The capture effect results from the backoff: a
 * station that has just won starts afresh, while the others back off ever longer.
 *
 * Stations are records in an array. Simulator events are the beginning and the end of a
 * transmission and the arrival of a frame; waiting stations need none.
 */
class EthernetSegment : public EthernetMedium
{
  public:
    /** A finished attempt to send a frame. */
    struct Attempt
    {
        uint32_t station{0}; ///< The sender.
        uint32_t number{0};  ///< Number of the attempt, from 1.
        Time begin;          ///< First bit of the preamble.
        Time collision;      ///< Detection of a collision; negative without one.
        Time end;            ///< Last bit of the frame, or of the jam.
        Time retry;          ///< End of the backoff; negative if the frame is not sent again.
    };

    /** Counts since the segment was made. */
    struct Counters
    {
        uint64_t attempts{0};            ///< Transmissions begun.
        uint64_t collided{0};            ///< Those that ended in a collision.
        uint64_t sent{0};                ///< Frames sent.
        uint64_t sentBytes{0};           ///< Their bytes, from header to FCS.
        uint64_t excessiveCollisions{0}; ///< Frames given up after the last attempt.
        uint64_t lateCollisions{0};      ///< Collisions past the collision window.
        uint64_t damaged{0};             ///< Receptions overlapped by another signal.
        uint64_t events{0};              ///< Simulator events.
        std::vector<uint64_t> sentAfter; ///< Frames sent, by the attempts needed, from 1 at [1].
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EthernetSegment();

    /**
     * Move a station from its place, which is Spacing times its number, to another.
     * @param station the station
     * @param position its place on the cable [m]
     */
    void SetPosition(uint32_t station, double position);

    /** @return the greatest round trip between two stations, which should be below the slot time.
     */
    Time GetRoundTrip() const
    {
        return TimeStep(2 * m_diameter);
    }

    /** @return the counts. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    int64_t AssignStreams(int64_t stream) override;

    uint32_t Attach(MediumUser* user, Ptr<NetDevice> device) override;
    void Transmit(uint32_t station, Ptr<const WireFrame> frame) override;

    /** @return the rate of all stations. */
    DataRate GetDataRate() const
    {
        return m_rate;
    }

    std::size_t GetNDevices() const override
    {
        return m_stations.size();
    }

    Ptr<NetDevice> GetDevice(std::size_t i) const override
    {
        return m_stations[i].device;
    }

    /**
     * Signature of the trace source Attempt.
     * @param attempt the attempt
     */
    typedef void (*AttemptTracedCallback)(const Attempt& attempt);

  protected:
    void DoDispose() override;

  private:
    /** A time or a span, in steps of the simulator's clock. */
    using Steps = int64_t;

    static constexpr Steps NEVER = std::numeric_limits<Steps>::max() / 4; ///< Not at all.

    /** State of a station. */
    enum class State : uint8_t
    {
        IDLE,    ///< It has no frame.
        WAITING, ///< For the wire, or for the end of its backoff.
        SENDING  ///< A frame, or a jam.
    };

    /** A station. */
    struct Station
    {
        MediumUser* user{nullptr};  ///< The station itself.
        Ptr<NetDevice> device;      ///< Its device, if it has one.
        Ptr<const WireFrame> frame; ///< Its frame.
        Steps place{0};             ///< Delay from the origin of the cable.
        Steps ready{0};             ///< Earliest time to send.
        Steps start{0};             ///< Planned start, as far as known.
        Steps quiet{-NEVER};        ///< End of the last carrier that has gone past all stations.
        uint32_t attempts{0};       ///< Attempts made with the frame.
        uint32_t context{Simulator::NO_CONTEXT}; ///< Number of its node, once known.
        State state{State::IDLE};                ///< Its state.
        bool own{false};                         ///< It has itself sent in that carrier.
    };

    /** A transmission, from its beginning until its end has passed all stations. */
    struct Signal
    {
        uint32_t station{0};    ///< The sender.
        Steps begin{0};         ///< First bit leaves.
        Steps end{0};           ///< Last bit leaves, as far as known.
        Steps collision{NEVER}; ///< Detection of a collision by the sender.
        bool over{false};       ///< The sender was notified of the end.
    };

    /** A frame on its way to its readers. */
    struct Delivery : public SimpleRefCount<Delivery>
    {
        Ptr<const WireFrame> frame;                      ///< The frame.
        std::vector<std::pair<Steps, uint32_t>> readers; ///< Delay and number, nearest first.
        std::size_t next{0};                             ///< Next reader.
        uint32_t from{0};                                ///< The sender.
        Steps begin{0};                                  ///< Departure of its first bit.
        Steps end{0};                                    ///< Departure of its last bit.
    };

    /**
     * Convert bits to time.
     * @param bits bits at the data rate
     * @return their duration
     */
    Steps GetSteps(uint64_t bits) const;

    /**
     * Get a delay.
     * @param a a station
     * @param b another
     * @return the delay; 0 from a station to itself
     */
    Steps GetDistance(uint32_t a, uint32_t b) const
    {
        return a == b ? 0 : m_common + std::abs(m_stations[a].place - m_stations[b].place);
    }

    /**
     * Add a signal to a station's view of the carrier.
     * @param quiet end of the carrier that it has sensed before; updated
     * @param own whether it has itself sent in that; updated
     * @param signal the signal
     * @param station the station
     * @param ready earliest time for the station to send
     * @return its start regardless of the signal; NEVER if the signal defers it
     */
    Steps Sense(Steps& quiet, bool& own, const Signal& signal, uint32_t station, Steps ready) const;

    /** Convert the attributes to steps, and find the diameter. */
    void Derive();

    /**
     * Find the start of a waiting station, unless a signal not yet known arrives.
     * @param station the station
     * @return the time
     */
    Steps FindStart(uint32_t station) const;

    /**
     * A station begins to send.
     * @param station the station
     * @param now the time
     */
    void Begin(uint32_t station, Steps now);

    /**
     * A station notices a collision.
     * @param signal its signal
     * @param when the time
     */
    void Collide(Signal& signal, Steps when) const;

    /**
     * A transmission has ended.
     * @param signal the transmission
     */
    void End(const Signal& signal);

    /**
     * A station's attempt has collided: back off or give up.
     * @param signal the attempt
     */
    void BackOff(const Signal& signal);

    /**
     * Send a frame on its way to its readers.
     * @param signal the transmission that has ended
     * @param frame the frame
     */
    void Deliver(const Signal& signal, Ptr<const WireFrame> frame);

    /**
     * Schedule the arrival of a frame at its next reader.
     * @param delivery the frame
     */
    void ScheduleArrival(Ptr<Delivery> delivery);

    /**
     * A frame arrives at the next station, and all as far away.
     * @param delivery the frame
     */
    void Arrive(Ptr<Delivery> delivery);

    /**
     * Check whether another signal overlaps a frame.
     * @param delivery the frame
     * @param station the receiver
     * @return whether the frame is damaged
     */
    bool IsDamaged(const Delivery& delivery, uint32_t station) const;

    /**
     * Process all that is due.
     * @param when planned time of the call; ignored if there is a newer plan
     */
    void Advance(Steps when);

    /**
     * Find the start of each waiting station, and schedule Advance for whatever is due next.
     * @param now the time
     */
    void Plan(Steps now);

    /**
     * Schedule Advance, unless it is scheduled earlier.
     * @param when the time
     * @param station the station that acts then
     * @param now the time now
     */
    void Wake(Steps when, uint32_t station, Steps now);

    /**
     * Get the context of a station's events.
     * @param station the station
     * @return the number of its node, if it has one
     */
    uint32_t GetContext(uint32_t station);

    /**
     * Forget signals that have passed all stations.
     * @param now the time
     */
    void Forget(Steps now);

    std::vector<Station> m_stations;     ///< All stations.
    std::vector<Signal> m_signals;       ///< Transmissions that still matter.
    Ptr<UniformRandomVariable> m_random; ///< Draws backoffs.
    std::vector<std::pair<Steps, const Signal*>> mutable m_heard; ///< Signals by their arrival.
    Steps m_wake{NEVER};                                          ///< Next call of Advance.
    Counters m_counters;                                          ///< Counts.
    TracedCallback<const Attempt&> m_attempt;                     ///< End of an attempt.
    DataRate m_rate;                                              ///< Rate.
    Time m_delay;               ///< Delay between any two stations.
    double m_spacing{0};        ///< Cable between neighbours [m].
    Steps m_common{0};          ///< The same, in steps.
    Steps m_diameter{0};        ///< Greatest delay between two stations.
    Steps m_slot{0};            ///< Slot time.
    Steps m_gap{0};             ///< Interframe gap.
    Steps m_firstPart{0};       ///< Part of the gap that a carrier restarts.
    uint32_t m_attemptLimit{0}; ///< Attempts before a frame is given up.
    bool m_advancing{false};    ///< Advance is at work.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SEGMENT_H
