# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# Minimal Debian systems for debian.sh and container.sh, which source this file. It needs root, debootstrap and a
# network. KWB_FRESH_DIR (/tmp/kwb-fresh) keeps the pristine systems, packed, and the used ones, for inspection.
folder=${KWB_FRESH_DIR:-/tmp/kwb-fresh}
repository=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
[[ $EUID -eq 0 ]] || { echo "$0: run as root" >&2; exit 3; }

# make_pristine RELEASE: packages come from the mirror of this machine's apt.
make_pristine() {
    local release=$1 system=$folder/$1 mirror
    command -v debootstrap >/dev/null || { echo "$0: run: apt-get install debootstrap" >&2; exit 3; }
    # shellcheck disable=SC2016  # $(SITE) is for apt
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v -m 1 security)
    # The script for unstable works for all releases; this machine's debootstrap may not know later ones by name.
    debootstrap --variant=minbase "$release" "$system" "$mirror" /usr/share/debootstrap/scripts/sid
    apt-config dump Acquire | grep -E '^Acquire::(https?|Check)' >"$system/etc/apt/apt.conf.d/90host" || true
    cp /etc/hosts /etc/resolv.conf "$system/etc"
    rm -rf "$system"/var/cache/apt/archives/*.deb "$system"/var/lib/apt/lists/*
    tar -C "$system" -cf "$folder/$release.tar" .
    rm -rf --one-file-system "$system"
}

# make_system RELEASE NAME: unpack a pristine system to $folder/NAME, and print that path.
make_system() {
    mkdir -p "$folder"
    [[ -f $folder/$1.tar ]] || make_pristine "$1" >&2
    rm -rf --one-file-system "${folder:?}/$2"
    mkdir "$folder/$2"
    tar -C "$folder/$2" -xf "$folder/$1.tar"
    printf '%s\n' "$folder/$2"
}

# run_in SYSTEM DIR COMMAND: as root, without sudo. The mounts are in their own namespace and disappear with it.
run_in() {
    # shellcheck disable=SC2016  # expanded inside
    unshare --mount --pid --fork bash -c '
        mount --make-rprivate /
        mount --rbind /dev "$1/dev"
        mount -t proc proc "$1/proc"
        mount -t sysfs sysfs "$1/sys"
        exec chroot "$1" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd \"$2\" && $3"
    ' _ "$@"
}
