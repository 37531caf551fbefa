/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../contrib/messaging/examples/messaging-example-core.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"

/**
 * @file
 * The core of messaging-example as a protocol that is found by name.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** The protocol `example`. */
class ExampleProtocol : public Protocol, public Searchable
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = SetSummary(TypeId("ns3::messaging::tests::ExampleProtocol"),
                                       "The protocol of messaging-example.")
                                .SetParent<Protocol>()
                                .AddConstructor<ExampleProtocol>();
        return tid;
    }

    Promise GetPromise(const PortInfo&) const override
    {
        return {.complete = true, .once = true, .ordered = false, .intact = true};
    }

    Ptr<MessageGroup> Connect(const Site& site) override
    {
        const uint32_t peers = site.port->GetNPeers();
        auto group = CreateObject<Group>();
        group->Connect(site.clock, site.port, [peers](Peer) {
            return examples::RepeatCore(peers);
        });
        return group;
    }

    SearchStart GetSearchStart(Ptr<const MessageGroup> group) const override
    {
        return {.cores = MakeCores(*DynamicCast<const Group>(group))};
    }

  private:
    /** The group of all peers. */
    using Group = CoreGroup<examples::RepeatCore, AnyPort>;
};

NS_OBJECT_ENSURE_REGISTERED(ExampleProtocol);

} // namespace tests
} // namespace messaging
} // namespace ns3
