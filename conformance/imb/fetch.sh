#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Fetches the Intel MPI Benchmarks as PyPI has them (the programs alone, without Intel's library) and the OpenMP library that one
# of them needs, into target/suites/imb. Exit 77: not possible here.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=target/suites/imb
[ ! -e $work/complete ] || exit 0
[ -x target/venv/bin/pip ] || { echo "no environment in target/venv (tools/wheels.sh makes it)"; exit 77; }

rm -rf $work
mkdir -p $work/bin $work/lib
target/venv/bin/pip --quiet --disable-pip-version-check download --only-binary :all: --no-deps -d $work impi-rt==2021.18.1 intel-openmp==2026.2.0 \
    || { echo "cannot fetch the benchmarks from PyPI"; exit 77; }
# take WHEEL FOLDER NAME...: copies files of these names out of the wheel.
take() {
    target/venv/bin/python - "$@" <<'PYTHON'
import os, sys, zipfile
wheel, folder, *names = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for member in archive.namelist():
        if os.path.basename(member) in names:
            path = os.path.join(folder, os.path.basename(member))
            with open(path, "wb") as file:
                file.write(archive.read(member))
            os.chmod(path, 0o755)
PYTHON
}
take $work/impi_rt-*.whl $work/bin IMB-MPI1 IMB-P2P IMB-NBC IMB-MT
take $work/intel_openmp-*.whl $work/lib libiomp5.so
rm $work/*.whl
touch $work/complete
