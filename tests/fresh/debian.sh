#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debian.sh [RELEASE [COMMAND]]: check that the README's two commands work on a fresh machine.
# Clones the last commit of this repository into a minimal Debian (RELEASE: bookworm, trixie or later) and runs
# COMMAND there as root, without sudo, in a path with a space. Not a CTest test: it needs root, debootstrap
# and a network, downloads 180 MB and takes minutes.
# KWB_FRESH_DIR (/tmp/kwb-fresh) keeps the pristine system, which is unpacked again for every run, and the used
# one, for inspection. Packages come from the mirror of this machine's apt.
set -euo pipefail

release=${1:-bookworm}
command=${2:-'./workbench && ./workbench test'}
repository=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
folder=${KWB_FRESH_DIR:-/tmp/kwb-fresh}
system=$folder/$release
pristine=$folder/$release.tar
clone="/root/kernel workbench"

[[ $EUID -eq 0 ]] || { echo "debian.sh: run as root" >&2; exit 3; }

make_pristine() {
    command -v debootstrap >/dev/null || { echo "debian.sh: run: apt-get install debootstrap" >&2; exit 3; }
    local mirror
    # shellcheck disable=SC2016  # $(SITE) is for apt
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v -m 1 security)
    # The script for unstable works for all releases; this machine's debootstrap may not know later ones by name.
    debootstrap --variant=minbase "$release" "$system" "$mirror" /usr/share/debootstrap/scripts/sid
    apt-config dump Acquire | grep -E '^Acquire::(https?|Check)' >"$system/etc/apt/apt.conf.d/90host" || true
    cp /etc/hosts /etc/resolv.conf "$system/etc"
    rm -rf "$system"/var/cache/apt/archives/*.deb "$system"/var/lib/apt/lists/*
    tar -C "$system" -cf "$pristine" .
}

mkdir -p "$folder"
rm -rf --one-file-system "$system"
if [[ -f $pristine ]]; then
    mkdir "$system"
    tar -C "$system" -xf "$pristine"
else
    make_pristine
fi
git clone --quiet --no-local "$repository" "$system$clone"

# The mounts are in their own namespace and disappear with it.
# shellcheck disable=SC2016  # expanded inside
exec unshare --mount --pid --fork bash -c '
    mount --make-rprivate /
    mount --rbind /dev "$1/dev"
    mount -t proc proc "$1/proc"
    mount -t sysfs sysfs "$1/sys"
    exec chroot "$1" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd \"$2\" && $3"
' _ "$system" "$clone" "$command"
