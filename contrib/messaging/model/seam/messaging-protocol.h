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
#include <optional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A protocol that can be selected by name and runs over any network.
 */

namespace ns3
{
namespace messaging
{

/** Guarantees of a protocol for the messages that it has accepted. */
struct Promise
{
    bool complete{true}; ///< Each message is delivered.
    bool once{true};     ///< No message is delivered twice.
    bool ordered{true};  ///< Messages of one peer to another are delivered in the order posted.
    bool intact{true};   ///< No message is delivered with altered contents.
    bool confirms{true}; ///< The sender gets DELIVERED for each delivered message, not SENT alone.
    bool ended{true};    ///< Each message ends: its sender gets a final completion.
    /** Completions are accurate: for a message of this sender that has not ended, at most one SENT
     * before the final one, and DELIVERED only after the delivery. */
    bool accurate{true};
    /** Each message that is not delivered ends as FAILED or UNREACHABLE: the promise of a protocol
     * that gives up after a number of retries, and is not `complete`. */
    bool reported{false};
    /** A message may wait for a timer although nothing was lost; the page of the protocol states
     * the reason. */
    bool waitsWhenCalm{false};
    /** A frame of a message may be sent again although nothing was lost; likewise. */
    bool repeatsWhenCalm{false};

    /** @return whether no message is lost without a report to its sender. */
    bool IsReliable() const
    {
        return complete || reported;
    }

    /** @return the guarantees that apply, separated by commas. */
    std::string GetWords() const;
};

/** What a run without faults and losses spent in vain. */
struct CalmWaste
{
    bool waits{false};   ///< Messages waited for timers.
    bool repeats{false}; ///< Frames of messages were sent again.

    /** @return those that apply, separated by commas. */
    std::string GetWords() const;

    /** @return the part that a promise excludes. @param promise it */
    CalmWaste GetExcess(const Promise& promise) const
    {
        return {.waits = waits && !promise.waitsWhenCalm,
                .repeats = repeats && !promise.repeatsWhenCalm};
    }
};

/** Observed outcome of a run: whether messages were ... */
struct Outcome
{
    bool loses{false};      ///< Not delivered.
    bool duplicates{false}; ///< Delivered twice.
    bool reorders{false};   ///< Delivered after a later message of the same peer.
    bool corrupts{false};   ///< Delivered with altered contents.
    bool hangs{false};      ///< Not ended: neither completed nor given up.
    bool givesUp{false};    ///< Ended as FAILED or UNREACHABLE.
    /** Completed twice, completed by a peer that did not post them, or reported as DELIVERED before
     * the delivery. */
    bool miscompletes{false};

    /** @return exact, or those that apply, separated by commas. */
    std::string GetWords() const;

    /** @return true if a delivery, a completion or the lack of one breaks it. @param promise it */
    bool Breaks(const Promise& promise) const
    {
        return (promise.IsReliable() && loses) || (promise.complete && givesUp) ||
               (promise.once && duplicates) || (promise.ordered && reorders) ||
               (promise.intact && corrupts) || (promise.accurate && miscompletes) ||
               (promise.ended && hangs);
    }
};

/** The network and the hosts under a group of endpoints. */
struct Site
{
    Ptr<TickClock> clock{};              ///< Counts the ticks of the port.
    Ptr<AnyPort> port{};                 ///< Carries frames; nullptr for protocols over sockets.
    NodeContainer nodes{};               ///< Nodes with an IP stack, for protocols over sockets.
    std::vector<Address> addresses{};    ///< Socket address of each node.
    std::vector<Ptr<HostModel>> hosts{}; ///< Host of each peer; none if work takes no time.
};

/**
 * @ingroup messaging
 * A protocol, which creates the group of all peers over a port or over sockets.
 *
 * A derived class called XProtocol becomes the protocol `x` of the `reliability` scenario when its
 * TypeId is registered with a constructor and a summary.
 */
class Protocol : public Object
{
  public:
    /** Name and count of an event. */
    using NamedCount = std::pair<std::string, uint64_t>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return whether it uses sockets of nodes with an IP stack instead of the frames of a port.
     */
    virtual bool UsesSockets() const
    {
        return false;
    }

    /**
     * Check whether the protocol can run over a network.
     * @param info properties of the network
     * @param peers number of peers
     * @return empty if it can, else one sentence with the reason
     */
    virtual std::string Check([[maybe_unused]] const PortInfo& info,
                              [[maybe_unused]] uint32_t peers) const
    {
        return "";
    }

    /**
     * Get the guarantees of the protocol over a network.
     * @param info properties of the network
     * @return the guarantees
     */
    virtual Promise GetPromise(const PortInfo& info) const = 0;

    /**
     * Make the group of all peers, which logs by the protocol's log component.
     * @param site network and hosts
     * @return the group
     */
    Ptr<MessageGroup> Connect(const Site& site);

    /** @return events of the protocol on all peers, such as retransmissions, after a run. */
    virtual std::vector<NamedCount> GetCounts() const
    {
        return {};
    }

    /**
     * Get what the protocol itself loses: in sockets that refuse to send, and in buffers of
     * receivers.
     * @return frames or packets by place, after a run
     */
    virtual std::vector<NamedCount> GetLosses() const
    {
        return {};
    }

    /** @return the largest protocol state of a peer, after a run, if it is known [bytes]. */
    virtual std::optional<uint64_t> GetMemory() const
    {
        return std::nullopt;
    }

  protected:
    /**
     * Make the group of all peers. Timers without a configured value derive theirs from the round
     * trip of the port.
     * @param site network and hosts
     * @return the group
     */
    virtual Ptr<MessageGroup> DoConnect(const Site& site) = 0;
};

/**
 * @ingroup messaging
 * One of the protocols that share a class, with its TypeId.
 * @tparam Base the class, made with a kind; its MakeTypeId makes the TypeId of a kind, without a
 * constructor
 * @tparam KIND kind of protocol
 */
template <class Base, auto KIND>
class ProtocolOf : public Base
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId()
    {
        static TypeId tid = Base::MakeTypeId(KIND).template AddConstructor<ProtocolOf>();
        return tid;
    }

    ProtocolOf()
        : Base(KIND)
    {
    }
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PROTOCOL_H
