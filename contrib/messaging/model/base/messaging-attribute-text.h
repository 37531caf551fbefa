/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ATTRIBUTE_TEXT_H
#define MESSAGING_ATTRIBUTE_TEXT_H

#include "ns3/pointer.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Texts of attribute values, among them objects.
 */

namespace ns3
{
namespace messaging
{

/**
 * Check whether ns-3 can parse a value, since its parsers abort the program otherwise.
 * @param value the value as text
 * @param checker the attribute's checker
 * @return whether the value has the form of the attribute's type; the checker checks the range
 */
bool IsWellFormed(const std::string& value, const AttributeChecker& checker);

/**
 * @ingroup messaging
 * PointerValue that refuses a malformed text (IsWellFormed).
 *
 * The text is that of ns-3: `ns3::RateErrorModel[ErrorRate=0.1|ErrorUnit=ERROR_UNIT_PACKET]`, a
 * type and any of its attributes, whose values cannot have brackets. An empty text is no object.
 */
class ObjectValue : public PointerValue
{
  public:
    using PointerValue::PointerValue;

    Ptr<AttributeValue> Copy() const override;

    /**
     * Get the type of the object.
     * @param checker the attribute's checker
     * @return the name of the type; empty if there is no object
     */
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;

    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;
};

/**
 * @ingroup messaging
 * Checker of an ObjectValue.
 * @tparam T base class of the objects
 */
template <class T>
class ObjectChecker : public PointerChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        const auto pointer = dynamic_cast<const PointerValue*>(&value);
        return pointer && (!pointer->GetObject() || pointer->Get<T>());
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::PointerValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return T::GetTypeId().GetName();
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<ObjectValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto from = dynamic_cast<const PointerValue*>(&source);
        const auto to = dynamic_cast<PointerValue*>(&destination);
        if (!from || !to)
        {
            return false;
        }
        to->SetObject(from->GetObject());
        return true;
    }

    TypeId GetPointeeTypeId() const override
    {
        return T::GetTypeId();
    }
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ATTRIBUTE_TEXT_H
