/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_CORE_H
#define BROADCAST_ETHERNET_SWITCH_CORE_H

#include "ns3/messaging-fifo.h"
#include "ns3/messaging-slot-pool.h"
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
 * Forwarding of a store-and-forward switch, independent of simulator and packets.
 */

namespace ns3
{
namespace ethernet
{

/** Unit of a switch's buffers. */
enum class BufferUnit : uint8_t
{
    FRAMES, ///< Frames of any length; each takes a slot.
    BYTES   ///< Bytes of frames, checksum included.
};

/** Sharing of a switch's memory. */
enum class BufferSharing : uint8_t
{
    PRIVATE,  ///< Each output port has its own buffer.
    COMPLETE, ///< All output ports share a pool, first come, first served.
    DYNAMIC   ///< A shared pool; a queue can grow to a multiple of the free part.
};

/** Replication of a frame to several ports. */
enum class Replication : uint8_t
{
    PARALLEL, ///< All output ports read the frame at the same time.
    SERIAL    ///< Copies cross a bus, shared by all frames, one after the other.
};

/** Reason for dropping a frame, or a copy of it. */
enum class SwitchDrop : uint8_t
{
    OVERFLOW,  ///< The output port's buffer is full.
    POOL,      ///< The shared pool is full.
    THRESHOLD, ///< The queue has reached its share of the pool.
    LOSS,      ///< A random loss in the switch.
    LINK_DOWN, ///< The output port's link is down, or was cut with the frame queued or on the wire.
    N_REASONS  ///< Number of reasons.
};

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SwitchDrop reason);

/** Number of no port. */
constexpr uint32_t NO_PORT = UINT32_MAX;

/** Parameters of a switch; sizes are in frames or bytes. */
struct SwitchConfig
{
    Time latency{MicroSeconds(10)};                ///< Forwarding latency.
    Time ageing{Seconds(300)};                     ///< Lifetime of a learned address; 0: unlimited.
    uint32_t addressTable{0};                      ///< Capacity for addresses; 0: unlimited.
    uint64_t buffer{64};                           ///< Size of each port's buffer, or of the pool.
    BufferUnit unit{BufferUnit::FRAMES};           ///< Unit of the buffers.
    BufferSharing sharing{BufferSharing::PRIVATE}; ///< Sharing of the memory.
    double alpha{1}; ///< Largest ratio of queue to free pool if DYNAMIC.
    Replication replication{Replication::PARALLEL}; ///< Replication of broadcasts.
    uint64_t busRate{1000000000};                   ///< Rate of the bus if SERIAL [bit/s].
    bool pause{false};                              ///< Send PAUSE frames.
    double pauseHigh{0.5};       ///< Share of the buffer above which senders are paused.
    double pauseLow{0.25};       ///< Share at which senders resume.
    uint16_t pauseQuanta{65535}; ///< Length of a pause [512 bit times].
};

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
    uint64_t framesIn{0};       ///< Frames received.
    uint64_t bytesIn{0};        ///< Their bytes, from header to FCS.
    uint64_t filtered{0};       ///< Of these, frames whose receiver is on their link.
    uint64_t flooded{0};        ///< Of these, frames flooded to an unknown receiver.
    uint64_t unlearned{0};      ///< Of these, frames whose new source found the table full.
    uint64_t offered{0};        ///< Copies for this port.
    uint64_t framesOut{0};      ///< Copies delivered to the other end of the link.
    uint64_t bytesOut{0};       ///< Their bytes.
    uint64_t peak{0};           ///< Longest queue, with the frame on the wire [buffer unit].
    uint64_t pausesSent{0};     ///< PAUSE frames sent, with those that end a pause.
    uint64_t pausesReceived{0}; ///< PAUSE frames received.
    std::array<uint64_t, static_cast<std::size_t>(SwitchDrop::N_REASONS)> drops{}; ///< By reason.
};

/**
 * @ingroup broadcast-ethernet
 * Forwarding of a switch: the output ports of a frame, its departures, and the buffers.
 *
 * The departure times of a frame at all its ports are computed on its arrival, as a first-in
 * first-out queue in front of a wire of constant rate determines them. A frame therefore needs no
 * event at its queues: copies that arrive at the same time form one departure, which the owner
 * delivers. Only PAUSE frames and cut links change the computed times; Deliver skips a departure
 * that is obsolete.
 *
 * A frame occupies buffers from the arrival of its last bit to the departure of its last bit.
 *
 * All times are in nanoseconds and never decrease. After a call, GetOutput lists the duties of the
 * owner; the owner clears the list.
 */
class SwitchCore
{
  public:
    /** Copies of a frame that arrive at the same time. */
    struct Departure
    {
        int64_t at;      ///< Arrival at the other ends of their links [ns].
        uint32_t number; ///< Argument of GetPort, Deliver and Advance.
    };

    /** Dropped copy. */
    struct Drop
    {
        uint32_t port;     ///< The output port.
        uint32_t slot;     ///< Slot of the frame.
        SwitchDrop reason; ///< The reason.
    };

    /** PAUSE frame from the switch. */
    struct Pause
    {
        int64_t at;      ///< Arrival at the other end [ns].
        int64_t again;   ///< Time to call Refresh [ns]; 0: never.
        uint32_t port;   ///< The output port.
        uint16_t quanta; ///< Length of the pause [512 bit times].
    };

    /** Duties of the owner. */
    struct Output
    {
        std::vector<Departure> departures; ///< Departures to deliver at their times.
        std::vector<Drop> drops;           ///< Drops to report.
        std::vector<Pause> pauses;         ///< PAUSE frames to carry.
        std::vector<uint32_t> freed;       ///< Slots whose frames to release last.

        /** Remove all duties. */
        void Clear()
        {
            departures.clear();
            drops.clear();
            pauses.clear();
            freed.clear();
        }
    };

    /** Random decision to lose a copy. */
    using Chance = std::function<bool()>;

    /**
     * Construct.
     * @param config the parameters
     */
    explicit SwitchCore(const SwitchConfig& config);

    /**
     * Add a port, before the first frame.
     * @param bitTime length of a bit [ns]
     * @param delay delay of its cable [ns]
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
     * @param chance called once for each copy, returns true to lose it; empty for no loss
     */
    void SetLoss(Chance chance)
    {
        m_chance = std::move(chance);
    }

    /**
     * Forward a received frame.
     * @param now the arrival time of its last bit
     * @param in the input port
     * @param frame the frame
     * @return the slot of the frame, valid until it is in Output::freed
     */
    uint32_t Forward(int64_t now, uint32_t in, const SwitchFrame& frame);

    /**
     * @param number number of the departure
     * @return the slot of its frame
     */
    uint32_t GetSlot(uint32_t number) const
    {
        return m_batches[number].slot;
    }

    /**
     * @param number number of the departure
     * @return the port of the next copy to deliver
     */
    uint32_t GetPort(uint32_t number) const
    {
        const Batch& batch = m_batches[number];
        return batch.ports[batch.next];
    }

    /**
     * Deliver the next copy of a departure, unless it was delayed or lost in the meantime.
     * @param departure number of the departure
     * @return whether it is delivered
     */
    bool Deliver(uint32_t departure);

    /**
     * Advance to the next copy of a departure.
     * @param number number of the departure
     * @return false if there is none, and the departure is finished
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
     * Obey a PAUSE frame: the port stops after the frame on the wire.
     * @param now the time
     * @param port the port
     * @param quanta length of the pause [512 bit times]; 0 ends it
     */
    void OnPause(int64_t now, uint32_t port, uint16_t quanta);

    /**
     * Repeat a PAUSE frame before the pause ends, if it is still needed.
     * @param now the time in Pause::again
     * @param port the port in Pause
     */
    void Refresh(int64_t now, uint32_t port);

    /**
     * Cut or repair the link of a port. Frames in its queue or on the wire are lost, and the
     * addresses learned there are deleted.
     * @param now the time
     * @param port the port
     * @param up whether the link is up
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
    /** Frame in the queue of a port or on its wire. */
    struct Entry
    {
        int64_t end;    ///< Departure of its last bit [ns].
        int64_t ready;  ///< Earliest departure of its first bit [ns].
        uint32_t slot;  ///< Slot of the frame.
        uint32_t bytes; ///< Length of the frame.
    };

    /** A port. */
    struct Port
    {
        int64_t bitTime{0};           ///< Length of a bit [ns].
        int64_t delay{0};             ///< Delay of the cable [ns].
        int64_t freeAt{0};            ///< End of the wire's use by all queued frames [ns].
        int64_t sentEnd{0};           ///< End of the wire's use by the last frame delivered [ns].
        int64_t pausedUntil{0};       ///< End of the pause requested by the other side [ns].
        int64_t controlUntil{0};      ///< End of the wire's use by PAUSE frames [ns].
        int64_t refreshAt{0};         ///< Time to repeat the last PAUSE frame [ns].
        uint64_t used{0};             ///< Buffer in use [buffer unit].
        uint32_t released{0};         ///< Entries at the front that have freed their buffer.
        uint32_t waits{0};            ///< Number of congestions that pause this port's sender.
        bool up{true};                ///< The link is up.
        messaging::Fifo<Entry> queue; ///< Frames on the wire and in the queue.
        SwitchPortCounters counters;  ///< Counts.
    };

    /** Pending departure. */
    struct Batch
    {
        int64_t at{0};               ///< Its time [ns].
        uint32_t slot{0};            ///< Slot of the frame.
        uint32_t next{0};            ///< Copies delivered.
        std::vector<uint32_t> ports; ///< Its ports.
    };

    /** Last frame from an address (IEEE 802.1D, 7.8). */
    struct Sight
    {
        int64_t seen;  ///< Time of that frame [ns].
        uint32_t port; ///< Input port of that frame.
    };

    /** Congestion of a buffer, and the senders paused for it. */
    struct Congestion
    {
        bool on{false};                ///< The buffer is above its threshold.
        std::vector<uint32_t> waiters; ///< Ports whose senders are paused.
    };

    /**
     * Check whether an address has aged.
     * @param now the time [ns]
     * @param sight the last frame from it
     * @return whether it has aged
     */
    bool HasAged(int64_t now, const Sight& sight) const
    {
        return m_config.ageing.IsStrictlyPositive() &&
               now - sight.seen >= m_config.ageing.GetNanoSeconds();
    }

    /**
     * Learn the port of an address, unless it is new and the table is full. Aged addresses make
     * room.
     * @param now the time [ns]
     * @param address the address
     * @param port the port
     * @return whether the table has the address
     */
    bool Learn(int64_t now, uint64_t address, uint32_t port);

    /**
     * Drop a reference to a frame, after one of its copies was delivered or lost.
     * @param slot slot of the frame
     */
    void Unreference(uint32_t slot);

    /**
     * Get the time of a frame on a wire, with the preamble.
     * @param port the port
     * @param bytes its length
     * @return the time [ns]
     */
    static int64_t GetWireTime(const Port& port, uint32_t bytes);

    /**
     * Queue a copy of a frame at a port, if there is room.
     * @param now the time
     * @param ready its earliest departure
     * @param out the port
     * @param slot slot of the frame
     * @param bytes its length
     * @return whether it is queued
     */
    bool Admit(int64_t now, int64_t ready, uint32_t out, uint32_t slot, uint32_t bytes);

    /**
     * Check whether a copy of a frame is dropped.
     * @param port the output port
     * @param cost size of the copy [buffer unit]
     * @return the reason to drop it, or N_REASONS
     */
    SwitchDrop FindObstacle(const Port& port, uint64_t cost) const;

    /**
     * Check the free buffer for a copy of a frame.
     * @param port the output port
     * @param cost size of the copy [buffer unit]
     * @return the reason to drop it, or N_REASONS
     */
    SwitchDrop FindShortage(const Port& port, uint64_t cost) const;

    /**
     * Add a copy to a departure of the current frame, or to a new one.
     * @param at arrival of the copy
     * @param slot slot of the frame
     * @param port the port
     */
    void Place(int64_t at, uint32_t slot, uint32_t port);

    /**
     * Make a departure of one copy.
     * @param at arrival of the copy
     * @param slot slot of the frame
     * @param port the port
     * @return its number
     */
    uint32_t Open(int64_t at, uint32_t slot, uint32_t port);

    /**
     * Free the buffers of frames that have left a port.
     * @param now the time
     * @param port the port
     */
    void Release(int64_t now, Port& port);

    /**
     * Free the buffer of the oldest entry of a port that occupies buffer.
     * @param port the port
     */
    void ReleaseOne(Port& port);

    /**
     * Recompute the departures of frames that have not begun to leave a port.
     * @param now the time
     * @param number the port
     */
    void Retime(int64_t now, uint32_t number);

    /**
     * Get the congestion state of the buffer of a port.
     * @param port the port
     * @return the congestion
     */
    Congestion& GetCongestion(uint32_t port)
    {
        return m_congestions[m_config.sharing == BufferSharing::PRIVATE ? port : 0];
    }

    /**
     * Pause the sender of a frame if the output port is congested.
     * @param now the time
     * @param in the port of the sender
     * @param out the output port
     */
    void UpdateSender(int64_t now, uint32_t in, uint32_t out);

    /**
     * Resume paused senders if enough buffer is free at an output port.
     * @param now the time
     * @param out the output port
     */
    void UpdateWaiters(int64_t now, uint32_t out);

    /**
     * Send a PAUSE frame after the frame on the wire.
     * @param now the time
     * @param number the port
     * @param quanta length of the pause [512 bit times]
     */
    void SendPause(int64_t now, uint32_t number, uint16_t quanta);

    SwitchConfig m_config;                           ///< Parameters.
    int64_t m_latency;                               ///< Forwarding latency [ns].
    std::unordered_map<uint64_t, Sight> m_addresses; ///< By address; never iterated in order.
    std::vector<Port> m_ports;                       ///< Ports.
    std::vector<Batch> m_batches;                    ///< Departures by number.
    std::vector<uint32_t> m_freeBatches;             ///< Free numbers.
    messaging::SlotPool<uint32_t> m_references;      ///< Copies in flight by slot.
    std::vector<uint32_t> m_open;                    ///< Departures of the current frame.
    std::vector<Congestion> m_congestions; ///< Congestion by output port, or one of a shared pool.
    Chance m_chance;                       ///< Random loss.
    Output m_output;                       ///< Duties of the owner.
    uint64_t m_used{0};                    ///< Buffer in use at all ports [buffer unit].
    int64_t m_busFreeAt{0};                ///< End of the bus's use [ns].
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_CORE_H
