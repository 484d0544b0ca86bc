#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes the PTX of the GPU kernels anew, with NVIDIA's wheels from PyPI (nothing of them is kept but what they wrote), and
# sees whether the assembler takes it for the architectures from Volta to Blackwell. --assemble: only the latter, with the PTX
# as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

# fetch PACKAGE VERSION: into a folder of its own, since the wheels share a folder that pip would replace.
fetch() {
    [ -e "target/wheels/$1/$2" ] && return
    rm -rf "target/wheels/$1"
    python3 -m pip --quiet --disable-pip-version-check install --root-user-action=ignore --no-deps --only-binary :all: \
        --target "target/wheels/$1" "$1==$2"
    touch "target/wheels/$1/$2"
}
# The last release that knows sm_70; it knows the newest architectures too.
fetch nvidia-cuda-nvcc-cu12 12.9.86
ptxas=target/wheels/nvidia-cuda-nvcc-cu12/nvidia/cuda_nvcc/bin/ptxas

if [ "${1:-}" != --assemble ]; then
    fetch nvidia-cuda-nvrtc 13.0.88
    library=$PWD/target/wheels/nvidia-cuda-nvrtc/nvidia/cu13/lib
    LD_LIBRARY_PATH=$library python3 tools/nvrtc.py "$library/libnvrtc.so.13"
fi
for ptx in src/device/cuda/kernels/*.ptx; do
    for architecture in sm_70 sm_75 sm_80 sm_90 sm_100 sm_120; do
        $ptxas --gpu-name $architecture --output-file /dev/null "$ptx"
    done
done
echo "ptxas takes all of it for sm_70, sm_75, sm_80, sm_90, sm_100 and sm_120."
