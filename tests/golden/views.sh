#!/usr/bin/env bash
# Every view of tui/views/views.def is complete: a folder, an action of the same name (with - for _) with a key, that key on the help
# page and in the manual, and golden screens at three sizes in Unicode and in ASCII, in the files
# tests/golden/VIEW/*SIZE*GLYPHS* or tests/golden/*/*VIEW*SIZE*GLYPHS*. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"

"$BUILD/wavedeck" help keys >"$tmp/keys"
"$BUILD/wavedeck" help --man | sed 's/\\-/-/g' >"$tmp/manual"
printf 'size 120x1000\nglyphs ascii\naction help\ndump\n' | "$BUILD/wavedeck" --script - >"$tmp/help" 2>/dev/null
sed -n 's/^VIEW(\([a-z_]*\))$/\1/p' tui/views/views.def >"$tmp/views"
[ "$(wc -l <"$tmp/views")" -ge 3 ]
result $? 'views.def lists the views'
while read -r name; do
	[ -d "tui/views/$name" ]
	result $? "$name: has a folder"
	action=${name//_/-}
	row=$(grep -E "^  $action \(.+\)" "$tmp/keys")
	[ -n "$row" ]
	result $? "$name: an action of that name has a key"
	grep -qE "^\\\\fB$action \(.+\)" "$tmp/manual"
	result $? "$name: the manual lists the action"
	key=$(echo "$row" | sed 's/^[^(]*(\([^)]*\)).*/\1/; s/ or .*//')
	grep -qE "^\| $(printf '%s' "$key" | sed 's/[][?.*$]/\\&/g')( or [^ ]*)? +[^ ]" "$tmp/help"
	result $? "$name: the help page lists the key"
	screens=$name
	[ "$name" != workbench ] || screens=main
	lacks=
	for size in 80x24 120x36 200x60; do
		for glyphs in unicode ascii; do
			compgen -G "tests/golden/*/*$screens*$size*$glyphs*" >/dev/null ||
				compgen -G "tests/golden/$name/*$size*$glyphs*" >/dev/null ||
					lacks="$lacks $size-$glyphs"
		done
	done
	[ -z "$lacks" ]
	result $? "$name: golden screens${lacks:+, missing$lacks}"
done <"$tmp/views"
finish
