/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TIMELINE_H
#define MESSAGING_TIMELINE_H

#include "ns3/callback.h"
#include "ns3/messaging-any-port.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-host.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <ostream>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Where the time of each message went.
 */

namespace ns3
{
namespace messaging
{

/** Parts of a message's latency, which add up to it. */
enum class LatencyPart : uint8_t
{
    SENDER,     ///< Wait at the sender: for the protocol's window, table, credit or handshake.
    REPEAT,     ///< Wait until a frame was sent again that had been lost, or seemed to be.
    PROCESSORS, ///< Work of the hosts of sender and receiver, and waits for it.
    NETWORK,    ///< What an idle network takes for the message's frames.
    QUEUEING,   ///< Further time in the network, behind other frames.
    RECEIVER    ///< Hold at the receiver, for missing frames or earlier messages.
};

/** Number of parts. */
inline constexpr std::size_t N_LATENCY_PARTS = static_cast<std::size_t>(LatencyPart::RECEIVER) + 1;

/** Times of all parts, in steps of Time. */
struct LatencyParts
{
    std::array<int64_t, N_LATENCY_PARTS> steps{}; ///< Time by part.

    /** @param part a part @return its time */
    int64_t& operator[](LatencyPart part)
    {
        return steps[static_cast<std::size_t>(part)];
    }

    /** @param part a part @return its time */
    int64_t operator[](LatencyPart part) const
    {
        return steps[static_cast<std::size_t>(part)];
    }

    /** @return the sum of all parts. */
    int64_t GetSum() const;
};

/**
 * Print the name of a part.
 * @param os the stream
 * @param part the part
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, LatencyPart part);

/**
 * @ingroup messaging
 * Observer that splits the latency of each message into parts, by the times at which frames that
 * carry it leave and arrive.
 *
 * Connect its methods to trace sources: those of the delivery audit, and those of frames at two
 * places, above and below the host that handles them; without hosts both are the same place. A
 * frame belongs to the message whose contents it carries.
 *
 * A message is complete when its last frame arrives. Its latency is then the way of this frame:
 *
 * @verbatim
     posted ... first frame ... first copy ... copy that arrives ... arrival ... delivery
        | SENDER     |   sending    |   REPEAT        | NETWORK, QUEUEING |  RECEIVER
   @endverbatim
 *
 * While a message waits at its sender, what the host computes counts as PROCESSORS, and the time
 * for which other frames occupy the sender's channel as QUEUEING; SENDER is the rest, in which only
 * the protocol kept the message from being sent.
 *
 * While the frames before the last one are sent ("sending"), what an idle network needs for them
 * counts as NETWORK, and the rest as if the message waited. A frame that is ready and waits for the
 * network counts as QUEUEING. The time of a frame on an idle network is the closed form of its
 * port, plus the least by which a frame of its size has exceeded this so far: ports do not state
 * the switches that store and forward.
 *
 * It also measures for how long messages wait while no frame is in flight and no processor busy:
 * such a wait is for a timer (GetTimerWait).
 */
class MessageTimeline : public Object
{
  public:
    /** Called with the sender of messages that will never arrive, and their number. */
    using LostCallback = Callback<void, Peer, uint32_t>;

    /** Place of an observed frame. */
    enum class Place : uint8_t
    {
        CORE, ///< Between protocol and host.
        WIRE  ///< Between host and network.
    };

    /** The part of a message that a frame carries. */
    struct Carried
    {
        uint64_t contents{0}; ///< Contents of the message, or of its last segment.
        uint64_t key{0};      ///< The same for all copies of a frame, and for no other frame of
                              ///< the message.
        int64_t idle{0};      ///< Time of the frame on an idle network, in steps of Time.
        int64_t wire{0};      ///< Part of it for which the frame occupies its sender's channel.
        uint32_t copies{1};   ///< Number of peers that it is sent to.
        uint32_t bytes{0};    ///< Size of the part of the message [bytes].
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Set what is observed.
     * @param peers number of peers
     * @param confirms the protocol confirms deliveries (MessageGroup::ConfirmsDelivery)
     * @param hosts the hosts of all peers; none if frames cost nothing
     */
    void Begin(uint32_t peers, bool confirms, const std::vector<Ptr<HostModel>>& hosts);

    /**
     * State that the parts are those of streams, as TCP sends them: a repeated part has no key in
     * common with the first copy. It is recognized by the number of bytes sent before.
     * @param header bytes of a stream before each message
     */
    void SetStreams(uint32_t header)
    {
        m_streams = true;
        m_streamHeader = header;
    }

    /**
     * Set the callback for messages that will never arrive: the protocol has completed them, and
     * none of their frames is in flight. It is only called if the protocol confirms no deliveries.
     * @param lost the callback
     */
    void SetLostCallback(LostCallback lost)
    {
        m_lost = lost;
    }

    /** An application has a message to send, which waits from now on. @param self its sender */
    void OnQueue(Peer self);

    /** The audit passes a message to the protocol, the one that has waited longest. @param self its
     * sender @param request it */
    void OnPost(Peer self, const Request& request);

    /** The protocol has not accepted a message. @param self its sender @param request it @param
     * acceptance the reason */
    void OnDecline(Peer self, const Request& request, Acceptance acceptance);

    /** A message has reached a stage. @param self its sender @param id it @param completion stage
     */
    void OnComplete(Peer self, RequestId id, Completion completion);

    /**
     * A message is delivered, so that its parts are complete.
     * @param self its receiver
     * @param delivery the message
     */
    void OnDeliver(Peer self, const Delivery& delivery);

    /**
     * Keep the parts of the message delivered last, as one of the workload.
     * @param latency its latency, which the parts add up to
     */
    void Keep(Time latency);

    /**
     * A part of a message is sent.
     * @param place where
     * @param self its sender
     * @param part the part
     * @return whether it has been sent before, as its first place sees; false at the second
     */
    bool OnSend(Place place, Peer self, const Carried& part);

    /**
     * A part of a message arrives.
     * @param place where
     * @param self its receiver
     * @param part the part
     */
    void OnArrive(Place place, Peer self, const Carried& part);

    /**
     * A copy of a part of a message that was sent will not arrive.
     * @param part the part
     */
    void OnLoss(const Carried& part);

    /**
     * A frame enters the network, whatever it carries.
     * @param self its sender
     * @param wire time for which it occupies the sender's channel, in steps of Time
     * @param copies number of peers that it is sent to
     */
    void Depart(Peer self, int64_t wire, uint32_t copies)
    {
        m_wire[self] += wire;
        AddInFlight(copies);
    }

    /**
     * The number of frames in flight has changed otherwise than by Depart.
     * @param change the change: -1 for a frame that arrives or is lost, 1 for a duplicated one
     */
    void AddInFlight(int64_t change)
    {
        m_inFlight += change;
        Watch();
        if (m_inFlight <= 0 && m_hasUnknown)
        {
            DrainLater();
        }
    }

    /**
     * Frames are lost in the network, which does not tell what they carry. Once no frame is in
     * flight, the messages that have not arrived are lost.
     * @param copies the frames, in deliveries
     */
    void OnNetworkLoss(uint64_t copies);

    /** @return the parts of all messages of the workload, in the order of their deliveries. */
    const std::vector<LatencyParts>& GetParts() const
    {
        return m_parts;
    }

    /** @return the time in which messages waited while no frame was in flight and no host busy. */
    Time GetTimerWait() const
    {
        return TimeStep(m_timerWait);
    }

    /** @return the number of frames in flight. */
    int64_t GetNInFlight() const
    {
        return m_inFlight;
    }

  protected:
    void DoDispose() override;

  private:
    /** Time and work at a point of a message's way. */
    struct Point
    {
        int64_t time{0}; ///< The time.
        int64_t work{0}; ///< Busy time of the host so far.
        int64_t wire{0}; ///< Occupied time of the peer's channel so far.
    };

    /** A copy of a frame. */
    struct Copy
    {
        Point core; ///< Passed to the host.
        Point wire; ///< Passed to the network.
    };

    /** A frame of a message. */
    struct FrameTimes
    {
        uint64_t key{0};      ///< The frame.
        Point first;          ///< First copy passed to the host.
        int64_t own{0};       ///< Time of earlier frames of the message on the channel.
        Copy oldest{};        ///< Oldest copy in flight.
        Copy newest{};        ///< Newest copy.
        Point arrival{};      ///< Last arrival at a host.
        uint32_t inFlight{0}; ///< Copies in flight, in deliveries.
        bool arrived{false};  ///< A copy has arrived at the receiver, if there is one.
    };

    /** What is known about the way of a message to one receiver. */
    struct Way
    {
        LatencyParts parts; ///< Parts until the last frame has arrived.
        Point end;          ///< Arrival of the last frame.
        bool begun{false};  ///< A frame has arrived.
    };

    /** The way of a message to one of several receivers. */
    struct BranchWay : Way
    {
        std::vector<bool> arrived; ///< By frame, whether a copy has arrived.
    };

    /** A message that has been posted, in the size of a cache line. */
    struct Record
    {
        RequestId id{0};            ///< The message, by the audit.
        uint64_t last{0};           ///< Contents of its last segment.
        Point posted;               ///< Accepted by the protocol.
        Peer from{0};               ///< Sender.
        Peer to{0};                 ///< Receiver; NO_PEER for all others.
        uint32_t bytes{0};          ///< Its size.
        uint32_t missing{0};        ///< Deliveries to come.
        uint32_t flight{NO_FLIGHT}; ///< Place of its flight.
        bool hasBegun{false};       ///< A frame has been sent.
        bool completed{false};      ///< The protocol has completed it.
    };

    /** The frames of a message, from the first that is sent until it is delivered and completed. */
    struct Flight
    {
        FrameTimes first;             ///< Its first frame.
        std::vector<FrameTimes> more; ///< Its other frames, in the order of their first copies.
        uint32_t count{0};            ///< Number of its frames.
        uint32_t inFlight{0};         ///< Copies of its frames, in deliveries.
        Point begun;                  ///< First frame sent.
        int64_t own{0};               ///< Time of its frames on its sender's channel.
        uint64_t sent{0};             ///< Bytes of its frames sent.
        int64_t allSent{0};           ///< Time at which all of its bytes had been sent once.
        Way way;                      ///< Its way to its receiver, if there is one.
        std::vector<BranchWay> ways;  ///< Its ways to several receivers.
        std::unordered_map<uint64_t, uint32_t> index; ///< Numbers of its frames, if many.

        /** @param number a number of a frame @return the frame */
        FrameTimes& At(uint32_t number)
        {
            return number == 0 ? first : more[number - 1];
        }
    };

    /** Place of the flight of a message that has none. */
    static constexpr uint32_t NO_FLIGHT = ~uint32_t{0};

    /**
     * Give a message a flight, as its first frame is sent.
     * @param record the message
     * @param begun the present time at its sender
     */
    void TakeFlight(Record& record, const Point& begun);

    /** End the flight of a message, if it has one. @param record the message */
    void EndFlight(Record& record);

    /** End the flight of a message that is delivered and completed. @param record the message */
    void EndFlightIfOver(Record& record);

    /**
     * Find the message that a frame carries.
     * @param contents the frame's contents
     * @return the message, or nullptr
     */
    Record* Find(uint64_t contents);

    /**
     * Find a frame of a message.
     * @param flight the message's flight
     * @param key the frame
     * @return its number; the number of frames if it is new
     */
    static uint32_t FindFrame(const Flight& flight, uint64_t key);

    /**
     * Add a frame to a message.
     * @param flight the message's flight
     * @param part the part of the message that it carries
     * @param first the present time at its sender
     */
    static void AddFrame(Flight& flight, const Carried& part, const Point& first);

    /** @param peer a peer @return time and work at its host now. */
    Point Mark(Peer peer) const;

    /**
     * Split an interval at a peer into work of its host and another part.
     * @param parts the parts
     * @param part what the host does not do
     * @param begin begin of the interval
     * @param end its end
     */
    static void Split(LatencyParts& parts, LatencyPart part, const Point& begin, const Point& end);

    /**
     * Split a wait at the sender into work of its host, other frames on its channel, and the rest.
     * @param parts the parts
     * @param time length of the wait
     * @param work work of the host in it
     * @param wire time for which other frames occupied the channel
     */
    static void Wait(LatencyParts& parts, int64_t time, int64_t work, int64_t wire);

    /**
     * Compute the parts until a frame has arrived.
     * @param posted when the protocol has accepted its message
     * @param flight the message's flight
     * @param frame its frame
     * @param end arrival of the frame at the receiver
     * @param idle time of the frame on an idle network
     * @return the parts, which add up to the time since the protocol has accepted the message
     */
    LatencyParts GetPartsUntil(const Point& posted,
                               const Flight& flight,
                               const FrameTimes& frame,
                               const Point& end,
                               int64_t idle) const;

    /**
     * Get the time of a frame that arrives on an idle network.
     * @param frame the frame
     * @param part the part of a message that it carries
     * @return the closed form, plus the least excess over it of frames of this size
     */
    int64_t GetIdle(const FrameTimes& frame, const Carried& part);

    /** Check a message that may be lost for ever, after the present event. @param record it */
    void CheckLater(const Record& record);

    /** @param record a message @return whether it is completed and none of its frames in flight. */
    bool IsStranded(const Record& record) const;

    /**
     * Give up a message if it is lost for ever. While the receiver's host works, the message may
     * still be on its way to the application.
     * @param id the message
     * @param work busy time of the receiver's host at the last check; negative at the first
     */
    void Check(RequestId id, int64_t work);

    /**
     * Give up all messages that wait for lost frames, unless a frame is in flight or a host works.
     * @param work busy time of all hosts at the last check; negative at the first
     */
    void Drain(int64_t work);

    /** Expect no further delivery of a message. @param record it @return the deliveries missing */
    uint32_t Abandon(Record& record);

    /** Begin or end a wait for a timer after a change. */
    void Watch()
    {
        const bool quiet = m_inFlight <= 0 && m_expected > 0;
        if (quiet != (m_quietSince >= 0))
        {
            SwitchQuiet();
        }
    }

    /** Begin a wait for a timer, or end the present one. */
    void SwitchQuiet();

    /** Call Drain after the present event. */
    void DrainLater();

    /** @return the busy time of all hosts. */
    int64_t GetWork() const;

    std::vector<Ptr<HostModel>> m_hosts;            ///< Hosts by peer, or none.
    std::vector<int64_t> m_wire;                    ///< Occupied time of each peer's channel.
    std::vector<Record> m_records;                  ///< Messages by slot of the audit.
    std::vector<Flight> m_flights;                  ///< Flights, in use or not.
    std::vector<uint32_t> m_idleFlights;            ///< Those not in use.
    RequestId m_lastSerial{0};                      ///< The largest count in an id so far.
    std::unordered_map<uint64_t, uint32_t> m_lasts; ///< Slots by contents of last segments.
    bool m_seesSegments{false}; ///< A frame had contents of its own, so that the slots are needed.
    std::vector<LatencyParts> m_parts;       ///< Parts of all messages of the workload.
    LostCallback m_lost;                     ///< Called with lost messages.
    LatencyParts m_last;                     ///< Parts of the message delivered last.
    int64_t m_inFlight{0};                   ///< Frames in flight.
    bool m_hasUnknown{false};                ///< Lost frames carried unknown messages.
    bool m_draining{false};                  ///< Drain will be called.
    std::vector<std::deque<Point>> m_queued; ///< By peer, posts that the protocol has not accepted.
    std::map<uint32_t, int64_t> m_excess;    ///< Least excess over the closed form, by size.
    int64_t m_expected{0};                   ///< Deliveries to come.
    int64_t m_timerWait{0};                  ///< Waits for timers so far.
    int64_t m_quietSince{-1};                ///< Begin of the current wait, or -1.
    int64_t m_quietWork{0};                  ///< Work of all hosts at that time.
    bool m_confirms{false};                  ///< The protocol confirms deliveries.
    bool m_streams{false};                   ///< The parts are those of streams.
    uint32_t m_streamHeader{0};              ///< Bytes of a stream before each message.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TIMELINE_H
