#!/usr/bin/env bash
# The workbench on a device, in a terminal of three sizes (tmux): read latency over the range is measured and recorded, then
# the point at the cursor, its code, the table and the device's self-test are looked at. Waits for what the screen
# shows, never for time. TAP.
#   DEVICE=hip:0     the device; default: the software GPU
#   SCREENS=FOLDER   keeps there each screen, as text, with colors and as a picture, the keys that were pressed, and the sessions
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
DEVICE=${DEVICE:-soft:mi25} SCREENS=${SCREENS:-$tmp}
command -v tmux >/dev/null || { result 1 'tmux is installed'; finish; }
size='' columns='' rows=''
# Each size has a server of its own, because the one before may still be ending.
t() { tmux -L "wavedeck$$-$size" -f /dev/null "$@" 2>>"$tmp/say"; }
trap 't kill-server; rm -rf "$tmp"' EXIT
unset NO_COLOR TMUX
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config SHELL=/bin/sh
skip_tour "$XDG_DATA_HOME"
mkdir -p "$XDG_CONFIG_HOME/wavedeck" "$SCREENS"
echo 'restore = off' >"$XDG_CONFIG_HOME/wavedeck/config"

screen() { t capture-pane -p; }
details() { screen; }
is_shown() { screen | grep -qE -- "$1"; }
# Waits for a pattern, then keeps the screen. It fails if that is too large or shows an error.
shows() { # pattern, name, what
	wait_until is_shown "$1" && [ "$(screen | wc -l)" -le "$rows" ] && [ "$(screen | wc -L)" -le "$columns" ] && ! screen | grep -qi error
	result $? "$size: $3"
	printf '%s\twait for\t%s\n' "$size" "$1" >>"$SCREENS/keys.txt"
	screen >"$SCREENS/$size-$2.txt"
	t capture-pane -pe >"$SCREENS/$size-$2.ansi"
}
keys() { # keys, by tmux's names
	printf '%s\tkeys\t%s\n' "$size" "$*" >>"$SCREENS/keys.txt"
	t send-keys "$@"
}
picture() { # name: through the command palette
	keys : && shows 'ommand' palette 'the palette opens'
	keys -l "screenshot $SCREENS/$size-$1.svg"
	keys Enter
	wait_until test -s "$SCREENS/$size-$1.svg"
	result $? "$size: a picture of the screen"
}

: >"$SCREENS/keys.txt"
finished='([0-9]+)/\1 points verified'
for size in 80x24 120x36 200x60; do
	columns=${size%x*} rows=${size#*x}
	t new-session -d -x "$columns" -y "$rows" "exec env PS1='shell> ' sh"
	t send-keys "$BUILD/wavedeck --device $DEVICE" Enter
	shows '[1-9][0-9]*/19 points' measuring 'points appear while the sweep runs'
	shows "$finished" curve 'every point of the latency is measured and verified'
	for _ in 1 2 3 4 5 6 7 8 9 10; do keys ']'; done
	shows '^ ?1 MiB  latency .* cycles' point 'the point at the cursor'
	is_shown 'sclk [0-9]+ MHz'; result $? "$size: the clock at which it was measured"
	picture point
	keys R
	shows 'recorded [0-9]+ points' recorded 'the curve is recorded'
	keys I
	shows 'LDG|global_load' code 'the code of the kernel'
	keys Escape T
	shows '▶ +1 MiB' table 'the table of the points'
	keys Escape D
	shows "● $DEVICE +ready" devices 'the device'
	keys t
	shows '(good|note|bad) +copy on the device' tested 'its self-test'
	keys Escape q
	shows '^shell> ?$' ended 'the terminal is as before'
	t kill-server
done
cp "$XDG_DATA_HOME"/wavedeck/sessions/*.wbs "$SCREENS"
equal 'sessions that were recorded' 3 "$(find "$XDG_DATA_HOME/wavedeck/sessions" -name '*.wbs' | wc -l)"
finish
