# SPDX-License-Identifier: MIT OR Apache-2.0
# PhyML makes four bootstrap trees of IQ-TREE's example alignment, shared out over the ranks.
. "$(dirname "$0")/common.sh"

needs /usr/lib/phyml/bin/phyml-mpi /usr/share/doc/iqtree/examples/example.phy
cp /usr/share/doc/iqtree/examples/example.phy .
ranks "$NP" /usr/lib/phyml/bin/phyml-mpi -i example.phy -b 4 -m HKY85 -o n --r_seed 1 --no_memory_check --quiet
[ "$(cat example.phy_phyml_boot_trees* | grep -c ';')" = 4 ] || wrong "not four trees"
