#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# build.sh FOLDER/PROGRAM...: builds these programs of MPICH's suite for $FACE. One that does not build is missing afterwards;
# why is in target/suites/mpich/$FACE/FOLDER/make.log.
set -euo pipefail
cd "$(dirname "$0")/../../target/suites/mpich/$FACE"

declare -A programs
for name in "$@"; do
    [ -x "$name" ] || programs[${name%/*}]+=" ${name##*/}"
done
for folder in dtpools util; do
    [ -e $folder/made ] || { make -C $folder > $folder/make.log 2>&1 && touch $folder/made; } || { tail $folder/make.log; exit 1; }
done
for folder in "${!programs[@]}"; do
    make -k -j "$(nproc)" -C "$folder" ${programs[$folder]} > "$folder/make.log" 2>&1 || true
done
