# SPDX-License-Identifier: MIT OR Apache-2.0
# NetPIPE, which Debian has for Open MPI and for MPICH, in its integrity mode: messages of all lengths to 64 KiB and around
# each, contents checked; then its measurement to 1 MiB.
FACES="openmpi mpich"
. "$(dirname "$0")/common.sh"

case $FACE in
    openmpi) program=/usr/bin/NPopenmpi ;;
    mpich) program=/usr/bin/NPmpich2 ;;
esac
needs $program
ranks 2 $program -i -u 65536 2>&1 | tee netpipe.log
grep -q 'Integrity check passed' netpipe.log || wrong "no integrity check passed"
! grep -q 'Integrity check failed' netpipe.log || wrong "an integrity check failed"
ranks 2 $program -u 1048576 -n 20 -o measured.log
[ "$(wc -l < measured.log)" -gt 60 ] || wrong "not all lengths were measured"
