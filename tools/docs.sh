#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Puts the tables that the program prints into the documents.
set -euo pipefail
cd "$(dirname "$0")/.."

table=$(mktemp)
trap 'rm -f "$table"' EXIT

# put DOCUMENT MARK ARGUMENT...: what `paceline ARGUMENT...` prints goes between <!-- MARK --> and <!-- end -->.
put() {
    local document=$1 mark=$2
    shift 2
    cargo run --quiet --bin paceline -- "$@" > "$table"
    sed -i -e "/<!-- $mark -->/,/<!-- end -->/{/<!-- $mark -->/!{/<!-- end -->/!d}}" -e "/<!-- $mark -->/r $table" "$document"
}

put docs/tuning.md knobs info --markdown
put docs/functions.md functions info --functions
