#!/usr/bin/env bash
# The command line: an invalid request prints one line and exits with 2; a valid request prints its output. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
details() { head -n 5 "$tmp/out" "$tmp/err"; }
shown() { printf '%s ' "$@" | sed "s|$tmp|TMP|g" | cut -c1-90; }
run() { timeout $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }

# The command exits with the status, prints nothing on standard output, and one line on standard error, which begins
# with the program's name and contains the words.
bad() { # status, words of the line, arguments
	local want=$1 word=$2
	shift 2
	run "$@"
	local status=$?
	[ $status -eq "$want" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && [ ! -s "$tmp/out" ] &&
		grep -q '^wavedeck: ' "$tmp/err" && grep -qF -- "$word" "$tmp/err"
	status=$?
	result $status "rejected with status $want: wavedeck $(shown "$@")"
}
good() { # words that the output must contain, separated by |; arguments
	local words=$1
	shift
	run "$@"
	local status=$? missing=0 IFS='|'
	for w in $words; do grep -qF -- "$w" "$tmp/out" || missing=1; done
	[ $status -eq 0 ] && [ $missing -eq 0 ]
	status=$?
	result $status "wavedeck $(shown "$@")"
}

# --- input files, good and bad ---
cat >"$tmp/good.wbs" <<'END'
{"type":"session","schema":1,"program":"wavedeck 0.1.0","time":"2026-01-02T03:04:05Z","experiment":"cacheline-stride","title":"Cache line, by stride","device":{"device":"soft:mi25","name":"MI25","arch":"gfx900"},"params":{"stride":16,"variant":"published"},"sweep":{"param":"stride","values":[16,32,64]},"columns":{"params":[{"id":"stride","unit":"B","log":true},{"id":"variant","unit":"","choices":["published","compiled"]}],"metrics":[{"id":"latency","unit":"cycles","axis":0},{"id":"bandwidth","unit":"GB/s","axis":1}]}}
{"type":"point","params":{"stride":16,"variant":"published"},"status":"ok","seconds":[0.001,0.001],"sclk_mhz":1536,"mclk_mhz":945,"temp_c":41,"power_w":null,"verify":"ok","contract":"ok","metrics":{"latency":361.25,"bandwidth":0.27}}
{"type":"point","params":{"stride":32,"variant":"published"},"status":"ok","seconds":[0.001,0.001],"sclk_mhz":1536,"mclk_mhz":945,"temp_c":41,"power_w":null,"verify":"ok","contract":"ok","metrics":{"latency":476,"bandwidth":0.2}}
{"type":"point","params":{"stride":64,"variant":"published"},"status":"failed","error":"the worker died","seconds":[],"metrics":{"latency":null,"bandwidth":null}}
{"type":"end","points":3}
END
sed 's/476/952/' "$tmp/good.wbs" >"$tmp/other.wbs"
sed 's/cacheline-stride/range-latency/' "$tmp/good.wbs" >"$tmp/range.wbs"
head -c $(($(wc -c <"$tmp/good.wbs") * 3 / 4 )) "$tmp/good.wbs" >"$tmp/half.wbs"
head -c 100 "$tmp/good.wbs" >"$tmp/stub.wbs"
head -c 20000 /dev/urandom >"$tmp/random.wbs"
: >"$tmp/empty.wbs"
echo 'return { title = "x", ' >"$tmp/broken.lua"
echo 'while true do end' >"$tmp/loop.lua"
echo 'return { title = os.getenv("HOME") }' >"$tmp/os.lua"
echo 'io.open("/etc/passwd") return {}' >"$tmp/io.lua"
echo 'return 5' >"$tmp/five.lua"
head -c 3000 /dev/urandom >"$tmp/noise.lua"

# --- commands and options ---
bad 2 "did you mean 'list'" lsit
bad 2 'wavedeck help' nonsense-command
bad 2 "unknown command 'nope'; \`wavedeck help\` lists" help nope
bad 2 'use table, json or csv' list --format xml
good 'chapter,id,title,question,source,needs|memory,range-latency,"Latency, by range"' list --format csv
good '"id":"range-latency"' list --format json
good 'range-latency' list
awk 'NF < 3 || $2 !~ /^[a-z0-9-]+$/' "$tmp/out" >"$tmp/rest"
[ "$(wc -l <"$tmp/out")" -gt 70 ] && [ ! -s "$tmp/rest" ]
result $? 'each line of a list that is not on a terminal is an experiment' "$tmp/rest"
bad 2 'did you mean --device' run range-latency --devise soft:mi25
bad 2 'command first' --device soft:mi25 list
bad 2 'No such file' --script "$tmp/missing"
bad 2 'help list' list --frobnicate
bad 2 'needs a value' run range-latency --device
bad 2 'takes no value' list --json=yes
bad 2 'wavedeck list' run
bad 2 'wavedeck list' show
bad 2 "unexpected argument 'everything'" list everything
bad 2 "unexpected argument 'now'" doctor now
bad 2 'program' exec
bad 2 'device' worker
bad 2 'session' open
bad 2 'format' export "$tmp/good.wbs"
bad 2 'csv' export "$tmp/good.wbs" --format xml
bad 2 'needs 2 to 8' compare "$tmp/good.wbs"

# --- experiments, parameters, devices ---
bad 2 'wavedeck list' run nosuch
bad 2 "did you mean 'range-latency'? " run range-latnecy
bad 2 "did you mean 'mem-latency-dram'? " run mem-lat
bad 2 'range-latency' run range-latencies
bad 2 'range-latency' show range-latenzy
bad 2 'stride' run cacheline-stride strid=64
bad 2 'NAME=VALUE' run cacheline-stride 64
bad 2 'stride' run cacheline-stride stride=1TiB
bad 2 'stride' run cacheline-stride stride=1
bad 2 'unit' run cacheline-stride stride=64MHz
bad 2 'number' run cacheline-stride stride=many
bad 2 'stride' run cacheline-stride stride=
bad 2 'stride' run cacheline-stride stride=64..16
bad 2 'stride' run cacheline-stride stride=16..64:x1
bad 2 'expected an experiment before' run stride=16
bad 2 'stride' run cacheline-stride stride=16..64:+0
bad 2 'published' run cacheline-stride variant=publisched
bad 2 'soft:mi25' run range-latency --device sofd:mi25
bad 2 'needs a value' run range-latency --device ''
bad 2 'table' run range-latency --format tabel
bad 2 '--limit' run range-latency --limit=-1
bad 2 '--limit needs seconds' run range-latency --limit soon
bad 2 '--resume' run range-latency --record "$tmp/a.wbs" --resume "$tmp/b.wbs"
bad 2 'mi25' devices --model mi26
bad 2 'l1_bytes' devices --model mi25,l1_byte=65536

# --- the user's own definitions ---
bad 2 'broken.lua' run "$tmp/broken.lua"
bad 2 'loop.lua' run "$tmp/loop.lua"
bad 2 'os.lua:1: os is not available in the sandbox; use math' show "$tmp/os.lua"
bad 2 'io.lua:1: io is not available in the sandbox' show "$tmp/io.lua"
bad 2 'five.lua' run "$tmp/five.lua"
bad 2 'noise.lua' show "$tmp/noise.lua"
bad 2 'missing.lua' run "$tmp/missing.lua"

# --- sessions ---
bad 2 'No such file' open "$tmp/missing.wbs"
bad 2 'no session' open "$tmp/random.wbs"
bad 2 'no session' open "$tmp/stub.wbs"
bad 2 'empty' open "$tmp/empty.wbs"
bad 2 'not a regular file' open "$tmp"
bad 2 'not a regular file' open /dev/zero
bad 2 'one experiment' compare "$tmp/good.wbs" "$tmp/range.wbs"
bad 2 'No such file' run cacheline-stride --resume "$tmp/missing.wbs"
bad 2 'cacheline-stride' run range-latency --resume "$tmp/good.wbs"
bad 2 'soft:mi25' run cacheline-stride --device hip:0 --resume "$tmp/good.wbs"

run open "$tmp/half.wbs"
[ $? -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q 'incomplete' "$tmp/err" && grep -q 361.25 "$tmp/out"
result $? 'a truncated session file opens with a warning'

# --- what a session prints ---
good 'stride|latency|cycles|361.25|16 B|1536|failed: the worker died' open "$tmp/good.wbs"
good '# program: wavedeck 0.1.0|stride,variant,latency,bandwidth,sclk_mhz,mclk_mhz,temp_c,power_w,samples,status' \
	open "$tmp/good.wbs" --format csv
printf '%s\n' 'stride,variant,latency,bandwidth,sclk_mhz,mclk_mhz,temp_c,power_w,samples,status' \
	'16,published,361.25,0.27,1536,945,41,,2,ok' \
	'32,published,476,0.2,1536,945,41,,2,ok' '64,published,,,,,,,,failed' >"$tmp/want"
grep -v '^#' "$tmp/out" | cmp -s - "$tmp/want"
result $? 'a session prints the expected CSV, byte for byte'
cp "$tmp/out" "$tmp/first"
run export "$tmp/good.wbs" --format csv
cmp -s "$tmp/out" "$tmp/first"
result $? 'export and open agree'
comma=$(locale -a 2>/dev/null | grep -iE '^(de|fr|nl|it|es)_' | head -1)
env LC_ALL="${comma:-C}" "$wavedeck" open "$tmp/good.wbs" --format csv >"$tmp/out" 2>"$tmp/err"
cmp -s "$tmp/out" "$tmp/first"
result $? 'the locale does not change the numbers'
good '"header":{|"points":[|361.25' open "$tmp/good.wbs" --format json
good '* latency, cycles|o bandwidth, GB/s|stride|right axis' open "$tmp/good.wbs" --format plot
awk 'length($0) > 80 { bad = 1 } END { exit bad }' "$tmp/out"
result $? 'the plot is at most 80 columns wide'
good 'plot $series0|set logscale x 2|361.25|y2' export "$tmp/good.wbs" --format gnuplot
good '2.000|B / A|cacheline-stride' compare "$tmp/good.wbs" "$tmp/other.wbs"

# --- help, lists and versions ---
good 'wavedeck list|wavedeck run|wavedeck doctor|--version' --help
good '--record FILE|130' help run
good '--record FILE' run --help
good '--script FILE' help wavedeck
good '--json|--summary|--without|within_5' help validate
good 'wavedeck ' --version
good 'wavedeck ' version
good 'dispatch-1d|dispatch-2d|dispatch-3d|dispatch-peak|fma-loop|fma-nested|fma-blocks|divergence' list
good 'mem-latency-dram|fma-unroll|fma-waves|cacheline-stride|range-latency|lds-latency|channel-conflict' list
good 'lds-bank-conflict' list
good '"id":"range-latency"|"question":' list --json
good 'stride|swept|latency|cycles|left axis|variant|published | compiled' show cacheline-stride
good '1000000 FMA [reduced for the software GPU: 62500 FMA on gfx11]' show fma-waves
good '2500 FMA, 1000 FMA on gfx11|512 threads on gfx11' show fma-blocks
good '"soft":2500,"soft_on":{"gfx11":1000}' show fma-blocks --json
good '"id":"stride"|"soft":|"choices":["published","compiled"]' show cacheline-stride --json
good 'l1_bytes|sclk_khz|Vega64 notes 2.1|--device soft:mi25' devices --model mi25
good '65536' devices --model mi25,l1_bytes=65536

# --- streams that end early ---
err=$("$wavedeck" list 2>&1 >/dev/full </dev/null)
[ $? -eq 1 ] && case $err in *'No space left'*) true ;; *) false ;; esac
result $? 'a full disk on standard output is reported'
err=$( { "$wavedeck" show cacheline-stride 2>&3 </dev/null | head -n 1 >/dev/null; } 3>&1)
[ -z "$err" ]
result $? 'a closed pipe is not an error'

# --- runs that go wrong ---
# Writes an experiment of the user's own.
own() { # entry of the kernel, body of the metric's function
	cat >"$tmp/own.lua" <<END
return {
  title = "own", question = "?", kernel = { file = "dispatch.hip", entry = "$1" },
  params = { { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 64, sweep = true } },
  buffers = { unused = { type = "int", count = 1 } },
  args = { "int *unused" },
  launch = { grid = 4, block = function(p) return p.block end },
  metrics = { { "time", unit = "ms", axis = "left", function(m, p, v) $2 end } },
  reference = "dispatch",
}
END
}
# The command exits with the status and prints one line on standard error, which contains the words.
fails() { # status, words of the line, arguments
	local want=$1 word=$2
	shift 2
	run "$@"
	local status=$?
	[ $status -eq "$want" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$word" "$tmp/err"
	status=$?
	result $status "fails with $want ($word): wavedeck $(shown "$@")"
}
own dispatch 'return m.nosuch * 2'
bad 2 'm has seconds' run "$tmp/own.lua" block=64,128
while IFS='|' read -r word body; do
	own dispatch "$body"
	fails 1 "$word" run "$tmp/own.lua" block=64,128
	grep -qF -- "$word" "$tmp/out"
	result $? "the table shows the error of: $body"
done <<'END'
runs too long|while true do end
not a string|return "x"
error() was called|error({})
infinity|return 1/0
returned NaN|return 0/0
END
own dispatch 'return m.power and m.counters.NOSUCH'
run run "$tmp/own.lua" block=64
result $? 'a metric may use a reading that is not available'
own no_such_kernel 'return m.seconds'
fails 2 'remaining points skipped' run "$tmp/own.lua" --format csv
[ "$(grep -c '^# row .*no_such_kernel' "$tmp/out")" -eq 2 ]
result $? 'an unknown entry stops the sweep after the second point, and the CSV shows why'
# A worker that answers the second and the third job at the same time.
cat >"$tmp/worker" <<'END'
#!/usr/bin/env bash
printf '%s\n' '{"type":"hello","protocol":1,"program":"double","pid":'$$'}' \
	'{"type":"device","device":"soft:mi25","name":"double","arch":"gfx900","kind":"soft","properties":{},"versions":{},"constants":{}}'
answers=''
while read -r line; do
	case $line in
	*'"quit"'*) exit 0 ;;
	*'"type":"job"'*)
		job=$(sed 's/.*"job":\([0-9]*\).*/\1/' <<<"$line") point=$(sed 's/.*"point":\([0-9]*\).*/\1/' <<<"$line")
		answers+='{"type":"point","job":'$job',"point":'$point',"status":"failed","error":"refused"}'$'\n'
		[ "$point" -eq 1 ] || { printf %s "$answers"; answers=''; }
		;;
	esac
done
END
chmod +x "$tmp/worker"
WAVEDECK_WORKER=$tmp/worker fails 1 '2 of 5 points failed: refused; remaining points skipped' run "$tmp/own.lua" --workers 1 --format csv
fails 2 "dispatch.hip has no kernel 'no_such_kernel'; it has dispatch" run "$tmp/own.lua" block=64
own dispatch 'return m.seconds'
sed -i 's/"dispatch.hip"/"own.hip"/' "$tmp/own.lua"
printf '#include <hip/hip_runtime.h>\nextern "C" __global__ void dispatch(int *unused) { unused[0] = ; }\n' \
	>"$tmp/own.hip"
fails 2 'own.hip:2:' run "$tmp/own.lua" --format csv
grep -qF "error: expected expression; fix the kernel source" "$tmp/err" && [ "$(grep -c '^# row ' "$tmp/out")" -eq 2 ]
result $? 'a kernel that does not compile stops the sweep with its line and the fix'

odd=$tmp/$(printf 'm\374ll')
mkdir "$odd"
cp "$tmp/own.lua" "$tmp/own.hip" "$odd"
bad 2 'is not valid UTF-8; rename its folder' run "$odd/own.lua"

# --- folders that cannot be written ---
mkdir "$tmp/temporary"
XDG_CACHE_HOME=$tmp/good.wbs TMPDIR=$tmp/temporary run run fma-unroll unroll=1,2,1 --format csv
[ $? -eq 0 ] && [ "$(grep -vc '^#' "$tmp/out")" -eq 4 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	grep -q 'cannot cache compiled kernels in .*set XDG_CACHE_HOME' "$tmp/err"
result $? 'without a cache every point is compiled and measured, with one warning'
[ -z "$(ls -A "$tmp/temporary")" ]
result $? 'no temporary file remains'
XDG_CACHE_HOME=$tmp/good.wbs TMPDIR=$tmp/temporary run run sgpr-limit --format csv
[ $? -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	grep -q 'cannot cache compiled kernels in .*set XDG_CACHE_HOME' "$tmp/err"
result $? 'an experiment that only compiles works without a cache, too'
XDG_CACHE_HOME=$tmp/good.wbs TMPDIR=$tmp/temporary run isa fma.hip
[ $? -eq 0 ]
result $? 'isa works without a cache'
XDG_CACHE_HOME=$tmp/other TMPDIR=$tmp/good.wbs run run fma-unroll unroll=1 fma_per_thread=10000 --format csv
[ $? -eq 0 ] && [ ! -s "$tmp/err" ]
result $? 'a TMPDIR that is not a folder is ignored'

wrong='"verify":"failed","verify_text":"buf[3] is 1, expected 2"'
sed "s/\"verify\":\"ok\",\(\"contract\":\"ok\",\"metrics\":{\"latency\":476\)/$wrong,\1/" "$tmp/good.wbs" \
	>"$tmp/wrong.wbs"
good '# row 2: wrong result: buf[3] is 1, expected 2|32,published,,,1536|# row 3: failed: the worker died' \
	open "$tmp/wrong.wbs" --format csv

small='run dispatch-1d block=64..512 total_threads=65536 waves=0'
# shellcheck disable=SC2086
run $small --format csv
cp "$tmp/out" "$tmp/whole"
# shellcheck disable=SC2086
{
	"$wavedeck" $small --format csv --record "$tmp/piped.wbs" 2>"$tmp/err" </dev/null
	echo $? >"$tmp/status"
} | head -n 1 >/dev/null
[ "$(cat "$tmp/status")" -eq 0 ] && [ ! -s "$tmp/err" ] && "$wavedeck" open "$tmp/piped.wbs" --format csv |
	grep -v '^#' >"$tmp/out" &&
	grep -v '^#' "$tmp/whole" | cmp -s - "$tmp/out"
result $? 'a recording is complete although the pipe was closed'
good '64|512' run dispatch-1d --device "replay:$tmp/piped.wbs"
[ ! -s "$tmp/err" ]
result $? 'a recording replays with its own parameters'
bad 2 'wavedeck run dispatch-1d' run range-latency --device "replay:$tmp/piped.wbs"
head -c -60 "$tmp/piped.wbs" >"$tmp/torn.wbs"
run $small --resume "$tmp/torn.wbs" && run open "$tmp/torn.wbs" && [ ! -s "$tmp/err" ]
result $? 'a truncated session is intact after it was resumed'

finish
