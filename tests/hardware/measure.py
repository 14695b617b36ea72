# SPDX-License-Identifier: Apache-2.0
"""Ceilings and ladders of one device, with intervals, as far as the time allows."""

import importlib.machinery
import importlib.util
import math
import pathlib
import time

import suite

ROOT = suite.ROOT


def load_ladders():
    """Import tests/bench/ladders, whose name does not end in .py."""
    path = str(ROOT / "tests" / "bench" / "ladders")
    loader = importlib.machinery.SourceFileLoader("ladders", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ladders", loader))
    loader.exec_module(module)
    return module


ladders = load_ladders()

ROUNDS = {"gpu": 9, "cpu": 6}  # an interval needs at least 6
MATMUL_SIZES = [1024, 2048, 4096, 8192]

# In addition to tests/bench/ladders, whose sizes suit a CPU's caches better than a GPU's.
FURTHER = {
    "transpose": [("8192 × 8192", ["--size", "8192"], ["naive", "tiled", "padded", "rows", "vectors", "registers"])],
    "stencil": [("8192 × 8192, one step", ["--size", "8192x8192x1"], ["naive", "tiled", "rows", "streamed"])],
    "convolution": [("4096 × 4096 results, filter of 17 × 17", ["--size", "4096"],
                     ["naive", "constant", "tiled", "register_block"])],
    "reduce": [("sum of N = 2²⁷ numbers", ["--size", "134217728"],
                ["divergent_tree", "contiguous_tree", "several_each", "work_group", "two_launches"])],
}


def rounds_of(device: dict) -> int:
    return ROUNDS.get(device["kind"], ROUNDS["cpu"])


def ceilings_of(device: dict) -> dict:
    """The kernels for the roofline, which takes the best of them. The copy is larger than the device's caches."""
    is_gpu = device["kind"] == "gpu"
    return {
        "memory": [("copy/vectors", ["--param", f"WIDTH={width}", "--size", str(1 << (26 if is_gpu else 24))])
                   for width in ((1, 4, 16) if is_gpu else (4, 16))],
        "compute": [("fma_chain/fma_chain", ["--size", str(numbers)])
                    for numbers in ((1 << 18, 1 << 21) if is_gpu else (1 << 18,))],
    }


def run(kwb: suite.Kwb, kernels: list[str], arguments: list[str], tell, limit_s: float = 150) -> dict:
    """The results of one run, or why there are none."""
    start = time.monotonic()
    tell(f"  {' '.join(kernels)} {' '.join(arguments)}")
    try:
        document, words = kwb.call("run", *kernels, *arguments, "--rounds", str(rounds_of(kwb.device)),
                                   "--timeout", "20s", limit_s=limit_s)
    except suite.NoAnswer as silence:
        return {"results": [], "said": str(silence), "seconds": time.monotonic() - start}
    results = [] if all(result["verdict"] == "skipped" for result in document["results"]) else document["results"]
    return {"results": results, "environment": document["environment"], "said": words,
            "seconds": time.monotonic() - start}


def measure_ceilings(kwb: suite.Kwb, tell) -> dict:
    """{"memory": result of the best run, "compute": …}, without what could not be measured."""
    best = {}
    for what, tries in ceilings_of(kwb.device).items():
        rate = "gbytes_s" if what == "memory" else "gflops"
        for kernel, arguments in tries:
            for result in run(kwb, [kernel], arguments, tell, limit_s=40)["results"]:
                if result["verdict"] == "correct" and result[rate] and result[rate] > best.get(what, {}).get(rate, 0):
                    best[what] = result
    return best


class MatmulLadder:
    """The ladder of matrix products. Each size takes eight times as long as the one before, so a kernel that would not
    finish in time is left out, and the page names it."""

    def __init__(self):
        self.took_ms = {}  # kernel -> (size, median of one run)

    def too_slow(self, kernel: str, size: int, rounds: int, most_s: float) -> float | None:
        """Seconds that a kernel would need at a size, if they are too many."""
        if kernel not in self.took_ms:
            return None
        known, median_ms = self.took_ms[kernel]
        # Two checks, a warm-up and the rounds, of at least one launch each.
        expected_s = median_ms * math.pow(size / known, 3) * (3 + rounds) / 1000
        return expected_s if expected_s > most_s else None

    def measure(self, kwb: suite.Kwb, size: int, tell) -> dict:
        left_s = kwb.deadline - time.monotonic()
        kernels, left_out = [], {}
        for kernel in ladders.LADDERS["matmul"][0][2]:
            name = kernel if ":" in kernel else f"matmul/{kernel}"
            expected_s = self.too_slow(name, size, rounds_of(kwb.device), left_s / 8)
            if expected_s is None:
                kernels.append(name)
            else:
                left_out[name] = f"would take {expected_s:.0f} s"
        measured = run(kwb, kernels, ["--size", str(size)], tell) if kernels else {"results": [], "said": ""}
        for result in measured["results"]:
            if result["median_ms"]:
                self.took_ms[result["kernel"]] = (size, result["median_ms"])
        return measured | {"folder": "matmul", "title": f"M = N = K = {size}", "left_out": left_out}


def measure_others(kwb: suite.Kwb, runs_of: dict, tell, keep) -> None:
    for folder, entries in runs_of.items():
        for title, arguments, kernels, *_ in entries if folder != "matmul" else []:
            names = [kernel if ":" in kernel else f"{folder}/{kernel}" for kernel in kernels]
            keep(run(kwb, names, arguments, tell, limit_s=45) | {"folder": folder, "title": title, "left_out": {}})


def measure_ladders(kwb: suite.Kwb, tell, keep) -> None:
    """All ladders, the longest last; `keep` gets each one when it is measured."""
    matmul = MatmulLadder()
    for size in MATMUL_SIZES[:2]:
        keep(matmul.measure(kwb, size, tell))
    measure_others(kwb, ladders.LADDERS, tell, keep)
    for size in MATMUL_SIZES[2:]:
        keep(matmul.measure(kwb, size, tell))
    measure_others(kwb, FURTHER, tell, keep)
