/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FORWARDED_ATTRIBUTES_H
#define MESSAGING_FORWARDED_ATTRIBUTES_H

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <initializer_list>
#include <set>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Makes the parameters of a part parameters of the whole, without declaring them twice, and finds
 * parameters that are set although they have no effect.
 */

namespace ns3
{
namespace messaging
{

/**
 * Get the part that holds forwarded attributes.
 * @param owner the whole
 * @return its part, which exists as long as the whole
 */
using PartOf = Ptr<Object> (*)(const ObjectBase* owner);

/**
 * Give a type all settable attributes of another: name, help, initial value and checker are the
 * part's own, and values are kept in the part.
 *
 * An experiment that drives a network thus has the network's parameters, with the network's own
 * checkers and help. Read-only attributes, and those whose name the type has already, are left out.
 *
 * @param type the type of the whole, changed
 * @param part the type of the part
 * @param partOf finds the part
 * @param except names of attributes to leave out
 */
void ForwardAttributes(TypeId& type,
                       TypeId part,
                       PartOf partOf,
                       const std::set<std::string>& except = {});

/**
 * Give a type all settable attributes of a part.
 * @tparam PART member that points to the part, which exists as long as the whole
 * @param type the type of the whole, changed
 * @param except names of attributes to leave out
 */
template <auto PART>
void
ForwardAttributes(TypeId& type, const std::set<std::string>& except = {})
{
    const auto forward = [&]<class Whole, class Part>(Ptr<Part> Whole::*) {
        const auto partOf = [](const ObjectBase* owner) -> Ptr<Object> {
            return static_cast<const Whole*>(owner)->*PART;
        };
        ForwardAttributes(type, Part::GetTypeId(), partOf, except);
    };
    forward(PART);
}

/**
 * Get the type that declares an attribute.
 * @param attribute an attribute
 * @param owner a type that has it
 * @return the part's type if the attribute is forwarded, else the owner
 */
TypeId GetOrigin(const TypeId::AttributeInformation& attribute, TypeId owner);

/**
 * Set the attributes of an object to those of another one of the same type.
 * @param from the one
 * @param to the other, changed
 */
void CopyAttributes(Ptr<const Object> from, Ptr<Object> to);

/**
 * Find an attribute that has no effect and yet not its initial value: the user who set it
 * means something that will not happen.
 * @param owner whose attributes
 * @param names the attributes that have no effect
 * @param where the case in which they have none, to follow "has no effect"
 * @return an empty text, or one sentence that names the first of them
 */
std::string FindIdleAttribute(const ObjectBase& owner,
                              std::initializer_list<const char*> names,
                              const std::string& where);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FORWARDED_ATTRIBUTES_H
