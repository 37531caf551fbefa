/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_SYSTEM_H
#define PCODE_SYSTEM_H

#include "pcode-host-costs.h"
#include "pcode-list-store.h"
#include "pcode-parameters.h"
#include "pcode-program.h"
#include "pcode-rival-parameters.h"
#include "pcode-stream-group.h"

#include "ns3/messaging-group.h"
#include "ns3/pcode-lan.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * The systems of section 6, each set up on a LAN of workstations.
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
    RING,   ///< A token ring, as Transis over its ring (section 6.4.2).
    LANSIS, ///< An acknowledgement graph, as Transis over Lansis (section 6.4.2).
    HORUS   ///< A window that packs messages, as Horus (section 6.4.2).
};

/**
 * Print a system by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SystemKind kind);

/** Most processors of a token ring, an acknowledgement graph or a packing window: the lists in the
 * headers of more would leave no room for a message of 1 Kbyte. */
inline constexpr uint32_t MAX_BROADCASTERS = 48;

/** How a system is set up. */
struct SystemOptions
{
    SystemKind kind{};                 ///< Which.
    IpcKind ipc{};                     ///< How applications reach it.
    uint32_t receiveBuffer{0};         ///< Receive buffer of a UDP socket [bytes].
    Ptr<const HostCosts> costs;        ///< What messages cost.
    Ptr<const PcodeParameters> pcode;  ///< Parameters of P0, P1 and PCODE.
    Ptr<const StreamGroup> tcp;        ///< Holds the parameters of TCP.
    Ptr<const RivalParameters> rivals; ///< Parameters of ring, graph and window; only they need it.
};

/** What recovery has cost a system. */
struct RecoveryCounts
{
    uint64_t nacks{0};    ///< Messages that ask for lost ones.
    uint64_t resends{0};  ///< Messages sent again.
    uint64_t statuses{0}; ///< Messages that tell what has arrived.
};

/** A system that stands. */
struct System
{
    /** Reasons by name, and how often each was given. */
    using Counts = std::vector<std::pair<std::string, uint64_t>>;

    std::shared_ptr<ListStore>
        lists; ///< What frames carry besides their fields; outlives the group.
    Ptr<messaging::MessageGroup> group;            ///< What applications post to.
    std::function<Counts()> countReasons;          ///< Why its cores did what they did.
    std::function<RecoveryCounts()> countRecovery; ///< What recovery has cost; nothing for TCP.
    std::function<uint64_t(messaging::Peer)> getNOverflows; ///< Datagrams lost to full buffers.
};

/**
 * Tell whether a system is one that the paper compares PCODE with in section 6.4.2.
 * @param kind the system
 * @return true for the token ring, the acknowledgement graph and the packing window
 */
bool IsBroadcaster(SystemKind kind);

/**
 * Tell how a system's applications reach it where nobody says otherwise.
 * @param kind the system
 * @return a daemon over local TCP, or linked (sections 6.1, 6.3 and 6.4.2)
 */
IpcKind GetUsualIpc(SystemKind kind);

/**
 * Tell how a system's all-to-all broadcast is implemented where nobody says otherwise.
 * @param kind the system
 * @return 1 or 2, the number of the implementation in section 6.2
 */
uint32_t GetUsualDriver(SystemKind kind);

/**
 * Set up a system.
 * @param lan the workstations
 * @param program what it is to run, kept by the caller
 * @param options how
 * @return the system
 */
System MakeSystem(Lan& lan, const GlobalProgram& program, const SystemOptions& options);

} // namespace pcode
} // namespace ns3

#endif // PCODE_SYSTEM_H
