#!/usr/bin/env bash
# Every script of docs/pictures draws the picture that is committed next to it; `make pictures` draws them again. The
# version of the compiler may differ. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"

without_compiler() { sed -E 's/textLength="[0-9]+"(.*clang )[0-9.]+/\1VERSION/' "$1"; }
for script in docs/pictures/*.script; do
	picture=$(basename "$script" .script).svg
	docs/pictures/draw.sh "$tmp" "$PWD/$script" >"$tmp/log" 2>&1 &&
		diff -u <(without_compiler "docs/pictures/$picture") <(without_compiler "$tmp/$picture") 2>&1 | head -n 20 | cut -c 1-200 >"$tmp/log"
	[ "${PIPESTATUS[0]}" -eq 0 ] && [ ! -s "$tmp/log" ]
	result $? "docs/pictures/$picture shows what the program draws (make pictures draws it again)"
done
check 'every picture has a script' "$(for picture in docs/pictures/*.svg; do
	[ -e "${picture%.svg}.script" ] || echo "$picture"
done)"
finish
