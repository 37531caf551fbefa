/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_WAF_H
#define MESSAGING_WAF_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/callback.h"
#include "ns3/enum.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * What the modules use of later releases of ns-3, for ns-3 3.35. wscript-notes/copy.py makes the
 * copied modules use it.
 */

namespace ns3
{

/** Functions and classes of later releases. */
namespace waf
{

/**
 * @ingroup messaging
 * Event that calls a function object.
 */
template <class F>
class FunctionEvent : public EventImpl
{
  public:
    /** @param function the function object */
    explicit FunctionEvent(F function)
        : m_function(std::move(function))
    {
    }

  private:
    void Notify() override
    {
        m_function();
    }

    F m_function; ///< The function object.
};

/** What ns-3 3.35 can schedule: a member function, a function or an event. */
template <class F>
concept Schedulable =
    std::is_member_pointer_v<F> || std::is_pointer_v<F> || std::convertible_to<F, Ptr<EventImpl>>;

/**
 * Make an event of a function object.
 * @param function the function object
 * @param arguments its arguments
 * @return the event
 */
template <class F, class... Arguments>
EventImpl*
MakeFunctionEvent(F function, Arguments... arguments)
{
    auto call = [function = std::move(function), ... arguments = std::move(arguments)]() mutable {
        function(arguments...);
    };
    return new FunctionEvent(std::move(call));
}

/**
 * Schedule an event.
 * @param delay time until the event
 * @param function function, member function, function object or event
 * @param arguments object and arguments
 * @return the event
 */
template <class F, class... Arguments>
EventId
Schedule(const Time& delay, F function, Arguments&&... arguments)
{
    if constexpr (Schedulable<F>)
    {
        return Simulator::Schedule(delay, function, std::forward<Arguments>(arguments)...);
    }
    else
    {
        EventImpl* event = MakeFunctionEvent(std::move(function), arguments...);
        return Simulator::Schedule(delay, Ptr<EventImpl>(event, false));
    }
}

/**
 * Schedule an event at the current time.
 * @param function function, member function, function object or event
 * @param arguments object and arguments
 * @return the event
 */
template <class F, class... Arguments>
EventId
ScheduleNow(F function, Arguments&&... arguments)
{
    if constexpr (Schedulable<F>)
    {
        return Simulator::ScheduleNow(function, std::forward<Arguments>(arguments)...);
    }
    else
    {
        EventImpl* event = MakeFunctionEvent(std::move(function), arguments...);
        return Simulator::ScheduleNow(Ptr<EventImpl>(event, false));
    }
}

/**
 * Schedule an event in the context of a node.
 * @param context the node
 * @param delay time until the event
 * @param function function, member function, function object or event
 * @param arguments object and arguments
 */
template <class F, class... Arguments>
void
ScheduleWithContext(uint32_t context, const Time& delay, F function, Arguments&&... arguments)
{
    if constexpr (Schedulable<F>)
    {
        Simulator::ScheduleWithContext(context,
                                       delay,
                                       function,
                                       std::forward<Arguments>(arguments)...);
    }
    else
    {
        EventImpl* event = MakeFunctionEvent(std::move(function), arguments...);
        Simulator::ScheduleWithContext(context, delay, event);
    }
}

/** Stop the simulation; Simulator::Stop is overloaded, so its address is ambiguous. */
inline void
Stop()
{
    Simulator::Stop();
}

/**
 * @ingroup messaging
 * Function object that ns-3 3.35 takes for a callback: it compares with others.
 */
template <class F>
class Comparable
{
  public:
    /** @param function the function object */
    explicit Comparable(F function)
        : m_function(std::move(function))
    {
    }

    /**
     * Call the function object.
     * @param arguments its arguments
     * @return its result
     */
    template <class... Arguments>
    decltype(auto) operator()(Arguments&&... arguments)
    {
        return m_function(std::forward<Arguments>(arguments)...);
    }

    /**
     * Compare: each function object is equal to itself alone.
     * @param other another one
     * @return whether they differ
     */
    bool operator!=(const Comparable& other) const
    {
        return this != &other;
    }

  private:
    F m_function; ///< The function object.
};

/**
 * Make a callback of a function object.
 * @tparam C type of the callback
 * @param function the function object
 * @return the callback
 */
template <std::derived_from<CallbackBase> C, class F>
C
MakeFunctionCallback(F function)
{
    // The two flags choose the constructor.
    return C(Comparable<F>(std::move(function)), true, true);
}

/**
 * @ingroup messaging
 * Function object that converts to any callback that fits.
 */
template <class F>
class Function
{
  public:
    /** @param function the function object */
    explicit Function(F function)
        : m_function(std::move(function))
    {
    }

    /** @return the callback */
    template <std::derived_from<CallbackBase> C>
    operator C() const
    {
        return MakeFunctionCallback<C>(m_function);
    }

  private:
    F m_function; ///< The function object.
};

/**
 * @ingroup messaging
 * Callback that can be made of a function object.
 */
template <class R, class... Arguments>
class Callback : public ns3::Callback<R, Arguments...>
{
    /** Callback of ns-3. */
    using Base = ns3::Callback<R, Arguments...>;

  public:
    Callback() = default;

    /** @param callback a callback of ns-3 */
    Callback(const Base& callback)
        : Base(callback)
    {
    }

    /** @param function the function object */
    template <class F>
        requires(!std::derived_from<F, CallbackBase> && std::invocable<F&, Arguments...>)
    Callback(F function)
        : Base(MakeFunctionCallback<Base>(std::move(function)))
    {
    }
};

/**
 * Bind no arguments.
 * @param callback the callback
 * @return the callback
 */
template <class C>
C
Bind(C callback)
{
    return callback;
}

/**
 * Bind the first arguments of a callback.
 * @param callback the callback
 * @param first its first argument
 * @param rest the arguments after it
 * @return the callback of the other arguments
 */
template <class C, class First, class... Rest>
auto
Bind(C callback, First first, Rest... rest)
{
    return Bind(callback.Bind(first), rest...);
}

/**
 * Make a callback of a member function.
 * @param function the member function
 * @param object the object
 * @param arguments its first arguments
 * @return the callback
 */
template <class F, class Object, class... Arguments>
auto
MakeCallback(F function, Object object, Arguments... arguments)
{
    return Bind(ns3::MakeCallback(function, object), arguments...);
}

/**
 * Make the TypeId of a name.
 * @param name the name
 * @return the TypeId
 */
inline TypeId
MakeTypeId(const std::string& name)
{
    return TypeId(name.c_str());
}

/**
 * Make the attribute value of an enumerator.
 * @param value the enumerator
 * @return the attribute value
 */
template <class T>
EnumValue
MakeEnumValue(T value)
{
    return EnumValue(static_cast<int>(value));
}

/**
 * @ingroup messaging
 * Checker of an enumeration.
 */
template <class T>
class EnumChecker : public ns3::EnumChecker
{
  public:
    /**
     * Add an enumerator.
     * @param value the enumerator
     * @param name its name
     */
    void Add(T value, const std::string& name)
    {
        ns3::EnumChecker::Add(static_cast<int>(value), name);
    }
};

/**
 * @ingroup messaging
 * Accessor of a member of an enumeration type.
 */
template <class Owner, class T>
class EnumAccessor : public AccessorHelper<Owner, EnumValue>
{
  public:
    /** @param member the member */
    explicit EnumAccessor(T Owner::* member)
        : m_member(member)
    {
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    bool DoSet(Owner* owner, const EnumValue* value) const override
    {
        owner->*m_member = static_cast<T>(value->Get());
        return true;
    }

    bool DoGet(const Owner* owner, EnumValue* value) const override
    {
        value->Set(static_cast<int>(owner->*m_member));
        return true;
    }

    T Owner::* m_member; ///< The member.
};

/**
 * Make the accessor of a member of an enumeration type.
 * @param member the member
 * @return the accessor
 */
template <class T, class Owner>
Ptr<const AttributeAccessor>
MakeEnumAccessor(T Owner::* member)
{
    return Create<EnumAccessor<Owner, T>>(member);
}

/**
 * Make the checker of two enumerators.
 * @param first an enumerator
 * @param firstName its name
 * @param second another one
 * @param secondName its name
 * @return the checker
 */
template <class T>
Ptr<const AttributeChecker>
MakeEnumChecker(T first, const std::string& firstName, T second, const std::string& secondName)
{
    auto checker = Create<EnumChecker<T>>();
    checker->Add(first, firstName);
    checker->Add(second, secondName);
    return checker;
}

} // namespace waf
} // namespace ns3

#endif // MESSAGING_WAF_H
