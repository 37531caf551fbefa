/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-host-port.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/nstime.h"
#include "ns3/sdr-erasure-code.h"
#include "ns3/sdr-flow.h"
#include "ns3/sdr-galois.h"
#include "ns3/sdr-layout.h"
#include "ns3/sdr-packet.h"
#include "ns3/sdr-protocol.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * Rules of SDR, one by one: messages and packets (SD-0x), selective repeat (SD-1x), erasure coding
 * (SD-2x), and what is added (SD-3x); sdr.rst lists them with their sources.
 */

namespace ns3
{
namespace sdr
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::Completion;
using messaging::GetFlowTimer;
using messaging::Request;
using messaging::ScriptedHost;

/** The field. */
class GaloisCase : public TestCase
{
  public:
    GaloisCase()
        : TestCase("SD-21: products are those of polynomials, and each element has an inverse")
    {
    }

  private:
    /** @param a an element @param b another @return their product, bit by bit. */
    static uint8_t MultiplyBits(uint32_t a, uint32_t b)
    {
        uint32_t product = 0;
        for (; b > 0; b >>= 1)
        {
            product ^= (b & 1) ? a : 0;
            a <<= 1;
            a ^= (a & 0x100) ? 0x11d : 0;
        }
        return static_cast<uint8_t>(product);
    }

    void DoRun() override
    {
        for (uint32_t a = 0; a < 256; ++a)
        {
            for (uint32_t b = 0; b < 256; ++b)
            {
                NS_TEST_ASSERT_MSG_EQ(+Galois::Multiply(a, b),
                                      +MultiplyBits(a, b),
                                      a << " times " << b);
            }
            if (a > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(+Galois::Multiply(a, Galois::Invert(a)),
                                      1,
                                      "inverse of " << a);
            }
            const uint64_t word = Galois::MultiplyWord(a, 0x0180ff0203050710);
            NS_TEST_EXPECT_MSG_EQ((word >> 48 & 0xff), +MultiplyBits(a, 0x80), "byte of a word");
        }
    }
};

/** The code. */
class CodeCase : public TestCase
{
  public:
    CodeCase()
        : TestCase("SD-21, SD-22: every loss that the code covers is recovered, and no other")
    {
    }

  private:
    void DoRun() override
    {
        for (const Scheme scheme : {Scheme::XOR, Scheme::MDS})
        {
            Look(scheme, 1, 1);
            Look(scheme, 1, 3);
            Look(scheme, 5, 2);
            Look(scheme, 6, 3);
            Look(scheme, 4, 4);
            LookLarge(scheme, 32, 8);
            LookLarge(scheme, 64, 64);
        }
    }

    /** @param code a code @param data k @param parity m @return words of all chunks. */
    static std::vector<uint64_t> MakeWords(const ErasureCode& code, uint32_t data, uint32_t parity)
    {
        std::vector<uint64_t> words(data + parity);
        for (uint32_t column = 0; column < data; ++column)
        {
            words[column] = GetWord(7, column);
            for (uint32_t row = 0; row < parity; ++row)
            {
                words[data + row] ^=
                    Galois::MultiplyWord(code.GetFactor(row, column), words[column]);
            }
        }
        return words;
    }

    /** Lose every set of chunks. @param scheme the code @param data k @param parity m */
    void Look(Scheme scheme, uint32_t data, uint32_t parity)
    {
        const ErasureCode code(scheme, data, parity);
        const auto words = MakeWords(code, data, parity);
        const uint64_t all = (uint64_t{1} << data) - 1;
        for (uint64_t here = 0; here < uint64_t{1} << (data + parity); ++here)
        {
            const uint64_t rows = here >> data;
            bool covered = std::popcount(here) >= static_cast<int>(data);
            if (scheme == Scheme::XOR && data > 1)
            {
                covered = true;
                for (uint32_t row = 0; row < parity; ++row)
                {
                    int lost = (rows >> row & 1) ? 0 : 1;
                    bool needs = false;
                    for (uint32_t column = row; column < data; column += parity)
                    {
                        lost += (here >> column & 1) ? 0 : 1;
                        needs |= (here >> column & 1) == 0;
                    }
                    covered &= lost <= 1 || !needs;
                }
            }
            NS_TEST_ASSERT_MSG_EQ(code.IsRecoverable(here & all, rows),
                                  covered,
                                  data << "+" << parity << " chunks " << here);
            if (covered)
            {
                Recover(code, here & all, rows, words, data);
            }
        }
    }

    /** Lose as much as the code covers. @param scheme the code @param data k @param parity m */
    void LookLarge(Scheme scheme, uint32_t data, uint32_t parity)
    {
        const ErasureCode code(scheme, data, parity);
        const auto words = MakeWords(code, data, parity);
        uint64_t here = ~uint64_t{0} >> (64 - data);
        const uint64_t rows = ~uint64_t{0} >> (64 - parity);
        for (uint32_t lost = 0; lost < parity; ++lost)
        {
            const uint32_t chunk = lost * (data / parity) + lost % (data / parity);
            here &= ~(uint64_t{1} << chunk);
        }
        const bool covered = code.IsRecoverable(here, rows);
        const bool expected = scheme == Scheme::MDS || data == parity;
        NS_TEST_EXPECT_MSG_EQ(covered, expected, data << "+" << parity);
        if (covered)
        {
            Recover(code, here, rows, words, data);
        }
    }

    /** Recover words. @param code the code @param here data that is here @param rows parity that is
     * here @param words all words @param data k */
    void Recover(const ErasureCode& code,
                 uint64_t here,
                 uint64_t rows,
                 const std::vector<uint64_t>& words,
                 uint32_t data)
    {
        std::vector<uint64_t> arrived = words;
        for (uint32_t chunk = 0; chunk < words.size(); ++chunk)
        {
            const bool isHere =
                chunk < data ? (here >> chunk & 1) != 0 : (rows >> (chunk - data) & 1) != 0;
            arrived[chunk] = isHere ? words[chunk] : 0;
        }
        code.Recover(here, rows, arrived);
        const bool isSame = std::equal(words.begin(), words.begin() + data, arrived.begin());
        NS_TEST_EXPECT_MSG_EQ(isSame, true, "words of data " << here << " and parity " << rows);
    }
};

/** Sizes of a layout. */
struct LayoutRow
{
    uint32_t bytes;        ///< Size of the message [bytes].
    uint32_t chunkPackets; ///< Packets of a chunk.
    uint32_t data;         ///< k.
    uint32_t parity;       ///< m.
    uint32_t packets;      ///< Data packets.
    uint32_t chunks;       ///< Data chunks.
    uint32_t submessages;  ///< Submessages.
    uint32_t end;          ///< Packets with those of parity.
};

/** Layouts. */
class LayoutCase : public TestCase
{
  public:
    LayoutCase()
        : TestCase("SD-01, SD-20: packets, chunks and submessages of messages of any size")
    {
    }

  private:
    void DoRun() override
    {
        // Packets of 10 bytes.
        const std::vector<LayoutRow> rows{{0, 1, 4, 2, 1, 1, 1, 2},
                                          {1, 1, 4, 2, 1, 1, 1, 2},
                                          {10, 1, 1, 0, 1, 1, 1, 1},
                                          {11, 1, 1, 0, 2, 2, 2, 2},
                                          {40, 1, 4, 2, 4, 4, 1, 6},
                                          {41, 1, 4, 2, 5, 5, 2, 8},
                                          {50, 2, 4, 2, 5, 3, 1, 9},
                                          {120, 2, 4, 2, 12, 6, 2, 18},
                                          {190, 2, 4, 2, 19, 10, 3, 29},
                                          {175, 4, 2, 1, 18, 5, 3, 28}};
        for (const LayoutRow& row : rows)
        {
            const Config config{.mtu = 10,
                                .chunkPackets = row.chunkPackets,
                                .data = row.data,
                                .parity = row.parity};
            const Layout layout(row.bytes, config);
            NS_TEST_EXPECT_MSG_EQ(layout.GetPackets(), row.packets, row.bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(layout.GetChunks(), row.chunks, row.bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(layout.GetSubmessages(), row.submessages, row.bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(layout.GetEnd(), row.end, row.bytes << " bytes");
            LookThrough(layout, row);
        }
    }

    /** Look at each packet. @param layout a layout @param row its sizes */
    void LookThrough(const Layout& layout, const LayoutRow& row)
    {
        std::set<uint32_t> data;
        std::set<uint32_t> parity;
        uint32_t bytes = 0;
        for (uint32_t position = 0; position < layout.GetEnd(); ++position)
        {
            const Place place = layout.GetPlace(position);
            NS_TEST_EXPECT_MSG_EQ(layout.Has(place), true, "position " << position);
            NS_TEST_EXPECT_MSG_EQ(layout.GetPosition(place), position, row.bytes << " bytes");
            (place.isParity ? parity : data).insert(place.index);
            bytes += place.isParity ? 0 : layout.GetPayload(place.index);
        }
        NS_TEST_EXPECT_MSG_EQ(data.size(), row.packets, "data packets");
        NS_TEST_EXPECT_MSG_EQ(*data.rbegin(), row.packets - 1, "data packets");
        NS_TEST_EXPECT_MSG_EQ(parity.size(), row.end - row.packets, "parity packets");
        NS_TEST_EXPECT_MSG_EQ(bytes, row.bytes, "payload");
        NS_TEST_EXPECT_MSG_EQ(layout.Has(layout.GetDataPlace(row.packets)), false, "one too many");
    }
};

/** @return parameters of selective repeat with packets of 10 bytes and chunks of two. */
Config
MakeRepeat()
{
    return {.modulus = 16,
            .requests = 4,
            .window = 100,
            .mtu = 10,
            .chunkPackets = 2,
            .timeout = 100,
            .slack = 50,
            .packetTime = 1};
}

/** @param scheme the code @return parameters of submessages of two chunks of a packet, with a
 * parity chunk. */
Config
MakeCoded(Scheme scheme = Scheme::MDS)
{
    Config config = MakeRepeat();
    config.chunkPackets = 1;
    config.data = 2;
    config.parity = 1;
    config.scheme = scheme;
    return config;
}

/** A flow and its host. */
struct Bench
{
    static constexpr Peer PEER = 1; ///< The other end.

    /** @param config parameters */
    explicit Bench(const Config& config)
        : flow(std::make_shared<const Config>(config)),
          number(config.modulus)
    {
    }

    /** @param bytes size of a message to post [bytes] @return its acceptance. */
    Acceptance Post(uint32_t bytes)
    {
        const uint64_t id = posted++;
        return flow.OnRequest({.id = id, .contents = 100 + id, .to = PEER, .bytes = bytes}, host);
    }

    /** Receive an answer. @param kind ACK or NACK @param message index of the message @param base
     * first chunk @param words words @param first index of the first open message */
    void Answer(Kind kind,
                uint64_t message,
                uint32_t base,
                messaging::FrameWords words,
                uint32_t first = 0)
    {
        flow.OnFrame(PEER,
                     {.id = Address{message, base}.Pack(),
                      .words = std::move(words),
                      .aux = first,
                      .kind = kind},
                     host);
    }

    /** Receive a packet. @param kind its kind @param index its index @param bytes size of the
     * message [bytes] @param message index of the message @param contents contents */
    void Packet(Kind kind,
                uint32_t index,
                uint32_t bytes,
                uint64_t message = 0,
                uint64_t contents = 100)
    {
        flow.OnFrame(PEER,
                     {.id = Address{message, index}.Pack(),
                      .contents = contents,
                      .aux = bytes,
                      .kind = kind},
                     host);
    }

    /** Let a timer fire. @param timer index of the timer @param now the time [ticks] */
    void Fire(uint32_t timer, Ticks now)
    {
        host.now = now;
        host.timers.erase(GetFlowTimer(PEER, timer));
        flow.OnTimer(PEER, timer, host);
    }

    /** @return the frames that were sent since the last call: kind, message and index, words. */
    std::string TakeSent()
    {
        return host.TakeSent([](std::ostream& os, const ScriptedHost::Sent& sent) {
            os << FlowCore::DescribeFrame(sent.frame);
            for (const uint32_t word : sent.frame.words)
            {
                os << ' ' << word;
            }
        });
    }

    Flow flow;          ///< The flow.
    ScriptedHost host;  ///< Its host.
    uint64_t posted{0}; ///< Posted messages.
    uint64_t number;    ///< Number of the first message.
};

/** Bitmaps of packets and chunks. */
class ChunkCase : public TestCase
{
  public:
    ChunkCase()
        : TestCase(
              "SD-02, SD-10: a chunk is here with all of its packets; an ACK has all chunks in "
              "order, and bits of others")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(MakeRepeat());
        constexpr uint32_t BYTES = 70; // Chunks of packets 0 1, 2 3, 4 5 and 6.
        bench.Packet(DATA, 3, BYTES);
        bench.Packet(DATA, 0, BYTES);
        bench.Packet(DATA, 0, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "no chunk is whole");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(DUPLICATE), 1, "packet 0");
        bench.Packet(DATA, 2, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.0 0 2", "chunk 1");
        bench.Packet(DATA, 6, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.0 0 10", "the last chunk has a packet");
        bench.Packet(DATA, 1, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.2 2 2", "two chunks in order, and chunk 3");
        bench.Packet(REPEAT, 0, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "not the end of a repeat");
        bench.Packet(REPEAT, 1, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.2 2 2", "its ACK was lost");
        bench.Packet(DATA, 4, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.host.delivered.size(), 0, "a packet is missing");
        bench.Packet(REPEAT, 5, BYTES);
        NS_TEST_ASSERT_MSG_EQ(bench.host.delivered.size(), 1, "all packets");
        NS_TEST_EXPECT_MSG_EQ(bench.host.delivered[0].bytes, BYTES, "size");
        NS_TEST_EXPECT_MSG_EQ(bench.host.delivered[0].contents, 100, "contents");
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.0 0", "the message is before the first");
        NS_TEST_EXPECT_MSG_EQ(bench.flow.GetReceiver().GetFirst(), bench.number + 1, "first");
        bench.Packet(REPEAT, 6, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.0 0", "its ACK was lost");
        NS_TEST_EXPECT_MSG_EQ(bench.host.delivered.size(), 1, "once");
    }
};

/** A bitmap that does not fit. */
class LongBitmapCase : public TestCase
{
  public:
    LongBitmapCase()
        : TestCase("SD-10: a bitmap that does not fit ends with the chunk that is acknowledged")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeRepeat();
        config.chunkPackets = 1;
        config.ackWords = 2;
        Bench bench(config);
        constexpr uint32_t BYTES = 2000;
        bench.Packet(DATA, 63, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.0 0 0 2147483648", "chunk 63");
        bench.Packet(DATA, 64, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.1 0 0 3221225472", "chunks 63 and 64");
        bench.Packet(DATA, 0, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.1 1 0 3221225472", "chunk 0");
    }
};

/** Timeouts of chunks. */
class TimeoutCase : public TestCase
{
  public:
    TimeoutCase()
        : TestCase("SD-11: each chunk has its own timeout, from its last packet on")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(MakeRepeat());
        bench.Post(20);
        bench.host.now = 10;
        bench.Post(20);
        bench.host.now = 20;
        bench.Post(20);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(),
                              "DATA 0.0, DATA 0.1, DATA 1.0, DATA 1.1, DATA 2.0, DATA 2.1",
                              "chunks");
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 100, "timeout of the first");
        bench.Answer(ACK, 1, 0, {1});
        NS_TEST_EXPECT_MSG_EQ(bench.host.completed.size(), 1, "the second message");
        bench.Fire(Sender::CHUNK, 100);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "REPEAT 0.0, REPEAT 0.1", "the first chunk only");
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 20, "the third, at 120");
        bench.Fire(Sender::CHUNK, 120);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "REPEAT 2.0, REPEAT 2.1", "the third chunk");
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 80, "the first again, at 200");
        bench.Answer(ACK, 0, 0, {0}, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.host.completed.size(), 2, "all messages before the third");
        bench.Fire(Sender::CHUNK, 200);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "it is here");
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 20, "the third, at 220");
        bench.Answer(ACK, 2, 0, {1}, 3);
        bench.Fire(Sender::CHUNK, 220);
        NS_TEST_EXPECT_MSG_EQ(bench.host.timers.size(), 0, "nothing is open");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(TIMEOUT), 2, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(REPEATED), 4, "packets");
        NS_TEST_EXPECT_MSG_EQ(bench.flow.GetSender().GetInFlight(), 0, "packets in flight");
    }
};

/** Doublings of the timeout. */
class DoublingsCase : public TestCase
{
  public:
    DoublingsCase()
        : TestCase("SD-13: the timeout doubles as often as permitted, until a new chunk is here")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeRepeat();
        config.doublings = 2;
        Bench bench(config);
        bench.Post(20);
        bench.Post(20);
        uint64_t now = 0;
        for (const uint64_t timeout : {100, 200, 400, 400})
        {
            // Both chunks were sent at the same time, and expire together.
            NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, timeout, "at " << now);
            now += timeout;
            bench.TakeSent();
            bench.Fire(Sender::CHUNK, now);
            NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(),
                                  "REPEAT 0.0, REPEAT 0.1, REPEAT 1.0, REPEAT 1.1",
                                  "at " << now);
        }
        bench.Answer(ACK, 0, 0, {1});
        bench.Fire(Sender::CHUNK, now + 400);
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 100, "a new chunk was here");
    }
};

/** Gaps. */
class GapCase : public TestCase
{
  public:
    GapCase()
        : TestCase("SD-12: a chunk is sent again once if one that was sent later is here")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeRepeat();
        config.chunkPackets = 1;
        config.gaps = true;
        Bench bench(config);
        bench.Post(60);
        bench.TakeSent();
        bench.Answer(ACK, 0, 0, {0, 0b001000});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "REPEAT 0.0, REPEAT 0.1, REPEAT 0.2", "0 to 2");
        bench.Answer(ACK, 0, 0, {0, 0b011000});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "each once");
        bench.Answer(ACK, 0, 0, {0, 0b011100});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "a repeat was first sent before");
        bench.Post(10);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "DATA 1.0", "sent after the repeats");
        bench.Answer(ACK, 1, 0, {1});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(),
                              "REPEAT 0.5, REPEAT 0.0, REPEAT 0.1",
                              "in the order of their last transmissions");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(GAP), 6, "losses");

        Config patient = config;
        patient.gaps = false;
        Bench other(patient);
        other.Post(60);
        other.TakeSent();
        other.Answer(ACK, 0, 0, {0, 0b001000});
        NS_TEST_EXPECT_MSG_EQ(other.TakeSent(), "", "only the timeout");
    }
};

/** Parity. */
class ParityCase : public TestCase
{
  public:
    ParityCase()
        : TestCase("SD-20, SD-23: parity follows each submessage, and one answer confirms it when "
                   "it is recoverable")
    {
    }

  private:
    void DoRun() override
    {
        for (const Scheme scheme : {Scheme::XOR, Scheme::MDS})
        {
            for (uint32_t lost = 0; lost < 8; ++lost)
            {
                Exchange(scheme, lost);
            }
        }
    }

    /** Lose a packet of a message of five. @param scheme the code @param lost its position */
    void Exchange(Scheme scheme, uint32_t lost)
    {
        Bench sender(MakeCoded(scheme));
        Bench receiver(MakeCoded(scheme));
        sender.Post(45);
        const auto sent = sender.host.sent;
        NS_TEST_EXPECT_MSG_EQ(sender.TakeSent(),
                              "DATA 0.0, DATA 0.1, PARITY 0.0, DATA 0.2, DATA 0.3, PARITY 0.1, "
                              "DATA 0.4, PARITY 0.2",
                              "parity");
        NS_TEST_EXPECT_MSG_EQ(sent[6].frame.payload, 5, "the last packet");
        NS_TEST_EXPECT_MSG_EQ(sent[7].frame.payload, 5, "and its copy");
        for (uint32_t position = 0; position < sent.size(); ++position)
        {
            if (position != lost)
            {
                receiver.flow.OnFrame(Bench::PEER, sent[position].frame, receiver.host);
            }
        }
        const bool isParity = lost == 2 || lost == 5 || lost == 7;
        NS_TEST_ASSERT_MSG_EQ(receiver.host.delivered.size(), 1, "recovered from loss of " << lost);
        NS_TEST_EXPECT_MSG_EQ(receiver.host.delivered[0].contents, 100, "loss of " << lost);
        NS_TEST_EXPECT_MSG_EQ(receiver.host.delivered[0].bytes, 45, "loss of " << lost);
        NS_TEST_EXPECT_MSG_EQ(receiver.host.Count(RECOVERED), (isParity ? 0 : 1), lost);
        NS_TEST_EXPECT_MSG_EQ(receiver.host.sent.size(), 3, "an answer for each submessage");
        for (const auto& answer : receiver.host.sent)
        {
            sender.flow.OnFrame(Bench::PEER, answer.frame, sender.host);
        }
        NS_TEST_EXPECT_MSG_EQ(sender.host.completed.size(), 1, "delivered");
        NS_TEST_EXPECT_MSG_EQ(sender.flow.GetSender().GetInFlight(), 0, "packets in flight");
        NS_TEST_EXPECT_MSG_EQ(sender.host.sent.size(), 0, "nothing is sent again");
    }
};

/** Chunks of several packets. */
class ShortChunkCase : public TestCase
{
  public:
    ShortChunkCase()
        : TestCase("SD-20, SD-22: zeros take the place of packets that the last chunk lacks")
    {
    }

  private:
    void DoRun() override
    {
        for (const Scheme scheme : {Scheme::XOR, Scheme::MDS})
        {
            // Chunks of packets 0 1, 2 3 and 4; parity of 5 6 and 7 8, by position.
            for (const std::set<uint32_t>& lost :
                 {std::set<uint32_t>{0, 1, 2, 3}, {0, 1}, {2, 4}, {0, 2}, {4, 5}, {2, 3, 5}})
            {
                Config config = MakeCoded(scheme);
                config.chunkPackets = 2;
                config.data = 3;
                config.parity = 2;
                Bench sender(config);
                Bench receiver(config);
                sender.Post(50);
                for (uint32_t position = 0; position < sender.host.sent.size(); ++position)
                {
                    if (!lost.contains(position))
                    {
                        receiver.flow.OnFrame(Bench::PEER,
                                              sender.host.sent[position].frame,
                                              receiver.host);
                    }
                }
                NS_TEST_EXPECT_MSG_EQ(sender.host.sent.size(), 9, "packets");
                const bool isCovered = scheme == Scheme::MDS ||
                                       lost.contains(0) + lost.contains(4) + lost.contains(5) < 2;
                NS_TEST_ASSERT_MSG_EQ(receiver.host.delivered.size(),
                                      (isCovered ? 1 : 0),
                                      "loss of " << *lost.begin() << " and " << lost.size() - 1);
                if (isCovered)
                {
                    NS_TEST_EXPECT_MSG_EQ(receiver.host.delivered[0].contents, 100, "contents");
                }
            }
        }
    }
};

/** Counts of packets that arrive again. */
class DuplicatesCase : public TestCase
{
  public:
    DuplicatesCase()
        : TestCase(
              "SD-23: a first transmission that is late is no duplicate; a copy of a message is")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t BYTES = 60; // Three submessages.
        Bench coded(MakeCoded());
        coded.Packet(PARITY, 0, BYTES);
        coded.Packet(DATA, 0, BYTES);
        NS_TEST_EXPECT_MSG_EQ(coded.host.Count(RECOVERED), 1, "packet 1");
        coded.Packet(DATA, 1, BYTES);
        NS_TEST_EXPECT_MSG_EQ(coded.host.Count(DUPLICATE), 0, "parity has overtaken packet 1");
        coded.Packet(REPEAT, 1, BYTES);
        NS_TEST_EXPECT_MSG_EQ(coded.host.Count(DUPLICATE), 1, "a repeat for nothing");

        Bench repeated(MakeRepeat());
        for (const Kind kind : {DATA, DATA, REPEAT})
        {
            repeated.Packet(kind, 0, 10);
        }
        NS_TEST_EXPECT_MSG_EQ(repeated.host.delivered.size(), 1, "a message of one packet");
        NS_TEST_EXPECT_MSG_EQ(repeated.host.Count(DUPLICATE), 2, "a copy and a repeat");
    }
};

/** Corrupted parity. */
class DamageCase : public TestCase
{
  public:
    DamageCase()
        : TestCase("SD-22: a changed bit of parity changes the contents that are recovered from it")
    {
    }

  private:
    void DoRun() override
    {
        for (const Scheme scheme : {Scheme::XOR, Scheme::MDS})
        {
            Bench sender(MakeCoded(scheme));
            Bench receiver(MakeCoded(scheme));
            sender.Post(20);
            auto sent = sender.host.sent;
            sent[2].frame.contents ^= 1;
            receiver.flow.OnFrame(Bench::PEER, sent[2].frame, receiver.host);
            receiver.flow.OnFrame(Bench::PEER, sent[1].frame, receiver.host);
            NS_TEST_ASSERT_MSG_EQ(receiver.host.delivered.size(), 1, "decoded");
            NS_TEST_EXPECT_MSG_NE(receiver.host.delivered[0].contents, 100, "damaged");
        }
    }
};

/** The fallback timeout. */
class FallbackCase : public TestCase
{
  public:
    FallbackCase()
        : TestCase(
              "SD-24, SD-25: the FTO ends slack after the last packet is due, and a NACK names "
              "the failed submessages")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeCoded();
        config.packetTime = 7;
        Bench bench(config);
        constexpr uint32_t BYTES = 60; // Positions 0 to 8.
        bench.host.now = 1000;
        bench.Packet(DATA, 0, BYTES);
        constexpr uint32_t TIMER = Receiver::FIRST_TIMER;
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 8 * 7 + 50, "8 packets and slack");
        bench.host.now = 1030;
        bench.Packet(DATA, 3, BYTES); // Position 4, two ticks late.
        bench.Fire(TIMER, 1106);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "the packets are late");
        NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 1030 + 4 * 7 + 50 - 1106, "the rest");
        bench.Fire(TIMER, 1108);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "NACK 0.0 6", "no submessage is here");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(FALLBACK), 1, "FTO");
        bench.Packet(REPEAT, 0, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.0 0 1", "chunks are acknowledged now");
        bench.Packet(REPEAT, 1, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.2 2", "the first submessage");
        bench.Packet(PARITY, 1, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "parity does not count any more");
        bench.Packet(REPEAT, 2, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 0.2 2 1", "packet 3 has to come again");
        bench.Packet(PROBE, 0, BYTES);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "a probe without its word");
    }
};

/** Failed submessages at the sender. */
class FailureCase : public TestCase
{
  public:
    FailureCase()
        : TestCase("SD-26: each data chunk of a failed submessage is sent again, by selective "
                   "repeat, or each missing one")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(MakeCoded());
        bench.Post(60);
        bench.Post(60);
        bench.TakeSent();
        bench.Answer(ACK, 0, 2, {2});
        bench.Answer(NACK, 0, 2, {6, 0b1100});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "REPEAT 0.2, REPEAT 0.3", "the second one");
        bench.Answer(NACK, 0, 2, {6, 0b1100});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "once");
        bench.Answer(NACK, 1, 0, {6, 0b110001});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "REPEAT 1.1, REPEAT 1.2, REPEAT 1.3", "missing");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(FAILED), 3, "submessages");
        bench.Answer(ACK, 0, 2, {2, 0b0001});
        bench.Fire(Sender::CHUNK, 100);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(),
                              "REPEAT 0.3, REPEAT 1.1, REPEAT 1.2, REPEAT 1.3",
                              "their timeouts");
        bench.Answer(ACK, 0, 0, {6});
        bench.Answer(ACK, 1, 0, {6}, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.host.completed.size(), 2, "delivered");
        NS_TEST_EXPECT_MSG_EQ(bench.flow.GetSender().GetInFlight(), 0, "packets in flight");

        Config config = MakeCoded();
        config.window = 4;
        Bench stalled(config);
        stalled.Post(60);
        NS_TEST_EXPECT_MSG_EQ(stalled.TakeSent(),
                              "DATA 0.0, DATA 0.1, PARITY 0.0, DATA 0.2",
                              "a window");
        stalled.Answer(NACK, 0, 0, {6});
        NS_TEST_EXPECT_MSG_EQ(stalled.TakeSent(),
                              "REPEAT 0.0, REPEAT 0.1",
                              "not what is still being sent");
    }
};

/** Chunks that are here when a submessage fails. */
class MissingCase : public TestCase
{
  public:
    MissingCase()
        : TestCase("SD-27: with missing chunks only, bits and parity of a failed submessage count")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeCoded();
        config.data = 3;
        config.whole = false;
        Bench sender(config);
        Bench receiver(config);
        sender.Post(30);
        auto sent = sender.host.sent;
        for (const uint32_t position : {0, 3})
        {
            receiver.flow.OnFrame(Bench::PEER, sent[position].frame, receiver.host);
        }
        receiver.Fire(Receiver::FIRST_TIMER, 60);
        NS_TEST_EXPECT_MSG_EQ(receiver.TakeSent(), "NACK 0.0 3 1", "chunk 0 is here");
        receiver.flow.OnFrame(Bench::PEER, sent[2].frame, receiver.host);
        NS_TEST_ASSERT_MSG_EQ(receiver.host.delivered.size(), 1, "two chunks and parity");
        NS_TEST_EXPECT_MSG_EQ(receiver.host.delivered[0].contents, 100, "contents");
    }
};

/** Probes. */
class ProbeCase : public TestCase
{
  public:
    ProbeCase()
        : TestCase("SD-30: a sender without an answer sends a probe, whose answer is a NACK or an "
                   "ACK")
    {
    }

  private:
    void DoRun() override
    {
        Bench sender(MakeCoded());
        sender.Post(60);
        sender.TakeSent();
        sender.Fire(Sender::GUARD, 150);
        NS_TEST_EXPECT_MSG_EQ(sender.host.Count(PROBED), 1, "no answer");
        const auto probe = sender.host.sent.at(0).frame;
        NS_TEST_EXPECT_MSG_EQ(sender.TakeSent(), "PROBE 0.0 9", "all packets were sent");

        Bench receiver(MakeCoded());
        receiver.flow.OnFrame(Bench::PEER, probe, receiver.host);
        NS_TEST_EXPECT_MSG_EQ(receiver.TakeSent(), "NACK 0.0 6", "all was lost");
        Bench late(MakeCoded());
        for (const uint32_t packet : {0, 1, 4, 5})
        {
            late.Packet(DATA, packet, 60);
        }
        late.TakeSent();
        late.flow.OnFrame(Bench::PEER, probe, late.host);
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(), "NACK 0.2 6 12", "one has failed");
        late.Packet(DATA, 2, 60);
        late.Packet(DATA, 3, 60);
        late.TakeSent();
        late.flow.OnFrame(Bench::PEER, probe, late.host);
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(), "ACK 0.0 0", "all messages below the first");

        sender.host.now = 160;
        sender.Answer(ACK, 0, 2, {2});
        sender.Fire(Sender::GUARD, 300);
        NS_TEST_EXPECT_MSG_EQ(sender.TakeSent(), "", "progress since");
        NS_TEST_EXPECT_MSG_EQ(sender.host.armed.back().second, 10, "the rest");
        sender.Fire(Sender::GUARD, 310);
        NS_TEST_EXPECT_MSG_EQ(sender.TakeSent(), "PROBE 0.0 9", "again");

        Bench busy(MakeCoded());
        busy.Post(60);
        busy.TakeSent();
        busy.host.busy = true;
        const auto armed = busy.host.armed.size();
        busy.Fire(Sender::GUARD, 150);
        NS_TEST_EXPECT_MSG_EQ(busy.host.armed.size(), armed, "the probe waits for the port");
        busy.host.busy = false;
        busy.flow.OnReady(Bench::PEER, busy.host);
        NS_TEST_EXPECT_MSG_EQ(busy.TakeSent(), "PROBE 0.0 9", "sent");
        NS_TEST_EXPECT_MSG_EQ(busy.host.armed.size(), armed + 1, "the guard counts from then on");
    }
};

/** Window, busy port, order. */
class FlowCase : public TestCase
{
  public:
    FlowCase()
        : TestCase("SD-31, SD-32, SD-33: window, busy port, and messages in any order")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeRepeat();
        config.window = 4;
        Bench bench(config);
        bench.Post(100);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "DATA 0.0, DATA 0.1, DATA 0.2, DATA 0.3", "window");
        bench.Answer(ACK, 0, 0, {0, 0b10});
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "DATA 0.4, DATA 0.5", "a chunk is here");
        for (uint32_t message = 1; message < 4; ++message)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.Post(1), Acceptance::ACCEPTED, "message " << message);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Post(1), Acceptance::STALLED, "four in flight");

        Bench busy(MakeRepeat());
        busy.host.busy = true;
        busy.Post(20);
        busy.Packet(DATA, 0, 15);
        busy.Packet(DATA, 1, 15);
        busy.Packet(DATA, 0, 5, 2);
        busy.Packet(DATA, 0, 5, 1);
        NS_TEST_ASSERT_MSG_EQ(busy.host.delivered.size(), 3, "messages");
        NS_TEST_EXPECT_MSG_EQ(busy.host.delivered[1].id, busy.number + 2, "as they become whole");
        NS_TEST_EXPECT_MSG_EQ(busy.host.sent.size(), 0, "busy");
        busy.host.busy = false;
        busy.flow.OnReady(Bench::PEER, busy.host);
        NS_TEST_EXPECT_MSG_EQ(busy.TakeSent(),
                              "ACK 0.0 0, ACK 2.0 0, ACK 1.0 0, DATA 0.0, DATA 0.1",
                              "answers precede packets");

        Config tagged = MakeRepeat();
        Flow flow(std::make_shared<const Config>(tagged));
        ScriptedHost host;
        flow.OnRequest({.id = 0, .contents = 9, .to = 1, .bytes = 3, .tag = 77, .flags = 5}, host);
        Bench other(tagged);
        NS_TEST_EXPECT_MSG_EQ(host.sent[0].frame.header, DATA_HEADER + WORD_BYTES, "a tag");
        other.flow.OnFrame(Bench::PEER, host.sent[0].frame, other.host);
        NS_TEST_ASSERT_MSG_EQ(other.host.delivered.size(), 1, "delivered");
        NS_TEST_EXPECT_MSG_EQ(other.host.delivered[0].tag, 77, "tag");
        NS_TEST_EXPECT_MSG_EQ(+other.host.delivered[0].flags, 5, "flags");
    }
};

/** Frames that no peer has sent. */
class ForeignCase : public TestCase
{
  public:
    ForeignCase()
        : TestCase("SD-03: frames that no peer has sent change nothing")
    {
    }

  private:
    void DoRun() override
    {
        for (const Config& config : {MakeRepeat(), MakeCoded()})
        {
            ScriptedHost out;
            FlowCore core(Flow(std::make_shared<const Config>(config)), 2);
            core.OnRequest({.id = 0, .contents = 1, .to = 1, .bytes = 30}, out);
            const uint32_t huge = config.GetLargestMessage() + 1;
            for (const Frame& frame :
                 {Frame{.id = Address{2, 0}.Pack(), .words = {1}, .aux = 0, .kind = ACK},
                  Frame{.id = Address{0, 0}.Pack(), .words = {1}, .aux = 2, .kind = ACK},
                  Frame{.id = Address{0, 0}.Pack(), .aux = 0, .kind = NACK},
                  Frame{.id = Address{4, 0}.Pack(), .aux = 5, .kind = DATA},
                  Frame{.id = Address{0, 1}.Pack(), .aux = 5, .kind = DATA},
                  Frame{.id = Address{0, 0}.Pack(), .aux = huge, .kind = DATA},
                  Frame{.id = Address{0, 7}.Pack(), .aux = 5, .kind = PARITY},
                  Frame{.id = 0, .kind = DATA, .marks = messaging::MARK_TRIMMED},
                  Frame{.id = 0, .kind = NACK + 1}})
            {
                NS_TEST_EXPECT_MSG_EQ(messaging::Refuses(core, 1, frame),
                                      true,
                                      FlowCore::DescribeFrame(frame));
            }
        }
    }
};

/** Frames on several paths. */
class PathsCase : public TestCase
{
  public:
    PathsCase()
        : TestCase("SD-34: a flow has one path, or one for each packet if it sprays")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool sprays : {false, true})
        {
            Config config = MakeRepeat();
            config.paths = 8;
            config.spray = sprays;
            Bench bench(config);
            for (uint32_t random = 3; random < 6; ++random)
            {
                bench.host.random = random;
                bench.Post(1);
            }
            for (uint16_t i = 0; i < 3; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.host.sent[i].frame.path, (sprays ? 3 + i : 3), i);
            }
        }
    }
};

/** Window and timeouts behind hosts whose work takes longer than the network. */
class HostsCase : public TestCase
{
  public:
    HostsCase()
        : TestCase("the default window fills the network, and timeouts wait for hosts")
    {
    }

  private:
    void DoRun() override
    {
        const auto clock = CreateObject<messaging::TickClock>();
        const auto port = messaging::MakeAnyPort(Create<messaging::LoopbackPort>(clock, 2));
        const auto model = CreateObject<messaging::HostModel>();
        model->SetAttribute("Interrupt", TimeValue(MicroSeconds(5)));
        const auto hosted =
            Create<messaging::HostPort>(clock,
                                        port,
                                        std::vector<Ptr<messaging::HostModel>>(2, model),
                                        messaging::FrameCosts{.interrupts = 1});
        const auto protocol = CreateObject<SdrProtocol>();
        const Config bare = protocol->Resolve(*port, NanoSeconds(1));
        const Config config = protocol->Resolve(*hosted, NanoSeconds(1));
        const messaging::Ticks hosts = 10'000; // An interrupt at either end.
        NS_TEST_EXPECT_MSG_EQ(config.window, bare.window, "window");
        NS_TEST_EXPECT_MSG_EQ(config.timeout, bare.timeout + 3 * hosts, "three round trips");
        NS_TEST_EXPECT_MSG_EQ(config.slack, bare.slack + hosts, "one round trip");
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** The suite. */
class SdrCoreTestSuite : public TestSuite
{
  public:
    SdrCoreTestSuite()
        : TestSuite("sdr-core", Type::UNIT)
    {
        const auto add = [this](TestCase* test) { AddTestCase(test, TestCase::Duration::QUICK); };
        add(new GaloisCase);
        add(new CodeCase);
        add(new LayoutCase);
        add(new ChunkCase);
        add(new LongBitmapCase);
        add(new TimeoutCase);
        add(new DoublingsCase);
        add(new GapCase);
        add(new ParityCase);
        add(new ShortChunkCase);
        add(new DuplicatesCase);
        add(new DamageCase);
        add(new FallbackCase);
        add(new FailureCase);
        add(new MissingCase);
        add(new ProbeCase);
        add(new FlowCase);
        add(new ForeignCase);
        add(new PathsCase);
        add(new HostsCase);
    }
};

SdrCoreTestSuite g_sdrCoreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace sdr
} // namespace ns3
