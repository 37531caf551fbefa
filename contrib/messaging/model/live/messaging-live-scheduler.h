/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_SCHEDULER_H
#define MESSAGING_LIVE_SCHEDULER_H

#include "ns3/map-scheduler.h"
#include "ns3/nstime.h"

#include <chrono>
#include <functional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Events of the simulator at the pace of a real clock, with files to wait for.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A scheduler that holds each event back until the real time of its time stamp, and meanwhile waits
 * for files to become readable or writable.
 *
 * The simulator takes its next event from its scheduler, so one thread serves clock and files, and
 * models need no locks. What arrives at a file is an event at the real time of its arrival. An
 * event that is late is served at once; its time stamp stays. While there is no file, all are.
 */
class LiveScheduler : public MapScheduler
{
  public:
    /** Called in an event of the simulator when a file is ready. */
    using Handler = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LiveScheduler();
    ~LiveScheduler() override;

    /**
     * Let the simulator use a new one; its time zero is now.
     * @return the scheduler, owned by the simulator until that is destroyed
     */
    static LiveScheduler* Install();

    /**
     * Wait for a file.
     * @param file its descriptor, not owned
     * @param onReadable called while it can be read
     * @param onWritable called while it can be written to and that is asked for
     */
    void Watch(int file, Handler onReadable, Handler onWritable = {});

    /**
     * Ask for calls of handlers, or none.
     * @param file the descriptor
     * @param readable whether onReadable is to be called
     * @param writable whether onWritable is to be called
     */
    void SetInterest(int file, bool readable, bool writable);

    /**
     * Stop waiting for a file; its handlers are not called any more.
     * @param file its descriptor
     */
    void Forget(int file);

    Scheduler::Event RemoveNext() override;

  private:
    /** A file. */
    struct Watched
    {
        uint64_t number;    ///< Its place among all that were ever watched.
        int file;           ///< Descriptor.
        bool readable;      ///< onReadable is wanted.
        bool writable;      ///< onWritable is wanted.
        Handler onReadable; ///< Called while it can be read.
        Handler onWritable; ///< Called while it can be written to.
    };

    /**
     * Call a handler of a file, unless the file has been forgotten since it was ready.
     * @param number the file's, from its Watched
     * @param writing whether onWritable is called, or onReadable
     */
    void Call(uint64_t number, bool writing);

    /**
     * Wait for the files.
     * @param until the longest [ns since time zero]
     */
    void Wait(int64_t until);

    /** @return real time since time zero [ns]. */
    int64_t GetElapsed() const;

    static LiveScheduler* g_last;                  ///< The one created last.
    std::vector<Watched> m_files;                  ///< The files.
    uint64_t m_watched{0};                         ///< Files watched so far.
    std::chrono::steady_clock::time_point m_begin; ///< Time zero.
    uint32_t m_calls{0};                           ///< Handlers that wait among the events.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_SCHEDULER_H
