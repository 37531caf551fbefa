# SPDX-License-Identifier: GPL-2.0-only
"""All ns-3 test suites and registered examples of the modules."""

import os
import runpy
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / os.environ.get("RELNET_BUILD", "build") / "bin"
RUNNER = BIN / "relnet-test-runner"
FULLNESS = "EXTENSIVE" if os.environ.get("RELNET_EXTENSIVE") == "1" else "QUICK"


def suites() -> list[str]:
    """Names of the runner's suites; empty before the first build."""
    if not RUNNER.exists():
        return []
    run = subprocess.run([RUNNER, "--list"], capture_output=True, text=True, check=True)
    return run.stdout.split()


def examples() -> list[str]:
    """Command lines of the examples, of the long ones only if RELNET_EXTENSIVE=1."""
    listed = []
    for path in sorted(ROOT.glob("contrib/*/test/examples-to-run.py")):
        listing = runpy.run_path(str(path))
        for command, run, *_ in listing.get("cpp_examples", []):
            if run == "True" or FULLNESS == "EXTENSIVE":
                listed.append(command)
    return listed


def succeed(command: list[str], folder: Path) -> None:
    """Run a program in a separate folder; fail with the end of its output."""
    # ns-3 names its folder of temporary files by the second, so that programs started in one second would share it.
    own = os.environ | {"TMP": str(folder)}
    run = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False, timeout=900)
    output = run.stdout + run.stderr
    assert run.returncode == 0, f"{' '.join(map(str, command))}\n{output[-6000:]}"


def test_runner_is_built():
    assert RUNNER.exists(), "run `make test`, which builds it"


@pytest.mark.parametrize("suite", suites())
def test_suite(suite, tmp_path):
    succeed([RUNNER, f"--suite={suite}", f"--fullness={FULLNESS}", "--verbose"], tmp_path)


@pytest.mark.parametrize("command", examples())
def test_example(command, tmp_path):
    program, *arguments = shlex.split(command)
    succeed([BIN / program, *arguments], tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "broadcast-ethernet-udp --interval=0s",
        "broadcast-ethernet-udp --size=1473",
        "eqa-example --bytes=67108865",
        "eqa-wifi --network=token-ring",
        "idempotent-example --benchmark=nbody --nodes=3",
        "idempotent-example --benchmark=fft",
        "idempotent-socket-example --protocol=tcp",
        "infiniband-ipoib --hosts=0",
        "infiniband-verbs --corruption=2",
        "messaging-example --loss=1",
        "mpi-ranks-port-example --ranks=1",
        "mpi-ranks-program-example --transport=XRC",
        "myrinet-deadlock --routes=any",
        "myrinet-tcp --nodes=0",
        "parastation-example --loss=1",
        "parastation-myrinet --failure=flood",
        "pcode-example --rounds=0",
        "pcode-wifi --protocol=p3",
        "roce-example --control=bbr",
        "roce-irn-trace --arrivals=none",
        "sdr-example --scheme=none",
        "uet-example --mode=rudi",
        "wormhole-heat-map --load=-1",
        "wormhole-heat-map --shape=8y8",
        "wormhole-udp --router=any",
    ],
)
def test_example_refuses_in_one_sentence(command, tmp_path):
    program, *arguments = shlex.split(command)
    words = [BIN / program, *arguments]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240)
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("relnet-eqa --nodes=0", 'Nodes is "0"'),
        ("relnet-idempotent --benchmark=foo", "reverse|add|"),
        ("relnet-mpi-infiniband --rate=QQR", "SDR|DDR|QDR"),
        ("relnet-parastation2 --loss=abc", 'Loss is "abc"'),
        ("relnet-pcode --nodes=-4", 'Nodes is "-4"'),
    ],
)
def test_scratch_program_refuses_in_one_sentence(command, sentence, tmp_path):
    program, *arguments = shlex.split(command)
    run = subprocess.run([BIN / program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1 and sentence in run.stderr
