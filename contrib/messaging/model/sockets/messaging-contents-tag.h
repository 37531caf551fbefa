/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CONTENTS_TAG_H
#define MESSAGING_CONTENTS_TAG_H

#include "ns3/tag.h"

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Tag of the bytes of a message in packets of sockets.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Byte tag that names the message to which bytes of a packet belong, as Frame::contents does in a
 * frame. It stays with the bytes when a socket splits or joins them. It is for observers alone; no
 * protocol reads it.
 */
class ContentsTag : public Tag
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ContentsTag() = default;

    /** @param contents contents of the message */
    explicit ContentsTag(uint64_t contents)
        : m_contents(contents)
    {
    }

    /** @return contents of the message. */
    uint64_t GetContents() const
    {
        return m_contents;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

  private:
    uint64_t m_contents{0}; ///< Contents of the message.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CONTENTS_TAG_H
