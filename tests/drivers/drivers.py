"""The OpenCL drivers that tests/drivers/run asks: where each lies, and how to get one that is not there."""

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

# Intel's runtime for CPUs, as its wheels bring it. tbb and cmplr-lib-rt hold libraries that it needs.
INTEL_WHEELS = ["intel-opencl-rt==2026.2.0", "intel-cmplr-lib-rt==2026.2.0", "tbb==2023.*"]

# What Mesa 22.3 is known for. Measured: a loop of 60,000 rounds is done, of one of 70,000 only the first 65,535 are.
LLVMPIPE = {
    "hang_endless": ("correct", "it ends every loop after 65,535 rounds: nothing hangs, and longer loops are wrong"),
    "bounds_null": ("correct", "nothing happens at a write through NULL"),
    "transpose/registers": ("timeout", "its compiler needs more than 30 s"),
    "convolution/register_block": ("timeout", "its compiler needs more than 30 s"),
}

# A limit that is not told cannot be held against a kernel.
ZEROS = {"refused_local_static": ("kernel_crashed", "it does not tell how much local memory it has")}

# Of tests/support/odd_driver. Those that never offer a device have tests of their own (cli_drivers).
HABITS = ["gpu", "slow_start", "sticky", "fast_clock", "jumping_clock", "zeros", "affinity", "shared_memory",
          "one_context", "no_arg_info", "opencl_1_2", "late_running", "home_cache"]


@dataclasses.dataclass
class Driver:
    """One driver, or what is known of one that is not there."""

    name: str
    library: str = ""  # what its .icd says: a path, or a name that the dynamic linker finds
    environment: dict = dataclasses.field(default_factory=dict)
    known: dict = dataclasses.field(default_factory=dict)  # see suite.Kwb
    is_slow: bool = False  # asked at one size alone
    is_brief: bool = False  # asked a part of the suite, and not for long
    absent: str = ""  # why it is not there, and how to get it

    def write_vendors(self, folder: pathlib.Path) -> pathlib.Path:
        """A vendors folder with this driver alone: both ICD loaders take one."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "driver.icd").write_text(self.library + "\n")
        return folder


def installed(vendors: pathlib.Path = VENDORS) -> list[Driver]:
    """What the system's vendors folder names. Mesa needs to be told which of its renderers to offer."""
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
            driver.is_slow = True  # half a second and more for each first launch
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
    """Download the wheels and unpack their libraries, 400 MB, without the ICD loader that they bring."""
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
                # Wheels hold no links: a file comes once for each of its names.
                same = unpacked.setdefault((entry.CRC, entry.file_size), partial / name)
                if same == partial / name:
                    same.write_bytes(archive.read(entry))
                else:
                    os.link(same, partial / name)
    shutil.rmtree(wheels)
    partial.rename(folder / "lib")


def intel(folder: pathlib.Path, may_fetch: bool) -> Driver:
    """Intel's runtime for CPUs in a folder of its own; whatever keeps it from being there is its absence."""
    driver = Driver("Intel's CPU runtime")
    libraries = folder / "lib"
    if platform.machine() != "x86_64":
        driver.absent = f"there is none for {platform.machine()}"
        return driver
    if not libraries.exists():
        if not may_fetch:
            driver.absent = f"not in {folder}; without --no-fetch it is downloaded, 260 MB"
            return driver
        print("fetching Intel's CPU runtime, 260 MB", file=sys.stderr)
        try:
            fetch_intel(folder)
        except (OSError, subprocess.CalledProcessError, zipfile.BadZipFile) as error:
            words = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
            driver.absent = f"could not be fetched: {words[-1] if words else error}"
            return driver
    driver.library = str(libraries / "libintelocl.so")
    driver.environment = {"LD_LIBRARY_PATH": str(libraries)}
    return driver


def misbehaving(build: pathlib.Path, folder: pathlib.Path) -> list[Driver]:
    """The tests' own driver, which hands everything on to PoCL, once for each of its habits: it misbehaves in the way
    that its file's name says."""
    built = build / "tests" / "support" / "kwb_odd_driver.so"
    if not built.exists():
        return [Driver("odd", absent=f"{built} is not there: build the tests, with ./workbench test")]
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
