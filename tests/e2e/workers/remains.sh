#!/usr/bin/env bash
# Nothing remains of a program that has ended, however it ended: no file in TMPDIR, no half-written kernel in the cache,
# no process, and the terminal is as before. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
trap 'tmux -L "remains$$" kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data
skip_tour "$XDG_DATA_HOME"
mkdir "$tmp/place"

# A compiler that never finishes. It writes into TMPDIR as clang does, and removes its files as clang does when a process
# that it started is terminated.
cat >"$tmp/slow-clang" <<'EOF'
#!/bin/sh
case "$*" in *--offload-device-only*) ;; *) exec "$CLANG" "$@" ;; esac
mkdir "$TMPDIR/slow-$$"
echo "$$" >"$PLACE.compiling"
sleep 100000
rm -r "$TMPDIR/slow-$$"
exit 1
EOF
chmod +x "$tmp/slow-clang"
cp kernels/dispatch.hip "$tmp/own.hip"

# Starts a program with a TMPDIR and a cache of its own, which a process of it has in its environment.
start() { # command
	place=$(mktemp -d "$tmp/place/XXXXXX")
	mkdir "$place/tmp" "$place/cache"
	set -m # a job of its own, so that SIGINT and SIGQUIT are not ignored
	PLACE=$place TMPDIR=$place/tmp XDG_CACHE_HOME=$place/cache "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	program=$!
	set +m
}
slow() { WAVEDECK_CLANG=$tmp/slow-clang start "$@"; }
is_compiling() { [ -s "$place.compiling" ]; }
processes() { grep -lsF -- "TMPDIR=$place/tmp" /proc/[0-9]*/environ; }
have_ended() { [ -z "$(processes)" ]; }
worker() {
	local p
	for p in $(cat "/proc/$program/task/$program/children"); do
		grep -qs worker "/proc/$p/cmdline" && echo "$p"
	done
}
remains() { # prints what the program has left
	processes | xargs -r -I{} sh -c 'tr "\0" " " <"${1%environ}cmdline"; echo' - {}
	find "$place/tmp" -mindepth 1
	find "$place/cache" -type f ! -name '*.co' ! -name '*.files' ! -regex '.*/compilers/[0-9a-f]*' \
		! -regex '.*/headers/[0-9a-f]*\.\(pch\|files\)'
}
details() { head -n 20 "$tmp/offending" "$tmp/err"; }
nothing_remains() { # what
	wait "$program" 2>/dev/null
	wait_until have_ended
	check "nothing remains $1" "$(remains)"
}

# --- programs that end by themselves: HIP compiles in TMPDIR while a device opens ---
start "$wavedeck" run lds-bank-conflict stride=1,2; nothing_remains 'after run'
start "$wavedeck" run fma-unroll unroll=1,3; nothing_remains 'after run with kernels that have to be compiled'
start "$wavedeck" isa fma.hip; nothing_remains 'after isa'
start "$wavedeck" devices; nothing_remains 'after devices, which closes them at once'
start "$wavedeck" doctor; nothing_remains 'after doctor'
printf 'size 80x24\nwait sweep 250\ndump %s/screen\n' "$tmp" >"$tmp/script"
start "$wavedeck" --script "$tmp/script"; nothing_remains 'after the workbench'

# --- signals during a compilation ---
slow "$wavedeck" run fma-unroll unroll=1,3 --limit 1
nothing_remains 'after --limit has canceled a compilation'
for signal in INT TERM HUP QUIT ALRM USR1 KILL; do
	slow "$wavedeck" run fma-unroll unroll=1,3
	wait_until is_compiling
	kill -$signal "$program"
	nothing_remains "after SIG$signal while the worker compiles"
done
for signal in INT TERM HUP QUIT ALRM USR1; do # SIGKILL cannot be caught
	slow "$wavedeck" isa "$tmp/own.hip"
	wait_until is_compiling
	kill -$signal "$program"
	nothing_remains "after SIG$signal while isa compiles"
done
slow "$wavedeck" run fma-unroll unroll=1,3 --format csv --workers 1
wait_until is_compiling
kill -KILL "$(worker)"
wait_until grep -q 'killed by SIGKILL' "$tmp/err"
check 'the killed worker leaves no file while the program continues' "$(find "$place/tmp" -mindepth 2 -name "slow-$(cat "$place.compiling")*")"
kill -TERM "$program"
nothing_remains 'after a worker that was killed while it compiled'

# --- a front end that wants files deep in the worker's folder ---
deep_job() { # folders
	printf '{"type":"job","job":1,"point":0,"experiment":"x","params":{},"kernel":{"file":"/x.hip","defines":"","entry":"x",'
	printf '"content":{"files":[["own/%sx.hip","cbf29ce484222325"]],"object":null}},' "$(printf 'a/%.0s' $(seq "$1"))"
	printf '"buffers":[],"args":[],"grid":[1,1,1],"block":[1,1,1],"dynamic_lds":0,"verify":false,'
	printf '"samples":{"min":1,"max":1,"target":0.1,"seconds":1}}\n'
}
needs_file() { grep -q '"type":"need"' "$tmp/out"; }
has_answered() { grep -q '"type":"point"' "$tmp/out"; }
deep_worker() { # folders
	{
		deep_job "$1"
		[ "$1" -gt 31 ] || { wait_until needs_file && echo '{"type":"content","hash":"cbf29ce484222325","data":""}'; }
		wait_until has_answered
	} | "$wavedeck" worker --device soft:mi25
}
refuses_depth() { grep -qF '"error":"the job has a file with an invalid name or hash: names are at most 32 folders deep"' "$tmp/out"; }
start deep_worker 31
nothing_remains 'after a file that is 31 folders below own/'
has_answered && ! refuses_depth
result $? 'the worker takes it' "$tmp/out"
start deep_worker 32
nothing_remains 'after a file that is 32 folders below own/'
has_answered && refuses_depth
result $? 'the worker refuses it with a line' "$tmp/out"

# --- the screen: every signal that can be caught restores the terminal ---
if command -v tmux >/dev/null; then
	t() { tmux -L "remains$$" -f /dev/null "$@"; }
	unset TMUX
	place=$tmp/place/screen
	mkdir -p "$place/tmp" "$place/cache"
	t new-session -d -x 80 -y 24 "exec env PS1='shell> ' PLACE=$place TMPDIR=$place/tmp XDG_CACHE_HOME=$place/cache SHELL=/bin/sh sh"
	shell=$(t display -p '#{pane_pid}')
	shows() { t capture-pane -p | grep -qE -- "$1"; }
	program_runs() { program=$(pgrep -P "$shell" -f "$wavedeck"); }
	only_the_shell() { [ "$(processes | grep -vc "^/proc/$shell/")" -eq 0 ]; }
	t send-keys "stty -a >$tmp/before" Enter
	for signal in ALRM USR1 USR2 VTALRM PROF IO PWR XCPU TRAP SYS TERM SEGV; do
		t send-keys "clear; $wavedeck --device soft:mi25; status=\$?; stty -a >$tmp/after-$signal; echo ended-by-$signal-\$status" Enter
		wait_until program_runs
		wait_until shows '━ Parameters'
		kill -$signal "$program"
		wait_until shows "^ended-by-$signal-[0-9]+"
		wait_until test -s "$tmp/after-$signal"
		cmp -s "$tmp/before" "$tmp/after-$signal" && [ "$(t display -p '#{alternate_on}#{cursor_flag}')" = 01 ]
		result $? "SIG$signal: the terminal is restored" "$tmp/after-$signal"
		equal "SIG$signal: the shell sees the signal" $((128 + $(kill -l $signal))) \
			"$(t capture-pane -p | sed -n "s/^ended-by-$signal-//p")"
		wait_until only_the_shell
		check "SIG$signal: nothing remains" "$(find "$place/tmp" -mindepth 1; only_the_shell || processes)"
	done
else
	skip 'the screen restores the terminal' 'tmux is not installed'
fi
finish
