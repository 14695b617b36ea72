#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debian.sh [RELEASE [COMMAND]]: check that the README's two commands work on a fresh machine.
# Clones the last commit of this repository into a minimal Debian (RELEASE: bookworm, trixie or later) and runs
# COMMAND there, in a path with a space. Not a CTest test: it needs what systems.sh needs, downloads 180 MB and takes
# minutes.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/systems.sh"

release=${1:-bookworm}
clone="/root/kernel workbench"
system=$(make_system "$release" "$release")
git clone --quiet --no-local "$repository" "$system$clone"
run_in "$system" "$clone" "${2:-./workbench && ./workbench test}"
