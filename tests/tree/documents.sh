#!/usr/bin/env bash
# The documents: links and pictures exist, the README is short and has pictures, the architecture page names the rooms,
# the README's commands are commands of the program. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
documents='README.md CONTRIBUTING.md CHANGELOG.md docs/*.md tests/README.md softgpu/core/README.md share/lessons/README.md'
# shellcheck disable=SC2086 # a list of patterns
check 'every link of a document leads to a file' "$(for document in $documents; do
	[ -f "$document" ] || { echo "$document is missing"; continue; }
	grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -vE '^[a-z]+:' | while read -r target; do
		[ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
	done
done)"
lines=$(wc -l <README.md)
check "the README has about 90 lines ($lines)" "$([ "$lines" -le 125 ] || echo "$lines lines")"
check 'the README shows at least four pictures' "$([ "$(grep -c '^!\[.*\](docs/pictures/.*\.svg)' README.md)" -ge 4 ] || echo 'fewer')"
check 'the architecture page names every room' "$(for room in base softgpu/*/ kernels gpu plot sessions experiments cli tui share tests; do
	[ ! -d "$room" ] || grep -qF "\`${room%/}/\`" docs/architecture.md || echo "$room"
done)"
# shellcheck disable=SC2016 # backquotes
check "the files, functions and tests in softgpu/core/README.md exist" \
	"$(sed -n '/^| /p' softgpu/core/README.md | grep -oE '`[a-z0-9_/]+\.(c|h|def|sh)`' | tr -d '`' | sort -u | while read -r file; do
		[ -f "softgpu/core/$file" ] || [ -f "tests/softgpu/core/$file" ] || [ -f "$file" ] || echo "$file"
	done
	sed -n '/^| /p' softgpu/core/README.md | grep -oE ', `[a-z_]+`' | tr -d ',` ' | while read -r function; do
		grep -qE "^PROFILED_VARIANT .*[ *]$function\(|^static .*[ *]$function\(" softgpu/core/issue/*.[ch] softgpu/core/exec/*.h || echo "$function"
	done)"
check "the README's commands are commands of the program" "$(sed -n 's/^\(build\/\)\{0,1\}wavedeck \([a-z]*\) .*/\2/p' README.md | sort -u | while read -r command; do
	"$BUILD/wavedeck" help "$command" >/dev/null 2>&1 || echo "$command"
done)"
"$BUILD/wavedeck" validate >"$tmp/validate" 2>/dev/null
check "docs/accuracy.md quotes the summary that 'validate' prints" \
	"$(sed -n '/^```$/,/^```$/p' docs/accuracy.md | grep -v '^```' | grep -vxFf "$tmp/validate")"
check 'docs/software-gpu.md names every instruction that test_opcodes.c leaves out' \
	"$(sed -n '/^} unsupported\[\] = {/,/^};/p' tests/softgpu/isa/test_opcodes.c | sed -n 's/^\t{"\([^"]*\)", "\([^"]*\)".*/\1 \2/p' |
		while read -r encoding opcode mnemonic; do
			[ -n "$mnemonic" ] || mnemonic=$opcode # "MUBUF 241 buffer_wbinvl1", "MIMG"
			sed -n '/^### Instructions that are not/,/^### Acc/p' docs/software-gpu.md | grep -qF "${mnemonic:-$encoding}" || echo "$encoding $mnemonic"
		done)"
# The README's figures are those of 'validate' and of docs/accuracy.md; what it says of other measurements is in the table.
summary=$(grep -o '^[0-9]* rows: median error [0-9.]* %' "$tmp/validate")
experiments=$(sed -n 's/^largest error of each experiment without.*: \([0-9.]*\) %$/\1/p' "$tmp/validate")
accuracy=$(tr '\n' ' ' <README.md | grep -o '## How accurate.*## More')
check "the README quotes 'validate' and docs/accuracy.md" "$(for figure in \
	"reproduces ${summary%% rows*} published measurements" "median error of ${summary##*error }" \
	"off by $(printf %.1f "${experiments:-0}") %" '256 measurements of four boards that nothing was calibrated on, the median error is 21 %'; do
	grep -qF "$figure" <<<"$accuracy" || echo "$figure"
done; tr '\n' ' ' <docs/accuracy.md | grep -qF '256 measurements of four boards that nothing was calibrated on, the median error is 21 %' || echo accuracy.md)"
median_errors() { # kind or '': "29 | 19.8 %"
	grep -v '^#' docs/uncalibrated_rows.csv | split_csv | awk -F'\t' -v kind="$1" '
		NR > 1 && (kind == "" || $2 == kind) { e = $7 / $6 - 1; print 100 * (e < 0 ? -e : e) }' | sort -g |
		awk '{ e[NR] = $1 } END { printf "%d | %.1f %%", NR, NR % 2 ? e[(NR + 1) / 2] : (e[NR / 2] + e[NR / 2 + 1]) / 2 }'
}
# Fields in quotation marks may contain commas.
split_csv() { awk '{ out = ""; quoted = 0; for (i = 1; i <= length($0); i++) { c = substr($0, i, 1);
	if (c == "\"") quoted = !quoted; else out = out (c == "," && !quoted ? "\t" : c) } print out }'; }
check 'docs/accuracy.md has the errors of the rows in docs/uncalibrated_rows.csv' \
	"$(sed -n '/^| kind | rows/,/^$/p' docs/accuracy.md | sed '1,2d; /^$/d' | while IFS='|' read -r _ kind rest; do
		kind=${kind# } kind=${kind% }
		[ "|$rest" = "| $(median_errors "$kind") |" ] || echo "$kind:$rest, but $(median_errors "$kind")"
	done; all=$(median_errors ''); grep -qF "has ${all%% |*} of them" docs/accuracy.md && grep -qF "median error is ${all##*| }" docs/accuracy.md || echo "$all")"
# A number of the protocol, and the line of the program that it is.
check 'docs/protocol.md has the numbers of the program' "$(protocol=$(tr '\n' ' ' <docs/protocol.md | tr -s ' ')
	while IFS='|' read -r file line sentence; do
		grep -qF "$line" "$file" || echo "$file: no longer '$line'"
		grep -qF "$sentence" <<<"$protocol" || echo "docs/protocol.md: no longer '$sentence'"
	done <<'NUMBERS'
gpu/protocol/record.h|RECORD_LINE_MAX = 16 << 20|at most 16 MiB; a longer line is skipped
gpu/controller/output_limits.c|STRAY_LINES = 100,|sends 100 lines that are not records
gpu/controller/output_limits.c|RECORDS_A_SECOND = 20000,|20 000 records in a second
gpu/controller/output_limits.c|ERROR_LINES = 1000000,|a million lines on standard error
gpu/controller/output_limits.c|LOGGED_A_SECOND = 100,|logs at most 100 lines of a worker in a second
gpu/controller/output_limits.c|BANNER_LINES = 1000,|login's text, at most 1000
gpu/controller/output_limits.h|OUTPUT_TURN = 256 << 10|at most 256 KiB in one turn
gpu/controller/controller_state.h|JOBS_MAX = 256,|queues up to 256 jobs
gpu/worker/worker.c|QUEUE_MAX = 256|queues up to 256 jobs
gpu/controller/worker_death.c|PING_MS = 1000,|sends a `ping` each second
gpu/controller/worker_death.c|SILENCE_MS = 5000,|sends nothing for 5 s
gpu/controller/worker_death.c|CANCEL_MS = 1000,|does not answer within 1 s
gpu/controller/worker_death.c|SILENCE_ELSEWHERE_MS = 20000,|sends nothing for 20 s while it has jobs
gpu/controller/worker_death.c|CANCEL_ELSEWHERE_MS = 5000,|does not cancel within 5 s
gpu/controller/worker_pool.h|JOB_TRIES = 3|ended three workers fails
kernels/compile/kernel_files.h|KERNEL_FOLDERS_MAX = 32|at most 32 folders
gpu/worker/worker.c|PROGRESS_MS = 100|at most 10 times a second
gpu/worker/worker.c|TELEMETRY_MS = 500|every 0.5 s while idle
gpu/worker/telemetry_sampler.c|CLOCK_MOVED 0.02|sclk changed by more than 2 %
NUMBERS
)"
check 'the README counts the lessons' "$(lessons=$(find share/lessons -name '*.md' ! -name README.md | wc -l)
	grep -qF "$lessons lessons" README.md || echo "$lessons lessons")"
for model in mi25 rx7900xtx; do
	"$BUILD/wavedeck" devices --model $model
done >"$tmp/constants" 2>/dev/null
check 'docs/accuracy.md lists every constant that was fitted' \
	"$(grep -B1 'fitted to' "$tmp/constants" | sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p' | while read -r constant; do
		grep -qF "\`$constant\`" docs/accuracy.md || echo "$constant"
	done)"
finish
