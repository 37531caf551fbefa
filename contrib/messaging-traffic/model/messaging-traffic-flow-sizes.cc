/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-flow-sizes.h"

#include "ns3/messaging-text-file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace ns3
{
namespace messaging
{

namespace
{

/** Shares in texts are percentages. */
constexpr double PERCENT = 100;

/** Largest size of a flow [bytes]. */
constexpr double LARGEST_SIZE = std::numeric_limits<uint32_t>::max();

/** Web search: size [bytes] and share [%]; traffic_gen/WebSearch_distribution.txt of HPCC's
 * simulator (alibaba-edu/High-Precision-Congestion-Control, 9cf8b9e). */
constexpr const char* WEB_SEARCH =
    "0 0, 10000 15, 20000 20, 30000 30, 50000 40, 80000 53, 200000 60, 1000000 70, 2000000 80, "
    "5000000 90, 10000000 97, 30000000 100";

/** Hadoop: traffic_gen/FbHdp_distribution.txt of the same commit. */
constexpr const char* HADOOP =
    "0 0, 100 1, 200 2, 300 5, 350 15, 400 20, 500 30, 600 40, 700 50, 1000 60, 2000 67, 7000 70, "
    "30000 72, 50000 82, 80000 87, 120000 90, 300000 95, 1000000 97.5, 2000000 99, 10000000 100";

/** Alibaba's storage: traffic_gen/AliStorage2019.txt of the same simulator (fe18e47). */
constexpr const char* ALI_STORAGE =
    "0 0, 4000 22.93, 8000 69.21, 16000 80.61, 32000 90.47, 64000 93.53, 128000 96.77, "
    "256000 97.53, 2000000 100";

/** Google's RPCs: traffic_gen/GoogleRPC2008.txt of the same commit. */
constexpr const char* GOOGLE_RPC =
    "0 0, 36 10.8913, 77 22.0705, 110 31.8856, 158 40.6446, 268 52.3994, 313 60.2272, "
    "402 70.6643, 573 80.1695, 597 80.7286, 623 81.2878, 652 81.8469, 683 82.406, "
    "717 82.9652, 755 83.5243, 796 84.0834, 843 84.6426, 896 85.2017, 956 85.7608, "
    "1024 86.32, 1053 86.5736, 1084 86.8273, 1117 87.081, 1152 87.3347, 1189 87.5884, "
    "1229 87.842, 1271 88.0957, 1317 88.3494, 1365 88.6031, 1418 88.8568, 1475 89.1104, "
    "1536 89.3641, 1603 89.6178, 1676 89.8715, 1755 90.1252, 1843 90.3788, 1940 90.6325, "
    "2048 90.8862, 2092 90.9949, 2137 91.1036, 2185 91.2124, 2234 91.3211, 2286 91.4298, "
    "2341 91.5385, 2398 91.6472, 2458 91.7559, 2521 91.8647, 2587 91.9734, 2657 92.0821, "
    "2731 92.1908, 2809 92.2995, 2891 92.4083, 2979 92.517, 3072 92.6257, 3171 92.7344, "
    "3277 92.8431, 3390 92.9519, 3511 93.0606, 3641 93.1693, 3781 93.278, 3932 93.3867, "
    "4096 93.4955, 4163 93.5902, 4233 93.6848, 4304 93.7795, 4378 93.8742, 4455 93.9689, "
    "4535 94.0636, 4617 94.1583, 4703 94.253, 4792 94.3477, 4884 94.4424, 4979 94.5371, "
    "5079 94.6318, 5183 94.7265, 5291 94.8211, 5403 94.9158, 5521 95.0105, 6194 95.484, "
    "7054 95.9574, 8293 96.4806, 8957 96.7789, 9735 97.0773, 10663 97.3756, 12214 97.7733, "
    "14292 98.1711, 16699 98.4909, 18091 98.5771, 19962 98.674, 22265 98.7709, "
    "25170 98.8679, 28945 98.9648, 33250 99.0485, 35606 99.0857, 40375 99.1477, "
    "47600 99.218, 59500 99.2966, 71930 99.3944, 80798 99.4719, 95133 99.5666, "
    "119156 99.6742, 140605 99.7308, 184125 99.7892, 222540 99.8217, 267387 99.8494, "
    "292759 99.8672, 324761 99.8856, 362969 99.9034, 407188 99.9198, 463677 99.9362, "
    "529425 99.9503, 590136 99.9556, 662487 99.9607, 749820 99.9655, 922664 99.9723, "
    "1240351 99.9798, 1960314 99.9879, 4883570 99.9962, 10668901 99.9992, 15158197 100";

/** Solar: traffic_gen/Solar2022.txt of ConWeave's simulator (conweave-project/conweave-ns3,
 * 74fa3b2). */
constexpr const char* SOLAR =
    "0 0, 4095 0.001, 4096 30, 16383 35, 16384 50, 65535 60, 65536 95, 262144 100";

/** @param text sizes [bytes] and shares [%] @return the distribution */
FlowSizes
ParseSizes(const char* text)
{
    const auto numbers = ReadNumbers(text, 0.0, LARGEST_SIZE);
    std::vector<FlowSizes::Point> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    {
        points.push_back({.bytes = numbers[i], .share = numbers[i + 1] / PERCENT});
    }
    return FlowSizes(points);
}

} // namespace

double
FlowSizes::GetMean() const
{
    // As many flows as its share says have the first size.
    double mean = m_points.front().share * m_points.front().bytes;
    for (std::size_t i = 1; i < m_points.size(); ++i)
    {
        const Point& low = m_points[i - 1];
        const Point& high = m_points[i];
        mean += (high.share - low.share) * (low.bytes + high.bytes) / 2;
    }
    return mean;
}

uint32_t
FlowSizes::Get(double share) const
{
    const auto high =
        std::lower_bound(m_points.begin(),
                         m_points.end(),
                         share,
                         [](const Point& point, double value) { return point.share < value; });
    if (high == m_points.begin() || high == m_points.end())
    {
        const Point& end = high == m_points.end() ? m_points.back() : m_points.front();
        return std::max(m_points.size() > 1 ? 1U : 0U, static_cast<uint32_t>(end.bytes));
    }
    const Point& low = *std::prev(high);
    const double part = (share - low.share) / (high->share - low.share);
    const double bytes = low.bytes + part * (high->bytes - low.bytes);
    return std::max(1U, static_cast<uint32_t>(std::lround(bytes)));
}

const FlowSizes&
GetFlowSizes(FlowDistribution distribution)
{
    static const FlowSizes webSearch = ParseSizes(WEB_SEARCH);
    static const FlowSizes hadoop = ParseSizes(HADOOP);
    static const FlowSizes aliStorage = ParseSizes(ALI_STORAGE);
    static const FlowSizes googleRpc = ParseSizes(GOOGLE_RPC);
    static const FlowSizes solar = ParseSizes(SOLAR);
    switch (distribution)
    {
    case FlowDistribution::WEB_SEARCH:
        break;
    case FlowDistribution::HADOOP:
        return hadoop;
    case FlowDistribution::ALI_STORAGE:
        return aliStorage;
    case FlowDistribution::GOOGLE_RPC:
        return googleRpc;
    case FlowDistribution::SOLAR:
        return solar;
    }
    return webSearch;
}

std::string
ReadFlowSizes(const std::string& path, FlowSizes& sizes)
{
    std::ifstream file;
    if (auto error = OpenTextFile(path, file); !error.empty())
    {
        return error;
    }
    std::vector<FlowSizes::Point> points;
    auto error = ReadLines(file, path, [&](const std::string& line, uint32_t) -> std::string {
        const auto words = SplitWords(line);
        if (words.empty())
        {
            return "";
        }
        FlowSizes::Point point{};
        if (words.size() != 2 || !ReadNumber(words[0], 0, LARGEST_SIZE, point.bytes) ||
            !ReadNumber(words[1], 0, PERCENT, point.share))
        {
            return '"' + line + "\" is not a size in bytes and a share in percent";
        }
        point.share /= PERCENT;
        if (!points.empty() &&
            (point.bytes < points.back().bytes || point.share <= points.back().share))
        {
            return "sizes and shares have to rise from line to line";
        }
        points.push_back(point);
        return "";
    });
    if (error.empty() && (points.empty() || points.back().share < 1))
    {
        error = path + " has to end with the share 100.";
    }
    if (error.empty())
    {
        sizes = FlowSizes(points);
    }
    return error;
}

} // namespace messaging
} // namespace ns3
