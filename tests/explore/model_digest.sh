#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# model_digest.sh SCRIPT: the digest of sources changes with each of them and with the headers that they include, and
# with nothing else.
set -eu
script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# tree NAME: sources that are the same each time.
tree() {
    mkdir -p "$folder/$1/src/tlmetry/a" "$folder/$1/models/tlmetry/b" "$folder/$1/src/tlmetry/page"
    printf '#include "tlmetry/a/a.hpp"\nint a;\n' >"$folder/$1/src/tlmetry/a/a.cpp"
    printf '#include <tlmetry/b/b.hpp>\n#include <tlmetry/page/page.hpp>\n' >"$folder/$1/src/tlmetry/a/a.hpp"
    for header in src/tlmetry/a/other.hpp models/tlmetry/b/b.hpp src/tlmetry/page/page.hpp; do
        echo "int c;" >"$folder/$1/$header"
    done
}

# digest NAME: of the tree of this name.
digest() {
    printf %s "$folder/$1/src/tlmetry/a/a.cpp" >"$folder/sources"
    cmake -D ROOT="$folder/$1" -D SOURCES="$folder/sources" -D "EXCEPT=^tlmetry/(page)/" -D OUTPUT="$folder/out.cpp" \
          -D DEPFILE="$folder/out.d" -P "$script"
    grep -o '"[0-9a-f]\{64\}"' "$folder/out.cpp"
}

fail() {
    echo "$1" >&2
    exit 1
}

tree one
tree two
first=$(digest one)
[ "$(digest two)" = "$first" ] || fail "the same sources in another place have another digest"
for name in src/tlmetry/a/other.hpp src/tlmetry/page/page.hpp; do
    echo "int d;" >"$folder/two/$name"
    [ "$(digest two)" = "$first" ] || fail "$name changes the digest"
done
for name in src/tlmetry/a/a.cpp src/tlmetry/a/a.hpp models/tlmetry/b/b.hpp; do
    tree two
    echo "int d;" >>"$folder/two/$name"
    [ "$(digest two)" != "$first" ] || fail "$name does not change the digest"
    grep -q "/$name" "$folder/out.d" || fail "$name is not in the file of dependencies"
done
