/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_PROGRAM_H
#define MPI_RANKS_PROGRAM_H

#include "mpi-ranks-types.h"

#include <coroutine>
#include <exception>
#include <functional>
#include <utility>

/**
 * @file
 * @ingroup mpi-ranks
 * What a rank's program is written in: coroutines that wait where MPI's calls take time.
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

/** What has to have come to its end for a program to go on. */
enum class RankUntil : uint8_t
{
    NOTHING, ///< The processor only.
    REQUEST, ///< A request.
    ALL,     ///< All requests.
    ANY,     ///< Any request that nobody has waited for.
    ONCE     ///< What has arrived already has been handled.
};

template <class T = void>
class RankTask;

/** What the promises of all tasks share: who goes on when the task has ended. */
struct RankPromiseBase
{
    /** Hands over to the caller at the end. */
    struct End
    {
        /** @return false: there is always something to do. */
        bool await_ready() const noexcept
        {
            return false;
        }

        /** @return who goes on. @param self the task that has ended */
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

    /** @return what happens at its end. */
    End final_suspend() const noexcept
    {
        return {};
    }

    /** Programs throw nothing. */
    [[noreturn]] void unhandled_exception() const noexcept
    {
        std::terminate();
    }

    std::coroutine_handle<> caller; ///< Who waits for the task, if any.
};

/**
 * @ingroup mpi-ranks
 * A rank's program, or a part of it such as a collective operation, which other parts wait for
 * with co_await.
 * @tparam T what it results in
 */
template <class T>
class [[nodiscard]] RankTask
{
  public:
    /** What the compiler keeps of a task. */
    struct promise_type : RankPromiseBase
    {
        /** @return the task. */
        RankTask get_return_object()
        {
            return RankTask(std::coroutine_handle<promise_type>::from_promise(*this));
        }

        /** Keep the result. @param result the result */
        void return_value(T result)
        {
            value = std::move(result);
        }

        T value{}; ///< The result.
    };

    /** No task. */
    RankTask() = default;

    /** Take over a task. @param other the task, left without one */
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

    /** @return false: a task has not begun before it is waited for. */
    bool await_ready() const noexcept
    {
        return false;
    }

    /** Begin the task. @param caller who waits @return the task */
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept
    {
        m_handle.promise().caller = caller;
        return m_handle;
    }

    /** @return its result. */
    T await_resume() noexcept
    {
        return std::move(m_handle.promise().value);
    }

  private:
    /** Constructor. @param handle the task */
    explicit RankTask(std::coroutine_handle<promise_type> handle)
        : m_handle(handle)
    {
    }

    std::coroutine_handle<promise_type> m_handle; ///< The task, owned.
};

/** A task without a result. */
template <>
class [[nodiscard]] RankTask<void>
{
  public:
    /** What the compiler keeps of a task. */
    struct promise_type : RankPromiseBase
    {
        /** @return the task. */
        RankTask get_return_object()
        {
            return RankTask(std::coroutine_handle<promise_type>::from_promise(*this));
        }

        /** There is nothing to keep. */
        void return_void() const noexcept
        {
        }
    };

    /** No task. */
    RankTask() = default;

    /** Take over a task. @param other the task, left without one */
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

    /** @return false: a task has not begun before it is waited for. */
    bool await_ready() const noexcept
    {
        return false;
    }

    /** Begin the task. @param caller who waits @return the task */
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept
    {
        m_handle.promise().caller = caller;
        return m_handle;
    }

    /** There is no result. */
    void await_resume() const noexcept
    {
    }

    /** @return where it begins. */
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

/** Names a send or receive that a rank has begun, until it was waited for. */
using RankRequest = uint32_t;

/** A message that a rank has received. */
struct RankStatus
{
    uint64_t contents{0};            ///< Stands for the data.
    Peer source{messaging::NO_PEER}; ///< Who sent it.
    uint32_t tag{0};                 ///< Its tag.
    uint32_t bytes{0};               ///< Its length [bytes].
};

/** A request that has come to its end, and what was received. */
struct RankEnded
{
    RankRequest request{0}; ///< The request.
    RankStatus status;      ///< What was received; of a send only the length.
};

/**
 * @ingroup mpi-ranks
 * A rank as its program sees it: MPI's calls.
 *
 * Every call but GetIndex, GetSize and GetTime is waited for with co_await, since it takes time of
 * the rank's processor. Messages are handled inside Wait, WaitAll, Test and the calls made of them
 * only (paper 4, section 6.1).
 */
class Rank
{
  public:
    /** What every call gives to co_await. */
    class Call
    {
      public:
        /** Constructor. @param group the group @param self the rank @param ready no need to wait */
        Call(RankGroup* group, Peer self, bool ready)
            : m_group(group),
              m_self(self),
              m_ready(ready)
        {
        }

        /** @return whether the program goes on at once. */
        bool await_ready() const noexcept
        {
            return m_ready;
        }

        /** Have the group resume the program. @param program the program */
        void await_suspend(std::coroutine_handle<> program) const;

        /** There is no result. */
        void await_resume() const noexcept
        {
        }

      protected:
        RankGroup* m_group; ///< The group.
        Peer m_self;        ///< The rank.
        bool m_ready;       ///< Whether the program goes on at once.
    };

    /** A call that begins a request. */
    class BeginCall : public Call
    {
      public:
        /** Constructor. @param call the call @param request the request */
        BeginCall(const Call& call, RankRequest request)
            : Call(call),
              m_request(request)
        {
        }

        /** @return the request. */
        RankRequest await_resume() const noexcept
        {
            return m_request;
        }

      private:
        RankRequest m_request; ///< The request.
    };

    /** A call that ends a request. */
    class EndCall : public Call
    {
      public:
        /** Constructor. @param call the call @param request the request */
        EndCall(const Call& call, RankRequest request)
            : Call(call),
              m_request(request)
        {
        }

        /** @return what was received; of a send only the length. */
        RankStatus await_resume() const;

      private:
        RankRequest m_request; ///< The request.
    };

    /** A call that ends whichever request ends first. */
    class AnyCall : public Call
    {
      public:
        /** Constructor. @param call the call */
        explicit AnyCall(const Call& call)
            : Call(call)
        {
        }

        /** @return the request, and what was received. */
        RankEnded await_resume() const;
    };

    /** A call that ends all requests. */
    class AllCall : public Call
    {
      public:
        /** Constructor. @param call the call */
        explicit AllCall(const Call& call)
            : Call(call)
        {
        }

        /** Forget all requests. */
        void await_resume() const;
    };

    /** A call that asks whether a request has come to its end. */
    class TestCall : public Call
    {
      public:
        /** Constructor. @param call the call @param request the request */
        TestCall(const Call& call, RankRequest request)
            : Call(call),
              m_request(request)
        {
        }

        /** @return whether it has. */
        bool await_resume() const;

      private:
        RankRequest m_request; ///< The request.
    };

    /**
     * Constructor.
     * @param group the group
     * @param index which of its ranks
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

    /** @return MPI_Wtime: the rank's own time [ns]. */
    Ticks GetTime() const;

    /**
     * MPI_Isend.
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag, below 2^31
     * @param contents stands for the data
     * @return gives the request
     */
    BeginCall Isend(Peer to, uint32_t bytes, uint32_t tag = 0, uint64_t contents = 0) const;

    /**
     * MPI_Irecv.
     * @param from source, or ANY_SOURCE
     * @param tag tag, or ANY_TAG
     * @return gives the request
     */
    BeginCall Irecv(Peer from, uint32_t tag = 0) const;

    /**
     * MPI_Wait.
     * @param request a request, which is over then
     * @return gives what was received
     */
    EndCall Wait(RankRequest request) const;

    /** @return MPI_Waitall for all that the rank has begun. */
    AllCall WaitAll() const;

    /**
     * MPI_Waitany for all that the rank has begun. A rank that uses it waits for its requests in no
     * other way.
     * @return gives the request, and what was received
     */
    AnyCall WaitAny() const;

    /**
     * MPI_Request_free: nobody will wait for a send.
     * @param request the send
     */
    void Free(RankRequest request) const;

    /**
     * MPI_Test: handle what has arrived, without waiting for more. A request that has come to its
     * end must still be waited for.
     * @param request a request
     * @return gives whether it has come to its end
     */
    TestCall Test(RankRequest request) const;

    /**
     * MPI_Send.
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag
     * @param contents stands for the data
     * @return to be waited for
     */
    EndCall Send(Peer to, uint32_t bytes, uint32_t tag = 0, uint64_t contents = 0) const;

    /**
     * MPI_Recv.
     * @param from source, or ANY_SOURCE
     * @param tag tag, or ANY_TAG
     * @return gives what was received
     */
    EndCall Recv(Peer from, uint32_t tag = 0) const;

    /**
     * Compute, outside MPI: nothing is handled meanwhile.
     * @param time for how long [ns]
     * @return to be waited for
     */
    Call Compute(Ticks time) const;

  private:
    RankGroup* m_group; ///< The group.
    Peer m_index;       ///< Which rank.
};

/** The program of every rank. It must outlive the ranks' tasks if it captures anything. */
using RankMain = std::function<RankTask<>(Rank)>;

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_PROGRAM_H
