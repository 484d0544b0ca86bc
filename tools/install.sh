#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# install.sh PREFIX [STAGE]: sees whether PREFIX can be written to, and copies what is staged, and the documents. Folders that exist keep
# their owner and mode; files get the installer as owner.
set -euo pipefail
prefix=$1 stage=${2:-} source=$(dirname "$0")/..
documents=$prefix/share/doc/paceline

if ! mkdir -p "$prefix"/{bin,lib,include} "$documents/docs" ||
    ! [ -w "$prefix/bin" -a -w "$prefix/lib" -a -w "$prefix/include" -a -w "$documents/docs" ]; then
    echo "Cannot write to $prefix. Choose another folder with make install PREFIX=..., or install as its owner." >&2
    exit 1
fi
[ -n "$stage" ] || exit 0
(cd "$stage" && find bin lib include -type d) | while read -r folder; do [ -d "$prefix/$folder" ] || mkdir "$prefix/$folder"; done
(cd "$stage" && find bin lib include ! -type d) | while read -r file; do
    cp --no-dereference --preserve=mode,links --remove-destination "$stage/$file" "$prefix/$file"
done
# In the same folders as in the source, so that the links between them hold.
documents=$(realpath "$documents")
cd "$source"
install -m 644 README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$documents"
install -m 644 docs/*.md "$documents/docs"
echo "Installed in $prefix; its documents are in share/doc/paceline."
