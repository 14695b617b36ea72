# SPDX-License-Identifier: Apache-2.0
"""race.py KWB FOLDER: kwb tune and Kernel Tuner, side by side on the same kernel and configurations, both checking each.

The 32 of the tutorial's configurations with which Kernel Tuner does not crash (block_size_x 16 and 32), N = 512, on PoCL;
Kernel Tuner with its usual seven runs. In turn: each from an empty compiler cache, then each from the one it has filled.
Then kwb nine more times, and the winners against each other in 50 rounds. Prints a table; about three minutes.
"""

import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
KERNEL = HERE.parent.parent / "kernels" / "published" / "19_kernel_tuner_block_repaired.cl"
NAME = "published/kernel_tuner_block_repaired"
SIZE = 512
PARAMS = {"block_size_x": [16, 32], "block_size_y": [1, 2, 4, 8, 16, 32], "tile_size_x": [1, 2, 4, 8],
          "tile_size_y": [1, 2, 4, 8]}
WARM_RUNS = 10


def tune_with_kernel_tuner() -> None:
    """In a process of its own: prints its results as JSON."""
    import numpy
    from kernel_tuner import tune_kernel
    a, b = numpy.random.default_rng(1).standard_normal((2, SIZE, SIZE), dtype=numpy.float32)
    arguments = [numpy.zeros_like(a), a, b, *[numpy.int32(SIZE)] * 3]
    results, _ = tune_kernel("matmul_kernel", str(KERNEL), (SIZE, SIZE), arguments, PARAMS, lang="OpenCL",
                             restrictions=["block_size_x == block_size_y * tile_size_y"],
                             grid_div_x=["block_size_x", "tile_size_x"], grid_div_y=["block_size_y", "tile_size_y"],
                             answer=[a @ b, *[None] * 5], atol=1e-3, iterations=7, quiet=True)
    print("\n" + json.dumps([result for result in results if isinstance(result["time"], float)], default=float))


class Race:
    def __init__(self, kwb: str, folder: pathlib.Path):
        self.kwb = kwb
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def run(self, *words: str, accepted: tuple[int, ...] = (0,)) -> tuple[str, float]:
        """What the command prints, and its wall clock time in seconds. Another exit code is a failure."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("KWB_", "POCL_"))}
        environment |= {"POCL_CACHE_DIR": str(self.folder / "theirs"), "XDG_CACHE_HOME": str(self.folder / "ours"),
                        "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd", "LC_ALL": "C.UTF-8"}
        start = time.monotonic()
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True)
        assert done.returncode in accepted, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
        return done.stdout, time.monotonic() - start

    def theirs(self) -> tuple[dict, float]:
        """The winner, and the time."""
        text, seconds = self.run(sys.executable, __file__, "--kernel-tuner")
        results = json.loads(text.splitlines()[-1])
        assert len(results) == 32, f"Kernel Tuner measured {len(results)}"
        best = min(results, key=lambda result: result["time"])
        return {name: best[name] for name in PARAMS}, seconds

    def ours(self) -> tuple[dict, float]:
        text, seconds = self.run(self.kwb, "tune", NAME, "--size", str(SIZE), "--param", "block_size_x=16,32")
        assert "Verdicts: 32 correct." in text, text
        command = text[text.index("Run the best:"):]
        return {name: int(value) for name, value in re.findall(r"--param (\w+)=(\d+)", command)}, seconds

    def compare(self, winner: dict, others: list[dict]) -> list[str]:
        """Each one's ratio to the winner, with its interval. They run interleaved."""
        lists = {name: sorted({one[name] for one in [winner, *others]}) for name in PARAMS}
        words = [word for name, values in lists.items()
                 for word in ("--param", f"{name}={','.join(map(str, values))}")]
        file = self.folder / "winners.json"
        # Exit code 1, because most combinations of these values are not valid.
        self.run(self.kwb, "run", NAME, "--size", str(SIZE), "--rounds", "50", "--json", str(file), *words,
                 accepted=(0, 1))
        results = {tuple(result["params"][name] for name in PARAMS): result
                   for result in json.loads(file.read_text())["results"]}
        base = results[tuple(winner.values())]["samples_ms"]
        lines = []
        for one in others:
            ratios = sorted(sample / first for sample, first in
                            zip(results[tuple(one.values())]["samples_ms"], base, strict=True))
            # Order statistics of the median of 50: the 18th and the 33rd hold it with 97 %.
            lines.append(f"{tuple(one.values())}: {statistics.median(ratios):.3f} "
                         f"({ratios[17]:.3f} - {ratios[32]:.3f}) times {tuple(winner.values())}")
        return lines


def main() -> int:
    if sys.argv[1] == "--kernel-tuner":
        tune_with_kernel_tuner()
        return 0
    race = Race(sys.argv[1], pathlib.Path(sys.argv[2]))
    their_best, their_cold = race.theirs()
    our_best, our_cold = race.ours()
    _, their_warm = race.theirs()
    warm = [race.ours() for _ in range(WARM_RUNS)]
    our_warm = statistics.median(seconds for _, seconds in warm)
    print("              Kernel Tuner   kwb    share of Kernel Tuner's")
    print(f"cold cache, s {their_cold:12.1f} {our_cold:7.1f}   {our_cold / their_cold:.2f}")
    print(f"warm cache, s {their_warm:12.1f} {our_warm:7.1f}   {our_warm / their_warm:.2f}, "
          f"of its cold run {our_warm / their_cold:.2f}")
    winners = [best for best, _ in warm]
    usual = max(winners, key=winners.count)
    print(f"{winners.count(usual)} of {WARM_RUNS} warm runs of kwb find {tuple(usual.values())}, "
          f"Kernel Tuner {tuple(their_best.values())}")
    others = {tuple(one.values()): one for one in [our_best, their_best, *winners] if one != usual}
    for line in race.compare(usual, list(others.values())) if others else []:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
