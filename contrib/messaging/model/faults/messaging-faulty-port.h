/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FAULTY_PORT_H
#define MESSAGING_FAULTY_PORT_H

#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"

/**
 * @file
 * @ingroup messaging
 * Fault injection in front of any port.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Port that applies a fault plan to another port.
 *
 * Faults act on arrival, so a lost frame still loads the network.
 *
 * @tparam P the other port
 */
template <DatagramPort P>
class FaultyPort final : public ForwardingPort<P>, private TickUser
{
  public:
    /**
     * Constructor.
     * @param clock the clock of the port's ticks
     * @param port the port, without another user
     * @param faults the fault plan
     */
    FaultyPort(Ptr<TickClock> clock, Ptr<P> port, Ptr<FaultPlan> faults)
        : ForwardingPort<P>(port),
          m_clock(clock),
          m_faults(faults),
          m_number(clock->Register(this))
    {
        m_faults->SetTickLength(clock->GetTickLength());
    }

    PortInfo GetInfo() const override
    {
        return m_faults->Weaken(this->m_port->GetInfo());
    }

  private:
    /** Delayed frame. */
    struct Held
    {
        Frame frame; ///< The frame.
        Peer from;   ///< Its sender.
    };

    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        const auto fate = m_faults->Decide(from, self, frame, m_clock->Now());
        if (fate.IsLost())
        {
            return;
        }
        HandOn(self, from, fate.GetFrame(), fate.GetDelay());
        if (fate.IsDuplicated())
        {
            HandOn(self, from, fate.GetFrame(), fate.GetCopyDelay());
        }
    }

    void OnTick(Peer peer, uint64_t datum) override
    {
        const Held held = m_held.Take(datum);
        HandOn(peer, held.from, held.frame, 0);
    }

    /**
     * Pass a frame to the user, after a delay.
     * @param self its receiver
     * @param from its sender
     * @param frame the frame
     * @param delay the delay [ticks]
     */
    void HandOn(Peer self, Peer from, const Frame& frame, Ticks delay)
    {
        if (delay > 0)
        {
            m_clock->At(m_clock->Now() + delay, m_number, self, m_held.Put(Held{frame, from}));
        }
        else if (this->m_user)
        {
            this->m_user->OnFrame(self, from, frame);
        }
    }

    Ptr<TickClock> m_clock;  ///< The clock.
    Ptr<FaultPlan> m_faults; ///< The fault plan.
    SlotPool<Held> m_held;   ///< Delayed frames.
    uint32_t m_number;       ///< The clock's number of this user.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FAULTY_PORT_H
