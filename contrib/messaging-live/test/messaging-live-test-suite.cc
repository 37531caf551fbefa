/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-live-datagram.h"
#include "ns3/messaging-live-port.h"
#include "ns3/messaging-live-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <arpa/inet.h>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Frames over real sockets: the format of datagrams, foreign ones, and the handshake of two peers.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** A datagram of each kind is decoded without change; damaged ones are refused. */
class LiveDatagramCase : public TestCase
{
  public:
    LiveDatagramCase()
        : TestCase("datagrams come back as they were written, and damaged ones do not")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(1);
        for (const auto kind : {LiveKind::HELLO, LiveKind::ECHO, LiveKind::STATE, LiveKind::FRAME})
        {
            LiveDatagram sent;
            sent.kind = kind;
            sent.epoch = 0x0123456789abcdef;
            sent.group = 0xdeadbeef;
            sent.from = 3;
            if (kind == LiveKind::HELLO || kind == LiveKind::ECHO)
            {
                sent.stamp = 42;
                sent.asked = kind == LiveKind::ECHO ? 43 : 0;
            }
            else if (kind == LiveKind::STATE)
            {
                sent.known = 0xffff0000ffff0001;
                sent.finished = true;
            }
            else
            {
                sent.frame = Frame{.id = 1,
                                   .contents = 2,
                                   .words = {7, 8},
                                   .payload = 100,
                                   .aux = 4,
                                   .header = 20,
                                   .path = 3,
                                   .kind = 5,
                                   .flags = 6,
                                   .trafficClass = 12};
                sent.bytes = {9, 10, 11};
            }
            const auto bytes = WriteLiveDatagram(sent);
            LiveDatagram read;
            NS_TEST_EXPECT_MSG_EQ((!ReadLiveDatagram(bytes, read) && read == sent),
                                  true,
                                  "kind " << static_cast<int>(kind));
            for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
            {
                auto damaged = bytes;
                damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
                const auto expected = bit < 32   ? LiveReject::MAGIC
                                      : bit < 40 ? LiveReject::VERSION
                                                 : LiveReject::CHECKSUM;
                NS_TEST_ASSERT_MSG_EQ((ReadLiveDatagram(damaged, read) == expected),
                                      true,
                                      "reason of bit " << bit);
            }
            for (std::size_t size = 0; size < bytes.size(); ++size)
            {
                NS_TEST_ASSERT_MSG_EQ(
                    ReadLiveDatagram(std::span(bytes).first(size), read).has_value(),
                    true,
                    "cut off after " << size);
            }
            auto longer = bytes;
            longer.push_back(0);
            NS_TEST_EXPECT_MSG_EQ(ReadLiveDatagram(longer, read).has_value(), true, "too long");
        }
        for (int n = 0; n < 2000; ++n)
        {
            std::vector<uint8_t> bytes(random() % 200);
            for (auto& byte : bytes)
            {
                byte = static_cast<uint8_t>(random());
            }
            LiveDatagram read;
            NS_TEST_ASSERT_MSG_EQ(ReadLiveDatagram(bytes, read).has_value(), true, "noise");
        }
        const std::string check = "123456789";
        NS_TEST_EXPECT_MSG_EQ(
            GetCrc32(std::span(reinterpret_cast<const uint8_t*>(check.data()), check.size())),
            0xcbf43926,
            "the check value of CRC-32");
    }
};

/** Addresses and their errors. */
class LivePeersCase : public TestCase
{
  public:
    LivePeersCase()
        : TestCase("addresses of peers are read, and errors name them")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<LivePort::Remote> peers;
        NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:4000,10.0.0.2:65535", peers), "", "two");
        NS_TEST_EXPECT_MSG_EQ(peers.size(), 2, "two");
        const std::string form = " is no address and port of a peer, as in 127.0.0.1:4000.";
        for (const std::string name :
             {"127.0.0.1", "host:1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:", ":1", "x"})
        {
            NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:1," + name, peers),
                                  "\"" + name + "\"" + form,
                                  name);
        }
        NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:1,127.0.0.1:1", peers),
                              "Peers has 127.0.0.1:1 twice.",
                              "twice");
        NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:1", peers),
                              "Peers has 1 addresses; 2 to 64 are allowed.",
                              "one");
    }
};

/** Both of two pipes are readable, and the handler of either one stops waiting for both. */
class LiveForgottenCase : public TestCase
{
  public:
    LiveForgottenCase()
        : TestCase("no handler of a file is called that was forgotten meanwhile")
    {
    }

  private:
    void DoRun() override
    {
        auto* scheduler = LiveScheduler::Install();
        std::array<std::array<int, 2>, 2> pipes{};
        for (auto& ends : pipes)
        {
            NS_TEST_ASSERT_MSG_EQ(pipe(ends.data()), 0, "a pipe");
            NS_TEST_ASSERT_MSG_EQ(write(ends[1], "x", 1), 1, "a byte that can be read");
        }
        uint32_t calls = 0;
        const auto forget = [&] {
            ++calls;
            for (const auto& ends : pipes)
            {
                scheduler->Forget(ends[0]);
            }
            Simulator::Stop();
        };
        scheduler->Watch(pipes[0][0], forget);
        scheduler->Watch(pipes[1][0], forget);
        // The scheduler waits for files as long as there is a next event.
        Simulator::Schedule(Seconds(10), &Simulator::Stop);
        Simulator::Run();
        Simulator::Schedule(MilliSeconds(1), &Simulator::Stop);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(calls, 1, "of the first alone");
        for (const auto& ends : pipes)
        {
            close(ends[0]);
            close(ends[1]);
        }
        Simulator::Destroy();
    }
};

/** Two ports in one process; the test has its own socket. */
class LivePortCase : public TestCase, private PortUser
{
  public:
    LivePortCase()
        : TestCase("two ports find each other, carry frames and bytes, and drop what is foreign")
    {
    }

  private:
    /** Group of the ports. */
    static constexpr uint32_t GROUP = 7;

    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        m_frames.push_back(frame);
        NS_TEST_EXPECT_MSG_EQ(self, 1, "the receiver");
        NS_TEST_EXPECT_MSG_EQ(from, 0, "the sender");
    }

    void OnReady(Peer) override
    {
    }

    /** @return unused addresses. @param count their number */
    static std::string FindAddresses(int count)
    {
        std::vector<int> sockets;
        std::string text;
        for (int n = 0; n < count; ++n)
        {
            sockets.push_back(socket(AF_INET, SOCK_DGRAM, 0));
            sockaddr_in address{};
            address.sin_family = AF_INET;
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            socklen_t length = sizeof address;
            bind(sockets.back(), reinterpret_cast<sockaddr*>(&address), length);
            getsockname(sockets.back(), reinterpret_cast<sockaddr*>(&address), &length);
            text += (n ? "," : "") + ("127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
        }
        for (const int file : sockets)
        {
            close(file);
        }
        return text;
    }

    /** Exchange greetings until both ports are open. */
    void Greet()
    {
        m_ports[0]->Greet(false);
        m_ports[1]->Greet(false);
        if (m_ports[0]->IsOpen() && m_ports[1]->IsOpen())
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MicroSeconds(200), &LivePortCase::Greet, this);
    }

    /** Serve the sockets until frames have arrived. @param count their total number */
    void ServeUntil(std::size_t count)
    {
        if (m_frames.size() >= count)
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MicroSeconds(200), &LivePortCase::ServeUntil, this, count);
    }

    void DoRun() override
    {
        const std::string text = FindAddresses(2);
        std::vector<LivePort::Remote> peers;
        NS_TEST_ASSERT_MSG_EQ(LivePort::Parse(text, peers), "", "addresses");
        auto* scheduler = LiveScheduler::Install();
        for (Peer peer = 0; peer < 2; ++peer)
        {
            m_ports.push_back(Create<LivePort>(peer, GROUP, 100 + peer));
            NS_TEST_ASSERT_MSG_EQ(m_ports[peer]->Open(peers, scheduler), "", "a free port");
        }
        const auto late = Create<LivePort>(0, GROUP, 1);
        NS_TEST_EXPECT_MSG_EQ(late->Open(peers, scheduler),
                              "The UDP port of peer 0, " + peers[0].name +
                                  ", is taken by another program.",
                              "taken");
        m_ports[1]->SetUser(this);
        Simulator::ScheduleNow(&LivePortCase::Greet, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->GetRoundTrip().IsStrictlyPositive(), true, "measured");

        Frame frame{.id = 5, .contents = 77, .words = {3, 4}, .payload = 300, .kind = 1};
        const std::vector<uint8_t> bytes{1, 2, 3};
        m_ports[0]->AddBytes(77, bytes);
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->Send(0, 1, frame), true, "sent");
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->Send(1, 0, frame), true, "an idle core sends nothing");
        // Any owner of a peer's address may send arbitrary data: here the other port's own socket.
        const auto forge = [&](auto change) {
            LiveDatagram datagram;
            datagram.kind = LiveKind::FRAME;
            datagram.frame = frame;
            datagram.group = GROUP;
            datagram.from = 0;
            datagram.epoch = 100;
            change(datagram);
            Inject(WriteLiveDatagram(datagram), peers[1]);
        };
        forge([](LiveDatagram&) {});
        forge([](LiveDatagram& datagram) { datagram.group = 8; });
        Inject({1, 2, 3}, peers[1]);
        frame.id = 6;
        m_ports[0]->Send(0, NO_PEER, frame);
        Simulator::Schedule(MicroSeconds(200), [this] {
            NS_TEST_EXPECT_MSG_EQ(m_frames.size(), 0, "nothing is taken before the start");
            m_ports[1]->Start();
        });
        Simulator::ScheduleNow(&LivePortCase::ServeUntil, this, 2);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_frames.size(), 2, "two frames, nothing forged");
        NS_TEST_EXPECT_MSG_EQ(m_frames[0].id, 5, "the first");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1].id, 6, "to all others");
        NS_TEST_EXPECT_MSG_EQ((m_frames[1] == frame), true, "with all fields and words");
        NS_TEST_EXPECT_MSG_EQ((*m_ports[1]->FindBytes(77) == bytes), true, "the user's bytes");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetNRejected(LiveReject::PEER), 1, "another address");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetNRejected(LiveReject::GROUP), 1, "another group");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetNRejected(LiveReject::MAGIC), 1, "noise");
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->GetNFrames(), 2, "frames sent");

        // The same peer in a later run.
        m_ports[0]->Close();
        m_ports[0] = Create<LivePort>(0, GROUP, 200);
        m_ports[0]->Open(peers, scheduler);
        m_ports[0]->Send(0, 1, frame);
        m_frames.clear();
        Simulator::Schedule(MilliSeconds(1), &LivePortCase::AwaitReject, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_frames.size(), 0, "a frame of another run is dropped");
        for (const auto& port : m_ports)
        {
            port->Close();
        }
        m_ports.clear();
        Simulator::Destroy();
    }

    /** Serve the sockets until a frame of another run was dropped. */
    void AwaitReject()
    {
        if (m_ports[1]->GetNRejected(LiveReject::EPOCH) > 0 || !m_frames.empty())
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MicroSeconds(200), &LivePortCase::AwaitReject, this);
    }

    /** Send bytes from a separate socket. @param bytes the bytes @param to the receiver */
    static void Inject(const std::vector<uint8_t>& bytes, const LivePort::Remote& to)
    {
        const int file = socket(AF_INET, SOCK_DGRAM, 0);
        sendto(file,
               bytes.data(),
               bytes.size(),
               0,
               reinterpret_cast<const sockaddr*>(&to.address),
               sizeof to.address);
        close(file);
    }

    std::vector<Ptr<LivePort>> m_ports; ///< The ports.
    std::vector<Frame> m_frames;        ///< Frames that have arrived at peer 1.
};

/** The suite. */
class LiveTestSuite : public TestSuite
{
  public:
    LiveTestSuite()
        : TestSuite("messaging-live", Type::UNIT)
    {
        AddTestCase(new LiveDatagramCase, Duration::QUICK);
        AddTestCase(new LivePeersCase, Duration::QUICK);
        AddTestCase(new LiveForgottenCase, Duration::QUICK);
        AddTestCase(new LivePortCase, Duration::QUICK);
    }
};

/** The one instance. */
static LiveTestSuite g_liveTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
