/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRACED_PORT_H
#define MESSAGING_TRACED_PORT_H

#include "ns3/messaging-forwarding-port.h"
#include "ns3/traced-callback.h"

/**
 * @file
 * @ingroup messaging
 * A port with trace sources.
 */

namespace ns3
{
namespace messaging
{

/** Trace source of frames: the peer that sends or receives, the other one, and the frame. */
using FrameTrace = TracedCallback<Peer, Peer, const Frame&>;

/**
 * @ingroup messaging
 * A port in front of another, with trace sources for the frames that it sends and receives.
 *
 * @tparam P the other port
 */
template <DatagramPort P>
class TracedPort final : public ForwardingPort<P>
{
  public:
    using ForwardingPort<P>::ForwardingPort;

    /** @return the trace source fired for each frame sent: sender, destination or NO_PEER, frame.
     */
    FrameTrace& GetSendTrace()
    {
        return m_sendTrace;
    }

    /** @return the trace source fired for each frame that arrives: receiver, sender, frame. */
    FrameTrace& GetArriveTrace()
    {
        return m_arriveTrace;
    }

    bool Send(Peer self, Peer to, const Frame& frame) override
    {
        const bool sent = this->m_port->Send(self, to, frame);
        if (sent)
        {
            m_sendTrace(self, to, frame);
        }
        return sent;
    }

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        m_arriveTrace(self, from, frame);
        ForwardingPort<P>::OnFrame(self, from, frame);
    }

    FrameTrace m_sendTrace;   ///< Fired for each frame sent.
    FrameTrace m_arriveTrace; ///< Fired for each frame that arrives.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRACED_PORT_H
