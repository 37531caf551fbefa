# SPDX-License-Identifier: GPL-2.0-only
"""
Python functions as ns-3 callbacks, and objects behind ns-3 smart pointers.

A Python function given to ns-3 directly is forgotten by Python before ns-3 calls it. Here a reference is kept, and
its exceptions leave `ns.Simulator.Run()`. A Python event costs microseconds where a C++ event costs a
tenth of one: for much data, collect in C++ and read arrays afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from relnet.errors import RelnetError
from relnet.processes.kernel import load

_SHIM = """
#include <functional>
#include <utility>

namespace relnet
{

/** Schedule a function after a delay. */
ns3::EventId
Schedule(const ns3::Time& delay, std::function<void()> function)
{
    return ns3::Simulator::Schedule(delay, [function = std::move(function)] { function(); });
}

/** Schedule a function for the destruction of the simulator. */
void
AtDestroy(std::function<void()> function)
{
    ns3::Simulator::ScheduleDestroy([function = std::move(function)] { function(); });
}

/** Make an ns-3 callback of a function. */
template <class R, class... A>
ns3::Callback<R, A...>
MakeCallback(std::function<R(A...)> function)
{
    return ns3::Callback<R, A...>(std::move(function));
}

} // namespace relnet
"""

_events: dict[int, Callable[[], None]] = {}
_sinks: list[Any] = []
_raised: list[BaseException] = []


class CallbackError(Exception):
    """Carries the exception of a Python callback through C++."""


def _carry(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except BaseException as error:
            _raised.append(error)
            raise CallbackError(f"{type(error).__name__}: {error}") from None

    return call


@lru_cache(maxsize=1)
def _shim() -> Any:
    cppyy = load()
    cppyy.cppdef(_SHIM)
    simulator = cppyy.gbl.ns3.Simulator
    run = simulator.Run

    def run_and_raise() -> None:
        """Execute events until there are none, or until a Python function raises something."""
        _raised.clear()
        try:
            run()
        except CallbackError:
            raise _raised[-1] from None

    simulator.Run = staticmethod(run_and_raise)
    return cppyy.gbl.relnet


def warm() -> None:
    """Compile what nearly every function uses, so that children inherit it."""
    _shim()
    ns3 = load().gbl.ns3
    schedule(0, ns3.RngSeedManager.SetRun, 1)
    ns3.RngSeedManager.SetSeed(1)
    ns3.RngStream(1, 1, 1).RandU01()
    ns3.Simulator.Stop(ns3.Seconds(1.0))
    ns3.Simulator.Run()
    ns3.Simulator.Now().GetSeconds()
    ns3.Simulator.Destroy()
    ns3.NodeContainer(1).Get(0).GetId()
    ns3.NodeList.GetNNodes()
    ns3.Simulator.Destroy()


def schedule(delay: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """
    Schedule a Python function in simulated time.

    Parameters
    ----------
    delay : ns.Time or float
        Delay; a number is in seconds.
    function : callable
        The function; its exceptions leave `ns.Simulator.Run()`.
    *arguments
        Its arguments.

    Returns
    -------
    ns.EventId
        Of the event, which can be cancelled.
    """
    shim = _shim()
    simulator = load().gbl.ns3
    if isinstance(delay, int | float):
        delay = simulator.Seconds(float(delay))
    if not _events:
        _events[0] = _events.clear
        shim.AtDestroy(_events[0])

    @_carry
    def call() -> None:
        _events.pop(id(call), None)
        function(*arguments)

    _events[id(call)] = call
    return shim.Schedule(delay, call)


def callback(function: Callable[..., Any], signature: str) -> Any:
    """
    Make an ns-3 callback of a Python function.

    Parameters
    ----------
    function : callable
        The function; a reference is kept as long as the process lives.
    signature : str
        Its C++ type, for instance `void(ns3::Ptr<const ns3::Packet>)`.

    Returns
    -------
    ns.Callback
        For any ns-3 function that takes one.

    Raises
    ------
    RelnetError
        If the signature is not a C++ function type.
    """
    shim = _shim()
    try:
        wrapped = load().gbl.std.function[signature](carried := _carry(function))
    except (TypeError, AttributeError, SyntaxError) as error:
        raise RelnetError(f"{signature!r} is not a C++ function type such as 'void(uint32_t)': {error}") from None
    _sinks.append((carried, wrapped))
    return shim.MakeCallback(wrapped)


def connect(source: Any, trace: str, function: Callable[..., Any], signature: str) -> None:
    """
    Connect a Python function to a trace source.

    Parameters
    ----------
    source : ns.Object or ns.Ptr
        Object with the trace source.
    trace : str
        Its name.
    function : callable
        The function.
    signature : str
        The C++ type of the trace source's sinks, for instance `void(ns3::Ptr<const ns3::Packet>)`.

    Raises
    ------
    RelnetError
        If there is no such trace source.
    """
    if not source.TraceConnectWithoutContext(trace, callback(function, signature)):
        kind = source.GetInstanceTypeId()
        names = [str(kind.GetTraceSource(index).name) for index in range(kind.GetTraceSourceN())]
        raise RelnetError(f"{kind.GetName()} has no trace source {trace!r}; it has {', '.join(names) or 'none'}.")


def deref(pointer: Any) -> Any:
    """
    The object behind a smart pointer.

    Methods can be called on an `ns.Ptr` itself; the object is needed where ns-3 takes a reference.

    Parameters
    ----------
    pointer : ns.Ptr or object
        Other values are returned unchanged.

    Raises
    ------
    RelnetError
        If the pointer is null.
    """
    name = getattr(type(pointer), "__cpp_name__", "")
    if not name.startswith("ns3::Ptr<"):
        return pointer
    if not pointer:
        raise RelnetError(f"A null {name} has no object.")
    return pointer.__deref__()
