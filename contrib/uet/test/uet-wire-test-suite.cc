/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-datagram-capture.h"
#include "ns3/roce-packet.h"
#include "ns3/test.h"
#include "ns3/uet-mrc-packet.h"
#include "ns3/uet-mrc-paths.h"
#include "ns3/uet-mrc-wire.h"
#include "ns3/uet-packet.h"
#include "ns3/uet-wire.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Packets as bytes: each field of each header at its place.
 */

namespace ns3
{
namespace uet
{
namespace tests
{
namespace
{

constexpr Peer SELF = 2;             ///< Receiver of all frames.
constexpr Peer FROM = 5;             ///< Sender of all frames.
constexpr uint32_t PAYLOAD = 1000;   ///< Payload of a full packet [bytes].
constexpr uint32_t TAG = 0x11223344; ///< Tag of all messages.

/** @param bytes bytes @return two hexadecimal digits for each. */
std::string
Print(const std::vector<uint8_t>& bytes)
{
    std::string text;
    for (const uint8_t byte : bytes)
    {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", byte);
        text += digits;
    }
    return text;
}

/**
 * Write bytes as a header of a specification shows them.
 * @param fields fields in hexadecimal digits, with blanks between them; z8 is 8 bytes of zeros
 * @return the digits alone
 */
std::string
Expand(const std::string& fields)
{
    std::string text;
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        if (fields[i] == 'z')
        {
            std::size_t digits = 0;
            text += std::string(2 * std::stoul(fields.substr(i + 1), &digits), '0');
            i += digits;
        }
        else if (fields[i] != ' ')
        {
            text += fields[i];
        }
    }
    return text;
}

/** A frame, and its header as bytes. */
struct WireRow
{
    std::string text;                             ///< What it is.
    Frame frame;                                  ///< The frame.
    std::string fields;                           ///< Its bytes up to the payload, see Expand.
    std::function<void(Config&)> change{nullptr}; ///< Changes parameters of UET; null for none.
};

/** Headers of UET. */
class PacketsTestCase : public TestCase
{
  public:
    PacketsTestCase()
        : TestCase("packets of UET")
    {
    }

  private:
    void DoRun() override
    {
        for (const WireRow& row : MakeRows())
        {
            Config config;
            config.pair.mtu = PAYLOAD;
            config.pair.window = 64;
            if (row.change)
            {
                row.change(config);
            }
            const auto bytes = MakeWireBytes(config, FROM, row.frame);
            const std::string header = Expand(row.fields);
            NS_TEST_EXPECT_MSG_EQ(Print(bytes).substr(0, header.size()), header, row.text);
            NS_TEST_EXPECT_MSG_EQ(header.size() / 2, row.frame.header, row.text);
            NS_TEST_EXPECT_MSG_EQ(bytes.size(), row.frame.header + row.frame.payload, row.text);
        }
        TestTrimmed();
    }

    /** @return frames of all kinds. */
    static std::vector<WireRow> MakeRows()
    {
        const uint16_t rud = REQUEST_HEADER + FIRST_SEMANTIC_HEADER;
        const uint16_t further = REQUEST_HEADER + SEMANTIC_HEADER;
        const uint64_t opening = Address{0x00010007, 3, 2}.Pack();
        const uint64_t fourth = Address{0x0001000a, 3, 9}.Pack();
        const uint64_t answer = Address{0x0001000b, 9, 3}.Pack();
        const auto setMode = [](Mode mode) {
            return [mode](Config& config) { config.mode = mode; };
        };
        const uint8_t opened = roce::FIRST | SYN_FLAG | RETX_FLAG | AR_FLAG;
        return {
            {"first packet of a message, with SYN, sent again",
             {.id = opening, .payload = PAYLOAD, .aux = TAG, .header = rud, .kind = opened},
             "119c 0000 00010007 0003 0002"
             " 05 05 0007 z16 00000005 z8 00000000 11223344 00000000"},
            {"last packet of a message of four, of ROD",
             {.id = fourth,
              .payload = 500,
              .aux = 3,
              .header = further,
              .kind = roce::LAST | AR_FLAG},
             "1988 0000 0001000a 0003 0009"
             " 05 02 0007 z16 000001f4 00000bb8 00000dac",
             setMode(Mode::ROD)},
            {"the packet names the last one that is cleared",
             {.id = fourth,
              .words = {0x00010005},
              .payload = PAYLOAD,
              .aux = 3,
              .header = further,
              .kind = roce::MIDDLE},
             "1180 fffa 0001000a 0003 0009"
             " 05 00 0007 z16 000003e8 00000bb8 00000000",
             [](Config& config) { config.responses = 4; }},
            {"demand for credit",
             {.id = fourth,
              .words = {0x01020304},
              .payload = 6,
              .aux = TAG,
              .header = rud + DEMAND_HEADER,
              .kind = roce::ONLY},
             "6980 0000 0001000a 0003 0009 00020304"
             " 05 07 000a z16 00000005 z8 00000000 11223344 00000006",
             [](Config& config) { config.pair.control.kind = messaging::CongestionKind::RCCC; }},
            {"packet of RUDI, sent again",
             {.id = Address{0x0001000a}.Pack(),
              .payload = 6,
              .aux = TAG,
              .header = RUDI_HEADER + FIRST_SEMANTIC_HEADER,
              .kind = roce::ONLY | RETX_FLAG},
             "2190 0001000a"
             " 05 07 000a z16 00000005 z8 00000000 11223344 00000006",
             setMode(Mode::RUDI)},
            {"packet of UUD",
             {.id = Address{0x0001000a}.Pack(),
              .payload = 6,
              .aux = TAG,
              .header = UUD_HEADER + FIRST_SEMANTIC_HEADER,
              .kind = roce::ONLY},
             "3180 0000"
             " 07 07 0000 z16 00000005 z8 00000000 11223344 00000006",
             setMode(Mode::UUD)},
            {"ACK of the last packet in order, with a mark and a guaranteed response",
             {.id = answer,
              .aux = 0x0001000a,
              .header = ACK_HEADER + RESPONSE_HEADER,
              .kind = ACK | ECHO_FLAG | RESPONSE_FLAG},
             "3a20 0000 0001000a 0009 0003"
             " 01 01 z10"},
            {"ACK of a packet after a gap: PSNs 0x0001000b, ...d and 63 after the first arrived",
             {.id = answer,
              .words = {0, 0x5, 0x80000000},
              .aux = 0x0001000d,
              .header = ACK_CC_HEADER + RESPONSE_HEADER,
              .kind = ACK},
             "4200 0003 0001000a 0009 0003 00 40 0001 80000000 00000005 z8"
             " 00 01 z10"},
            {"NACK of a trimmed packet",
             {.id = Address{0x0001000a, 0, 3}.Pack(),
              .aux = TRIMMED,
              .header = NACK_HEADER,
              .kind = NACK},
             "5000 01 00 0001000a 0000 0003 z4"},
            {"NACK of a packet of RUDI",
             {.id = Address{0x0001000a}.Pack(),
              .aux = TRIMMED_LASTHOP,
              .header = NACK_HEADER,
              .kind = NACK},
             "5008 02 00 0001000a 0000 0000 z4",
             setMode(Mode::RUDI)},
            {"response of RUDI, with a mark",
             {.id = Address{0x0001000a}.Pack(),
              .header = RUDI_HEADER + RESPONSE_HEADER,
              .kind = RESPONSE | ECHO_FLAG},
             "2a20 0001000a"
             " 00 01 z10",
             setMode(Mode::RUDI)},
            {"CLOSE, sent again",
             {.id = fourth, .header = CONTROL_HEADER, .kind = CLOSE | AR_FLAG | RETX_FLAG},
             "5a18 0000 0001000a 0003 0009 z4"},
            {"grant of credit, of which the packet has 24 bits",
             {.aux = 0x01000002, .header = CONTROL_HEADER, .kind = CREDIT},
             "5b80 0000 z8 00000002"},
            {"demand for credit without a packet",
             {.id = Address{0, 3, 9}.Pack(),
              .aux = 7,
              .header = CONTROL_HEADER,
              .kind = CREDIT_REQUEST},
             "5c00 0000 00000000 0003 0009 00000007"},
        };
    }

    /** A trimmed packet has its header alone. */
    void TestTrimmed()
    {
        const Frame frame{.payload = PAYLOAD,
                          .header = REQUEST_HEADER + FIRST_SEMANTIC_HEADER,
                          .kind = roce::ONLY,
                          .marks = messaging::MARK_TRIMMED};
        NS_TEST_EXPECT_MSG_EQ(MakeWireBytes(Config{}, FROM, frame).size(), frame.header, "trimmed");
    }
};

/** Headers of MRC. */
class MrcPacketsTestCase : public TestCase
{
  public:
    MrcPacketsTestCase()
        : TestCase("packets of MRC")
    {
    }

  private:
    /** Checksum and padding after the payload of each packet, all zero. */
    static constexpr uint32_t CHECKSUM = 4;

    void DoRun() override
    {
        mrc::Config config;
        config.pair.mtu = PAYLOAD;
        for (const WireRow& row : MakeRows())
        {
            const auto bytes = mrc::MakeWireBytes(config, SELF, FROM, row.frame);
            const std::string header = Expand(row.fields);
            NS_TEST_EXPECT_MSG_EQ(Print(bytes).substr(0, header.size()), header, row.text);
            NS_TEST_EXPECT_MSG_EQ(header.size() / 2 + CHECKSUM, row.frame.header, row.text);
            const uint32_t padded = (row.frame.payload + 3) / 4 * 4;
            NS_TEST_EXPECT_MSG_EQ(bytes.size(), row.frame.header + padded, row.text);
        }
    }

    /** @return frames of all kinds. */
    static std::vector<WireRow> MakeRows()
    {
        const uint16_t write = roce::TRANSPORT_HEADER + mrc::WRITE_HEADER;
        const uint16_t last = write + roce::IMMEDIATE_HEADER;
        const uint16_t sack = roce::TRANSPORT_HEADER + mrc::SACK_HEADER;
        const uint8_t skip = static_cast<uint8_t>(mrc::PathNews::SKIP_ONCE);
        const uint8_t again = roce::FIRST | mrc::RTX_FLAG | mrc::AR_FLAG;
        return {
            {"first packet of message 4, sent again",
             {.id = mrc::PackNumbers(7, 4),
              .payload = PAYLOAD,
              .aux = TAG,
              .header = write,
              .kind = again},
             "c6 00 ffff 00000015 a0000007"
             " 0004 0004 z8 z4 00000000"},
            {"last packet of message 4, its fourth",
             {.id = mrc::PackNumbers(10, 4),
              .payload = 500,
              .aux = 3,
              .header = last,
              .kind = roce::LAST | mrc::AR_FLAG},
             "c9 00 ffff 00000015 8000000a"
             " 0004 0004 00000000 00000bb8 z4 00000dac 00000000"},
            {"the packet of a message of six bytes, with two of padding",
             {.id = mrc::PackNumbers(7, 4),
              .payload = 6,
              .aux = TAG,
              .header = last,
              .kind = roce::ONLY},
             "cb 20 ffff 00000015 00000007"
             " 0004 0004 z8 z4 00000006 11223344"},
            {"SACK of packet 13 on path 2, with a mark: 11, 13 and 74 have arrived, but not 10",
             {.id = mrc::PackNumbers(10, 13),
              .words = {0, 0xa, 0x1},
              .aux = 2,
              .header = sack,
              .kind = mrc::SACK,
              .flags = skip},
             "dc 00 ffff 00000015 00000009"
             " 0020 0004 0000c002 0012 0015 00000009 00 01 0001 00000001 0000000a z8"},
            {"SACK of a probe",
             {.id = mrc::PackNumbers(10, 0),
              .aux = 2,
              .header = sack,
              .kind = mrc::SACK | mrc::PROBE_FLAG},
             "dc 00 ffff 00000015 00000009"
             " 0002 0000 0000c002 0012 0015 00000009 00 01 0000 z8 z8"},
            {"NACK of packet 200, beyond the window",
             {.id = 200,
              .aux = 2,
              .header = roce::TRANSPORT_HEADER + mrc::NACK_HEADER,
              .kind = mrc::NACK,
              .flags = mrc::PSN_OOR_WINDOW},
             "dd 00 ffff 00000015 000000c8"
             " 0000 0b 00 0000c002 0012 0015 000000c8 20 z3"},
            {"probe",
             {.header = roce::TRANSPORT_HEADER + mrc::PROBE_HEADER, .kind = mrc::PROBE},
             "de 00 ffff 00000015 00000000"
             " z8 0012 0015 z4"},
            {"EV probe of path 3",
             {.id = 3,
              .header = roce::TRANSPORT_HEADER + mrc::EV_PROBE_HEADER,
              .path = 3,
              .kind = mrc::EV_PROBE},
             "d8 00 ffff 00000002 00000003"
             " 0001 z14"},
            {"answer to the EV probe of path 3",
             {.id = 3,
              .header = roce::TRANSPORT_HEADER + mrc::EV_ANSWER_HEADER,
              .kind = mrc::EV_ANSWER},
             "d9 00 ffff 00000002 00000003"
             " 0004 z34"},
        };
    }
};

/** Headers of Ethernet, IPv4 and UDP. */
class DatagramsTestCase : public TestCase
{
  public:
    DatagramsTestCase()
        : TestCase("datagrams over IPv4 and Ethernet")
    {
    }

  private:
    void DoRun() override
    {
        // 0x4500 + 0x0020 + 0x4000 + 0x4011 + 2 0x0a00 + 0x0006 + 0x0003 = 0xd93a without the
        // second byte, which has DSCP and ECN.
        using messaging::MARK_CONGESTION;
        using messaging::MARK_LAST_HOP;
        using messaging::MARK_TRIMMED;
        Expect({.path = 3}, "02", "26c3", "c003");
        Expect({.trafficClass = 1}, "22", "26a3", "c000");
        Expect({.marks = MARK_CONGESTION}, "03", "26c2", "c000");
        Expect({.marks = MARK_TRIMMED}, "fe", "25c7", "c000");
        Expect({.marks = MARK_TRIMMED | MARK_LAST_HOP}, "ee", "25d7", "c000");
    }

    /**
     * Check the headers before four bytes of a protocol.
     * @param frame the frame
     * @param service second byte of IPv4
     * @param checksum checksum of IPv4
     * @param port source port
     */
    void Expect(const Frame& frame,
                const std::string& service,
                const std::string& checksum,
                const std::string& port)
    {
        using messaging::DatagramCapture;
        const auto packet = DatagramCapture::MakePacket(SELF, FROM, frame, UET_PORT, {1, 2, 3, 4});
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        const std::string expected = "020000000003 020000000006 0800"
                                     " 45" +
                                     service + " 0020 0000 4000 40 11 " + checksum +
                                     " 0a000006 0a000003 " + port + " 12b9 000c 0000 01020304";
        NS_TEST_EXPECT_MSG_EQ(Print(bytes), Expand(expected), "service " << service);
    }
};

/** Packets as bytes. */
class UetWireTestSuite : public TestSuite
{
  public:
    UetWireTestSuite()
        : TestSuite("uet-wire", Type::UNIT)
    {
        AddTestCase(new PacketsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MrcPacketsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DatagramsTestCase, TestCase::Duration::QUICK);
    }
};

UetWireTestSuite g_uetWireTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace uet
} // namespace ns3
