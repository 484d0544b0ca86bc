# SPDX-License-Identifier: MIT OR Apache-2.0
# TREE-PUZZLE reconstructs a tree from IQ-TREE's example alignment; its menu reads the standard input.
. "$(dirname "$0")/common.sh"

needs /usr/bin/tree-ppuzzle /usr/share/doc/iqtree/examples/example.phy
cp /usr/share/doc/iqtree/examples/example.phy infile
printf 'y\ny\ny\n' | ranks "$NP" /usr/bin/tree-ppuzzle infile
[ -s infile.puzzle ] || wrong "no report"
