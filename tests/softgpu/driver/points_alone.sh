#!/usr/bin/env bash
# A point of a software device does not depend on what its worker measured before. Its record has the same bytes in the
# sweep, in the sweep backwards, alone, and between points of other experiments in random order. TAP.
#   points_alone.sh [EXPERIMENT...]   default: some; tests/long/points_alone.sh has all
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck device=${DEVICE:-soft:mi25}

# A worker that keeps its jobs in a file, if JOBS_FILE names one.
cat >"$tmp/worker" <<END
#!/usr/bin/env bash
tee -a "\${JOBS_FILE:-/dev/null}" | "$wavedeck" "\$@"
END
chmod +x "$tmp/worker"
export WAVEDECK_WORKER=$tmp/worker

# Without what numbers a record, and the time of day.
points() { # session or output of a worker
	sed -n -E '/^\{"type":"point"/ { s/"job":[0-9]+,"point":[0-9]+,//; s/,"at":[0-9.e+-]+//; p }' "$1"
}

measure() { # file, experiment, settings...
	local file=$1 name=$2
	shift 2
	rm -f "$file.wbs"
	"$wavedeck" run "$name" @small "$@" --device "$device" --record "$file.wbs" >/dev/null 2>"$tmp/log"
	[ ! -e "$file.wbs" ] || points "$file.wbs" | sort >"$file"
}

axes() { # session: a line for each swept parameter, name and list of values
	head -n 1 "$1" | grep -o '"sweep":.*,"units"' | grep -o '"param":"[^"]*","values":\[[^]]*\]' | tr -d '"[]' |
		sed 's/^param:\([^,]*\),values:/\1 /'
}

backwards() { # list with commas
	tr , '\n' <<<"$1" | tac | paste -sd,
}

value() { # parameter, record
	grep -o "\"params\":{[^}]*}" <<<"$2" | head -n 1 | grep -o "\"$1\":[^,}]*" | cut -d: -f2 | tr -d '"'
}

test_experiment() { # name
	local name=$1 reversed=() names=() axis list settings record
	rm -f "$tmp/forward"
	JOBS_FILE=$tmp/jobs measure "$tmp/forward" "$name"
	if grep -q 'needs a .* device' "$tmp/log"; then
		result 0 "$name # SKIP $(head -n 1 "$tmp/log")"
		return
	fi
	while read -r axis list; do
		names+=("$axis")
		reversed+=("$axis=$(backwards "$list")")
	done < <(axes "$tmp/forward.wbs")
	measure "$tmp/backward" "$name" "${reversed[@]}"
	[ -s "$tmp/forward" ] && cmp "$tmp/forward" "$tmp/backward" >"$tmp/log" 2>&1
	result $? "$name backwards: $(wc -l <"$tmp/forward") points"
	: >"$tmp/all"
	while IFS= read -r record; do
		settings=()
		for axis in "${names[@]}"; do
			settings+=("$axis=$(value "$axis" "$record")")
		done
		measure "$tmp/one" "$name" "${settings[@]}"
		cat "$tmp/one" >>"$tmp/all"
	done <"$tmp/forward"
	[ -s "$tmp/forward" ] && sort "$tmp/all" | cmp - "$tmp/forward" >"$tmp/log" 2>&1
	result $? "$name point by point"
}

# One worker measures the jobs of a file, one after another.
measure_jobs() { # jobs
	local job line n=0
	coproc "$wavedeck" worker --device "$device" 2>>"$tmp/log"
	while IFS= read -r job; do
		sed -E "s/\"job\":[0-9]+/\"job\":$((++n))/" <<<"$job" >&"${COPROC[1]}"
		while IFS= read -r line <&"${COPROC[0]}"; do
			[[ $line != '{"type":"point"'* ]] || break
		done
		echo "$line"
	done <"$1" >"$tmp/answers"
	echo '{"type":"quit"}' >&"${COPROC[1]}"
	wait "$COPROC_PID"
	points "$tmp/answers" | sort
}

test_order() { # seed
	shuf --random-source=<(yes "$1") "$tmp/in_order" >"$tmp/shuffled"
	measure_jobs "$tmp/shuffled" >"$tmp/second"
	[ "$(wc -l <"$tmp/first")" = "$(wc -l <"$tmp/in_order")" ] && cmp "$tmp/first" "$tmp/second" >"$tmp/log" 2>&1
	result $? "points of all these experiments in random order, seed $1: $(wc -l <"$tmp/second")"
}

all=("$@")
[ $# -gt 0 ] || all=(l1-bypass copy-compute-overlap recompute-or-transfer fma-blocks nchw-index vgpr-pressure)
for experiment in "${all[@]}"; do
	test_experiment "$experiment"
done
grep '^{"type":"job"' "$tmp/jobs" >"$tmp/in_order"
measure_jobs "$tmp/in_order" >"$tmp/first"
test_order 1
test_order 2
finish
