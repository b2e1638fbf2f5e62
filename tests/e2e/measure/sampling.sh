#!/usr/bin/env bash
# How samples are taken: the L2 cache emptied before each, on a software GPU and by the kernel that GPUs run; the entropy
# criterion; what sessions, exports and comparisons say of it. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config LC_ALL=C.UTF-8
sweep=(range-latency reads=1024 laps=1 stride=64 "rangesize=4KiB,64KiB")

wavedeck() {
	timeout $patience "$BUILD/wavedeck" "$@" >"$tmp/log" 2>&1
}
latencies() { # session
	wavedeck export "$1" --format csv
	csv_column latency "$tmp/log"
}
slower() { # session without, session with: each point is at least 5 % slower, that of 64 KiB 50 %
	# shellcheck disable=SC2046
	echo $(latencies "$1") $(latencies "$2") >"$tmp/both"
	awk '{ exit !(NF == 4 && $3 > 1.05 * $1 && $4 > 1.5 * $2) }' "$tmp/both"
}
refused() { # what, its error, arguments
	wavedeck "${@:3}"
	[ $? -eq 2 ] && grep -qF -- "$2" "$tmp/log"
	result $? "$1"
}

# --- the L2 cache, emptied ---
wavedeck run "${sweep[@]}" --record "$tmp/kept.wbs"
wavedeck run "${sweep[@]}" --flush-l2 --record "$tmp/flushed.wbs" --workers 1
grep -q 'L2 emptied before each sample' "$tmp/log"
result $? 'the table says that L2 was emptied'
slower "$tmp/kept.wbs" "$tmp/flushed.wbs"
result $? 'a small working set is slower then'
grep -q '^# sampling: flush_l2=yes' "$tmp/log"
result $? 'an export has it'
wavedeck run "${sweep[@]}" --flush-l2 --record "$tmp/again.wbs" --workers 2
equal 'it does not depend on the number of workers' "$(latencies "$tmp/flushed.wbs")" "$(latencies "$tmp/again.wbs")"
wavedeck compare "$tmp/kept.wbs" "$tmp/flushed.wbs"
grep -q 'sampling' "$tmp/log"
result $? 'a comparison names the difference'
noisy=soft:mi25,noise=white:0.001
wavedeck run "${sweep[@]}" --device $noisy --record "$tmp/kept_noisy.wbs"
wavedeck run "${sweep[@]}" --device $noisy --flush-l2 --record "$tmp/flushed_noisy.wbs"
slower "$tmp/kept_noisy.wbs" "$tmp/flushed_noisy.wbs"
result $? 'L2 is emptied before each of several samples'
for flush in '' --flush-l2; do
	timeout $patience "$BUILD/wavedeck" exec -- "$BUILD/wavedeck" run "${sweep[@]}" --device hip:0 $flush --record "$tmp/hip$flush.wbs" >"$tmp/log" 2>&1
done
slower "$tmp/hip.wbs" "$tmp/hip--flush-l2.wbs"
result $? 'the kernel for GPUs empties it'

wavedeck run "${sweep[@]}" --each --device soft:mi25 --device soft:mi60 --flush-l2 --folder "$tmp/each"
equal 'tasks of several devices do it, too' 2 "$(grep -l '"sampling":{"flush_l2":true}' "$tmp"/each/*.wbs | wc -l)"

# --- one measurement ---
head -n 2 "$tmp/flushed.wbs" >"$tmp/part.wbs"
refused 'a session is not resumed with other samples' 'was measured with other samples' run "${sweep[@]}" --stop entropy --resume "$tmp/part.wbs"
wavedeck run --resume "$tmp/part.wbs"
equal 'a resumed session keeps the samples of the file' "$(latencies "$tmp/flushed.wbs")" "$(latencies "$tmp/part.wbs")"
refused 'a recording has its own' 'a recording has the samples that were taken then' run "${sweep[@]}" --device "replay:$tmp/kept.wbs" --flush-l2
wavedeck run "${sweep[@]}" --device "replay:$tmp/flushed.wbs"
grep -q 'L2 emptied before each sample' "$tmp/log"
result $? 'a recording that is replayed says how it was measured'

# --- the entropy criterion ---
wavedeck run range-latency reads=1024 rangesize=4KiB,64KiB --device soft:mi25,noise=white:0.01 --stop entropy --record "$tmp/entropy.wbs"
grep -q 'samples until their entropy is steady' "$tmp/log"
result $? 'the table says which rule it was'
wavedeck export "$tmp/entropy.wbs" --format csv
# shellcheck disable=SC2046
set -- $(csv_column samples "$tmp/log")
[ $# -eq 2 ] && [ "$1" -gt 1000 ] && [ "$2" -gt 1000 ]
result $? 'times of which no two are equal need more than a thousand samples'
refused 'another rule is refused' '--stop is interval or entropy' run "${sweep[@]}" --stop never

# --- the workbench ---
mkdir -p "$tmp/config/wavedeck"
printf 'flush-l2 = on\nrecord = on\nsession-folder = %s\n' "$tmp/sessions" >"$tmp/config/wavedeck/config"
cat >"$tmp/script" <<'END'
size 80x24
wait sweep
expect L2 emptied
key S
wait sessions
size 120x36
expect samples    L2 emptied
END
wavedeck --device soft:mi25 --script "$tmp/script" range-latency
result $? 'the workbench shows it, for the curve and for a session' "$tmp/log"
grep -ql '"sampling":{"flush_l2":true}' "$tmp"/sessions/*.wbs
result $? 'the setting flush-l2 of the workbench does it, too' "$tmp/log"
finish
