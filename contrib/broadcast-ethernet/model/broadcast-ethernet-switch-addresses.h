/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_ADDRESSES_H
#define BROADCAST_ETHERNET_SWITCH_ADDRESSES_H

#include <cstdint>
#include <unordered_map>

/**
 * @file
 * @ingroup broadcast-ethernet
 * The addresses that a switch has learned.
 */

namespace ns3
{
namespace ethernet
{

/** No port of a switch. */
constexpr uint32_t NO_PORT = UINT32_MAX;

/**
 * @ingroup broadcast-ethernet
 * Which address was last seen at which port of a switch (IEEE 802.1D, 7.8), and when.
 *
 * A full table learns nothing new until an address has aged; frames to unknown addresses are
 * flooded.
 */
class SwitchAddresses
{
  public:
    /**
     * Construct.
     * @param limit addresses that can be learned
     * @param ageing life of an address since it was last seen [ns]; 0: for good
     */
    SwitchAddresses(uint32_t limit, int64_t ageing);

    /**
     * A frame has come from an address.
     * @param now the time [ns]
     * @param address the address
     * @param port the port at which it came in
     */
    void Learn(int64_t now, uint64_t address, uint32_t port);

    /**
     * Find an address.
     * @param now the time [ns]
     * @param address the address
     * @return its port, NO_PORT if it is unknown or has aged
     */
    uint32_t Find(int64_t now, uint64_t address) const;

    /**
     * Forget all addresses of a port.
     * @param port the port
     */
    void Forget(uint32_t port);

    /** @return the number of addresses in the table, aged ones that have not been cleared included.
     */
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_entries.size());
    }

  private:
    /** Last sight of an address. */
    struct Entry
    {
        int64_t seen;  ///< Last time [ns].
        uint32_t port; ///< The port.
    };

    /**
     * Check whether an address is too old.
     * @param now the time [ns]
     * @param entry its entry
     * @return whether it has aged
     */
    bool HasAged(int64_t now, const Entry& entry) const
    {
        return m_ageing > 0 && now - entry.seen >= m_ageing;
    }

    std::unordered_map<uint64_t, Entry> m_entries; ///< By address; never walked in order.
    int64_t m_ageing;                              ///< Life of an address [ns].
    uint32_t m_limit;                              ///< Size of the table.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_ADDRESSES_H
