# SPDX-License-Identifier: Apache-2.0
"""kwb on a bare machine: the packed programs if they start, otherwise a build there, without window and tests."""

import json
import lzma
import os
import pathlib
import platform
import shutil
import subprocess
import tarfile

import pack

ROOT = pack.ROOT


class NoPrograms(Exception):
    """Why there is no kwb, and what to do."""


def unpack(archive: pathlib.Path, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True)
    if not archive.exists():
        return
    try:
        with tarfile.open(archive) as packed:
            packed.extractall(folder)
    except (EOFError, lzma.LZMAError, tarfile.TarError) as error:
        raise NoPrograms(f"{archive} is damaged ({error}); pack it again: tests/hardware/run --pack") from None


def carried(along: pathlib.Path, folder: pathlib.Path, tell) -> tuple[pathlib.Path, dict] | None:
    """The packed build and its environment, if it is of these sources and starts on this machine."""
    about = along / "about.json"
    if not about.exists():
        tell(f"  there are no packed programs in {along}")
        return None
    about = json.loads(about.read_text())
    if about["sources"] != pack.sources_digest():
        tell("  the packed programs were built from other sources than these")
        return None
    unpack(along / "programs.tar.xz", folder)
    environment = {"LD_LIBRARY_PATH": str(folder / "lib")}
    try:
        started = subprocess.run([folder / "bin" / "kwb", "--version"], env=os.environ | environment,
                                 capture_output=True, text=True, timeout=30)
    except OSError as error:
        tell(f"  the packed programs, for {about['machine']}, do not start on {platform.machine()}: {error}")
        return None
    if started.returncode != 0:
        tell(f"  the packed programs, for {about['libc']}, do not start here: {started.stderr.strip()}")
        return None
    return folder, environment


def build_here(folder: pathlib.Path, along: pathlib.Path, limit_s: float, tell) -> tuple[pathlib.Path, dict]:
    """Build with this machine's compiler, and with the packed headers, libraries and CMake if there are any."""
    build, system = folder / "build", folder / "system"
    unpack(along / "system.tar.xz", system)
    libraries = system / "usr" / "lib" / f"{platform.machine()}-linux-gnu"
    blas = libraries / "openblas-pthread"
    environment = os.environ.copy()
    options = []
    if any(system.iterdir()):
        environment["PATH"] = f"{system}/usr/bin:{environment['PATH']}"
        environment["LD_LIBRARY_PATH"] = str(libraries)  # for CMake itself
        environment["PKG_CONFIG_SYSROOT_DIR"] = str(system)
        environment["PKG_CONFIG_LIBDIR"] = ":".join(
            map(str, (libraries / "pkgconfig", blas / "pkgconfig", system / "usr/share/pkgconfig")))
        # An old-style RPATH also applies to the dependencies of the libraries.
        options = [f"-DCMAKE_PREFIX_PATH={system}/usr", f"-DCMAKE_SYSTEM_PREFIX_PATH={system}/usr",
                   f"-DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags,-rpath,{libraries}:{blas}"]
    if shutil.which("c++", path=environment["PATH"]) is None:
        raise NoPrograms("there is no C++ compiler; install g++, or pack programs on another machine (--pack)")
    if shutil.which("cmake", path=environment["PATH"]) is None:
        raise NoPrograms("there is no cmake; pack it on a Debian machine: tests/hardware/run --pack")
    log = folder / "build.log"
    tell(f"  building in {build} with {os.cpu_count()} cores")
    with log.open("w") as out:
        for command in (["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DKWB_GUI=OFF",
                         "-DKWB_TESTS=OFF", *options], ["ninja", "-C", build, *pack.PROGRAMS]):
            try:
                done = subprocess.run(command, env=environment, stdout=out, stderr=subprocess.STDOUT, timeout=limit_s)
            except subprocess.TimeoutExpired:
                raise NoPrograms(f"the build took longer than {limit_s:.0f} s; pack programs elsewhere (--pack)") from None
            except OSError as error:
                raise NoPrograms(f"the build could not be started: {error}") from None
            if done.returncode != 0:
                words = [line for line in log.read_text(errors="replace").splitlines() if "rror" in line]
                raise NoPrograms(f"the build failed: {words[0].strip() if words else ''}; see {log}")
    return build, {}


def get_programs(along: pathlib.Path, scratch: pathlib.Path, limit_s: float, here: bool, tell):
    """(build folder, environment of its programs), either packed or built here within the limit."""
    found = None if here else carried(along, scratch / "carried", tell)
    return found or build_here(scratch / "here", along, limit_s, tell)
