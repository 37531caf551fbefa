/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_CORE_H
#define BROADCAST_ETHERNET_SWITCH_CORE_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <functional>
#include <ostream>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Forwarding of a store-and-forward switch, without simulator and packets.
 */

namespace ns3
{
namespace ethernet
{

/** Unit of a switch's buffers. */
enum class BufferUnit : uint8_t
{
    FRAMES, ///< Frames, whatever their length: each takes a slot.
    BYTES   ///< Bytes of frames, checksum included.
};

/** Sharing of a switch's memory. */
enum class BufferSharing : uint8_t
{
    PRIVATE,  ///< Each output port has a buffer of its own.
    COMPLETE, ///< All output ports share a pool, first come, first served.
    DYNAMIC   ///< They share a pool; a queue may grow to a multiple of the free part.
};

/** Replication of a frame that leaves at several ports. */
enum class Replication : uint8_t
{
    PARALLEL, ///< All output ports read the frame at the same time.
    SERIAL    ///< One copy after the other crosses a bus that all frames share.
};

/** Reason for dropping a frame, or a copy of it. */
enum class SwitchDrop : uint8_t
{
    OVERFLOW,  ///< The output port's buffer is full.
    POOL,      ///< The shared pool is full.
    THRESHOLD, ///< The queue has reached its share of the pool.
    LOSS,      ///< A fault of the switch, by chance.
    LINK_DOWN, ///< The output port's link is down, or went down with the frame queued.
    N_REASONS  ///< Number of reasons.
};

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SwitchDrop reason);

/** Parameters of a switch; sizes are in frames or bytes. */
struct SwitchConfig
{
    Time latency{MicroSeconds(10)};                 ///< From a frame's end to its earliest start.
    Time ageing{Seconds(300)};                      ///< Life of a learned address; 0: unlimited.
    uint32_t addresses{4096};                       ///< Addresses that can be learned.
    uint64_t buffer{64};                            ///< Size of each port's buffer, or of the pool.
    BufferUnit unit{BufferUnit::FRAMES};            ///< Its unit.
    BufferSharing sharing{BufferSharing::PRIVATE};  ///< Its sharing.
    double alpha{1};                                ///< Queue over free pool, at most, if DYNAMIC.
    Replication replication{Replication::PARALLEL}; ///< Copies of broadcasts.
    uint64_t busRate{1000000000};                   ///< Rate of the bus, if SERIAL [bit/s].
    bool pause{false};                              ///< PAUSE frames are sent.
    double pauseHigh{0.5};       ///< Share of the buffer above which senders are paused.
    double pauseLow{0.25};       ///< Share at which they may go on.
    uint16_t pauseQuanta{65535}; ///< Length of a pause [512 bit times].
};

/** No port of a switch. */
constexpr uint32_t NO_PORT = UINT32_MAX;

/** Header of a frame. */
struct SwitchFrame
{
    uint64_t to;    ///< Destination address.
    uint64_t from;  ///< Source address.
    uint32_t bytes; ///< Length, from the header to the FCS.
};

/** Counts of a port of a switch. */
struct SwitchPortCounters
{
    uint64_t framesIn{0};   ///< Frames that have come in.
    uint64_t bytesIn{0};    ///< Their bytes, from header to FCS.
    uint64_t filtered{0};   ///< Those of them that leave nowhere: their receiver is on their link.
    uint64_t flooded{0};    ///< Those of them that went to all since their receiver was unknown.
    uint64_t offered{0};    ///< Copies meant for this port.
    uint64_t framesOut{0};  ///< Copies that have arrived at the other end of its link.
    uint64_t bytesOut{0};   ///< Their bytes.
    uint64_t peak{0};       ///< Longest queue, the frame on the wire included [buffer unit].
    uint64_t pausesSent{0}; ///< PAUSE frames sent, those that end a pause included.
    uint64_t pausesReceived{0}; ///< PAUSE frames received.
    std::array<uint64_t, static_cast<std::size_t>(SwitchDrop::N_REASONS)> drops{}; ///< By reason.
};

/**
 * @ingroup broadcast-ethernet
 * The forwarding of a switch: the output ports of a frame, its departures, and the buffers.
 *
 * The times at which a frame leaves all its ports are computed when it comes in, since a first-in
 * first-out queue in front of a wire of constant rate leaves nothing open. So a frame costs no
 * event of its own at any queue: copies that arrive at the same time are one departure, which the
 * owner has to deliver. Only PAUSE frames and failing links change the computed times;
 * a departure that no longer holds is passed over by Deliver.
 *
 * A frame occupies buffers from when its last bit has come in until its last bit has left.
 *
 * All times are in nanoseconds and never go back. GetOutput lists the owner's duties after a call;
 * the owner clears it.
 */
class SwitchCore
{
  public:
    /** Copies of a frame that arrive at the same time. */
    struct Departure
    {
        int64_t at;      ///< Arrival at the other ends of their links [ns].
        uint32_t number; ///< For GetPort, Deliver and Advance.
    };

    /** A copy that is not forwarded. */
    struct Drop
    {
        uint32_t port;     ///< The output port.
        uint32_t slot;     ///< Slot of the frame.
        SwitchDrop reason; ///< The reason.
    };

    /** A PAUSE frame that the switch sends. */
    struct Pause
    {
        int64_t at;      ///< Arrival at the other end [ns].
        int64_t again;   ///< Time to call Refresh [ns]; 0: never.
        uint32_t port;   ///< The port at which it leaves.
        uint16_t quanta; ///< Length of the pause [512 bit times].
    };

    /** Duties of the owner. */
    struct Output
    {
        std::vector<Departure> departures; ///< Deliver their copies then.
        std::vector<Drop> drops;           ///< Report these.
        std::vector<Pause> pauses;         ///< Carry these.
        std::vector<uint32_t> freed;       ///< Release the frames in these slots, after all else.

        /** @return whether there are no duties. */
        bool IsEmpty() const
        {
            return departures.empty() && drops.empty() && pauses.empty() && freed.empty();
        }

        /** Remove all duties. */
        void Clear()
        {
            departures.clear();
            drops.clear();
            pauses.clear();
            freed.clear();
        }
    };

    /** Decides whether a copy is lost. */
    using Chance = std::function<bool()>;

    /**
     * Construct.
     * @param config the parameters
     */
    explicit SwitchCore(const SwitchConfig& config);

    /**
     * Add a port; before any frame comes in.
     * @param bitTime length of a bit [ns]
     * @param delay of its cable [ns]
     * @return its number
     */
    uint32_t AddPort(int64_t bitTime, int64_t delay);

    /** @return the number of ports. */
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /**
     * Set the random loss.
     * @param chance called once for each copy, returns true to lose it; empty: none is lost
     */
    void SetLoss(Chance chance)
    {
        m_chance = std::move(chance);
    }

    /**
     * A frame has come in.
     * @param now the time at which its last bit has come in
     * @param in the port
     * @param frame the frame
     * @return the slot that stands for the frame until Output::freed names it
     */
    uint32_t Forward(int64_t now, uint32_t in, const SwitchFrame& frame);

    /**
     * @param number from Departure
     * @return the slot of its frame
     */
    uint32_t GetSlot(uint32_t number) const
    {
        return m_batches[number].slot;
    }

    /**
     * @param number from Departure
     * @return the port of the next copy to be delivered
     */
    uint32_t GetPort(uint32_t number) const
    {
        const Batch& batch = m_batches[number];
        return batch.ports[batch.next];
    }

    /**
     * The next copy of a departure has arrived, if it has not been put off or lost meanwhile.
     * @param number from Departure
     * @return whether it has
     */
    bool Deliver(uint32_t number)
    {
        const Batch& batch = m_batches[number];
        const uint32_t slot = batch.slot;
        if (!Pop(batch.at, slot, batch.ports[batch.next]))
        {
            return false;
        }
        Unreference(slot);
        return true;
    }

    /**
     * Go on to the next copy of a departure.
     * @param number from Departure
     * @return false if there is none: the departure is done with
     */
    bool Advance(uint32_t number)
    {
        Batch& batch = m_batches[number];
        if (++batch.next < batch.ports.size())
        {
            return true;
        }
        m_freeBatches.push_back(number);
        return false;
    }

    /**
     * A PAUSE frame has come in: its port stops after the frame that is on the wire.
     * @param now the time
     * @param port the port
     * @param quanta for how long [512 bit times]; 0: not any more
     */
    void OnPause(int64_t now, uint32_t port, uint16_t quanta);

    /**
     * Repeat a request to pause before it has run out, if it is still needed.
     * @param now the time, from Pause::again
     * @param port from Pause
     */
    void Refresh(int64_t now, uint32_t port);

    /**
     * The link of a port goes down or up. What is queued there or on the wire is lost, and the
     * addresses learned there are forgotten.
     * @param now the time
     * @param port the port
     * @param up whether it is up
     */
    void SetLinkUp(int64_t now, uint32_t port, bool up);

    /**
     * @param port a port
     * @return whether its link is up
     */
    bool IsLinkUp(uint32_t port) const
    {
        return m_ports[port].up;
    }

    /**
     * @param port a port
     * @return its counts
     */
    const SwitchPortCounters& GetCounters(uint32_t port) const
    {
        return m_ports[port].counters;
    }

    /** @return the duties of the owner. */
    Output& GetOutput()
    {
        return m_output;
    }

  private:
    /** A frame in the queue of a port, or on its wire. */
    struct Entry
    {
        int64_t end;    ///< Departure of its last bit [ns].
        int64_t ready;  ///< Earliest departure of its first bit [ns].
        uint32_t slot;  ///< Slot of the frame.
        uint32_t bytes; ///< Its length.
    };

    /** A port. Entries from head on are on the wire or queued; those before `released` have left.
     */
    struct Port
    {
        int64_t bitTime{0};          ///< Length of a bit [ns].
        int64_t delay{0};            ///< Of the cable [ns].
        int64_t freeAt{0};           ///< End of the wire's use by all queued frames [ns].
        int64_t sentEnd{0};          ///< End of the wire's use by the last frame delivered [ns].
        int64_t pausedUntil{0};      ///< End of the pause that the other side asked for [ns].
        int64_t controlUntil{0};     ///< End of the wire's use by PAUSE frames [ns].
        int64_t refreshAt{0};        ///< Time to repeat the last request to pause [ns].
        uint64_t used{0};            ///< Buffer in use [buffer unit].
        uint32_t head{0};            ///< Oldest entry.
        uint32_t released{0};        ///< Oldest entry that occupies buffer.
        uint32_t tail{0};            ///< Behind the youngest entry.
        uint32_t mask{0};            ///< Size of the ring - 1.
        uint32_t waits{0};           ///< Congestions for which the sender at this port is paused.
        bool up{true};               ///< Whether the link is up.
        std::vector<Entry> ring;     ///< Entries, by number modulo size.
        SwitchPortCounters counters; ///< Counts.
    };

    /** A departure that is to come. */
    struct Batch
    {
        int64_t at{0};               ///< Its time [ns].
        uint32_t slot{0};            ///< Slot of the frame.
        uint32_t next{0};            ///< Copies delivered.
        std::vector<uint32_t> ports; ///< Its ports.
    };

    /** Last sight of an address (IEEE 802.1D, 7.8). */
    struct Sight
    {
        int64_t seen;  ///< Last time [ns].
        uint32_t port; ///< The port at which a frame came from it.
    };

    /** A buffer above its threshold, and the senders paused for it. */
    struct Congestion
    {
        bool on{false};                ///< Whether it is above.
        std::vector<uint32_t> waiters; ///< Ports whose senders are paused.
    };

    /**
     * Check whether an address is too old.
     * @param now the time [ns]
     * @param sight its last sight
     * @return whether it has aged
     */
    bool HasAged(int64_t now, const Sight& sight) const
    {
        return m_config.ageing.IsStrictlyPositive() &&
               now - sight.seen >= m_config.ageing.GetNanoSeconds();
    }

    /**
     * A frame has come from an address. A full table learns nothing new until an address has aged.
     * @param now the time [ns]
     * @param address the address
     * @param port the port at which it came in
     */
    void Learn(int64_t now, uint64_t address, uint32_t port);

    /**
     * Get the time of a frame on a wire, preamble included.
     * @param port the port
     * @param bytes its length
     * @return the time [ns]
     */
    static int64_t GetWireTime(const Port& port, uint32_t bytes);

    /**
     * Queue a copy of a frame at a port, if there is room.
     * @param now the time
     * @param ready when it can leave
     * @param out the port
     * @param slot slot of the frame
     * @param bytes its length
     * @return whether it is queued
     */
    bool Admit(int64_t now, int64_t ready, uint32_t out, uint32_t slot, uint32_t bytes);

    /**
     * Check whether there is room for a copy of a frame.
     * @param port the output port
     * @param cost size of the copy [buffer unit]
     * @return the reason against it, or N_REASONS
     */
    SwitchDrop FindObstacle(const Port& port, uint64_t cost) const;

    /**
     * Put a copy into a departure of the frame at hand, or into a new one.
     * @param at when it arrives
     * @param slot slot of the frame
     * @param port the port
     */
    void Place(int64_t at, uint32_t slot, uint32_t port);

    /**
     * Make a departure of one copy.
     * @param at when it arrives
     * @param slot slot of the frame
     * @param port the port
     * @return its number
     */
    uint32_t Open(int64_t at, uint32_t slot, uint32_t port);

    /**
     * Free the buffers of the frames that have left a port.
     * @param now the time
     * @param port the port
     */
    void Release(int64_t now, Port& port);

    /**
     * Free the buffer of the oldest entry of a port that occupies any.
     * @param port the port
     */
    void ReleaseOne(Port& port);

    /**
     * Take a copy that has arrived from its port.
     * @param at when it arrives
     * @param slot slot of its frame
     * @param number the port
     * @return false if it does not arrive now
     */
    bool Pop(int64_t at, uint32_t slot, uint32_t number);

    /**
     * A copy of a frame is gone.
     * @param slot slot of the frame
     */
    void Unreference(uint32_t slot)
    {
        if (--m_references[slot] == 0)
        {
            m_output.freed.push_back(slot);
            m_freeSlots.push_back(slot);
        }
    }

    /**
     * Compute the departures anew of frames that have not begun to leave a port.
     * @param now the time
     * @param number the port
     */
    void Retime(int64_t now, uint32_t number);

    /**
     * Get the congestion that a port's queue belongs to.
     * @param port the port
     * @return the congestion
     */
    Congestion& GetCongestion(uint32_t port)
    {
        return m_congestions[m_config.sharing == BufferSharing::PRIVATE ? port : 0];
    }

    /**
     * A frame has been meant for an output port: pause its sender if that is congested.
     * @param now the time
     * @param in the port of the sender
     * @param out the output port
     */
    void UpdateSender(int64_t now, uint32_t in, uint32_t out);

    /**
     * Room has been made at an output port: let senders go on if it is enough.
     * @param now the time
     * @param out the output port
     */
    void UpdateWaiters(int64_t now, uint32_t out);

    /**
     * Send a PAUSE frame, after the frame that is on the wire.
     * @param now the time
     * @param number the port
     * @param quanta for how long [512 bit times]
     */
    void SendPause(int64_t now, uint32_t number, uint16_t quanta);

    SwitchConfig m_config;                           ///< Parameters.
    int64_t m_latency;                               ///< Forwarding latency [ns].
    std::unordered_map<uint64_t, Sight> m_addresses; ///< By address; never walked in order.
    std::vector<Port> m_ports;                       ///< Ports.
    std::vector<Batch> m_batches;                    ///< Departures by number.
    std::vector<uint32_t> m_freeBatches;             ///< Free numbers.
    std::vector<uint32_t> m_references;              ///< Copies in flight, by slot.
    std::vector<uint32_t> m_freeSlots;               ///< Free slots.
    std::vector<uint32_t> m_open;                    ///< Departures of the frame at hand.
    std::vector<Congestion> m_congestions; ///< By output port; one, if the pool is shared.
    Chance m_chance;                       ///< Random loss.
    Output m_output;                       ///< For the owner.
    uint64_t m_used{0};                    ///< Buffer in use at all ports [buffer unit].
    int64_t m_busFreeAt{0};                ///< End of the bus's use [ns].
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_CORE_H
