# SPDX-License-Identifier: GPL-2.0-only
"""ns-3 from Python: quiet and fast loading, callbacks, smart pointers, and functions in child processes."""

import os
import subprocess
import sys
import textwrap

import pytest

import relnet
from relnet.binding import namespace


def python(script, **options):
    """Run a script in a fresh interpreter; gives back its output, which has to be all there is."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_package_loads_nothing_before_it_is_used():
    script = """
        import sys
        import relnet
        heavy = {"cppyy", "pandas", "numpy", "tqdm", "cloudpickle", "matplotlib", "sqlite3"}
        print(sorted(heavy & set(sys.modules)))
        from relnet import ns
        print(sorted({"cppyy", "pandas", "numpy"} & set(sys.modules)))
        print(all(hasattr(relnet, name) for name in relnet.__all__))
        """
    assert python(script) == "[]\n[]\nTrue\n"


def test_modules_for_users_are_attributes_of_the_package():
    script = """
        import relnet
        print(relnet.plots.curves.__name__, relnet.live.connect.__name__, "distributed" in dir(relnet))
        """
    assert python(script) == "curves connect True\n"


def test_command_line_loads_neither_pandas_nor_cppyy(sample):
    script = """
        import sys
        from relnet import cli
        cli.main(["run", "sample"])
        print(sorted({"cppyy", "pandas", "numpy", "tqdm"} & set(sys.modules)))
        """
    assert python(script).splitlines()[-1] == "[]"


def test_loading_is_quiet(tmp_path):
    script = """
        from relnet import ns
        print(ns.Simulator.Now().GetSeconds(), ns.NodeContainer(3).GetN(), ns.messaging.Verdict.LIVELOCK != 0)
        """
    assert python(script, cwd=tmp_path) == "0.0 3 True\n"


def test_missing_names_tell_where_they_are():
    def look():
        from relnet import ns

        told = []
        for name in ("CsmaHelper", "NoSuchThing"):
            try:
                getattr(ns, name)
            except AttributeError as error:
                told.append(str(error))
        try:
            relnet.ns3_modules("csmaa")
        except relnet.RelnetError as error:
            told.append(str(error).partition(";")[0])
        relnet.ns3_modules("csma")
        told.append(ns.CsmaHelper.__name__)
        return told

    assert relnet.isolated(look) == [
        "ns has no 'CsmaHelper': call relnet.ns3_modules('csma') first.",
        "ns has no 'NoSuchThing': no module of ns-3 declares it.",
        "ns-3 has no module 'csmaa' here",
        "CsmaHelper",
    ]


def test_modules_asked_for_are_in_children():
    script = """
        import relnet
        relnet.ns3_modules("csma")
        print(relnet.isolated(lambda: relnet.ns.CsmaHelper.__name__))
        """
    assert python(script) == "CsmaHelper\n"


def test_events_keep_their_functions():
    def simulate():
        import gc

        from relnet import ns, schedule
        from relnet.binding import callbacks

        seen = []
        schedule(1, lambda: seen.append(ns.Simulator.Now().GetSeconds()))
        schedule(ns.MilliSeconds(500), seen.append, "first")
        cancelled = schedule(0.7, seen.append, "never")
        ns.Simulator.Cancel(cancelled)
        gc.collect()
        ns.Simulator.Run()
        ns.Simulator.Destroy()
        seen.append(len(callbacks._events))
        schedule(2, seen.append, "again")
        ns.Simulator.Run()
        return seen

    assert relnet.isolated(simulate) == ["first", 1.0, 0, "again"]


def test_exceptions_come_out_of_run():
    class Trouble(Exception):
        def __init__(self, what, number):
            super().__init__(what, number)
            self.number = number

    def simulate():
        from relnet import ns, schedule

        def fail():
            raise Trouble("in an event", 7)

        seen = []
        schedule(1, fail)
        schedule(2, seen.append, "the next event")
        try:
            ns.Simulator.Run()
        except Trouble as error:
            seen.append(error.number)
        ns.Simulator.Run()
        return seen

    assert relnet.isolated(simulate) == [7, "the next event"]


def test_trace_sinks_and_pointers():
    def simulate():
        from relnet import callback, connect, deref, ns

        nodes = ns.NodeContainer(2)
        channel = ns.CreateObject[ns.SimpleChannel]()
        devices = []
        for index in range(2):
            device = ns.CreateObject[ns.SimpleNetDevice]()
            device.SetAddress(ns.Mac48Address.Allocate().ConvertTo())
            device.SetChannel(channel)
            nodes.Get(index).AddDevice(device)
            devices.append(device)
        losses = ns.CreateObject[ns.RateErrorModel]()
        losses.SetRate(1.0)
        losses.SetUnit(ns.RateErrorModel.ERROR_UNIT_PACKET)
        devices[1].SetReceiveErrorModel(losses)
        sizes = []
        connect(
            devices[1], "PhyRxDrop", lambda packet: sizes.append(packet.GetSize()), "void(ns3::Ptr<const ns3::Packet>)"
        )
        connect(devices[1], "PhyRxDrop", lambda packet: sizes.append(packet.GetSize()))
        devices[0].Send(ns.Create[ns.Packet](100), devices[1].GetAddress(), 0x800)
        ns.Simulator.Run()
        told = [sizes, type(deref(nodes.Get(0))).__name__, deref(3)]
        try:
            connect(devices[1], "Nowhere", print, "void()")
        except relnet.RelnetError as error:
            told.append(str(error))
        try:
            deref(ns.Ptr[ns.Node]())
        except relnet.RelnetError as error:
            told.append(str(error))
        try:
            callback(print, "no type")
        except relnet.RelnetError as error:
            told.append("is not a C++ function type" in str(error))
        return told

    assert relnet.isolated(simulate) == [
        [100, 100],
        "Node",
        3,
        "ns3::SimpleNetDevice has no trace source 'Nowhere'; it has PhyRxDrop.",
        "A null ns3::Ptr<ns3::Node> has no object.",
        True,
    ]


def test_memory_of_runs_lies_in_large_pages():
    tunables = relnet.isolated(lambda: __import__("os").environ["GLIBC_TUNABLES"])
    assert tunables == os.environ.get("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")


def test_isolated_functions_start_afresh():
    def simulate(count, start=0):
        from relnet import ns

        nodes = ns.NodeContainer(count)
        return start + nodes.GetN() + ns.NodeList.GetNNodes()

    assert [relnet.isolated(simulate, 2, start=10) for _ in range(3)] == [14, 14, 14]


def test_fatal_error_is_an_exception():
    def fatal():
        from relnet import ns

        ns.TypeId.LookupByName("ns3::Nowhere")

    with pytest.raises(relnet.CrashError, match="fatal was ended by SIGABRT"):
        relnet.isolated(fatal)
    with pytest.raises(relnet.CrashError, match="exit status 3"):
        relnet.isolated(lambda: os._exit(3))


def test_exception_of_a_function_is_its_own():
    class Trouble(Exception):
        pass

    def fail():
        raise Trouble("deep inside")

    with pytest.raises(Trouble, match="deep inside") as caught:
        relnet.isolated(fail)
    if sys.version_info >= (3, 11):
        assert "in fail" in caught.value.__notes__[0]


def test_what_a_function_prints_is_shown(capsys):
    relnet.isolated(lambda: print("from the child"))
    assert capsys.readouterr().out == "from the child\n"


def test_what_cannot_travel_is_told():
    def node():
        from relnet import ns

        return ns.CreateObject[ns.Node]()

    with pytest.raises(relnet.RelnetError, match="The return value of node cannot leave its process"):
        relnet.isolated(node)
    with pytest.raises(relnet.RelnetError, match="cannot be sent to another process"):
        relnet.isolated(lambda lock: None, __import__("threading").Lock())
    assert relnet.isolated(lambda: relnet.ns.TypeId.LookupByName("ns3::Node").GetName()) == "ns3::Node"


def test_namespace_travels_by_name():
    import cloudpickle

    assert cloudpickle.loads(cloudpickle.dumps(namespace.ns)) is namespace.ns
    ns = namespace.ns
    assert relnet.isolated(lambda: ns.NodeContainer(4).GetN()) == 4


def test_what_was_loaded_is_not_loaded_again():
    """A used name needs no reading from disk, and a callback of a known type no compilation."""

    def use():
        from relnet import callback, ns, schedule
        from relnet.binding import callbacks

        seen = []
        assert ns.messaging is not None
        namespace.load_libraries = namespace.build.module_libraries = None
        before = callbacks._calls.cache_info().currsize
        # The server compiles names of a function in advance.
        signature = " (uint32_t)".join(["void", ""])
        for number in range(100):
            callback(seen.append, signature)(number)
            schedule(number, seen.append, ns.messaging.Verdict.LIVELOCK != 0)
        compiled = callbacks._calls.cache_info().currsize - before
        ns.Simulator.Run()
        ns.Simulator.Destroy()
        return seen == [*range(100), *[True] * 100], compiled

    assert relnet.isolated(use) == (True, 1)


def test_callbacks_without_arguments_are_no_events():
    def use():
        from relnet import callback, ns, schedule

        seen = []
        one, other = (callback(lambda name=name: seen.append(name), "void()") for name in ("one", "other"))
        schedule(1, seen.append, "event")
        other()
        one()
        other()
        ns.Simulator.Run()
        return seen

    assert relnet.isolated(use) == ["other", "one", "other", "event"]


def test_callbacks_return_values():
    def use():
        from relnet import callback

        return callback(lambda x: 2 * x, "uint32_t(uint32_t)")(21)

    assert relnet.isolated(use) == 42


def test_what_a_server_compiles_ahead_draws_no_stream(tmp_path):
    """Children of a server that has created random variables draw the same numbers as a new process."""
    script = """
        from relnet import ns
        from relnet.binding import callbacks
        callbacks.warm(["messaging"], ["FaultPlan", "void(uint32_t)", "no such thing", "call(me)"])
        print(ns.RngSeedManager.GetNextStreamIndex(), ns.NodeList.GetNNodes())
        """
    assert python(script, cwd=tmp_path) == "0 0\n"


def test_every_module_of_ours_is_there(tmp_path):
    names = namespace.own_namespaces()
    assert {"messaging", "ethernet", "pcode"} <= set(names)
    script = f"""
        from relnet import ns
        print([getattr(ns, name).__name__ for name in {names}])
        print(set({names}) <= set(dir(ns)))
        """
    assert python(script, cwd=tmp_path) == f"{names}\nTrue\n"


def test_static_functions_of_helpers_are_found_in_objects():
    def use():
        helper = relnet.ns.myrinet.MyrinetHelper()
        devices = helper.Install(relnet.ns.NodeContainer(3))
        return helper.GetNetwork(devices).GetNativePort().GetNPeers(), helper.AssignStreams(devices, 1)

    assert relnet.isolated(use) == (3, 4)


def test_connect_takes_the_signature_from_the_trace_source():
    """The arguments are those of the TypeId; unsuitable functions are refused before any run."""

    def connected():
        from relnet import connect, ns

        endpoint = ns.CreateObject[ns.messaging.MessageEndpoint]()
        seen = []
        connect(endpoint, "Complete", lambda request, completion: seen.append(request))
        told = []
        for trace, function, signature in (
            ("Complete", print, "void(ns3::Ptr<const ns3::Packet>)"),
            ("Complete", lambda request: None, None),
            ("Compleat", print, None),
            ("Complete", print, "nonsense"),
            ("Complete", "print", None),
        ):
            try:
                connect(endpoint, trace, function, signature)
            except relnet.RelnetError as error:
                told.append(str(error))
        return told

    told = relnet.isolated(connected)
    assert "expects a sink void(unsigned long, ns3::messaging::Completion), not " in told[0]
    assert "calls its sinks with 2 arguments" in told[1] and "cannot be called with these" in told[1]
    assert "has no trace source 'Compleat'; did you mean Complete? It has Post, Deliver, Complete" in told[2]
    assert "'nonsense' is not a C++ function type" in told[3]
    assert "'print' is not a function" in told[4] and len(told) == 5


def test_dir_lists_the_classes_of_a_module():
    def listed():
        from relnet import ns

        return dir(ns.idempotent), dir(ns.messaging)

    idempotent, messaging = relnet.isolated(listed)
    assert {"IdempotentGroup", "IdempotentCore", "PacketKind"} <= set(idempotent)
    assert {"DeliveryAudit", "Completion", "Request"} <= set(messaging) and "IdempotentGroup" not in messaging


def test_modules_that_a_function_names_are_compiled_before_its_children():
    def included():
        from relnet import ns
        from relnet.binding import namespace

        before = set(namespace._included)
        return ns.eqa.__name__ and "ns3/eqa-module.h" in before

    assert relnet.isolated(included)
