#!/usr/bin/env bash
# Runs every experiment of the catalog with its preset `small` on the software GPUs of both families, verified, and checks
# that the catalog has all experiments of experiments.tsv. Writes the definition, kernel, expected instructions, reference,
# published rows and lesson of each to $BUILD/experiments.txt. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export wavedeck tmp patience LC_ALL=C
# Compiled kernels are cached by source, flags and target.
export XDG_DATA_HOME=$tmp/data
details() { head -n 5 "$1" | cut -c1-300; }
run() { # experiment, device (soft:mi25): ID.json, ID.err, ID.status
	timeout $patience "$wavedeck" run "${1##*/}" @small --device "${2:-soft:mi25}" --format json --workers 1 \
		>"$tmp/$1.json" 2>"$tmp/$1.err" </dev/null
	echo $? >"$tmp/$1.status"
	sed -i '/^wavedeck: a point has been running for /d' "$tmp/$1.err" # on a busy machine
}
export -f run
has() { grep -q "$2" "$tmp/$1.json"; }
points() { grep '^{"type":"point"' "$tmp/$1.json"; }
# Points that launch or copy are verified. Formulas (no time) and compilations (a verdict) are not.
bad_points() {
	points "$1" | awk '
		!/"status":"ok"/ { print "failed: " $0; next }
		/"contract":"broken"/ { print "contract: " $0; next }
		/"verify":"ok"/ { next }
		/"seconds":\[[0-9]/ && !/"accepted":/ { print "not verified: " $0 }
		/"verify":"failed"/ { print "wrong: " $0 }' | sed 's/\("type".*\)\("params":{[^}]*}\)/\2 \1/'
}
good() {
	[ "$(cat "$tmp/$1.status")" -eq 0 ] && [ ! -s "$tmp/$1.err" ] && [ -n "$(points "$1")" ] &&
		bad_points "$1" >"$tmp/$1.bad" && [ ! -s "$tmp/$1.bad" ]
}

# --- the catalog ---
"$wavedeck" list --json >"$tmp/list" 2>"$tmp/err"
result $? 'the catalog loads' "$tmp/err"
grep -o '"id":"[^"]*","chapter":"[^"]*"' "$tmp/list" | cut -d'"' -f4,8 | tr '"' ' ' >"$tmp/catalog"
# Experiments that need another device than one of that family, or of its first target; "gfx" is every one of AMD.
need_other() { # gfx9
	tr '{' '\n' <"$tmp/list" | grep -v '"needs":"[^"]*\(gfx\|'"$1"'\(00\)\?\) ' |
		sed -n 's/^"id":"\([^"]*\)".*"needs":"[^"].*/\1/p'
}
need_other gfx9 >"$tmp/needs"
ids=$(awk -v needs="$(tr '\n' ' ' <"$tmp/needs")" 'index(" " needs, " " $1 " ") == 0 { print $1 }' "$tmp/catalog")
for id in $ids; do echo "$id"; done | xargs -P "$(nproc)" -I{} bash -c 'run {}'
for id in $ids; do
	good "$id"
	status=$?
	cat "$tmp/$id.err" "$tmp/$id.bad" >"$tmp/offending" 2>/dev/null
	result $status "$id @small: $(points "$id" | wc -l) points" "$tmp/offending"
done

# On the RX 7900 XTX, with the variants that fit. rx7900xtx.sh runs the vendor library.
mkdir "$tmp/rx"
need_other gfx11 >"$tmp/rx/needs"
others=$(cut -d' ' -f1 "$tmp/catalog" | grep -vxF -f "$tmp/rx/needs" | grep -vx sgemm-k0-library)
for id in $others; do echo "$id"; done | xargs -P "$(nproc)" -I{} bash -c 'run rx/{} soft:rx7900xtx'
for id in $others; do
	sed -i "/^wavedeck: $id: @small without variant=.*: assembly for another GPU than gfx1100$/d" "$tmp/rx/$id.err"
	good "rx/$id"
	status=$?
	cat "$tmp/rx/$id.err" "$tmp/rx/$id.bad" >"$tmp/offending" 2>/dev/null
	result $status "$id @small on soft:rx7900xtx: $(points "rx/$id" | wc -l) points" "$tmp/offending"
done

# Those on matrix cores.
mkdir "$tmp/mi100"
cores=$(tr '{' '\n' <"$tmp/list" | sed -n 's/^"id":"\([^"]*\)".*"needs":"[^"]*gfx908 .*/\1/p' | grep -vx sgemm-k0-library)
for id in $cores; do echo "$id"; done | xargs -P "$(nproc)" -I{} bash -c 'run mi100/{} soft:mi100'
for id in $cores; do
	good "mi100/$id"
	status=$?
	cat "$tmp/mi100/$id.err" "$tmp/mi100/$id.bad" >"$tmp/offending" 2>/dev/null
	result $status "$id @small on soft:mi100: $(points "mi100/$id" | wc -l) points" "$tmp/offending"
done
[ "$(echo "$cores" | wc -l)" -ge 5 ]
result $? 'experiments on matrix cores are found'

# Rates of bytes have one unit in an experiment; only an id that ends in ibps is in a binary unit.
for id in $(cut -d' ' -f1 "$tmp/catalog"); do
	"$wavedeck" show "$id" --json | tr '{' '\n' | sed -n 's/^"id":"\([^"]*\)","unit":"\([GMT]i\?B\/s\)".*/\1 \2/p' |
		awk -v x="$id" '{ seen[$2] = 1; if (($2 ~ /i/) != ($1 ~ /_[gmt]ibps$/)) print x ": " $1 " is in " $2 }
			END { n = 0; for (u in seen) n++; if (n > 1) print x ": rates in several units" }'
done >"$tmp/units"
[ ! -s "$tmp/units" ]
result $? 'an experiment has one unit for rates of bytes' "$tmp/units"

# --- comparing with experiments.tsv ---
file_of() { awk -v id="$1" '$1 == id { print "experiments/catalog/" $2 "/" $1 ".lua" }' "$tmp/catalog"; }
kernel_of() { # id, file
	if grep -q 'measures *=' "$2"; then echo "of another"; return; fi
	# Kernels that the definition and its shared files name.
	{
		cat "$2"
		sed -n 's/.*= shared("\([a-z0-9_-]*\)").*/\1/p' "$2" | while read -r name; do
			cat "$(dirname "$2")/$name.shared.lua"
		done
	} |
		grep -oE '"[a-z0-9_/]+\.(hip|s)"' | tr -d '"' | sort -u | paste -sd, -
}
reference_of() {
	local names
	names=$(grep -E '^ *reference *=' "$2" | grep -oE '"[a-z0-9_]+"' | tr -d '"' | sort -u |
		comm -12 - "$tmp/references" | paste -sd, -)
	if has "$1" '"accepted":'; then echo "the compiler's verdict"
	elif ! has "$1" '"seconds":\[[0-9]'; then echo formula
	elif [ -n "$names" ]; then echo "$names"
	elif has "$1" '"verify":"ok"'; then
		if grep -qE '^ *reference *=' "$2"; then echo 'by parameter'; else echo 'by copies or parts'; fi
	fi
}
contract_of() { if has "$1" '"contract":"ok"'; then echo kept; else echo none; fi; }
rows_of() { grep -cv '^[#!]' "sessions/published/$1.csv" 2>/dev/null | awk '{ print $1 - 1 }'; }
lesson_of() { sed -n 's/^ *lesson *= *"\([^"]*\)".*/\1/p' "$1"; }

row() { printf '%s|%s|%s|%s|%s|%s|%s|%s\n' "$@"; }
table=$tmp/table
row EXPERIMENT SOURCE DEFINITION KERNEL CONTRACT REFERENCE ROWS LESSON >"$table"
grep -v '^#' tests/e2e/experiments.tsv >"$tmp/tsv"
sed -n 's/^REFERENCE(\([a-z0-9_]*\),.*/\1/p' kernels/reference/reference.def | sort >"$tmp/references"
while IFS=$'\t' read -r id kind where; do
	file=$(file_of "$id") why=
	if [ -z "$file" ]; then
		row "$id" "$where" - - - - - - >>"$table"
		[ "$kind" != run ]
		result $? "$id ($where): no definition, kind $kind"
		continue
	fi
	lesson=$(lesson_of "$file") rows=$(rows_of "$id")
	if grep -qx "$id" "$tmp/needs"; then
		row "$id" "$where" "$file" "$(kernel_of "$id" "$file")" - "needs another device" \
			"${rows:-0}" "${lesson:--}" >>"$table"
		[ "$kind" = gfx11 ] || why="$why, needs another device"
	else
		reference=$(reference_of "$id" "$file") kernel=$(kernel_of "$id" "$file")
		row "$id" "$where" "$file" "${kernel:--}" "$(contract_of "$id")" "${reference:--}" \
			"${rows:-0}" "${lesson:--}" >>"$table"
		[ -n "$reference" ] || why="$why, nothing to compare with"
		[ -n "$kernel" ] || [ "$reference" = formula ] || grep -q 'steps *=' "$file" || why="$why, no kernel"
		[ "$reference" != formula ] || [ "$kind" = formula ] || why="$why, nothing is launched"
	fi
	[ -n "$lesson" ] && [ -f "share/lessons/$lesson" ] || why="$why, no lesson '$lesson'"
	[ -z "$why" ]
	result $? "$id ($where): ${file#experiments/catalog/}$why"
done <"$tmp/tsv"
awk -F'|' '
	NR == FNR { for (k = 1; k <= NF; k++) if (length($k) > w[k]) w[k] = length($k); next }
	{
		line = ""
		for (k = 1; k <= NF; k++) line = line sprintf("%-*s  ", w[k], $k)
		sub(/ *$/, "", line)
		print line
	}' "$table" "$table" >"$BUILD/experiments.txt"

cut -f1 "$tmp/tsv" | sort >"$tmp/wanted"
cut -d' ' -f1 "$tmp/catalog" | sort | comm -13 "$tmp/wanted" - | paste -sd' ' - | sed 's/^/# not in the sources: /'
ls sessions/published | sed -n 's/\.csv$//p' | sort >"$tmp/published"
cut -d' ' -f1 "$tmp/catalog" | sort | comm -13 - "$tmp/published" >"$tmp/offending"
[ ! -s "$tmp/offending" ]
result $? 'all published rows belong to an experiment' "$tmp/offending"

times >"$tmp/offending"
echo "# CPU time, user and system: $(tail -n 1 "$tmp/offending")"
finish
