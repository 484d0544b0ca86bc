#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# install.sh PREFIX [STAGE]: sees whether PREFIX can be written to, and copies what is staged. Folders that exist keep their owner and
# mode; files get the installer as owner.
set -euo pipefail
prefix=$1 stage=${2:-}

if ! mkdir -p "$prefix"/{bin,lib,include} || ! [ -w "$prefix/bin" -a -w "$prefix/lib" -a -w "$prefix/include" ]; then
    echo "Cannot write to $prefix. Choose another folder with make install PREFIX=..., or install as its owner." >&2
    exit 1
fi
[ -n "$stage" ] || exit 0
(cd "$stage" && find bin lib include -type d) | while read -r folder; do [ -d "$prefix/$folder" ] || mkdir "$prefix/$folder"; done
(cd "$stage" && find bin lib include ! -type d) | while read -r file; do
    cp --no-dereference --preserve=mode,links --remove-destination "$stage/$file" "$prefix/$file"
done
echo "Installed in $prefix."
