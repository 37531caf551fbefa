/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-list-text.h"
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

/** A datagram of each kind, whole and damaged. */
class LiveDatagramCase : public TestCase
{
  public:
    LiveDatagramCase()
        : TestCase("datagrams are read as they were written, and damaged ones are refused")
    {
    }

  private:
    /** @return a datagram of each kind, without default values. */
    static std::vector<LiveDatagram> MakeDatagrams()
    {
        LiveDatagram common;
        common.epoch = 0x0123456789abcdef;
        common.group = 0xdeadbeef;
        common.from = 3;
        LiveDatagram hello = common;
        hello.kind = LiveKind::HELLO;
        hello.stamp = 42;
        LiveDatagram echo = common;
        echo.kind = LiveKind::ECHO;
        echo.stamp = 42;
        echo.requester = 43;
        LiveDatagram state = common;
        state.kind = LiveKind::STATE;
        state.session = 0xffff0000ffff0001;
        state.progress = LiveProgress{.posted = 5,
                                      .delivered = 4,
                                      .taken = 3,
                                      .finished = true,
                                      .gaveUp = true,
                                      .damaged = true,
                                      .failed = true};
        LiveDatagram frame = common;
        frame.kind = LiveKind::FRAME;
        frame.frame = Frame{.id = 1,
                            .contents = 2,
                            .words = {7, 8},
                            .payload = 100,
                            .aux = 4,
                            .header = 20,
                            .path = 3,
                            .kind = 5,
                            .flags = 6,
                            .trafficClass = 12};
        frame.parts = {LivePart{7, {9, 10, 11}}, LivePart{8, {}}, LivePart{9, {12}}};
        return {hello, echo, state, frame};
    }

    /** @return the reason to refuse a datagram, or "accepted". @param bytes the datagram */
    static std::string Read(std::span<const uint8_t> bytes)
    {
        LiveDatagram read;
        const auto reject = ReadLiveDatagram(bytes, read);
        return reject ? ToText(*reject) : "accepted";
    }

    void DoRun() override
    {
        for (const LiveDatagram& sent : MakeDatagrams())
        {
            const auto bytes = WriteLiveDatagram(sent);
            const int kind = static_cast<int>(sent.kind);
            LiveDatagram read;
            NS_TEST_EXPECT_MSG_EQ(ReadLiveDatagram(bytes, read).has_value(),
                                  false,
                                  "kind " << kind);
            NS_TEST_EXPECT_MSG_EQ((read == sent), true, "all fields of kind " << kind);
            CheckDamage(bytes);
            for (std::size_t size = 0; size < bytes.size(); ++size)
            {
                NS_TEST_ASSERT_MSG_NE(Read(std::span(bytes).first(size)),
                                      "accepted",
                                      "the first " << size << " bytes");
            }
            auto longer = bytes;
            longer.push_back(0);
            NS_TEST_EXPECT_MSG_NE(Read(longer), "accepted", "a byte too many");
        }
        CheckNoise();
    }

    /** Change each bit of a datagram. @param bytes the datagram */
    void CheckDamage(const std::vector<uint8_t>& bytes)
    {
        constexpr std::size_t MAGIC_BITS = 32;
        constexpr std::size_t VERSION_BITS = 8;
        for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
        {
            auto damaged = bytes;
            damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            auto expected = LiveReject::CHECKSUM;
            if (bit < MAGIC_BITS)
            {
                expected = LiveReject::MAGIC;
            }
            else if (bit < MAGIC_BITS + VERSION_BITS)
            {
                expected = LiveReject::VERSION;
            }
            NS_TEST_ASSERT_MSG_EQ(Read(damaged), ToText(expected), "bit " << bit << " is wrong");
        }
    }

    /** Read random bytes. */
    void CheckNoise()
    {
        std::mt19937 random(1);
        for (int n = 0; n < 2000; ++n)
        {
            std::vector<uint8_t> bytes(random() % 200);
            for (auto& byte : bytes)
            {
                byte = static_cast<uint8_t>(random());
            }
            NS_TEST_ASSERT_MSG_NE(Read(bytes), "accepted", "random bytes " << n);
        }
    }
};

/** The checksum of datagrams. */
class LiveChecksumCase : public TestCase
{
  public:
    LiveChecksumCase()
        : TestCase("the checksum is the CRC-32 of IEEE 802.3")
    {
    }

  private:
    void DoRun() override
    {
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
        NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:4000,10.0.0.2:65535", peers),
                              "",
                              "two valid addresses");
        NS_TEST_EXPECT_MSG_EQ(peers.size(), 2, "peers");
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
                              "an address that is repeated");
        NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:4000,127.0.0.1:04000", peers),
                              "Peers has 127.0.0.1:04000 twice.",
                              "an address that is repeated in other words");
        NS_TEST_EXPECT_MSG_EQ(LivePort::Parse("127.0.0.1:1", peers),
                              "Peers has 1 address; 2 to 64 are allowed.",
                              "a single address");
    }
};

/** Bytes of messages. */
class LiveBytesCase : public TestCase
{
  public:
    LiveBytesCase()
        : TestCase("the bytes of a message are those of its origin, kept within a window")
    {
    }

  private:
    void DoRun() override
    {
        // A third peer repeats a message of peer 63: its bytes remain those of peer 63.
        const LiveName first{.from = 63, .to = 2, .number = 0};
        LiveBytes bytes;
        bytes.Keep(first.Pack(), {1});
        bytes.Keep(LiveName{.from = 1, .to = 2, .number = 0}.Pack(), {2});
        bytes.Keep(first.Pack(), {3});
        NS_TEST_ASSERT_MSG_NE(bytes.Find(first.Pack()), nullptr, "the message is kept");
        NS_TEST_EXPECT_MSG_EQ(ListText(*bytes.Find(first.Pack())), "1", "the first bytes are kept");
        for (uint64_t number = 1; number < 1000; ++number)
        {
            bytes.Keep(LiveName{.from = 63, .to = 2, .number = number}.Pack(), {0});
        }
        NS_TEST_EXPECT_MSG_EQ(bytes.GetN(), LIVE_WINDOW + 1, "a window, and another channel");
        NS_TEST_EXPECT_MSG_EQ(bytes.Find(first.Pack()), nullptr, "a message below the window");
        bytes.Keep(first.Pack(), {4});
        NS_TEST_EXPECT_MSG_EQ(bytes.Find(first.Pack()), nullptr, "a late copy of it");
        const LiveName last{.from = 63, .to = 2, .number = 999};
        bytes.Drop(last.Pack());
        NS_TEST_EXPECT_MSG_EQ(bytes.Find(last.Pack()), nullptr, "a message that was dropped");
    }
};

/** Names of messages. */
class LiveNameCase : public TestCase
{
  public:
    LiveNameCase()
        : TestCase("a packed name has its origin, destination and number")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t LAST = (uint64_t{1} << LiveName::NUMBER_BITS) - 1;
        for (const LiveName& name : {LiveName{.from = 63, .to = 2, .number = 0},
                                     LiveName{.from = 0, .to = 1, .number = LAST}})
        {
            const LiveName unpacked = LiveName::Unpack(name.Pack());
            NS_TEST_EXPECT_MSG_EQ(unpacked.from, name.from, "origin");
            NS_TEST_EXPECT_MSG_EQ(unpacked.to, name.to, "destination");
            NS_TEST_EXPECT_MSG_EQ(unpacked.number, name.number, "number");
        }
    }
};

/** Numbers of messages that have been reached. */
class LiveNumbersCase : public TestCase
{
  public:
    LiveNumbersCase()
        : TestCase("numbers above a gap are limited to a window, which then closes the gap")
    {
    }

  private:
    void DoRun() override
    {
        LiveNumbers numbers;
        NS_TEST_EXPECT_MSG_EQ(numbers.Add(1), true, "1, above a gap");
        NS_TEST_EXPECT_MSG_EQ(numbers.GetNext(), 0, "the first gap");
        NS_TEST_EXPECT_MSG_EQ(numbers.Add(1), false, "1 again");
        NS_TEST_EXPECT_MSG_EQ(numbers.Add(0), true, "0, in the gap");
        NS_TEST_EXPECT_MSG_EQ(numbers.GetNext(), 2, "0 and 1 are reached");
        NS_TEST_EXPECT_MSG_EQ(numbers.Add(0), false, "0 again");
        for (uint64_t number = 3; number < 3 + LIVE_WINDOW - 1; ++number)
        {
            numbers.Add(number);
        }
        NS_TEST_EXPECT_MSG_EQ(numbers.GetNext(), 2, "a window above the gap");
        numbers.Add(3 + LIVE_WINDOW - 1);
        NS_TEST_EXPECT_MSG_EQ(numbers.GetNext(), 3 + LIVE_WINDOW, "one more closes the gap");
        NS_TEST_EXPECT_MSG_EQ(numbers.Add(2), false, "2, in the closed gap");
    }
};

/** Both of two pipes are readable, and the handler of either one stops waiting for both. */
class LiveForgottenCase : public TestCase
{
  public:
    LiveForgottenCase()
        : TestCase("a file that was forgotten in the meantime has no call of its handler")
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
        NS_TEST_EXPECT_MSG_EQ(calls, 1, "calls, only of the first handler");
        for (const auto& ends : pipes)
        {
            close(ends[0]);
            close(ends[1]);
        }
        Simulator::Destroy();
    }
};

/** The process does nothing for a time, as if it was stopped. */
class LiveStoppedCase : public TestCase
{
  public:
    LiveStoppedCase()
        : TestCase("time stands still for a stopped process, and data come before late timers")
    {
    }

  private:
    void DoRun() override
    {
        auto* scheduler = LiveScheduler::Install();
        std::array<int, 2> ends{};
        NS_TEST_ASSERT_MSG_EQ(pipe(ends.data()), 0, "a pipe");
        std::string order;
        scheduler->Watch(ends[0], [&] {
            order += "data ";
            scheduler->SetInterest(ends[0], false, false);
        });
        constexpr int64_t STOP = 5 * LiveScheduler::LATEST;
        Simulator::Schedule(NanoSeconds(1), [&] {
            usleep(STOP / 1000);
            NS_TEST_ASSERT_MSG_EQ(write(ends[1], "x", 1), 1, "a byte that can be read");
        });
        Simulator::Schedule(NanoSeconds(2), [&] { order += "timer "; });
        Simulator::Schedule(NanoSeconds(STOP / 2), [&] { order += "later "; });
        Simulator::Schedule(NanoSeconds(STOP / 2 + 1), &Simulator::Stop);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "data timer later ", "order of the events");
        NS_TEST_EXPECT_MSG_LT(scheduler->GetElapsed(), STOP, "the stop takes no time");
        scheduler->Forget(ends[0]);
        close(ends[0]);
        close(ends[1]);
        Simulator::Destroy();
    }
};

/** Two ports in one process; the test has its own socket. */
class LivePortCase : public TestCase, private PortUser
{
  public:
    LivePortCase()
        : TestCase("two ports join, carry frames and bytes, and drop foreign datagrams")
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

    /** Exchange HELLOs until both ports are open. */
    void Join()
    {
        for (const auto& port : m_ports)
        {
            port->SendHellos();
        }
        if (m_ports[0]->IsOpen() && m_ports[1]->IsOpen())
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MicroSeconds(200), &LivePortCase::Join, this);
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
                              "a third port with an address in use");
        m_ports[1]->SetUser(this);
        Simulator::ScheduleNow(&LivePortCase::Join, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(m_ports[0]->GetRoundTrip(), Time(0), "measured round trip");

        Frame frame{.id = 5, .contents = 77, .words = {3, 4}, .payload = 300, .kind = 1};
        const std::vector<uint8_t> bytes{1, 2, 3};
        m_ports[0]->GetBytes().Keep(77, bytes);
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->Send(0, 1, frame), true, "the socket takes a frame");
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->Send(1, 0, frame), true, "an idle core sends nothing");
        // Any owner of a peer's address may send arbitrary data: here the other port's own socket.
        const auto forge = [&](auto change) {
            LiveDatagram datagram;
            datagram.kind = LiveKind::FRAME;
            datagram.frame = frame;
            datagram.group = GROUP;
            datagram.from = 0;
            datagram.epoch = 100;
            datagram.session = 1;
            change(datagram);
            Inject(WriteLiveDatagram(datagram), peers[1]);
        };
        forge([](LiveDatagram&) {});
        forge([](LiveDatagram& datagram) { datagram.group = 8; });
        Inject({1, 2, 3}, peers[1]);
        frame.id = 6;
        m_ports[0]->Send(0, NO_PEER, frame);
        Simulator::Schedule(MicroSeconds(200), [this] {
            NS_TEST_EXPECT_MSG_EQ(m_frames.size(), 0, "frames before Start");
            m_ports[1]->Start();
        });
        Simulator::ScheduleNow(&LivePortCase::ServeUntil, this, 2);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_frames.size(), 2, "frames, without forged ones");
        NS_TEST_EXPECT_MSG_EQ(m_frames[0].id, 5, "the frame to peer 1");
        NS_TEST_EXPECT_MSG_EQ(m_frames[1].id, 6, "the frame to all others");
        NS_TEST_EXPECT_MSG_EQ((m_frames[1] == frame), true, "all of its fields and words");
        NS_TEST_EXPECT_MSG_EQ(ListText(*m_ports[1]->GetBytes().Find(77)),
                              ListText(bytes),
                              "the user's bytes");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetNRejected(LiveReject::PEER), 1, "another address");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetNRejected(LiveReject::GROUP), 1, "another group");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetNRejected(LiveReject::MAGIC), 1, "three bytes");
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->GetNFrames(), 2, "frames sent");

        TestProgress();
        TestRestart(peers, scheduler, frame);
        for (const auto& port : m_ports)
        {
            port->Close();
        }
        m_ports.clear();
        Simulator::Destroy();
    }

    /** A peer's progress arrives. */
    void TestProgress()
    {
        LiveProgress progress{.posted = 3, .delivered = 2, .taken = 1};
        m_ports[0]->GetProgress(1) = progress;
        m_ports[1]->SetProgressCallback([](Peer) { Simulator::Stop(); });
        m_ports[0]->SendState(1);
        Simulator::Schedule(Seconds(10), &Simulator::Stop);
        Simulator::Run();
        const LiveProgress& received = m_ports[1]->GetPeers()[0].progress;
        NS_TEST_EXPECT_MSG_EQ(received.posted, progress.posted, "posted");
        NS_TEST_EXPECT_MSG_EQ(received.delivered, progress.delivered, "delivered");
        NS_TEST_EXPECT_MSG_EQ(received.taken, progress.taken, "taken");
        m_ports[1]->SetProgressCallback({});
    }

    /**
     * Peer 0 runs again: it takes nothing of the earlier session, and peer 1 notices the restart.
     * @param peers addresses of the peers
     * @param scheduler the scheduler
     * @param frame a frame
     */
    void TestRestart(const std::vector<LivePort::Remote>& peers,
                     LiveScheduler* scheduler,
                     const Frame& frame)
    {
        m_ports[0]->Close();
        m_ports[0] = Create<LivePort>(0, GROUP, 200);
        m_ports[0]->Open(peers, scheduler);
        m_ports[0]->SetUser(this);
        m_ports[0]->Start();
        m_frames.clear();
        m_ports[0]->Send(0, 1, frame);
        m_ports[1]->Send(1, 0, frame);
        Simulator::ScheduleNow(&LivePortCase::AwaitRestart, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_frames.size(), 0, "frames of another session are dropped");
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->IsOpen(), false, "no session with an earlier one");
        NS_TEST_EXPECT_MSG_EQ(m_ports[1]->GetPeers()[0].restarted, true, "the restart is noticed");

        // With another run of peer 1, both are in a session.
        m_ports[1]->Close();
        m_ports[1] = Create<LivePort>(1, GROUP, 201);
        m_ports[1]->Open(peers, scheduler);
        Simulator::ScheduleNow(&LivePortCase::Join, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_ports[0]->IsOpen(), true, "both are in the next session");
    }

    /** Send HELLOs until both ports have dropped a frame of another session, and port 1 has noticed
     * the restart. */
    void AwaitRestart()
    {
        for (const auto& port : m_ports)
        {
            port->SendHellos();
        }
        if (m_ports[1]->GetNRejected(LiveReject::EPOCH) > 1 &&
            m_ports[0]->GetNRejected(LiveReject::EPOCH) > 0 && m_ports[1]->GetPeers()[0].restarted)
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MicroSeconds(200), &LivePortCase::AwaitRestart, this);
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
        AddTestCase(new LiveChecksumCase, Duration::QUICK);
        AddTestCase(new LivePeersCase, Duration::QUICK);
        AddTestCase(new LiveBytesCase, Duration::QUICK);
        AddTestCase(new LiveNameCase, Duration::QUICK);
        AddTestCase(new LiveNumbersCase, Duration::QUICK);
        AddTestCase(new LiveStoppedCase, Duration::QUICK);
        AddTestCase(new LiveForgottenCase, Duration::QUICK);
        AddTestCase(new LivePortCase, Duration::QUICK);
    }
};

/** The one instance. */
static LiveTestSuite g_liveTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
