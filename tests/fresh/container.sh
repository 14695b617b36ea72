#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# container.sh [ARGUMENT...]: check packaging/Containerfile where there is no registry of images.
# Runs its steps in minimal Debian systems, then its entry point with the arguments, and says how large the image is
# and how long that took. Not a CTest test: it needs what systems.sh needs, downloads 300 MB and takes minutes.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/systems.sh"

[[ $# -gt 0 ]] || set -- run matmul/naive matmul/tiled --size 64 --rounds 1
entry='' system='' stage=''
while read -r instruction rest; do
    case $instruction in
        FROM)
            [[ $rest == "debian:13"* ]] || { echo "container.sh: only FROM debian:13 is known: $rest" >&2; exit 2; }
            stage=${rest##* }
            system=$(make_system trixie "container-${stage/:/-}")
            ;;
        COPY)
            read -r from to <<<"${rest#--from=* }"
            if [[ $rest == --from=* ]]; then
                read -r named _ <<<"${rest#--from=}"
                cp -a "$folder/container-$named$from" "$system$to"
            else
                git clone --quiet --no-local "$repository" "$system$to"
            fi
            ;;
        RUN) run_in "$system" / "$rest" ;;
        ENTRYPOINT) entry=$(tr -d '[]",' <<<"$rest") ;;
        '#'* | '') ;;
        *) echo "container.sh: unknown instruction $instruction" >&2; exit 2 ;;
    esac
done < <(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$repository/packaging/Containerfile")

printf 'image: %s\n' "$(du -sh --one-file-system "$system" | cut -f 1)"
for try in first second; do
    start=$EPOCHREALTIME
    run_in "$system" / "$entry ${*@Q}"
    awk -v from="$start" -v to="$EPOCHREALTIME" -v try="$try" 'BEGIN { printf "%s start: %.1f s\n", try, to - from }'
done
