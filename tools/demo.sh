#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The demo: the lessons on Open MPI and on Paceline side by side, then a short table of times.
set -euo pipefail
cd "$(dirname "$0")/.."

"$OUT"/demo
echo "Times (medians in microseconds; ratio below 1: Paceline is faster). Both libraries take turns on the same binary;"
echo "\"cores\" says how far from each other the two cores were: only repeats with the same distance are compared."
echo "isend/irecv: one rank of each pair has many messages under way to the other; time of one message."
echo "(It comes in about a minute.)"
echo
"$OUT"/bench --short --operations bcast,allreduce,window --sizes 8,1K,64K,1M,16M,64M --passes 2 --repeats 3 --target 2000
