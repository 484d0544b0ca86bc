#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Fetches mpi4py's sources, which have its tests, and makes an environment for $FACE below target/suites/mpi4py: with the wheel
# for Open MPI's and MPICH's ABI, built with our mpicc for the standard's. Exit 77: not possible here.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=target/suites/mpi4py
wanted=mpi4py==4.1.2
python=/usr/bin/python3
[ -x $python ] || python=python3

fetch() {
    mkdir -p $work
    $1/bin/pip --quiet --disable-pip-version-check download --no-binary mpi4py --no-deps -d $work $wanted \
        || { echo "cannot fetch mpi4py from PyPI"; exit 77; }
    tar -C $work -xzf $work/mpi4py-*.tar.gz
    mv $work/mpi4py-4.1.2 $work/source
}

# environment FOLDER PIP-ARGUMENT...
environment() {
    local folder=$1
    shift
    [ ! -e "$folder/complete" ] || return 0
    rm -rf "$folder"
    $python -m venv "$folder"
    "$folder/bin/pip" --quiet --disable-pip-version-check install numpy setuptools
    [ -d $work/source ] || fetch "$folder"
    "$folder/bin/pip" --quiet --disable-pip-version-check install "$@" && touch "$folder/complete"
}

case $FACE in
    standard) MPICC=$STAGE/bin/mpicc environment $work/standard --no-binary mpi4py $wanted ;;
    *) environment $work/wheel --only-binary :all: $wanted ;;
esac
