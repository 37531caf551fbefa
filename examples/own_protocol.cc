/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-search-core-protocol.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

/**
 * @file
 * Example of a protocol in a library outside the tree; ARCHITECTURE.md lists the steps.
 *
 * DATA is repeated, with doubling timeouts, until its ACK arrives, and delivered once:
 *
 *     sender    DATA --x         DATA ----->            complete
 *     receiver                          deliver, ACK -->
 */

namespace ns3
{

/** The protocol of one peer: a value without simulator, node or absolute time. */
class RepeatCore
{
  public:
    /**
     * Construct.
     * @param timeout time until the first repetition [ticks]
     * @param peers number of peers
     * @param mtu longest frame [bytes]
     */
    RepeatCore(messaging::Ticks timeout, uint32_t peers, uint32_t mtu)
        : m_timeout(timeout),
          m_peers(peers),
          m_mtu(mtu)
    {
    }

    /** Post a message. @param request the message @param out actions @return accepted or refused */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (request.to >= m_peers || uint64_t{request.bytes} + HEADER > m_mtu)
        {
            return messaging::Acceptance::REFUSED;
        }
        m_waiting[m_next] = {request, 0};
        OnTimer(m_next++, out);
        return messaging::Acceptance::ACCEPTED;
    }

    /** @return the largest message that fits into a frame [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_mtu - HEADER;
    }

    /** Receive a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (from >= m_peers)
        {
            return;
        }
        if (frame.kind == ACK)
        {
            if (const auto waiting = m_waiting.find(frame.id); waiting != m_waiting.end())
            {
                const messaging::RequestId request = waiting->second.first.id;
                m_waiting.erase(waiting);
                out.Cancel(frame.id);
                out.Complete(request, messaging::Completion::DELIVERED);
            }
            return;
        }
        if (m_delivered.emplace(from, frame.id).second)
        {
            out.Deliver({frame.id, frame.contents, from, frame.payload, frame.aux, 0});
        }
        out.Send(from, messaging::Frame{.id = frame.id, .header = HEADER, .kind = ACK});
    }

    /** Send a message, first or again. @param number its number @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId number, Out& out)
    {
        const auto waiting = m_waiting.find(number);
        if (waiting == m_waiting.end())
        {
            return; // A timer may fire although it was cancelled.
        }
        auto& [request, attempts] = waiting->second;
        out.Send(request.to,
                 messaging::Frame{.id = number,
                                  .contents = request.contents,
                                  .payload = request.bytes,
                                  .aux = request.tag,
                                  .header = HEADER,
                                  .kind = DATA});
        out.Arm(number, m_timeout << std::min(attempts++, MOST_DOUBLINGS));
    }

    /** Name a frame in charts and counterexamples. @param frame the frame @return its name */
    static std::string DescribeFrame(const messaging::Frame& frame)
    {
        return (frame.kind == ACK ? "ACK " : "DATA ") + std::to_string(frame.id);
    }

    /** The protocol requests no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /** A frame at a busy port is repeated by its timer. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Encode the canonical state: all that later actions depend on. @param encoder the encoder */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_next);
        encoder.Put(m_waiting.size());
        for (const auto& [number, waiting] : m_waiting)
        {
            encoder.Put(number);
        }
        for (const auto& [from, number] : m_delivered)
        {
            encoder.Put(from);
            encoder.Put(number);
        }
    }

  private:
    static constexpr uint16_t HEADER = 16; ///< Header of a frame [bytes].
    static constexpr uint8_t DATA = 0;     ///< Kind of a frame with a message.
    static constexpr uint8_t ACK = 1;      ///< Kind of an acknowledgement.

    static constexpr uint32_t MOST_DOUBLINGS = 16; ///< Times that a timeout is doubled.

    /** Messages without ACK by number, and how often each was sent. */
    std::map<uint64_t, std::pair<messaging::Request, uint32_t>> m_waiting;
    std::set<std::pair<messaging::Peer, uint64_t>> m_delivered; ///< Delivered messages.
    uint64_t m_next{0};                                         ///< Number of the next message.
    messaging::Ticks m_timeout;                                 ///< First timeout [ticks].
    uint32_t m_peers;                                           ///< Number of peers.
    uint32_t m_mtu;                                             ///< Longest frame [bytes].
};

/** The protocol, found by `relnet run reliability protocol=repeat`. */
class RepeatProtocol : public messaging::CoreProtocol<RepeatCore>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = [] {
            TypeId type = messaging::SetSummary(TypeId("ns3::RepeatProtocol"),
                                                "Repeats each message until its ACK arrives.")
                              .SetParent<messaging::Protocol>()
                              .AddConstructor<RepeatProtocol>();
            messaging::Attributes<RepeatProtocol>(type).AddAttribute(
                "RoundTrips",
                "First timeout, in round trips of the network [round trips; default].",
                &RepeatProtocol::m_roundTrips,
                4,
                1,
                1000);
            return type;
        }();
        return tid;
    }

    messaging::Promise GetPromise(const messaging::PortInfo&) const override
    {
        return {.complete = true, .once = true, .ordered = false, .intact = true};
    }

  protected:
    RepeatCore MakeCore(const messaging::AnyPort& port, messaging::Peer) const override
    {
        const uint32_t mtu = port.GetInfo().mtu;
        const messaging::Frame largest{.payload = mtu};
        const auto timeout = m_roundTrips * port.GetRoundTrip(largest, messaging::Frame{});
        return RepeatCore(timeout, port.GetNPeers(), mtu);
    }

  private:
    uint32_t m_roundTrips{0}; ///< First timeout in round trips.
};

NS_OBJECT_ENSURE_REGISTERED(RepeatProtocol);

} // namespace ns3
