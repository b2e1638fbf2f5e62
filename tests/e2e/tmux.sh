#!/usr/bin/env bash
# The screen in a real terminal (tmux): it appears, reacts to keys, records, survives crashes of its workers, and
# restores the terminal however it ends. TAP.
#   DEVICE=soft:mi25   uses the software GPU instead of the fake worker
#   KILLS=20           kills more workers
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
KILLS=${KILLS:-4} DEVICE=${DEVICE:-}
command -v tmux >/dev/null || { result 1 'tmux is installed'; finish; }
servers=0
t() { tmux -L "wavedeck$$-$servers" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
unset NO_COLOR TMUX
export XDG_DATA_HOME=$tmp/data SHELL=/bin/sh
skip_tour "$XDG_DATA_HOME"
# Each start begins with the same experiment (where it was left: left_state.sh).
export XDG_CONFIG_HOME=$tmp/config
mkdir -p "$XDG_CONFIG_HOME/wavedeck"
echo 'restore = off' >"$XDG_CONFIG_HOME/wavedeck/config"

screen() { t capture-pane -p; }
details() { screen; }
# Waits until the screen matches an extended regular expression.
is_shown() { screen | grep -qE -- "$1"; }
shows() { wait_until is_shown "$1"; }
# Waits until a command prints something other than before.
differs() { [ "$("${@:2}")" != "$1" ]; }
changes() { wait_until differs "$@"; } # text before, command
program_is_gone() { [ -z "$(program)" ]; }
program_is_stopped() { grep -q '^State:	T' "/proc/$(program)/status"; }
program() { pgrep -P "$(t display -p '#{pane_pid}')" -f wavedeck | head -n 1; }
worker() { pgrep -P "$(program)" 2>/dev/null | head -n 1; }
finished='([0-9]+)/\1 points'
selection() { screen | grep '▶'; }
# Presses a key until the screen matches.
choose() { # key, pattern, command that prints what the key changes
	local i before
	for i in 1 2 3 4 5 6 7 8; do
		is_shown "$2" && return
		before=$($3)
		t send-keys "$1"
		changes "$before" "$3"
	done
}

if [ -z "$DEVICE" ]; then
	${CC:-cc} -std=gnu11 -o "$tmp/worker" tests/e2e/worker_double.c -ljansson -lm 2>"$tmp/log" ||
		{ details() { cat "$tmp/log"; }; result 1 'the fake worker compiles'; finish; }
	export WAVEDECK_WORKER=$tmp/worker WORKER_DELAY_MS=40 WORKER_HOLD=$tmp/hold
	DEVICE=soft:mi25
fi
start() { # columns, rows, type of the terminal
	t kill-server 2>/dev/null
	servers=$((servers + 1)) # each server has its own name, because the previous one may still be ending
	t new-session -d -x "$1" -y "$2" "exec env PS1='shell> ' sh"
	t set -g remain-on-exit on
	t send-keys "stty -a >$tmp/before; ${3:+env TERM=$3 }$BUILD/wavedeck --device $DEVICE" Enter
}

# --- start, at two sizes ---
for size in '80 24' '200 60'; do
	start ${size% *} ${size#* }
	shows 'workbench.*soft:mi25'; result $? "the screen appears at $size"
	shows '│▶ Latency, by range'; result $? "range-latency is chosen at $size"
	shows "$finished"; result $? "its sweep is measured without a key press at $size"
	[ "$(screen | wc -l)" -le "${size#* }" ] && ! screen | grep -q 'rror'
	result $? "the screen fits and shows no error at $size"
done

# --- terminals without all characters: the plot uses those they have; the last row is clear for the shell ---
for type in linux vt100; do
	start 80 24 $type
	shows "$finished"; result $? "TERM=$type: the sweep is measured"
	case $type in linux) lacks='[⠀-⣿●○▶┏━…]' plot='[█▄▀]' ;; *) lacks='[^ -~]' plot='\*\.' ;; esac
	! screen | LC_ALL=C.UTF-8 grep -qE "$lacks" && screen | LC_ALL=C.UTF-8 grep -qE "$plot"
	result $? "TERM=$type: only characters that it has"
	t send-keys q; shows 'not saved'
	t send-keys q; shows '^shell>$'; result $? "TERM=$type: the last row is clear"
done

# --- keys ---
start 80 24
shows "$finished"
plot() { screen | sed -n '3,13p' | cut -c 28-; }
t send-keys Tab Tab
shows '┏━ Experiments'
choose Up '▶ Cache line' selection
shows '▶ Cache line'; result $? 'the list chooses cacheline-stride'
shows "$finished"; result $? 'the experiment is measured after the pause'
t send-keys Tab
shows '┏━ Parameters'
choose Down '▶x?stride|▶ +size' selection
before=$(plot)
t send-keys Down Up; shows '▶x?stride|▶ '
while is_shown '▶x'; do # an axis; the next row with one value
	before=$(selection)
	t send-keys Down
	changes "$before" selection || break
done
t send-keys Left
shows '\. previous'; result $? 'an arrow key on a parameter measures again and keeps the previous curve'
shows "$finished"
[ "$(plot)" != "$before" ]; result $? 'the curve has moved'
t send-keys Up Up Up Up
value_line() { screen | tail -n 4 | head -n 1; }
cursor_before=$(value_line)
t send-keys ']'; changes "$cursor_before" value_line; result $? 'the cursor moves and the value line follows'
touch "$tmp/hold"
t send-keys Space
shows 'sweep [0-9]+/[0-9]+'; result $? 'space runs the sweep and shows its progress'
t send-keys c
shows 'canceled: [0-9]+ of'; result $? 'c cancels the sweep'
rm "$tmp/hold"
t send-keys Space
shows "$finished"; result $? 'after a cancel the sweep works again'
t send-keys '?'; shows '━ Help ━'; result $? '? opens the help page'
t send-keys Escape; shows 'Parameters'
t send-keys Enter; shows 'B\.\.|one of|from\.\.to'; t send-keys '1 parsec' Enter
shows 'parsec.* (has|is|no)'; result $? 'a value with the wrong unit is refused with a reason'
t send-keys Escape

# --- recording ---
count_files() { find "$XDG_DATA_HOME/wavedeck/sessions" -type f | wc -l; }
t send-keys R
shows 'recorded 10 points'; result $? 'R writes the finished curve and shows the file name'
touch "$tmp/hold"
t send-keys Space
shows 'sweep [0-9]+/[0-9]+' && rm "$tmp/hold" && shows "$finished" && [ "$(count_files)" = 1 ]
result $? 'the next sweep is not recorded'
touch "$tmp/hold"
t send-keys Space; shows 'sweep [0-9]+/[0-9]+'; t send-keys R; shows 'REC|recording (starts|to)'; rm "$tmp/hold"
shows 'REC 10 points'; result $? 'R during a sweep records it'
t send-keys R
shows 'recorded 10 points'; result $? 'R stops and shows the file name'
t send-keys R
shows 'this curve is in a file already'; result $? 'a curve that is in a file is not written again'
t send-keys R
shows 'no points were recorded'
[ "$(count_files)" = 2 ] && head -qn 1 "$XDG_DATA_HOME"/wavedeck/sessions/* | grep -q '"type": *"session"'
result $? 'the session file begins with its header'
recorded=$(find "$XDG_DATA_HOME/wavedeck/sessions" -type f | head -n 1)
"$BUILD/wavedeck" open "$recorded" >"$tmp/open" 2>&1 && grep -q stride "$tmp/open"; result $? 'wavedeck open reads it'

# Runs a command in the shell of a new terminal.
shell() { # command
	t kill-server 2>/dev/null
	servers=$((servers + 1))
	t new-session -d -x 80 -y 24 "exec env -u WAVEDECK_WORKER PS1='shell> ' sh"
	t send-keys "$1" Enter
}
shell "$BUILD/wavedeck open $recorded"
shows 'recording; B: back to soft:mi25' && shows '▶ Cache line'; result $? 'wavedeck open shows the session in the workbench'
shows "$finished"; result $? 'the session has its points'
t send-keys q; shows '^shell>$'; result $? 'q closes the session'
t send-keys "clear; $BUILD/wavedeck open $recorded --format table" Enter
shows '^ *stride'; result $? 'open --format prints the session, also on a terminal'
t send-keys "clear; $BUILD/wavedeck open /etc/passwd; echo status-\$?" Enter
shows '^status-2' && shows '^wavedeck: '; result $? 'a file that is not a session opens no screen'
start 80 24; shows "$finished"

# --- the editor gets the terminal in its original state ---
cat >"$tmp/editor" <<'EOF'
#!/bin/sh
stty -a >"${0%/*}/in-editor"
echo "editing $1"
read -r word
echo "// $word" >>"$1"
EOF
chmod +x "$tmp/editor"
export EDITOR=$tmp/editor
unset VISUAL
start 80 24; shows "$finished"
is_editing() { t capture-pane -J -p | grep -q '^editing .*wavedeck/edited/range-latency/chase_published.s'; } # wrapped
t send-keys e; shows 'Enter: chase.hip .variant=compiled., a: assembly chase_published.s'
result $? 'e offers the HIP source of an assembly kernel'
t send-keys a Enter; wait_until is_editing
result $? 'e opens a copy of the kernel in an editor'
cmp -s "$tmp/before" "$tmp/in-editor"; result $? "the editor has the shell's terminal modes"
t send-keys 'a-word' Enter
shows '┌─ Experiments' && shows '1 original'
result $? 'after the editor, the screen shows the original curve pinned'
shows "$finished"; result $? 'the edited copy is measured'
grep -q a-word "$XDG_DATA_HOME/wavedeck/edited/range-latency/chase_published.s" &&
	! grep -q a-word kernels/chase_published.s
result $? 'only the copy is edited'
t send-keys q; shows 'not saved'; result $? 'q offers to save the curves'
t send-keys q; shows '^shell>$'; result $? 'q quits'
start 80 24; shows "$finished"

# --- palette, mouse, themes, Ctrl-S ---
t send-keys ':'; shows '━ Commands ━'; result $? 'the palette opens'
t send-keys -l 'zoo'; shows '▶zoom'; t send-keys Escape; shows 'Parameters'; result $? 'Esc closes the palette'
# Sends the escape sequence of xterm for a click.
click() { # button, column, row
	t send-keys -l "$(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' "$1" "$2" "$3" "$1" "$2" "$3")"
}
t kill-server 2>/dev/null
servers=$((servers + 1))
t new-session -d -x 80 -y 24 "exec env TERM=xterm-256color PS1='shell> ' sh"
t send-keys "$BUILD/wavedeck --device $DEVICE" Enter
shows "$finished"
row=$(screen | grep -n 'Latency, by range' | head -n 1 | cut -d: -f1)
click 0 10 $((row + 1)); shows '┏━ Experiments' && ! screen | grep -q '▶memory *Latency, by range'
result $? 'a click in the list selects an experiment'
before=$(screen | grep '▶')
click 65 10 4; changes "$before" selection; result $? 'the wheel selects the next one'
message_line() { screen | tail -n 2; }
before=$(message_line); t send-keys M; changes "$before" message_line
before=$(selection); click 0 10 5; t send-keys '?'; shows '━ Help ━'; t send-keys Escape; shows 'Parameters'
[ "$(screen | grep '▶memory')" = "$(echo "$before" | grep '▶memory')" ]; result $? 'M switches the mouse off'
t send-keys M
top_colors() { t capture-pane -e -p | head -n 3; }
colors=$(top_colors)
t send-keys F2; changes "$colors" top_colors; result $? 'F2 changes the colors'
t send-keys C-s '?'; shows '━ Help ━'; result $? 'Ctrl-S does not freeze the screen'
t send-keys Escape
start 80 24; shows "$finished"

# --- resize ---
is_wide() { [ "$(screen | head -n 2 | tail -n 1 | wc -m)" -gt 110 ]; }
t resize-window -x 120 -y 36; wait_until is_wide; result $? 'a larger window is used'
before=$(screen); t resize-window -x 30 -y 8; changes "$before" screen
kill -0 "$(program)" 2>/dev/null; result $? 'the program survives a tiny window'
t resize-window -x 80 -y 24; shows '┌─ Experiments'; result $? 'the screen is complete in the original size'

# --- the worker crashes ---
for i in $(seq "$KILLS"); do
	t send-keys Space
	shows 'sweep [0-9]+/[0-9]+'
	victim=$(worker)
	kill -SEGV "$victim" 2>/dev/null; result $? "kill $i: a worker was running"
	shows 'SIGSEGV|[Ss]egmentation|signal 11'; result $? "kill $i: the screen stays and reports the crash"
	t send-keys Space
	at=$(date +%s%N)
	shows "$finished"
	ms=$((($(date +%s%N) - at) / 1000000))
	[ "$(worker)" != "$victim" ] && [ -n "$(worker)" ]
	result $? "kill $i: a new worker, and the next sweep works ($ms ms)"
done

# --- the terminal is restored ---
usable() { # what ended or stopped the program
	wait_until program_is_gone
	t send-keys "stty -a >$tmp/after; echo still-$1" Enter
	shows "^(shell> )?still-$1"; result $? "after $1 the shell answers"
	cmp -s "$tmp/before" "$tmp/after"; result $? "after $1 the terminal modes are restored"
	[ "$(t display -p '#{alternate_on}#{cursor_flag}')" = 01 ]
	result $? "after $1 the alternate screen is off and the cursor visible"
}
start 80 24; shows "$finished"
t send-keys q q; usable quit
workers=
for signal in TERM HUP INT QUIT SEGV ABRT BUS; do
	start 80 24
	shows '━ Parameters'
	workers="$workers $(worker)"
	kill -"$signal" "$(program)"
	usable "$signal"
done
[ -z "$(t list-panes -F '#{pane_dead}' | grep 1)" ]; result $? 'the shell is still running'
workers_are_gone() { ! kill -0 $workers 2>/dev/null; }
wait_until workers_are_gone # a worker ends at the end of its input, which it does not read while libraries start
result $? 'no worker process remains'

# --- the clipboard: the terminal takes OSC 52 ---
start 80 24; shows "$finished"
t set -g set-clipboard on
t send-keys T; shows 'as measured'; result $? 'T shows the table'
t send-keys y
clipboard_has_table() { t show-buffer 2>/dev/null | grep -q '^rangesize (B)'; }
wait_until clipboard_has_table; result $? 'y copies the table to the clipboard of the terminal'
t send-keys Escape; shows '━ Parameters'

# --- suspend and resume ---
start 80 24; shows "$finished"
t send-keys C-z; wait_until program_is_stopped
t send-keys "echo stopped-\$((1+1))" Enter; shows '^stopped-2'; result $? 'Ctrl-Z returns to the shell'
t send-keys fg Enter; shows '━ Parameters'; result $? 'fg shows the screen again'
t send-keys ']' q q; usable fg
finish
