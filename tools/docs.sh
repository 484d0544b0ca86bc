#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Puts the table of knobs, as the program prints it, into docs/tuning.md.
set -euo pipefail
cd "$(dirname "$0")/.."

table=$(mktemp)
trap 'rm -f "$table"' EXIT
cargo run --quiet --bin paceline -- info --markdown > "$table"
sed -i -e '/<!-- knobs -->/,/<!-- end -->/{/<!-- knobs -->/!{/<!-- end -->/!d}}' -e "/<!-- knobs -->/r $table" docs/tuning.md
