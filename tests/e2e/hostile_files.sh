#!/usr/bin/env bash
# Files that other people made: pipes in place of files, endless lines, planted links, no home folder, names that a
# spreadsheet would run. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache XDG_CONFIG_HOME=$tmp/config
details() { head -n 5 "$tmp/err" | cut -c 1-300; }
run() { timeout $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
fails() { # what, pattern, arguments: status 2 and one line; a hang is stopped with status 124
	local what=$1 pattern=$2
	shift 2
	run "$@"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qe "$pattern" "$tmp/err"
	result $? "$what"
}
mkdir -p "$tmp/config/wavedeck" "$tmp/data/wavedeck"
run run lds-bank-conflict stride=1..4 --record "$tmp/a.wbs"
result $? 'a session is recorded'

# --- named pipes, folders and devices in place of files ---
for kind in pipe folder; do
	make() { if [ $kind = pipe ]; then mkfifo "$1"; else mkdir "$1"; fi; }
	for name in config keys; do
		make "$tmp/config/wavedeck/$name"
		run doctor
		[ $? -ne 124 ] && grep -q "$name.*not a regular file" "$tmp/out" "$tmp/err"
		result $? "$kind: $name"
		run list && { [ $name = keys ] || grep -q "$name: cannot read the file: it is not a regular file" "$tmp/err"; }
		result $? "$kind: a command runs without its $name"
		rm -r "$tmp/config/wavedeck/$name"
	done
	make "$tmp/data/wavedeck/lessons.json"
	run lesson
	result $? "$kind: the progress of the course"
	rm -rf "$tmp/data/wavedeck"/lessons.json*
	make "$tmp/x.lua"
	fails "$kind: a definition" 'x.lua: it is not a regular file' run "$tmp/x.lua"
	make "$tmp/x.co"
	fails "$kind: a code object" 'x.co: it is not a regular file' isa "$tmp/x.co"
	make "$tmp/x.hip"
	cp experiments/catalog/lds/lds-bank-conflict.lua "$tmp/own.lua"
	sed -i 's|file = "[^"]*"|file = "x.hip"|' "$tmp/own.lua"
	run run "$tmp/own.lua" stride=1
	[ $? -ne 124 ] && grep -q 'x.hip: it is not a regular file' "$tmp/out" "$tmp/err"
	result $? "$kind: the source of a kernel"
	rm -r "$tmp/x.hip"
	make "$tmp/x.inc"
	printf '#include "x.inc"\n' >"$tmp/x.hip"
	run run "$tmp/own.lua" stride=1
	[ $? -ne 124 ] && grep -q 'x.inc: it is not a regular file' "$tmp/out" "$tmp/err"
	result $? "$kind: a file that a kernel includes"
	make "$tmp/x.wbs"
	fails "$kind: a session to be continued" 'x.wbs: .*\(not a regular file\|Is a directory\)' run --resume "$tmp/x.wbs"
	rm -r "$tmp"/x.* "$tmp/own.lua"
done
fails 'a device as a session' 'zero: it is not a regular file' open /dev/zero
"$wavedeck" open "$tmp/a.wbs" >"$tmp/want" 2>&1
"$wavedeck" open /dev/stdin <"$tmp/a.wbs" 2>&1 | cmp -s - "$tmp/want"
result $? 'a session comes from a redirected file'
# shellcheck disable=SC2002 # a pipe, not a file
cat "$tmp/a.wbs" | "$wavedeck" open /dev/stdin 2>&1 | cmp -s - "$tmp/want"
result $? 'a session comes from a pipe'
"$wavedeck" open <(cat "$tmp/a.wbs") 2>&1 | cmp -s - "$tmp/want"
result $? 'a session comes from a process substitution'
"$wavedeck" compare <(cat "$tmp/a.wbs") <(cat "$tmp/a.wbs") 2>/dev/null | grep -q 'exactly equal'
result $? 'compared sessions come from process substitutions'

# --- bounded memory: lines of 400 MiB, and a session of 12 MB, whose parsed records would take 115 MB ---
bounded() { # MiB of address space, arguments
	local most=$1
	shift
	(
		ulimit -v $((most << 10))
		run "$@"
	)
}
if [ "${MODE:-}" = asan ]; then
	skip 'long lines and long sessions need little memory' 'the address sanitizer reserves terabytes'
else
	truncate -s 400M "$tmp/zeros.csv"
	bounded 200 export "$tmp/a.wbs" -o "$tmp/zeros.csv" && cmp -s "$tmp/zeros.csv" <("$wavedeck" export "$tmp/a.wbs" --format csv)
	result $? 'an endless line is overwritten by an export'
	truncate -s 400M "$tmp/zeros.wbs"
	bounded 200 open "$tmp/zeros.wbs"
	[ $? -eq 2 ] && grep -q 'is not a session' "$tmp/err"
	result $? 'an endless line is not a session'
	head -n 4 "$tmp/a.wbs" >"$tmp/end.wbs"
	truncate -s 400M "$tmp/end.wbs"
	bounded 200 open "$tmp/end.wbs" && grep -q 'incomplete' "$tmp/err"
	result $? 'a session that ends in an endless line is opened'
	for device in "replay:$tmp/end.wbs" soft:mi25; do
		bounded 200 show lds-bank-conflict --device "$device"
		[ $? -lt 3 ]
		result $? "an endless line of a session, $device"
	done
	bounded 200 compare "$tmp/end.wbs" "$tmp/a.wbs"
	result $? 'it is compared'
	truncate -s 400M "$tmp/config/wavedeck/config"
	bounded 200 list && grep -q 'config:1: the line is too long' "$tmp/err"
	result $? 'an endless line in the settings'
	rm "$tmp/config/wavedeck/config"
	awk 'NR == 3 { for (i = 1; i <= 24000; i++) { line = $0; sub(/"stride":[0-9]+/, "\"stride\":" i, line); print line } next }
		NR <= 2 || /"end"/' "$tmp/a.wbs" >"$tmp/long.wbs"
	bounded 80 open "$tmp/long.wbs" && [ "$(wc -l <"$tmp/out")" -gt 24000 ]
	result $? 'a long session is opened in three times its size'
	bounded 80 export "$tmp/long.wbs" --format csv && [ "$(grep -vc '^#' "$tmp/out")" -eq 24001 ]
	result $? 'it is exported'
	bounded 126 compare "$tmp/long.wbs" "$tmp/long.wbs" && grep -q '24000 of 24000 exactly equal' "$tmp/out"
	result $? 'it is compared with itself'
	rm "$tmp/long.wbs"
fi
# Not with a limit of memory: the software GPU needs address space. The line must not be parsed, and not be cut off.
if [ -f "$tmp/end.wbs" ]; then
	run run --resume "$tmp/end.wbs"
	resumed=$?
	[ "$(stat -c %s "$tmp/end.wbs")" -gt $((400 << 20)) ] && [ $resumed -eq 0 ] &&
		[ "$(tail -c 4096 "$tmp/end.wbs" | grep -ac '"type":"end"')" -eq 1 ]
	result $? 'a session that ends in an endless line continues after it'
	rm -f "$tmp/end.wbs" "$tmp"/zeros.*
fi

# --- links, permissions ---
mkdir "$tmp/shared"
echo precious >"$tmp/victim"
( # exec keeps the number of the process, which was in the name of the temporary file
	ln -s "$tmp/victim" "$tmp/shared/out.csv.part-$BASHPID"
	exec "$wavedeck" export "$tmp/a.wbs" -o "$tmp/shared/out.csv"
)
[ "$(cat "$tmp/victim")" = precious ] && [ ! -L "$tmp/shared/out.csv" ] && grep -q 'stride' "$tmp/shared/out.csv"
result $? 'a planted link is not followed'
chmod 600 "$tmp/shared/out.csv"
run export "$tmp/a.wbs" -o "$tmp/shared/out.csv"
equal 'a private file stays private' 600 "$(stat -c %a "$tmp/shared/out.csv")"
ln -s out.csv "$tmp/shared/link.csv"
run export "$tmp/a.wbs" -o "$tmp/shared/link.csv"
[ -L "$tmp/shared/link.csv" ] && [ "$(stat -c %a "$tmp/shared/out.csv")" = 600 ]
result $? 'a link of the user is followed and stays'

# --- no HOME ---
home=$(getent passwd "$(id -u)" | cut -d: -f6)
env -u HOME -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME "$wavedeck" help config >"$tmp/out" 2>"$tmp/err" </dev/null
grep -q "$home/.config/wavedeck/config\|~/.config/wavedeck/config" "$tmp/out" && ! grep -q '/tmp/' "$tmp/out"
result $? "without HOME, the settings are those of the user's home folder"

# --- CSV ---
# shellcheck disable=SC2016
sed -e 's/"stride"/"a,b\\"c\\nd"/g' -e 's/"latency"/"=cmd()"/g' -e 's/"bandwidth"/"-x"/g' \
	-e 's/"title":"[^"]*"/"title":"t,=1+1"/' "$tmp/a.wbs" >"$tmp/names.wbs"
run export "$tmp/names.wbs" --format csv
grep -q "^\"a,b\"\"c d\",outer,variant,'=cmd(),'-x," "$tmp/out" && grep -q "^# title: t,'=1+1$" "$tmp/out"
result $? 'CSV quotes the names of columns, and runs none as a formula'
run compare "$tmp/names.wbs" "$tmp/names.wbs" --format csv
grep -q "^\"a,b\"\"c d\",outer,variant,'=cmd()_A,'=cmd()_B,'=cmd()_B_ratio,'=cmd()_B_same,'-x_A," "$tmp/out"
result $? 'so does the CSV of a comparison'
cells=$(grep -v '^#' "$tmp/out" | sed 's/"[^"]*"//g' | awk -F, '{ print NF }' | sort -u)
equal 'each row has as many cells as the head' 11 "$cells"
finish
