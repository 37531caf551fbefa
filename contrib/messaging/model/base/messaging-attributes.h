/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ATTRIBUTES_H
#define MESSAGING_ATTRIBUTES_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/messaging-attribute-text.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"
#include "ns3/pointer.h"
#include "ns3/ptr.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <functional>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Declaration of the attributes, results and trace sources of a class: name, help, member, default
 * and range in one place.
 */

namespace ns3
{
namespace messaging
{

/** Class of the object that a Ptr points to; void for other types. */
template <class T>
struct Pointee
{
    using Type = void; ///< No class.
};

/** Class of the object that a Ptr points to. */
template <class T>
struct Pointee<Ptr<T>>
{
    using Type = T; ///< The class.
};

/** Whether a type is a Ptr to an object. */
template <class T>
inline constexpr bool IS_PTR = !std::is_void_v<typename Pointee<T>::Type>;

/**
 * Make the AttributeValue of a value.
 * @param value the value
 * @return the AttributeValue
 */
template <class T>
auto
MakeAttributeValue(const T& value)
{
    if constexpr (std::is_same_v<T, bool>)
    {
        return BooleanValue(value);
    }
    else if constexpr (std::is_enum_v<T>)
    {
        return EnumValue<T>(value);
    }
    else if constexpr (std::is_floating_point_v<T>)
    {
        return DoubleValue(value);
    }
    else if constexpr (std::is_same_v<T, Time>)
    {
        return TimeValue(value);
    }
    else if constexpr (std::is_same_v<T, DataRate>)
    {
        return DataRateValue(value);
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        return StringValue(value);
    }
    else if constexpr (IS_PTR<T>)
    {
        return ObjectValue(value);
    }
    else if constexpr (std::is_unsigned_v<T>)
    {
        return UintegerValue(value);
    }
    else
    {
        return IntegerValue(value);
    }
}

/** The AttributeValue through which a value of type T is read and set. */
template <class T>
using AttributeValueOf =
    std::conditional_t<IS_PTR<T>, PointerValue, decltype(MakeAttributeValue(std::declval<T>()))>;

/** Closed range of an attribute. */
template <class T>
struct Range
{
    T minimum; ///< Smallest value.
    T maximum; ///< Largest value.
};

/** Deduces the common type of both ends of a range. */
template <class A, class B>
Range(A, B) -> Range<std::common_type_t<A, B>>;

/**
 * @ingroup messaging
 * Accessor of a value inside an object.
 *
 * @tparam Owner class of the object
 * @tparam T type of the value
 * @tparam Find function from an Owner to a reference to the value
 */
template <class Owner, class T, class Find>
class FieldAccessor : public AccessorHelper<Owner, AttributeValueOf<T>>
{
    /** Value of the attribute. */
    using Value = AttributeValueOf<T>;

  public:
    /** @param find returns the value of an object */
    explicit FieldAccessor(Find find)
        : m_find(std::move(find))
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
    bool DoSet(Owner* owner, const Value* value) const override
    {
        if constexpr (IS_PTR<T>)
        {
            m_find(*owner) = value->template Get<typename Pointee<T>::Type>();
        }
        else
        {
            m_find(*owner) = static_cast<T>(value->Get());
        }
        return true;
    }

    bool DoGet(const Owner* owner, Value* value) const override
    {
        value->Set(m_find(const_cast<Owner&>(*owner))); // The field is only read here.
        return true;
    }

    Find m_find; ///< Returns the value of an object.
};

/**
 * @ingroup messaging
 * Adds attributes, results and trace sources to the TypeId of a class, each in one declaration.
 *
 * An attribute is a member of the class, or of a structure in it (In). The default of a structure's
 * attribute is the initialiser of the member, so that no default is written twice. A result is a
 * read-only attribute.
 *
 * @tparam Owner the class
 * @tparam Struct the structure that the members belong to; the class itself unless In was called
 * @tparam Find function from an Owner to a reference to that structure
 */
template <class Owner, class Struct = Owner, class Find = std::identity>
class Attributes
{
    /** Enumerators and their names. */
    template <class T>
    using Names = std::initializer_list<std::pair<T, const char*>>;

    /** T, excluded from template argument deduction. */
    template <class T>
    using Exactly = std::type_identity_t<T>;

  public:
    /**
     * Construct.
     * @param type the TypeId of the class
     * @param find returns the structure of an object
     */
    explicit Attributes(TypeId type, Find find = {})
        : m_type(type),
          m_find(std::move(find))
    {
    }

    /** @return the TypeId of the class. */
    operator TypeId() const
    {
        return m_type;
    }

    /**
     * Get a binder for the members of a structure.
     * @param member the structure, in the class or in this binder's structure
     * @return a binder whose defaults are the structure's initialisers
     */
    template <class Inner, class Base>
    auto In(Inner Base::* member) const
    {
        const auto find = Locate(member);
        return Attributes<Owner, Inner, std::decay_t<decltype(find)>>(m_type, find);
    }

    /**
     * Add an attribute.
     * @param name name of the attribute
     * @param help description, ending in `[unit; source]`
     * @param member its value
     * @param initial its default
     * @param minimum smallest value of a number or time; a time is not negative
     * @param maximum largest value of a number or time
     * @return this
     */
    template <class T, class Base>
    Attributes& AddAttribute(const std::string& name,
                             const std::string& help,
                             T Base::* member,
                             const Exactly<T>& initial,
                             const Exactly<T>& minimum = Smallest<T>(),
                             const Exactly<T>& maximum = Largest<T>())
    {
        static_assert(!std::is_enum_v<T>, "An enumeration needs the names of its enumerators.");
        return Add(name, help, member, initial, MakeChecker<T>(minimum, maximum));
    }

    /**
     * Add an attribute of an enumeration type.
     * @param name name of the attribute
     * @param help description, ending in `[unit; source]`
     * @param member its value
     * @param initial its default
     * @param names the enumerators and their names
     * @return this
     */
    template <class T, class Base>
    Attributes& AddAttribute(const std::string& name,
                             const std::string& help,
                             T Base::* member,
                             const Exactly<T>& initial,
                             Names<Exactly<T>> names)
        requires std::is_enum_v<T>
    {
        return Add(name, help, member, initial, MakeChecker<T>(names));
    }

    /**
     * Add a member of the structure as an attribute; its initialiser is the default.
     * @param name name of the attribute
     * @param help description, ending in `[unit; source]`
     * @param member its value
     * @param range smallest and largest value of a number or time
     * @return this
     */
    template <class T, class Base, class R = T>
    Attributes& AddAttribute(const std::string& name,
                             const std::string& help,
                             T Base::* member,
                             const Range<R>& range = {Smallest<R>(), Largest<R>()})
        requires(!std::is_base_of_v<ObjectBase, Struct>)
    {
        return AddAttribute(name,
                            help,
                            member,
                            Struct{}.*member,
                            static_cast<T>(range.minimum),
                            static_cast<T>(range.maximum));
    }

    /**
     * Add a member of the structure, of an enumeration type, as an attribute; its initialiser is
     * the default.
     * @param name name of the attribute
     * @param help description, ending in `[unit; source]`
     * @param member its value
     * @param names the enumerators and their names
     * @return this
     */
    template <class T, class Base>
    Attributes& AddAttribute(const std::string& name,
                             const std::string& help,
                             T Base::* member,
                             Names<Exactly<T>> names)
        requires(std::is_enum_v<T> && !std::is_base_of_v<ObjectBase, Struct>)
    {
        return AddAttribute(name, help, member, Struct{}.*member, names);
    }

    /**
     * Add a result: a real number, a count, a text or a table.
     * @param name name of the result
     * @param help description, ending in `[unit; source]`
     * @param source member or getter
     * @return this
     */
    template <class Source>
    Attributes& AddResult(const std::string& name, const std::string& help, Source source)
    {
        using Result = std::decay_t<std::invoke_result_t<Source, const Owner&>>;
        if constexpr (std::is_floating_point_v<Result>)
        {
            AddResult(name, help, MakeDoubleAccessor(source), MakeDoubleChecker<double>());
        }
        else if constexpr (std::is_same_v<Result, std::string>)
        {
            AddResult(name, help, MakeStringAccessor(source), MakeStringChecker());
        }
        else if constexpr (std::is_unsigned_v<Result>)
        {
            AddResult(name, help, MakeUintegerAccessor(source), MakeUintegerChecker<uint64_t>());
        }
        else
        {
            using Table = std::remove_reference_t<decltype(*std::declval<Result>())>;
            AddResult(name, help, MakePointerAccessor(source), MakePointerChecker<Table>());
        }
        return *this;
    }

    /**
     * Add a trace source.
     * @param name name of the trace source
     * @param help description
     * @param accessor finds the source in an object
     * @param callback name of the type of its callbacks
     * @return this
     */
    Attributes& AddTraceSource(const std::string& name,
                               const std::string& help,
                               Ptr<const TraceSourceAccessor> accessor,
                               const std::string& callback)
    {
        m_type.AddTraceSource(name, help, accessor, callback);
        return *this;
    }

    /**
     * Add all settable attributes of a part of the object (ForwardAttributes).
     * @tparam PART member that points to the part, which exists as long as the owner
     * @param except names of attributes to omit
     * @return this
     */
    template <auto PART>
    Attributes& Forward(const std::set<std::string>& except = {})
    {
        const auto forward = [&]<class Whole, class Part>(Ptr<Part> Whole::*) {
            const auto partOf = [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const Whole*>(owner)->*PART;
            };
            ForwardAttributes(m_type, Part::GetTypeId(), partOf, except);
        };
        forward(PART);
        return *this;
    }

  private:
    /**
     * Find a member in an object.
     * @param member member of the class or of the structure
     * @return a function from an Owner to a reference to the member
     */
    template <class T, class Base>
    auto Locate(T Base::* member) const
    {
        if constexpr (std::is_base_of_v<Base, Struct>)
        {
            return [outer = m_find, member](Owner& owner) -> T& { return outer(owner).*member; };
        }
        else
        {
            return [member](Owner& owner) -> T& { return owner.*member; };
        }
    }

    /** @return the smallest value of a number; zero for a time. */
    template <class T>
    static T Smallest()
    {
        return std::numeric_limits<T>::lowest();
    }

    /** @return the largest value of a number or time. */
    template <class T>
    static T Largest()
    {
        if constexpr (std::is_same_v<T, Time>)
        {
            return Time::Max();
        }
        else
        {
            return std::numeric_limits<T>::max();
        }
    }

    /**
     * Make a checker.
     * @param minimum smallest value of a number or time
     * @param maximum largest value of a number or time
     * @return the checker
     */
    template <class T>
    static Ptr<const AttributeChecker> MakeChecker([[maybe_unused]] const T& minimum,
                                                   [[maybe_unused]] const T& maximum)
    {
        if constexpr (std::is_same_v<T, bool>)
        {
            return MakeBooleanChecker();
        }
        else if constexpr (std::is_same_v<T, DataRate>)
        {
            return MakeDataRateChecker();
        }
        else if constexpr (std::is_same_v<T, std::string>)
        {
            return MakeStringChecker();
        }
        else if constexpr (IS_PTR<T>)
        {
            return Create<ObjectChecker<typename Pointee<T>::Type>>();
        }
        else if constexpr (std::is_same_v<T, Time>)
        {
            return MakeTimeChecker(minimum, maximum);
        }
        else if constexpr (std::is_floating_point_v<T>)
        {
            return MakeDoubleChecker<T>(minimum, maximum);
        }
        else if constexpr (std::is_unsigned_v<T>)
        {
            return MakeUintegerChecker<T>(minimum, maximum);
        }
        else
        {
            return MakeIntegerChecker<T>(minimum, maximum);
        }
    }

    /**
     * Make a checker of the names of enumerators.
     * @param names the enumerators and their names
     * @return the checker
     */
    template <class T>
    static Ptr<const AttributeChecker> MakeChecker(Names<T> names)
    {
        auto checker = Create<EnumChecker<T>>();
        for (const auto& [value, name] : names)
        {
            checker->Add(value, name);
        }
        return checker;
    }

    /**
     * Add a result.
     * @param name name of the result
     * @param help description
     * @param accessor returns it
     * @param checker checks its type, and makes its value before the run
     */
    void AddResult(const std::string& name,
                   const std::string& help,
                   Ptr<const AttributeAccessor> accessor,
                   Ptr<const AttributeChecker> checker)
    {
        m_type.AddAttribute(name, help, TypeId::ATTR_GET, *checker->Create(), accessor, checker);
    }

    /**
     * Add an attribute.
     * @param name name of the attribute
     * @param help description
     * @param member its value
     * @param initial its default
     * @param checker checks its range
     * @return this
     */
    template <class T, class Base>
    Attributes& Add(const std::string& name,
                    const std::string& help,
                    T Base::* member,
                    const T& initial,
                    Ptr<const AttributeChecker> checker)
    {
        const auto find = Locate(member);
        using Accessor = FieldAccessor<Owner, T, std::decay_t<decltype(find)>>;
        m_type.AddAttribute(name,
                            help,
                            MakeAttributeValue(initial),
                            Create<Accessor>(find),
                            checker);
        return *this;
    }

    TypeId m_type; ///< The TypeId of the class.
    Find m_find;   ///< Returns the structure of an object.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ATTRIBUTES_H
