/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_LAYER_H
#define PARASTATION_LAYER_H

#include "parastation-types.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * The software layers above the HAL (table 3), each a protocol over the layer below it.
 *
 *     MPI      PVM          up to ShortBytes       above            above EagerBytes
 *       \      /
 *        Ports    TCP       DATA ------>     ENVELOPE ------>     REQUEST ------>
 *           \     /                          DATA ---------->             <------ OK
 *             HAL                                                 DATA ---------->
 *
 * A message of PVM 3.4 in fragments, each with one write and two reads of the port (mxfer and
 * mxinput in src/lpvm.c, headers in include/pvmproto.h and src/global.h):
 *
 *     bytes     16         32        up to 4032     16         up to 4032
 *               fragment   message   data           fragment   data          ...
 *     written   --------------------------------    ---------------------
 *     read      --------   ---------------------    --------   ----------
 */

namespace ns3
{
namespace parastation
{

/** Frame formats and host costs of a software layer. */
struct LayerConfig
{
    uint32_t fragment{NONE};   ///< Largest part of a message in a frame of the layer [bytes].
    uint32_t shortBytes{NONE}; ///< Largest message without an envelope [bytes].
    uint32_t eagerBytes{NONE}; ///< Largest message sent without an OK [bytes].
    uint32_t queue{16};        ///< Largest number of queued messages.
    uint32_t sendCall{0};      ///< Processor time of a message at the sender [ns].
    uint32_t receiveCall{0};   ///< Processor time of a message at the receiver [ns].
    uint32_t sendFrame{0};     ///< Processor time of a frame at the sender [ns].
    uint32_t receiveFrame{0};  ///< Processor time of a frame at the receiver [ns].
    uint32_t readHeader{0};    ///< Processor time of a separate read of a frame's header [ns].
    uint16_t header{0};        ///< Header of a frame [bytes].
    uint16_t messageHeader{0}; ///< Header of a message, in its first frame of data [bytes].
    uint16_t packCopies{0};    ///< Copies of a message before its first frame [percent of one].
    uint16_t bufferCopies{0};  ///< Copies of each frame at the receiver [percent of one].
    uint16_t unpackCopies{0};  ///< Copies of a short message there [percent of one].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LayerConfig&) const = default;
};

/**
 * @ingroup parastation
 * A process's end of a software layer: a messaging::ProtocolCore whose port is the layer below.
 *
 * The layer below, like the HAL, is lossless and keeps the order, so a layer needs no sequence
 * numbers, timers or acknowledgements; it adds messages, copies and processor time. A process sends
 * its messages one after the other; a message that waits for the receiver's OK blocks those behind
 * it. A message completes with SENT when its last frame has been passed on, as the send call
 * returns then.
 */
class LayerCore
{
  public:
    /** Kinds of frames. */
    enum class Kind : uint8_t
    {
        DATA,     ///< A part of a message.
        ENVELOPE, ///< Announces a message, whose data follow.
        REQUEST,  ///< Announces a message, whose data wait for an OK.
        OK        ///< The receiver is ready for the data.
    };

    /** Parts of the work; the upper half of a WorkId. They follow those of the NicCore. */
    enum class Step : uint8_t
    {
        NOTHING = N_PARTS, ///< Idle.
        SEND_CALL,         ///< Send call of a message.
        PACK,              ///< Copies of a message at the sender.
        SEND_FRAME,        ///< A frame at the sender.
        READY,             ///< A frame waits for the layer below.
        READ_HEADER,       ///< Separate read of a frame's header at the receiver.
        RECEIVE_FRAME,     ///< A frame at the receiver.
        BUFFER,            ///< Copies of a frame at the receiver.
        RECEIVE_CALL,      ///< Receive call of a message.
        UNPACK             ///< Copies of a message at the receiver.
    };

    /**
     * Construct.
     * @param config frame formats and costs of the layer
     * @param self the process
     * @param peers number of processes
     */
    LayerCore(const LayerConfig& config, messaging::Peer self, uint32_t peers)
        : m_config(config),
          m_partial(peers),
          m_self(self)
    {
    }

    /**
     * Accept a message from the process.
     * @param request the message
     * @param out actions
     * @return stalled if the queue is full, refused if the message has no receiver
     */
    template <messaging::Actions Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (request.to >= m_partial.size() || request.to == m_self)
        {
            return messaging::Acceptance::REFUSED;
        }
        if (!CanAccept())
        {
            return messaging::Acceptance::STALLED;
        }
        m_queue.Push(Outgoing{request});
        Handle(out, [] {});
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Receive a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        m_arrived.Push(Inbound{frame, from});
        Handle(out, [] {});
    }

    /** There are no timers. */
    template <messaging::Actions Out>
    void OnTimer(messaging::TimerId, Out&)
    {
    }

    /**
     * Handle the completion of work.
     * @param work the work
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnDone(messaging::WorkId work, Out& out)
    {
        Handle(out, [&] { Finish(static_cast<Step>(work >> 32), out); });
    }

    /**
     * Resume sending: the layer below accepts frames again.
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnReady(Out& out)
    {
        Handle(out, [this] { m_blocked = false; });
    }

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return m_queue.GetN() < m_config.queue;
    }

    /** @return whether no message or frame is pending. */
    bool IsIdle() const
    {
        return m_queue.IsEmpty() && m_arrived.IsEmpty() && m_agreed.IsEmpty();
    }

    /**
     * Append the state.
     * @param encoder where
     */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const Outgoing& outgoing : m_queue)
        {
            encoder.Put(outgoing.request.id);
            encoder.Put(uint64_t{outgoing.sent} << 8 | uint64_t{outgoing.called} << 2 |
                        uint64_t{outgoing.announced} << 1 | uint64_t{outgoing.waits});
        }
        for (const auto& partial : m_partial)
        {
            encoder.Put(uint64_t{partial.arrived} << 32 | partial.number);
        }
        encoder.Put(uint64_t{m_arrived.GetN()} << 32 | m_agreed.GetN());
        encoder.Put(uint64_t{static_cast<uint8_t>(m_sending)} << 16 |
                    uint64_t{static_cast<uint8_t>(m_receiving)} << 8 | uint64_t{m_blocked});
    }

  private:
    /** Queued message. */
    struct Outgoing
    {
        messaging::Request request; ///< The message.
        uint32_t sent{0};           ///< Bytes in frames passed on.
        bool called{false};         ///< Its send call and copies are done.
        bool announced{false};      ///< Its envelope has been passed on.
        bool waits{false};          ///< It waits for the receiver's OK.
    };

    /** Frame that has arrived. */
    struct Inbound
    {
        messaging::Frame frame;  ///< The frame.
        messaging::Peer from{0}; ///< Its sender.
    };

    /** Partially received message of a sender. */
    struct Partial
    {
        uint64_t contents{0}; ///< Its contents, damage included.
        uint32_t arrived{0};  ///< Bytes received.
        uint32_t number{0};   ///< Number of messages before it.
    };

    /**
     * Handle an event, then advance sending and receiving until neither can proceed.
     * @param out actions
     * @param action effect of the event
     */
    template <class Out, class Action>
    void Handle(Out& out, Action&& action)
    {
        // A user can post before Deliver or Complete returns.
        if (m_handling)
        {
            action();
            return;
        }
        m_handling = true;
        action();
        bool again = true;
        while (again)
        {
            again = StartReceive(out) || StartSend(out);
        }
        m_handling = false;
    }

    /** Process the next received frame. @param out actions @return whether there was one */
    template <class Out>
    bool StartReceive(Out& out)
    {
        if (m_receiving != Step::NOTHING || m_arrived.IsEmpty())
        {
            return false;
        }
        Begin(Step::READ_HEADER, out);
        return true;
    }

    /** Start sending the next frame. @param out actions @return whether it made progress */
    template <class Out>
    bool StartSend(Out& out)
    {
        if (m_sending == Step::READY)
        {
            return !m_blocked && PassOn(out);
        }
        if (m_sending != Step::NOTHING)
        {
            return false;
        }
        if (!m_agreed.IsEmpty())
        {
            Begin(Step::SEND_FRAME, out);
            return true;
        }
        if (m_queue.IsEmpty() || m_queue[0].waits)
        {
            return false;
        }
        if (m_queue[0].called)
        {
            Begin(Step::SEND_FRAME, out);
        }
        else
        {
            Begin(Step::SEND_CALL, out);
        }
        return true;
    }

    /** @return the next frame: an OK, or one of the first queued message. */
    Inbound MakeFrame() const
    {
        Inbound next;
        messaging::Frame& frame = next.frame;
        frame.header = m_config.header;
        if (!m_agreed.IsEmpty())
        {
            next.from = m_agreed.Front();
            frame.kind = static_cast<uint8_t>(Kind::OK);
            return next;
        }
        const Outgoing& outgoing = m_queue.Front();
        const messaging::Request& request = outgoing.request;
        next.from = request.to;
        frame.id = request.bytes;
        frame.contents = request.contents;
        frame.aux = request.tag;
        frame.flags = request.flags;
        if (request.bytes > m_config.shortBytes && !outgoing.announced)
        {
            Kind kind = Kind::ENVELOPE;
            if (request.bytes > m_config.eagerBytes)
            {
                kind = Kind::REQUEST;
            }
            frame.kind = static_cast<uint8_t>(kind);
            return next;
        }
        if (outgoing.sent == 0)
        {
            frame.header += m_config.messageHeader;
        }
        frame.payload = std::min(request.bytes - outgoing.sent, m_config.fragment);
        return next;
    }

    /** Pass a frame on to the layer below. @param out actions @return whether it was taken */
    template <class Out>
    bool PassOn(Out& out)
    {
        const Inbound next = MakeFrame();
        m_blocked = !out.Send(next.from, next.frame);
        if (m_blocked)
        {
            return false;
        }
        m_sending = Step::NOTHING;
        const auto kind = static_cast<Kind>(next.frame.kind);
        if (kind == Kind::OK)
        {
            m_agreed.Pop();
            return true;
        }
        Outgoing& outgoing = m_queue[0];
        outgoing.announced = true;
        outgoing.waits = kind == Kind::REQUEST;
        outgoing.sent += next.frame.payload;
        if (kind == Kind::DATA && outgoing.sent == outgoing.request.bytes)
        {
            const messaging::RequestId id = m_queue.Pop().request.id;
            out.Complete(id, messaging::Completion::SENT);
        }
        return true;
    }

    /**
     * Request the work of a step, or continue at once if it costs nothing.
     * @param step the step
     * @param out actions
     */
    template <class Out>
    void Begin(Step step, Out& out)
    {
        if (step < Step::READ_HEADER)
        {
            m_sending = step;
        }
        else
        {
            m_receiving = step;
        }
        const uint64_t amount = GetAmount(step);
        if (amount == 0)
        {
            Finish(step, out);
            return;
        }
        auto kind = messaging::WorkKind::INSTRUCTIONS;
        if (step == Step::PACK || step == Step::BUFFER || step == Step::UNPACK)
        {
            kind = messaging::WorkKind::COPY;
        }
        out.Do(messaging::Work{uint64_t{static_cast<uint8_t>(step)} << 32, amount, kind});
    }

    /** @param step a step @return its amount of work [ns, or bytes of a copy] */
    uint64_t GetAmount(Step step) const
    {
        const auto copies = [](uint64_t percent, uint64_t bytes) {
            return percent * bytes / PERCENT;
        };
        switch (step)
        {
        case Step::SEND_CALL:
            return m_config.sendCall;
        case Step::PACK:
            return copies(m_config.packCopies, m_queue[0].request.bytes);
        case Step::SEND_FRAME:
            return m_config.sendFrame;
        case Step::READ_HEADER:
            return m_config.readHeader;
        case Step::RECEIVE_FRAME:
            return m_config.receiveFrame;
        case Step::BUFFER:
            return copies(m_config.bufferCopies, m_arrived[0].frame.payload);
        case Step::RECEIVE_CALL:
            return m_config.receiveCall;
        case Step::UNPACK: {
            const uint64_t bytes = m_arrived[0].frame.id;
            if (bytes > m_config.shortBytes)
            {
                return 0;
            }
            return copies(m_config.unpackCopies, bytes);
        }
        default:
            return 0;
        }
    }

    /** Continue after a step. @param step the step @param out actions */
    template <class Out>
    void Finish(Step step, Out& out)
    {
        switch (step)
        {
        case Step::SEND_CALL:
        case Step::READ_HEADER:
        case Step::RECEIVE_FRAME:
        case Step::RECEIVE_CALL:
            // Its copies follow, or the frame its header.
            Begin(static_cast<Step>(static_cast<uint8_t>(step) + 1), out);
            return;
        case Step::PACK:
            m_queue[0].called = true;
            m_sending = Step::NOTHING;
            return;
        case Step::SEND_FRAME:
            m_sending = Step::READY;
            return;
        case Step::BUFFER:
            if (TakeFrame())
            {
                Begin(Step::RECEIVE_CALL, out);
                return;
            }
            m_arrived.Pop();
            m_receiving = Step::NOTHING;
            return;
        case Step::UNPACK:
            EndMessage(out);
            return;
        default:
            return;
        }
    }

    /** Account for the current frame. @return whether it completes its message */
    bool TakeFrame()
    {
        const Inbound& inbound = m_arrived[0];
        switch (static_cast<Kind>(inbound.frame.kind))
        {
        case Kind::DATA: {
            Partial& partial = m_partial[inbound.from];
            if (partial.arrived > 0 && partial.contents != inbound.frame.contents)
            {
                // A damaged frame damages the message.
                partial.contents = ~inbound.frame.contents;
            }
            else
            {
                partial.contents = inbound.frame.contents;
            }
            partial.arrived += inbound.frame.payload;
            return partial.arrived == inbound.frame.id;
        }
        case Kind::REQUEST:
            m_agreed.Push(inbound.from);
            return false;
        case Kind::OK:
            m_queue[0].waits = false;
            return false;
        default:
            return false;
        }
    }

    /** Deliver the message that the current frame completes. @param out actions */
    template <class Out>
    void EndMessage(Out& out)
    {
        const Inbound inbound = m_arrived.Pop();
        m_receiving = Step::NOTHING;
        Partial& partial = m_partial[inbound.from];
        const messaging::Delivery delivery{partial.number,
                                           partial.contents,
                                           inbound.from,
                                           static_cast<uint32_t>(inbound.frame.id),
                                           inbound.frame.aux,
                                           inbound.frame.flags};
        partial = Partial{0, 0, partial.number + 1};
        out.Deliver(delivery);
    }

    LayerConfig m_config;                      ///< Frame formats and costs.
    std::vector<Partial> m_partial;            ///< The message in progress from each process.
    messaging::Fifo<Outgoing> m_queue;         ///< Queued messages.
    messaging::Fifo<Inbound> m_arrived;        ///< Frames to process; the first is current.
    messaging::Fifo<messaging::Peer> m_agreed; ///< Processes that wait for an OK.
    messaging::Peer m_self;                    ///< The process.
    Step m_sending{Step::NOTHING};             ///< Step of the sending side.
    Step m_receiving{Step::NOTHING};           ///< Step of the receiving side.
    bool m_blocked{false};                     ///< The layer below refuses frames.
    bool m_handling{false};                    ///< An event is being handled.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_LAYER_H
