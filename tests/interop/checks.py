# SPDX-License-Identifier: Apache-2.0
"""checks.py KWB FOLDER [WORD...]: the checks of tests/interop/run, in the environment that has Kernel Tuner."""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import jsonschema
import numpy
from kernel_tuner import tune_kernel
from kernel_tuner.file_utils import get_input_file, output_file_schema
from kernel_tuner.interface import tune_kernel_T1
from kernel_tuner.searchspace import Searchspace

sys.dont_write_bytecode = True
import spaces  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
KERNEL = HERE.parent.parent / "kernels" / "published" / "19_kernel_tuner_block_repaired.cl"
SEED = 18
NO_LIMIT = 10**9  # work-items of a work-group, to Kernel Tuner

# So few configurations that they are tuned in seconds.
FEW = {"block_size_x": [16], "tile_size_x": [1, 2]}


class Bench:
    """kwb, in a folder with the tutorial's T1 file and its kernel."""

    def __init__(self, kwb: pathlib.Path, folder: pathlib.Path):
        self.kwb = kwb
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # Without the front matter: the T1 file has to say it all.
        (folder / "block.cl").write_text(KERNEL.read_text().split("+++*/")[1])
        shutil.copy(HERE / "tutorial.json", folder)
        # Both see PoCL alone, whatever other drivers the machine has.
        (folder / "vendors").mkdir()
        shutil.copy("/etc/OpenCL/vendors/pocl.icd", folder / "vendors")
        os.environ["OCL_ICD_VENDORS"] = str(folder / "vendors")

    def run(self, *arguments: object) -> str:
        """What kwb prints; any complaint is a failure."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("KWB_")}
        environment |= {"XDG_CACHE_HOME": str(self.folder.parent / "cache"), "LC_ALL": "C.UTF-8"}
        words = [str(self.kwb), *map(str, arguments)]
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0 and not done.stderr, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
        return done.stdout

    def configurations(self, *arguments: object) -> list[dict[str, str]]:
        """The valid ones, as --list prints them."""
        lines = re.findall(r"^\w+=\S+(?: \w+=\S+)*$", self.run("tune", *arguments, "--list"), re.MULTILINE)
        return [dict(word.split("=") for word in line.split()) for line in lines]

    def tune_few(self, *arguments: object) -> str:
        few = [word for name, values in FEW.items() for word in ("--param", f"{name}={','.join(map(str, values))}")]
        return self.run("tune", "--t1", "tutorial.json", "--problem", "matmul", "--no-xray", "--rounds", 6,
                        "--timeout", "10s", *few, *arguments)


def their_space(t1: pathlib.Path) -> tuple[dict, list[str]]:
    """Parameters and restrictions, read as Kernel Tuner does."""
    space = get_input_file(t1)["ConfigurationSpace"]
    params = {param["Name"]: eval(param["Values"]) for param in space["TuningParameters"]}
    return params, [condition["Expression"] for condition in space["Conditions"]]


def their_configurations(t1: pathlib.Path, framework: str = "bruteforce") -> list[dict[str, str]]:
    """Those that Kernel Tuner finds when it evaluates each restriction for each combination."""
    params, restrictions = their_space(t1)
    with contextlib.redirect_stdout(io.StringIO()):
        found = Searchspace(params, restrictions, NO_LIMIT, framework=framework).list
    return [dict(zip(params, map(str, values))) for values in found]


def default_agrees(t1: pathlib.Path) -> bool:
    """Whether Kernel Tuner's usual, faster way finds the same. That of 1.4.0 rewrites conditions by their text: it
    refuses `not (a > 2)` and `max(a, b) <= c`, and of a, b, c = 1 … 4, 1 … 3, 1 … 2 it finds 5 with `a // b == c`,
    where Python finds 7."""
    try:
        usual = their_configurations(t1, "PythonConstraint")
    except ValueError:
        return False
    return sorted(map(str, usual)) == sorted(map(str, their_configurations(t1)))


def same(ours: list[dict[str, str]], theirs: list[dict[str, str]], about: str) -> None:
    key = lambda configuration: tuple(configuration.items())  # noqa: E731
    a, b = set(map(key, ours)), set(map(key, theirs))
    assert len(a) == len(ours) and len(b) == len(theirs), f"{about}: a configuration is there twice"
    assert a == b, f"{about}: only kwb has {sorted(a - b)[:3]}, only Kernel Tuner {sorted(b - a)[:3]}"


def check_tutorial(bench: Bench) -> str:
    """A T1 file gives both the tutorial's 44 valid configurations."""
    ours = bench.configurations("--t1", "tutorial.json", "--problem", "matmul")
    same(ours, their_configurations(bench.folder / "tutorial.json", "PythonConstraint"), "tutorial.json")
    assert len(ours) == 44, f"{len(ours)} configurations"
    return "44 of 288"


def check_restrictions(bench: Bench) -> str:
    """Restriction strings select the same sets on 20 random spaces."""
    (bench.folder / "copy.cl").write_text(
        "__kernel void copy(__global const float* x, __global float* y) {\n"
        "    y[get_global_id(0)] = x[get_global_id(0)];\n}\n")
    sizes = []
    agreed = 0
    for index, t1 in enumerate(spaces.random_t1_files(20, SEED)):
        file = bench.folder / f"space_{index}.json"
        file.write_text(json.dumps(t1, indent=1))
        theirs = their_configurations(file)
        same(bench.configurations("--t1", file.name, "--problem", "copy"), theirs, str(file))
        sizes.append(len(theirs))
        agreed += default_agrees(file)
    return f"{min(sizes)} to {max(sizes)} valid configurations; Kernel Tuner's own solver finds them in {agreed}"


def best_of(results: list[dict], params: list[str]) -> dict:
    """Of the eight; a busy machine may have cost one of them its time."""
    timed = [result for result in results if isinstance(result["time"], float)]
    assert len(results) == 8 and len(timed) >= 6, [result["time"] for result in results]
    best = min(timed, key=lambda result: result["time"])
    return {name: best[name] for name in params}


def winner_in(text: str) -> dict:
    """That of the command below `Run the best`."""
    command = text[text.index("Run the best:"):]
    return {name: int(value) for name, value in re.findall(r"-D (\w+)=(\d+)", command)}


def check_cache(bench: Bench) -> str:
    """Our cache opens in Kernel Tuner's simulation mode, which finds the same best; our T4 meets its schema."""
    text = bench.tune_few("--cache", "ours.json", "--t4", "t4.json")
    ours = winner_in(text)
    # Kernel Tuner wants all configurations of its space in the cache.
    t1 = json.loads((bench.folder / "tutorial.json").read_text())
    for param in t1["ConfigurationSpace"]["TuningParameters"]:
        param["Values"] = str(FEW.get(param["Name"], eval(param["Values"])))
    few = bench.folder / "few.json"
    few.write_text(json.dumps(t1))
    results, _ = tune_kernel_T1(few, cache_filepath=bench.folder / "ours.json", device=0, simulation_mode=True,
                                output_T4=False)
    theirs = best_of(results, list(ours))
    assert theirs == ours, f"kwb's best is {ours}, Kernel Tuner's is {theirs}"

    t4 = json.loads((bench.folder / "t4.json").read_text())
    schema = output_file_schema("results")[1]
    jsonschema.validate(t4, schema)
    assert len(t4["results"]) == 8
    timed = [result for result in t4["results"] if result["measurements"]]
    best = min(timed, key=lambda result: result["measurements"][0]["value"])["configuration"]
    assert best == ours, f"kwb's best is {ours}, that of its T4 {best}"
    return f"best of 8: {ours}"


def check_resume(bench: Bench) -> str:
    """kwb resumes from a cache that Kernel Tuner wrote when it tuned on the same device."""
    params, restrictions = their_space(bench.folder / "tutorial.json")
    size = 64
    matrices = numpy.random.default_rng(SEED).random((3, size * size), dtype=numpy.float32)
    arguments = [*matrices, *[numpy.int32(size)] * 3]
    few = params | FEW | {"block_size_y": [4, 8], "tile_size_x": [1]}
    os.chdir(bench.folder)  # it writes temporary files
    results, _ = tune_kernel("matmul_kernel", "block.cl", (size, size), arguments, few, lang="OpenCL",
                             restrictions=restrictions, grid_div_x=["block_size_x", "tile_size_x"],
                             grid_div_y=["block_size_y", "tile_size_y"], cache="theirs.json", iterations=3,
                             quiet=True)
    assert len(results) == 2, f"Kernel Tuner tuned {len(results)} configurations"
    text = bench.tune_few("--cache", "theirs.json", "--resume")
    assert "Resumed: 2 configurations from theirs.json." in text, text
    assert "not tried" not in text, text
    # What both wrote is one cache to Kernel Tuner.
    again, _ = tune_kernel("matmul_kernel", "block.cl", (size, size), arguments, params | FEW, lang="OpenCL",
                           restrictions=restrictions, cache="theirs.json", simulation_mode=True, quiet=True)
    best_of(again, list(params))
    return "2 of 8 from Kernel Tuner"


CHECKS = {"tutorial": check_tutorial, "restrictions": check_restrictions, "cache": check_cache, "resume": check_resume}


def main() -> int:
    kwb, folder, *words = sys.argv[1:]
    chosen = {name: check for name, check in CHECKS.items() if not words or any(word in name for word in words)}
    if not chosen:
        print(f"run: no check is named so; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    bench = Bench(pathlib.Path(kwb), pathlib.Path(folder))
    failed = []
    for name, check in chosen.items():
        start = time.monotonic()
        try:
            outcome = check(bench)
        except Exception as error:  # also what Kernel Tuner raises
            failed.append(name)
            outcome = f"FAILED: {type(error).__name__}: {error}"
        print(f"{name:13} {time.monotonic() - start:5.1f} s  {check.__doc__}\n{'':22}{outcome}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
