/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_SYSTEM_H
#define PCODE_SYSTEM_H

#include "ns3/messaging-group.h"
#include "ns3/pcode-lan.h"
#include "ns3/pcode-parameters.h"
#include "ns3/pcode-process.h"
#include "ns3/pcode-program.h"
#include "ns3/pcode-stream-group.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Systems of section 6 on a LAN of workstations.
 */

namespace ns3
{
namespace pcode
{

/** The systems of Figures 6 to 11. */
enum class SystemKind : uint8_t
{
    PCODE,  ///< PCODE (section 5).
    P0,     ///< The simple protocol (section 3).
    P1,     ///< The practical protocol (section 4).
    TCP,    ///< Sends over TCP connections (section 6.3).
    RING,   ///< A token ring, as in Transis (section 6.4.2).
    LANSIS, ///< An acknowledgement graph, as in Transis over Lansis (section 6.4.2).
    HORUS   ///< A window with packed messages, as in Horus (section 6.4.2).
};

/** Maximum number of nodes of a token ring, an acknowledgement graph or a window: the lists in the
 * headers of more nodes leave no room for a message of 1 Kbyte. */
inline constexpr uint32_t MAX_BROADCASTERS = 48;

/** Setup of a system. */
struct SystemOptions
{
    SystemKind kind{};                ///< The system.
    IpcKind ipc{};                    ///< Placement of the system.
    uint32_t receiveBuffer{0};        ///< Receive buffer of a UDP socket [bytes].
    Ptr<const PcodeParameters> pcode; ///< Parameters of P0, P1 and PCODE.
    Ptr<const StreamGroup> tcp;       ///< Holds the parameters of TCP.
};

/** Counts of the reasons of a system's cores, by name. */
using Reasons = std::vector<std::pair<std::string, uint64_t>>;

/**
 * Sum up the counts of reasons.
 * @param reasons all reasons
 * @param names names of the reasons to count
 * @return the sum of their counts
 */
uint64_t Sum(const Reasons& reasons, std::initializer_list<std::string_view> names);

/** A system on a LAN. */
struct System
{
    std::shared_ptr<const void> shared; ///< State shared by its cores; outlives the group.
    Ptr<messaging::MessageGroup> cores; ///< The group of its cores, or of the sockets of TCP.
    Ptr<messaging::MessageGroup> group; ///< The group that applications post to.
    Ptr<ProcessPort> port;              ///< Carries the frames of its cores; null for TCP.
    std::function<Reasons()> count;     ///< Gets the reasons of its cores; none for TCP.

    /** @return the number of NACKs. */
    uint64_t GetNNacks() const
    {
        return Sum(count(), {"request-nack", "personal-nack", "global-nack", "nack-sent"});
    }

    /** @return the number of resent messages. */
    uint64_t GetNResends() const
    {
        return Sum(count(), {"regular-resent", "direct-resent", "data-repeated", "data-replaced"});
    }
};

/**
 * Set up a system.
 * @param lan the workstations
 * @param program its program, which must outlive the system
 * @param options the setup
 * @return the system
 */
System MakeSystem(Lan& lan, const GlobalProgram& program, const SystemOptions& options);

} // namespace pcode
} // namespace ns3

#endif // PCODE_SYSTEM_H
