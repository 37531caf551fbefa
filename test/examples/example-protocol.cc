/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../contrib/messaging/examples/messaging-example-core.h"

#include "ns3/messaging-search-core-protocol.h"

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
class ExampleProtocol : public CoreProtocol<examples::RepeatCore>
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

  protected:
    examples::RepeatCore MakeCore(const AnyPort& port, Peer) const override
    {
        return examples::RepeatCore(port.GetNPeers());
    }
};

NS_OBJECT_ENSURE_REGISTERED(ExampleProtocol);

} // namespace tests
} // namespace messaging
} // namespace ns3
