#!/usr/bin/env bash
# Every script of docs/pictures draws the picture that is committed next to it; `make pictures` draws them again. TAP.
cd "$(dirname "$0")/../.." || exit 1
n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for script in docs/pictures/*.script; do
	picture=$(basename "$script" .script).svg
	n=$((n + 1))
	if docs/pictures/draw.sh "$tmp" "$PWD/$script" >"$tmp/out" 2>&1 &&
		diff -u "docs/pictures/$picture" "$tmp/$picture" >"$tmp/out" 2>&1; then
		echo "ok $n - docs/pictures/$picture shows what the program draws"
	else
		echo "not ok $n - docs/pictures/$picture is out of date; run make pictures"
		head -n 20 "$tmp/out" | cut -c 1-200 | sed 's/^/# /'
		status=1
	fi
done

for picture in docs/pictures/*.svg; do
	[ -e "${picture%.svg}.script" ] && continue
	n=$((n + 1))
	echo "not ok $n - $picture has no script"
	status=1
done
echo "1..$n"
exit $status
