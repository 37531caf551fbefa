/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-queue-discs.h"

#include "ns3/abort.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace ns3
{
namespace messaging
{

namespace
{

/** Namespace of the names. */
const std::string NAMESPACE = "ns3::";

/** First word of the names of congestion controls. */
const std::string TCP = "tcp";

/** Last words of the names of queue discs. */
const std::string QUEUE_DISC = "queuedisc";

/**
 * Reduce a name to what distinguishes a class.
 * @param name the name
 * @return letters and digits in lower case, without the words that all classes share
 */
std::string
Reduce(const std::string& name)
{
    std::string reduced;
    const std::size_t begin = name.starts_with(NAMESPACE) ? NAMESPACE.size() : 0;
    for (const char letter : name.substr(begin))
    {
        if (std::isalnum(static_cast<unsigned char>(letter)))
        {
            reduced += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        }
    }
    if (reduced.starts_with(TCP))
    {
        reduced.erase(0, TCP.size());
    }
    if (reduced.ends_with(QUEUE_DISC))
    {
        reduced.erase(reduced.size() - QUEUE_DISC.size());
    }
    return reduced;
}

/**
 * Call a function for each class with a base class that can be created.
 * @param base the base class
 * @param visit called with the class
 */
template <class Visit>
void
ForClasses(TypeId base, Visit visit)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type != base && type.IsChildOf(base) && type.HasConstructor())
        {
            visit(type);
        }
    }
}

} // namespace

std::optional<TypeId>
FindClass(TypeId base, const std::string& name)
{
    std::optional<TypeId> found;
    ForClasses(base, [&](TypeId type) {
        if (Reduce(type.GetName()) == Reduce(name))
        {
            found = type;
        }
    });
    return found;
}

std::string
ListClasses(TypeId base)
{
    std::set<std::string> names;
    ForClasses(base, [&names](TypeId type) { names.insert(Reduce(type.GetName())); });
    std::string list;
    for (const auto& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

std::string
CheckQueueDisc(const std::string& name)
{
    if (name == NO_QUEUE_DISC || FindClass(QueueDisc::GetTypeId(), name))
    {
        return "";
    }
    return "There is no queue disc " + name + "; there are " + NO_QUEUE_DISC + ", " +
           ListClasses(QueueDisc::GetTypeId()) + ".";
}

void
InstallQueueDisc(const NodeContainer& nodes, const std::string& name)
{
    const auto type = FindClass(QueueDisc::GetTypeId(), name);
    NS_ABORT_MSG_IF(!type && name != NO_QUEUE_DISC, CheckQueueDisc(name));
    TrafficControlHelper helper;
    if (type)
    {
        helper.SetRootQueueDisc(type->GetName());
    }
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto layer = nodes.Get(i)->GetObject<TrafficControlLayer>();
        for (uint32_t j = 0; layer && j < nodes.Get(i)->GetNDevices(); ++j)
        {
            const auto device = nodes.Get(i)->GetDevice(j);
            const auto present = layer->GetRootQueueDiscOnDevice(device);
            if (present && (!type || present->GetInstanceTypeId() != *type))
            {
                helper.Uninstall(device);
                if (type)
                {
                    helper.Install(device);
                }
                if (type && layer->IsInitialized())
                {
                    layer->GetRootQueueDiscOnDevice(device)->Initialize();
                    layer->ScanDevices();
                }
            }
        }
    }
}

} // namespace messaging
} // namespace ns3
