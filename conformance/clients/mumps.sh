# SPDX-License-Identifier: MIT OR Apache-2.0
# MUMPS's own example in four precisions, a solver in Fortran: the solution of its small system is 1, 2, 3, 4, 5.
. "$(dirname "$0")/common.sh"

folder=/usr/lib/mumps
needs $folder/dsimpletest
for precision in s d c z; do
    case $precision in s | d) input=real ;; *) input=cmplx ;; esac
    ranks "$NP" $folder/${precision}simpletest < $folder/input_simpletest_$input | tee $precision.log
    line=$(grep 'Solution is' $precision.log) || wrong "no solution in precision $precision"
    # Complex numbers are printed as (real,imaginary).
    read -ra numbers <<< "$(sed 's/.*Solution is//; s/,[^)]*)//g; s/(//g' <<< "$line")"
    for i in 1 2 3 4 5; do near "${numbers[i - 1]-}" $i 1e-4 || wrong "number $i of the solution in precision $precision: $line"; done
done
