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
# In the Lua blocks of the documents
check 'every experiment of the documents with a kernel has a reference' "$(for document in README.md docs/*.md; do
	awk -v document="$document" '/^```lua/ { on = 1; kernel = reference = 0; at = FNR }
		on && /^ *kernel *=/ { kernel = 1 } on && /^ *reference *=/ { reference = 1 }
		on && /^```$/ { on = 0; if (kernel && !reference) print document ":" at }' "$document"
done)"
lines=$(wc -l <README.md)
check "the README has about 90 lines ($lines)" "$([ "$lines" -le 125 ] || echo "$lines lines")"
check 'the README shows at least four pictures' "$([ "$(grep -c '^!\[.*\](docs/pictures/.*\.svg)' README.md)" -ge 4 ] || echo 'fewer')"
check 'the architecture page names every room' "$(for room in base softgpu/*/ kernels gpu plot sessions experiments captures checks cli tui share tests; do
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
"$BUILD/wavedeck" validate --summary >"$tmp/validate" 2>/dev/null
check "docs/accuracy.md quotes the summary that 'validate' prints" \
	"$(sed -n '/^```$/,/^```$/p' docs/accuracy.md | grep -v '^```' | grep -vxFf "$tmp/validate")"
# shellcheck disable=SC2016 # backquotes
check 'docs/accuracy.md names every fitted constant' \
	"$(sed -n 's/^FITTED([a-z0-9]*, \([a-z0-9_]*\),.*/\1/p' softgpu/fitted_constants.def | sort -u | while read -r constant; do
		grep -qF "\`$constant\`" docs/accuracy.md || echo "$constant"
	done)"
check 'docs/software-gpu.md names every instruction that test_opcodes.c leaves out' \
	"$(sed -n '/^} unsupported\[\] = {/,/^};/p' tests/softgpu/isa/test_opcodes.c | sed -n 's/^\t{"\([^"]*\)", "\([^"]*\)".*/\1 \2/p' |
		while read -r encoding opcode mnemonic; do
			[ -n "$mnemonic" ] || mnemonic=$opcode # "MUBUF 241 buffer_wbinvl1", "MIMG"
			sed -n '/^### Instructions that are not/,/^### Acc/p' docs/software-gpu.md | grep -qF "${mnemonic:-$encoding}" || echo "$encoding $mnemonic"
		done)"
check 'docs/devices.md says when each recording of a GPU was measured' "$(for session in share/sessions/*.wbs; do
	head -n 1 "$session" | sed -nE '/"kind":"soft"/!s/.*"time":"([0-9-]{10})T([0-9]{2}:[0-9]{2}):.*"name":"([^"]*)","arch".*"driver":"([^"]*)".*/\1 \2 UTC | \3 | \4/p' |
		while read -r row; do
			grep -qF "| \`${session##*/}\` | $row |" docs/devices.md || echo "${session##*/}: $row"
		done
done)"
# The README's figures are those of 'validate' and of docs/accuracy.md; what it says of other measurements is in the table.
summary=$(grep -o '^[0-9]* rows: median error [0-9.]* %' "$tmp/validate")
experiments=$(sed -n 's/^largest error of each experiment without.*: \([0-9.]*\) %$/\1/p' "$tmp/validate")
accuracy=$(tr '\n' ' ' <README.md | grep -o '## How accurate.*## More')
check "the README quotes 'validate' and docs/accuracy.md" "$(for figure in \
	"Of ${summary%% rows*} published measurements" "median error is ${summary##*error }" \
	"$(awk '/^all +[0-9]/ { print $7 }' docs/accuracy.md) are off by more than a factor of two" \
	"off by $(printf %.1f "${experiments:-0}") %"; do
	grep -qF "$figure" <<<"$accuracy" || echo "$figure"
done)"
# Rows of docs/uncalibrated_rows.csv, with tabs. Fields in quotation marks may contain commas.
uncalibrated_rows() { grep -v '^#' docs/uncalibrated_rows.csv | sed 1d | awk '{ out = ""; quoted = 0; for (i = 1; i <= length($0); i++) {
	c = substr($0, i, 1); if (c == "\"") quoted = !quoted; else out = out (c == "," && !quoted ? "\t" : c) } print out }'; }
median_errors() { # board, kind or '': "29 | 19.8 %"
	uncalibrated_rows | awk -F'\t' -v which="$1" '
		which == "" || $1 == tolower(which) || $2 == which { e = $7 / $6 - 1; print 100 * (e < 0 ? -e : e) }' | sort -g |
		awk '{ e[NR] = $1 } END { printf "%d | %.1f %%", NR, NR % 2 ? e[(NR + 1) / 2] : (e[NR / 2] + e[NR / 2 + 1]) / 2 }'
}
check 'docs/accuracy.md has the errors of the rows in docs/uncalibrated_rows.csv' \
	"$(sed -n '/^| board | rows/,/^Of the/p' docs/accuracy.md | grep '^| ' | grep -v '| rows' | while IFS='|' read -r _ which rest; do
		which=${which# } which=${which% }
		[ "|$rest" = "| $(median_errors "$which") |" ] || echo "$which:$rest, but $(median_errors "$which")"
	done
	for column in 1 2; do # boards, kinds
		uncalibrated_rows | cut -f$column | sort -u | while read -r which; do
			grep -qi "^| $which | [0-9]* | [0-9.]* % |$" docs/accuracy.md || echo "no row of $which"
		done
	done
	uncalibrated_rows | awk -F'\t' '{ r = $7 / $6; if (r < 1) r = 1 / r; n += r > 2; if (r > most) { most = r; program = $3 } }
		END { print n, program }' | if read -r wrong program; then
		all=$(median_errors '')
		grep -qF "Of the ${all%% *}, $wrong are off by more than a factor of two. The largest error is that of a ${program%% *}" docs/accuracy.md ||
			echo "$wrong by a factor, most in $program"
	fi)"
# The two documents name the number of rows and boards, and the median of all.
check "the README and docs/accuracy.md quote the median of docs/uncalibrated_rows.csv" \
	"$(all=$(median_errors '') boards=$(uncalibrated_rows | cut -f1 | sort -u | wc -l)
	numbers=(no one two three four five)
	for document in README.md docs/accuracy.md; do
		tr '\n' ' ' <$document | tr -s ' ' |
			grep -qF "On ${all%% *} measurements of ${numbers[boards]} boards that nothing was calibrated on, the median error is ${all##*| }" ||
			echo "$document: $all on $boards boards"
	done)"
# An experiment with a kernel of its own is verified.
# shellcheck disable=SC2086 # a list of patterns
check 'each experiment in a document has a reference' "$(for document in $documents; do
	awk -v document="$document" '/^```lua/ { block = FNR; kernel = reference = 0; next }
		/^```/ && block { if (kernel && !reference) print document ":" block; block = 0 }
		block && /kernel *=/ { kernel = 1 }
		block && /reference *=/ { reference = 1 }' "$document"
done)"
# A number in a document, and the line of the program that it is.
check 'the documents have the numbers of the program' "$(
	grep -v '^#' tests/tree/document_numbers.tsv | while IFS=$'\t' read -r document file line sentence; do
		[ -e "$tmp/${document##*/}" ] || tr '\n' ' ' <"$document" | tr -s ' ' >"$tmp/${document##*/}"
		grep -qF -- "$line" "$file" || echo "$file: no longer '$line'"
		grep -qF -- "$sentence" "$tmp/${document##*/}" || echo "$document: no longer '$sentence'"
	done
)"
recorded_values() { # experiment, metric, parameters: one on each line
	"$BUILD/wavedeck" run "$1" "${@:3}" --format csv --device "replay:share/sessions/$1-h200.wbs" 2>"$tmp/say" | grep -v '^#' |
		awk -F, -v metric="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == metric) c = k } NR > 1 { print $c }'
}
# A row is a lesson, an experiment, one of its metrics, its parameters, and the sentence, with a format for each value.
check 'the lessons say what the recordings of an H200 show' "$(
	while IFS='|' read -r lesson experiment metric parameters format; do
		read -ra words <<<"$parameters"
		mapfile -t values < <(recorded_values "$experiment" "$metric" "${words[@]}")
		# shellcheck disable=SC2059 # the row has the format
		printf -v text "$format" "${values[@]}"
		tr '\n' ' ' <"share/lessons/$lesson.md" | grep -qF "$text" || echo "$lesson: $text"
	done <<-'RECORDINGS'
		caches|range-latency|latency|variant=pointers rangesize=64KiB,4MiB,64MiB|A read takes %.0f cycles from 64 KiB, %.0f from 4 MiB and %.0f from 64 MiB.
		caches|cache-bandwidth|per_cycle|set=64KiB,512KiB,16MiB|one multiprocessor reads %.0f bytes per cycle at 64 KiB, %.0f at 512 KiB and %.0f at 16 MiB
		lds|lds-bank-conflict|latency|stride=1,2,16,32|a read takes %.1f cycles at stride 1, %.1f at 2, %.1f at 16 and %.1f at 32.
		latency-hiding|latency-hiding-ilp|per_cycle|kind=fma waves=1 chains=1,4|One chain reaches %.1f per cycle, 4.04 cycles for a step; four chains reach %.1f
		latency-hiding|latency-hiding-ilp|cycles_per_step|kind=fma waves=1 chains=1|per cycle, %.2f cycles for a step;
		latency-hiding|latency-hiding-occupancy|cycles_per_trip|cus=132 size=256MiB waves=1,32|a trip takes %.0f cycles, with 32 times as many %.1f.
		latency-hiding|latency-hiding-occupancy|trip|cus=132 size=256MiB waves=32|The trip of one wave takes %.0f cycles then
		coalescing|stride-copy|useful|total_threads=2^24 stride=1,2,4,8,16|A copy reaches %.0f GB/s at stride 1, %.0f at 2, %.0f at 4, %.0f at 8 and %.0f at 16.
		divergence|divergence|time|form=divergent fma_per_thread=1000000 paths=1,32,64|takes %.2f ms with one path, %.1f with 32 and %.1f with 64
		transpose|transpose|bandwidth|tile=32 width=8192 height=8192 form=copy,naive,coalesced,padded|reaches %.0f GB/s, the naive form %.0f, the tile %.0f, and the padded tile %.0f.
		instruction-throughput|instruction-throughput|operations_per_cycle|op=ffma,dfma|has %.1f `ffma` and %.1f `dfma` per cycle
		instruction-throughput|instruction-throughput|operations_per_cycle|op=rsqrt|has the same rate on both, %.1f and 15.9.
		roofline|stream-bandwidth|bandwidth|items_per_thread=2 block=256 n=2^21,2^22,2^27|%.0f GB/s at 2^21 doubles, %.0f at 2^22, and %.0f at 2^27
	RECORDINGS
)"
# Programs and tests of a package in guests.tsv on a model: "37 4368".
count_guests() { # package, model
	awk -F'\t' -v package="$1" -v model="$2" 'index($1, package) == 1 && index(" " $3 " ", " " model " ") { n++; sum += $4 }
		END { print n, sum }' tests/long/guests.tsv
}
# A row of the table of samples names a package, "X: N", and the tests of each GPU.
check 'docs/software-gpu.md has the programs and tests of tests/long/guests.tsv' "$(
	guide=$(tr '\n' ' ' <docs/software-gpu.md | tr -s ' ')
	whole() { awk -F'\t' -v package="$1" 'index($1, package) == 1 && $3 ~ /^mi25/ { n++; sum += $4 } END { print n, sum }' tests/long/guests.tsv; }
	read -r programs tests < <(whole librocrand)
	read -r others more < <(whole librocprim)
	read -r navi navi_tests < <(count_guests librocrand rx7900xtx,timing=0)
	read -r prim prim_tests < <(count_guests librocprim rx7900xtx,timing=0)
	for text in "(librocrand1-tests) | $programs, all | $tests |" "(librocprim-tests) | $others | $more |" \
		"\`timing=0\`, $navi programs of rocRAND pass $navi_tests tests and $prim of rocPRIM $prim_tests;"; do
		grep -qF "$text" <<<"$guide" || echo "$text"
	done
	while IFS='|' read -r package model text; do
		read -r programs tests < <(count_guests "$package" "$model")
		text=${text//PROGRAMS/$programs}
		grep -qF "${text//TESTS/$tests}" <<<"$guide" || echo "$package on $model: ${text//TESTS/$tests}"
	done <<-'SAMPLES'
		librocblas|mi25|each set of types | TESTS |
		librocblas|rx7900xtx,timing=0|each set of types | TESTS |
		librocblas|mi210,timing=0|quick tests of matrix products, TESTS pass on both
		librocsparse|mi60|40000 elements | TESTS |
		libhipblas|mi25|each function and type | TESTS |
		libhipsparse|mi25|which are not packaged | TESTS |
		librocsolver|mi25|rocSOLVER | two numbers | TESTS |
		librocsolver|rx7900xtx,timing=0|rocSOLVER | two numbers | TESTS |
		libhipsolver|rx7900xtx|to tridiagonal form | TESTS |
		libhipsolver|mi60,timing=0|to tridiagonal form | TESTS |
		librccl|mi210*2,timing=0|`timing=0` alone | TESTS |
		librocfft|mi25|transforms of small lengths | TESTS,
		libhipfft|rx7900xtx|transforms of small lengths | 9, TESTS |
		libhipcub|mi25|hipCUB | PROGRAMS of 38 programs | TESTS;
		libhipcub|rx7900xtx|with waves of 32: TESTS |
		librocthrust|mi25|rocThrust | PROGRAMS of 160 programs, with sizes up to 32 | TESTS |
	SAMPLES
)"
# shellcheck disable=SC2016 # backquotes
check 'docs/software-gpu.md lists the models in their order' \
	"$(models=$(sed -n 's/^MODEL(\(.*\))$/`\1`/p' softgpu/models/models.def | paste -sd, | sed 's/,/, /g')
	tr '\n' ' ' <docs/software-gpu.md | grep -qF "first model for which it has code ($models)" || echo "$models")"
check 'the README counts the lessons' "$(lessons=$(find share/lessons -name '*.md' ! -name README.md | wc -l)
	grep -qF "$lessons lessons" README.md || echo "$lessons lessons")"
for model in mi25 rx7900xtx; do
	"$BUILD/wavedeck" devices --model $model
done >"$tmp/constants" 2>/dev/null
# A line has the name, value, unit, range and source of a constant, and the next one what it means.
check 'devices --model lists every constant' "$(sed -n 's/^CONSTANT(\([a-z0-9_]*\),.*/\1/p' softgpu/models/gfx9_constants.def softgpu/models/gfx11_constants.def |
	sort -u | while read -r constant; do
		grep -q "^$constant  *-\{0,1\}[0-9]" "$tmp/constants" || echo "$constant"
	done)"
check 'docs/accuracy.md lists every constant that was fitted' \
	"$(grep -B1 'fitted to' "$tmp/constants" | sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p' | while read -r constant; do
		grep -qF "\`$constant\`" docs/accuracy.md || echo "$constant"
	done)"
finish
