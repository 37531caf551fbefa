/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PART_TRACE_H
#define MESSAGING_PART_TRACE_H

#include "ns3/object-base.h"
#include "ns3/ptr.h"
#include "ns3/trace-source-accessor.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Trace sources of an object that another one fires.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Accessor of a trace source in a part of an object. A network shares such a part with its port,
 * which fires the sources.
 *
 * @tparam Owner class of the object
 * @tparam Part class of the part
 * @tparam Trace type of the trace source
 */
template <class Owner, class Part, class Trace>
class PartTraceAccessor : public TraceSourceAccessor
{
  public:
    /**
     * Construct.
     * @param part the part of an object, which always exists
     * @param trace the trace source in it
     */
    PartTraceAccessor(Ptr<Part> Owner::* part, Trace Part::* trace)
        : m_part(part),
          m_trace(trace)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        Trace* const trace = Find(object);
        if (trace)
        {
            trace->ConnectWithoutContext(callback);
        }
        return trace;
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        Trace* const trace = Find(object);
        if (trace)
        {
            trace->Connect(callback, context);
        }
        return trace;
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        Trace* const trace = Find(object);
        if (trace)
        {
            trace->DisconnectWithoutContext(callback);
        }
        return trace;
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        Trace* const trace = Find(object);
        if (trace)
        {
            trace->Disconnect(callback, context);
        }
        return trace;
    }

  private:
    /** @param object an object @return its trace source; nullptr if it is of another class. */
    Trace* Find(ObjectBase* object) const
    {
        const auto owner = dynamic_cast<Owner*>(object);
        return owner ? &(PeekPointer(owner->*m_part)->*m_trace) : nullptr;
    }

    Ptr<Part> Owner::* m_part; ///< The part.
    Trace Part::* m_trace;     ///< The trace source in it.
};

/**
 * Make the accessor of a trace source in a part of an object.
 * @param part the part
 * @param trace the trace source in it
 * @return the accessor
 */
template <class Owner, class Part, class Trace>
Ptr<const TraceSourceAccessor>
MakePartTraceAccessor(Ptr<Part> Owner::* part, Trace Part::* trace)
{
    return Ptr<const TraceSourceAccessor>(new PartTraceAccessor<Owner, Part, Trace>(part, trace),
                                          false);
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PART_TRACE_H
