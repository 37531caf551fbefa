/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ATTRIBUTE_DEFAULTS_H
#define MESSAGING_ATTRIBUTE_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Temporary defaults of attributes.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Changes defaults of attributes during its lifetime. It serves objects that cannot be configured
 * otherwise: the socket of an accepted TCP connection exists only after its first segment.
 */
class AttributeDefaults
{
  public:
    AttributeDefaults() = default;

    /** Restores all defaults that were changed. */
    ~AttributeDefaults();

    AttributeDefaults(const AttributeDefaults&) = delete;
    AttributeDefaults& operator=(const AttributeDefaults&) = delete;

    /**
     * Change a default.
     * @param type name of the class that has the attribute
     * @param name name of the attribute
     * @param value the new default
     */
    void Set(const std::string& type, const std::string& name, const AttributeValue& value);

  private:
    /** Full names of attributes and their previous defaults, in the order of the changes. */
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_previous;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ATTRIBUTE_DEFAULTS_H
