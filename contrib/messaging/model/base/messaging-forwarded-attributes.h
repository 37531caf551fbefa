/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FORWARDED_ATTRIBUTES_H
#define MESSAGING_FORWARDED_ATTRIBUTES_H

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <functional>
#include <initializer_list>
#include <set>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Forwarding of the attributes of a part by its owner, and a check for attributes that are set but
 * have no effect.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of accessors of attributes that another object stores.
 */
class ForwardedAccessor : public AttributeAccessor
{
  public:
    /** @param origin type that declares the attribute */
    explicit ForwardedAccessor(TypeId origin)
        : m_origin(origin)
    {
    }

    /** @return the type that declares the attribute. */
    TypeId GetOrigin() const
    {
        return m_origin;
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
    TypeId m_origin; ///< Type that declares the attribute.
};

/**
 * Function that handles an attribute.
 * @param attribute the attribute
 * @param declaring type that declares it
 */
using AttributeFunction =
    std::function<void(const TypeId::AttributeInformation& attribute, TypeId declaring)>;

/**
 * Handle each attribute of a type and its base classes that can be read and set.
 * @param type the type
 * @param function handles an attribute
 */
void ForEachSettable(TypeId type, const AttributeFunction& function);

/**
 * Function that returns the part whose attributes are forwarded.
 * @param owner the owner
 * @return its part, which exists as long as the owner
 */
using PartOf = Ptr<Object> (*)(const ObjectBase* owner);

/**
 * Add all settable attributes of a part to its owner's type. Name, help, initial value and checker
 * are those of the part, which also stores the values.
 *
 * A scenario that drives a network thus has the network's parameters, with their checkers and help.
 * Read-only attributes, and those with a name that the type already has, are omitted.
 *
 * @param type the type of the owner, changed
 * @param part the type of the part
 * @param partOf returns the part
 * @param except names of attributes to omit
 */
void ForwardAttributes(TypeId& type,
                       TypeId part,
                       PartOf partOf,
                       const std::set<std::string>& except = {});

/**
 * Add the attributes that a type has received since they were forwarded to the owners of parts of
 * this type, and to the owners of these.
 * @param part the type of the parts
 */
void RenewForwards(TypeId part);

/**
 * Get the type that declares an attribute.
 * @param attribute an attribute
 * @param owner a type that has it
 * @return the part's type if the attribute is forwarded, else the owner
 */
TypeId GetOrigin(const TypeId::AttributeInformation& attribute, TypeId owner);

/**
 * Copy the attributes of an object to another of the same type.
 * @param from the source
 * @param to the destination, changed
 */
void CopyAttributes(Ptr<const Object> from, Ptr<Object> to);

/**
 * Find an attribute that has no effect but differs from its initial value, so that the user's
 * setting would be ignored.
 * @param owner owner of the attributes
 * @param names the attributes that have no effect
 * @param where condition under which they have none, to follow "has no effect"
 * @return an empty string, or one sentence that names the first of them
 */
std::string FindIdleAttribute(const ObjectBase& owner,
                              std::initializer_list<const char*> names,
                              const std::string& where);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FORWARDED_ATTRIBUTES_H
