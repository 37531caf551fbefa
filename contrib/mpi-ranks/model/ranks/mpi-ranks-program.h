/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_PROGRAM_H
#define MPI_RANKS_PROGRAM_H

#include "ns3/mpi-ranks-types.h"

#include <coroutine>
#include <exception>
#include <functional>
#include <utility>

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

/** Condition on which a waiting program goes on. */
enum class RankUntil : uint8_t
{
    NOTHING, ///< The processor is free.
    REQUEST, ///< One request has ended.
    ALL,     ///< All requests have ended.
    ANY,     ///< Any request has ended that was not waited for.
    ONCE     ///< What has arrived is handled.
};

/** Common part of the promises of all tasks: at the end, the caller goes on. */
struct RankPromiseBase
{
    /** Hands over to the caller at the end. */
    struct End
    {
        /** @return false: the task always hands over. */
        bool await_ready() const noexcept
        {
            return false;
        }

        /** @return the caller. @param self the task that has ended */
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept
        {
            const std::coroutine_handle<> caller = self.promise().caller;
            return caller ? caller : std::noop_coroutine();
        }

        /** Never reached. */
        void await_resume() const noexcept
        {
        }
    };

    /** @return a task begins when it is waited for. */
    std::suspend_always initial_suspend() const noexcept
    {
        return {};
    }

    /** @return the end of the task. */
    End final_suspend() const noexcept
    {
        return {};
    }

    /** Programs throw nothing. */
    [[noreturn]] void unhandled_exception() const noexcept
    {
        std::terminate();
    }

    std::coroutine_handle<> caller; ///< Coroutine that waits for the task, if any.
};

/** Promise of a task with a result. @tparam T type of the result */
template <class T>
struct RankPromise : RankPromiseBase
{
    /** Keep the result. @param result the result */
    void return_value(T result)
    {
        value = std::move(result);
    }

    /** @return the result. */
    T Take()
    {
        return std::move(value);
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

    /** There is no result. */
    void Take() const noexcept
    {
    }
};

/**
 * @ingroup mpi-ranks
 * A rank's program, or a part of it such as a collective operation, which other parts wait for
 * with co_await.
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

    /** Take over a task. @param other the task, left empty */
    RankTask(RankTask&& other) noexcept
        : m_handle(std::exchange(other.m_handle, {}))
    {
    }

    /** Take over a task. @param other the task, left with this one's @return this */
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

    /** @return false: a task begins when it is waited for. */
    bool await_ready() const noexcept
    {
        return false;
    }

    /** Begin the task. @param caller coroutine that waits @return the task */
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept
    {
        m_handle.promise().caller = caller;
        return m_handle;
    }

    /** @return its result. */
    T await_resume() noexcept
    {
        return m_handle.promise().Take();
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

/** Number of a send or receive, valid until it was waited for. */
using RankRequest = uint32_t;

/** A message that a rank has received. */
struct RankStatus
{
    uint64_t contents{0};            ///< Stands for the data.
    Peer source{messaging::NO_PEER}; ///< Sender.
    uint32_t tag{0};                 ///< Its tag.
    uint32_t bytes{0};               ///< Its length [bytes].
};

/** A request that has ended, and its message. */
struct RankEnded
{
    RankRequest request{0}; ///< The request.
    RankStatus status;      ///< The message received; of a send only the length.
};

/** Common part of the calls that a program waits for with co_await. */
class RankCallBase
{
  public:
    /**
     * Constructor.
     * @param group the group
     * @param self the rank
     * @param ready true if the program need not wait
     * @param request the request of the call, if it has one
     */
    RankCallBase(RankGroup* group, Peer self, bool ready, RankRequest request = 0)
        : m_group(group),
          m_self(self),
          m_request(request),
          m_ready(ready)
    {
    }

    /** @return true if the program goes on at once. */
    bool await_ready() const noexcept
    {
        return m_ready;
    }

    /** Suspend the program until the group resumes it. @param program the program */
    void await_suspend(std::coroutine_handle<> program) const;

  protected:
    RankGroup* m_group;    ///< The group.
    Peer m_self;           ///< The rank.
    RankRequest m_request; ///< Its request.
    bool m_ready;          ///< The program goes on at once.
};

/**
 * @ingroup mpi-ranks
 * A call that a program waits for with co_await.
 * @tparam T type of its result
 */
template <class T = void>
class RankCall : public RankCallBase
{
  public:
    using RankCallBase::RankCallBase;

    /** @return the result of the call. */
    T await_resume() const;
};

/** The call ends. */
template <>
void RankCall<>::await_resume() const;
/** @return the request that the call has begun. */
template <>
RankRequest RankCall<RankRequest>::await_resume() const;
/** @return true if the request has ended. */
template <>
bool RankCall<bool>::await_resume() const;
/** @return the message received; of a send only the length. */
template <>
RankStatus RankCall<RankStatus>::await_resume() const;
/** @return the request that has ended first, and its message. */
template <>
RankEnded RankCall<RankEnded>::await_resume() const;

/**
 * @ingroup mpi-ranks
 * A rank as its program sees it: MPI's calls.
 *
 * Every call but GetIndex, GetSize, GetTime and Free is waited for with co_await, since it takes
 * time of the rank's processor. Messages are handled inside Wait, WaitAll, WaitAny, Test, Send and
 * Recv only (paper 4, section 6.1).
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

    /** @return MPI_Wtime: the rank's own time [ns]. */
    Ticks GetTime() const;

    /** @return the counters of its protocol. */
    const RankCounters& GetCounters() const;

    /**
     * MPI_Isend.
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag, below 2^31
     * @param contents stands for the data
     * @return gives the request
     */
    RankCall<RankRequest> Isend(Peer to,
                                uint32_t bytes,
                                uint32_t tag = 0,
                                uint64_t contents = 0) const;

    /**
     * MPI_Irecv.
     * @param from source, or ANY_SOURCE
     * @param tag tag, or ANY_TAG
     * @return gives the request
     */
    RankCall<RankRequest> Irecv(Peer from, uint32_t tag = 0) const;

    /**
     * MPI_Wait.
     * @param request a request, which ends
     * @return gives its message
     */
    RankCall<RankStatus> Wait(RankRequest request) const;

    /** @return MPI_Waitall for all requests of the rank. */
    RankCall<> WaitAll() const;

    /**
     * MPI_Waitany for all requests of the rank. A rank that uses it waits for its requests in no
     * other way.
     * @return gives the request and its message
     */
    RankCall<RankEnded> WaitAny() const;

    /**
     * MPI_Request_free: the program will not wait for a send.
     * @param request the send
     */
    void Free(RankRequest request) const;

    /**
     * MPI_Test: handle what has arrived, without waiting for more. A request that has ended must
     * still be waited for.
     * @param request a request
     * @return gives true if it has ended
     */
    RankCall<bool> Test(RankRequest request) const;

    /**
     * MPI_Send.
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag
     * @param contents stands for the data
     * @return ends when the processor goes on
     */
    RankCall<RankStatus> Send(Peer to,
                              uint32_t bytes,
                              uint32_t tag = 0,
                              uint64_t contents = 0) const;

    /**
     * MPI_Recv.
     * @param from source, or ANY_SOURCE
     * @param tag tag, or ANY_TAG
     * @return gives the message
     */
    RankCall<RankStatus> Recv(Peer from, uint32_t tag = 0) const;

    /**
     * Compute, outside MPI: no message is handled.
     * @param time duration [ns]
     * @return ends when the processor goes on
     */
    RankCall<> Compute(Ticks time) const;

  private:
    RankGroup* m_group; ///< The group.
    Peer m_index;       ///< Number of the rank.
};

/** Program of every rank; it outlives the ranks' tasks if it captures anything. */
using RankMain = std::function<RankTask<>(Rank)>;

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_PROGRAM_H
