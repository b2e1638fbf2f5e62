#!/usr/bin/env bash
# `exec --check`: JSON and JUnit, what is suppressed, programs without -g, sources that changed, a process that executes
# another program. TAP.
here=tests/e2e/check
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
export TMPDIR=$tmp
# A copy of the source, which may change. Lines are those of the copy.
mkdir "$tmp/work"
cp $here/faults_hip.cpp "$tmp/work/faults.hip"
build=$PWD
cd "$tmp/work" || exit 1
(cd "$build" && kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" "--offload-arch=$target" -O2 -Wno-unused-result -g -o "$tmp/work/faults" "$tmp/work/faults.hip") >"$log" 2>&1
result $? 'hipcc builds the program with -g'
checked() { # OPTION... -- PROGRAM CASE...
	timeout -k 5 $patience "$wavedeck" exec --check "$@" >"$tmp/out" 2>"$tmp/log" </dev/null
	status=$?
}
line_of() { grep -n "// line: $1\$" faults.hip | cut -d: -f1; } # NAME
reports() { grep -qxF -- "$1" "$tmp/log"; }                     # text
summary() { tail -n 1 "$tmp/log"; }

# --- JSON ---
checked --check-json out.json --check-junit out.xml -- ./faults race race-ok column known helper exit3
equal 'the status is the same with files' 3 $status
field() { python3 -c 'import json,sys; v=json.load(open("out.json")); print(eval(sys.argv[1]))' "$1"; } # expression
equal 'JSON: the document' "wavedeck-check 1 ['./faults', 'race'] 3 ['memory', 'init', 'race', 'barrier'] 5 1 0 514 1" \
	"$(field '" ".join(map(str, (v["format"], v["version"], v["program"][:2], v["status"], v["checks"], v["launches"], v["processes"], v["damaged_lines"], v["accesses"], v["suppressed"])))')"
equal 'JSON: its places' "lds_out_of_bounds lds_race lds_race lds_race" "$(field '" ".join(p["kind"] for p in v["places"])')"
equal 'JSON: a side' "read 4 320 [0, 0, 0] [3, 15, 0] 63 column $(line_of column) ds_read_b32" \
	"$(field '(lambda a: " ".join(map(str, (a["access"], a["bytes"], a["address"], a["workgroup"], a["work_item"], a["lane"], a["frames"][0]["function"], a["frames"][0]["line"], a["instruction"].split()[0]))))(v["places"][0]["at"])')"
equal 'JSON: inlined functions' "read_partner $(line_of partner) helper $(line_of call)" \
	"$(field '" ".join("%s %d" % (f["function"], f["line"]) for side in ("at", "other") for f in v["places"][1][side]["frames"] if len(v["places"][1][side]["frames"]) > 1)')"
equal 'JSON: one that is suppressed' "known(float const*, float*) True" \
	"$(field '" ".join(str(p["kernel"]) + " " + str(p["suppressed"]) for p in v["places"] if p["suppressed"])')"
checked --check-json /proc/none/out.json -- ./faults race
[ $status -eq 1 ] || [ $status -eq 2 ]
result $? 'a file that cannot be written is an error'
grep -q '^wavedeck: .*/proc/none/out.json.*--check-json' "$tmp/log" && reports 'wavedeck: 1 place, 256 accesses; checked memory, init, race, barrier in 1 launch'
result $? 'which it says, after the report'

# --- JUnit ---
junit() { python3 -c 'import sys, xml.etree.ElementTree as t; s=t.parse("out.xml").getroot()[0]; print(eval(sys.argv[1]))' "$1"; } # expression
equal 'JUnit: its counts' './faults 5 3' "$(junit '" ".join(s.get(k) for k in ("name", "tests", "failures"))')"
equal 'JUnit: a case for each kernel' 'column(float const*, float*, int):1 helper(float const*, float*):1 known(float const*, float*):0 race(float const*, float*):1 race_ok(float const*, float*):0' \
	"$(junit '" ".join("%s:%d" % (c.get("name"), len(c)) for c in s)')"
equal 'JUnit: a failure' "lds_out_of_bounds|access outside of the workgroup's LDS, 2 times|  faults.hip:$(line_of column): reads 4 bytes, 64 bytes past the end of the workgroup's 256 bytes of LDS" \
	"$(junit '"|".join((s[0][0].get("type"), s[0][0].get("message"), s[0][0].text.split("\n")[0]))')"

# --- what is suppressed ---
checked --error-exitcode 9 -- ./faults known
equal 'a comment in the source' '0 wavedeck: no faults found (memory, init, race, barrier; 1 launch); 1 suppressed' "$status $(summary)"
suppresses() { # what, places left, rule
	printf '# known\n\n%s # why\n' "$3" >rules
	checked --suppress rules -- ./faults race column
	equal "$1" "$2" "$(grep -c ' times: ' "$tmp/log")"
}
suppresses 'a rule with a kind and a pattern' 1 'lds_race ^race'
suppresses 'of another kind' 2 'lane_race ^race'
suppresses 'of any kind' 0 'all .'
suppresses 'with a symbol' 1 'all _Z4racePKfPf'
suppresses 'with a file' 0 'all . faults.hip'
suppresses 'with another file' 2 'all . aults.hip'
suppresses 'with a line' 1 "all . faults.hip:$(line_of column)"
suppresses 'with the line of the other side' 1 "all . work/faults.hip:$(line_of race-read)"
refuses() { # what, line, text
	printf '\n%s\n' "$2" >rules
	checked --suppress rules -- ./faults race
	equal "$1" "2 wavedeck: rules:2: $3" "$status $(cat "$tmp/log" "$tmp/out")"
}
refuses 'a rule without a pattern' 'lds_race' 'write KIND KERNEL-REGEX [FILE[:LINE]]'
refuses 'a rule with too many words' 'lds_race a b c' 'write KIND KERNEL-REGEX [FILE[:LINE]]'
refuses 'a kind that does not exist' 'races .' "'races' is not a kind that checks report; \`all\` is any"
refuses 'a pattern that is not one' 'all (' '(: not a regular expression: Unmatched ( or \('

# --- a process that executes another program has the same number ---
checked -- ./faults race again
reports 'wavedeck: 1 place, 512 accesses; checked memory, init, race, barrier in 2 launches'
result $? 'both count'

# --- sources ---
checked -- sh -c './faults race; ./faults race'
reports '    s[t] = in[t];       // line: race-write' &&
	reports 'wavedeck: 1 place, 512 accesses; checked memory, init, race, barrier in 2 launches'
result $? 'a shell that starts the program is older than the sources, which are shown'
touch -d '+1 hour' faults.hip
checked -- ./faults race known
reports '    (the file is newer than the program)' && ! grep -q 's\[t\] = in' "$tmp/log"
result $? 'a source that is newer than the program is not shown'
equal 'and its comments do not count' 'wavedeck: 2 places, 512 accesses; checked memory, init, race, barrier in 2 launches' "$(summary)"
rm faults.hip
checked -- ./faults race
grep -qE '^  faults.hip:[0-9]+: (read|wrote) there before$' "$tmp/log" && ! grep -q 's\[t\]' "$tmp/log"
result $? 'without the source, its name and line'
cp "$build/$here/faults_hip.cpp" plain.hip
(cd "$build" && kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" "--offload-arch=$target" -O2 -Wno-unused-result -o "$tmp/work/plain" "$tmp/work/plain.hip") >"$log" 2>&1
checked -- ./plain race column
grep -qE '^  instruction at byte [0-9]+: (read|wrote) there before$' "$tmp/log" && grep -qE '^    ds_(read|write)_b32 v[0-9]+, v[0-9]+' "$tmp/log" &&
	[ "$(grep -cxF 'wavedeck: compile with -g for source lines' "$tmp/log")" -eq 1 ]
result $? 'without -g, instructions, and how to get lines'
finish
