/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-bench.h"

#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** UC and UD under losses and reordering. */
class UnreliableTestCase : public TestCase
{
  public:
    UnreliableTestCase()
        : TestCase("C-03, C-06: UC drops messages with holes, UD single packets; neither corrupts "
                   "or repeats")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(8);
        for (const Transport transport : {Transport::UC, Transport::UD})
        {
            uint64_t reordered = 0;
            uint64_t missing = 0;
            for (unsigned run = 0; run < 30; ++run)
            {
                PacketBench bench;
                bench.Connect(transport, PSN_MASK - 50);
                std::set<uint32_t> harmed;
                bench.wire->decide = [&](const TransportHeader& header, uint32_t) -> int64_t {
                    const double dice = random->GetValue();
                    if (dice < 0.02)
                    {
                        harmed.insert(header.message);
                        return ScriptedWire::LOSE;
                    }
                    return dice < 0.05 ? random->GetInteger(0, 20000) : 0;
                };
                bench.verbs->PostRecv(bench.qps[1], {0, 2048}, 300);
                std::map<uint64_t, SendWr> posted;
                for (uint64_t id = 0; id < 300; ++id)
                {
                    const uint32_t most = transport == Transport::UC ? 1500 : 256;
                    const auto opcode = transport == Transport::UC && id % 2
                                            ? WrOpcode::RDMA_WRITE_WITH_IMM
                                            : WrOpcode::SEND_WITH_IMM;
                    posted[id] = bench.Request(id, random->GetInteger(0, most), opcode);
                    bench.Send(posted[id]);
                }
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(),
                                      300,
                                      "sends complete although messages are lost");
                std::set<uint64_t> seen;
                uint64_t newest = 0;
                for (const auto& wc : bench.Poll(1))
                {
                    const SendWr& wr = posted[wc.data.id];
                    NS_TEST_ASSERT_MSG_EQ((wc.data == wr.data), true, "intact");
                    NS_TEST_ASSERT_MSG_EQ(wc.immediate, wr.immediate, "immediate data");
                    NS_TEST_ASSERT_MSG_EQ(wc.bytes,
                                          wr.bytes + (transport == Transport::UD ? GRH_BYTES : 0),
                                          "length");
                    NS_TEST_ASSERT_MSG_EQ(seen.insert(wc.data.id).second,
                                          true,
                                          "message " << wc.data.id << " arrives once");
                    reordered += wc.data.id < newest;
                    newest = std::max(newest, wc.data.id);
                }
                missing += 300 - seen.size();
                NS_TEST_EXPECT_MSG_EQ(bench.engine->GetNMessages(),
                                      0,
                                      "messages left in the engine");
            }
            NS_TEST_EXPECT_MSG_GT(missing, 30, transport << ": missing messages");
            NS_TEST_EXPECT_MSG_GT(reordered, 10, transport << ": messages out of order");
        }
    }
};

/** Rules of UC and UD one by one. */
class UnreliableRulesTestCase : public TestCase
{
  public:
    UnreliableRulesTestCase()
        : TestCase("UC keeps the receive of a message that it drops; UD needs room, and multicast")
    {
    }

  private:
    void DoRun() override
    {
        for (unsigned lost = 1; lost <= 4; ++lost)
        {
            // Message 0 consists of packets 1 to 4; if any is lost, message 1 fills the receive.
            PacketBench bench;
            bench.Connect(Transport::UC);
            unsigned number = 0;
            bench.wire->decide = [&](const TransportHeader&, uint32_t) -> int64_t {
                return ++number == lost ? ScriptedWire::LOSE : 0;
            };
            bench.verbs->PostRecv(bench.qps[1], {0, 1024});
            bench.Send(bench.Request(0, 1000));
            bench.Send(bench.Request(1, 1000));
            Simulator::Run();
            const auto wcs = bench.Poll(1);
            NS_TEST_ASSERT_MSG_EQ(wcs.size(), 1, "arrivals without packet " << lost);
            NS_TEST_EXPECT_MSG_EQ(wcs[0].data.id,
                                  1,
                                  "ID of the message that arrives without packet " << lost);
            NS_TEST_EXPECT_MSG_EQ(bench.engine->GetCounters().dropped,
                                  1,
                                  "dropped messages without packet " << lost);
        }
        for (const Transport transport : {Transport::UC, Transport::UD})
        {
            PacketBench bench;
            bench.Connect(transport);
            bench.verbs->PostRecv(bench.qps[1], {0, 139});
            bench.Send(bench.Request(0, transport == Transport::UD ? 100 : 140));
            bench.Send(bench.Request(1, 99));
            bench.Send(bench.Request(2, 1));
            Simulator::Run();
            const auto wcs = bench.Poll(1);
            NS_TEST_ASSERT_MSG_EQ(wcs.size(), 1, transport << ": completed receives");
            NS_TEST_EXPECT_MSG_EQ(wcs[0].data.id, 1, transport << ": the message that fits");
        }
        PacketBench bench;
        bench.Connect(Transport::UD);
        std::array<Qpn, 2> further{};
        for (const HostId host : {0U, 1U})
        {
            QpInitAttr attr;
            attr.transport = Transport::UD;
            attr.sendCq = attr.recvCq = bench.cqs[host];
            further[host] = bench.verbs->CreateQp(host, attr);
        }
        bench.verbs->ConnectQps(further[0], further[1]);
        for (const Qpn qp : {bench.qps[0], bench.qps[1], further[0], further[1]})
        {
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->AttachMcast(qp),
                                  true,
                                  "a datagram queue pair joins the multicast group");
            bench.verbs->PostRecv(qp, {0, 200});
        }
        SendWr wr = bench.Request(0, 100);
        wr.to.qp = NO_QP;
        bench.Send(wr);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(1).size(),
                              2,
                              "arrivals at both queue pairs of the other host");
        NS_TEST_EXPECT_MSG_EQ(
            bench.Poll(0).size(),
            2,
            "completion of the send, and arrival at the other queue pair of the sender");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetNPostedReceives(bench.qps[0]),
                              1,
                              "receives left at the sending queue pair");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetNMessages(), 0, "messages left in the engine");
    }
};

/** Table 1 of paper 4, row by row, derived from the behaviour of the transports. */
class TableOneTestCase : public TestCase
{
  public:
    TableOneTestCase()
        : TestCase("C-03, C-04, C-06: Table 1 - reliable delivery, in-order delivery, RDMA, large "
                   "messages of UD, UC and RC")
    {
    }

  private:
    /**
     * Run 100 small messages.
     * @param transport the transport
     * @param fate fate of each fifth packet
     * @return the messages in the order of their arrival
     */
    static std::vector<uint64_t> Arrive(Transport transport, int64_t fate)
    {
        PacketBench bench({}, FAST);
        bench.Connect(transport);
        unsigned number = 0;
        bench.wire->decide = [&](const TransportHeader&, uint32_t) -> int64_t {
            return ++number % 5 == 0 ? fate : 0;
        };
        bench.verbs->PostRecv(bench.qps[1], {0, 1024}, 100);
        for (uint64_t id = 0; id < 100; ++id)
        {
            bench.Send(bench.Request(id, 10));
        }
        Simulator::Run();
        std::vector<uint64_t> ids;
        for (const auto& wc : bench.Poll(1))
        {
            ids.push_back(wc.data.id);
        }
        return ids;
    }

    /**
     * Send one message.
     * @param transport the transport
     * @param wr makes the request
     * @return whether it has arrived
     */
    static bool Deliver(Transport transport, const std::function<SendWr(const PacketBench&)>& wr)
    {
        PacketBench bench({}, FAST);
        bench.Connect(transport);
        bench.verbs->PostRecv(bench.qps[1], {0, 100'000});
        bench.Send(wr(bench));
        Simulator::Run();
        return bench.Poll(1).size() == 1;
    }

    void DoRun() override
    {
        const std::map<Transport, std::string> table{{Transport::UD, "----"},
                                                     {Transport::UC, "--xx"},
                                                     {Transport::RC, "xxxx"}};
        for (const auto& [transport, column] : table)
        {
            const auto lossy = Arrive(transport, ScriptedWire::LOSE);
            const auto late = Arrive(transport, static_cast<int64_t>(ScriptedWire::LATE));
            const bool rdma = Deliver(transport, [](const PacketBench& bench) {
                return bench.Request(0, 100, WrOpcode::RDMA_WRITE_WITH_IMM);
            });
            const bool large = Deliver(transport, [](const PacketBench& bench) {
                return bench.Request(0, 50'000);
            });
            std::string found;
            for (const bool has : {lossy.size() == 100,
                                   late.size() == 100 && std::is_sorted(late.begin(), late.end()),
                                   rdma,
                                   large})
            {
                found += has ? 'x' : '-';
            }
            NS_TEST_EXPECT_MSG_EQ(found, column, transport << ": column of Table 1");
        }
    }
};

/** Losses without RC, and Table 1. */
class InfinibandTransportUnreliableTestSuite : public TestSuite
{
  public:
    InfinibandTransportUnreliableTestSuite()
        : TestSuite("infiniband-transport-unreliable", Type::UNIT)
    {
        AddTestCase(new TableOneTestCase, Duration::QUICK);
        AddTestCase(new UnreliableRulesTestCase, Duration::QUICK);
        AddTestCase(new UnreliableTestCase, Duration::QUICK);
    }
};

/// The suite.
static InfinibandTransportUnreliableTestSuite g_infinibandTransportUnreliableTestSuite;

} // namespace tests
} // namespace infiniband
} // namespace ns3
