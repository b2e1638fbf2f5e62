#!/usr/bin/env bash
# The workbench opens where it was left, in a terminal: experiment, view, parameters and pinned curves; an argument goes
# first, a setting turns it off, a damaged file is a note. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
command -v tmux >/dev/null || { result 1 'tmux is installed'; finish; }
wavedeck=$BUILD/wavedeck servers=0
t() { tmux -L "left$$-$servers" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
unset NO_COLOR TMUX
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config SHELL=/bin/sh
skip_tour "$XDG_DATA_HOME"
details() { t capture-pane -p; }
is_shown() { t capture-pane -p | grep -qF -- "$1"; }
shows() { wait_until is_shown "$1"; result $? "$2"; }
start() { # arguments
	t kill-server 2>/dev/null
	servers=$((servers + 1))
	t new-session -d -x 120 -y 36 "$wavedeck --device soft:mi25 --set unsaved=discard $*; echo ended \$?; exec sleep $patience"
}
leave() {
	t send-keys q
	shows 'ended 0' 'the program ends'
}

start lds-latency
shows '7/7 points' 'an experiment is measured'
t send-keys p
shows 'curve pinned as 1' 'its curve is pinned'
t send-keys T
shows 'as measured' 'the table is open'
leave
start
shows 'as measured' 'the next start opens the table'
t send-keys 1
shows 'LDS latency' 'of the same experiment'
shows 'pinned: value' 'with its pinned curve'
leave
start range-latency
shows 'Latency, by range ──' 'an argument goes first'
! is_shown 'as measured'
result $? 'in the workbench'
t kill-server
for again in first second; do # a program that was left in its view
	start /bin/ls
	shows 'It has launched no kernel on the software GPU' "the $again start with a program shows its view"
	leave
done
start --set restore=off
shows 'Latency, by range ──' 'the setting turns it off'
t kill-server
echo '{' >"$XDG_DATA_HOME/wavedeck/workbench.json"
start
shows 'workbench.json is damaged; it is ignored' 'a damaged file is a note'
shows 'Latency, by range ──' 'and the workbench opens as at first'
finish
