/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-datagram.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace messaging
{

namespace
{

/** Place of the checksum in a datagram. */
constexpr std::size_t CHECKSUM_AT = 24;

/** Writes integers in network byte order. */
class Writer
{
  public:
    /** Append an integer. @param value the integer */
    template <class T>
    void Put(T value)
    {
        for (std::size_t byte = sizeof(T); byte-- > 0;)
        {
            bytes.push_back(static_cast<uint8_t>(value >> (8 * byte)));
        }
    }

    std::vector<uint8_t> bytes; ///< The bytes so far.
};

/** Reads integers in network byte order. */
class Reader
{
  public:
    /** @param bytes the bytes */
    explicit Reader(std::span<const uint8_t> bytes)
        : m_rest(bytes)
    {
    }

    /** Read an integer. @return the integer; 0 behind the end */
    template <class T>
    T Get()
    {
        uint64_t value = 0;
        for (const uint8_t byte : Take(sizeof(T)))
        {
            value = value << 8 | byte;
        }
        return static_cast<T>(value);
    }

    /** Read bytes. @param count how many @return the bytes; none if there are not as many */
    std::span<const uint8_t> Take(std::size_t count)
    {
        if (count > m_rest.size())
        {
            m_rest = {};
            m_short = true;
            return {};
        }
        const auto taken = m_rest.first(count);
        m_rest = m_rest.subspan(count);
        return taken;
    }

    /** @return bytes not read yet. */
    std::size_t GetNLeft() const
    {
        return m_rest.size();
    }

    /** @return true if more was asked for than there was. */
    bool IsShort() const
    {
        return m_short;
    }

  private:
    std::span<const uint8_t> m_rest; ///< Bytes not read yet.
    bool m_short{false};             ///< Read behind the end.
};

/**
 * Write a frame.
 * @param out where to
 * @param datagram has the frame
 */
void
WriteFrame(Writer& out, const LiveDatagram& datagram)
{
    const Frame& frame = datagram.frame;
    out.Put(frame.id);
    out.Put(frame.contents);
    out.Put(frame.payload);
    out.Put(frame.aux);
    out.Put(frame.header);
    out.Put(frame.kind);
    out.Put(frame.flags);
    out.Put(static_cast<uint16_t>(datagram.words.size()));
    out.Put(static_cast<uint16_t>(datagram.bytes.size()));
    for (const uint32_t word : datagram.words)
    {
        out.Put(word);
    }
    out.bytes.insert(out.bytes.end(), datagram.bytes.begin(), datagram.bytes.end());
    const std::size_t carried = datagram.words.size() * sizeof(uint32_t) + datagram.bytes.size();
    if (carried < frame.payload)
    {
        out.bytes.resize(out.bytes.size() + frame.payload - carried);
    }
}

/**
 * Read a frame.
 * @param in where from
 * @param datagram its frame, words and bytes are set
 */
void
ReadFrame(Reader& in, LiveDatagram& datagram)
{
    Frame& frame = datagram.frame;
    frame.source = datagram.from;
    frame.id = in.Get<uint64_t>();
    frame.contents = in.Get<uint64_t>();
    frame.payload = in.Get<uint32_t>();
    frame.aux = in.Get<uint32_t>();
    frame.header = in.Get<uint16_t>();
    frame.kind = in.Get<uint8_t>();
    frame.flags = in.Get<uint8_t>();
    const auto words = in.Get<uint16_t>();
    const auto count = in.Get<uint16_t>();
    for (uint32_t word = 0; word < words && !in.IsShort(); ++word)
    {
        datagram.words.push_back(in.Get<uint32_t>());
    }
    const auto bytes = in.Take(count);
    datagram.bytes.assign(bytes.begin(), bytes.end());
    const std::size_t carried = words * sizeof(uint32_t) + count;
    in.Take(carried < frame.payload ? frame.payload - carried : 0);
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
    static const auto table = [] {
        std::array<uint32_t, 256> made{};
        for (uint32_t index = 0; index < made.size(); ++index)
        {
            uint32_t word = index;
            for (int bit = 0; bit < 8; ++bit)
            {
                word = (word & 1) ? word >> 1 ^ 0xedb88320 : word >> 1;
            }
            made[index] = word;
        }
        return made;
    }();
    uint32_t sum = 0xffffffff;
    for (const uint8_t byte : bytes)
    {
        sum = sum >> 8 ^ table[(sum ^ byte) & 0xff];
    }
    return ~sum;
}

std::vector<uint8_t>
WriteLiveDatagram(const LiveDatagram& datagram)
{
    Writer out;
    out.Put(LiveDatagram::MAGIC);
    out.Put(LiveDatagram::VERSION);
    out.Put(static_cast<uint8_t>(datagram.kind));
    out.Put(uint16_t{0});
    out.Put(datagram.group);
    out.Put(datagram.from);
    out.Put(datagram.epoch);
    out.Put(uint32_t{0});
    switch (datagram.kind)
    {
    case LiveKind::HELLO:
        out.Put(datagram.stamp);
        break;
    case LiveKind::ECHO:
        out.Put(datagram.stamp);
        out.Put(datagram.asked);
        break;
    case LiveKind::STATE:
        out.Put(datagram.known);
        out.Put(static_cast<uint8_t>(datagram.finished));
        break;
    case LiveKind::FRAME:
        WriteFrame(out, datagram);
        break;
    }
    Writer sum;
    sum.Put(GetCrc32(out.bytes));
    std::copy(sum.bytes.begin(), sum.bytes.end(), out.bytes.begin() + CHECKSUM_AT);
    return std::move(out.bytes);
}

bool
ReadLiveDatagram(std::span<const uint8_t> bytes, LiveDatagram& datagram, LiveReject& reject)
{
    datagram = {};
    reject = LiveReject::MAGIC;
    Reader in(bytes);
    if (in.Get<uint32_t>() != LiveDatagram::MAGIC || bytes.size() < LiveDatagram::HEAD)
    {
        return false;
    }
    reject = LiveReject::VERSION;
    if (in.Get<uint8_t>() != LiveDatagram::VERSION)
    {
        return false;
    }
    reject = LiveReject::CHECKSUM;
    std::vector<uint8_t> plain(bytes.begin(), bytes.end());
    std::fill_n(plain.begin() + CHECKSUM_AT, sizeof(uint32_t), 0);
    const auto kind = in.Get<uint8_t>();
    datagram.kind = static_cast<LiveKind>(kind);
    in.Take(sizeof(uint16_t));
    datagram.group = in.Get<uint32_t>();
    datagram.from = in.Get<Peer>();
    datagram.epoch = in.Get<uint64_t>();
    if (in.Get<uint32_t>() != GetCrc32(plain) || kind > static_cast<uint8_t>(LiveKind::FRAME))
    {
        return false;
    }
    switch (datagram.kind)
    {
    case LiveKind::HELLO:
        datagram.stamp = in.Get<uint64_t>();
        break;
    case LiveKind::ECHO:
        datagram.stamp = in.Get<uint64_t>();
        datagram.asked = in.Get<uint64_t>();
        break;
    case LiveKind::STATE:
        datagram.known = in.Get<uint64_t>();
        datagram.finished = in.Get<uint8_t>() != 0;
        break;
    case LiveKind::FRAME:
        ReadFrame(in, datagram);
        break;
    }
    return !in.IsShort() && in.GetNLeft() == 0;
}

} // namespace messaging
} // namespace ns3
