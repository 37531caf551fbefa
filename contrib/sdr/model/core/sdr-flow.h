/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_FLOW_H
#define SDR_FLOW_H

#include "sdr-packet.h"
#include "sdr-receiver.h"
#include "sdr-sender.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-flow-core.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

/**
 * @file
 * @ingroup sdr
 * One end of a flow of SDR.
 */

namespace ns3
{
namespace sdr
{

/** Paths of a flow: one, or one for each frame. */
class PathChoice
{
  public:
    /** @param paths paths of the network @param sprays choose one for each frame */
    PathChoice(uint16_t paths, bool sprays)
        : m_paths(paths),
          m_sprays(sprays)
    {
    }

    /** @param out actions @return the path of the next frame. */
    template <class Out>
    uint16_t Choose(Out& out)
    {
        if (m_paths > 1 && (m_sprays || m_path == NONE))
        {
            m_path = out.Random(m_paths);
        }
        return m_path == NONE ? 0 : static_cast<uint16_t>(m_path);
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_path, "path");
    }

  private:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< No path is chosen.

    uint32_t m_path{NONE}; ///< Path of the last frame.
    uint16_t m_paths;      ///< Paths of the network.
    bool m_sprays;         ///< Choose a path for each frame.
};

/**
 * @ingroup sdr
 * One end of a flow: the sender of messages to a peer, and the receiver of those from it. Answers
 * precede packets.
 *
 * A posted message ends as DELIVERED when all of its chunks are reported, and never as SENT before:
 * repeats are read from the user's buffer. Messages arrive in any order.
 */
class Flow
{
  public:
    /** @param config parameters, shared by all flows */
    explicit Flow(const std::shared_ptr<const Config>& config)
        : m_largest(config->GetLargestMessage()),
          m_sender(config),
          m_receiver(config),
          m_paths(config->paths, config->spray)
    {
    }

    /** @return the sender. */
    const Sender& GetSender() const
    {
        return m_sender;
    }

    /** @return the receiver. */
    const Receiver& GetReceiver() const
    {
        return m_receiver;
    }

    /** @return the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_largest;
    }

    /**
     * Post a message.
     * @param request the message
     * @param out actions
     * @return accepted; stalled if too many are in flight
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (m_sender.IsFull())
        {
            return messaging::Acceptance::STALLED;
        }
        m_sender.Post(request);
        OnReady(request.to, out);
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Receive a frame. A trimmed packet counts as lost.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (frame.kind == ACK || frame.kind == NACK)
        {
            m_sender.OnAnswer(frame, out);
        }
        else if (IsOfSender(frame.kind) && !(frame.marks & messaging::MARK_TRIMMED))
        {
            m_receiver.OnPacket(from, frame, out);
        }
        OnReady(from, out);
    }

    /**
     * Handle a timer.
     * @param peer the peer
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(Peer peer, uint32_t timer, Out& out)
    {
        if (timer < Receiver::FIRST_TIMER)
        {
            m_sender.OnTimer(static_cast<Sender::Timer>(timer), out);
        }
        else
        {
            m_receiver.OnTimer(peer, timer - Receiver::FIRST_TIMER, out);
        }
        OnReady(peer, out);
    }

    /**
     * Send answers, then packets.
     * @param to the peer
     * @param out actions
     */
    template <class Out>
    void OnReady(Peer to, Out& out)
    {
        if (m_receiver.SendAnswers(to, m_paths, out))
        {
            m_sender.SendPackets(to, m_paths, out);
        }
    }

    /** Append the state, without times. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        m_sender.Encode(encoder);
        m_receiver.Encode(encoder);
        m_paths.Encode(encoder);
    }

  private:
    uint32_t m_largest;  ///< Largest message [bytes].
    Sender m_sender;     ///< The sender.
    Receiver m_receiver; ///< The receiver.
    PathChoice m_paths;  ///< Paths.
};

/**
 * @ingroup sdr
 * The core of a peer: a flow for each other peer.
 */
class FlowCore : public messaging::FlowCore<Flow>
{
  public:
    using messaging::FlowCore<Flow>::FlowCore;

    /** @param frame a frame @return its kind, message and index. */
    static std::string DescribeFrame(const Frame& frame)
    {
        constexpr std::array NAMES{"DATA", "PARITY", "PROBE", "ACK", "NACK"};
        std::string name = "unknown";
        if (frame.kind == REPEAT)
        {
            name = "REPEAT";
        }
        else if (frame.kind < NAMES.size())
        {
            name = NAMES[frame.kind];
        }
        const Address address = Address::Unpack(frame.id);
        const std::string place =
            std::to_string(address.number) + "." + std::to_string(address.index);
        return name + " " + place;
    }
};

} // namespace sdr
} // namespace ns3

#endif // SDR_FLOW_H
