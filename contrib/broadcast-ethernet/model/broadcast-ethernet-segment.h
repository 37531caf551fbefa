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
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Shared segment with CSMA/CD.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Shared half-duplex segment, a cable with taps or a hub, with CSMA/CD (IEEE 802.3, clause 4.2).
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
 * Signals propagate: the delay between two stations is Delay plus that of the cable between their
 * positions. A station can therefore start before another's signal arrives, and each detects the
 * collision when the other's signal arrives. The capture effect results from the backoff: a station
 * that has just won resets its attempts, while the others back off for longer and longer.
 *
 * Stations are records in an array. Simulator events are the begin and the end of a transmission
 * and the arrival of a frame; waiting stations have no events.
 */
class EthernetSegment : public EthernetMedium
{
  public:
    /** Finished attempt to send a frame. */
    struct Attempt
    {
        uint32_t station{0}; ///< The sender.
        uint32_t number{0};  ///< Number of the attempt, from 1.
        Time begin;          ///< First bit of the preamble.
        Time collision{-1};  ///< Detection of a collision; negative without one.
        Time end;            ///< Last bit of the frame, or of the jam.
        Time retry{-1};      ///< End of the backoff; negative if the frame is not sent again.
    };

    /** Counts since construction. */
    struct Counters
    {
        uint64_t attempts{0};            ///< Transmissions begun.
        uint64_t collided{0};            ///< Transmissions that ended in a collision.
        uint64_t sent{0};                ///< Frames sent.
        uint64_t sentBytes{0};           ///< Their bytes, from header to FCS.
        uint64_t excessiveCollisions{0}; ///< Frames given up after the last attempt.
        uint64_t lateCollisions{0};      ///< Collisions past the collision window.
        uint64_t damaged{0};             ///< Receptions overlapped by another signal.
        std::vector<uint64_t> sentAfter; ///< Frames sent by number of attempts, from index 1.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EthernetSegment();

    /**
     * Set the position of a station, by default Spacing times its number.
     * @param station the station
     * @param position its position on the cable [m]
     */
    void SetPosition(uint32_t station, double position);

    /** @return the counts. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    int64_t AssignStreams(int64_t stream) override;

    uint32_t Attach(MediumUser* user, Ptr<NetDevice> device) override;
    void Transmit(uint32_t station, Ptr<const WireFrame> frame) override;

    /** @return empty if stations can be attached, or one sentence with the error. */
    std::string Check() const;

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
    /** Time or duration, in steps of the simulator's clock. */
    using Steps = int64_t;

    static constexpr Steps NEVER = std::numeric_limits<Steps>::max() / 4; ///< No time.

    /** State of a station. */
    enum class State : uint8_t
    {
        IDLE,    ///< No frame.
        WAITING, ///< It waits for the wire or for the end of its backoff.
        SENDING  ///< It sends a frame or a jam.
    };

    /** Carrier that a station has sensed. */
    struct Carrier
    {
        Steps quiet{-NEVER}; ///< Its end.
        bool own{false};     ///< The station sent during it.
    };

    /** State of a station. */
    struct Station
    {
        MediumUser* user{nullptr};               ///< The station, not owned.
        Ptr<NetDevice> device;                   ///< Its device, or null.
        Ptr<const WireFrame> frame;              ///< Its current frame.
        Steps place{0};                          ///< Delay from the origin of the cable.
        Steps ready{0};                          ///< Earliest time to send.
        Steps start{0};                          ///< Planned start, from the known signals.
        Carrier past;                            ///< The last carrier past all stations.
        uint32_t attempts{0};                    ///< Attempts made with the frame.
        uint32_t context{Simulator::NO_CONTEXT}; ///< Context of its node, once known.
        State state{State::IDLE};                ///< State of the MAC.
    };

    /** Transmission, from its begin until its end has passed all stations. */
    struct Signal
    {
        uint32_t station{0};    ///< The sender.
        Steps begin{0};         ///< Departure of the first bit.
        Steps end{0};           ///< Departure of the last bit, by current plan.
        Steps collision{NEVER}; ///< Detection of a collision by the sender.
        bool over{false};       ///< The sender was notified of the end.
    };

    /** Frame in propagation to its receivers. */
    struct Delivery : public SimpleRefCount<Delivery>
    {
        Ptr<const WireFrame> frame;                      ///< The frame.
        std::vector<std::pair<Steps, uint32_t>> readers; ///< Delay and receiver, nearest first.
        std::size_t next{0};                             ///< Next receiver.
        uint32_t from{0};                                ///< The sender.
        Steps begin{0};                                  ///< Departure of its first bit.
        Steps end{0};                                    ///< Departure of its last bit.
    };

    /**
     * Convert bits to time.
     * @param bits number of bits
     * @return their duration at the data rate
     */
    Steps GetSteps(uint64_t bits) const;

    /**
     * Get the delay between two stations.
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
     * @param carrier the carrier sensed before; updated
     * @param signal the signal
     * @param station the station
     * @param ready earliest time for the station to send
     * @return its start if the signal does not defer it, or NEVER
     */
    Steps Sense(Carrier& carrier, const Signal& signal, uint32_t station, Steps ready) const;

    /** Convert the attributes to steps, and compute the diameter. */
    void Derive();

    /**
     * Compute the start of a waiting station from the known signals.
     * @param station the station
     * @return the time
     */
    Steps FindStart(uint32_t station) const;

    /**
     * Begin a transmission.
     * @param station the station
     * @param now the time
     */
    void Begin(uint32_t station, Steps now);

    /**
     * Abort a transmission at the detection of a collision.
     * @param signal its signal
     * @param when the time
     */
    void Collide(Signal& signal, Steps when) const;

    /**
     * End a transmission.
     * @param signal the transmission
     */
    void End(const Signal& signal);

    /**
     * Back off or give up after a collision.
     * @param signal the transmission
     * @param attempt its record
     */
    void BackOff(const Signal& signal, Attempt attempt);

    /**
     * Begin the propagation of a frame to its receivers.
     * @param signal the finished transmission
     * @param frame the frame
     */
    void Deliver(const Signal& signal, Ptr<const WireFrame> frame);

    /**
     * Schedule the arrival of a frame at its next receiver.
     * @param delivery the frame
     */
    void ScheduleArrival(Ptr<Delivery> delivery);

    /**
     * Deliver a frame to the next receiver and to all at the same distance.
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
     * Process all due begins, collisions and ends.
     * @param when planned time of the call; ignored if there is a newer plan
     */
    void Advance(Steps when);

    /**
     * Compute the start of each waiting station, and schedule Advance for the next action.
     * @param now the time
     */
    void Plan(Steps now);

    /**
     * Schedule Advance, unless an earlier call is scheduled.
     * @param when the time
     * @param station the station of the action
     * @param now the current time
     */
    void Wake(Steps when, uint32_t station, Steps now);

    /**
     * Get the context of a station's events.
     * @param station the station
     * @return the number of its node, or Simulator::NO_CONTEXT
     */
    uint32_t GetContext(uint32_t station);

    /**
     * Remove signals that have passed all stations.
     * @param now the time
     */
    void Forget(Steps now);

    std::vector<Station> m_stations;     ///< All stations.
    std::vector<Signal> m_signals;       ///< Transmissions that have not passed all stations.
    Ptr<UniformRandomVariable> m_random; ///< Backoffs.
    std::vector<std::pair<Steps, const Signal*>> mutable m_heard; ///< Signals by their arrival.
    Steps m_wake{NEVER};                                          ///< Next call of Advance.
    Counters m_counters;                                          ///< Counts.
    TracedCallback<const Attempt&> m_attempt;                     ///< End of an attempt.
    DataRate m_rate;                                              ///< Rate.
    Time m_delay;               ///< Delay between any two stations.
    double m_spacing{0};        ///< Cable between neighbours [m].
    Steps m_common{0};          ///< Attribute Delay, in steps.
    Steps m_diameter{0};        ///< Longest delay between two stations.
    Steps m_slot{0};            ///< Slot time.
    Steps m_gap{0};             ///< Interframe gap.
    Steps m_firstPart{0};       ///< Part of the gap that a carrier restarts.
    uint32_t m_attemptLimit{0}; ///< Attempts before a frame is given up.
    bool m_advancing{false};    ///< Advance is running.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SEGMENT_H
