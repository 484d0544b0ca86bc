# SPDX-License-Identifier: MIT OR Apache-2.0
# LAMMPS: a Lennard-Jones melt; temperature and energy after 100 steps are known.
. "$(dirname "$0")/common.sh"

cat > in.melt <<'INPUT'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 50
run 100
INPUT

ranks "$NP" /usr/bin/lmp -in in.melt -log log.melt > out.log
column() { awk -v c="$1" '$1 == 100 && NF >= 5 { print $c; exit }' out.log; }
near "$(column 2)" 1.65 0.1 || wrong "temperature after 100 steps: $(column 2)"
near "$(column 3)" -4.745 0.02 || wrong "energy after 100 steps: $(column 3)"
