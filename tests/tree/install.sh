#!/usr/bin/env bash
# An installed copy, in a place with a blank in its name, has its parts; the README's own example runs from there; uninstall leaves nothing.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0 status=0
result() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; sed 's/^/# /' "$tmp/log" 2>/dev/null | tail -20; fi; }
prefix="$tmp/a place"
make_it() { make -C "$here" --no-print-directory BUILD="$BUILD" MODE="${MODE:-release}" PREFIX="$prefix" "$1" >"$tmp/log" 2>&1; }

make_it install; result $? 'make install into a folder with a blank'
export HOME=$tmp XDG_DATA_HOME= XDG_CACHE_HOME=
cd "$tmp" || exit 1
"$prefix/bin/wavedeck" run lds-latency lanes=1 --format csv >"$tmp/log" 2>&1; result $? 'the installed program measures'
grep -q '^1,' "$tmp/log"; result $? 'and prints a row'
awk -v RS='```' '/^cpp\n/ { sub(/^cpp\n/, ""); printf "%s", $0 > "copy.hip" } /^lua\n/ { sub(/^lua\n/, ""); printf "%s", $0 > "copy.lua" }' "$here/README.md"
"$prefix/bin/wavedeck" run ./copy.lua stride=1,2 --format csv >"$tmp/log" 2>&1; result $? "the README's own experiment runs"
[ "$(grep -c '^[12],' "$tmp/log")" = 2 ]; result $? 'with a row for each point'
make_it uninstall; result $? 'make uninstall'
[ -z "$(find "$prefix" -type f)" ]; result $? 'leaves no file'
echo "1..$n"
exit $status
