/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_ENDPOINT_H
#define UET_ENDPOINT_H

#include "uet-initiator.h"
#include "uet-packet.h"
#include "uet-target.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-rccc.h"
#include "ns3/messaging-sequence-space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup uet
 * Core of a peer: an endpoint of the fabric.
 */

namespace ns3
{
namespace uet
{

/**
 * @ingroup uet
 * Endpoint of the fabric (FEP), the core of a peer: an initiator for each peer to which it sends,
 * and a target for each packet delivery context (PDC) that other peers have opened.
 *
 * @verbatim
     request    trimmed? ----------------------> NACK TRIMMED
                   | no
                SYN? ---- no ----> known PDC? -- no --> NACK INV_DPDCID
                   | yes                | yes
                known PDC, same start? -+------> Target
                   | no
                room for a context? -- no -----> NACK NO_RESOURCE
                   | yes
                new Target

     CLOSE      the Target stays for Syn_Retx_Safety_Time, but takes no room: a late copy of a SYN
                then finds a duplicate, not a new PDC. After that, it is known by its start, since
                the initiator has used a later PSN (CheckStart)
   @endverbatim
 *
 * RUDI and UUD keep no state of arrivals: each packet is a message and is delivered, and RUDI
 * answers it.
 */
class Endpoint
{
  public:
    /** A trimmed packet is refused by a NACK. */
    static constexpr bool TAKES_TRIMMED = true;

    /** Timer of the next grant of credit: the only one that is not of an initiator or target. */
    static constexpr uint32_t GRANT = 1 << 18;

    /**
     * Construct.
     * @param config parameters, shared by all
     * @param peers number of peers
     */
    Endpoint(std::shared_ptr<const Config> config, uint32_t peers)
        : m_config(std::move(config)),
          m_numbers(m_config->modulus),
          m_grants(messaging::GetFirstCredit(m_config->pair.control, m_config->pair.site),
                   uint64_t{GRANT_FRAMES} * m_config->pair.GetFullFrame()),
          m_peers(peers)
    {
    }

    /** @return whether each message ends with the knowledge of its delivery. */
    bool ConfirmsDelivery() const
    {
        return m_config->mode != Mode::UUD;
    }

    /** @return the largest message [bytes]; one of a packet in the modes without PDCs. */
    uint32_t GetLargestMessage() const
    {
        return m_config->HasPdcs() ? std::numeric_limits<uint32_t>::max() : m_config->pair.mtu;
    }

    /**
     * Post a message; a broadcast is refused.
     * @param request the message
     * @param out actions
     * @return the acceptance
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (request.to >= m_peers || request.bytes > GetLargestMessage())
        {
            return messaging::Acceptance::REFUSED;
        }
        return m_initiators.try_emplace(request.to, m_config).first->second.OnRequest(request, out);
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
        if (from >= m_peers)
        {
            return;
        }
        if (IsRequest(frame))
        {
            OnPacket(from, frame, out);
        }
        else if (GetKind(frame) == CREDIT_REQUEST && m_config->IsGranted())
        {
            OnDemand(from, frame.aux, out);
            OweCredit(from, m_grants.GetGranted(from).value_or(0), out);
        }
        const bool canSend = SendAnswers(out);
        const auto initiator = m_initiators.find(from);
        if (initiator == m_initiators.end())
        {
            return;
        }
        if (GetKind(frame) == CREDIT)
        {
            initiator->second.OnCredit(frame.aux);
        }
        else if (!IsRequest(frame))
        {
            initiator->second.OnAnswer(from, frame, out);
        }
        if (canSend)
        {
            initiator->second.OnReady(from, out);
        }
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        const auto peer = static_cast<Peer>(timer);
        const auto index = static_cast<uint32_t>(timer >> 32);
        const auto initiator = m_initiators.find(peer);
        if (index == GRANT)
        {
            OnGrant(out);
        }
        else if (index >= Initiator::END)
        {
            Forget(peer, static_cast<uint16_t>(index - Initiator::END));
        }
        else if (initiator != m_initiators.end())
        {
            initiator->second.OnTimer(peer, index, out);
        }
    }

    /** The protocol requests no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /**
     * Send what a busy port has refused: answers, then packets of the initiators in turn.
     * @param out actions
     */
    template <class Out>
    void OnReady(Out& out)
    {
        if (SendAnswers(out))
        {
            messaging::ServeInTurn(m_initiators, m_turn, out);
        }
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_initiators.size(), "initiators");
        messaging::EncodeTurn(m_initiators, m_turn, encoder);
        for (const auto& [peer, initiator] : m_initiators)
        {
            encoder.PutPeer(peer);
            initiator.Encode(encoder);
        }
        encoder.Put(m_targets.size(), "targets");
        for (const auto& [key, target] : m_targets)
        {
            encoder.PutPeer(key.first);
            encoder.Put(key.second, "PDC of the initiator");
            target.Encode(encoder);
        }
        encoder.Put(m_ends.size(), "initiators so far");
        for (const auto& [peer, end] : m_ends)
        {
            encoder.PutPeer(peer);
            encoder.Put(end, "end of its PSNs");
        }
        encoder.Put(m_answers.GetN(), "answers");
        for (const Answer& answer : m_answers)
        {
            encoder.PutPeer(answer.to);
            encoder.Put(answer.frame.id, "address");
            encoder.Put(answer.frame.aux, "answered");
            encoder.Put(answer.frame.kind, "kind");
            for (const uint32_t word : answer.frame.words)
            {
                encoder.Put(word, "bitmap");
            }
        }
        encoder.Put(m_open, "open PDCs");
        encoder.Put(m_delivered, "delivered");
        encoder.Put(m_nextTarget, "next PDC of a target");
        if (m_config->IsGranted())
        {
            m_grants.Encode(encoder);
            encoder.Put(m_isGranting, "a grant is due");
        }
    }

    /** @param frame a frame @return its kind and flags, and its PSN. */
    static std::string DescribeFrame(const Frame& frame)
    {
        constexpr std::array KINDS{"first",
                                   "middle",
                                   "last",
                                   "only",
                                   "CLOSE",
                                   "ACK",
                                   "NACK",
                                   "response",
                                   "CREDIT",
                                   "CREDIT request"};
        const uint8_t kind = GetKind(frame);
        std::string text = kind < KINDS.size() ? KINDS[kind] : "unknown";
        if (IsRequest(frame))
        {
            text += HasFlag(frame, SYN_FLAG) ? " SYN" : "";
            text += HasFlag(frame, RETX_FLAG) ? " retx" : "";
        }
        if (kind == NACK)
        {
            text += " code " + std::to_string(frame.aux);
        }
        const Address address = Address::Unpack(frame.id);
        text += ' ' + std::to_string(address.psn);
        const bool isAnswer = kind == ACK || kind == NACK;
        return text + " of PDC " + std::to_string(isAnswer ? address.other : address.own);
    }

  private:
    /** Maximum number of answers that wait for a busy port; the oldest is dropped beyond, as one
     * that the network loses. */
    static constexpr std::size_t MOST_ANSWERS = 4096;

    /** Timeouts without a demand after which that of an initiator ends: one repetition may be
     * lost. */
    static constexpr Ticks DEMAND_TIMEOUTS = 3;

    /** Initiator and its PDC number. */
    using TargetKey = std::pair<Peer, uint16_t>;

    /** An answer that is owed. */
    struct Answer
    {
        Peer to{0};    ///< Its receiver.
        Frame frame{}; ///< The answer.
    };

    /**
     * Receive a request.
     * @param from its sender
     * @param frame the request
     * @param out actions
     */
    template <class Out>
    void OnPacket(Peer from, const Frame& frame, Out& out)
    {
        const Address address = Address::Unpack(frame.id);
        if (m_config->IsGranted() && !frame.words.empty() && GetKind(frame) != CLOSE)
        {
            OnDemand(from, frame.words[frame.words.size() - 1], out);
        }
        if (frame.marks & messaging::MARK_TRIMMED)
        {
            out.Note(TRIM);
            OnTrimmed(from, frame, address, out);
        }
        else if (m_config->HasPdcs())
        {
            OnPdcPacket(from, frame, address, out);
        }
        else if (GetKind(frame) == roce::ONLY)
        {
            OnDatagram(from, frame, out);
        }
    }

    /**
     * Receive a demand for credit, and see to it that it is granted.
     * @param from the initiator
     * @param credits its demand
     * @param out actions
     */
    template <class Out>
    void OnDemand(Peer from, uint32_t credits, Out& out)
    {
        m_grants.OnDemand(from, credits, out.Now());
        ScheduleGrant(out);
    }

    /** Grant credit to one initiator. @param out actions */
    template <class Out>
    void OnGrant(Out& out)
    {
        if (!m_isGranting)
        {
            return;
        }
        m_isGranting = false;
        // An initiator that waits for credit repeats its demand after each timeout.
        const Ticks patience = DEMAND_TIMEOUTS * m_config->timeout;
        const Ticks now = out.Now();
        if (const auto grant = m_grants.Next(now - std::min(now, patience)))
        {
            out.Note(GRANTED);
            OweCredit(grant->to, grant->credits, out);
            m_nextGrant = std::max(m_nextGrant, static_cast<double>(out.Now()));
            m_nextGrant += m_config->grantInterval;
        }
        ScheduleGrant(out);
        SendAnswers(out);
    }

    /** See to it that credit is granted as soon as the link can take it. @param out actions */
    template <class Out>
    void ScheduleGrant(Out& out)
    {
        if (m_isGranting || !m_grants.HasDemand())
        {
            return;
        }
        m_isGranting = true;
        const double delay = std::ceil(m_nextGrant - static_cast<double>(out.Now()));
        out.Arm(messaging::GetFlowTimer(0, GRANT), static_cast<Ticks>(std::max(1.0, delay)));
    }

    /** Owe a grant of credit. @param to the initiator @param credits all grants so far @param out
     * actions */
    template <class Out>
    void OweCredit(Peer to, uint32_t credits, Out& out)
    {
        Owe(to, {.aux = credits, .header = CONTROL_HEADER, .kind = CREDIT}, out);
    }

    /**
     * Refuse a trimmed packet. In RUD and RUDI that needs no state. ROD sends everything after the
     * packet again, so it refuses one packet a gap.
     * @param from its sender
     * @param frame the packet
     * @param address its number and PDCs
     * @param out actions
     */
    template <class Out>
    void OnTrimmed(Peer from, const Frame& frame, const Address& address, Out& out)
    {
        const bool isLastHop = (frame.marks & messaging::MARK_LAST_HOP) != 0;
        NackCode code = isLastHop ? TRIMMED_LASTHOP : TRIMMED;
        uint64_t psn = address.psn;
        if (m_config->mode == Mode::UUD)
        {
            return;
        }
        if (m_config->mode == Mode::ROD)
        {
            const auto found = m_targets.find({from, address.own});
            if (found == m_targets.end())
            {
                code = HasFlag(frame, SYN_FLAG) && address.other == 0 ? code : NO_NACK;
            }
            else
            {
                const uint64_t expected = found->second.GetExpected();
                psn = m_numbers.Unwrap(psn, expected - m_config->modulus / 2);
                const NackCode reaction = found->second.OnTrimmedInOrder(psn);
                code = reaction == TRIMMED ? code : reaction;
                psn = m_numbers.Wrap(expected);
            }
        }
        if (code != NO_NACK)
        {
            OweNack(from, frame, code, static_cast<uint32_t>(psn), out);
        }
    }

    /**
     * Receive a packet of RUDI or UUD.
     * @param from its sender
     * @param frame the packet
     * @param out actions
     */
    template <class Out>
    void OnDatagram(Peer from, const Frame& frame, Out& out)
    {
        if (m_config->mode == Mode::RUDI)
        {
            const bool isMarked = (frame.marks & messaging::MARK_CONGESTION) != 0;
            const uint8_t echo = isMarked ? ECHO_FLAG : 0;
            Owe(from,
                {.id = frame.id,
                 .header = RUDI_HEADER + RESPONSE_HEADER,
                 .path = frame.path,
                 .kind = static_cast<uint8_t>(RESPONSE | echo)},
                out);
        }
        out.Deliver({.id = m_delivered++,
                     .contents = frame.contents,
                     .from = from,
                     .bytes = frame.payload,
                     .tag = frame.aux,
                     .flags = frame.flags});
    }

    /**
     * Receive a packet of RUD or ROD.
     * @param from its sender
     * @param frame the packet
     * @param address its number and PDCs
     * @param out actions
     */
    template <class Out>
    void OnPdcPacket(Peer from, const Frame& frame, const Address& address, Out& out)
    {
        if (HasFlag(frame, SYN_FLAG) && IsOutdated(from, address))
        {
            out.Note(STALE);
            return;
        }
        Target* const target =
            HasFlag(frame, SYN_FLAG) ? FindOrOpen(from, address) : Find(from, address);
        if (!target)
        {
            const bool isSyn = HasFlag(frame, SYN_FLAG);
            out.Note(isSyn ? EXHAUSTED : STALE);
            OweNack(from, frame, isSyn ? NO_RESOURCE : INVALID_DPDCID, address.psn, out);
            return;
        }
        const uint64_t psn =
            m_numbers.Unwrap(address.psn, target->GetExpected() - m_config->modulus / 2);
        const Target::Reaction reaction = target->OnPacket(*m_config, psn, frame);
        NoteReaction(reaction, frame, out);
        if (reaction.code != NO_NACK)
        {
            const bool isRod = reaction.code == ROD_OUT_OF_ORDER;
            const uint64_t named = isRod ? target->GetExpected() : psn;
            OweNack(from, frame, reaction.code, static_cast<uint32_t>(m_numbers.Wrap(named)), out);
        }
        if (reaction.isAcknowledged)
        {
            Frame ack = target->MakeAck(*m_config, psn, address.own);
            ack.path = frame.path;
            OweAck(from, std::move(ack), out);
        }
        if (reaction.isAccepted)
        {
            uint64_t& end = m_ends[from];
            end = std::max(end, psn + 1);
        }
        if (reaction.isAccepted && target->IsClosed())
        {
            out.Note(CLOSED_PDC);
            --m_open;
            out.Arm(messaging::GetFlowTimer(from, Initiator::END + target->GetPdc()),
                    m_config->safety);
        }
        if (reaction.message)
        {
            messaging::Delivery message = *reaction.message;
            message.from = from;
            message.id = m_delivered++;
            out.Deliver(message);
        }
    }

    /** Count the event that a packet is, if any. @param reaction the reaction to it @param frame
     * the packet @param out actions */
    template <class Out>
    static void NoteReaction(const Target::Reaction& reaction, const Frame& frame, Out& out)
    {
        if (reaction.isEarly)
        {
            out.Note(EARLY);
        }
        else if (reaction.code != NO_NACK)
        {
            out.Note(BEYOND);
        }
        else if (!reaction.isAccepted && GetKind(frame) != CLOSE)
        {
            out.Note(DUPLICATE);
        }
    }

    /** @param from an initiator @param address address of its packet @return the PDC; nullptr if
     * there is none. */
    Target* Find(Peer from, const Address& address)
    {
        const auto found = m_targets.find({from, address.own});
        const bool isKnown = found != m_targets.end() && found->second.GetPdc() == address.other;
        return isKnown ? &found->second : nullptr;
    }

    /** Remove a PDC. @param target the PDC @return the next one */
    std::map<TargetKey, Target>::iterator Remove(std::map<TargetKey, Target>::iterator target)
    {
        m_open -= target->second.IsClosed() ? 0 : 1;
        return m_targets.erase(target);
    }

    /** Remove the PDCs that an initiator has given up without CLOSE: it has one at a time. @param
     * from the initiator @param start first PSN of its present PDC */
    void RemoveEarlier(Peer from, uint64_t start)
    {
        auto target = m_targets.lower_bound({from, 0});
        while (target != m_targets.end() && target->first.first == from)
        {
            const bool isLeft = !target->second.IsClosed() && target->second.GetStart() < start;
            target = isLeft ? Remove(target) : std::next(target);
        }
    }

    /**
     * Find the PDC of a packet with SYN, or open it. A PDC of the same number with another start is
     * one that its initiator has given up, or closed, and is replaced.
     * @param from an initiator
     * @param address address of its packet
     * @return the PDC; nullptr if there is no room
     */
    Target* FindOrOpen(Peer from, const Address& address)
    {
        const uint64_t start = GetStart(from, address);
        const auto found = m_targets.find({from, address.own});
        if (found != m_targets.end())
        {
            if (m_numbers.Wrap(found->second.GetStart()) == m_numbers.Wrap(start))
            {
                return &found->second;
            }
            Remove(found);
        }
        if (m_config->checksStarts)
        {
            RemoveEarlier(from, start);
        }
        if (m_open >= m_config->contexts)
        {
            return nullptr;
        }
        ++m_open;
        uint64_t& end = m_ends[from];
        end = std::max(end, start);
        const TargetKey key{from, address.own};
        return &m_targets.try_emplace(key, start, m_nextTarget++).first->second;
    }

    /**
     * Get the first PSN of the PDC of a packet with SYN.
     * @param from an initiator
     * @param address address of its packet
     * @return the PSN, near the last one that has arrived from the initiator
     */
    uint64_t GetStart(Peer from, const Address& address) const
    {
        const uint64_t modulus = m_config->modulus;
        const uint64_t start = modulus + address.psn - m_numbers.Wrap(address.other);
        const auto end = m_ends.find(from);
        return m_numbers.Unwrap(start, end == m_ends.end() ? modulus : end->second - modulus / 2);
    }

    /**
     * Check whether a packet with SYN is a late one of an earlier PDC: an initiator has one PDC at
     * a time, whose first PSN is beyond all PSNs that it has used.
     * @param from an initiator
     * @param address address of its packet
     * @return true if it is
     */
    bool IsOutdated(Peer from, const Address& address) const
    {
        const auto end = m_ends.find(from);
        if (!m_config->checksStarts || end == m_ends.end())
        {
            return false;
        }
        const uint64_t start = GetStart(from, address);
        const auto found = m_targets.find({from, address.own});
        const bool isKnown = found != m_targets.end() &&
                             m_numbers.Wrap(found->second.GetStart()) == m_numbers.Wrap(start);
        return !isKnown && start < end->second;
    }

    /** Forget a closed PDC. @param from its initiator @param pdc PDC number of the target */
    void Forget(Peer from, uint16_t pdc)
    {
        for (auto each = m_targets.lower_bound({from, 0});
             each != m_targets.end() && each->first.first == from;
             ++each)
        {
            if (each->second.IsClosed() && each->second.GetPdc() == pdc)
            {
                m_targets.erase(each);
                return;
            }
        }
    }

    /**
     * Owe a NACK.
     * @param to its receiver
     * @param frame the packet that is refused
     * @param code the code
     * @param psn the PSN that it names
     * @param out actions
     */
    template <class Out>
    void OweNack(Peer to, const Frame& frame, NackCode code, uint32_t psn, Out& out)
    {
        const Address address{psn, 0, Address::Unpack(frame.id).own};
        Owe(to,
            {.id = address.Pack(),
             .aux = code,
             .header = NACK_HEADER,
             .path = frame.path,
             .kind = NACK},
            out);
    }

    /**
     * Owe an ACK. It replaces one of the same PDC that a busy port has kept from leaving.
     * @param to its receiver
     * @param ack the ACK
     * @param out actions
     */
    template <class Out>
    void OweAck(Peer to, Frame ack, Out& out)
    {
        if (m_answers.GetN() > 0)
        {
            Answer& last = m_answers[m_answers.GetN() - 1];
            const Address before = Address::Unpack(last.frame.id);
            const Address after = Address::Unpack(ack.id);
            const bool isResponse = HasFlag(last.frame, RESPONSE_FLAG);
            if (GetKind(last.frame) == ACK && !isResponse && last.to == to &&
                before.own == after.own)
            {
                ack.kind |= last.frame.kind & ECHO_FLAG;
                ack.trafficClass = ANSWER_CLASS;
                last.frame = std::move(ack);
                return;
            }
        }
        Owe(to, std::move(ack), out);
    }

    /** Owe an answer. @param to its receiver @param frame the answer @param out actions */
    template <class Out>
    void Owe(Peer to, Frame frame, Out& out)
    {
        if (m_answers.GetN() >= MOST_ANSWERS)
        {
            out.Note(ANSWER_DROP);
            m_answers.Pop();
        }
        frame.trafficClass = ANSWER_CLASS;
        m_answers.Push({to, std::move(frame)});
    }

    /** Send all answers that are owed. @param out actions @return false if the port is busy */
    template <class Out>
    bool SendAnswers(Out& out)
    {
        while (!m_answers.IsEmpty())
        {
            if (!out.Send(m_answers.Front().to, m_answers.Front().frame))
            {
                return false;
            }
            m_answers.Pop();
        }
        return true;
    }

    std::shared_ptr<const Config> m_config; ///< Parameters.
    messaging::SequenceSpace m_numbers;     ///< PSNs in frames.
    std::map<Peer, Initiator> m_initiators; ///< Initiators by target.
    std::map<TargetKey, Target> m_targets;  ///< Targets by initiator and its PDC.
    std::map<Peer, uint64_t> m_ends;        ///< By initiator: PSN below which no later PDC starts.
    messaging::Fifo<Answer> m_answers;      ///< Answers that are owed.
    messaging::CreditGrants m_grants;       ///< Credit of initiators, with RCCC.
    double m_nextGrant{0};    ///< Time from which the link takes another grant [ticks].
    uint64_t m_delivered{0};  ///< Messages delivered.
    uint32_t m_peers;         ///< Number of peers.
    Peer m_turn{0};           ///< Initiator of this peer, or the next one, sends first.
    uint32_t m_open{0};       ///< PDCs that are not closed.
    uint16_t m_nextTarget{0}; ///< Next PDC number of a target.
    bool m_isGranting{false}; ///< The timer GRANT is armed.
};

} // namespace uet
} // namespace ns3

#endif // UET_ENDPOINT_H
