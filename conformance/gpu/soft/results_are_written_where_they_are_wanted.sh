# SPDX-License-Identifier: MIT OR Apache-2.0
# The kernel that reduces a slice writes the result to all ranks' buffers: repeated calls launch kernels, and copy nothing. Where a handle
# does not serve they do copy.
. "$(dirname "$0")/common.sh"
program gpu/programs/measure
export PACELINE_COLL="allreduce:*:cuda:*:@two_shot/inf"

# run MILLISECONDS [VARIABLE=VALUE]: how many kernels were launched, and how many copies made.
run() {
    rm -f counts
    env "${2:-A=}" $MPIRUN -n "$NP" ./measure 262144 "$1" "" from=262144 only=allreduce >&2
    echo "$(calls cuLaunchKernel) $(calls cuMemcpyAsync)"
}

read -r few copies < <(run 1)
read -r many more < <(run 500)
[ "$many" -gt "$few" ] && [ "$copies" = "$more" ] || { echo "$few kernels and $copies copies, and with more repetitions $many and $more"; exit 1; }
read -r many more < <(run 500 PACELINE_GPU_IPC=off)
[ "$more" -gt "$copies" ] || { echo "the driver counts no copies"; exit 1; }
