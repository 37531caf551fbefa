/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TCP_PROTOCOL_H
#define MESSAGING_TCP_PROTOCOL_H

#include "ns3/messaging-protocol.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup messaging
 * TCP of ns-3 as a Protocol.
 */

namespace ns3
{
namespace messaging
{

/** Stacks whose settings TcpProtocol knows. */
enum class TcpStack : uint8_t
{
    LINUX,  ///< Linux of today.
    OF_1995 ///< 4.4BSD, as in the years of the papers on clusters of workstations.
};

/** A switch that a stack sets. */
enum class StackSwitch : uint8_t
{
    STACK, ///< As the stack.
    ON,    ///< On.
    OFF    ///< Off.
};

/** Settings of a connection. Zero, an empty text and STACK stand for those of the stack. */
struct TcpSettings
{
    std::string congestion;                      ///< Congestion control.
    std::string queueDisc;                       ///< Queue disc of each node.
    Time delayedAck;                             ///< Longest delay of an acknowledgement.
    Time minRto;                                 ///< Shortest retransmission timeout.
    Time connectTimeout;                         ///< First timeout of a connection attempt.
    uint32_t delayedAckCount{2};                 ///< Segments that end the delay.
    uint32_t sendBuffer{0};                      ///< Send buffer [bytes].
    uint32_t receiveBuffer{0};                   ///< Receive buffer [bytes].
    uint32_t initialWindow{0};                   ///< Initial congestion window [segments].
    uint32_t segmentSize{0};                     ///< Largest segment; 0 for the MTU's [bytes].
    uint32_t retries{0};                         ///< Retransmissions before a connection is closed.
    StackSwitch sack{StackSwitch::STACK};        ///< Selective acknowledgements.
    StackSwitch quickAcks{StackSwitch::STACK};   ///< Acknowledgement of a write's end at once.
    StackSwitch smallQueues{StackSwitch::STACK}; ///< Limit of a connection's queue in its node.
    bool nagle{false};                           ///< Nagle's algorithm.
};

/**
 * @ingroup messaging
 * TCP of ns-3: a stream for each direction between two peers carries the messages. By default, its
 * settings are those of a current Linux, with TCP_NODELAY, as message libraries set it.
 *
 * The segment size is the MTU less the headers of IP and TCP. As in Linux, a connection is closed
 * after 15 retransmissions of a segment, and its messages fail. A network that loses so many frames
 * in a row, at whatever intervals, breaks TCP's guarantees.
 */
class TcpProtocol : public Protocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool UsesSockets() const override
    {
        return true;
    }

    std::string Check(const PortInfo& info, uint32_t peers) const override;
    Promise GetPromise(const PortInfo& info) const override;

  protected:
    Ptr<MessageGroup> DoConnect(const Site& site) override;

  private:
    /** @return the settings, with those of the stack where none are set. */
    TcpSettings GetSettings() const;

    TcpStack m_stack{TcpStack::LINUX}; ///< The stack.
    TcpSettings m_settings;            ///< Settings that differ from those of the stack.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TCP_PROTOCOL_H
