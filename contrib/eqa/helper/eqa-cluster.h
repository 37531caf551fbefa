/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CLUSTER_H
#define EQA_CLUSTER_H

#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/data-rate.h"
#include "ns3/eqa-group.h"
#include "ns3/eqa-p4.h"
#include "ns3/messaging-attribute-defaults.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/messaging-table.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * The paper's machines: hosts with two CPUs on switched Fast Ethernet.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * Builds a cluster. It has attributes of the machines, and forwards those of the network
 * (EthernetSwitch), DP-SMP (EqaGroup) and MPICH (P4Group).
 */
class EqaCluster : public Object
{
  public:
    /** Network of the machines. */
    enum Network
    {
        SWITCH, ///< A store-and-forward switch.
        HUB     ///< A shared segment.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EqaCluster();

    /**
     * Build nodes, hosts and devices.
     * @param count number of nodes
     * @param scaled whether to scale system calls and interrupts by CpuRatio
     */
    void Build(uint32_t count, bool scaled);

    /** @return a group with the parameters of DP-SMP, not connected; one sender and one DP. */
    Ptr<EqaGroup> MakeGroup() const;

    /**
     * Install TCP with p4's options on the nodes: no delay, buffers of 16384 bytes, and devices
     * that charge the stack's work to the hosts.
     * @return a group of stream sockets
     */
    Ptr<messaging::SocketGroup> InstallSockets();

    /** Install MPICH over p4 and TCP on the nodes. @return its group */
    Ptr<P4Group> InstallP4();

    /** @return an empty string if the attributes are consistent, else an error message. */
    std::string Check() const;

    /** @return the frames lost in the switch at full buffers, counted for each port. */
    uint64_t GetNOverflows() const;

    /** @return a row for each port of the switch, null without a switch. */
    Ptr<messaging::Table> GetPorts() const;

    /** @return the devices, in the order of the nodes. */
    const NetDeviceContainer& GetDevices() const
    {
        return m_devices;
    }

    /** @return a host for each node. */
    std::vector<Ptr<messaging::HostModel>> GetHosts() const;

  private:
    messaging::AttributeDefaults m_defaults; ///< Defaults of TCP's sockets.
    NodeContainer m_nodes;                   ///< The nodes.
    NetDeviceContainer m_devices;            ///< Devices of the nodes.
    NetDeviceContainer m_charged;            ///< Devices that charge TCP's work, above the others.
    Ptr<ethernet::EthernetSwitch> m_switch;  ///< Holds the switch's parameters.
    Ptr<EqaGroup> m_protocol;                ///< Holds DP-SMP's parameters.
    Ptr<P4Group> m_p4;                       ///< Holds MPICH's parameters.
    Network m_network{};                     ///< Network of the machines.
    uint32_t m_cpus{0};                      ///< CPUs of a machine.
    Time m_systemCall;                       ///< Cost of a system call.
    Time m_interrupt;                        ///< Cost of an interrupt.
    DataRate m_copyRate;                     ///< Bandwidth of a copy.
    Time m_tcpSend;                          ///< Cost of a packet that TCP/IP sends.
    Time m_tcpReceive;                       ///< Cost of a packet that TCP/IP receives.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_CLUSTER_H
