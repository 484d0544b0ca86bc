#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# build.sh EXAMPLE...: builds these examples of the crate `mpi` (rsmpi) with Open MPI's mpicc, into
# target/rsmpi/release/examples. The binaries know nothing of Paceline.
set -euo pipefail
cd "$(dirname "$0")/../.."

mpicc=$(command -v mpicc.openmpi || command -v mpicc) || { echo "no mpicc"; exit 77; }
ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || { echo "no libclang, which the crate's build needs (Debian: libclang-dev)"; exit 77; }

work=target/rsmpi
manifest=$(cargo metadata --manifest-path conformance/rsmpi/Cargo.toml --format-version 1 |
    grep -o '"manifest_path":"[^"]*/mpi-0[^"]*"' | head -1 | cut -d'"' -f4)
if [ ! -d $work/source ]; then
    mkdir -p $work
    cp -r "$(dirname "$manifest")" $work/source
    chmod -R u+w $work/source
    printf '\n[workspace]\n' >> $work/source/Cargo.toml
fi
examples=()
for name in "$@"; do examples+=(--example "$name"); done
MPICC=$mpicc CARGO_TARGET_DIR=$PWD/$work cargo build --quiet --release --manifest-path $work/source/Cargo.toml \
    --features derive,complex "${examples[@]}"
