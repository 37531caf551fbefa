/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_SCHEDULER_H
#define MESSAGING_LIVE_SCHEDULER_H

#include "ns3/map-scheduler.h"

#include <chrono>
#include <functional>
#include <map>

/**
 * @file
 * @ingroup messaging
 * Scheduler for real time, which also waits for files.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Scheduler that delays each event until the real time of its time stamp, and meanwhile waits for
 * files to become readable or writable.
 *
 * The simulator gets its next event from its scheduler, so one thread serves clock and files, and
 * models need no locks. Data that arrive at a file cause an event at the real time of arrival. If
 * the next event is late, they are served before it, in limits: no timer expires while its answer
 * waits to be read. A late event is served at once with an unchanged time stamp. If it is later
 * than LATEST, the process was stopped or got no processor, and time has stood still for it: its
 * timers have as long as before. Without files, all events are served at once.
 */
class LiveScheduler : public MapScheduler
{
  public:
    /** Handler of a ready file, called in an event of the simulator. */
    using Handler = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LiveScheduler();
    ~LiveScheduler() override;

    /**
     * Install a new scheduler in the simulator; its time zero is the current real time.
     * @return the scheduler, owned by the simulator
     */
    static LiveScheduler* Install();

    /**
     * Watch a file.
     * @param file its descriptor, not owned
     * @param onReadable called while it can be read
     * @param onWritable called while it can be written, if enabled by SetInterest
     */
    void Watch(int file, Handler onReadable, Handler onWritable = {});

    /**
     * Enable or disable the handlers of a file.
     * @param file the descriptor
     * @param readable whether onReadable is enabled
     * @param writable whether onWritable is enabled
     */
    void SetInterest(int file, bool readable, bool writable);

    /**
     * Stop watching a file; its handlers are no longer called.
     * @param file its descriptor
     */
    void Forget(int file);

    Scheduler::Event RemoveNext() override;

    /** @return real time since time zero, without stops [ns]. */
    int64_t GetElapsed() const;

    static constexpr int64_t LATEST = 10000000; ///< Delay of an event beyond which time stops [ns].

  private:
    /** Number of successive rounds of handlers after which a late event is served. */
    static constexpr uint32_t MOST_ROUNDS = 16;

    /** Watched file. */
    struct Watched
    {
        bool readable{true};  ///< onReadable is enabled.
        bool writable{false}; ///< onWritable is enabled.
        Handler onReadable;   ///< Called while it can be read.
        Handler onWritable;   ///< Called while it can be written.
    };

    /**
     * Call a handler of a file, unless the file is no longer watched.
     * @param file descriptor of the file
     * @param writing true for onWritable, false for onReadable
     */
    void Call(int file, bool writing);

    /**
     * Wait for the files.
     * @param until latest end of the wait [ns since time zero]
     */
    void Wait(int64_t until);

    static LiveScheduler* g_last;                  ///< The last instance.
    std::map<int, Watched> m_files;                ///< Watched files, by descriptor.
    std::chrono::steady_clock::time_point m_begin; ///< Real time of time zero.
    uint32_t m_calls{0};                           ///< Pending events of handlers.
    uint32_t m_rounds{0};                          ///< Rounds of handlers since another event.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_SCHEDULER_H
