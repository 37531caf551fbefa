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
 * One node's way through a global program (Assumption 2: a call is issued after the one before
 * has returned), with a check of the transport layer. A plain value.
 *
 * A driver takes GetNext() while there is one, issues it under GetIndex(), and hands deliveries and
 * completions to OnDeliver and OnReturn. Skips are passed over.
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

    /** @return the index of the call that is open or comes next; also the RequestId to post with.
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

    /** @return the call at GetIndex() as it crosses the seam. */
    messaging::Request GetRequest() const
    {
        return MakeRequest(*m_program, GetCall(), m_index);
    }

    /** The call at GetIndex() is being issued; called before it is posted. */
    void OnIssue()
    {
        m_open = true;
        m_delivered = false;
    }

    /**
     * A message was delivered.
     * @param delivery the message
     */
    void OnDeliver(const messaging::Delivery& delivery);

    /**
     * A call has returned.
     * @param id its index
     */
    void OnReturn(messaging::RequestId id);

    /** @return one sentence on the first breach of Propositions 1 and 2 and their consequences
     * (section 2.3); empty if there was none. */
    std::string GetViolation() const;

    /**
     * Put the canonical form of the state.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_index << 5 | uint64_t{m_open} << 4 | uint64_t{m_delivered} << 3 |
              uint64_t{m_breach != nullptr});
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const ProgramRunner&) const = default;

  private:
    /** Go on to the next call that is not a skip. */
    void PassSkips()
    {
        while (!IsFinished() && GetCall().kind == CallKind::SKIP)
        {
            ++m_index;
        }
    }

    /**
     * Keep a breach.
     * @param breach its description
     */
    void Report(const char* breach)
    {
        m_breach = m_breach ? m_breach : breach;
    }

    const GlobalProgram* m_program; ///< The program.
    uint64_t m_index{1};            ///< The call that is open or comes next.
    messaging::Peer m_self;         ///< The node.
    bool m_open{false};             ///< The call has been issued.
    bool m_delivered{false};        ///< It has been given its message.
    const char* m_breach{nullptr};  ///< The first breach, a literal.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_RUNNER_H
