/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-receive-window.h"
#include "ns3/messaging-round-trip.h"
#include "ns3/messaging-search-core-protocol.h"
#include "ns3/messaging-send-window.h"
#include "ns3/messaging-sequence-space.h"

#include <string>
#include <vector>

/**
 * @file
 * Example of a protocol of today: selective repeat, with selective acknowledgements (SACK), an
 * adaptive timeout, an adaptive window and several paths; ARCHITECTURE.md lists the steps.
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

/** Properties of the protocol and of the network. */
struct Config
{
    uint32_t modulus{1 << 16}; ///< Count of different numbers in frames.
    uint32_t window{64};       ///< Maximum number of messages without a cumulative ACK.
    Ticks timeout{0};          ///< First and least timeout [ticks].
    PortInfo info{};           ///< Properties of the network.
};

/** Kinds of frames. */
enum Kind : uint8_t
{
    DATA, ///< A message; `id` is its number.
    ACK   ///< `id` is the number of the next message in order, `words` the SACK from there.
};

/** Reasons that are counted. */
enum Event : Reason
{
    HOLE,   ///< Messages are repeated, as a later one has arrived.
    TIMEOUT ///< All messages in flight are repeated.
};

/** The protocol between two peers, at one of them: a value without simulator or node. */
class Flow
{
  public:
    /** Construct. @param config properties */
    explicit Flow(const Config& config)
        : m_numbers(config.modulus),
          m_sending(config.window, HEADER),
          m_receiving(config.window),
          m_roundTrip(config.timeout),
          m_control(config.info.mtu, config.info.mtu, uint64_t{config.window} * config.info.mtu),
          m_info(config.info)
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
        return m_info.mtu - HEADER;
    }

    /** Post a message. @param request the message @param out actions @return accepted or stalled */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (m_sending.IsFull())
        {
            return Acceptance::STALLED;
        }
        if (m_sending.IsEmpty())
        {
            out.Arm(request.to, m_roundTrip.GetTimeout());
        }
        m_sending.Post(request);
        OnReady(request.to, out);
        return Acceptance::ACCEPTED;
    }

    /** Receive a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (frame.kind == ACK)
        {
            OnAck(from, frame, out);
        }
        else if (!(frame.marks & MARK_TRIMMED))
        {
            OnData(from, frame, out);
        }
        OnReady(from, out);
    }

    /** Repeat all messages in flight. @param peer their receiver @param out actions */
    template <class Out>
    void OnTimer(Peer peer, Out& out)
    {
        if (m_sending.IsEmpty())
        {
            return; // A timer may fire although it was cancelled.
        }
        if (m_sending.LoseAll())
        {
            out.Note(TIMEOUT);
            m_control.OnTimeout(out.Now());
            m_roundTrip.BackOff();
        }
        out.Arm(peer, m_roundTrip.GetTimeout());
        OnReady(peer, out);
    }

    /** Send an ACK and messages that wait, as far as port and congestion control permit. @param to
     * their receiver @param out actions */
    template <class Out>
    void OnReady(Peer to, Out& out)
    {
        if (m_owesAck && !SendAck(to, out))
        {
            return;
        }
        while (const auto message = m_sending.GetNextToSend())
        {
            const Request& request = message->request;
            const Frame data{.id = m_numbers.Wrap(message->number),
                             .contents = request.contents,
                             .payload = request.bytes,
                             .aux = request.tag,
                             .header = HEADER,
                             .path = ChoosePath(out),
                             .kind = DATA,
                             .flags = request.flags};
            if (m_sending.GetInFlight() >= m_control.GetWindow() || !out.Send(to, data))
            {
                return;
            }
            m_sending.SetSent(message->number, out.Now());
            m_control.OnSend(out.Now(), HEADER + request.bytes);
            if (message->state == SendWindow::POSTED)
            {
                out.Complete(request.id, Completion::SENT);
            }
        }
    }

    /** Append the state, without estimates of time. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        m_sending.Encode(encoder);
        m_receiving.Encode(encoder);
        m_control.Encode(encoder);
        encoder.Put(m_owesAck, "owes ACK");
    }

  private:
    /** Send an ACK. @param to its receiver @param out actions @return false if the port is busy */
    template <class Out>
    bool SendAck(Peer to, Out& out)
    {
        Frame ack{.id = m_numbers.Wrap(m_receiving.GetNext()),
                  .words = m_receiving.GetSack(),
                  .header = HEADER,
                  .path = ChoosePath(out),
                  .kind = ACK,
                  .flags = m_marks};
        ack.header += ack.words.size() * sizeof(uint32_t);
        if (!out.Send(to, ack))
        {
            return false;
        }
        m_owesAck = false;
        m_marks = 0;
        return true;
    }

    /** @param out actions @return a path at random. */
    template <class Out>
    uint16_t ChoosePath(Out& out) const
    {
        return static_cast<uint16_t>(out.Random(m_info.paths));
    }

    /** Receive a message, and deliver what is in order. @param from its sender @param data the
     * message @param out actions */
    template <class Out>
    void OnData(Peer from, const Frame& data, Out& out)
    {
        const uint64_t number = m_numbers.Unwrap(data.id, m_receiving.GetNext());
        m_receiving.Insert({number, data.contents, from, data.payload, data.aux, data.flags});
        while (const auto message = m_receiving.Take())
        {
            out.Deliver(*message);
        }
        m_owesAck = true;
        m_marks |= data.marks & MARK_CONGESTION;
    }

    /** Receive an acknowledgement. @param from its sender @param ack it @param out actions */
    template <class Out>
    void OnAck(Peer from, const Frame& ack, Out& out)
    {
        const uint64_t next = m_numbers.Unwrap(ack.id, m_sending.GetBegin());
        AckNews news = m_sending.OnAck(next, ack.words, out.Now());
        news.marked = ack.flags != 0;
        m_roundTrip.Measure(news.roundTrip);
        m_control.OnAck(news);
        if (m_sending.LoseOvertaken(news.now, m_roundTrip.GetRoundTrip() + m_info.maxSlip))
        {
            out.Note(HOLE);
            m_control.OnLoss(news.now);
        }
        while (const auto request = m_sending.TakeArrived())
        {
            out.Complete(request->id, Completion::DELIVERED);
        }
        if (m_sending.IsEmpty())
        {
            out.Cancel(from);
        }
        else
        {
            out.Arm(from, m_roundTrip.GetTimeout());
        }
    }

    SequenceSpace m_numbers;        ///< Numbers in frames.
    SendWindow m_sending;           ///< Messages without a cumulative ACK.
    ReceiveWindow m_receiving;      ///< Messages that arrived before an earlier one.
    RoundTripEstimator m_roundTrip; ///< Round trip and timeout.
    AimdWindow m_control;           ///< Congestion control.
    PortInfo m_info;                ///< Properties of the network.
    uint8_t m_marks{0};             ///< Marks of DATA, which the next ACK returns.
    bool m_owesAck{false};          ///< An ACK has to be sent.
};

/** The protocol, found by `relnet run reliability protocol=selective-repeat`. */
class SelectiveRepeatProtocol : public CoreProtocol<FlowCore<Flow>>
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
                .In(&Self::m_config)
                .AddAttribute("Modulus",
                              "Count of different numbers in frames [numbers; default].",
                              &Config::modulus,
                              Range(2U, 1U << 31))
                .AddAttribute(
                    "Window",
                    "Maximum number of messages without a cumulative ACK, at most half of "
                    "Modulus [messages; default].",
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

  protected:
    FlowCore<Flow> MakeCore(const AnyPort& port, Peer) const override
    {
        Config config = m_config;
        config.info = port.GetInfo();
        const Frame longest{.payload = config.info.mtu};
        config.timeout = ROUND_TRIPS * port.GetRoundTrip(longest, Frame{}) + config.info.maxSlip;
        return FlowCore(Flow(config), port.GetNPeers());
    }

    std::vector<std::string> GetReasons() const override
    {
        return {"hole", "timeout"};
    }

  private:
    static constexpr Ticks ROUND_TRIPS = 4; ///< First and least timeout [idle round trips].

    Config m_config; ///< Modulus and window.
};

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeatProtocol);

} // namespace selective_repeat
} // namespace ns3
