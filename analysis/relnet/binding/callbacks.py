# SPDX-License-Identifier: GPL-2.0-only
"""
Python functions as ns-3 callbacks, and objects behind ns-3 smart pointers.

If a Python function is passed to ns-3 directly, Python deletes it before ns-3 calls it. This module keeps a reference,
and its exceptions leave `ns.Simulator.Run()`. A Python event takes microseconds, a C++ event a tenth of one: for much
data, collect in C++ and read arrays afterwards.

C++ identifies a Python function by a number. The binding compiles code for each callable that it passes to C++, which
takes milliseconds. Hence there is one callable for all events, and one for all callbacks of a signature.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from relnet.binding.namespace import load, ns, own_namespaces, silenced
from relnet.errors import RelnetError
from relnet.names import nearest

_SHIM = """
#include <functional>
#include <type_traits>
#include <utility>

namespace relnet
{

/** Return a text that ends with the type in brackets, without aliases. */
template <class F>
const char*
SinkName()
{
    return __PRETTY_FUNCTION__;
}

/** Calls Python functions of one signature by number. */
template <class F>
struct Numbered;

template <class R, class... A>
struct Numbered<R(A...)>
{
    /** Calls the function of a number. */
    static inline std::function<R(uint64_t, A...)> call;

    /** Set the function that calls all others. */
    static void SetCall(std::function<R(uint64_t, A...)> function)
    {
        call = std::move(function);
    }

    /** Make an ns-3 callback of the function of a number. */
    static ns3::Callback<R, A...> Make(uint64_t number)
    {
        return ns3::Callback<R, A...>([number](A... arguments) -> R { return call(number, arguments...); });
    }
};

/** Executes the event of a number. */
std::function<void(uint64_t)> g_event;

/** Set the function that executes events. */
void
SetEvent(std::function<void(uint64_t)> function)
{
    g_event = std::move(function);
}

/** Schedule the event of a number after a delay. */
ns3::EventId
Schedule(const ns3::Time& delay, uint64_t number)
{
    return ns3::Simulator::Schedule(delay, [number] { g_event(number); });
}

/** Schedule the event of a number for the destruction of the simulator. */
void
AtDestroy(uint64_t number)
{
    ns3::Simulator::ScheduleDestroy([number] { g_event(number); });
}

} // namespace relnet
"""

_END = 0
"""Number of the event at the simulator's destruction."""

_numbers = itertools.count(1)
_events: dict[int, Callable[[], None]] = {}
_sinks: dict[int, Callable[..., Any]] = {}
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


@_carry
def _event(number: int) -> None:
    """Execute the event of a number."""
    _events.pop(number)()


@_carry
def _sink(number: int, *arguments: Any) -> Any:
    """Call the callback of a number."""
    return _sinks[number](*arguments)


@lru_cache(maxsize=1)
def _shim() -> Any:
    cppyy = load()
    cppyy.cppdef(_SHIM)
    cppyy.gbl.relnet.SetEvent(_event)
    simulator = cppyy.gbl.ns3.Simulator
    run = simulator.Run

    def run_and_raise() -> None:
        """Execute events until none is left or a Python function raises an exception."""
        _raised.clear()
        try:
            run()
        except CallbackError:
            raise _raised[-1] from None

    simulator.Run = staticmethod(run_and_raise)
    with contextlib.suppress(NotImplementedError):
        # Fails if the program has used ns3::Packet before; `_calls` reports the error when the type is needed.
        cppyy.gbl.relnet.Numbered["void(ns3::Ptr<const ns3::Packet>)"].SetCall(_sink)
    return cppyy.gbl.relnet


def warm(spaces: Iterable[str] = (), words: Iterable[str] = ()) -> None:
    """
    Compile frequently used declarations, so that children inherit them.

    Parameters
    ----------
    spaces : iterable of str
        Namespaces of relnet that functions use; `messaging` includes the calls of a study with a group of endpoints.
    words : iterable of str
        Names and string constants of functions: the classes of those namespaces and the signatures of callbacks among
        them are compiled.
    """
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
    for name in spaces:
        getattr(ns, name)
    if "messaging" in spaces:
        _rehearse(ns.messaging, ns3)
    for name in spaces:
        space = getattr(ns, name)
        for kind in (getattr(space, word) for word in sorted({*words} & {*dir(space)})):
            if isinstance(kind, type) and issubclass(kind, ns3.Object) and kind.GetTypeId().HasConstructor():
                ns3.CreateObject[kind]()
    for word in words:
        if re.fullmatch(r"[\w:<>,&* ]+\([\w:<>,&* ]*\)", word):
            with contextlib.suppress(RelnetError):
                callback(print, word)
    ns3.Simulator.Destroy()
    # Random variables of a child then get the same streams as in a new process.
    ns3.RngSeedManager.ResetNextStreamIndex()


def _rehearse(messaging: Any, ns3: Any) -> None:
    """Run a study of one message over a network with faults, so that its calls are compiled."""
    network = ns3.CreateObject[messaging.LoopbackNetwork]()
    network.Build(2)
    faults = ns3.CreateObject[messaging.FaultPlan]()
    faults.SetAttribute("Loss", ns3.DoubleValue(0.0))
    site = messaging.Site()
    site.clock = network.GetClock()
    port = ns3.Create[messaging.FaultyPort[messaging.AnyPort]](site.clock, network.GetPort(), faults)
    site.port = messaging.MakeAnyPort(port)
    group = ns3.CreateObject[messaging.NoneProtocol]().Connect(site)
    audit = ns3.CreateObject[messaging.DeliveryAudit]()
    audit.SetGroup(group)
    nodes = ns3.NodeContainer(2)
    endpoints = ns3.CreateObject[messaging.GroupEndpoints]()
    endpoints.Connect(audit)
    endpoints.Aggregate(nodes)
    endpoint = nodes.Get(0).GetObject[messaging.MessageEndpoint]()
    for trace in ("Post", "Deliver", "Complete"):
        connect(endpoint, trace, lambda *arguments: None)
    endpoint.SetReadyCallback(callback(lambda: None, "void()"))
    request = messaging.Request()
    request.id, request.to, request.bytes = 0, 1, 1
    schedule(0, lambda: endpoint.Post(request) == messaging.Acceptance.ACCEPTED)
    ns3.Simulator.Run()
    audit.Finish()
    _ = audit.GetCounts().delivered, audit.IsClean(), faults.GetCount("lost")
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
        Id of the event, to cancel it.
    """
    shim = _shim()
    simulator = load().gbl.ns3
    if isinstance(delay, int | float):
        delay = simulator.Seconds(float(delay))
    if not _events:
        _events[_END] = _events.clear
        shim.AtDestroy(_END)
    number = next(_numbers)
    _events[number] = functools.partial(function, *arguments)
    return shim.Schedule(delay, number)


def callback(function: Callable[..., Any], signature: str) -> Any:
    """
    Make an ns-3 callback of a Python function.

    Parameters
    ----------
    function : callable
        The function; a reference is kept until the process ends.
    signature : str
        Its C++ type, such as `void(ns3::Ptr<const ns3::Packet>)`.

    Returns
    -------
    ns.Callback
        The callback, for any ns-3 function that takes one.

    Raises
    ------
    RelnetError
        If the signature is not a C++ function type.
    """
    calls = _calls(signature)
    number = next(_numbers)
    _sinks[number] = function
    return calls.Make(number)


@lru_cache
def _calls(signature: str) -> Any:
    """The C++ class that calls Python functions of a signature."""
    try:
        calls = _shim().Numbered[signature]
        calls.SetCall(_sink)
    except NotImplementedError:
        raise RelnetError(
            f"The binding can no longer make callbacks of {signature}, since the program has used their arguments: "
            "make the first callback before that."
        ) from None
    except (TypeError, AttributeError, SyntaxError) as error:
        raise RelnetError(f"{signature!r} is not a C++ function type such as 'void(uint32_t)': {error}") from None
    return calls


def connect(source: Any, trace: str, function: Callable[..., Any], signature: str | None = None) -> None:
    """
    Connect a Python function to a trace source.

    The TypeId of the source declares the arguments of the function.

    Parameters
    ----------
    source : ns.Object or ns.Ptr
        Object with the trace source.
    trace : str
        Its name.
    function : callable
        The function.
    signature : str, optional
        The C++ type of the trace source's sinks, such as `void(ns3::Ptr<const ns3::Packet>)`. Required only if no
        header declares the type that the TypeId names.

    Raises
    ------
    RelnetError
        If there is no such trace source, the signature does not match, or the function cannot take the arguments.
    """
    if not callable(function):
        raise RelnetError(f"{function!r} is not a function: a trace source needs one to call.")
    expected = _signature(source, trace)
    if signature is None and expected is None:
        raise RelnetError(f"The signature of {trace!r} is not declared: pass it, such as 'void(uint32_t)'.")
    given = expected if signature is None else _canonical(signature)
    if given is None:
        raise RelnetError(f"{signature!r} is not a C++ function type such as 'void(uint32_t)'.")
    if expected is not None and given != expected:
        raise RelnetError(f"The trace source {trace!r} expects a sink {expected}, not {given}.")
    _check_arguments(function, given, trace)
    source.TraceConnectWithoutContext(trace, callback(function, signature or given))


def _signature(source: Any, trace: str) -> str | None:
    """C++ type of the sinks of a trace source, from its TypeId; None if no included header declares it."""
    own = kind = source.GetInstanceTypeId()
    names = []
    while True:
        for index in range(kind.GetTraceSourceN()):
            found = kind.GetTraceSource(index)
            names.append(str(found.name))
            if names[-1] == trace:
                return _canonical(str(found.callback))
        if not kind.HasParent() or kind.GetParent() == kind:
            guess = nearest(trace, names)
            hint = f"did you mean {guess}? It" if guess else "it"
            listed = ", ".join(names) or "none"
            raise RelnetError(f"{own.GetName()} has no trace source {trace!r}; {hint} has {listed}.")
        kind = kind.GetParent()


@lru_cache
def _canonical(name: str) -> str | None:
    """Resolve the aliases of a type of sinks, as in `void(unsigned int)`; None if it is not declared."""
    _shim()
    cppyy = load()
    module = name.removeprefix("ns3::").split("::")[0]
    if module in own_namespaces():
        # Includes its headers.
        getattr(ns, module)
    number = next(_numbers)
    with silenced(2):
        try:
            cppyy.cppdef(
                f"namespace relnet {{ const char* Sink{number}() "
                f"{{ return SinkName<std::remove_pointer_t<{name}>>(); }} }}"
            )
        except SyntaxError:
            return None
    told = str(getattr(cppyy.gbl.relnet, f"Sink{number}")())
    return re.sub(r".*\[F = (.*)\]$", r"\1", told).replace(" (", "(", 1)


def _check_arguments(function: Callable[..., Any], signature: str, trace: str) -> None:
    """Refuse a function that cannot be called with the arguments of a sink."""
    try:
        accepted = inspect.signature(function)
    except (TypeError, ValueError):
        return
    inside = re.sub(r"<[^<>]*(<[^<>]*>[^<>]*)*>", "", signature[signature.find("(") + 1 : signature.rfind(")")])
    count = 0 if inside.strip() in ("", "void") else inside.count(",") + 1
    try:
        accepted.bind(*[None] * count)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise RelnetError(
            f"The trace source {trace!r} calls its sinks with {count} argument{'s' * (count != 1)}, {signature}; "
            f"{name}{accepted} cannot be called with these."
        ) from None


def deref(pointer: Any) -> Any:
    """
    Get the object of a smart pointer.

    Methods can be called on an `ns.Ptr` itself; functions of ns-3 that take a reference need the object.

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
