/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/channel.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/ethernet-header.h"
#include "ns3/messaging-core-events.h"
#include "ns3/messaging-plain-net-device.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-text.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <deque>
#include <string>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the recorder: it keeps what the trace sources of groups, hosts and devices report.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Columns of the recorded events. */
enum Column : std::size_t
{
    TIME = 0,   ///< Time of the event.
    EVENT = 1,  ///< Its kind.
    NUMBER = 4, ///< Number of the message or frame.
    DETAIL = 7, ///< Outcome or reason.
    END = 8     ///< End of work.
};

/**
 * Join the cells of a column.
 * @tparam T type of a cell
 * @param table the table
 * @param column the column
 * @return its cells, separated by a space
 */
template <class T>
std::string
JoinColumn(const Table& table, Column column)
{
    std::string joined;
    std::string separator;
    for (const T& cell : std::get<std::vector<T>>(table.GetColumns()[column].cells))
    {
        joined += separator + ToText(cell);
        separator = " ";
    }
    return joined;
}

/** A passive group; the test decides its deliveries and events. */
class RecordedGroup : public CoreEvents
{
  public:
    uint32_t GetNPeers() const override
    {
        return 2;
    }

    Acceptance Post(Peer, const Request& request) override
    {
        if (m_answer == Acceptance::ACCEPTED)
        {
            m_posted.push_back(request);
        }
        return m_answer;
    }

    /** Deliver the message that has waited longest. */
    void Deliver()
    {
        const Request request = m_posted.front();
        m_posted.pop_front();
        m_user->OnDeliver(
            request.to,
            Delivery{.id = request.id, .contents = request.contents, .bytes = request.bytes});
    }

    /** Deliver a message that nobody has posted. */
    void DeliverUnknown()
    {
        m_user->OnDeliver(1, Delivery{.id = 3, .contents = 13, .bytes = 8});
    }

    /** Report an event of the protocol. */
    void Happen()
    {
        TraceNote(0, Reason{0});
    }

    Acceptance m_answer{Acceptance::ACCEPTED}; ///< Answer to the next message.

  private:
    std::deque<Request> m_posted; ///< Accepted messages.
};

/** Records of accepted, refused, delivered and unknown messages. */
class RecordMessagesCase : public TestCase
{
  public:
    RecordMessagesCase()
        : TestCase("A recorder keeps the fate of messages")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder;
        recorder.Start({});
        const auto group = CreateObject<RecordedGroup>();
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        recorder.ObserveMessages(audit);
        audit->Post(0, Request{.id = 1, .contents = 11, .to = 1, .bytes = 8});
        group->m_answer = Acceptance::REFUSED;
        audit->Post(0, Request{.id = 2, .contents = 12, .to = 1, .bytes = 8});
        group->Deliver();
        group->DeliverUnknown();
        const auto table = recorder.MakeTable();
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<std::string>(*table, EVENT),
                              "post post deliver deliver",
                              "messages");
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<std::string>(*table, DETAIL),
                              " refused  unknown",
                              "fates of messages");
        audit->Dispose();
        Simulator::Destroy();
    }
};

/** The period of a recording, and the work of hosts in it. */
class RecordPeriodCase : public TestCase
{
  public:
    RecordPeriodCase()
        : TestCase("A recorder keeps the events of a period, its ends included, and work")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder;
        recorder.Start({.begin = NanoSeconds(10), .end = NanoSeconds(20)});
        const auto group = CreateObject<RecordedGroup>();
        recorder.ObserveGroup(group);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        recorder.ObserveMessages(audit);
        // A message of before the period.
        group->m_answer = Acceptance::REFUSED;
        audit->Post(0, Request{.id = 1, .contents = 11, .to = 1, .bytes = 8});
        std::vector<Ptr<HostModel>> hosts; // They live as long as their work.
        for (const int64_t at : {9, 10, 20, 21})
        {
            const auto host = CreateObject<HostModel>();
            hosts.push_back(host);
            recorder.ObserveHost(host);
            Simulator::Schedule(NanoSeconds(at), &RecordedGroup::Happen, group);
            Simulator::Schedule(NanoSeconds(at - 5),
                                [host] { host->Execute(KERNEL, {Work{.amount = 5}}, [] {}); });
        }
        Simulator::Run();
        const auto table = recorder.MakeTable();
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<int64_t>(*table, TIME),
                              "10 5 20 15",
                              "times of the events from 10 to 20 ns");
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<int64_t>(*table, END), "10 10 20 20", "ends of events");
        audit->Dispose();
        Simulator::Destroy();
    }
};

/** Messages that begin within the period of a recording and end after it, or begin before it. */
class RecordEndsCase : public TestCase
{
  public:
    RecordEndsCase()
        : TestCase(
              "A recorder keeps the end of what begins in its period, and numbers from the start")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder;
        recorder.Start({.begin = NanoSeconds(10), .end = NanoSeconds(20)});
        const auto group = CreateObject<RecordedGroup>();
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        recorder.ObserveMessages(audit);
        RequestId id = 1;
        for (const int64_t at : {5, 6, 15, 25})
        {
            Simulator::Schedule(NanoSeconds(at), [audit, id] {
                audit->Post(0, Request{.id = id, .contents = 10 + id, .to = 1, .bytes = 8});
            });
            ++id;
        }
        // The first message is delivered before the period, the others in order after their posts.
        for (const int64_t at : {8, 12, 30, 40})
        {
            Simulator::Schedule(NanoSeconds(at), &RecordedGroup::Deliver, group);
        }
        Simulator::Run();
        audit->Dispose();
        Simulator::Destroy();
        const auto table = recorder.MakeTable();
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<std::string>(*table, EVENT),
                              "deliver post deliver end",
                              "events kept");
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<int64_t>(*table, TIME),
                              "12 15 30 40",
                              "times of the events kept");
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<int64_t>(*table, NUMBER),
                              "1 2 2 -1",
                              "numbers of messages since the begin of the run");
    }
};

/** A device without a network: the test makes packets arrive. */
class BareDevice : public PlainNetDevice
{
  public:
    /**
     * Receive a packet of 100 bytes.
     * @param to its destination
     */
    void Arrive(const char* to)
    {
        Ptr<Packet> packet = Create<Packet>(100);
        EthernetHeader header(false);
        header.SetSource(Mac48Address("00:00:00:00:00:09"));
        header.SetDestination(Mac48Address(to));
        header.SetLengthType(0x0800);
        packet->AddHeader(header);
        Receive(packet);
    }

    /** Put a broadcast packet into the transmit queue. */
    void Offer()
    {
        Enqueue(Create<Packet>(100),
                Mac48Address("00:00:00:00:00:01"),
                Mac48Address::GetBroadcast(),
                0x0800);
    }

    Ptr<Channel> GetChannel() const override
    {
        return nullptr;
    }

    bool SendFrom(Ptr<Packet> packet,
                  const Address&,
                  const Address& dest,
                  uint16_t protocol) override
    {
        return Send(packet, dest, protocol);
    }

  protected:
    void Transmit() override
    {
    }
};

/** Records of a device's packets. */
class RecordDeviceCase : public TestCase
{
  public:
    RecordDeviceCase()
        : TestCase("A recorder keeps the packets that are sent, and why others are lost")
    {
    }

  private:
    void DoRun() override
    {
        const auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetMaxSize(QueueSize("1p"));
        const auto device = CreateObject<BareDevice>();
        device->SetAttribute("TxQueue", PointerValue(queue));
        device->SetAddress(Mac48Address("00:00:00:00:00:01"));
        CreateObject<Node>()->AddDevice(device);
        Recorder recorder;
        recorder.Start({});
        Simulator::Run();
        device->Offer();
        device->Offer();
        // Nobody was seen to send this one.
        device->SetReceiveCallback(NetDevice::ReceiveCallback(
            [](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) { return true; }));
        device->SetLinkUp(true);
        device->Arrive("ff:ff:ff:ff:ff:ff");
        const auto table = recorder.MakeTable();
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<std::string>(*table, EVENT),
                              "send send lose",
                              "events of packets");
        NS_TEST_EXPECT_MSG_EQ(JoinColumn<std::string>(*table, DETAIL),
                              " repeated MacTxDrop",
                              "reasons of the events of packets");
        Simulator::Destroy();
    }
};

/** The trace sources of frames, which the test fires. */
class FrameSource : public Object
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::messaging::tests::FrameSource")
                                .SetParent<Object>()
                                .AddTraceSource("Send",
                                                "A frame is sent.",
                                                MakeTraceSourceAccessor(&FrameSource::m_send),
                                                "ns3::messaging::FrameTracedCallback")
                                .AddTraceSource("Arrive",
                                                "A frame arrives.",
                                                MakeTraceSourceAccessor(&FrameSource::m_arrive),
                                                "ns3::messaging::FrameTracedCallback");
        return tid;
    }

    TracedCallback<Peer, Peer, const Frame&> m_send;   ///< Fired for a frame that is sent.
    TracedCallback<Peer, Peer, const Frame&> m_arrive; ///< Fired for an arrival.
};

/** Frames that the network loses never arrive, so that their departures are forgotten. */
class RecordLossesCase : public TestCase
{
  public:
    RecordLossesCase()
        : TestCase("A recorder forgets departures of lost frames, and keeps those in its table")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t KEPT = 10;
        for (const Peer to : {Peer{1}, NO_PEER})
        {
            Recorder recorder;
            RecorderOptions options;
            options.limit = KEPT;
            recorder.Start(options);
            const auto source = CreateObject<FrameSource>();
            recorder.ObserveFrames(*source, DescribeFrame);
            for (uint64_t id = 0; id < 100'000; ++id)
            {
                source->m_send(0, to, Frame{.id = id});
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(recorder.GetNPending(),
                                        KEPT + 2 * Recorder::MOST_UNKEPT,
                                        "departures of 100000 lost frames");
            // The first frames are in the table, however late they are.
            source->m_arrive(1, 0, Frame{.id = 3});
            source->m_arrive(1, 0, Frame{.id = 99'999});
            const auto table = recorder.MakeTable();
            NS_TEST_EXPECT_MSG_EQ(JoinColumn<std::string>(*table, EVENT),
                                  "send send send send send send send send send send arrive",
                                  "frames kept, and an arrival");
            NS_TEST_EXPECT_MSG_EQ(JoinColumn<int64_t>(*table, NUMBER),
                                  "0 1 2 3 4 5 6 7 8 9 3",
                                  "numbers of the frames");
            Simulator::Destroy();
        }
    }
};

/** The suite. */
class RecorderTestSuite : public TestSuite
{
  public:
    RecorderTestSuite()
        : TestSuite("messaging-scenario-recorder", Type::UNIT)
    {
        // Runs first, since a recorder needs the headers of all packets.
        AddTestCase(new RecordDeviceCase, TestCase::Duration::QUICK);
        AddTestCase(new RecordLossesCase, TestCase::Duration::QUICK);
        AddTestCase(new RecordMessagesCase, TestCase::Duration::QUICK);
        AddTestCase(new RecordPeriodCase, TestCase::Duration::QUICK);
        AddTestCase(new RecordEndsCase, TestCase::Duration::QUICK);
    }
};

RecorderTestSuite g_recorderTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
