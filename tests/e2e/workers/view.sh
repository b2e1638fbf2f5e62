#!/usr/bin/env bash
# The view of the workers in a terminal (tmux), on the software GPU: a sweep of three workers, one of which is killed.
# Every point is done once, the death is counted where it happened, and the view follows the sweep and its cancel. TAP.
# shellcheck disable=SC2317 # wait_until calls functions
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
command -v tmux >/dev/null || { result 1 'tmux is installed'; finish; }
t() { tmux -L "wavedeck$$" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
unset NO_COLOR TMUX
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config SHELL=/bin/sh
skip_tour "$XDG_DATA_HOME"

screen() { t capture-pane -p; }
details() { screen; }
is_shown() { screen | grep -qE -- "$1"; }
shows() { wait_until is_shown "$1"; }
# A column of the rows, in one line; the rows are those of the workers that stand between heavy lines.
column() { # name
	screen | tr -d '┃▶' | awk -v name="$1" '
		/^ +worker +host/ { for (k = 1; k <= NF; k++) if ($k == name) at = k - NF; next }
		/^ +[0-9]+ local / { print $(NF + at) }' | paste -sd ' '
}
sum() { column "$1" | tr ' ' '\n' | awk '{ sum += $1 } END { print sum + 0 }'; }
sums_to() { [ "$(sum "done")" -eq "$1" ]; }
is_child() { grep -qx "PPid:	$program" "/proc/$1/status"; }

t new-session -d -x 100 -y 30 \
	"exec $BUILD/wavedeck range-latency --device soft:mi25 --set workers=3"
program=$(t display -p '#{pane_pid}')
shows '([0-9]+)/\1 points'
first=$(screen | grep -oE '[0-9]+/[0-9]+ points' | head -n 1 | cut -d/ -f1)
t send-keys K
shows "Workers .*by worker, 1 of 3" && is_shown "3 workers, 0 running +$first points measured"
result $? 'K opens the view; no worker runs after the sweep'
equal 'the workers have done the points of the first sweep' "$first" "$(sum "done")"

# A sweep that takes more than ten seconds waits for Space.
sweep() { # values, number of points
	t send-keys :
	t send-keys -l "param rangesize=$1"
	t send-keys Enter
	shows "[0-9]/$2|Space measures it"
	! is_shown 'Space measures it' || t send-keys Space
}

# --- a death and a cancel, in a sweep that takes many minutes: the test may be slow ---
sweep '1KiB..64MiB:+1KiB' 65536
t send-keys K
shows '3 workers, 3 running +sweep [0-9]+ of 65536 points +[0-9.]+ points/s'
result $? 'the view follows the sweep, with its rate'
children=$(for pid in $(column pid); do is_child "$pid" && echo "$pid"; done | sort -u | wc -l)
equal 'all three are processes of the program' 3 "$children"
victim=$(column pid | cut -d ' ' -f 2)
is_child "$victim" && kill -KILL "$victim"
shows '[0-3] running +1 death'
result $? 'a death is counted'
shows 'worker killed by SIGKILL' # while running a point, or between two
result $? 'the reason is below the rows'
shows '3 workers, 3 running'
result $? 'another process is in its place'
t send-keys c
shows 'workers, 0 running +1 death +canceled: [0-9]+ of 65536 points measured'
result $? 'c cancels the sweep'
equal 'the death is that of the second worker' '0 1 0' "$(column deaths)"
t send-keys s s s
shows 'by deaths, 2 of 3'
equal 's sorts by deaths; the selection stays at its worker' '2 1 3' "$(column worker)"

# --- a sweep to its end ---
before=$(sum "done")
t send-keys Escape
shows 'Experiments'
sweep '1KiB..40KiB:+1KiB' 40
t send-keys K
shows '3 workers, 0 running +1 death +40 points measured'
result $? 'a sweep after it measures all points'
equal 'each point is done once' $((before + 40)) "$(sum "done")"
t send-keys Space
shows '3 workers, 0 running +1 death +40 points measured' && wait_until sums_to $((before + 80))
result $? 'Space measures it again'
t send-keys C-e
shows 'export to: .*workers.csv'
t send-keys C-u
t send-keys -l "$tmp/workers.csv"
t send-keys Enter
shows 'written to'
[ "$(head -n 1 "$tmp/workers.csv")" = worker,host,device,state,point,rangesize,time_s,done,deaths,pid ] &&
	grep -qE '^2,local,soft:mi25,ready,,,,[0-9]+,1,[0-9]+$' "$tmp/workers.csv"
result $? 'the rows are exported' "$tmp/workers.csv"
t send-keys :
t send-keys -l 'set workers=1'
t send-keys Enter
shows 'by deaths, 1 of 1'
result $? 'fewer workers have fewer rows'
t send-keys Escape
shows 'Experiments'
result $? 'Esc returns to the workbench'

# --- other sizes ---
t send-keys K
for size in '80 24' '20 6' '200 60'; do
	t resize-window -x "${size% *}" -y "${size#* }"
	shows '▶ +1 (local|ready)'
	result $? "the row is on a screen of ${size/ /x}"
done
finish
