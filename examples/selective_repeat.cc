/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-congestion-control.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-segmenting-core.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * Example of a protocol that uses the whole seam: selective repeat, with selective acknowledgements
 * (SACK), an adaptive timeout, congestion control and several paths; ARCHITECTURE.md lists the
 * steps.
 *
 *     sender    DATA 0    DATA 1 --x    DATA 2                  DATA 1
 *     receiver        ACK next 1                ACK next 1, SACK 2    ACK next 3
 *
 * Each peer numbers its messages to another one; frames carry the number modulo `Modulus`. At most
 * `Window` messages lack a cumulative ACK, and the receiver keeps those that arrive early.
 */

namespace ns3
{
namespace selective_repeat
{

using namespace messaging;

/** Header without words: number, next number, tag, kind and flags [bytes]. */
constexpr uint16_t HEADER = 16;

/** Messages in a word of the SACK bitmap. */
constexpr uint32_t WORD_BITS = 32;

/** Properties of the protocol and of the network. */
struct Config
{
    uint32_t modulus{1 << 16}; ///< Count of different numbers in frames.
    uint32_t window{64};       ///< Maximum number of messages without a cumulative ACK.
    uint32_t peers{0};         ///< Number of peers.
    uint32_t mtu{0};           ///< Longest frame [bytes].
    uint32_t paths{1};         ///< Number of paths.
    Ticks slip{0};             ///< Maximum time by which frames overtake each other [ticks].
    Ticks timeout{0};          ///< First and least timeout [ticks].
};

/** Kinds of frames. */
enum Kind : uint8_t
{
    DATA, ///< A message; `id` is its number.
    ACK   ///< `id` is the number of the next message in order, `words` the SACK bitmap from there.
};

/** Reasons that are counted. */
enum Event : uint8_t
{
    HOLE,   ///< A message is repeated, as a later one has arrived.
    TIMEOUT ///< All messages in flight are repeated.
};

/**
 * The protocol of one peer: a value without simulator or node.
 * @tparam Control congestion control of a flow
 */
template <CongestionControl Control>
class Core
{
  public:
    /** Construct. @param config properties @param control initial congestion control of each flow
     */
    Core(const Config& config, const Control& control)
        : m_config(config),
          m_flows(config.peers, Flow{.control = control})
    {
    }

    /** @return true: a message is SENT when it has left, and DELIVERED when its ACK has arrived. */
    bool ConfirmsDelivery() const
    {
        return true;
    }

    /** @return the largest message of one frame [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_config.mtu - HEADER;
    }

    /** Post a message. @param request the message @param out actions @return accepted, stalled or
     * refused */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to >= m_config.peers || request.bytes > GetLargestMessage())
        {
            return Acceptance::REFUSED;
        }
        Flow& flow = m_flows[request.to];
        if (flow.outgoing.size() == m_config.window)
        {
            return Acceptance::STALLED;
        }
        flow.outgoing[flow.next++].request = request;
        if (flow.outgoing.size() == 1)
        {
            out.Arm(request.to, GetTimeout(flow));
        }
        Fill(request.to, out);
        return Acceptance::ACCEPTED;
    }

    /** Receive a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (from < m_config.peers && frame.kind == ACK)
        {
            OnAck(from, frame, out);
        }
        else if (from < m_config.peers && !(frame.marks & MARK_TRIMMED))
        {
            OnData(from, frame, out);
        }
    }

    /** Repeat all messages in flight to a peer. @param peer the peer @param out actions */
    template <class Out>
    void OnTimer(TimerId peer, Out& out)
    {
        Flow& flow = m_flows[peer];
        if (flow.outgoing.empty())
        {
            return; // A timer may fire although it was cancelled.
        }
        if (flow.inFlight > 0)
        {
            out.Note(TIMEOUT);
            flow.control.OnTimeout(out.Now());
            flow.doublings = std::min(flow.doublings + 1, MOST_DOUBLINGS);
        }
        for (auto& [number, message] : flow.outgoing)
        {
            SetState(flow, message, message.state == FLYING ? LOST : message.state);
        }
        out.Arm(peer, GetTimeout(flow));
        Fill(static_cast<Peer>(peer), out);
    }

    /** The protocol requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** Send what a busy port has refused. @param out actions */
    template <class Out>
    void OnReady(Out& out)
    {
        for (Peer peer = 0; peer < m_config.peers; ++peer)
        {
            Fill(peer, out);
        }
    }

    /** Append the state, without estimates of time. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        for (const Flow& flow : m_flows)
        {
            encoder.Put(flow.next, "next");
            encoder.Put(flow.outgoing.size(), "outgoing");
            for (const auto& [number, message] : flow.outgoing)
            {
                encoder.Put(message.request.contents, "contents");
                encoder.Put(message.state, "state");
            }
            encoder.Put(flow.expected, "expected");
            encoder.Put(flow.early.size(), "early");
            for (const auto& [number, frame] : flow.early)
            {
                encoder.Put(number, "number");
                encoder.Put(frame.contents, "contents");
            }
            encoder.Put(flow.owesAck, "owes ACK");
            flow.control.Encode(encoder);
        }
    }

  private:
    static constexpr uint32_t MOST_DOUBLINGS = 10; ///< Maximum doublings of a timeout.

    /** States of a posted message. */
    enum State : uint8_t
    {
        POSTED, ///< Not sent yet.
        LOST,   ///< To be sent again.
        FLYING, ///< In flight.
        ARRIVED ///< Acknowledged, while an earlier one is not.
    };

    /** A posted message. */
    struct Outgoing
    {
        Request request;        ///< The message.
        Ticks sent{0};          ///< Time of the last transmission [ticks].
        State state{POSTED};    ///< State.
        bool isRepeated{false}; ///< Sent more than once.
    };

    /** Messages to and from one peer, numbered without a modulus. */
    struct Flow
    {
        Control control;                         ///< Congestion control.
        std::map<uint64_t, Outgoing> outgoing{}; ///< Messages without a cumulative ACK.
        std::map<uint64_t, Frame> early{};       ///< Messages that arrived before an earlier one.
        uint64_t next{0};                        ///< Number of the next message to the peer.
        uint64_t expected{0};                    ///< Number of the next message to be delivered.
        uint64_t inFlight{0};                    ///< Size of messages in flight [bytes].
        Ticks roundTrip{0};                      ///< Smoothed round trip; 0 if unknown [ticks].
        Ticks deviation{0};                      ///< Mean deviation of the round trip [ticks].
        uint32_t doublings{0};                   ///< Doublings of the timeout.
        uint8_t marks{0};                        ///< Marks of DATA, which the next ACK returns.
        bool owesAck{false};                     ///< An ACK has to be sent.
    };

    /** Get how far a number is ahead. @param number number in a frame @param base the number to
     * compare with @return the distance modulo the modulus */
    uint64_t GetOffset(uint64_t number, uint64_t base) const
    {
        const uint64_t modulus = m_config.modulus;
        return (number % modulus + modulus - base % modulus) % modulus;
    }

    /** Get the timeout [RFC 6298]. @param flow the flow @return the timeout [ticks] */
    Ticks GetTimeout(const Flow& flow) const
    {
        const Ticks adapted = flow.roundTrip + 4 * flow.deviation + m_config.slip;
        return std::max(m_config.timeout, adapted) << flow.doublings;
    }

    /** Adapt the timeout. @param flow its flow @param sample a round trip [ticks] */
    static void Measure(Flow& flow, Ticks sample)
    {
        const Ticks error = std::max(sample, flow.roundTrip) - std::min(sample, flow.roundTrip);
        const bool isFirst = flow.roundTrip == 0;
        flow.deviation = isFirst ? sample / 2 : (3 * flow.deviation + error) / 4;
        flow.roundTrip = isFirst ? sample : (7 * flow.roundTrip + sample) / 8;
        flow.doublings = 0;
    }

    /** Set the state of a message. @param flow its flow @param message it @param state the state */
    static void SetState(Flow& flow, Outgoing& message, State state)
    {
        const uint64_t bytes = HEADER + message.request.bytes;
        flow.inFlight -= message.state == FLYING ? bytes : 0;
        flow.inFlight += state == FLYING ? bytes : 0;
        message.state = state;
    }

    /** Send an ACK and messages that wait, as far as port and congestion control permit. @param to
     * their receiver @param out actions */
    template <class Out>
    void Fill(Peer to, Out& out)
    {
        Flow& flow = m_flows[to];
        if (flow.owesAck && !SendAck(to, out))
        {
            return;
        }
        for (auto& [number, message] : flow.outgoing)
        {
            if (message.state == FLYING || message.state == ARRIVED)
            {
                continue;
            }
            const Request& request = message.request;
            const Frame data{.id = number % m_config.modulus,
                             .contents = request.contents,
                             .payload = request.bytes,
                             .aux = request.tag,
                             .header = HEADER,
                             .path = static_cast<uint16_t>(out.Random(m_config.paths)),
                             .kind = DATA,
                             .flags = request.flags};
            if (flow.inFlight >= flow.control.GetWindow() || !out.Send(to, data))
            {
                return;
            }
            message.isRepeated = message.state == LOST;
            message.sent = out.Now();
            SetState(flow, message, FLYING);
            if (!message.isRepeated)
            {
                out.Complete(request.id, Completion::SENT);
            }
        }
    }

    /** Take a message, and deliver what is in order. @param from its sender @param data the message
     * @param out actions */
    template <class Out>
    void OnData(Peer from, const Frame& data, Out& out)
    {
        Flow& flow = m_flows[from];
        const uint64_t offset = GetOffset(data.id, flow.expected);
        if (offset < m_config.window)
        {
            flow.early.try_emplace(flow.expected + offset, data);
        }
        flow.owesAck = true;
        flow.marks |= data.marks & MARK_CONGESTION;
        while (!flow.early.empty() && flow.early.begin()->first == flow.expected)
        {
            const Frame frame = flow.early.extract(flow.early.begin()).mapped();
            const uint64_t number = flow.expected++;
            out.Deliver({number, frame.contents, from, frame.payload, frame.aux, frame.flags});
        }
        Fill(from, out);
    }

    /** Send an ACK. @param to its receiver @param out actions @return false if the port is busy */
    template <class Out>
    bool SendAck(Peer to, Out& out)
    {
        Flow& flow = m_flows[to];
        Frame ack{.id = flow.expected % m_config.modulus,
                  .header = HEADER,
                  .path = static_cast<uint16_t>(out.Random(m_config.paths)),
                  .kind = ACK,
                  .flags = flow.marks};
        for (const auto& [number, frame] : flow.early)
        {
            const uint64_t bit = number - flow.expected;
            while (ack.words.size() <= bit / WORD_BITS)
            {
                ack.words.push_back(0);
                ack.header += sizeof(uint32_t);
            }
            ack.words[bit / WORD_BITS] |= uint32_t{1} << bit % WORD_BITS;
        }
        flow.owesAck = !out.Send(to, ack);
        flow.marks = flow.owesAck ? flow.marks : 0;
        return !flow.owesAck;
    }

    /** Take an acknowledgement. @param from its sender @param ack it @param out actions */
    template <class Out>
    void OnAck(Peer from, const Frame& ack, Out& out)
    {
        Flow& flow = m_flows[from];
        const uint64_t begin = flow.next - flow.outgoing.size();
        const uint64_t end = begin + GetOffset(ack.id, begin);
        if (end > flow.next)
        {
            return; // A later ACK has overtaken it.
        }
        AckNews news{.now = out.Now(), .marked = ack.flags != 0};
        bool isOvertaken = false;
        bool hasHole = false;
        for (auto& [number, message] : flow.outgoing | std::views::reverse)
        {
            const uint64_t word = (number - end) / WORD_BITS; // Huge for numbers before the end.
            const uint32_t mask = uint32_t{1} << (number - end) % WORD_BITS;
            const bool has = number < end || (word < ack.words.size() && ack.words[word] & mask);
            if (has && message.state != ARRIVED)
            {
                const bool isFirst = news.roundTrip == 0 && !message.isRepeated; // Karn's rule.
                news.roundTrip = isFirst ? news.now - message.sent : news.roundTrip;
                news.bytes += message.request.bytes;
                SetState(flow, message, ARRIVED);
            }
            const Ticks due = message.sent + flow.roundTrip + m_config.slip;
            if (message.state == FLYING && isOvertaken && news.now >= due)
            {
                SetState(flow, message, LOST);
                out.Note(HOLE);
                hasHole = true;
            }
            isOvertaken |= message.state == ARRIVED;
        }
        if (news.roundTrip > 0)
        {
            Measure(flow, news.roundTrip);
        }
        flow.control.OnAck(news);
        if (hasHole)
        {
            flow.control.OnLoss(news.now);
        }
        for (uint64_t number = begin; number < end; ++number)
        {
            const auto message = flow.outgoing.extract(number);
            out.Complete(message.mapped().request.id, Completion::DELIVERED);
        }
        if (flow.outgoing.empty())
        {
            out.Cancel(from);
        }
        else if (begin < end)
        {
            out.Arm(from, GetTimeout(flow));
        }
        Fill(from, out);
    }

    Config m_config;           ///< Properties.
    std::vector<Flow> m_flows; ///< Flows by peer.
};

/** Choices of congestion control. */
enum class Congestion : uint8_t
{
    FIXED, ///< FixedWindow.
    AIMD   ///< AimdWindow.
};

/** The protocol, found by `relnet run reliability protocol=selective-repeat`. */
class SelectiveRepeatProtocol : public Protocol, public Searchable
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        using Self = SelectiveRepeatProtocol;
        static TypeId tid = [] {
            TypeId type = SetSummary(TypeId("ns3::selective_repeat::SelectiveRepeatProtocol"),
                                     "Selective repeat, with SACK and congestion control.")
                              .SetParent<Protocol>()
                              .AddConstructor<Self>();
            Attributes<Self>(type)
                .AddAttribute("Congestion",
                              "Congestion control [name; default].",
                              &Self::m_congestion,
                              Congestion::FIXED,
                              {{Congestion::FIXED, "fixed"}, {Congestion::AIMD, "aimd"}})
                .In(&Self::m_config)
                .AddAttribute("Modulus",
                              "Count of different numbers in frames [numbers; default].",
                              &Config::modulus,
                              Range(2U, 1U << 31))
                .AddAttribute("Window",
                              "Maximum number of messages without a cumulative ACK [messages; "
                              "default].",
                              &Config::window,
                              Range(1U, 1U << 10));
            return type;
        }();
        return tid;
    }

    std::string Check(const PortInfo& info, uint32_t) const override
    {
        if (m_config.window > m_config.modulus / 2)
        {
            return "Window is at most half of Modulus.";
        }
        if (!info.ordered && info.maxSlip == NEVER)
        {
            return "Selective repeat needs a network in which frames overtake each other within a "
                   "limited time.";
        }
        return "";
    }

    /**
     * A number must not repeat while an old frame with it may still arrive. So the frames that a
     * peer sends within the slip of the network, of HEADER bytes each, must be fewer than the
     * numbers outside both windows.
     */
    Promise GetPromise(const PortInfo& info) const override
    {
        const double late = info.rate * static_cast<double>(info.maxSlip) / HEADER;
        const uint32_t spare = m_config.modulus - 2 * m_config.window;
        const bool holds = info.ordered || (info.rate > 0 && late < spare);
        return {.complete = holds, .once = holds, .ordered = holds, .intact = holds};
    }

    Ptr<MessageGroup> Connect(const Site& site) override
    {
        const PortInfo info = site.port->GetInfo();
        Config config = m_config;
        config.peers = site.port->GetNPeers();
        config.mtu = info.mtu;
        config.paths = info.paths;
        config.slip = info.ordered ? 0 : info.maxSlip;
        config.timeout = ROUND_TRIPS * site.port->GetRoundTrip({.payload = info.mtu}, Frame{});
        const uint64_t most = uint64_t{config.window} * info.mtu;
        if (m_congestion == Congestion::AIMD)
        {
            return MakeGroup(site, config, AimdWindow(info.mtu, info.mtu, most));
        }
        return MakeGroup(site, config, FixedWindow(most));
    }

    std::vector<NamedCount> GetCounts() const override
    {
        if (!m_count)
        {
            return {};
        }
        return {{"hole", m_count(HOLE)}, {"timeout", m_count(TIMEOUT)}};
    }

    SearchStart GetSearchStart(Ptr<const MessageGroup> group) const override
    {
        if (const auto fixed = DynamicCast<const Group<FixedWindow>>(group))
        {
            return {.cores = MakeCores(*fixed)};
        }
        return {.cores = MakeCores(*DynamicCast<const Group<AimdWindow>>(group))};
    }

  private:
    static constexpr Ticks ROUND_TRIPS = 4; ///< First and least timeout [idle round trips].

    /** The group of all peers, with messages of any size. */
    template <CongestionControl Control>
    using Group = CoreGroup<SegmentingCore<Core<Control>>, AnyPort>;

    /** Make the group. @param site network @param config properties @param control initial
     * congestion control @return the group */
    template <CongestionControl Control>
    Ptr<MessageGroup> MakeGroup(const Site& site, const Config& config, const Control& control)
    {
        auto group = CreateObject<Group<Control>>();
        group->Connect(site.clock, site.port, [&](Peer) {
            return MakeLayered<SegmentingCore<Core<Control>>>(Core<Control>(config, control));
        });
        m_count = [group](Reason reason) { return group->GetCount(reason); };
        return group;
    }

    Config m_config;                            ///< Modulus and window.
    Congestion m_congestion{Congestion::FIXED}; ///< Congestion control.
    std::function<uint64_t(Reason)> m_count;    ///< Counts of reasons.
};

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeatProtocol);

} // namespace selective_repeat
} // namespace ns3
