#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_commands.sh PAGE SOURCE BUILD WORK [FLAGS]: saves the C program of a page as program.c, that in C++ as check.cpp,
# and runs all of its commands, the lines "    $ COMMAND", one after the other in a folder that looks like the project's.
# Where the page shows what a command prints, each of the lines must come, but "..." and those of processes in the
# background.
set -eu
page=$1 source=$2 build=$3 work=$4
rm -rf "$work"
mkdir -p "$work/build"
cd "$work"
ln -s "$source/configs" "$source/platform" "$source/sw" .
ln -s "$build" build/release
# A program that loads a library with sanitizers in it is compiled with them as well.
flags=${5:-}
if [ -n "$flags" ]; then
    mkdir bin
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$(command -v c++)" "$flags" >bin/c++
    chmod +x bin/c++
fi
PATH=$work/bin:$build/bin:$PATH
export PATH

sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d' >program.c
sed -n '/^```c++$/,/^```$/p' "$page" | sed '/^```/d' >check.cpp
{
    echo "pids="
    echo "trap 'for pid in \$pids; do kill \$pid && wait \$pid || true; done' EXIT"
    sed -n 's/^    \$ //p' "$page" | while IFS= read -r command; do
        echo "printf '%s\\n' '\$ $(echo "$command" | tr -d "'")' >>out"
        case $command in
            *" &") printf '%s\n' "exec_in_background() { exec ${command% &}; }" "lines=\$(wc -l <out)" \
                "exec_in_background >>out 2>&1 &" "pids=\"\$pids \$!\"" \
                "while [ \$(wc -l <out) -eq \$lines ]; do sleep 0.1; done" ;;
            *) printf '%s\n' "{ $command; } >>out 2>&1" ;;
        esac
    done
} >commands.sh
if ! sh -eu commands.sh; then
    cat out
    echo "run_commands.sh: a command of $page failed" >&2
    exit 1
fi
awk '/^    \$ /{shown = !/ &$/; next} /^    /{if (shown && $0 != "    ...") print substr($0, 5); next} {shown = 0}' \
    "$page" >expected
code=0
while IFS= read -r line; do
    grep -qxF -e "$line" out && continue
    echo "run_commands.sh: $page shows this line, which did not come: $line" >&2
    code=1
done <expected
[ "$code" -eq 0 ] || cat out
exit $code
