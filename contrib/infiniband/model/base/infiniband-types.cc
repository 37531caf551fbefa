/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-types.h"

#include <array>

namespace ns3
{
namespace infiniband
{

std::ostream&
operator<<(std::ostream& os, Transport transport)
{
    static constexpr std::array NAMES{"RC", "UC", "UD"};
    return os << NAMES.at(static_cast<std::size_t>(transport));
}

std::ostream&
operator<<(std::ostream& os, QpState state)
{
    static constexpr std::array NAMES{"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
    return os << NAMES.at(static_cast<std::size_t>(state));
}

std::ostream&
operator<<(std::ostream& os, WcStatus status)
{
    static constexpr std::array NAMES{"SUCCESS",
                                      "LOC_LEN_ERR",
                                      "LOC_QP_OP_ERR",
                                      "LOC_PROT_ERR",
                                      "WR_FLUSH_ERR",
                                      "REM_INV_REQ_ERR",
                                      "REM_ACCESS_ERR",
                                      "REM_OP_ERR",
                                      "RETRY_EXC_ERR",
                                      "RNR_RETRY_EXC_ERR"};
    return os << NAMES.at(static_cast<std::size_t>(status));
}

std::ostream&
operator<<(std::ostream& os, WrOpcode opcode)
{
    static constexpr std::array NAMES{"SEND",
                                      "SEND_WITH_IMM",
                                      "RDMA_WRITE",
                                      "RDMA_WRITE_WITH_IMM",
                                      "RDMA_READ",
                                      "ATOMIC_CMP_AND_SWP",
                                      "ATOMIC_FETCH_AND_ADD"};
    return os << NAMES.at(static_cast<std::size_t>(opcode));
}

} // namespace infiniband
} // namespace ns3
