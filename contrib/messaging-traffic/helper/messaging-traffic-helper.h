/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_HELPER_H
#define MESSAGING_TRAFFIC_HELPER_H

#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-traffic-application.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Installs a benchmark on all peers of a group.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Installs a benchmark on all peers of a group.
 *
 * @code
 *   BenchmarkHelper helper("ping-pong");
 *   helper.SetAttribute("Size", UintegerValue(1024));
 *   Ptr<BenchmarkSession> session = helper.Install(group, nodes);
 *   Simulator::Run();
 *   std::cout << session->GetMeanLatency().As(Time::US) << std::endl;
 * @endcode
 */
class BenchmarkHelper
{
  public:
    /** @param pattern name of the traffic pattern, as `relnet patterns` lists it */
    explicit BenchmarkHelper(const std::string& pattern);

    /**
     * Set an attribute of all applications.
     * @param name its name
     * @param value its value
     */
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_factory.Set(name, value);
    }

    /**
     * Set all attributes of the applications to those of another one, before those of SetAttribute.
     * @param like an application of the same pattern
     */
    void CopyAttributes(Ptr<const BenchmarkApplication> like)
    {
        m_like = like;
    }

    /**
     * Install an application for each peer, which starts with the simulation. This creates the
     * endpoints of the group, and aggregates them to the nodes unless these have endpoints.
     *
     * If the pattern forms pairs and the number of peers is odd, the last peer has no application.
     * A peer takes part or not by the attributes that are set before.
     *
     * @param group the group
     * @param nodes the node of each peer; none if the group's peers have no nodes
     * @return the benchmark session, which provides the results
     */
    Ptr<BenchmarkSession> Install(Ptr<MessageGroup> group,
                                  const NodeContainer& nodes = NodeContainer());

    /** @return the applications of the last Install, in the order of the peers. */
    ApplicationContainer GetApplications() const
    {
        return m_applications;
    }

  private:
    ObjectFactory m_factory;                ///< Makes the applications.
    Ptr<const BenchmarkApplication> m_like; ///< Has the attributes, or null.
    ApplicationContainer m_applications;    ///< Applications of the last Install.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_HELPER_H
