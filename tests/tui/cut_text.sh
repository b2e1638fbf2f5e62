#!/usr/bin/env bash
# No text is cut without an ellipsis: an experiment whose names are as long as they may be, in every view, at several
# sizes. A long name is Q, small letters and Z; on the screen it ends with Z or an ellipsis. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config LC_ALL=C.UTF-8
mkdir "$tmp/own"

# --- the experiment ---
# A name of that many characters. Names differ by their letter.
long() { # characters, letter
	printf 'Q%sZ' "$(printf '%*s' $(($1 - 2)) '' | tr ' ' "$2")"
}
# Words that fit every pane, so that a text of them can be wrapped.
words() { # letter...
	for letter in "$@"; do printf '%s ' "$(long 15 "$letter")"; done | sed 's/ $//'
}
x=$(long 22 x) y=$(long 22 y) main=$(long 22 m) right=$(long 22 r) id=$(long 36 i)
cat >"$tmp/own/$id.lua" <<END
return {
  title    = "$(long 70 t)",
  question = "$(long 60 q) $(long 60 p)",
  source   = "$(words a b c d e f)",
  kernel   = { file = "copy.hip", entry = "copy_offset" },
  variants = { { "$(long 22 v)" }, { "$(long 22 w)", defines = "-DOTHER=1" } },
  params   = {
    { "$x", unit = "$(long 12 u)", min = 64, max = 1024, step = "x2", default = 256, sweep = true,
      help = "$(words g h i j k)" },
    { "$y", unit = "$(long 12 n)", min = 1, max = 8, step = "x2", default = 1, help = "$(words l m n o)" },
  },
  buffers  = { input = { type = "float", count = 65536, fill = "random" }, out = { type = "float", count = 65536 } },
  args     = { "const float *input", "float *out", "unsigned from", "unsigned to" },
  values   = function(p) return { from = 0, to = 0 } end,
  launch   = { grid = function(p) return 65536 // p.$x end, block = function(p) return p.$x end },
  metrics  = {
    { "$main", unit = "$(long 12 f)", function(m) return m.seconds * 1e6 end },
    { "$right", unit = "$(long 12 g)", axis = "right", function(m) return 1 / m.seconds / 1e6 end },
    { "$(long 22 o)", unit = "$(long 12 h)", axis = "none",
      function(m, p) if p.$x == 512 then error("$(words p q r s t u)") end return m.seconds end },
  },
  reference = "copy_offset",
}
END

# --- the script ---
count=0
# Dumps what is shown, at each size. A name says where a cut was found.
shows() { # what
	count=$((count + 1))
	for size in 80x24 60x20 120x36 200x60; do
		printf 'size %s\ndump %s\n' $size "$tmp/$count-$1-$size.txt"
	done
	echo 'size 80x24'
}
act() { printf 'action %s\n' "$@"; } # action...
settle() { printf 'wait idle\nwait background %s\nwait sweep %s\n' "$patience" "$patience"; }
{
	echo 'size 80x24'
	settle
	shows sweep
	act 'cursor-right 3'; shows failed-point
	act 'cursor-left 3'
	act pin 'param-more variant'; settle
	act pin 'param-more variant'; settle
	shows pins
	act ratio; shows ratio
	act ratio ratio breakdown; settle; shows breakdown
	act log-y; shows shares
	act breakdown next-pane; shows plot
	act next-pane; shows list
	act zoom; shows zoom
	act zoom help; shows help
	act back glossary; shows glossary
	act back log; shows log
	act back table; shows table
	act 'table-right 4' table-sort; shows table-sorted
	act heatmap; shows heatmap-offer
	act heatmap-measure; settle; shows heatmap
	act roofline; settle; shows roofline
	act workers; shows workers
	act code; settle; shows code
	act code-advice; shows advice
	act code-advice code-diff; shows code-choices
	act code-choose; settle; shows code-comparison
	act inspector; settle
	for page in lanes sets steps hardware timeline; do act "inspector-$page"; settle; shows "inspector-$page"; done
	act lessons; shows course
	act lesson-enter; shows introduction
	act lesson-right; shows question
	act devices; settle; shows devices
	act workbench record "param $y=2"; settle
	act record record "param $y=4"; settle
	act record sessions; settle; shows sessions
	act "session-note $(words a b c d e f g h i j k l)"; settle; shows session-note
	act session-points; settle; shows session-points
	act back session-mark session-down session-mark session-compare; settle; shows session-comparison
	printf 'key :\ntype %s\n' "experiment $id"; shows palette
	printf 'key Esc\n'
	act workbench "param $x=$(long 60 z)"; shows message
	act export; shows export
	printf 'key Esc\n'
} >"$tmp/script"
(cd "$tmp/own" && timeout $((4 * patience)) "$wavedeck" "./$id.lua" --device soft:mi25 --script "$tmp/script") \
	>"$tmp/out" 2>&1
result $? 'the script runs' "$tmp/out"

# --- the screens ---
# Prints the lines in which a long name ends or begins within its letters. The names of temporary folders, which have any
# letters, are left out.
cut_names() { # files...
	for file; do
		sed -E 's|[^ ]*/own/||g; s|/tmp/tmp\.[^ ]*||g' "$file" |
			grep -nP --label="${file#"$tmp"/}" "${with_name:--H}" \
				'(?|Q([a-z])\1++(?![Z…])|(?<![Qa-z…])([a-z])\1{2,}+Z)'
	done
}
equal 'a name that is cut is found' '1:Qaaa 2:aaaZ 7:Qbb' \
	"$(printf '%s\n' Qaaa aaaZ QaaaZ Qaaa… …aaaZ Question /tmp/tmp.xQcc/own/Qbb …Qcc/own/QbbZ |
		with_name=-h cut_names /dev/stdin | tr '\n' ' ' | sed 's/ $//')"
equal 'every screen is drawn' $((4 * count)) "$(ls "$tmp"/*.txt | wc -l)"
[ "$(cat "$tmp"/*.txt | grep -cP 'Q([a-z])\1')" -gt 500 ]
result $? 'the screens have long names'
check 'no name is cut without an ellipsis' "$(cut_names "$tmp"/*.txt)"
finish
