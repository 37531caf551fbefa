/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-search-fingerprint-set.h"

#include "ns3/abort.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3
{
namespace messaging
{

namespace
{

/** Size of the sparse file of numbers [bytes]. */
constexpr std::size_t FILE_BYTES = sizeof(uint64_t) << 32;

} // namespace

BitArray::BitArray(uint64_t bytes)
    : m_mask(std::bit_floor(std::max<uint64_t>(bytes, 8)) * 8 - 1),
      m_words(new std::atomic<uint64_t>[(m_mask + 1) / 64]())
{
}

DiskArray::DiskArray()
{
    std::string name = std::filesystem::temp_directory_path() / "relnet-search-XXXXXX";
    const int file = mkstemp(name.data());
    NS_ABORT_MSG_IF(file < 0, "A search cannot create the file " << name << ".");
    unlink(name.c_str());
    void* memory = MAP_FAILED;
    if (ftruncate(file, static_cast<off_t>(FILE_BYTES)) == 0)
    {
        memory = mmap(nullptr, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    NS_ABORT_MSG_IF(memory == MAP_FAILED, "A search cannot use the file " << name << ".");
    m_values = static_cast<uint64_t*>(memory);
}

DiskArray::~DiskArray()
{
    munmap(m_values, FILE_BYTES);
}

uint64_t
GetResidentMemory()
{
    std::ifstream file("/proc/self/statm");
    uint64_t size = 0;
    uint64_t resident = 0;
    uint64_t shared = 0;
    file >> size >> resident >> shared;
    return (resident - shared) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace messaging
} // namespace ns3
