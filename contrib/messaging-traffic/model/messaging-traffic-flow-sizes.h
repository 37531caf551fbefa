/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_FLOW_SIZES_H
#define MESSAGING_TRAFFIC_FLOW_SIZES_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Distributions of the sizes of flows.
 */

namespace ns3
{
namespace messaging
{

/** A published distribution of the sizes of flows. */
enum class FlowDistribution : uint8_t
{
    WEB_SEARCH,  ///< Web search; HPCC's traffic generator, after DCTCP.
    HADOOP,      ///< Facebook's Hadoop cluster; HPCC's traffic generator.
    ALI_STORAGE, ///< Alibaba's storage, 2019; HPCC's traffic generator.
    GOOGLE_RPC,  ///< Google's RPCs before 2008; HPCC's traffic generator.
    SOLAR        ///< Alibaba's storage network Solar, 2022; ConWeave's traffic generator.
};

/**
 * @ingroup messaging
 * A cumulative distribution of sizes, linear between its points. The flows up to the share of the
 * first point have its size.
 */
class FlowSizes
{
  public:
    /** A point of the distribution. */
    struct Point
    {
        double bytes; ///< Size [bytes].
        double share; ///< Share of the flows that are not longer, from 0 to 1.
    };

    FlowSizes() = default;

    /** @param points the points, which rise in both values; the last one has the share 1 */
    explicit FlowSizes(std::vector<Point> points)
        : m_points(std::move(points))
    {
    }

    /** All flows have the same size. @param bytes the size [bytes] */
    explicit FlowSizes(uint32_t bytes)
        : m_points{{static_cast<double>(bytes), 1}}
    {
    }

    /** @return the mean size [bytes]. */
    double GetMean() const;

    /**
     * Get a size.
     * @param share share of the flows that are shorter, from 0 to 1
     * @return the size, at least 1, or 0 if all flows have no bytes [bytes]
     */
    uint32_t Get(double share) const;

    /** @return the points. */
    const std::vector<Point>& GetPoints() const
    {
        return m_points;
    }

  private:
    std::vector<Point> m_points; ///< Points, with rising values.
};

/** @param distribution a published distribution @return its sizes */
const FlowSizes& GetFlowSizes(FlowDistribution distribution);

/**
 * Read a distribution from a file: lines with a size in bytes and the share of the flows that are
 * not longer, in percent.
 * @param path path of the file
 * @param sizes set to the distribution
 * @return empty, or one sentence with the error
 */
std::string ReadFlowSizes(const std::string& path, FlowSizes& sizes);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_FLOW_SIZES_H
