# SPDX-License-Identifier: Apache-2.0
"""The OpenCL drivers that tests/drivers/run tests: where each is, and how to get a missing one."""

import dataclasses
import filecmp
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import zipfile

VENDORS = pathlib.Path("/etc/OpenCL/vendors")

# The wheels with Intel's runtime for CPUs. tbb and cmplr-lib-rt contain libraries that it needs.
INTEL_WHEELS = ["intel-opencl-rt==2026.2.0", "intel-cmplr-lib-rt==2026.2.0", "tbb==2023.*"]

# Known faults of Mesa 22.3. Measured: a loop of 60,000 rounds runs to its end, one of 70,000 stops after 65,535.
LLVMPIPE = {
    "hang_endless": ("correct", "it ends every loop after 65,535 rounds: nothing hangs, and longer loops are wrong"),
    "bounds_null": ("correct", "a write through NULL does nothing"),
    "transpose/registers": ("timeout", "its compiler needs more than 30 s"),
    "convolution/register_block": ("timeout", "its compiler needs more than 30 s"),
}

# A limit that the driver does not report cannot be checked before the launch.
ZEROS = {"refused_local_static": ("kernel_crashed", "it does not report how much local memory it has")}

# Of tests/support/odd_driver. Those without a device have their own tests (cli_drivers).
HABITS = ["gpu", "slow_start", "sticky", "fast_clock", "jumping_clock", "zeros", "affinity", "shared_memory",
          "one_context", "no_arg_info", "opencl_1_2", "late_running", "home_cache"]


@dataclasses.dataclass
class Driver:
    """One driver, or what is known of a missing one."""

    name: str
    library: str = ""  # as in its .icd: a path, or a name that the dynamic linker finds
    environment: dict = dataclasses.field(default_factory=dict)
    known: dict = dataclasses.field(default_factory=dict)  # see suite.Kwb
    is_slow: bool = False  # run at one size only
    is_brief: bool = False  # run only a part of the suite, with a time limit
    absent: str = ""  # why it is missing, and how to get it

    def write_vendors(self, folder: pathlib.Path) -> pathlib.Path:
        """A vendors folder with only this driver, which both ICD loaders accept."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "driver.icd").write_text(self.library + "\n")
        return folder


def installed(vendors: pathlib.Path = VENDORS) -> list[Driver]:
    """The drivers in the system's vendors folder. Mesa must be told which of its renderers to offer."""
    found = []
    for file in sorted(vendors.glob("*.icd")):
        library = file.read_text().strip()
        driver = Driver(file.stem, library)
        if "pocl" in library:
            driver.name = "PoCL"
        elif "RusticlOpenCL" in library:
            driver.name = "rusticl on llvmpipe"
            driver.environment = {"RUSTICL_ENABLE": "llvmpipe"}
            driver.known = LLVMPIPE
            driver.is_slow = True  # each first launch takes half a second or more
        elif "MesaOpenCL" in library:
            driver.name = "clover"
        elif "oclgrind" in library:
            driver.name = "Oclgrind"
        found.append(driver)
    for name, package in (("PoCL", "pocl-opencl-icd"), ("rusticl on llvmpipe", "mesa-opencl-icd")):
        if not any(driver.name == name for driver in found):
            found.append(Driver(name, absent=f"not installed; Debian: apt-get install {package}"))
    return found


def fetch_intel(folder: pathlib.Path) -> None:
    """Download the wheels and unpack their libraries, 400 MB, but not the ICD loader in them."""
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "1", "--dest", wheels]
    subprocess.run([*command, *INTEL_WHEELS], check=True, capture_output=True, text=True)
    partial = folder / "lib.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    unpacked = {}
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.infolist():
                name = pathlib.PurePath(entry.filename).name
                if "/data/lib/" not in entry.filename or name.startswith(("libOpenCL", "icx-lto")):
                    continue
                # Wheels contain no links: a file is in them once for each of its names.
                same = unpacked.setdefault((entry.CRC, entry.file_size), partial / name)
                if same == partial / name:
                    same.write_bytes(archive.read(entry))
                else:
                    os.link(same, partial / name)
    shutil.rmtree(wheels)
    partial.rename(folder / "lib")


def intel(folder: pathlib.Path, may_fetch: bool) -> Driver:
    """Intel's runtime for CPUs, in its own folder; if it cannot be had, `absent` says why."""
    driver = Driver("Intel's CPU runtime")
    libraries = folder / "lib"
    if platform.machine() != "x86_64":
        driver.absent = f"not available for {platform.machine()}"
        return driver
    if not libraries.exists():
        if not may_fetch:
            driver.absent = f"not in {folder}; run without --no-fetch to download it, 260 MB"
            return driver
        print("downloading Intel's CPU runtime, 260 MB", file=sys.stderr)
        try:
            fetch_intel(folder)
        except (OSError, subprocess.CalledProcessError, zipfile.BadZipFile) as error:
            words = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
            driver.absent = f"could not be downloaded: {words[-1] if words else error}"
            return driver
    driver.library = str(libraries / "libintelocl.so")
    driver.environment = {"LD_LIBRARY_PATH": str(libraries)}
    return driver


def misbehaving(build: pathlib.Path, folder: pathlib.Path) -> list[Driver]:
    """The tests' own driver, once for each of its habits: it passes every call on to PoCL, and misbehaves as its
    file's name says."""
    built = build / "tests" / "support" / "kwb_odd_driver.so"
    if not built.exists():
        return [Driver("odd", absent=f"{built} does not exist: build the tests with ./workbench test")]
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for habit in HABITS:
        library = folder / f"{habit}.so"
        if not library.exists() or not filecmp.cmp(built, library, shallow=False):  # it may be in use
            library.unlink(missing_ok=True)
            shutil.copy(built, library)
        found.append(Driver(f"odd: {habit}", str(library), known=ZEROS if habit == "zeros" else {}, is_brief=True))
    return found


def all_drivers(build: pathlib.Path, scratch: pathlib.Path, may_fetch: bool) -> list[Driver]:
    return [*installed(), intel(scratch / "intel", may_fetch), *misbehaving(build, scratch / "odd")]
