"""Generated kernels are found again by another process, and a damaged or unwritable cache is survived."""

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from numerics import cache, compile_float
from theory.errors import LemmascopeError

PROGRAM = """
import sympy as sp
from numerics import compile_float
x = sp.Symbol("x_of_the_cache_test")
import time
begin = time.process_time()
print(compile_float([sp.exp(x) * x + 1], [x])([[0.0, 1.0]]).tolist())
print(time.process_time() - begin)
"""
EXPECTED = [[1.0, 1.0 + np.e]]


def in_new_process(folder: Path) -> tuple[list[list[float]], float]:
    environment = {**os.environ, "LEMMASCOPE_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    values, seconds = done.stdout.split("\n")[:2]
    return [[float(v) for v in values.strip("[]").split(",")]], float(seconds)


def test_a_second_process_finds_the_kernel_and_a_damaged_one_is_made_again(tmp_path):
    first, _ = in_new_process(tmp_path)
    assert first == [pytest.approx(EXPECTED[0])]
    stored = sorted(p for p in tmp_path.rglob("*") if p.is_file())
    assert {p.suffix for p in stored} >= {".py", ".nbi", ".nbc"}
    before = {p: p.stat().st_mtime_ns for p in stored}
    second, seconds = in_new_process(tmp_path)
    assert second == first
    assert {p: p.stat().st_mtime_ns for p in stored} == before
    assert seconds < 5
    for path in stored:
        path.write_bytes(b"damaged" + path.read_bytes()[:40])
    assert in_new_process(tmp_path)[0] == first
    for path in tmp_path.rglob("kernel.py"):
        path.write_text("raise SystemExit('never run this')")
    assert in_new_process(tmp_path)[0] == first


SLOWLY = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from numerics.cache import generated_module
def write():
    print("written")
    time.sleep(0.5)
    return "import time; time.sleep(0.5); from pathlib import Path; Path(__file__).read_text(); answer = 42"
with ThreadPoolExecutor(4) as pool:
    assert [module.answer for module in pool.map(lambda _: generated_module("key", write), range(4))] == [42] * 4
"""


def test_threads_and_processes_that_need_the_same_new_kernel_do_not_disturb_each_other(tmp_path):
    environment = {**os.environ, "LEMMASCOPE_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", SLOWLY]
    at_once = []
    for _ in range(3):
        at_once.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
        time.sleep(0.3)
    for process in at_once:
        assert process.communicate()[0].split() == ["written"]
        assert process.returncode == 0
    assert [p.name for p in (tmp_path / "kernels").iterdir()] == ["key"]


@pytest.mark.parametrize(("size", "seconds"), [(2, 1.5), pytest.param(8, 3, marks=pytest.mark.slow)])
def test_a_second_process_computes_at_once_and_a_new_model_costs_little(size, seconds):
    script = Path(__file__).parents[2] / "benchmarks" / "cold_start.py"
    command = [sys.executable, str(script), str(size)]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in "12"]
    spent = json.loads(runs[1])
    # processor seconds; on a quiet machine below 1 to start, 0.5 for two rows and 3 for eight
    assert spent["start_seconds"] < 3
    assert spent["compile_seconds"] < seconds


def test_a_cache_that_cannot_be_written_is_survived(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    assert in_new_process(blocked)[0] == [pytest.approx(EXPECTED[0])]
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert in_new_process(locked)[0] == [pytest.approx(EXPECTED[0])]
    locked.chmod(stat.S_IRWXU)


def test_equal_formulas_have_equal_keys_and_others_do_not(monkeypatch, tmp_path):
    monkeypatch.setenv("LEMMASCOPE_CACHE", str(tmp_path))
    assert cache.cache_folder() == tmp_path / "kernels"
    assert cache.content_key("a", "b") == cache.content_key("a", "b")
    assert cache.content_key("a", "b") != cache.content_key("ab", "")


def test_a_matrix_formula_of_thirty_two_rows_compiles_as_products():
    U = sp.MatrixSymbol("U", 32, 32)
    kernel = compile_float([U * U.T * U - U], [U])
    numbers = np.random.default_rng(0).normal(size=(32, 32))
    expected = numbers @ numbers.T @ numbers - numbers
    np.testing.assert_allclose(kernel(numbers.reshape(-1, 1))[:, 0], expected.ravel(), atol=1e-10)


x, y = sp.symbols("x y")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: compile_float([x + y], [x]), "uses y, which is not among its arguments"),
        (lambda: compile_float([x], [x])([1.0]), r"reshape to \(1, n\)"),
        (lambda: compile_float([x], [x])([["a"]]), "real numbers"),
        (lambda: compile_float([x], [x])(np.array([[1j]])), "real numbers"),
        (lambda: compile_float([x], [x])(np.array([[2**60 + 1]])), "not exact in float64"),
        (lambda: compile_float([x * sp.Integer(10) ** 400], [x]), "leaves float64"),
        (lambda: compile_float([sp.airyai(x)], [x]), "airyai"),
        (lambda: compile_float([sp.MatrixSymbol("U", 9, 9).inv()], [sp.MatrixSymbol("U", 9, 9)]), "Inverse"),
    ],
)
def test_formulas_and_points_that_do_not_fit_are_refused(call, says):
    with pytest.raises(LemmascopeError, match=says):
        call()
