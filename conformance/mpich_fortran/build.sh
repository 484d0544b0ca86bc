#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# build.sh FOLDER/PROGRAM...: builds these programs for $FACE. One that does not build is missing afterwards; why is in the make.log of
# its folder.
set -euo pipefail
cd "$(dirname "$0")/../../target/suites/mpich_fortran/$FACE"

declare -A programs
for name in "$@"; do
    [ -x "$name" ] || programs[${name%/*}]+=" ${name##*/}"
done
[ -e util/made ] || { make -C util > util/make.log 2>&1 && touch util/made; } || { tail util/make.log; exit 1; }
for folder in "${!programs[@]}"; do
    make -k -j "$(nproc)" -C "$folder" ${programs[$folder]} > "$folder/make.log" 2>&1 || true
done
