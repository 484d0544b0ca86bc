# SPDX-License-Identifier: MIT OR Apache-2.0
# mplrs enumerates the 64 vertices of the cube in 6 dimensions; it wants a master, a consumer and workers.
. "$(dirname "$0")/common.sh"

needs /usr/bin/mplrs
{
    printf 'cube\nH-representation\nbegin\n12 7 rational\n'
    for axis in 1 2 3 4 5 6; do
        for sign in 1 -1; do
            printf 1
            for column in 1 2 3 4 5 6; do printf ' %d' $((column == axis ? sign : 0)); done
            echo
        done
    done
    echo end
} > cube.ine
ranks $((NP < 4 ? 4 : NP)) /usr/bin/mplrs cube.ine | tee mplrs.log
[ "$(grep -cE '^ 1 +-?[01]' mplrs.log)" = 64 ] || wrong "not 64 vertices"
