/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup wormhole
 * How busy each channel of a grid is under uniform random traffic. The middle of a mesh is the
 * hottest; a torus spreads the load.
 */

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/string.h"
#include "ns3/wormhole-network.h"
#include "ns3/wormhole-tables.h"
#include "ns3/wormhole-uniform-traffic.h"

#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace ns3;
using namespace ns3::wormhole;

namespace
{

/**
 * Write a table as comma-separated values, with units in the headings.
 * @param table the table
 * @param os where to
 */
void
WriteCsv(const messaging::Table& table, std::ostream& os)
{
    const auto& columns = table.GetColumns();
    for (std::size_t n = 0; n < columns.size(); ++n)
    {
        os << (n ? "," : "") << columns[n].name;
        if (!columns[n].unit.empty())
        {
            os << " [" << columns[n].unit << "]";
        }
    }
    os << "\n";
    for (std::size_t row = 0; row < table.GetNRows(); ++row)
    {
        for (std::size_t n = 0; n < columns.size(); ++n)
        {
            os << (n ? "," : "");
            std::visit([&os, row](const auto& cells) { os << cells[row]; }, columns[n].cells);
        }
        os << "\n";
    }
}

/**
 * Get a column.
 * @tparam T type of its cells
 * @param table the table
 * @param name of the column
 * @return its cells
 */
template <class T>
const std::vector<T>&
GetColumn(const messaging::Table& table, const std::string& name)
{
    for (const auto& column : table.GetColumns())
    {
        if (column.name == name)
        {
            return std::get<std::vector<T>>(column.cells);
        }
    }
    NS_ABORT_MSG("The table has no column " << name << ".");
}

/**
 * Print a map of the grid for each direction.
 * @param table the links of a two-dimensional grid
 */
void
PrintMaps(const messaging::Table& table)
{
    const auto& x = GetColumn<int64_t>(table, "x");
    const auto& y = GetColumn<int64_t>(table, "y");
    const auto& direction = GetColumn<std::string>(table, "direction");
    const auto& utilization = GetColumn<double>(table, "utilization");
    std::map<std::string, std::map<std::tuple<int64_t, int64_t>, double>> maps;
    for (std::size_t row = 0; row < table.GetNRows(); ++row)
    {
        maps[direction[row]][{y[row], x[row]}] = utilization[row];
    }
    for (const auto& [name, map] : maps)
    {
        std::cout << "\nUse of the channels towards " << name << " [%]";
        int64_t line = -1;
        for (const auto& [place, use] : map)
        {
            if (std::get<0>(place) != line)
            {
                line = std::get<0>(place);
                std::cout << "\n";
            }
            std::cout << std::setw(6) << std::fixed << std::setprecision(1) << 100 * use;
        }
        std::cout << "\n";
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string shape = "8x8";
    std::string router = "lossy";
    bool torus = false;
    uint32_t flits = 8;
    double load = 0.15;
    uint32_t warmUp = 2000;
    uint32_t cycles = 20000;
    std::string file;
    CommandLine command(__FILE__);
    command.AddValue("shape", "Sides of the grid", shape);
    command.AddValue("router", "Kind of the routers: lossy, buffered or hybrid", router);
    command.AddValue("torus", "Whether the ends of each dimension are joined", torus);
    command.AddValue("flits", "Length of each packet [flits]", flits);
    command.AddValue("load", "Offered load [flits/node/cycle]", load);
    command.AddValue("warmUp", "Cycles before the measurement", warmUp);
    command.AddValue("cycles", "Cycles of the measurement", cycles);
    command.AddValue("csv", "File for the table of all channels; none if empty", file);
    command.Parse(argc, argv);
    if ((router != "lossy" && router != "buffered" && router != "hybrid") || !(load >= 0) ||
        flits == 0 || cycles == 0)
    {
        std::cerr << "The router is lossy, buffered or hybrid, the load 0 or more, with a flit "
                     "and a cycle or more."
                  << std::endl;
        return 2;
    }

    auto network = CreateObject<WormholeNetwork>();
    network->SetAttribute("Shape", StringValue(shape));
    network->SetAttribute("Router", StringValue(router));
    network->SetAttribute("Torus", BooleanValue(torus));
    network->SetAttribute("Observe", BooleanValue(true));
    const std::string error = network->Check();
    if (!error.empty())
    {
        std::cerr << error << std::endl;
        return 2;
    }
    network->AssignStreams(1);

    UniformTraffic traffic(network, flits);
    traffic.AssignStreams(10);
    traffic.Run(load, warmUp);
    const auto before = network->GetLinkBusy();
    traffic.BeginMeasurement();
    traffic.Run(load, cycles);
    const auto result = traffic.EndMeasurement();

    std::cout << shape << (torus ? " torus" : " mesh") << ", " << router << " routers, " << load
              << " flits a node and cycle\n"
              << "delivered " << result.accepted << " flits a node and cycle, latency "
              << result.latency << " cycles, dropped " << 100 * result.dropped << " %\n";
    const auto table = MakeLinkTable(*network, cycles, before);
    PrintMaps(*table);
    if (!file.empty())
    {
        std::ofstream out(file);
        WriteCsv(*table, out);
        NS_ABORT_MSG_UNLESS(out, "The file " << file << " cannot be written.");
    }
    return 0;
}
