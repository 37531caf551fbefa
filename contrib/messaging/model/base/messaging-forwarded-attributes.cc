/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-forwarded-attributes.h"

#include "ns3/abort.h"
#include "ns3/pointer.h"

#include <vector>

namespace ns3
{
namespace messaging
{

namespace
{

/** Reads and writes an attribute of a part. */
class PartAccessor : public ForwardedAccessor
{
  public:
    /**
     * Constructor.
     * @param name name of the attribute
     * @param partOf returns the part
     * @param origin type that declares the attribute
     */
    PartAccessor(const std::string& name, PartOf partOf, TypeId origin)
        : ForwardedAccessor(origin),
          m_name(name),
          m_partOf(partOf)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        return m_partOf(object)->SetAttributeFailSafe(m_name, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_partOf(object)->GetAttributeFailSafe(m_name, value);
    }

  private:
    std::string m_name; ///< Name of the attribute.
    PartOf m_partOf;    ///< Returns the part.
};

/** Flags of an attribute that is readable, and settable at any time. */
constexpr uint32_t READ_WRITE = TypeId::ATTR_GET | TypeId::ATTR_SET;

/** Forwarding of the attributes of a part. */
struct Forward
{
    TypeId owner;                 ///< Type of the owner.
    TypeId part;                  ///< Type of the part.
    PartOf partOf;                ///< Returns the part.
    std::set<std::string> except; ///< Names of attributes to omit.
};

/** @return all forwards. */
std::vector<Forward>&
GetForwards()
{
    static std::vector<Forward> forwards;
    return forwards;
}

/**
 * Add the attributes of a part that its owner does not have.
 * @param forward the forwarding
 */
void
AddMissing(Forward& forward)
{
    ForEachSettable(forward.part,
                    [&forward](const TypeId::AttributeInformation& attribute, TypeId declaring) {
                        TypeId::AttributeInformation present;
                        if (!forward.except.contains(attribute.name) &&
                            !forward.owner.LookupAttributeByName(attribute.name, &present))
                        {
                            forward.owner.AddAttribute(
                                attribute.name,
                                attribute.help,
                                attribute.flags,
                                *attribute.initialValue,
                                Create<PartAccessor>(attribute.name,
                                                     forward.partOf,
                                                     GetOrigin(attribute, declaring)),
                                attribute.checker);
                        }
                    });
}

} // namespace

void
ForEachSettable(TypeId type, const AttributeFunction& function)
{
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            if ((attribute.flags & READ_WRITE) == READ_WRITE)
            {
                function(attribute, type);
            }
        }
    }
}

void
ForwardAttributes(TypeId& type, TypeId part, PartOf partOf, const std::set<std::string>& except)
{
    GetForwards().push_back(Forward{type, part, partOf, except});
    AddMissing(GetForwards().back());
}

void
RenewForwards(TypeId part)
{
    for (auto& forward : GetForwards())
    {
        if (forward.part == part)
        {
            AddMissing(forward);
            RenewForwards(forward.owner);
        }
    }
}

TypeId
GetOrigin(const TypeId::AttributeInformation& attribute, TypeId owner)
{
    const auto forwarded = dynamic_cast<const ForwardedAccessor*>(PeekPointer(attribute.accessor));
    return forwarded ? forwarded->GetOrigin() : owner;
}

void
CopyAttributes(Ptr<const Object> from, Ptr<Object> to)
{
    ForEachSettable(from->GetInstanceTypeId(),
                    [&from, &to](const TypeId::AttributeInformation& attribute, TypeId) {
                        const auto value = attribute.checker->Create();
                        NS_ABORT_MSG_UNLESS(from->GetAttributeFailSafe(attribute.name, *value),
                                            "Attribute " << attribute.name << " cannot be read.");
                        // ns-3 cannot set a null pointer, which is the default anyway.
                        const auto pointer = DynamicCast<PointerValue>(value);
                        if (!pointer || pointer->GetObject())
                        {
                            to->SetAttribute(attribute.name, *value);
                        }
                    });
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
