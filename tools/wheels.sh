#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes target/venv, a Python environment with the wheels that the suites run. Nothing is done when it is complete.
set -euo pipefail
cd "$(dirname "$0")/.."

wheels=(mpi4py==4.1.2)
stamp=target/venv/complete
[ "$(cat $stamp 2>/dev/null)" = "${wheels[*]}" ] && exit 0

mkdir -p target
python=/usr/bin/python3
[ -x $python ] || python=python3
rm -rf target/venv
$python -m venv target/venv
target/venv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: "${wheels[@]}"
echo "${wheels[*]}" > $stamp
