# Tests of `capture` source this file: it builds the program, and has what they share. TAP.
# shellcheck shell=bash disable=SC2034 # used by the scripts
here=tests/e2e/capture
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "${BASH_SOURCE[0]}")/../../softgpu/driver/hip_program.bash"
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache TMPDIR=$tmp
build_hip_program kept -g
ln -s "$program" "$tmp/kept" && cd "$tmp" || exit 1
# Captures with these arguments; $status, $tmp/out, $tmp/log.
capture() {
	timeout -k 5 $patience "$wavedeck" capture "$@" >"$tmp/out" 2>"$tmp/log" </dev/null
	status=$?
}
# Runs the command with these arguments; $status, $tmp/out, $tmp/log.
ask() {
	timeout -k 5 $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/log" </dev/null
	status=$?
}
# The kernels that the capture lists, in order of their names, with their launches.
listed() { "$wavedeck" list "$1" | awk 'NR > 1 { print $1 ":" $2 }' | sort | tr '\n' ' '; } # file
# The folder to which the file was unpacked: the one that was used last.
opened() { # file
	"$wavedeck" list "$1" >"$tmp/listed" &&
		find "$XDG_CACHE_HOME/wavedeck/captures" -mindepth 1 -maxdepth 1 -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2
}
# An attribute of each launch in capture.json.
head_values() { sed -n "s/.*\"$2\": \"*\([^\",]*\)\"*,*$/\1/p" "$(opened "$1")/capture.json" | tr '\n' ' '; } # file, member
# The one line on standard error, without the name of the program.
equals_error() { equal "$1" "wavedeck: $2" "$(cat "$tmp/log")"; } # what, text
# Folders with the program's memory that were left.
left_folders() { find "$tmp" -maxdepth 1 -type d -name 'wavedeck*'; }
