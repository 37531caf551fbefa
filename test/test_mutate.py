# SPDX-License-Identifier: GPL-2.0-only
"""The mutation script: mutants of an artificial source, and their detection."""

import importlib.util
import os
import shutil
import subprocess

import pytest
from test_ns3_suites import ROOT

RULES = """
int Sum(int a, int b)
{
    return a + b;
}
int main()
{
    return Sum(2, 3) == 5 ? 0 : 1;
}
"""

UNRULED = """
#define LIMIT(x) (x < 2)
int GetMemory(int a) { return a + 1; }
constexpr int Half(int a) { return a - 1; }
void Check(int a)
{
    // if (a == 1)
    NS_ASSERT(a < 3);
    g_table.reserve(a + 4);
    Log("a && b", 'c', a || 5);
}
"""


@pytest.fixture
def mutate(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "cmake" / "mutate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "GROUPS", {"tiny": ["model/*"]})
    folder = tmp_path / "contrib" / "tiny" / "model"
    folder.mkdir(parents=True)
    (folder / "rules.cc").write_text(RULES)
    (folder / "unruled.cc").write_text(UNRULED)
    return module


def test_a_broken_rule_is_drawn_and_noticed(mutate, tmp_path):
    mutants = mutate.draw(100, 1, mutate.GROUPS)
    assert mutants == mutate.draw(100, 1, mutate.GROUPS)
    assert {(m.file, m.line, m.kind, m.shown) for m in mutants} >= {
        ("contrib/tiny/model/rules.cc", 4, "+", "a - b"),
        ("contrib/tiny/model/rules.cc", 8, "==", "Sum(2, 3) != 5"),
    }
    (tmp_path / "mutants.h").write_text(mutate.HEADER)
    (tmp_path / "rules.cc").write_text(mutate.apply(RULES, mutants))
    compiler = next(filter(None, map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))))
    program, log = tmp_path / "rules", tmp_path / "log"
    subprocess.run([compiler, "-std=c++20", "-o", program, tmp_path / "rules.cc"], check=True)
    assert subprocess.run([program], env={"RELNET_MUTANT_LOG": str(log)}, check=False).returncode == 0
    (broken,) = (m for m in mutants if m.shown == "a - b")
    assert str(broken.number) in log.read_text().split()
    assert subprocess.run([program], env={"RELNET_MUTANT": str(broken.number)}, check=False).returncode == 1


def test_what_has_no_rule_is_not_drawn(mutate):
    assert [m.shown for m in mutate.sites(UNRULED)] == []
