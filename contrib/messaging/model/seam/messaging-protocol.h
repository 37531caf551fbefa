/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PROTOCOL_H
#define MESSAGING_PROTOCOL_H

#include "ns3/address.h"
#include "ns3/messaging-any-port.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/node-container.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A protocol that is found by name and runs over any network.
 */

namespace ns3
{
namespace messaging
{

struct SearchStart;

/** What a protocol promises of the messages that it has accepted. */
struct Promise
{
    bool complete{true}; ///< Each message is delivered.
    bool once{true};     ///< No message is delivered twice.
    bool ordered{true};  ///< Messages of one peer to another are delivered in the order posted.
    bool intact{true};   ///< No message is delivered with other contents.
};

/** The network and the hosts under a group of endpoints. */
struct Site
{
    Ptr<TickClock> clock{};              ///< Counts the ticks of the port.
    Ptr<AnyPort> port{};                 ///< Carries frames; nullptr for protocols over sockets.
    NodeContainer nodes{};               ///< Nodes with an IP stack, for protocols over sockets.
    std::vector<Address> addresses{};    ///< Socket address of each node.
    std::vector<Ptr<HostModel>> hosts{}; ///< Host of each peer; none if work takes no time.
    int64_t stream{0};                   ///< First random stream.
};

/**
 * @ingroup messaging
 * A protocol: makes the endpoints of a group over a port or over sockets.
 *
 * A derived class called XProtocol is the protocol `x` of the `reliability` scenario, as soon as
 * its TypeId is registered with a constructor and a summary.
 */
class Protocol : public Object
{
  public:
    /** Carrier of a protocol's packets. */
    enum class Carrier : uint8_t
    {
        FRAMES, ///< Frames of a port.
        SOCKETS ///< Sockets of nodes with an IP stack.
    };

    /** How often something has happened, and its name. */
    using NamedCount = std::pair<std::string, uint64_t>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return the carrier of the packets; frames unless a derived class says otherwise. */
    virtual Carrier GetCarrier() const
    {
        return Carrier::FRAMES;
    }

    /**
     * Check whether the protocol makes sense over a network.
     * @param info properties of the network
     * @param peers number of peers
     * @return empty if it does, else one sentence with the reason
     */
    virtual std::string Check([[maybe_unused]] const PortInfo& info,
                              [[maybe_unused]] uint32_t peers) const
    {
        return "";
    }

    /**
     * Get what the protocol promises over a network.
     * @param info properties of the network
     * @return the promise
     */
    virtual Promise GetPromise(const PortInfo& info) const = 0;

    /**
     * Make the group of all peers. Timers without a value of their own are set from the round trip
     * of the port.
     * @param site network and hosts
     * @return the group
     */
    virtual Ptr<MessageGroup> Connect(const Site& site) = 0;

    /**
     * Get the list for which the contents of a frame stand, where the cores of a group share lists;
     * a network between processes carries it.
     * @param frame a frame of this group
     * @return the list; none if the contents stand for themselves
     */
    virtual std::vector<uint32_t> GetList([[maybe_unused]] const Frame& frame) const
    {
        return {};
    }

    /**
     * Keep a list that a frame from another process carries.
     * @param list the list
     * @return the contents that stand for it here
     */
    virtual uint64_t PutList([[maybe_unused]] const std::vector<uint32_t>& list)
    {
        return 0;
    }

    /** @return events of the protocol on all peers, such as retransmissions, after a run. */
    virtual std::vector<NamedCount> GetCounts() const
    {
        return {};
    }

    /**
     * Get the cores of a group in their first state, for an exhaustive search; MakeCores makes them
     * (messaging-core-store.h).
     * @param group the group that Connect has made, before anything was posted
     * @return the cores; none unless a derived class has some
     */
    virtual SearchStart GetSearchStart(Ptr<const MessageGroup> group) const;

    /** @return the largest protocol state of a peer, after a run [bytes]; 0 if unknown. */
    virtual uint64_t GetMemory() const
    {
        return 0;
    }
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PROTOCOL_H
