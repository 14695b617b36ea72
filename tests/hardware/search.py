# SPDX-License-Identifier: Apache-2.0
"""Find OpenCL drivers wherever they are, on a machine that is not set up for OpenCL."""

import os
import pathlib
import platform
import re
import subprocess

# The libraries that an .icd names, by vendor.
LIBRARIES = {
    "NVIDIA": r"libnvidia-opencl\.so\.1",
    "AMD ROCm": r"libamdocl64\.so",
    "Intel GPU": r"libigdrcl\.so",
    "Intel CPU": r"libintelocl\.so",
    "Arm Mali": r"libmali\.so\.1",
    "PoCL": r"libpocl\.so\.2",
}

# Where installers and containers put them, in addition to the folders that ldconfig knows.
PLACES = ["/usr/lib", "/usr/lib64", "/usr/local", "/opt", "/run/opengl-driver/lib", "/run/nvidia/driver/usr/lib"]


def known_to_linker() -> dict[str, str]:
    """Library name -> path, for this machine's architecture."""
    ldconfig = next((path for path in ("/sbin/ldconfig", "/usr/sbin/ldconfig") if os.path.exists(path)), "ldconfig")
    try:
        listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True).stdout
    except OSError:
        return {}
    found = {}
    for name, kind, path in re.findall(r"^\s+(\S+) \(([^)]*)\) => (\S+)$", listing, re.M):
        if platform.machine() not in ("x86_64", "aarch64") or "64" in kind:
            found.setdefault(name, path)
    return found


def path_of(library: str, linker: dict[str, str]) -> str:
    """Where the dynamic linker finds a library; the name itself if it does not."""
    folders = {os.path.dirname(path) for path in linker.values()}
    paths = [linker.get(library, library), *(f"{folder}/{library}" for folder in sorted(folders))]
    return next((path for path in paths if path.startswith("/") and os.path.exists(path)), library)


def named_by_vendors(linker: dict[str, str]) -> list[tuple[str, str]]:
    """The drivers that .icd files name, as (name of the file, path of the library)."""
    folders = [os.environ.get("OCL_ICD_VENDORS", ""), "/etc/OpenCL/vendors", "/usr/share/OpenCL/vendors",
               "/usr/local/nvidia/OpenCL/vendors", "/usr/local/etc/OpenCL/vendors"]
    found = []
    for folder in filter(None, folders):
        for file in sorted(pathlib.Path(folder).glob("*.icd")):
            library = file.read_text(errors="replace").strip()
            found.append((file.stem, path_of(library, linker)))
    return found


def lying_about(linker: dict[str, str]) -> list[tuple[str, str]]:
    """Libraries of known drivers, whether or not an .icd names them."""
    paths = list(linker.values())
    for place in PLACES:
        for folder, _, files in os.walk(place):
            paths += [f"{folder}/{file}" for file in files if file.startswith("lib") and ".so" in file]
    return [(vendor, path) for vendor, pattern in LIBRARIES.items() for path in paths
            if re.fullmatch(pattern, os.path.basename(path)) and not re.search("/(lib)?32|i386", path)]


def find_drivers(wanted: list[str]) -> list[tuple[str, str]]:
    """(name, library) of each driver, once: those of --driver first, then those for GPUs, then those for CPUs."""
    linker = known_to_linker()
    known = set()
    found = []
    for name, library in [*((pathlib.Path(path).name, path) for path in wanted), *named_by_vendors(linker),
                          *lying_about(linker)]:
        real = os.path.realpath(library) if "/" in library else library
        if real not in known:
            known.add(real)
            found.append((name, library))
    return sorted(found, key=lambda driver: (driver[1] not in wanted, bool(re.search("pocl|Mesa|Rusticl", driver[1]))))
