/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-forwarded-attributes.h"

#include "ns3/abort.h"
#include "ns3/pointer.h"

namespace ns3
{
namespace messaging
{

namespace
{

/** Reads and writes an attribute of a part. */
class ForwardingAccessor : public AttributeAccessor
{
  public:
    /**
     * @param name name of the attribute
     * @param partOf returns the part
     * @param origin type that declares the attribute
     */
    ForwardingAccessor(const std::string& name, PartOf partOf, TypeId origin)
        : m_name(name),
          m_partOf(partOf),
          m_origin(origin)
    {
    }

    /** @return the type that declares the attribute. */
    TypeId GetOrigin() const
    {
        return m_origin;
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        return m_partOf(object)->SetAttributeFailSafe(m_name, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_partOf(object)->GetAttributeFailSafe(m_name, value);
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
    std::string m_name; ///< Name of the attribute.
    PartOf m_partOf;    ///< Returns the part.
    TypeId m_origin;    ///< Type that declares the attribute.
};

/** Flags of an attribute that is readable, and settable at any time. */
constexpr uint32_t READ_WRITE = TypeId::ATTR_GET | TypeId::ATTR_SET;

} // namespace

void
ForwardAttributes(TypeId& type, TypeId part, PartOf partOf, const std::set<std::string>& except)
{
    for (std::size_t i = 0; i < part.GetAttributeN(); ++i)
    {
        const auto information = part.GetAttribute(i);
        TypeId::AttributeInformation present;
        if ((information.flags & READ_WRITE) != READ_WRITE || except.contains(information.name) ||
            type.LookupAttributeByName(information.name, &present))
        {
            continue;
        }
        type.AddAttribute(
            information.name,
            information.help,
            information.flags,
            *information.initialValue,
            Create<ForwardingAccessor>(information.name, partOf, GetOrigin(information, part)),
            information.checker);
    }
    if (part.HasParent() && part.GetParent() != part && part.GetParent() != Object::GetTypeId())
    {
        ForwardAttributes(type, part.GetParent(), partOf, except);
    }
}

TypeId
GetOrigin(const TypeId::AttributeInformation& attribute, TypeId owner)
{
    const auto forwarding =
        dynamic_cast<const ForwardingAccessor*>(PeekPointer(attribute.accessor));
    return forwarding ? forwarding->GetOrigin() : owner;
}

void
CopyAttributes(Ptr<const Object> from, Ptr<Object> to)
{
    for (TypeId type = from->GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto information = type.GetAttribute(i);
            if ((information.flags & READ_WRITE) != READ_WRITE)
            {
                continue;
            }
            const auto value = information.checker->Create();
            NS_ABORT_MSG_UNLESS(from->GetAttributeFailSafe(information.name, *value),
                                "Attribute " << information.name << " cannot be read.");
            // ns-3 cannot set a null pointer, which is the default anyway.
            const auto pointer = DynamicCast<PointerValue>(value);
            if (!pointer || pointer->GetObject())
            {
                to->SetAttribute(information.name, *value);
            }
        }
    }
}

std::string
FindIdleAttribute(const ObjectBase& owner,
                  std::initializer_list<const char*> names,
                  const std::string& where)
{
    for (const char* name : names)
    {
        TypeId::AttributeInformation attribute;
        NS_ABORT_MSG_UNLESS(owner.GetInstanceTypeId().LookupAttributeByName(name, &attribute),
                            "There is no attribute " << name << ".");
        const auto value = attribute.checker->Create();
        owner.GetAttribute(name, *value);
        if (value->SerializeToString(attribute.checker) !=
            attribute.initialValue->SerializeToString(attribute.checker))
        {
            return std::string(name) + " has no effect " + where + ".";
        }
    }
    return "";
}

} // namespace messaging
} // namespace ns3
