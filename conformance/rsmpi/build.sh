#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# build.sh NAME...: builds these examples of the crate `mpi` (rsmpi), and its tests named "../tests/NAME", with the mpicc of
# $FACE, into target/rsmpi/$FACE/release/examples and tests. Those for Open MPI and MPICH know nothing of Paceline.
set -euo pipefail
cd "$(dirname "$0")/../.."

case $FACE in
    openmpi) mpicc=$(command -v mpicc.openmpi || command -v mpicc) || { echo "no mpicc"; exit 77; } ;;
    mpich) mpicc=$(command -v mpicc.mpich) || { echo "no mpicc.mpich"; exit 77; } ;;
    standard) mpicc=$STAGE/bin/mpicc ;;
esac
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
examples=() tests=()
for name in "$@"; do
    case $name in
        ../tests/*) tests+=("${name##*/}") ;;
        *) examples+=(--example "$name") ;;
    esac
done
build() {
    MPICC=$mpicc CARGO_TARGET_DIR=$PWD/$work/$FACE cargo "$1" --release --manifest-path $work/source/Cargo.toml --features derive,complex "${@:2}"
}
[ ${#examples[@]} = 0 ] || build build --quiet "${examples[@]}"
mkdir -p $work/$FACE/release/tests
for name in "${tests[@]}"; do
    made=$(build test --no-run --test "$name" 2>&1) || { echo "$made"; exit 1; }
    cp "$(sed -n 's/.*Executable .*(\(.*\)).*/\1/p' <<< "$made")" "$work/$FACE/release/tests/$name"
done
