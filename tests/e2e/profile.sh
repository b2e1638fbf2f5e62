#!/usr/bin/env bash
# Profiling on the command line: counters compared with the disassembly and the launch, the cycle breakdown,
# isa --profile, timelines. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck

# The number of instructions, according to the listing, that `waves` waves issue if the hot loop makes `trips` trips and
# no forward branch is taken.
implied() { # VALU|SALU waves trips experiment
	"$wavedeck" isa "$4" --all | awk -v class="$1" -v waves="$2" -v trips="$3" '
		match($0, /^ [ >*+]*[0-9a-f]+  [0-9A-F ]+  [a-z]/) {
			loop = substr($0, 1, 4) ~ />/; name = substr($0, RLENGTH); sub(/ .*/, "", name)
			other = name ~ /^s_(load|store|buffer|waitcnt|nop|endpgm|barrier|cbranch|branch|sleep|memtime)/
			if (name ~ /^v_/ ? class == "VALU" : name ~ /^s_/ && !other && class == "SALU")
				n += loop ? trips : 1
		}
		END { printf "%d", n * waves }'
}
counters() { # names experiment settings...: their values in the only row
	local names=$1
	shift
	"$wavedeck" run "$@" --counters "$names" --format csv | awk -F, -v names="$names" '
		/^#/ { next }
		!head { for (k = 1; k <= NF; k++) at[$k] = k; head = 1; next }
		{ m = split(names, want, ","); for (k = 1; k <= m; k++) printf "%s%s", $at[want[k]], k < m ? " " : "" }'
}
four=SQ_INSTS_VALU,SQ_INSTS_SALU,FETCH_SIZE,WRITE_SIZE

# 2^20 threads, 16384 waves, 4 bytes each: 4096 KiB written, nothing read
equal 'channel-conflict, which writes all of its buffer: instructions, and bytes by threads' \
	"$(implied VALU 16384 0 channel-conflict) $(implied SALU 16384 0 channel-conflict) 0 4096" \
	"$(counters $four channel-conflict total_threads=1048576 window=256KiB)"
# 100 multiply-adds per trip; each of 512 threads writes a dword.
equal 'fma-waves: instructions of 8 waves and 500 trips, 2 KiB' \
	"$(implied VALU 8 500 fma-waves) $(implied SALU 8 500 fma-waves) 0 2" \
	"$(counters $four fma-waves threads=512 fma_per_thread=50000)"
# The first read is before the loop. 16 MiB are larger than L2: each read fetches its line.
equal 'range-latency: instructions of 65535 trips, one line per read' \
	"$(implied VALU 1 262143 range-latency) $(implied SALU 1 262143 range-latency) 16384 0" \
	"$(counters $four range-latency rangesize=16MiB)"
equal 'range-latency: data in the caches is not fetched' \
	"$(implied VALU 1 65535 range-latency) $(implied SALU 1 65535 range-latency) 0 0" \
	"$(counters $four range-latency rangesize=4KiB)"

# --- the cycle breakdown ---
dram=$(counters CYCLES_DRAM,GRBM_GUI_ACTIVE range-latency rangesize=16MiB)
awk -v pair="$dram" 'BEGIN { split(pair, v, " "); exit !(v[1] > 0.7 * v[2] && v[1] < v[2]) }'
result $? "a stall reason is a counter: a walk over 16 MiB mostly waits for DRAM ($dram)"
equal 'a profile changes no cycle' "$(counters GRBM_GUI_ACTIVE range-latency rangesize=32KiB)" \
	"$(counters GRBM_GUI_ACTIVE,CYCLES_L2 range-latency rangesize=32KiB | cut -d' ' -f1)"
# Also if CUs access the same channels in the same cycle: their order does not depend on the order of host execution.
equal 'a profile changes no cycle if all CUs access memory at once' "$(counters GRBM_GUI_ACTIVE transpose form=copy)" \
	"$(counters GRBM_GUI_ACTIVE,CYCLES_L2 transpose form=copy | cut -d' ' -f1)"
text=$("$wavedeck" run range-latency rangesize=4KiB --counters CYCLES_DRAN 2>&1 >/dev/null)
[ $? -eq 2 ] && grep -q "unknown counter 'CYCLES_DRAN'; did you mean CYCLES_DRAM?" <<<"$text"
result $? 'an unknown counter is refused, and the nearest name suggested'

# --- isa --profile ---
profile=$("$wavedeck" isa range-latency --profile rangesize=4KiB)
grep -qE '^ +000040  s_waitcnt vmcnt\(0\) +65535 +262140 +[0-9]+   L1 [0-9.]+' <<<"$profile"
result $? 'the wait in the loop waits for L1, 65535 times'
grep -qE '^ +00007c  s_cbranch_scc1 [0-9]+ +65535 +262140 +1376214   branch 21.00$' <<<"$profile"
result $? 'each branch of the loop takes 21 cycles to fetch'
awk '/^  cycles / { all = $2 + 0 } / %$/ { sum += $(NF - 2) } END { exit !(all && all == sum) }' <<<"$profile"
result $? 'the stall reasons sum to the cycles'
equal 'two profiles are the same' "$profile" "$("$wavedeck" isa range-latency --profile rangesize=4KiB)"
head -n 1 <<<"$("$wavedeck" isa range-latency --profile rangesize=4KiB --device soft:mi60)" |
	grep -q '^chase_range, gfx906,'
result $? "a profile shows the code of the device"
text=$("$wavedeck" isa chase.hip --profile 2>&1 >/dev/null)
[ $? -eq 2 ] && grep -q -- '--profile needs an experiment' <<<"$text"
result $? 'a source file has no profile'

# --- run --timeline ---
file=$tmp/trace.json
"$wavedeck" run lds-bank-conflict stride=32 outer=100 --timeline "$file" >/dev/null 2>"$tmp/err"
[ $? -eq 0 ] && [ ! -s "$tmp/err" ] && head -c 16 "$file" | grep -qF '{"traceEvents":[' &&
	grep -q '"name":"SIMD 0 slot 0"' "$file"
result $? 'a timeline has one thread per wave slot'
# One wave: its spans follow each other from its creation to the last cycle.
awk -v RS='{' '/"wave":0/ { match($0, /"cycle":[0-9]+/); c = substr($0, RSTART + 8, RLENGTH - 8) + 0
		match($0, /"cycles":[0-9]+/); n = substr($0, RSTART + 9, RLENGTH - 9) + 0
		gap += any && c != end; any = 1; end = c + n }
	match($0, /"cycles":[0-9]+,"cycles_a/) { all = substr($0, RSTART + 9) + 0 }
	END { exit !(any && !gap && end == all) }' "$file"
result $? 'the spans of a wave cover every cycle'
text=$("$wavedeck" run range-latency --timeline "$file" 2>&1)
[ $? -eq 2 ] && grep -q -- '--timeline records one point.*rangesize=VALUE' <<<"$text"
result $? 'a sweep has no timeline'
text=$("$wavedeck" run range-latency rangesize=4KiB --timeline "$file" --cu none 2>&1)
[ $? -eq 2 ] && grep -q -- '--cu needs the number of a compute unit or all' <<<"$text"
result $? 'an invalid CU is refused'
text=$("$wavedeck" run range-latency rangesize=4KiB --timeline "$file" --cu 63 2>&1 >/dev/null)
[ $? -eq 0 ] && grep -q 'no wave ran on that CU' <<<"$text"
result $? 'a CU without waves is reported'
text=$("$wavedeck" run range-latency rangesize=4KiB --timeline "$tmp/no/such" 2>&1)
[ $? -eq 1 ] && grep -q 'cannot write .*no/such: No such file or directory; choose another' <<<"$text"
result $? 'a file that cannot be written is reported with the reason'
ln "$file" "$file.old" && cp "$file" "$file.copy"
"$wavedeck" run range-latency rangesize=4KiB --timeline "$file" >/dev/null 2>&1 &&
	cmp -s "$file.old" "$file.copy" && ! cmp -s "$file" "$file.old"
result $? 'an existing file is replaced, not overwritten in place'


# --- run --profile: the cycles of every stall reason as columns ---
reasons=$(grep -c '^STALL_REASON' softgpu/stall_reasons.def)
"$BUILD/wavedeck" run lds-bank-conflict stride=1,2 --profile --format csv --no-header-comments >"$tmp/csv" 2>"$tmp/log"
result $? 'run --profile' "$tmp/log"
equal 'CSV has a column for each stall reason' "$reasons" "$(head -n 1 "$tmp/csv" | tr , '\n' | grep -c '^CYCLES_')"
equal 'the cycles of bank conflicts grow with the stride' '0 200000' "$(csv_column CYCLES_LDS_CONFLICT "$tmp/csv" | tr '\n' ' ' | sed 's/ $//')"
"$BUILD/wavedeck" run lds-bank-conflict stride=1 --profile >"$tmp/table" 2>"$tmp/log"
grep -q ' CYCLES_LDS ' "$tmp/table" && ! grep -q CYCLES_LDS_CONFLICT "$tmp/table"
result $? 'the table leaves out reasons without cycles' "$tmp/table"
"$BUILD/wavedeck" run lds-bank-conflict stride=1 --counters CYCLES_LDS_CONFLICT >"$tmp/table" 2>"$tmp/log"
grep -q CYCLES_LDS_CONFLICT "$tmp/table"
result $? 'but shows those that are asked for by name' "$tmp/table"
"$BUILD/wavedeck" run lds-bank-conflict stride=1 --profile --device hip:0 >"$tmp/table" 2>"$tmp/log"
equal 'it needs a software GPU' 'wavedeck: --profile needs a software GPU, not hip:0; use --device soft:mi25' "$(cat "$tmp/log")"
finish
