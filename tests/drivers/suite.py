# SPDX-License-Identifier: Apache-2.0
"""The test suite for OpenCL drivers, and the answers that are true on all of them.

Needs only kwb, no build of the tests: tests/hardware/run uses it on a machine that has nothing else.
"""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULT_CASES = ROOT / "tests" / "faults" / "cases"

# Checked at the awkward sizes that kwb check chooses: naive, tiled, and a block per work-item, or the kernel nearest to it.
KERNELS = {
    "matmul": ["naive", "tiled", "block"],
    "transpose": ["naive", "tiled", "registers"],
    "reduce": ["divergent_tree", "several_each", "two_launches"],
    "scan": ["hillis_steele", "blelloch", "three_launches"],
    "histogram": ["global_atomics", "local_bins", "private_copies"],
    "convolution": ["naive", "tiled", "register_block"],
    "stencil": ["naive", "tiled", "steps"],
}

# For drivers that differ from another one in a single property: these, and one case of each class of faults.
BRIEF = {"matmul": ["naive", "tiled"], "reduce": ["several_each"], "stencil": ["naive"]}

# Where a work-group may have fewer work-items than that of matmul/naive, hardly any kernel fits with its defaults
# (rusticl reports 1024 for the device, and 32 for each kernel). These choices need at most 32; other kernels need none.
SMALL_GROUP = "8x4"
SMALL = {
    "matmul/naive": ["--local", SMALL_GROUP],
    "matmul/tiled": ["--force", "--param", "TILE=4"],
    "matmul/block": ["--param", "block_size_y=2", "--param", "tile_size_y=8"],
    "transpose/naive": ["--local", SMALL_GROUP],
    "transpose/tiled": ["--force", "--param", "TILE=4"],
    "reduce/divergent_tree": ["--force", "--param", "GROUP=32"],
    "reduce/several_each": ["--force", "--param", "GROUP=32"],
    "scan/hillis_steele": ["--force", "--param", "GROUP=32"],
    "scan/blelloch": ["--force", "--param", "GROUP=32"],
    "histogram/global_atomics": ["--local", "32"],
    "histogram/local_bins": ["--force", "--param", "GROUP=32"],
    "convolution/naive": ["--local", SMALL_GROUP],
    "convolution/tiled": ["--force", "--param", "TILE=4"],
    "stencil/naive": ["--local", SMALL_GROUP],
    "stencil/tiled": ["--force", "--param", "TILE=4"],
}

# Cases of tests/faults by class, with the verdicts that are true whatever the driver does. "host": only where the
# device is the CPU, because only there are pages protected, or because the kernel makes system calls.
NOT_RUN = {"compile_error", "compiler_crashed"}
SPOILT = {"kernel_crashed", "out_of_bounds", "launch_error"}
FAULT_CLASSES = {
    "wrong": [("cheat_last_term", {"wrong"}), ("cheat_zeros", {"wrong"}), ("cheat_nothing", {"wrong"}),
              ("cheat_nan", {"wrong"}), ("cheat_changes_input", {"wrong"}),
              ("cheat_one_term_in_a_thousand", {"wrong"})],
    "out of bounds": [("bounds_write_one_past", {"out_of_bounds"}), ("bounds_write_one_before", {"out_of_bounds"}),
                      ("bounds_write_input_one_past", {"out_of_bounds"}),
                      ("bounds_read_one_past", {"out_of_bounds"}, "host"),
                      ("bounds_read_one_before", {"out_of_bounds"}, "host"),
                      ("bounds_write_1e9_past", {"out_of_bounds"}, "host")],
    "crash": [("bounds_null", SPOILT), ("bounds_wild_pointer", SPOILT),
              ("crash_recursion", NOT_RUN | SPOILT | {"correct", "timeout"})],
    "hang": [("hang_endless", {"timeout"}), ("hang_macro_bomb", NOT_RUN | {"timeout"})],
    "rejected": [("refused_compile_error", {"compile_error"}), ("refused_two_errors", {"compile_error"}),
                 ("refused_undefined_function", {"compile_error"}),
                 ("refused_include_passwd_by_macro", {"compile_error"})],
    "does not fit": [("refused_local_static", {"constraint"}), ("refused_local_argument", {"constraint"}),
                     ("refused_work_group_too_large", {"constraint"}), ("refused_not_a_multiple", {"constraint"}),
                     ("refused_other_work_group", {"constraint"}), ("refused_buffer_too_large", {"constraint"}),
                     ("refused_missing_argument", {"constraint"})],
    # The result is right unless the escape succeeds; a compiler without inline assembly for this CPU rejects them.
    "escape": [(f"escape_{deed}", {"correct", "compile_error"}, "host")
               for deed in ("read_passwd", "read_home", "create_in_tmp", "socket_inet", "kill_parent")],
}

ONE_SIZE = ["--size", "97"]  # a prime, for drivers that would take minutes for all awkward sizes

OUTCOMES = ["right", "does not fit", "known driver fault", "not run", "failed"]  # from best to worst
RIGHT, DOES_NOT_FIT, KNOWN, NOT_ASKED, FAILED = OUTCOMES


@dataclasses.dataclass
class Check:
    """The outcome of one kernel or one fault case."""

    group: str
    name: str
    outcome: str
    verdict: str
    reason: str = ""
    seconds: float = 0.0
    log: str = ""  # all output of kwb, kept where the outcome is FAILED


class NoAnswer(Exception):
    """kwb wrote no JSON; the text is its output."""


class NoTime(NoAnswer):
    """kwb was not started, or was stopped before it could answer; the text says which."""


def interrupt(process: subprocess.Popen) -> None:
    """Like Ctrl-C: kwb then writes the results so far."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass


@dataclasses.dataclass
class Kwb:
    """One driver as kwb sees it."""

    program: pathlib.Path
    vendors: pathlib.Path
    scratch: pathlib.Path
    environment: dict
    device: dict = dataclasses.field(default_factory=dict)  # as `kwb devices` lists it; empty: not chosen yet
    small_groups: bool = False  # kernels need the choices of SMALL
    known: dict = dataclasses.field(default_factory=dict)  # check -> (verdict, reason) of the driver's known faults
    is_slow: bool = False  # check kernels at one size only
    deadline: float = float("inf")  # by time.monotonic(): start nothing after it, and kill what still runs

    def call(self, *arguments: str, limit_s: float = 180, results: int = 0) -> tuple[dict, str]:
        """The JSON and the other output of kwb; fewer than `results` results count as no answer. Kills kwb and all
        that it started before it returns."""
        left = min(limit_s, self.deadline - time.monotonic())
        if left <= 0:
            raise NoTime("no time was left")
        answer = self.scratch / "answer.json"
        answer.unlink(missing_ok=True)
        command = [self.program, "--kernels", ROOT / "kernels", *arguments, "--json", answer]
        if self.device:
            command += ["--device", self.device["id"]]
        environment = os.environ | self.environment | {
            "OCL_ICD_VENDORS": str(self.vendors), "XDG_CACHE_HOME": str(self.scratch / "cache")}
        said = self.scratch / "said"
        with said.open("w") as out:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            try:
                process.wait(left)
                stopped = False
            except subprocess.TimeoutExpired:
                stopped = True
                interrupt(process)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        ended = f"stopped after {left:.0f} s" if stopped else f"exit code {process.returncode}"
        words = f"$ kwb {' '.join(map(str, arguments))}\n{said.read_text(errors='replace')}[{ended}]\n"
        try:
            document = json.loads(answer.read_text())
        except (OSError, ValueError):
            raise NoAnswer(words) from None
        if len(document.get("results", [])) < results:
            raise NoTime(ended) if stopped else NoAnswer(words)
        return document, words


def first_device(kwb: Kwb) -> tuple[dict | None, str]:
    """The driver's first device as `kwb devices` lists it, or None and why there is none."""
    try:
        document, words = kwb.call("devices")
    except NoAnswer as silence:
        return None, str(silence)
    if document["devices"]:
        return document["devices"][0], ""
    return None, "; ".join(failure["reason"] for failure in document["failures"]) or "it has no device"


def no_answer(group: str, name: str, silence: NoAnswer) -> Check:
    if isinstance(silence, NoTime):
        return Check(group, name, NOT_ASKED, "-", str(silence))
    return Check(group, name, FAILED, "no answer", str(silence).strip().splitlines()[-1], log=str(silence))


def judged(group: str, name: str, result: dict, allowed: set, words: str, seconds: float) -> Check:
    verdict = result["verdict"]
    if verdict in allowed:
        return Check(group, name, RIGHT, verdict, "", seconds)
    outcome = DOES_NOT_FIT if group in KERNELS and verdict in ("constraint", "unsupported") else FAILED
    if verdict == "skipped":
        outcome = NOT_ASKED  # stopped at the deadline
    return Check(group, name, outcome, verdict, result["reason"] or "", seconds, words)


def takes_small_groups_alone(kwb: Kwb) -> bool:
    try:
        document, _ = kwb.call("check", "matmul/naive", "--size", "17")
    except NoAnswer:
        return False
    return document["results"][0]["verdict"] == "constraint"


def check_kernel(kwb: Kwb, name: str) -> Check:
    """Check a kernel at all awkward sizes, and return the worst outcome."""
    problem = name.split("/")[0]
    start = time.monotonic()
    try:
        document, words = kwb.call("check", name, "--timeout", "30s", *(ONE_SIZE if kwb.is_slow else []),
                                   *(SMALL.get(name, []) if kwb.small_groups else []), limit_s=100)
    except NoAnswer as silence:
        return no_answer(problem, name, silence)
    answers = [judged(problem, name, result, {"correct"}, words, time.monotonic() - start)
               for result in document["results"]]
    return max(answers, key=lambda check: OUTCOMES.index(check.outcome))


def fault_case(name: str) -> str:
    """The kernel of a case of tests/faults, with the front matter of its file if it has none."""
    for file in sorted(FAULT_CASES.glob("*.cl")):
        shared, *cases = re.split(r"^//// ", file.read_text(), flags=re.MULTILINE)
        for case in cases:
            heading, text = case.split("\n", 1)
            if heading.split(":")[0] == name:
                return text if "/*+++" in text else shared.split("+++*/")[0] + "+++*/\n" + text
    raise KeyError(f"tests/faults has no case {name}")


def check_fault(kwb: Kwb, group: str, name: str, allowed: set) -> list[Check]:
    """Check one case of tests/faults at its size, then a right kernel in the same run, which must stay right."""
    text = fault_case(name)
    options = ["--size", re.search(r"^// kwb .*--size (\S+)", text, re.MULTILINE)[1],
               "--timeout", "5s" if group == "hang" else "60s"]
    if kwb.small_groups and group != "does not fit":
        options += ["--local", SMALL_GROUP]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        case = pathlib.Path(folder) / f"{name}.cl"
        case.write_text(text)
        (case.parent / "neighbours").symlink_to(FAULT_CASES / "neighbours")
        try:
            document, words = kwb.call("check", str(case), "matmul/naive", *options, results=2)
        except NoAnswer as silence:
            return [no_answer(group, name, silence)]
    seconds = time.monotonic() - start
    wrong_one, right_one = document["results"]
    checks = [judged(group, name, wrong_one, allowed, words, seconds)]
    # The work-groups of naive, or the problem, may not fit the device.
    if right_one["verdict"] not in ("correct", "constraint", "skipped"):
        checks.append(Check(group, f"matmul/naive after {name}", FAILED, right_one["verdict"],
                            right_one["reason"] or "", log=words))
    return checks


def compare_with_itself(kwb: Kwb) -> tuple[Check, dict]:
    """Compare a kernel with a copy of itself. A difference is recorded but is no failure: it may be chance."""
    folder = kwb.scratch / "itself"
    folder.mkdir(exist_ok=True)
    files = [folder / "one.cl", folder / "other.cl"]
    for file in files:
        shutil.copy(ROOT / "kernels" / "matmul" / "01_naive.cl", file)
    try:
        document, words = kwb.call("run", *map(str, files), "--local", SMALL_GROUP, "--size", "256", "--rounds", "15",
                                   results=2)
    except NoAnswer as silence:
        return no_answer("itself", "A/A", silence), {}
    other = document["results"][1]
    check = judged("itself", "A/A", other, {"correct"}, words, 0.0)
    speedup = other["speedup"] or {}
    return check, {"ratio": speedup.get("value"), "ci95": speedup.get("ci95"), "median_ms": other["median_ms"],
                   "warnings": other["warnings"], "environment": document["environment"]}


def excuse(check: Check, known: dict) -> None:
    """A known fault of the driver is no failure; it is reported with its cause."""
    verdict, why = known.get(check.name, ("", ""))
    if check.outcome == FAILED and check.verdict == verdict:
        check.outcome, check.reason = KNOWN, why


def run_suite(kwb: Kwb, device: dict, tell, is_brief: bool = False) -> dict:
    """Run everything above, or its BRIEF part, on one device; `tell` gets a line after each step."""
    kwb.device = device
    start = time.monotonic()
    checks: list[Check] = []

    def note(headline: str, new: list[Check]) -> None:
        for check in new:
            excuse(check, kwb.known)
        checks.extend(new)
        bad = [check for check in new if check.outcome != RIGHT]
        tell(f"  {headline}: " + ("right" if not bad else ", ".join(
            f"{check.name} {check.verdict} ({check.outcome})" for check in bad)))

    kwb.small_groups = takes_small_groups_alone(kwb)
    for problem, kernels in (BRIEF if is_brief else KERNELS).items():
        note(problem, [check_kernel(kwb, f"{problem}/{kernel}") for kernel in kernels])
    on_host = device["kind"] == "cpu"
    for group, cases in FAULT_CLASSES.items():
        new = []
        for name, allowed, *where in cases[:1] if is_brief else cases:
            if on_host or not where:
                new += check_fault(kwb, group, name, allowed)
        note(group, new)
    check, itself = compare_with_itself(kwb)
    note("against itself", [check])
    return {"device": device, "small_groups": kwb.small_groups, "is_slow": kwb.is_slow, "itself": itself,
            "seconds": time.monotonic() - start,
            "checks": [dataclasses.asdict(check) for check in checks]}
