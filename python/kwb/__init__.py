# SPDX-License-Identifier: Apache-2.0
"""Kernel Workbench from Python: each function runs the program `kwb` with --json, and returns what it found.

    import kwb
    kwb.why("matmul/naive", "matmul/tiled", size=1024)

Options are those of the verb (`kwb run --help`) with underscores: time_budget="5s", no_xray=True, param={"TILE": 8}; a list
repeats an option. In a notebook, a result shows the program's own page with tables, charts and reasons; load the cell magics
with %load_ext kwb.
"""

import dataclasses
import html
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import weakref

__all__ = ["Error", "Kernel", "Result", "Results", "Xray", "check", "devices", "run", "sweep", "why", "xray"]

GOOD, VERDICT = 0, 1  # exit codes with results; see docs/scripting.md

# NumPy's names of element types → OpenCL C's.
TYPES = {
    "float16": "half", "float32": "float", "float64": "double", "int8": "char", "uint8": "uchar", "int16": "short",
    "uint16": "ushort", "int32": "int", "uint32": "uint", "int64": "long", "uint64": "ulong",
}


class Error(RuntimeError):
    """What kwb says that is wrong, and what to do."""


@dataclasses.dataclass(frozen=True)
class Result:
    """One kernel at one size. `data` has all fields of schema/results.schema.json."""

    kernel: str
    verdict: str
    reason: str  # a sentence; empty for "correct"
    size: dict
    params: dict
    median_ms: float | None
    ci95_ms: list | None  # [low, high]
    speedup: float | None  # over the first kernel
    speedup_ci95: list | None
    gflops: float | None
    gbytes_s: float | None
    data: dict = dataclasses.field(repr=False)


def _result(data):
    speedup = data["speedup"] or {"value": None, "ci95": None}
    taken = {field.name: data[field.name] for field in dataclasses.fields(Result)
             if field.name not in ("speedup", "speedup_ci95", "data")}
    return Result(**taken, speedup=speedup["value"], speedup_ci95=speedup["ci95"], data=data)


class _Shown:
    """What kwb printed, and in a notebook its page, if the verb writes one."""

    def __init__(self, text, page, data):
        self.text = text
        self.page = page
        self.data = data  # the whole document

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        if not self.page:
            return f"<pre>{html.escape(self.text)}</pre>"
        return (f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="640" sandbox="allow-scripts" '
                'style="border: 1px solid #8888; border-radius: 6px"></iframe>')


class Results(_Shown):
    """The results of a run: a sequence of Result."""

    def __init__(self, text, page, data):
        super().__init__(text, page, data)
        self.results = [_result(result) for result in data["results"]]

    def __len__(self):
        return len(self.results)

    def __getitem__(self, index):
        return self.results[index]

    @property
    def reasons(self):
        """Why one kernel is faster: data["answers"]."""
        return self.data["answers"]

    def frame(self):
        """The results as a pandas.DataFrame, a row each."""
        import pandas

        rows = []
        for result in self.results:
            row = {key: value for key, value in dataclasses.asdict(result).items() if key != "data"}
            for name in ("size", "params"):
                row.update(row.pop(name))
            for name in ("ci95_ms", "speedup_ci95"):
                row[f"{name}_low"], row[f"{name}_high"] = row.pop(name) or (None, None)
            rows.append(row)
        return pandas.DataFrame(rows)


class Xray(_Shown):
    """What X-ray saw: `data` is a document of schema/xray.schema.json."""


class Kernel:
    """A kernel's source as a file, for as long as this object lives.

    source: OpenCL C, with a front matter or without.
    inputs, expected: NumPy arrays by the names of the kernel's parameters. They make the file declare its own problem: its
        expected arrays are what a correct kernel writes, within `tolerance` (docs/front-matter.md), e.g. {"relative": 1e-5}.
    scalars: numbers by the names of parameters.
    global_size, local_size: work-items in each dimension; required with arrays.
    """

    def __init__(self, source, name="kernel", *, inputs=None, expected=None, scalars=None, global_size=None, local_size=None,
                 tolerance=None):
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="kwb-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self.path = str(self._folder / f"{name}.cl")
        pathlib.Path(self.path).write_text(source, encoding="utf-8")
        if inputs or expected:
            self._declare(inputs or {}, expected or {}, scalars or {}, global_size, local_size, tolerance)

    def _declare(self, inputs, expected, scalars, global_size, local_size, tolerance):
        if not expected:
            raise Error("expected= names no array, so nothing says what is correct")
        if global_size is None:
            raise Error("global_size= must say how many work-items the kernel needs, e.g. global_size=[1024]")
        import numpy

        lines = ["[problem]", "sizes = {ONLY = {usual = 1, awkward = [1]}}"]  # the arrays fix all sizes
        if scalars:
            lines.append("scalars = " + _inline({name: repr(value) for name, value in scalars.items()}))
        lines.append("[problem.buffers]")
        for name in {**inputs, **expected}:
            array = numpy.ascontiguousarray(inputs[name] if name in inputs else expected[name])
            if array.dtype.name not in TYPES:
                raise Error(f"{name}: OpenCL C has no type for an array of {array.dtype.name}")
            keys = {"type": f'"{TYPES[array.dtype.name]}"', "shape": json.dumps(list(array.shape))}
            for key, arrays in ("fill", inputs), ("expected", expected):
                if name in arrays:
                    file = f"{name}.{key}.npy"
                    numpy.save(self._folder / file, numpy.ascontiguousarray(arrays[name]))
                    keys[key] = f'"{file}"'
            if name in expected:
                keys["output"] = "true"
                if tolerance:
                    keys["tolerance"] = _inline({key: repr(value) for key, value in tolerance.items()})
            lines.append(f"{name} = {_inline(keys)}")
        lines += ["[launch]", f"global = {json.dumps(_list(global_size))}"]
        if local_size is not None:
            lines.append(f"local = {json.dumps(_list(local_size))}")
        pathlib.Path(self.path + ".toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def __str__(self):
        return self.path


def _list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _inline(keys):
    return "{" + ", ".join(f"{name} = {value}" for name, value in keys.items()) + "}"


def program():
    """The path of kwb: $KWB, or the first one in PATH. Raises Error if there is none."""
    found = os.environ.get("KWB") or shutil.which("kwb")
    if not found:
        raise Error("there is no program kwb in PATH; install Kernel Workbench, or set KWB to its path")
    return found


def _words(options):
    words = []
    for name, value in options.items():
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        if isinstance(value, dict):
            value = [f"{key}={','.join(map(str, _list(each)))}" for key, each in value.items()]
        for each in _list(value):
            if each is False or each is None:
                continue
            words += [option] if each is True else [option, str(each)]
    return words


def call(verb, *arguments, page=False, **options):
    """Run a verb with --json. Returns its text, its page (None without `page`) and its document. Raises Error."""
    with tempfile.TemporaryDirectory(prefix="kwb-") as folder:
        files = {"json": pathlib.Path(folder) / "out.json", "report": pathlib.Path(folder) / "out.html"}
        if not page:
            del files["report"]
        words = [program(), verb, *map(str, arguments), *_words({**options, **files})]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
                                  errors="replace", env={**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"})
        except OSError as error:
            raise Error(f"{words[0]} does not start: {error.strerror}") from None
        if done.returncode not in (GOOD, VERDICT) or not files["json"].exists():
            raise Error(done.stderr.strip().removeprefix("kwb: ") or f"kwb {verb} ended with exit code {done.returncode}")
        report = files["report"].read_text(encoding="utf-8") if page else None
        return done.stdout + done.stderr, report, json.loads(files["json"].read_text(encoding="utf-8"))


def run(*kernels, **options):
    """Check kernels, then time them against each other."""
    return Results(*call("run", *kernels, page=True, **options))


def why(*kernels, **options):
    """Measure why one kernel is faster than another."""
    return Results(*call("why", *kernels, page=True, **options))


def sweep(*kernels, sizes, **options):
    """Time kernels against each other at several sizes, e.g. sizes=[64, 128, 256]."""
    return Results(*call("sweep", *kernels, page=True, sizes=",".join(map(str, _list(sizes))), **options))


def check(*kernels, **options):
    """Test kernels at the sizes where they fail."""
    return Results(*call("check", *kernels, **options))


def xray(kernel, **options):
    """Show what each line reads and writes, and find undefined behaviour."""
    return Xray(*call("xray", kernel, page=True, **options))


def devices():
    """The OpenCL devices of this machine, as dictionaries of schema/devices.schema.json."""
    return call("devices")[2]["devices"]


def load_ipython_extension(shell):
    """%load_ext kwb"""
    from . import magics

    magics.register(shell)
