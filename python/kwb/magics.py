# SPDX-License-Identifier: Apache-2.0
"""%%kwb: a cell is a kernel. %kwb_learn: a lesson."""

import shlex
import subprocess

import kwb

USAGE = """%%kwb [VERB] PROBLEM [KERNEL ...] [--OPTION VALUE ...]
VERB is run (default), why or check. The cell is a kernel for PROBLEM; it is compared with the other kernels, e.g.
%%kwb why matmul matmul/naive --size 1024"""


def _cell(line, cell):
    words = shlex.split(line)
    verb = words.pop(0) if words and words[0] in ("run", "why", "check") else "run"
    if not words or words[0].startswith("-"):
        raise kwb.Error("name the problem that this kernel solves, e.g. %%kwb matmul. " + USAGE)
    problem, rest = words[0], words[1:]
    kernel = kwb.Kernel(cell, "cell")
    options = [] if "+++" in cell else ["--problem", problem]
    page = verb != "check"
    return kwb.Results(*kwb.call(verb, kernel, *rest, *options, page=page))


def _learn(line):
    done = subprocess.run([kwb.program(), "learn", *shlex.split(line)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, encoding="utf-8", errors="replace")
    if done.returncode not in (kwb.GOOD, kwb.VERDICT):
        raise kwb.Error(done.stderr.strip().removeprefix("kwb: "))
    print(done.stdout + done.stderr, end="")


def register(shell):
    """Add the magics to an IPython shell. An error is one sentence, without a traceback."""
    def quiet(function):
        def magic(*arguments):
            try:
                return function(*arguments)
            except kwb.Error as error:
                print("kwb:", error)
                return None
        return magic

    shell.register_magic_function(quiet(_cell), "cell", "kwb")
    shell.register_magic_function(quiet(_learn), "line", "kwb_learn")
