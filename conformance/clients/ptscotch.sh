# SPDX-License-Identifier: MIT OR Apache-2.0
# PT-Scotch orders and partitions a mesh of 60 x 60 in parallel; Scotch's serial tools read the results.
. "$(dirname "$0")/common.sh"

needs /usr/bin/dgord /usr/bin/dgpart /usr/bin/gotst
gmk_m2 60 60 > mesh.grf
echo "cmplt 4" > four.tgt
ranks "$NP" /usr/bin/dgord mesh.grf mesh.ord -vt
ranks "$NP" /usr/bin/dgpart 4 mesh.grf mesh.map -vmt
gotst mesh.grf mesh.ord | tee order.log
gmtst mesh.grf four.tgt mesh.map
grep -q 'NNZ=' order.log || wrong "no ordering"
[ "$(tail -n +2 mesh.map | wc -l)" -ge 3600 ] || wrong "not every vertex has a part"
