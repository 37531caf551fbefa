/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-search-core-protocol.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <utility>

/**
 * @file
 * Go-back-N in a library of a user, with bugs that `relnet check` has to find. PLANTED selects one.
 *
 *     sender    DATA n ... DATA n + window - 1     a timer repeats all of them
 *     receiver  delivers the expected one; ACK m acknowledges all below m
 */

#ifndef PLANTED
#define PLANTED NONE
#endif

namespace ns3
{
namespace planted
{

using namespace messaging;

/** A bug. */
enum class Bug : uint8_t
{
    NONE,   ///< The protocol is right.
    WINDOW, ///< The receiver accepts any frame inside the window.
    WRAP,   ///< The window may equal the count of numbers, so that old frames look like new ones.
    BYTE_WRAP, ///< ACKs are compared without the wrap of numbers at 256, which is no parameter.
    FALSE_ACK, ///< A frame that comes too early is discarded, but acknowledged.
    STRANGER,  ///< Frames of peers that do not exist are accepted.
    KIND,      ///< A frame of an unknown kind ends the process.
    NO_REACK,  ///< A duplicate is discarded without an ACK.
    FORGETFUL  ///< Encode leaves out the expected number.
};

/** The bug of this library. */
constexpr Bug BUG = Bug::PLANTED;

/** One peer: both ends of a flow to and from each other peer. */
class Core
{
  public:
    /**
     * Constructor.
     * @param timeout time until frames are repeated [ticks]
     * @param peers number of peers
     * @param mtu longest frame [bytes]
     * @param window maximum number of messages in flight to a peer
     * @param modulus count of different numbers
     */
    Core(Ticks timeout, uint32_t peers, uint32_t mtu, uint32_t window, uint32_t modulus)
        : m_timeout(timeout),
          m_peers(peers),
          m_mtu(mtu),
          m_window(window),
          m_modulus(modulus)
    {
    }

    /** Post a message. @param request the message @param out actions @return accepted or refused */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to >= m_peers || uint64_t{request.bytes} + HEADER > m_mtu)
        {
            return Acceptance::REFUSED;
        }
        Sender& sender = m_senders[request.to];
        sender.queue.push_back(request);
        if (sender.queue.size() <= m_window)
        {
            Send(request.to, sender.queue.size() - 1, out);
            out.Arm(request.to, m_timeout);
        }
        return Acceptance::ACCEPTED;
    }

    /** @return the largest message that fits into a frame [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_mtu - HEADER;
    }

    /** Receive a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (from >= m_peers && BUG != Bug::STRANGER)
        {
            return;
        }
        if (BUG == Bug::KIND && frame.kind > ACK)
        {
            std::abort();
        }
        if (frame.kind == ACK)
        {
            OnAck(from, static_cast<uint32_t>(frame.id), out);
            return;
        }
        uint64_t& expected = m_expected[from];
        // Distance of the number ahead of the expected one, in the space of numbers.
        const auto ahead =
            static_cast<uint32_t>((frame.id + m_modulus - expected % m_modulus) % m_modulus);
        bool isNext = ahead == 0;
        if (BUG == Bug::WINDOW)
        {
            isNext = ahead < m_window;
        }
        if (isNext)
        {
            out.Deliver({expected + ahead, frame.contents, from, frame.payload, frame.aux, 0});
            expected += ahead + 1;
        }
        else if (BUG == Bug::NO_REACK)
        {
            return;
        }
        uint64_t acknowledged = expected;
        if (BUG == Bug::FALSE_ACK && ahead < m_window && !isNext)
        {
            acknowledged = expected + ahead + 1;
        }
        out.Send(from, Frame{.id = acknowledged % m_modulus, .header = HEADER, .kind = ACK});
    }

    /** Repeat all messages in flight. @param to their receiver @param out actions */
    template <class Out>
    void OnTimer(TimerId to, Out& out)
    {
        const auto peer = static_cast<Peer>(to);
        const std::size_t flying = std::min<std::size_t>(m_senders[peer].queue.size(), m_window);
        for (std::size_t place = 0; place < flying; ++place)
        {
            Send(peer, place, out);
        }
        if (flying > 0)
        {
            out.Arm(to, m_timeout);
        }
    }

    /** The protocol requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** A frame at a busy port is repeated by its timer. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Name a frame. @param frame the frame @return its name */
    static std::string DescribeFrame(const Frame& frame)
    {
        return (frame.kind == ACK ? "ACK " : "DATA ") + std::to_string(frame.id);
    }

    /** Encode the canonical state. @param encoder the encoder */
    void Encode(Encoder& encoder) const
    {
        for (const auto& [peer, sender] : m_senders)
        {
            encoder.Put(peer);
            encoder.Put(sender.first);
            encoder.Put(sender.queue.size());
        }
        for (const auto& [peer, expected] : m_expected)
        {
            encoder.Put(peer);
            encoder.Put(BUG == Bug::FORGETFUL ? 0 : expected);
        }
    }

  private:
    static constexpr uint16_t HEADER = 16; ///< Header of a frame [bytes].
    static constexpr uint8_t DATA = 0;     ///< Kind of a frame with a message.
    static constexpr uint8_t ACK = 1;      ///< Kind of an acknowledgement.

    /** Messages to a peer. */
    struct Sender
    {
        uint64_t first{0};         ///< Number of the first message of the queue.
        std::deque<Request> queue; ///< Messages without ACK; the first ones are in flight.
    };

    /** Send a message. @param to its receiver @param place its place in the queue @param out
     * actions */
    template <class Out>
    void Send(Peer to, std::size_t place, Out& out)
    {
        const Sender& sender = m_senders[to];
        const Request& request = sender.queue[place];
        out.Send(to,
                 Frame{.id = (sender.first + place) % m_modulus,
                       .contents = request.contents,
                       .payload = request.bytes,
                       .aux = request.tag,
                       .header = HEADER,
                       .kind = DATA});
    }

    /** Receive an ACK. @param from its sender @param number the number @param out actions */
    template <class Out>
    void OnAck(Peer from, uint32_t number, Out& out)
    {
        Sender& sender = m_senders[from];
        const auto flying =
            static_cast<uint32_t>(std::min<std::size_t>(sender.queue.size(), m_window));
        const auto first = static_cast<uint32_t>(sender.first % m_modulus);
        uint32_t ended = (number + m_modulus - first) % m_modulus;
        if (BUG == Bug::BYTE_WRAP && number < first)
        {
            ended = 0;
        }
        if (ended == 0 || ended > flying)
        {
            return;
        }
        for (uint32_t i = 0; i < ended; ++i)
        {
            const RequestId id = sender.queue.front().id;
            sender.queue.pop_front();
            ++sender.first;
            out.Complete(id, Completion::DELIVERED);
        }
        for (std::size_t place = flying - ended; place < sender.queue.size() && place < m_window;
             ++place)
        {
            Send(from, place, out);
        }
        if (sender.queue.empty())
        {
            out.Cancel(from);
        }
        else
        {
            out.Arm(from, m_timeout);
        }
    }

    std::map<Peer, Sender> m_senders;    ///< Messages by receiver.
    std::map<Peer, uint64_t> m_expected; ///< Number of the next message by sender.
    Ticks m_timeout;                     ///< Timeout [ticks].
    uint32_t m_peers;                    ///< Number of peers.
    uint32_t m_mtu;                      ///< Longest frame [bytes].
    uint32_t m_window;                   ///< Maximum number of messages in flight to a peer.
    uint32_t m_modulus;                  ///< Count of different numbers.
};

/** The protocol, found by `relnet run reliability protocol=planted`. */
class PlantedProtocol : public CoreProtocol<Core>
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = [] {
            TypeId type =
                SetSummary(TypeId("ns3::planted::PlantedProtocol"), "Go-back-N of a user.")
                    .SetParent<Protocol>()
                    .AddConstructor<PlantedProtocol>();
            Attributes<PlantedProtocol>(type)
                .AddAttribute("Window",
                              "Maximum number of messages in flight to a peer [messages; default].",
                              &PlantedProtocol::m_window,
                              8,
                              1,
                              1024)
                .AddAttribute("Modulus",
                              "Count of different numbers in frames [numbers; default].",
                              &PlantedProtocol::m_modulus,
                              1024,
                              2,
                              65536);
            return type;
        }();
        return tid;
    }

    std::string Check(const PortInfo& info, uint32_t) const override
    {
        const uint32_t most = BUG == Bug::WRAP ? m_modulus : m_modulus - 1;
        if (m_window > most)
        {
            return "Window is less than Modulus.";
        }
        if (!info.ordered && info.maxSlip == NEVER)
        {
            return "Go-back-N needs a network in which frames overtake each other within a limited "
                   "time.";
        }
        return "";
    }

    Promise GetPromise(const PortInfo&) const override
    {
        return {.complete = true,
                .once = true,
                .ordered = true,
                .intact = true,
                .waitsWhenCalm = true,
                .repeatsWhenCalm = true};
    }

  protected:
    Core MakeCore(const AnyPort& port, Peer) const override
    {
        constexpr uint32_t ROUND_TRIPS = 4;
        const uint32_t mtu = port.GetInfo().mtu;
        const Frame largest{.payload = mtu};
        const auto timeout = ROUND_TRIPS * m_window * port.GetRoundTrip(largest, Frame{});
        constexpr uint32_t BYTE = 256;
        const uint32_t modulus = BUG == Bug::BYTE_WRAP ? BYTE : m_modulus;
        return Core(timeout, port.GetNPeers(), mtu, m_window, modulus);
    }

  private:
    uint32_t m_window{0};  ///< Maximum number of messages in flight to a peer.
    uint32_t m_modulus{0}; ///< Count of different numbers.
};

NS_OBJECT_ENSURE_REGISTERED(PlantedProtocol);

} // namespace planted
} // namespace ns3
