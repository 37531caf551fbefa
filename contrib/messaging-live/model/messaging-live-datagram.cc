/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-datagram.h"

#include "ns3/crc32.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace ns3
{
namespace messaging
{

namespace
{

/** Offset of the checksum in a datagram [bytes]. */
constexpr std::size_t CHECKSUM_AT = 32;

/** Writer of fields in network byte order. */
class Writer
{
  public:
    /** Append an integer. @param value the integer */
    template <class T>
    void operator()(const T& value)
    {
        for (std::size_t byte = sizeof(T); byte-- > 0;)
        {
            bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * byte)));
        }
    }

    /** Append a list of integers with its length. @param list the list */
    template <class L>
    void List(const L& list)
    {
        (*this)(static_cast<uint16_t>(list.size()));
        for (const auto value : list)
        {
            (*this)(value);
        }
    }

    /** Append the length of a list. @param list the list, of fewer than 256 elements */
    template <class L>
    void Resize(const L& list)
    {
        (*this)(static_cast<uint8_t>(list.size()));
    }

    /** Append zeroes. @param count their number */
    void Skip(std::size_t count)
    {
        bytes.resize(bytes.size() + count);
    }

    std::vector<uint8_t> bytes; ///< The bytes so far.
};

/** Reader of fields in network byte order; fields after the end are 0. */
class Reader
{
  public:
    /** @param bytes the bytes */
    explicit Reader(std::span<const uint8_t> bytes)
        : m_rest(bytes)
    {
    }

    /** Read an integer. @param value set to the integer */
    template <class T>
    void operator()(T& value)
    {
        uint64_t whole = 0;
        for (const uint8_t byte : Skip(sizeof(T)))
        {
            whole = whole << 8 | byte;
        }
        value = static_cast<T>(whole);
    }

    /** Read a list of integers with its length. @param list filled with the integers */
    template <class L>
    void List(L& list)
    {
        uint16_t length = 0;
        (*this)(length);
        list.clear();
        for (; length > 0 && !m_short; --length)
        {
            std::decay_t<decltype(list[0])> value{};
            (*this)(value);
            list.push_back(value);
        }
    }

    /** Read the length of a list. @param list resized to it */
    template <class L>
    void Resize(L& list)
    {
        uint8_t length = 0;
        (*this)(length);
        list.resize(length);
    }

    /** Skip bytes. @param count their number @return the bytes; none if too few are left */
    std::span<const uint8_t> Skip(std::size_t count)
    {
        m_short |= count > m_rest.size();
        const auto passed = m_short ? std::span<const uint8_t>() : m_rest.first(count);
        m_rest = m_rest.subspan(passed.size());
        return passed;
    }

    /** @return whether all bytes were read, and none after the end. */
    bool IsAtEnd() const
    {
        return !m_short && m_rest.empty();
    }

  private:
    std::span<const uint8_t> m_rest; ///< Unread bytes.
    bool m_short{false};             ///< A read went past the end.
};

/** Fields of a datagram's head that are not in LiveDatagram. */
struct Head
{
    uint32_t magic{LiveDatagram::MAGIC};    ///< Magic number.
    uint32_t checksum{0};                   ///< Checksum.
    uint16_t reserved{0};                   ///< Zero.
    uint8_t version{LiveDatagram::VERSION}; ///< Version of the format.
};

/**
 * Write or read the head of a datagram.
 * @param fields a Writer or a Reader
 * @param head the fields of the format
 * @param datagram the datagram
 */
template <class Fields, class Datagram>
void
TransferHead(Fields& fields, Head& head, Datagram& datagram)
{
    fields(head.magic);
    fields(head.version);
    fields(datagram.kind);
    fields(head.reserved);
    fields(datagram.group);
    fields(datagram.from);
    fields(datagram.epoch);
    fields(datagram.session);
    fields(head.checksum);
}

/**
 * Write or read the body of a datagram.
 * @param fields a Writer or a Reader
 * @param datagram the datagram
 */
template <class Fields, class Datagram>
void
TransferBody(Fields& fields, Datagram& datagram)
{
    switch (datagram.kind)
    {
    case LiveKind::HELLO:
        fields(datagram.stamp);
        break;
    case LiveKind::ECHO:
        fields(datagram.stamp);
        fields(datagram.requester);
        break;
    case LiveKind::STATE:
        fields(datagram.progress.posted);
        fields(datagram.progress.delivered);
        fields(datagram.progress.taken);
        fields(datagram.progress.finished);
        fields(datagram.progress.gaveUp);
        fields(datagram.progress.damaged);
        fields(datagram.progress.failed);
        break;
    case LiveKind::FRAME:
        fields(datagram.frame.id);
        fields(datagram.frame.contents);
        fields(datagram.frame.payload);
        fields(datagram.frame.aux);
        fields(datagram.frame.header);
        fields(datagram.frame.path);
        fields(datagram.frame.kind);
        fields(datagram.frame.flags);
        fields(datagram.frame.trafficClass);
        fields.List(datagram.frame.words);
        fields.Resize(datagram.parts);
        std::size_t carried = 0;
        for (auto& part : datagram.parts)
        {
            fields(part.contents);
            fields.List(part.bytes);
            carried += part.bytes.size();
        }
        fields.Skip(std::max<std::size_t>(datagram.frame.payload, carried) - carried);
        break;
    }
}

} // namespace

std::ostream&
operator<<(std::ostream& os, LiveReject reject)
{
    constexpr std::array NAMES{"no magic number",
                               "another version",
                               "bad checksum",
                               "another group",
                               "no peer of the group",
                               "another run"};
    static_assert(NAMES.size() == LIVE_REJECTS, "Each reason has a name.");
    return os << NAMES[static_cast<std::size_t>(reject)];
}

uint32_t
GetCrc32(std::span<const uint8_t> bytes)
{
    return CRC32Calculate(bytes.data(), static_cast<int>(bytes.size()));
}

std::vector<uint8_t>
WriteLiveDatagram(const LiveDatagram& datagram)
{
    Writer out;
    Head head;
    TransferHead(out, head, datagram);
    TransferBody(out, datagram);
    Writer sum;
    sum(GetCrc32(out.bytes));
    std::ranges::copy(sum.bytes, out.bytes.begin() + CHECKSUM_AT);
    return std::move(out.bytes);
}

std::optional<LiveReject>
ReadLiveDatagram(std::span<const uint8_t> bytes, LiveDatagram& datagram)
{
    datagram = {};
    Reader in(bytes);
    Head head;
    TransferHead(in, head, datagram);
    if (head.magic != LiveDatagram::MAGIC || bytes.size() < LiveDatagram::HEAD)
    {
        return LiveReject::MAGIC;
    }
    if (head.version != LiveDatagram::VERSION)
    {
        return LiveReject::VERSION;
    }
    std::vector<uint8_t> plain(bytes.begin(), bytes.end());
    std::fill_n(plain.begin() + CHECKSUM_AT, sizeof(uint32_t), 0);
    if (head.checksum != GetCrc32(plain) || datagram.kind > LiveKind::FRAME)
    {
        return LiveReject::CHECKSUM;
    }
    TransferBody(in, datagram);
    if (!in.IsAtEnd())
    {
        return LiveReject::CHECKSUM;
    }
    return std::nullopt;
}

} // namespace messaging
} // namespace ns3
