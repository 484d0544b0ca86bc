# SPDX-License-Identifier: MIT OR Apache-2.0
# NetPIPE in its integrity mode: messages of all lengths to 64 KiB and around each, contents checked.
. "$(dirname "$0")/common.sh"

ranks 2 /usr/bin/NPopenmpi -i -u 65536 2>&1 | tee netpipe.log
grep -q 'Integrity check passed' netpipe.log || wrong "no integrity check passed"
! grep -q 'Integrity check failed' netpipe.log || wrong "an integrity check failed"
