/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-protocol.h"

#include "ns3/log.h"

#include <initializer_list>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingProtocol");
NS_OBJECT_ENSURE_REGISTERED(Protocol);

namespace
{

/**
 * Join the words that apply.
 * @param words the words, each with a flag: true if it applies
 * @return the words that apply, separated by commas
 */
std::string
JoinWords(std::initializer_list<std::pair<bool, const char*>> words)
{
    std::string joined;
    for (const auto& [applies, word] : words)
    {
        if (applies)
        {
            joined += (joined.empty() ? "" : ", ") + std::string(word);
        }
    }
    return joined;
}

} // namespace

std::string
Promise::GetWords() const
{
    return JoinWords({{complete, "complete"},
                      {!complete && reported, "reported"},
                      {once, "once"},
                      {ordered, "ordered"},
                      {intact, "intact"},
                      {ended, "ended"},
                      {accurate, "accurate"}});
}

std::string
Outcome::GetWords() const
{
    const std::string words = JoinWords({{loses, "loses"},
                                         {duplicates, "duplicates"},
                                         {reorders, "reorders"},
                                         {corrupts, "corrupts"},
                                         {miscompletes, "miscompletes"},
                                         {givesUp, "gives up"},
                                         {hangs, "hangs"}});
    return words.empty() ? "exact" : words;
}

std::string
CalmWaste::GetWords() const
{
    return JoinWords({{waits, "waits"}, {repeats, "repeats"}});
}

TypeId
Protocol::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::Protocol").SetParent<Object>().SetGroupName("Messaging");
    return tid;
}

Ptr<MessageGroup>
Protocol::Connect(const Site& site)
{
    const auto group = DoConnect(site);
    group->SetLog(GetLog(GetInstanceTypeId(), g_log));
    NS_LOG_FUNCTION(this << group->GetNPeers());
    return group;
}

} // namespace messaging
} // namespace ns3
