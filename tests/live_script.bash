# A program that reads its --script from a pipe, so that a test can act between two lines and wait for what the screen
# shows. Sourced after tap.bash.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tmp and patience are those of tap.bash
start_script() { # options
	mkfifo "$tmp/lines"
	"$BUILD/wavedeck" --script - "$@" <"$tmp/lines" >"$tmp/log" 2>&1 &
	program=$!
	exec 3>"$tmp/lines"
}
say() { printf '%s\n' "$@" >&3; } # lines

# Returns when the lines before it are done.
sync() { # name: the screen, as text
	rm -f "$tmp/$1" "$tmp/$1.part"
	say "dump $tmp/$1.part" "dump $tmp/$1"
	local deadline=$((SECONDS + patience))
	until [ -s "$tmp/$1" ]; do
		{ kill -0 "$program" 2>/dev/null && [ $SECONDS -lt $deadline ]; } || return 1
		sleep 0.1
	done
}

# Waits until the screen shows a text. The program works only while a line waits.
sync_until() { # name, pattern
	local deadline=$((SECONDS + patience))
	until say 'wait 200' && sync "$1" && grep -qE "$2" "$tmp/$1"; do
		{ kill -0 "$program" 2>/dev/null && [ $SECONDS -lt $deadline ]; } || return 1
	done
}

# Ends the script and waits for the program; returns its status.
end_script() {
	exec 3>&-
	wait "$program"
	local status=$?
	rm -f "$tmp/lines"
	return $status
}
