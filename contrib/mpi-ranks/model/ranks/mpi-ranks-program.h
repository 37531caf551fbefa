/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_PROGRAM_H
#define MPI_RANKS_PROGRAM_H

#include "ns3/messaging-traffic-collective.h"
#include "ns3/mpi-ranks-types.h"

#include <coroutine>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Programs of ranks: coroutines that wait where MPI's calls take time.
 *
 * @code
 * RankTask<> PingPong(Rank rank)
 * {
 *     const Peer other = 1 - rank.GetIndex();
 *     for (int i = 0; i < 100; ++i)
 *     {
 *         if (rank.GetIndex() == 0)
 *         {
 *             co_await rank.Send(other, 8);
 *             co_await rank.Recv(other);
 *         }
 *         else
 *         {
 *             co_await rank.Recv(other);
 *             co_await rank.Send(other, 8);
 *         }
 *     }
 * }
 * @endcode
 */

namespace ns3
{
namespace ranks
{

class RankGroup;

/** Condition that resumes a waiting program. */
enum class RankUntil : uint8_t
{
    NOTHING, ///< The processor is free.
    REQUEST, ///< One request has ended.
    ALL,     ///< All requests have ended.
    ANY,     ///< Any unclaimed request has ended.
    ONCE     ///< All present arrivals are handled.
};

/** Common part of the promises of all tasks: the end of a task resumes its caller. */
struct RankPromiseBase
{
    /** Resumes the caller at the end. */
    struct End : std::suspend_always
    {
        /** @return the caller. @param self the task that has ended */
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept
        {
            const std::coroutine_handle<> caller = self.promise().caller;
            if (caller)
            {
                return caller;
            }
            return std::noop_coroutine();
        }
    };

    /** @return a task begins when it is awaited. */
    std::suspend_always initial_suspend() const noexcept
    {
        return {};
    }

    /** @return the final awaiter. */
    End final_suspend() const noexcept
    {
        return {};
    }

    /** Programs do not throw. */
    [[noreturn]] void unhandled_exception() const noexcept
    {
        std::terminate();
    }

    std::coroutine_handle<> caller; ///< Coroutine that awaits the task, if any.
};

/** Promise of a task with a result. @tparam T type of the result */
template <class T>
struct RankPromise : RankPromiseBase
{
    /** Store the result. @param result the result */
    void return_value(T result)
    {
        value = std::move(result);
    }

    T value{}; ///< The result.
};

/** Promise of a task without a result. */
template <>
struct RankPromise<void> : RankPromiseBase
{
    /** The task has ended. */
    void return_void() const noexcept
    {
    }
};

/**
 * @ingroup mpi-ranks
 * A rank's program, or a part of it such as a collective operation, which other parts await with
 * co_await.
 * @tparam T type of its result
 */
template <class T = void>
class [[nodiscard]] RankTask
{
  public:
    /** Promise of the task. */
    struct promise_type : RankPromise<T>
    {
        /** @return the task. */
        RankTask get_return_object()
        {
            return RankTask(std::coroutine_handle<promise_type>::from_promise(*this));
        }
    };

    /** No task. */
    RankTask() = default;

    /** Move a task. @param other the task, left empty */
    RankTask(RankTask&& other) noexcept
        : m_handle(std::exchange(other.m_handle, {}))
    {
    }

    /** Move a task. @param other the task, which gets this one's @return this */
    RankTask& operator=(RankTask&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }

    ~RankTask()
    {
        if (m_handle)
        {
            m_handle.destroy();
        }
    }

    /** @return false: a task begins when it is awaited. */
    bool await_ready() const noexcept
    {
        return false;
    }

    /** Begin the task. @param caller awaiting coroutine @return the task */
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept
    {
        m_handle.promise().caller = caller;
        return m_handle;
    }

    /** @return its result. */
    T await_resume() noexcept
    {
        if constexpr (!std::is_void_v<T>)
        {
            return std::move(m_handle.promise().value);
        }
    }

    /** @return its coroutine. */
    std::coroutine_handle<> GetHandle() const
    {
        return m_handle;
    }

  private:
    /** Constructor. @param handle the task */
    explicit RankTask(std::coroutine_handle<promise_type> handle)
        : m_handle(handle)
    {
    }

    std::coroutine_handle<promise_type> m_handle; ///< The task, owned.
};

/** Number of a send or receive, valid until its Wait. */
using RankRequest = uint32_t;

/** A message that a rank has received. */
struct RankStatus
{
    uint64_t contents{0};            ///< Represents the data.
    Peer source{messaging::NO_PEER}; ///< Sender; of a send, its destination.
    uint32_t tag{0};                 ///< Its tag.
    uint32_t bytes{0};               ///< Its length [bytes].
};

/** An ended request and its message. */
struct RankEnded
{
    RankRequest request{0}; ///< The request.
    RankStatus status;      ///< The received message; for a send its destination and length.
};

/**
 * @ingroup mpi-ranks
 * A call that a program awaits with co_await.
 * @tparam T type of its result: RankRequest for the request begun, RankStatus for the received
 * message (of a send, destination and length), RankEnded for the request that has ended first and
 * its message, bool for whether the request has ended, or void
 */
template <class T = void>
class RankCall
{
  public:
    /**
     * Constructor.
     * @param group the group
     * @param self the rank
     * @param ready true if the program need not wait
     * @param request the request of the call, if it has one
     */
    RankCall(RankGroup* group, Peer self, bool ready, RankRequest request = 0)
        : m_group(group),
          m_self(self),
          m_request(request),
          m_ready(ready)
    {
    }

    /** @return true if the program continues immediately. */
    bool await_ready() const noexcept
    {
        return m_ready;
    }

    /** Suspend the program until the group resumes it. @param program the program */
    void await_suspend(std::coroutine_handle<> program) const;

    /** @return the result of the call. */
    T await_resume() const;

  private:
    RankGroup* m_group;    ///< The group.
    Peer m_self;           ///< The rank.
    RankRequest m_request; ///< Its request.
    bool m_ready;          ///< The program continues immediately.
};

/**
 * @ingroup mpi-ranks
 * Interface of a rank for its program: MPI's calls.
 *
 * Programs await every call except GetIndex, GetSize, GetTime and Free with co_await, since it
 * takes processor time. Messages are handled inside Wait, WaitAll, WaitAny, Test, Send and Recv
 * only (paper 4, section 6.1).
 */
class Rank
{
  public:
    /**
     * Constructor.
     * @param group the group
     * @param index number of the rank
     */
    Rank(RankGroup* group, Peer index)
        : m_group(group),
          m_index(index)
    {
    }

    /** @return the rank's number. */
    Peer GetIndex() const
    {
        return m_index;
    }

    /** @return the number of ranks. */
    uint32_t GetSize() const;

    /** @return all ranks. */
    const RankGroup& GetGroup() const
    {
        return *m_group;
    }

    /** @return MPI_Wtime: the rank's local time [ns]. */
    Ticks GetTime() const;

    /** @return the counters of its protocol. */
    const RankCounters& GetCounters() const;

    /**
     * MPI_Isend.
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag, below 2^31
     * @param contents represents the data
     * @return the request
     */
    RankCall<RankRequest> Isend(Peer to,
                                uint32_t bytes,
                                uint32_t tag = 0,
                                uint64_t contents = 0) const;

    /**
     * MPI_Irecv.
     * @param from source, or ANY_SOURCE
     * @param tag tag, or ANY_TAG
     * @return the request
     */
    RankCall<RankRequest> Irecv(Peer from, uint32_t tag = 0) const;

    /**
     * MPI_Wait.
     * @param request a request, which ends
     * @return its message
     */
    RankCall<RankStatus> Wait(RankRequest request) const;

    /** @return MPI_Waitall for all requests of the rank. */
    RankCall<> WaitAll() const;

    /**
     * MPI_Waitany for all requests of the rank. A rank that uses it must not use another call to
     * wait for requests.
     * @return the request and its message
     */
    RankCall<RankEnded> WaitAny() const;

    /**
     * MPI_Request_free: the program will not wait for a send.
     * @param request the send
     */
    void Free(RankRequest request) const;

    /**
     * MPI_Test: handle all arrivals without waiting for more. An ended request still needs a Wait.
     * @param request a request
     * @return true if it has ended
     */
    RankCall<bool> Test(RankRequest request) const;

    /**
     * MPI_Send.
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag
     * @param contents represents the data
     * @return ends when the processor continues
     */
    RankCall<RankStatus> Send(Peer to,
                              uint32_t bytes,
                              uint32_t tag = 0,
                              uint64_t contents = 0) const;

    /**
     * MPI_Recv.
     * @param from source, or ANY_SOURCE
     * @param tag tag, or ANY_TAG
     * @return the message
     */
    RankCall<RankStatus> Recv(Peer from, uint32_t tag = 0) const;

    /**
     * Compute outside MPI, where no message is handled.
     * @param time duration [ns]
     * @return ends when the processor continues
     */
    RankCall<> Compute(Ticks time) const;

    /**
     * Trace the begin of a collective operation, for functions that are one.
     * @param kind its kind
     * @param bytes length of its data [bytes]
     */
    void BeginCollective(messaging::CollectiveKind kind, uint64_t bytes) const;

    /** Trace the end of the collective operation. @param kind its kind */
    void EndCollective(messaging::CollectiveKind kind) const;

    /**
     * Store the words of a message whose data need more than one.
     * @param words represent the data
     * @return contents for Send, from which the receiver gets the words by Take
     */
    uint64_t Store(std::vector<uint64_t> words) const;

    /**
     * Take the words of a received message.
     * @param contents its contents
     * @return the words of Store; empty if these are not its contents
     */
    std::vector<uint64_t> Take(uint64_t contents) const;

  private:
    RankGroup* m_group; ///< The group.
    Peer m_index;       ///< Number of the rank.
};

/** Program of every rank; it has to outlive the ranks' tasks if it captures anything. */
using RankMain = std::function<RankTask<>(Rank)>;

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_PROGRAM_H
