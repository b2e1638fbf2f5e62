#!/usr/bin/env bash
# The view of the user's program compared with golden screens: while it waits for input, at its end, a kernel in the
# workbench; what is typed for it, interrupting it, running it again, saving its launches. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
# shellcheck source=../live_script.bash
. tests/live_script.bash
export XDG_CACHE_HOME=$tmp/cache
build() { kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" --offload-arch=gfx900 -O2 -g -o "$tmp/rows" "$1" >"$tmp/out" 2>&1; } # source
build tests/golden/program/rows.hip
result $? 'hipcc builds the program' "$tmp/out"

# The time that it runs differs. The rest of the frame's edge goes with them.
steady() {
	perl -CSD -Mutf8 -pe '
		s{^(\S+ )rows [━=]+ (runs since|ended with status \d+ after) \d+ s [━=]+}{$1rows $2 (time) };
		s/, (~\d+ (?:s|min|h)|less than 1 s|time unknown) [^┛┘+]*/, (time) /;
		' "$1"
}
dump_here() { say "$(dumps "$1")" 'size 120x36' 'glyphs ascii' && sync dumped; } # state

start_script "$tmp/rows"
say 'size 120x36' 'glyphs ascii'
sync_until shown 'transposed; continue\?'
result $? 'the program runs, and its output is on the screen' "$tmp/shown"
sync_until shown 'transpose_tile\(float const\*, float\*\) .* 2 .* us '
result $? 'kernels appear while it runs' "$tmp/shown"
grep -q 'runs since' "$tmp/shown"
result $? 'with its state' "$tmp/shown"
dump_here running
say 'key Enter' && sync shown && grep -q 'the program still runs' "$tmp/shown"
result $? 'a kernel opens when the program has ended' "$tmp/shown"
say 'action program-type yes'
sync_until shown 'ended with status 0' && grep -q 'sum of row 3: ' "$tmp/shown"
result $? 'a typed line reaches it, and it ends' "$tmp/shown"
dump_here ended
say 'key End' 'key l' && sync shown && grep -qE '^\|> +[0-9]+ +8x8 +32x8 .* kept +\|$' "$tmp/shown" && grep -q ' by number, 1 of 2 ' "$tmp/shown"
result $? 'l lists the launches of the selected kernel' "$tmp/shown"
dump_here launches
# The first launch is slower, so the other one was not kept.
say 'key End' 'key Enter' && sync shown && grep -qE "launch [0-9]+ was not kept; to keep it: wavedeck capture --launch [0-9]+ -- $tmp/rows" "$tmp/shown"
result $? 'Enter on a launch that was not kept says how to keep it' "$tmp/shown"
say 'key Home' 'mouse 20 4' && sync shown && grep -q ' by number, 2 of 2 ' "$tmp/shown" && ! grep -q 'was not kept' "$tmp/shown" &&
	say 'mouse 20 4' && sync shown && grep -q 'was not kept' "$tmp/shown"
result $? 'a click selects a launch, and a second one acts as Enter' "$tmp/shown"
say 'key o' && sync shown && grep -qE ' by time, 2 of 2 ' "$tmp/shown" && say 'key Esc' && sync shown && grep -qE '^\|> transpose_tile' "$tmp/shown"
result $? 'o sorts, with the same launch selected, and Esc goes back to the kernel' "$tmp/shown"
say 'key Up' 'key l' 'key Enter' && sync shown && grep -q "HIP's own kernel" "$tmp/shown" && grep -q 'its code object was not found' "$tmp/shown"
result $? "a launch of HIP's own kernels cannot run again" "$tmp/shown"
say 'key l' 'key Home' && sync shown && grep -qE '^\|> sum_rows' "$tmp/shown"
result $? 'l goes back, too' "$tmp/shown"
say "action program-save $tmp/rows.wbc" && sync shown && [ "$(stat -c %a "$tmp/rows.wbc")" = 600 ]
result $? 'its launches are saved for this user' "$tmp/shown"
prlimit --pid "$program" --fsize=12000: && say "action program-save $tmp/cut.wbc" && sync shown &&
	grep -q 'cut.wbc: File too large' "$tmp/shown" && [ ! -e "$tmp/cut.wbc" ]
result $? 'a file that cannot be written whole is removed, with the reason' "$tmp/shown"
prlimit --pid "$program" --fsize=unlimited:
say 'key Enter' "wait sweep $patience" && sync_until shown 'x: caches' && grep -q 'sum_rows(float const' "$tmp/shown"
result $? 'Enter opens the slowest launch in the workbench' "$tmp/shown"
say 'action code' "wait background $patience" && sync_until shown 'sum \+= in\[row \* N \+ i\]'
result $? 'with its source' "$tmp/shown"
"$BUILD/wavedeck" isa "$tmp/rows.wbc:transpose_tile" --advice >"$tmp/advice" 2>&1 && grep -q 'LDS conflict' "$tmp/advice"
result $? 'the advice for the other kernel names the conflicts of LDS banks' "$tmp/advice"
say 'action inspector' "wait background $patience" && sync_until shown 'SIMD0'
result $? 'and the waves of a CU over time' "$tmp/shown"
say 'action roofline' "wait background $patience" 'action roofline-captured' "wait background $patience"
sync_until shown 'transpose_tile +[0-9.]+ '
result $? 'each kernel has a place on the roofline' "$tmp/shown"
sed 's/tile\[TILE\]\[TILE\]/tile[TILE][TILE + 1]/' tests/golden/program/rows.hip >"$tmp/rows.hip" && build "$tmp/rows.hip" &&
	say 'action program' 'action program-again' && sync_until shown 'transposed; continue\?' &&
	say 'action program-type yes' && sync_until shown 'ended with status 0' && say "action program-save $tmp/padded.wbc" && sync shown &&
	"$BUILD/wavedeck" compare "$tmp/rows.wbc" "$tmp/padded.wbc" --format csv >"$tmp/compared" 2>&1
result $? 'a change of the source, run again and compared' "$tmp/shown"
awk -F, '/transpose_tile/ { faster = $(NF - 3) < 0.95 } /sum_rows/ { same = $(NF - 3) == 1 } END { exit !(faster && same) }' "$tmp/compared"
result $? 'shows that padding the tile makes its kernel faster, and the other stays' "$tmp/compared"
say 'action program-again' && sync_until shown 'transposed; continue\?'
result $? 'r runs it again' "$tmp/shown"
say 'action program-interrupt' && sync_until shown 'ended (by signal 2|with status 130)'
result $? 'c interrupts it' "$tmp/shown"
say 'key Tab' 'key Up' && sync shown
result $? 'the output scrolls' "$tmp/shown"
say 'action program-again' && sync_until shown 'transposed; continue\?' && end_script && ! pgrep -f "$tmp/rows" >"$tmp/left"
result $? 'the end of the workbench ends a program that still runs' "$tmp/log"
same_screens running ended launches

# program, status, pattern of the message
ends_without_kernel() {
	start_script "$1"
	say 'size 120x36' 'glyphs ascii' && sync_until shown "$3" && grep -q "ended with status $2" "$tmp/shown"
	result $? "a program without kernels: $1 shows its own status $2" "$tmp/shown"
	say 'key l' && sync shown && grep -q '^ no kernel was launched' "$tmp/shown"
	result $? 'and has no launches to list' "$tmp/shown"
	end_script
}
ends_without_kernel /bin/true 0 'true has ended; it launched no kernel'
ends_without_kernel /bin/false 1 'false ended with status 1; it launched no kernel'

cat >"$tmp/sizes" <<'END'
#!/bin/bash
trap 'echo "now $(stty size)"' WINCH
echo "waits"
while sleep 0.1; do :; done # a trap runs between two commands; one that comes right before `wait` would not
END
chmod +x "$tmp/sizes" && start_script "$tmp/sizes"
say 'size 120x36' 'glyphs ascii' && sync_until shown ' waits ' && say 'size 200x60' && sync_until shown ' now 21 196 '
result $? 'a program gets the size of its terminal when the window changes' "$tmp/shown"
end_script

# Numbers of processes differ.
printf '#!/bin/sh\necho yes | %s\necho yes | %s\n' "$tmp/rows" "$tmp/rows" >"$tmp/twice" && chmod +x "$tmp/twice" && start_script "$tmp/twice"
say 'size 120x36' 'glyphs ascii' && sync_until shown 'ended with status 0' && say 'action program-first' 'key l' 'key Down' && sync shown &&
	[ "$(grep -cE '^\|>? +[0-9]+ +[0-9]+ +4 +64 .* kept +\|$' "$tmp/shown")" -eq 2 ] && grep -qE '^\|  +process +launch ' "$tmp/shown"
result $? 'launches of two processes with the same numbers, both kept' "$tmp/shown"
number=$(awk '$1 == "|>" { print $3 }' "$tmp/shown")
say 'key Enter' "wait sweep $patience" 'action param-down launch' && sync_until shown 'x: caches' && grep -qE "launch +<$number-2>" "$tmp/shown"
result $? 'Enter opens the one of the second process' "$tmp/shown"
say 'action program' 'key Up' 'key Enter' "wait sweep $patience" 'action param-down launch' && sync_until shown 'x: caches' && grep -qE "launch +<$number>" "$tmp/shown"
result $? 'and then the one of the first' "$tmp/shown"
end_script

# Journals as a program with a million launches writes them.
cat >"$tmp/million" <<'END'
#!/bin/sh
awk 'BEGIN { for (i = 0; i < 1000000; i++)
	printf "begin sum\nkernel %d 9 10 %d %d 512x1x1 256x1x1 sum\n", i * 7919 % 1000003, i == 5, i }' >"$SOFTGPU_JOURNAL/$$.journal"
END
chmod +x "$tmp/million" && start_script "$tmp/million"
say 'size 120x36' 'glyphs ascii' && sync_until shown 'ended with status 0' && say 'key l' && sync shown &&
	grep -q ' 512 of 1000000 launches: the first 256, the slowest, and all that were kept ' "$tmp/shown" && grep -q ' failed; not kept ' "$tmp/shown"
result $? 'a program with a million launches: the first and the slowest' "$tmp/shown"
say 'key o' 'key Home' && sync shown && grep -qE ' by time, 1 of 512 ' "$tmp/shown" && grep -qE '^\|> +341332 +2 +256 +1 us ' "$tmp/shown"
result $? 'and the slowest of all' "$tmp/shown"
say 'key Enter' && sync shown && grep -q 'launch 341332 cannot be opened: no launch was kept; the output says why' "$tmp/shown"
result $? 'Enter says that nothing was kept' "$tmp/shown"
end_script

try 'without a program, the view says how to start one' 'size 120x36\nglyphs ascii\naction program\nexpect wavedeck ./app\n'
"$BUILD/wavedeck" "$tmp/rows" </dev/null >"$tmp/out" 2>&1
[ $? -eq 2 ] && grep -q 'the workbench needs a terminal' "$tmp/out"
result $? 'without a terminal it says what to do' "$tmp/out"
finish
