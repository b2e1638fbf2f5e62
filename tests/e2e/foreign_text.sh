#!/usr/bin/env bash
# Text that other people wrote cannot control the terminal or begin a line: recorded sessions in every command and
# format, kernel names, settings, keys, definitions, file names, worker lines. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config
run() { timeout $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }

# Sets the terminal's title, returns to the line's start, begins a CSI (C1), reverses text, separates lines, hides.
json='\u001b]0;PWN\u0007\r\u007f\u009b31m\u202e\u2066\u2028\u200b\ufeff\nFORGED\tx'
bytes=$(printf '\033]0;PWN\a\r\177\302\23331m\342\200\256\342\201\246\342\200\250\342\200\213\357\273\277\200FORGED')
unprintable='\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf' # beyond ASCII
unsafe="[\x00-\x08\x0b-\x1f\x7f]|$unprintable|^FORGED"
is_clean() { ! LC_ALL=C grep -aqP "$unsafe" "$@"; }
is_clean <(printf 'plain \302\265s\n') && ! is_clean <(printf '%s\n' "$bytes") && ! is_clean <(printf 'a\nFORGED\n') &&
	! is_clean <(printf '\302\233')
result $? 'this test finds control characters'
details() { LC_ALL=C grep -aP "$unsafe" "$tmp/out" "$tmp/err" | cut -c 1-300 | head -n 5 | cat -v; }
safe() { # what, pattern that the output has, arguments
	local what=$1 pattern=$2
	shift 2
	run "$@"
	is_clean "$tmp/out" "$tmp/err" && cat "$tmp/out" "$tmp/err" | grep -qe "$pattern"
	result $? "$what"
}

# --- sessions: in every value, in every name ---
run run lds-bank-conflict stride=1..4 --record "$tmp/a.wbs"
result $? 'a session is recorded'
escaped=${json//\\/\\\\}
# Texts that the program needs in order to accept the session stay.
plant_values() { # names of these texts, file
	sed -E -e "s/\"($1)\":\"([^\"]*)\"/\"\\1\":\"\\2@\"/g" \
		-e "s/\"([a-z_]+)\":\"([^\"@]*)\"/\"\\1\":\"\\2$escaped\"/g" -e 's/@"/"/g' "$2"
}
needed='type|status|verify|contract|experiment|hash|device'
plant_values "$needed|param|variant|file|arch|name|compiler|libraries|software_gpu" "$tmp/a.wbs" >"$tmp/resumable.wbs"
plant_values "$needed" "$tmp/a.wbs" | sed -E '3s/"status":"ok"/"status":"failed","error":"'"$escaped"'"/
	4s/"verify":"ok"/"verify":"failed","verify_text":"'"$escaped"'"/' >"$tmp/values.wbs"
sed -E "s/\"(stride|lanes|variant|latency|bandwidth|cycles|hip|sclk_khz)\"/\"\\1$escaped\"/g" \
	"$tmp/a.wbs" >"$tmp/names.wbs"
for file in values names; do
	session=$tmp/$file.wbs
	safe "$file: the table" PWN open "$session"
	safe "$file: the plot" . open "$session" --format plot
	for format in csv json gnuplot svg html; do
		safe "$file: exported as $format" PWN export "$session" --format $format
		run export "$session" -o "$tmp/x" --format $format && is_clean "$tmp/x" "$tmp/err" && grep -q PWN "$tmp/x"
		result $? "$file: exported as $format into a file"
	done
	run export "$session" --format json && grep -qiF "$json" "$tmp/out"
	result $? "$file: the JSON has the exact text, escaped"
	for format in table csv json; do
		safe "$file: compared as $format" PWN compare "$session" "$tmp/a.wbs" --format $format
	done
	head -n 3 "$session" >"$tmp/resumed.wbs"
	safe "$file: resumed or refused" . run --resume "$tmp/resumed.wbs"
done
for format in table csv json; do
	head -n 3 "$tmp/resumable.wbs" >"$tmp/resumed.wbs"
	safe "resumed, $format" PWN run --resume "$tmp/resumed.wbs" --format $format
	[ "$(grep -c '"point"' "$tmp/resumed.wbs")" -eq 4 ]
	result $? "the session has all points, $format"
done
sed '1s/"experiment":"[^"]*"/"experiment":"'"$escaped"'"/' "$tmp/a.wbs" >"$tmp/id.wbs"
sed '1s/"device":"[^"]*"/"device":"'"$escaped"'"/' "$tmp/a.wbs" >"$tmp/device.wbs"
safe 'the name of a device' 'PWN' compare "$tmp/device.wbs" "$tmp/a.wbs"
safe 'the name of a device, resumed' 'PWN' run --resume "$tmp/device.wbs"
safe 'the name of an experiment in an error' 'PWN' compare "$tmp/id.wbs" "$tmp/a.wbs"
safe 'the name of an experiment, resumed' 'PWN' run --resume "$tmp/id.wbs"
cp "$tmp/a.wbs" "$tmp/$bytes.wbs"
safe 'the name of a file' 'FORGED' compare "$tmp/$bytes.wbs" "$tmp/a.wbs"
safe 'an argument' 'FORGED' show "$bytes"
grep '"point"' "$tmp/names.wbs" >"$tmp/headless.wbs"
safe 'a session without a header' 'header' open "$tmp/headless.wbs"

# A character that is not printable is shown as one question mark; others stay.
printf '{"type":"session","schema":1,"title":"caf\\u00e9 \\u03bcs \\u001b[1m"}\n' >"$tmp/title.wbs"
run open "$tmp/title.wbs" && grep -qx 'café μs ?\[1m' "$tmp/out"
result $? 'printable text stays'

# --- the screen ---
# A session with the text in every value and in an error: the plot's view, devices, sessions and the log.
t() { tmux -L "foreign$$" -f /dev/null "$@"; }
# The screen has a line with the label, and the text after it.
shows_foreign() { t capture-pane -p | grep -F -- "$1" | grep -qF '?]0;PWN'; } # label
if command -v tmux >/dev/null; then
	trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
	unset TMUX
	sed '3s/"status":"ok"/"status":"failed","error":"'"$escaped"'"/' "$tmp/resumable.wbs" >"$tmp/screen.wbs"
	mkdir -p "$tmp/data/wavedeck/sessions"
	cp "$tmp/screen.wbs" "$tmp/data/wavedeck/sessions/"
	mkfifo "$tmp/start" # so that no output is missed
	t new-session -d -x 160 -y 45 "read -r _ <$tmp/start; exec $wavedeck open $tmp/screen.wbs"
	title=$(t display -p '#{pane_title}')
	t pipe-pane "cat >$tmp/screen" # a file of its own, because cat may write after the server's end
	echo >"$tmp/start"
	views=0
	for view in ':× ' 'D:hip  ' 'S:by  ' 'm:error  '; do # key, label
		[ -z "${view%%:*}" ] || t send-keys "${view%%:*}"
		wait_until shows_foreign "${view#*:}" && views=$((views + 1))
		[ "$view" != 'S:by  ' ] || t send-keys Escape
	done
	equal 'the screen shows the text in four views' 4 $views
	equal 'the title of the terminal stays' "$title" "$(t display -p '#{pane_title}')"
	# The program's own escape sequences contain none of these.
	wait_until grep -aqF '?]0;PWN' "$tmp/screen" && ! LC_ALL=C grep -aqP "\x1b\]0;PWN|$unprintable" "$tmp/screen"
	result $? 'no control character reaches the terminal'
	t kill-server
else
	skip 'the screen shows the text' 'tmux is not installed'
fi

# --- kernel names ---
name=$(printf '\033]0;PWN\a\177\302\233')
LC_ALL=C sed "s/chase_range/$name/g" "$BUILD/kernels/gfx900/chase_published.co" >"$tmp/evil.co"
safe 'a kernel name' 'gfx900 .*PWN' isa "$tmp/evil.co"
LC_ALL=C sed "s/chase_range/chase\\nFORGE/g" "$BUILD/kernels/gfx900/chase_published.co" >"$tmp/evil.co"
run isa "$tmp/evil.co" && grep -q 'chase FORGE' "$tmp/out"
result $? 'a kernel name is one line'

# --- settings, keys, themes, definitions, lessons ---
mkdir -p "$tmp/config/wavedeck/themes" "$tmp/data/wavedeck/lessons"
printf '%s = 1\ntheme = %s\ndevice = %s\ncanvas = %s\n' "$bytes" "$bytes" "$bytes" "$bytes" >"$tmp/config/wavedeck/config"
printf '%s = quit\nq = %s\n' "$bytes" "$bytes" >"$tmp/config/wavedeck/keys"
safe 'mistakes in the settings' 'unknown setting.*PWN' list
safe 'mistakes in the settings and keys, by the doctor' 'keys:1.*PWN' doctor
rm -r "$tmp/config"
printf '%s\n' "$bytes" >"$tmp/data/wavedeck/lessons/own.md"
safe 'a lesson' . lesson
lua='\27]0;PWN\7\13\127\194\15531m\226\128\174\226\129\166\226\128\168\226\128\139\200\10FORGED'
printf 'error("%s")\n' "$lua" >"$tmp/error.lua"
safe "a definition's error" 'PWN' run "$tmp/error.lua"
printf 'return { title = "%s" }\n' "$lua" >"$tmp/title.lua"
safe "a definition's text" 'title.lua' show "$tmp/title.lua"
printf 'return { ["%s"] = 1 }\n' "$lua" >"$tmp/field.lua"
safe "a definition's field" 'PWN' show "$tmp/field.lua"
cp "$tmp/error.lua" "$tmp/$bytes.lua"
safe "a definition's name" 'FORGED' run "$tmp/$bytes.lua"

# --- a worker ---
cat >"$tmp/worker" <<WORKER
#!/usr/bin/env bash
printf '%s\n' '{"type":"hello","protocol":1,"program":"$json","pid":'\$\$'}' \\
	'{"type":"log","level":"warning","text":"$json"}' '$json not a record'
printf '%s\n' "$bytes" >&2
[ -z "\${FATAL:-}" ] || {
	printf '%s\n' '{"type":"fatal","text":"$json","status":1}'
	exit 1
}
printf '%s\n' '{"type":"device","device":"soft:mi25","name":"$json","arch":"gfx900","kind":"soft","deterministic":true,"properties":{"$json":"$json"},"versions":{"hip":"$json"},"constants":{"$json":1}}'
while read -r line; do
	case \$line in
	*'"quit"'*) exit 0 ;;
	*'"type":"job"'*)
		job=\$(sed 's/.*"job":\([0-9]*\).*/\1/' <<<"\$line") point=\$(sed 's/.*"point":\([0-9]*\).*/\1/' <<<"\$line")
		printf '{"type":"point","job":%s,"point":%s,"status":"failed","error":"%s"}\n' "\$job" "\$point" '$json'
		printf '%s\n' "$bytes" >&2
		;;
	esac
done
WORKER
chmod +x "$tmp/worker"
export WAVEDECK_WORKER=$tmp/worker
for format in table csv json plot; do
	safe "a worker's text, $format" PWN run lds-bank-conflict stride=1..2 --format $format
done
FATAL=1 safe 'the reason why a worker ends' PWN run lds-bank-conflict
finish
