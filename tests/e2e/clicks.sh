#!/usr/bin/env bash
# Clicks in the views: they select a row, open it, and change the page. Also the key line and the first lines of the
# help page of each view. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
export XDG_DATA_HOME=$tmp XDG_CONFIG_HOME=$tmp
has() { # pattern, dump, what
	grep -qE "$1" "$tmp/$2"
	result $? "$3" "$tmp/$2"
}
views='code inspector lessons devices sessions table heatmap roofline workers'

{
	printf 'size 80x24\nglyphs ascii\nwait sweep 250\n'
	printf 'action lessons\nmouse 10 5\ndump %s/lessons\nmouse 10 5\ndump %s/page\naction back\n' "$tmp" "$tmp"
	printf 'action devices\nmouse 10 4\ndump %s/devices\n' "$tmp"
	printf 'action inspector\nmouse 54 2\ndump %s/inspector\n' "$tmp"
	printf 'action code\naction code-all\nwait idle 250\nmouse 20 5\ndump %s/code\n' "$tmp"
	for view in $views; do
		printf 'action workbench\naction %s\ndump %s\n' "$view" "$tmp/keys-$view"
		printf 'action help\nsize 80x90\ndump %s\nsize 80x24\naction back\n' "$tmp/help-$view"
	done
} >"$tmp/script"
"$BUILD/wavedeck" --script "$tmp/script" >"$tmp/log" 2>&1 </dev/null
result $? 'the script runs'
has '^\| > +3 Unrolling' lessons 'a click selects a lesson'
has '^\+=+ 3.* Introduction ' page 'a second click opens it'
has '^\| >  soft:mi60' devices 'a click selects a device'
has 'sclk_khz' inspector 'a click on a tab opens its page'
sed -n 6p "$tmp/code" | grep -q '^|>'; result $? 'a click moves the cursor to an instruction'
for view in $views; do
	# the first heading below the legend, which ends with a blank row
	heading=$(sed -n '3,$p' "$tmp/help-$view" | sed '1,/^| *|$/d' | head -n 1 | tr -d '| ' | tr '[:upper:]' '[:lower:]')
	equal "$view: its keys are first on the help page, below the legend" "$view" "${heading%ofpoints}"
	tail -n 1 "$tmp/keys-$view" | grep -q 'Esc back$'; result $? "$view: the key line shows Esc"
done
tail -n 1 "$tmp/keys-sessions" | grep -q 'Enter open .*Space mark .*c compare .*e export'
result $? 'the main session keys fit 80 columns'
finish
