#!/usr/bin/env bash
# `wavedeck lesson --sources`: on what the answers rest, in each format; docs/lessons.md is what docs/lessons.sh writes; own
# lessons may have no source, and one of an unknown kind is an error with its line. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C.UTF-8

docs/lessons.sh "$tmp/lessons.md" >"$tmp/log" 2>&1 && cmp "$tmp/lessons.md" docs/lessons.md >>"$tmp/log" 2>&1
result $? 'docs/lessons.md is current (make sources)' "$tmp/log"

sources() { # arguments
	"$wavedeck" lesson --sources "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}
sources gpu && head -n 1 "$tmp/out" | grep -qE '^lesson +step +kind +source$' &&
	grep -qE '^gpu +1  board +Vega64 notes' "$tmp/out" && grep -qE '^ +model +128 blocks' "$tmp/out" &&
	! awk 'length > 100' "$tmp/out" | grep -q .
result $? 'a table of one lesson, in lines of at most 100 characters' "$tmp/out"
sources --format csv
python3 - "$tmp/out" share/lessons >"$tmp/log" 2>&1 <<'END'
import csv, pathlib, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
kinds = {"board", "other", "manual", "definition", "model"}
assert {r["kind"] for r in rows} == kinds, {r["kind"] for r in rows}
assert all(r["source"] and r["title"] for r in rows)
pages = [p for p in pathlib.Path(sys.argv[2]).glob("*.md") if p.name != "README.md"]
steps = sum(p.read_text().count("\n### Answer\n") for p in pages)
assert len({(r["lesson"], r["step"]) for r in rows}) == steps, steps
END
result $? 'CSV has a source for each question of the course' "$tmp/log"
sources lds caches --format json
python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert [x["lesson"] for x in r][0] == "lds" and r[-1]["lesson"] == "caches", r' \
	"$tmp/out" >"$tmp/log" 2>&1
result $? 'JSON of two lessons' "$tmp/log"
"$wavedeck" lesson lds >"$tmp/out" 2>&1 && [ "$(grep -c '^Source:$' "$tmp/out")" -eq 3 ] &&
	grep -q '^  -  measured on this board: Vega64 notes' "$tmp/out"
result $? 'a printed lesson has the sources behind the answers' "$tmp/out"
for ending in txt html; do
	"$wavedeck" lesson lds --handout "$tmp/plain.$ending" 2>"$tmp/err" &&
		"$wavedeck" lesson lds --handout "$tmp/full.$ending" --answers 2>"$tmp/err" &&
		grep -q 'measured on this board' "$tmp/full.$ending" && ! grep -q 'measured on this board' "$tmp/plain.$ending"
	result $? "a handout has the sources with --answers only: $ending" "$tmp/err"
done

refuses() { # words of the error, arguments
	sources "${@:2}"
	[ $? -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$1" "$tmp/err"
	result $? "rejected: lesson --sources ${*:2}" "$tmp/err"
}
refuses "did you mean 'lds'" ldss
refuses 'text, csv, json or markdown' --format xml
refuses 'exclude each other' --progress

# --- own lessons ---
mkdir -p "$XDG_DATA_HOME/wavedeck/lessons"
own=$XDG_DATA_HOME/wavedeck/lessons/own.md
sed '/^### Source/,/^## /{/^## /!d}' share/lessons/lds.md >"$own"
sources own && grep -qE '^own +1  - +no source$' "$tmp/out"
result $? 'a lesson of your own may have no source' "$tmp/out"
sed '0,/^- board:/s//- bord:/' share/lessons/lds.md >"$own"
line=$(grep -n '^- bord:' "$own" | cut -d: -f1)
sources own
[ $? -eq 2 ] && grep -q "own.md:$line: unknown source 'bord: .*where KIND is board, other, manual, definition or model" "$tmp/err"
result $? 'an unknown kind is an error with its line' "$tmp/err"
finish
