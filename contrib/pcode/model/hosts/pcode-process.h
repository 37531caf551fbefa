/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PROCESS_H
#define PCODE_PROCESS_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"
#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-workstation.h"
#include "ns3/simulator.h"

#include <concepts>
#include <set>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * A protocol as a process of a workstation: its core and its socket.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * A core inside a process of a Workstation. A timer expires at a tick of the machine's clock. The
 * process handles it after all inputs that arrived before, by which time the core may have
 * cancelled it.
 *
 * An expired timer passes the port as a frame from the peer to itself (ProcessPort). The tick of
 * the TickClock must be a nanosecond.
 *
 * @tparam Core the protocol
 */
template <std::derived_from<PassiveCore> Core>
class ProcessCore : public PassiveCore
{
  public:
    /**
     * Constructor.
     * @param core the protocol
     * @param self its peer
     * @param station its workstation
     */
    ProcessCore(Core core, messaging::Peer self, Ptr<const Workstation> station)
        : m_core(std::move(core)),
          m_station(station),
          m_self(self)
    {
    }

    /** Post a request. @param request the request @param out actions @return the core's answer */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        Inner<Out> inner{{out}, *this};
        return m_core.OnRequest(request, inner);
    }

    /** Handle a frame or an expired timer. @param from sender @param frame frame @param out actions
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Inner<Out> inner{{out}, *this};
        if (from != m_self)
        {
            m_core.OnFrame(from, frame, inner);
        }
        else if (m_expired.erase(frame.id) > 0)
        {
            m_core.OnTimer(frame.id, inner);
        }
    }

    /** Queue an expired timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        m_expired.insert(timer);
        out.Send(m_self, messaging::Frame{.id = timer});
    }

    /** @return true if the core accepts a request. */
    bool CanAccept() const
    {
        return m_core.CanAccept();
    }

    /** @param e the encoder of the core's canonical state */
    void Encode(messaging::Encoder& e) const
    {
        m_core.Encode(e);
    }

  private:
    /** Actions of the core, with timers of the process. */
    template <class Out>
    struct Inner : messaging::ForwardedActions<Out>
    {
        ProcessCore& process; ///< The process.

        /** Arm a timer. @param timer the timer @param delay its minimum delay [ticks] */
        void Arm(messaging::TimerId timer, messaging::Ticks delay)
        {
            const Time now = Simulator::Now();
            Time expiry = now;
            if (delay > 0)
            {
                expiry = process.m_station->GetTick(now + NanoSeconds(static_cast<int64_t>(delay)));
            }
            process.m_expired.erase(timer);
            this->out.Arm(timer, static_cast<messaging::Ticks>((expiry - now).GetNanoSeconds()));
        }

        /** Cancel a timer. @param timer the timer */
        void Cancel(messaging::TimerId timer)
        {
            process.m_expired.erase(timer);
            this->out.Cancel(timer);
        }
    };

    Core m_core;                            ///< The protocol.
    std::set<messaging::TimerId> m_expired; ///< Expired timers not yet handled.
    Ptr<const Workstation> m_station;       ///< The workstation.
    messaging::Peer m_self;                 ///< The peer.
};

/**
 * @ingroup pcode
 * Port whose peers are processes of Workstations. A process writes a datagram by a system call and
 * a copy, and reads one by another system call and copy, after its select() has reported it. A
 * frame to the process itself is one of its timers (ProcessCore).
 *
 * Datagrams that arrive while the process is busy wait in the socket's receive buffer. A datagram
 * is lost if the buffer has no room for it.
 *
 * A broadcast may be delivered to its sender, too, since BSD's stacks pass it to every socket of
 * the host. The process reads it like any other and drops it ("if (q == myid) then return", Figure
 * 3).
 */
class ProcessPort final : public messaging::ForwardingPort<messaging::UdpPort>
{
  public:
    /**
     * Constructor.
     * @param port carries the datagrams; this becomes its user
     * @param stations the workstation of each peer
     * @param process kind of the peers' process
     * @param buffer size of a socket's receive buffer [bytes]
     */
    ProcessPort(Ptr<messaging::UdpPort> port,
                const std::vector<Ptr<Workstation>>& stations,
                Process process,
                uint32_t buffer)
        : ForwardingPort(port),
          m_stations(stations),
          m_buffered(stations.size(), 0),
          m_overflows(stations.size(), 0),
          m_process(process),
          m_room(buffer)
    {
    }

    messaging::PortInfo GetInfo() const override
    {
        // A full buffer loses frames.
        messaging::PortInfo info = ForwardingPort::GetInfo();
        info.lossless = false;
        return info;
    }

    bool Send(messaging::Peer self, messaging::Peer to, const messaging::Frame& frame) override
    {
        if (to == self)
        {
            m_stations[self]
                ->Wake(m_process, {}, [=, this] { Pass(self, self, frame); }, Source::TIMERS);
            return true;
        }
        auto work = m_stations[self]->MakeMessageWork(GetSize(frame));
        m_stations[self]->Continue(m_process, std::move(work), [=, this] {
            ForwardingPort::Send(self, to, frame);
            const Workstation& station = *m_stations[self];
            if (station.GetCosts().hearsOwn && to == messaging::NO_PEER)
            {
                Read(self, GetSize(frame), station.GetOwnCost(), [] {});
            }
        });
        return true;
    }

    /**
     * Get the losses of a socket.
     * @param peer its peer
     * @return the number of datagrams lost at its full receive buffer
     */
    uint64_t GetNOverflows(messaging::Peer peer) const
    {
        return m_overflows[peer];
    }

  private:
    void OnFrame(messaging::Peer self, messaging::Peer from, const messaging::Frame& frame) override
    {
        Read(self, GetSize(frame), Time(), [=, this] { Pass(self, from, frame); });
    }

    /**
     * Pass a frame to its process.
     * @param self its peer
     * @param from the sender
     * @param frame the frame
     */
    void Pass(messaging::Peer self, messaging::Peer from, const messaging::Frame& frame)
    {
        if (m_user)
        {
            m_user->OnFrame(self, from, frame);
        }
    }

    /**
     * Queue a datagram for its process to read, if there is room in the socket's buffer.
     * @param self its peer
     * @param size its size [bytes]
     * @param stack further cost of the stack
     * @param read called when the process has read it
     */
    void Read(messaging::Peer self, uint32_t size, Time stack, Workstation::Done read)
    {
        if (m_buffered[self] + size > m_room)
        {
            ++m_overflows[self];
            return;
        }
        m_buffered[self] += size;
        m_stations[self]->Wake(
            m_process,
            m_stations[self]->MakeMessageWork(size, stack),
            [=, this, read = std::move(read)] {
                m_buffered[self] -= size;
                read();
            },
            Source::NETWORK);
    }

    /**
     * Get the size of a datagram.
     * @param frame its frame
     * @return its size [bytes]
     */
    static uint32_t GetSize(const messaging::Frame& frame)
    {
        return frame.header + frame.payload;
    }

    std::vector<Ptr<Workstation>> m_stations; ///< The workstation of each peer.
    std::vector<uint32_t> m_buffered;         ///< Fill of each receive buffer [bytes].
    std::vector<uint64_t> m_overflows;        ///< Datagrams lost by each socket.
    Process m_process;                        ///< Kind of the peers' process.
    uint32_t m_room;                          ///< Size of a receive buffer [bytes].
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_PROCESS_H
