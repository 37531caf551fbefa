/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup wormhole
 * Utilisation of each channel of a grid under uniform random traffic, without a protocol. The load
 * is highest in the middle of a mesh; a torus spreads it.
 */

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/messaging-scenario-reliability.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-network.h"

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
 * @param os the stream
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
 * @param name name of the column
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
    double load = 0.15;
    uint32_t size = 28;
    uint32_t messages = 500;
    std::string file;
    CommandLine command(__FILE__);
    command.AddValue("shape", "Sides of the grid", shape);
    command.AddValue("router", "Kind of the routers: lossy, buffered or hybrid", router);
    command.AddValue("torus", "Connect the ends of each dimension", torus);
    command.AddValue("load", "Offered load of a node, as a share of a channel's rate", load);
    command.AddValue("size", "Size of a message [bytes]", size);
    command.AddValue("messages", "Messages of each node", messages);
    command.AddValue("csv", "CSV file of the table of all channels; none if empty", file);
    command.Parse(argc, argv);
    if ((router != "lossy" && router != "buffered" && router != "hybrid") ||
        !(load > 0 && load <= 1) || size == 0 || messages == 0)
    {
        std::cerr
            << "The arguments must be router lossy, buffered or hybrid, a load above 0 and up to "
               "1, and at least one byte and one message."
            << std::endl;
        return 2;
    }

    const auto scenario = CreateObject<messaging::ReliabilityScenario>();
    scenario->SetAttribute("Network", StringValue("wormhole"));
    scenario->SetAttribute("Protocol", StringValue("none"));
    scenario->SetAttribute("Pattern", StringValue("uniform"));
    scenario->SetAttribute("Load", DoubleValue(load));
    scenario->SetAttribute("Size", UintegerValue(size));
    scenario->SetAttribute("Messages", UintegerValue(messages));
    const auto network = DynamicCast<WormholeNetwork>(scenario->GetPart("network"));
    network->SetAttribute("Shape", StringValue(shape));
    network->SetAttribute("Router", StringValue(router));
    network->SetAttribute("Torus", BooleanValue(torus));
    network->SetAttribute("Observe", BooleanValue(true));
    std::string error = network->Check();
    if (error.empty())
    {
        scenario->SetAttribute("Nodes", UintegerValue(network->GetNativePort()->GetNPeers()));
        error = scenario->Check();
    }
    if (!error.empty())
    {
        std::cerr << error << std::endl;
        return 2;
    }
    scenario->Run();

    UintegerValue delivered;
    UintegerValue posted;
    DoubleValue latency;
    scenario->GetAttribute("Delivered", delivered);
    scenario->GetAttribute("Posted", posted);
    scenario->GetAttribute("Latency", latency);
    std::cout << shape << (torus ? " torus" : " mesh") << ", " << router << " routers, load "
              << load << "\ndelivered " << delivered.Get() << " of " << posted.Get()
              << " messages, latency " << 1000 * latency.Get() << " cycles\n";
    for (const auto& [name, table] : scenario->GetPartTables())
    {
        if (name == "HeatMap")
        {
            PrintMaps(*table);
            if (!file.empty())
            {
                std::ofstream out(file);
                WriteCsv(*table, out);
                NS_ABORT_MSG_UNLESS(out, "The file " << file << " cannot be written.");
            }
        }
    }
    return 0;
}
