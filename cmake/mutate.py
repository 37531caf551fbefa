# SPDX-License-Identifier: GPL-2.0-only
"""Changes rules of cores and networks one at a time, and counts the changes that the ns-3 suites detect.

    cmake/mutate.py [--count 300] [--seed 1] [--groups pcode,messaging:model/check/*] [--modules messaging,pcode]
                    [--folder build-mutate] [--list]

The same number of mutants is drawn from each group below, and within it from each kind in turn. All are compiled
together into a copy of the sources: each changed expression checks whether the environment variable RELNET_MUTANT
selects it. One build thus contains all mutants, and no library keeps an unchanged copy of a mutated template. Spares
replace mutants that do not compile. In a run without a mutant, all suites have to pass, and record the mutants that
they reach. Then each suite runs for each mutant that it reaches and that no earlier suite has detected, by a failed
test or by five times the processor time. Suites of the mutant's module come first, and short ones before long ones.
Indices of containers are checked, so that an index beyond the end fails, as in `make sanitize`. FOLDER/results.json
stores the results, so that an interrupted run resumes; remove it after a change of tests. A pattern behind a group
chooses some of its files, --modules the modules that are compiled, with their suites. Suites of real sockets take part
only with JOBS=1. --list prints the drawn mutants only.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Sources of the rules of protocols and networks, by group (module).
GROUPS = {
    "broadcast-ethernet": ["model/*"],
    "ethernet-fabric": ["model/*"],
    "eqa": ["model/eqa-core.h", "model/eqa-point.*", "model/eqa-session.*"],
    "idempotent": ["model/core/*"],
    "infiniband": ["model/base/*", "model/adapter/*", "model/fabric/*", "model/subnet/*", "model/port/*"],
    "messaging": [
        *("model/seam/*", "model/congestion/*", "model/network/*"),
        *("model/sockets/*", "model/faults/*", "model/check/*"),
    ],
    "messaging-live": ["model/*"],
    "messaging-scenario": ["helper/*"],
    "messaging-search": ["model/*"],
    "mpi-ranks": ["model/core/*"],
    "myrinet": ["model/*"],
    "parastation": ["model/parastation-[!s]*", "model/parastation-states.h", "model/protocols/*"],
    "pcode": ["model/core/*", "model/rivals/*"],
    "roce": ["model/core/*", "model/protocols/*"],
    "sdr": ["model/core/*", "model/protocols/*"],
    "uet": ["model/core/*", "model/protocols/*"],
    "wormhole": ["model/kernels/*", "model/network/*", "model/port/*", "model/topology/*"],
}

# Functions without a rule: those that describe, count bytes of memory, prefetch, or release resources.
UNRULED = re.compile(r"GetTypeId|Memory|Print|Describe|Name\(|ToString|Help|\b(On)?Expect|operator<<|DoDispose|~\w+\(")
# Statements without a rule (checks of the caller, logs, hints for speed), or whose operands have to be constant.
FIXED = re.compile(
    r"constexpr|static_assert|requires|template|\bcase\b|\busing\b|\benum\b|\boperator\b|NS_|\bstatic const\b|noexcept"
    r"|[Pp]refetch|[Rr]eserve\(|shrink_to_fit|likely\]"
)
# Equivalent changes: boundaries of random real numbers, and differences of packed fields, as distinct as sums.
SAME = {
    **dict.fromkeys(("<", "<=", ">", ">="), re.compile(r"GetValue\(\)|GetValue\(0, 1\)")),
    "+": re.compile(r"\bPut\(.*<< \d+\) \+ ", re.DOTALL),
}
# Suites of real sockets and clocks, which concurrent runs can make fail.
UNSUITED = re.compile(r"-live$")

HEADER = """#pragma once
#include <cstdio>
#include <cstdlib>
struct RelnetMutants
{
    int chosen{std::getenv("RELNET_MUTANT") ? std::atoi(std::getenv("RELNET_MUTANT")) : -1};
    const char* log{std::getenv("RELNET_MUTANT_LOG")};
    bool reached[10000]{};
    ~RelnetMutants()
    {
        FILE* file = log ? std::fopen(log, "a") : nullptr;
        for (int i = 0; file && i < 10000; ++i)
        {
            reached[i] ? void(std::fprintf(file, "%d\\n", i)) : void();
        }
        file ? void(std::fclose(file)) : void();
    }
};
inline RelnetMutants relnetMutants;
inline bool RelnetMutant(int number)
{
    if (relnetMutants.log)
    {
        relnetMutants.reached[number] = true;
    }
    return relnetMutants.chosen == number;
}
"""

# Replacements of binary operators. The format has spaces around operators, but not around the brackets of templates.
OTHER = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    **{"+": "-", "-": "+", "&&": "||", "||": "&&"},
}
# Operators that end an operand, weakest first.
LEVELS = [{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}]
WEAKEST = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "?", ":", "return"}

# A place in a file, with its group, its replacement (@ stands for its number), and the description.
Mutant = collections.namedtuple(
    "Mutant", "file line start end kind text shown group number spare", defaults=("", 0, False)
)


def blank(text: str) -> str:
    """The text with comments and preprocessor lines as blanks and literals as Q, of the same length."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[^\n]*'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", "Q" if m[0][0] in "\"'" else " ", m[0]), text, flags=re.S | re.M)


def bodies(text: str) -> list[tuple[int, int]]:
    """The bodies of functions with rules: outermost blocks behind a closed parenthesis, or what may follow it."""
    found = []
    stack: list[tuple[int, bool, bool, str]] = []
    for at, char in enumerate(text):
        if char == "{":
            before = text[max(0, at - 1000) : at].rstrip()
            inside = bool(stack) and stack[-1][1]
            starts = not inside and bool(re.search(r"\)\s*(const|override|final|noexcept|\s)*$", before))
            stack.append((at, inside or starts, starts, re.split(r"[;{}]", before)[-1]))
        elif char == "}" and stack:
            start, _, outermost, head = stack.pop()
            if outermost and "constexpr" not in head and not UNRULED.search(head):
                found.append((start, at))
    return found


def operand(text: str, at: int, step: int, stop: set[str]) -> int:
    """The far end of the operand that begins at a place, in a direction."""
    depth = 0
    opening, closing = ("([{", ")]}") if step > 0 else (")]}", "([{")
    while depth > 0 or text[at] not in closing + ",;":
        depth += (text[at] in opening) - (text[at] in closing)
        if depth == 0 and text[at] in " \n":
            near = text[at : at + 200] if step > 0 else text[max(0, at - 200) : at + 1]
            word = re.match(r"\s+(\S+)(?=\s)", near) if step > 0 else re.search(r"(\S+)\s+$", near)
            if word and word[1] in stop | WEAKEST:
                break
        at += step
    return at


def sites(source: str, file: str = "") -> list[Mutant]:
    """Every mutant of a source."""
    text = blank(source)
    found = []

    def add(kind, start, end, changed, shown):
        while text[start] in " \n":
            start += 1
        while text[end - 1] in " \n":
            end -= 1
        statement = text[max(text.rfind(c, 0, start) for c in ";{}") + 1 : end]
        if kind in SAME and SAME[kind].search(statement):
            return
        # Quoted text is for readers.
        if not FIXED.search(statement) and not re.search(r"\bQ+\b", statement) and "//" not in source[start:end]:
            line = source.count("\n", 0, start) + 1
            found.append(Mutant(file, line, start, end, kind, changed(source[start:end]), " ".join(shown.split())))

    for begin, finish in bodies(text):
        for match in re.finditer(r"(?<= )(<=|>=|==|!=|<|>|\+|-|&&|\|\|)(?=[ \n])", text[begin:finish]):
            at, sign = begin + match.start(), match[0]
            level = next(i for i, signs in enumerate(LEVELS) if sign in signs)
            weaker = set().union(*LEVELS[:level])
            left = operand(text, at - 1, -1, weaker) + 1
            right = operand(text, at + len(sign), 1, weaker | LEVELS[level])
            # On one line, so that the lines of the file stay what they were.
            part = " ".join((source[left:at] + OTHER[sign] + source[at + len(sign) : right]).split())
            add(sign, left, right, lambda old, part=part: f"(RelnetMutant(@) ? ({part}) : ({old}))", part)
        for match in re.finditer(r"(?<![\w.'<])(\d+)([uUlL]*)(?![\w.'>])", text[begin:finish]):
            for by in (1, -1) if int(match[1]) > 0 else (1,):
                number = f"{int(match[1]) + by}{match[2]}"
                span = begin + match.start(), begin + match.end()
                add(
                    "constant",
                    *span,
                    lambda old, n=number: f"(RelnetMutant(@) ? {n} : {old})",
                    f"{number} for {match[0]}",
                )
        for match in re.finditer(r"\bif \(", text[begin:finish]):
            start = begin + match.end()
            end = operand(text, start, 1, set()) if " = " not in text[start:].split(")")[0] else start
            if start < end and text[end] == ")":
                shown = f"if (!({source[start:end]}))"
                add("if", start, end, lambda old: f"RelnetMutant(@) != bool({old})", shown)
        calls = r"(?<=[;{}])\s*(?!if|for|while|switch|return)(?=[\w:]+(?:(?:\.|->|::)\w+|\[[^\]]*\])*\()"
        for match in re.finditer(calls, text[begin:finish]):
            start = begin + match.end()
            end = operand(text, start, 1, set())
            if text[end - 1 : end + 1] == ");":
                add("call", start, end, lambda old: f"if (!RelnetMutant(@)) {old}", f"without {source[start:end]}")
    return found


def ranked(seed: int, source: str, mutants: list[Mutant]) -> list[tuple[bytes, Mutant]]:
    """The mutants of a file, each with its place in a random order, which changes of other lines leave as it is."""
    lines = source.splitlines()
    found = []
    alike: collections.Counter[str] = collections.Counter()
    for m in mutants:
        what = f"{seed} {m.file} {lines[m.line - 1].strip()} {m.shown}"
        found.append((hashlib.sha256(f"{what} {alike[what]}".encode()).digest(), m))
        alike[what] += 1
    return found


def draw(count: int, seed: int, groups: dict[str, list[str]]) -> list[Mutant]:
    """Mutants drawn at random, as many of each group and spares for those that do not compile, none within another."""
    drawn: list[Mutant] = []
    for place, (group, patterns) in enumerate(groups.items()):
        folder = ROOT / "contrib" / group
        files = sorted({f for pattern in patterns for f in folder.glob(pattern) if f.suffix in (".h", ".cc")})
        by_kind = collections.defaultdict(list)
        for file in files:
            source = file.read_text()
            for draw_order, mutant in ranked(seed, source, sites(source, str(file.relative_to(ROOT)))):
                by_kind[mutant.kind].append((draw_order, mutant))
        # Of each kind in turn, since most are of the most frequent one.
        turns = itertools.chain.from_iterable(itertools.zip_longest(*(sorted(by_kind[k]) for k in sorted(by_kind))))
        wanted = count // len(groups) + (place < count % len(groups))
        taken: list[Mutant] = []
        for _, m in filter(None, turns):
            if len(taken) < wanted + wanted // 4 + 1 and not any(
                m.file == t.file and m.start < t.end and t.start < m.end for t in taken
            ):
                number = len(drawn) + len(taken) + 1
                taken.append(m._replace(group=group, number=number, spare=len(taken) >= wanted))
        drawn += taken
    return drawn


def apply(text: str, mutants: list[Mutant]) -> str:
    """A source with mutants."""
    for m in sorted(mutants, key=lambda m: -m.start):
        text = text[: m.start] + m.text.replace("@", str(m.number)) + text[m.end :]
    return f'#include "mutants.h"\n#line 1\n{text}' if mutants else text


def write(tree: Path, mutants: list[Mutant]) -> None:
    """Bring the copy of the sources up to date, with the mutants; what has not changed is not touched."""
    listed = ["git", "ls-files", "-z", "-co", "--exclude-standard", "contrib", "cmake", "CMakeLists.txt"]
    names = subprocess.check_output(listed, cwd=ROOT, text=True).split("\0")
    texts = {n: (ROOT / n).read_text() for n in names if (ROOT / n).is_file()}
    for name in {m.file for m in mutants}:
        texts[name] = apply(texts[name], [m for m in mutants if m.file == name])
    for name, text in (texts | {"mutants.h": HEADER}).items():
        file = tree / name
        if not file.exists() or file.read_text() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


def build(tree: Path, mutants: list[Mutant], jobs: int, modules: list[str]) -> list[Mutant]:
    """Configure and compile; mutants in lines that do not compile are dropped, until all do."""
    write(tree, mutants)
    (tree / ".venv").exists() or (tree / ".venv").symlink_to(ROOT / ".venv")
    flags = f"-O1 -w -fpermissive -Wno-narrowing -D_GLIBCXX_ASSERTIONS -I{tree}"
    configure = [
        "cmake",
        "-S",
        ".",
        "-B",
        "build",
        "-G",
        "Ninja",
        "-DCMAKE_BUILD_TYPE=None",
        f"-DCMAKE_CXX_FLAGS={flags}",
    ]
    configure += ["-DRELNET_WERROR=OFF", "-DRELNET_PRECOMPILE=ON"]
    # Enough for the runner; scratch programs and benchmarks are left out.
    configure += ["-DRELNET_ENABLED_MODULES=" + ";".join(modules)]
    subprocess.run(configure, cwd=tree, check=True, stdout=subprocess.DEVNULL)
    while True:
        make = ["ninja", "-C", "build", "-k", "0", "-j", str(jobs), "relnet-test-runner"]
        run = subprocess.run(make, cwd=tree, stdout=subprocess.PIPE, text=True, check=False)
        if run.returncode == 0:
            return mutants
        # An error within a macro or template names the place that uses it, too.
        places = re.findall(r"(?m)^(\S+?\.(?:h|cc)):(\d+):\d+:(?: error| note|   required)", run.stdout)
        wrong = {(os.path.normpath(tree / "build" / file), int(line)) for file, line in places}
        kept = [
            m
            for m in mutants
            if not any((str(tree / m.file), m.line + n) in wrong for n in range(m.text.count("\n") + 1))
        ]
        print(f"{len(mutants) - len(kept)} of {len(mutants)} mutants do not compile", flush=True)
        if len(kept) == len(mutants):
            raise SystemExit(run.stdout[-4000:])
        mutants = kept
        write(tree, mutants)


def passes(tree: Path, suite: str, limit: float, **environment: str) -> tuple[bool, float]:
    """Whether a suite passes within a limit of its processor time [s], and what it took."""
    with tempfile.TemporaryDirectory() as folder:
        limits = f'ulimit -t {int(limit) + 1} -d 4000000; exec "$0" "$@"'
        runner = tree / "build" / "bin" / "relnet-test-runner"
        # Only real time ends one that waits for ever, so it is generous.
        run = subprocess.Popen(
            ["timeout", str(20 * limit), "bash", "-c", limits, runner, f"--suite={suite}", "--stop-on-failure"],
            cwd=folder,
            env=os.environ | environment | {"TMP": folder},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, run.returncode, usage = os.wait4(run.pid, 0)
    return run.returncode == 0, usage.ru_utime + usage.ru_stime


def chosen_groups(text: str) -> dict[str, list[str]]:
    """Groups, each with the patterns of its files, by names as in `pcode,messaging:model/check/*`."""
    groups: dict[str, list[str]] = {}
    for name, _, pattern in (part.partition(":") for part in text.split(",")):
        if name not in GROUPS:
            raise argparse.ArgumentTypeError(f"there is no group {name!r}; the groups are {', '.join(GROUPS)}")
        groups.setdefault(name, []).extend([pattern] if pattern else GROUPS[name])
    return groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", type=chosen_groups, default=GROUPS)
    modules = sorted(p.name for p in (ROOT / "contrib").iterdir())
    parser.add_argument("--modules", type=lambda names: names.split(","), default=modules)
    parser.add_argument("--folder", type=Path, default=ROOT / "build-mutate")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    drawn = draw(arguments.count, arguments.seed, arguments.groups)
    if arguments.list:
        for m in drawn:
            print(f"{m.number} {m.file}:{m.line}: {m.kind}: {m.shown}{' (spare)' * m.spare}")
        return
    jobs = int(os.environ.get("JOBS", os.cpu_count() or 1))
    folder = arguments.folder.resolve()
    tree = folder / "tree"
    folder.mkdir(parents=True, exist_ok=True)
    # By mutant, whether it compiles, which suites have passed and, if any, the one that has noticed it.
    results = folder / "results.json"
    known = json.loads(results.read_text()) if results.exists() else {}
    of = {m.number: known.setdefault(f"{m.file}:{m.start}:{m.text}", {"passed": []}) for m in drawn}
    mutants = build(tree, [m for m in drawn if "wrong" not in of[m.number]], jobs, arguments.modules)
    for m in set(drawn) - set(mutants):
        of[m.number]["wrong"] = True
    results.write_text(json.dumps(known, indent=1))
    chosen = []
    for place, group in enumerate(arguments.groups):
        share = arguments.count // len(arguments.groups) + (place < arguments.count % len(arguments.groups))
        chosen += [m for m in mutants if m.group == group][:share]
    runner = tree / "build" / "bin" / "relnet-test-runner"
    listed = subprocess.check_output([runner, "--list"], text=True).split()
    suites = [s for s in listed if jobs == 1 or not UNSUITED.search(s)]
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    built = max(file.stat().st_mtime for file in (tree / "build" / "lib").rglob("*.so"))

    def measure(suite):
        log, taken = folder / f"{suite}.reached", folder / f"{suite}.seconds"
        if not taken.exists() or taken.stat().st_mtime < built:
            log.write_text("")
            passed, seconds = passes(tree, suite, 3600, RELNET_MUTANT_LOG=str(log))
            if not passed:
                raise SystemExit(f"{suite} fails without a mutant.")
            taken.write_text(str(seconds))
        return suite, float(taken.read_text()), {int(line) for line in log.read_text().split()}

    measured = sorted(pool.map(measure, suites), key=lambda m: m[1])
    print(f"{len(suites)} suites take {sum(m[1] for m in measured):.0f} s of processor time", flush=True)
    for own, (suite, seconds, reached) in itertools.product((True, False), measured):

        def judge(m, suite=suite, seconds=seconds):
            return m, passes(tree, suite, 2 + 5 * seconds, RELNET_MUTANT=str(m.number))[0]

        left = [m for m in chosen if m.number in reached and suite.startswith(m.group) == own]
        left = [m for m in left if "noticed" not in of[m.number] and suite not in of[m.number]["passed"]]
        for m, passed in pool.map(judge, left):
            of[m.number].update({"passed": [*of[m.number]["passed"], suite]} if passed else {"noticed": suite})
            results.write_text(json.dumps(known, indent=1))
    everywhere = set().union(*(m[2] for m in measured))
    for m in (m for m in chosen if "noticed" not in of[m.number]):
        verdict = "survived" if m.number in everywhere else "not reached"
        print(f"{verdict}: {m.number} {m.file}:{m.line}: {m.kind}: {m.shown}")
    for group in [*arguments.groups, "all"]:
        part = [m for m in chosen if group in ("all", m.group)]
        seen = sum(m.number in everywhere for m in part)
        noticed = sum("noticed" in of[m.number] for m in part)
        print(f"{group}: {len(part)} drawn, {seen} reached, {noticed} noticed ({100 * noticed / len(part):.1f} %)")


if __name__ == "__main__":
    main()
