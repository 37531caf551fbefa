/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RUNNER_H
#define PCODE_RUNNER_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-program.h"

/**
 * @file
 * @ingroup pcode
 * Progress of one node in its program, and check of the deliveries.
 */

namespace ns3
{
namespace pcode
{

/**
 * Progress of one node in a global program (Assumption 2: a call is issued after the previous one
 * has returned), with a check of the transport layer. It is a plain value.
 *
 * A driver posts GetRequest() when CanIssue(), and forwards deliveries and completions to OnDeliver
 * and OnReturn. The runner omits skips.
 */
class ProgramRunner
{
  public:
    /**
     * Constructor.
     * @param program the program, which must outlive the runner
     * @param self the node
     */
    ProgramRunner(const GlobalProgram& program, messaging::Peer self)
        : m_program(&program),
          m_self(self)
    {
        PassSkips();
    }

    /** @return true if all calls have returned. */
    bool IsFinished() const
    {
        return m_index > m_program->GetNCalls();
    }

    /** @return true if the call at GetIndex() can be issued: it is not open, and there is one. */
    bool CanIssue() const
    {
        return !m_open && !IsFinished();
    }

    /** @return the index of the open or next call; also its RequestId.
     */
    uint64_t GetIndex() const
    {
        return m_index;
    }

    /** @return the call at GetIndex(). */
    Call GetCall() const
    {
        return m_program->GetCall(m_self, m_index);
    }

    /** @return the request of the call at GetIndex(). */
    messaging::Request GetRequest() const
    {
        return MakeRequest(*m_program, GetCall(), m_index);
    }

    /** Open the call at GetIndex(), before it is posted. */
    void OnIssue()
    {
        m_open = true;
        m_delivered = false;
    }

    /**
     * Check a delivery.
     * @param delivery the message
     */
    void OnDeliver(const messaging::Delivery& delivery);

    /**
     * Handle the return of a call.
     * @param id its index
     */
    void OnReturn(messaging::RequestId id);

    /** @return the first violation of Propositions 1 and 2 and their consequences (section 2.3), in
     * one sentence; empty if there is none. */
    std::string GetViolation() const;

    /**
     * Encode the canonical form of the state.
     * @param e the encoder
     */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_index << 5 | uint64_t{m_open} << 4 | uint64_t{m_delivered} << 3 |
              uint64_t{m_breach != nullptr});
    }

  private:
    /** Advance to the next call that is not a skip. */
    void PassSkips()
    {
        while (!IsFinished() && GetCall().kind == CallKind::SKIP)
        {
            ++m_index;
        }
    }

    /**
     * Record a violation.
     * @param breach its description, a literal
     */
    void Report(const char* breach)
    {
        if (!m_breach)
        {
            m_breach = breach;
        }
    }

    const GlobalProgram* m_program; ///< The program.
    uint64_t m_index{1};            ///< Index of the open or next call.
    messaging::Peer m_self;         ///< The node.
    bool m_open{false};             ///< The call at m_index is open.
    bool m_delivered{false};        ///< The open call has its message.
    const char* m_breach{nullptr};  ///< First violation, a literal.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_RUNNER_H
