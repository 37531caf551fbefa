/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_FLOW_H
#define UET_MRC_FLOW_H

#include "uet-mrc-packet.h"
#include "uet-mrc-requester.h"
#include "uet-mrc-responder.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup uet
 * One end of a queue pair of MRC.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{

/**
 * @ingroup uet
 * One end of a queue pair of MRC, for a FlowCore: a Requester and a Responder, and the answers that
 * the latter owes.
 *
 * @verbatim
     packet   trimmed? -------------------------> NACK TRIMMED
                 | no
              Responder ------------------------> SACK, NACK
     probe -------------------------------------> SACK
     SACK, NACK --> Requester ------------------> packets, probes
   @endverbatim
 *
 * A SACK names the path of the frame that it answers. Answers take one path of each plane in turn,
 * and others after a packet has arrived again. Planes that the administrator has excluded have no
 * turn.
 *
 * If that is configured, an end that only receives tests these paths:
 *
 * @verbatim
     packets have arrived, and none was sent, for an interval --> EV probe on a random path
     EV probe  ------------------------------------------------> its answer, with its number
     answer to an EV probe  -----------------------------------> answers in this plane take its path
     SACK without a mark  -------------------------------------> answers in this plane take its path
   @endverbatim
 *
 * The number of an EV probe is its path.
 */
class Flow
{
  public:
    /** A trimmed packet is refused by a NACK. */
    static constexpr bool TAKES_TRIMMED = true;

    /** @param config parameters, shared by all flows */
    explicit Flow(std::shared_ptr<const Config> config)
        : m_config(std::move(config)),
          m_requester(m_config),
          m_responder(m_config->pair.modulus),
          m_reverse(m_config->profile.planes, 0)
    {
        SkipDeniedPlanes();
    }

    /** @return the end that sends. */
    const Requester& GetRequester() const
    {
        return m_requester;
    }

    /** @return true: each message ends with the knowledge of its delivery. */
    bool ConfirmsDelivery() const
    {
        return true;
    }

    /**
     * Post a message.
     * @param request the message
     * @param out actions
     * @return accepted; stalled if the queue is full; refused after a failure
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        const messaging::Acceptance acceptance = m_requester.Post(request);
        if (acceptance == messaging::Acceptance::ACCEPTED)
        {
            OnReady(request.to, out);
        }
        return acceptance;
    }

    /**
     * Receive a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        const bool isTrimmed = (frame.marks & messaging::MARK_TRIMMED) != 0;
        if (IsPacket(frame))
        {
            ExpectReverseProbe(from, out);
        }
        if (IsPacket(frame) && isTrimmed)
        {
            out.Note(TRIM);
            const bool isLastHop = (frame.marks & messaging::MARK_LAST_HOP) != 0;
            OweNack(frame, isLastHop ? TRIMMED_LASTHOP : TRIMMED, out);
        }
        else if (IsPacket(frame))
        {
            OnPacket(from, frame, out);
        }
        else if (GetKind(frame) == PROBE)
        {
            OweSack(frame, out);
        }
        else if (GetKind(frame) == EV_PROBE)
        {
            Owe({.id = frame.id,
                 .header = roce::TRANSPORT_HEADER + EV_ANSWER_HEADER,
                 .kind = EV_ANSWER,
                 .trafficClass = CONTROL_CLASS},
                out);
        }
        else if (GetKind(frame) == EV_ANSWER)
        {
            UseForAnswers(frame.id);
        }
        else if (GetKind(frame) <= NACK && !isTrimmed)
        {
            OnAnswer(from, frame, out);
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
        if (timer == Requester::PROBE_REVERSE)
        {
            OnReverseProbe(out);
        }
        else
        {
            m_requester.OnTimer(peer, timer, out);
        }
        OnReady(peer, out);
    }

    /**
     * Send answers, then probes and packets.
     * @param to the peer
     * @param out actions
     */
    template <class Out>
    void OnReady(Peer to, Out& out)
    {
        while (!m_answers.IsEmpty())
        {
            m_answers[0].path = GetReversePath();
            if (!out.Send(to, m_answers.Front()))
            {
                return;
            }
            m_answers.Pop();
            PassPlane();
            SkipDeniedPlanes();
        }
        if (m_evProbe)
        {
            const Frame probe{.id = *m_evProbe,
                              .header = roce::TRANSPORT_HEADER + EV_PROBE_HEADER,
                              .path = *m_evProbe,
                              .kind = EV_PROBE,
                              .trafficClass = CONTROL_CLASS};
            if (!out.Send(to, probe))
            {
                return;
            }
            out.Note(EV_PROBED);
            m_evProbe.reset();
        }
        m_requester.OnReady(to, out);
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        m_requester.Encode(encoder);
        m_responder.Encode(encoder);
        encoder.Put(m_answers.GetN(), "answers");
        for (const Frame& answer : m_answers)
        {
            encoder.Put(answer.id, "numbers");
            encoder.Put(answer.aux, "path");
            encoder.Put(uint64_t{answer.kind} << 8 | answer.flags, "kind, code");
            for (const uint32_t word : answer.words)
            {
                encoder.Put(word, "bitmap");
            }
        }
        encoder.Put(m_plane, "plane of the next answer");
        for (const uint16_t path : m_reverse)
        {
            encoder.Put(path, "path of answers");
        }
        if (m_config->reverseInterval > 0)
        {
            encoder.Put(m_evProbe ? uint64_t{*m_evProbe} + 1 : 0, "EV probe");
            encoder.Put(m_isInbound, "packets have arrived");
            encoder.Put(m_isReverseArmed, "an EV probe is due");
        }
    }

    /** @param frame a frame @return its kind, flags and numbers. */
    static std::string DescribeFrame(const Frame& frame)
    {
        constexpr std::array KINDS{"first",
                                   "middle",
                                   "last",
                                   "only",
                                   "SACK",
                                   "NACK",
                                   "probe",
                                   "EV probe",
                                   "EV answer"};
        const uint8_t kind = GetKind(frame);
        std::string text = kind < KINDS.size() ? KINDS[kind] : "unknown";
        if (kind == PROBE)
        {
            return text;
        }
        if (IsPacket(frame))
        {
            text += HasFlag(frame, RTX_FLAG) ? " rtx" : "";
        }
        else if (kind == NACK)
        {
            text += ' ';
            text += GetName(static_cast<NackCode>(frame.flags));
        }
        text += ' ' + std::to_string(GetLowNumber(frame));
        if (IsPacket(frame))
        {
            text += " of message " + std::to_string(GetHighNumber(frame));
        }
        return text;
    }

  private:
    /** Maximum number of answers that wait for a busy port; the oldest is dropped beyond, as one
     * that the network loses. */
    static constexpr std::size_t MOST_ANSWERS = 512;

    /**
     * Receive a packet.
     * @param from its sender
     * @param frame the packet
     * @param out actions
     */
    template <class Out>
    void OnPacket(Peer from, const Frame& frame, Out& out)
    {
        const Responder::Reaction reaction = m_responder.OnPacket(*m_config, frame);
        if (reaction.isEarly)
        {
            out.Note(EARLY);
        }
        else if (reaction.code != NO_NACK)
        {
            out.Note(BEYOND);
        }
        else if (!reaction.isAccepted)
        {
            out.Note(DUPLICATE);
            // A repeat of what has arrived: answers on the present paths may be lost.
            const uint16_t ofPlane = m_config->profile.GetPathsOfPlane();
            for (uint16_t& path : m_reverse)
            {
                path = static_cast<uint16_t>((path + 1) % ofPlane);
            }
        }
        if (reaction.code != NO_NACK)
        {
            OweNack(frame, reaction.code, out);
        }
        if (reaction.isAcknowledged)
        {
            OweSack(frame, out);
        }
        while (auto message = m_responder.TakeMessage())
        {
            message->from = from;
            out.Deliver(*message);
        }
    }

    /**
     * Receive a SACK or a NACK. A SACK of a packet shows that its path works, both ways if the
     * network is symmetric.
     * @param from its sender
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnAnswer(Peer from, const Frame& frame, Out& out)
    {
        const bool isCalm = GetKind(frame) == SACK && !HasFlag(frame, PROBE_FLAG) &&
                            frame.flags == static_cast<uint8_t>(PathNews::NONE);
        if (isCalm && m_config->reverseInterval > 0)
        {
            UseForAnswers(frame.aux);
        }
        m_requester.OnAnswer(from, frame, out);
    }

    /** A packet has arrived: see to it that the path of answers is probed. @param from its sender
     * @param out actions */
    template <class Out>
    void ExpectReverseProbe(Peer from, Out& out)
    {
        if (m_config->reverseInterval == 0)
        {
            return;
        }
        m_isInbound = true;
        if (!m_isReverseArmed)
        {
            m_isReverseArmed = true;
            out.Arm(messaging::GetFlowTimer(from, Requester::PROBE_REVERSE),
                    m_config->reverseInterval);
        }
    }

    /** The timer of EV probes fires: send one unless packets are in flight, whose SACKs tell the
     * same. @param out actions */
    template <class Out>
    void OnReverseProbe(Out& out)
    {
        m_isReverseArmed = false;
        const PathProfile& paths = m_requester.GetPaths();
        if (m_isInbound && m_requester.GetWindow().IsEmpty())
        {
            const uint32_t slot = out.Random(paths.GetNPaths());
            if (paths.GetState(slot) != PathState::DENIED)
            {
                m_evProbe = paths.GetPath(slot);
            }
        }
        m_isInbound = false;
    }

    /** Let answers in the plane of a path take it. @param path the path; ignored if there is none
     */
    void UseForAnswers(uint64_t path)
    {
        const uint16_t ofPlane = m_config->profile.GetPathsOfPlane();
        if (path / ofPlane < m_reverse.size())
        {
            m_reverse[path / ofPlane] = static_cast<uint16_t>(path % ofPlane);
        }
    }

    /** Owe a NACK. @param frame the packet that is refused @param code the code @param out actions
     */
    template <class Out>
    void OweNack(const Frame& frame, NackCode code, Out& out)
    {
        Owe({.id = GetLowNumber(frame),
             .aux = frame.path,
             .header = roce::TRANSPORT_HEADER + NACK_HEADER,
             .kind = NACK,
             .flags = code,
             .trafficClass = CONTROL_CLASS},
            out);
    }

    /**
     * Owe a SACK. It replaces one that a busy port has kept from leaving, if that has no news of
     * its path.
     * @param frame the packet or probe that it answers
     * @param out actions
     */
    template <class Out>
    void OweSack(const Frame& frame, Out& out)
    {
        const bool isProbe = GetKind(frame) == PROBE;
        const bool isMarked = (frame.marks & messaging::MARK_CONGESTION) != 0;
        Frame sack = m_responder.MakeSack(*m_config, isProbe ? nullptr : &frame);
        sack.aux = frame.path;
        sack.kind |= isProbe ? PROBE_FLAG : 0;
        sack.flags = static_cast<uint8_t>(isMarked ? PathNews::SKIP_ONCE : PathNews::NONE);
        if (m_answers.GetN() > 0)
        {
            Frame& last = m_answers[m_answers.GetN() - 1];
            if (last.kind == SACK && last.flags == static_cast<uint8_t>(PathNews::NONE))
            {
                last = std::move(sack);
                return;
            }
        }
        Owe(std::move(sack), out);
    }

    /** Owe an answer. @param frame the answer @param out actions */
    template <class Out>
    void Owe(Frame frame, Out& out)
    {
        if (m_answers.GetN() >= MOST_ANSWERS)
        {
            out.Note(ANSWER_DROP);
            m_answers.Pop();
        }
        m_answers.Push(std::move(frame));
    }

    /** The turn of answers passes to the next plane. */
    void PassPlane()
    {
        m_plane = static_cast<uint16_t>((m_plane + 1) % m_config->profile.planes);
    }

    /** The turn of answers passes to a plane that is not excluded; there is one. */
    void SkipDeniedPlanes()
    {
        for (uint32_t i = 0; i < m_reverse.size() && m_config->profile.IsDenied(m_plane); ++i)
        {
            PassPlane();
        }
    }

    /** @return path of the next answer. */
    uint16_t GetReversePath() const
    {
        const uint16_t ofPlane = m_config->profile.GetPathsOfPlane();
        return static_cast<uint16_t>(m_plane * ofPlane + m_reverse[m_plane]);
    }

    std::shared_ptr<const Config> m_config; ///< Parameters.
    Requester m_requester;                  ///< The end that sends.
    Responder m_responder;                  ///< The end that receives.
    messaging::Fifo<Frame> m_answers;       ///< Answers that are owed.
    std::vector<uint16_t> m_reverse;        ///< Path of answers in each plane.
    std::optional<uint16_t> m_evProbe;      ///< Path on which an EV probe is due.
    uint16_t m_plane{0};                    ///< Plane of the next answer.
    bool m_isInbound{false};                ///< A packet has arrived since the last timer.
    bool m_isReverseArmed{false};           ///< The timer PROBE_REVERSE is armed.
};

} // namespace mrc
} // namespace uet
} // namespace ns3

#endif // UET_MRC_FLOW_H
