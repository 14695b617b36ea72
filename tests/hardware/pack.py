# SPDX-License-Identifier: Apache-2.0
"""Make the folder for a bare machine: the built programs, and what building them needs."""

import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ["kwb", "kwb-judge", "kwb-runner"]

# Packages of the section [build] that only the window needs.
FOR_THE_WINDOW = {"libimgui-dev", "libglfw3-dev", "libgl-dev", "libxcb1-dev"}

# Every machine has these or newer ones; an older copy could break the driver.
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)[.-]")

LARGEST_BYTES = 64 << 20


def sources_digest() -> str:
    """A digest of all sources of the programs."""
    digest = hashlib.sha256()
    for folder in ("lib", "app", "cmake", "assets"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file():
                digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def needed_packages() -> set[str]:
    """Debian packages that a build without window and tests needs on a machine with a compiler and Python."""
    section = re.search(r"^\[build\]\n(.*?)^\[", (ROOT / "packages.txt").read_text(), re.M | re.S)[1].split()

    def closure(packages: list[str]) -> set[str]:
        command = ["apt-cache", "depends", "--recurse", "--no-recommends", "--no-suggests", "--no-conflicts",
                   "--no-breaks", "--no-replaces", "--no-enhances", *packages]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return set(re.findall(r"^([a-z0-9][\w.+-]*)(?::\w+)?$", listing, re.M))

    wanted = [package for package in section if package not in FOR_THE_WINDOW]
    return closure(wanted) - closure(["g++", "python3"])


def pack_programs(build: pathlib.Path, folder: pathlib.Path) -> None:
    """The stripped programs, with the libraries that not every machine has."""
    (folder / "bin").mkdir()
    (folder / "lib").mkdir()
    for name in PROGRAMS:
        program = folder / "bin" / name
        shutil.copy(build / "bin" / name, program)
        subprocess.run(["strip", program], check=True)
        listing = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
        for library, path in re.findall(r"^\s+(\S+) => (/\S+)", listing, re.M):
            if not OF_THE_SYSTEM.match(library) and not (folder / "lib" / library).exists():
                shutil.copy(path, folder / "lib" / library)


# Folders of the packages that no build reads.
SURPLUS = ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/lintian", "usr/share/bash-completion",
           "usr/share/vim", "usr/share/emacs", "etc", "var", "usr/sbin", "sbin"]


def unpack_packages(folder: pathlib.Path) -> None:
    """A system root with all that a build needs except compiler and libc."""
    packages = sorted(needed_packages())
    listing = subprocess.run(["apt-cache", "show", "--no-all-versions", *packages], capture_output=True, text=True)
    real = re.findall(r"^Package: (\S+)$", listing.stdout, re.M)  # the others are virtual packages
    with tempfile.TemporaryDirectory() as downloads:
        command = ["apt-get", "-o", "APT::Sandbox::User=root"] if os.geteuid() == 0 else ["apt-get"]
        subprocess.run([*command, "download", *real], check=True, cwd=downloads, stdout=subprocess.DEVNULL)
        for package in pathlib.Path(downloads).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    for name in SURPLUS:
        shutil.rmtree(folder / name, ignore_errors=True)
    for archive in folder.rglob("*.a"):
        archive.unlink()


def pack_folder(archive: pathlib.Path, fill) -> None:
    """Make a compressed archive of what `fill` puts into an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        fill(pathlib.Path(folder))
        partial = archive.with_suffix(".partial")
        with tarfile.open(partial, "w:xz") as packed:
            packed.add(folder, arcname=".")
        partial.rename(archive)


def make(folder: pathlib.Path, build: pathlib.Path) -> None:
    missing = [name for name in PROGRAMS if not (build / "bin" / name).exists()]
    if missing:
        sys.exit(f"{build}/bin lacks {', '.join(missing)}: run ./workbench first, or use --build")
    folder.mkdir(parents=True, exist_ok=True)
    pack_folder(folder / "programs.tar.xz", lambda empty: pack_programs(build, empty))
    pack_folder(folder / "system.tar.xz", unpack_packages)
    libc = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True).stdout.strip()
    about = {"machine": platform.machine(), "libc": libc, "sources": sources_digest()}
    (folder / "about.json").write_text(json.dumps(about, indent=1))
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{folder}: {size / 2**20:.0f} MiB for {about['machine']}, {libc} or newer")
    if size > LARGEST_BYTES:
        sys.exit(f"{folder} is larger than {LARGEST_BYTES >> 20} MiB; leave out system.tar.xz if no build is needed")
