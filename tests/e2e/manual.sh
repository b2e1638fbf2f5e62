#!/usr/bin/env bash
# The manual and the shell completions, which are generated from the program's tables: man reads them without a
# warning, bash completes with them, and every command takes its options. Also the user's configuration files: mistakes
# are reported, and the rest works. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
export XDG_CONFIG_HOME=$tmp/config XDG_DATA_HOME=$tmp/data
mkdir -p "$tmp/config/wavedeck" "$tmp/bin"
ln -s "$BUILD/wavedeck" "$tmp/bin/wavedeck"
wavedeck=$BUILD/wavedeck

# --- manual ---
"$wavedeck" help --man >"$tmp/wavedeck.1" 2>"$tmp/log"; result $? 'help --man'
groff -ww -man -Tutf8 "$tmp/wavedeck.1" >"$tmp/page" 2>"$tmp/log" && [ ! -s "$tmp/log" ]
result $? 'groff formats it without a warning'
if command -v man >/dev/null; then
	MANWIDTH=80 man --warnings -l "$tmp/wavedeck.1" >/dev/null 2>"$tmp/log" && [ ! -s "$tmp/log" ]
	result $? 'man formats it without a warning'
fi
sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(ga/`/g; s/\\(ti/~/g; s/\\(ha/^/g; s/\\e/\\/g' "$tmp/wavedeck.1" >"$tmp/flat"
topics=$("$wavedeck" help | awk '/help TOPIC:$/ { on = 1; next } on { print $1 }')
[ "$(echo "$topics" | wc -w)" -ge 8 ]; result $? 'help lists topics'
for topic in $topics; do
	"$wavedeck" help "$topic" >"$tmp/log" 2>&1 && [ -s "$tmp/log" ]; result $? "help $topic"
	# The manual contains each entry of the topic. A line that begins with two spaces is an entry.
	awk '/^  [^ ]/ { print $1 }' "$tmp/log" | while read -r word; do
		grep -qF -- "$word" "$tmp/flat" || echo "$word"
	done >"$tmp/missing"
	[ "$topic" = themes ] || check "the manual contains all of help $topic" "$(cat "$tmp/missing")"
done

# --- completion ---
words() { "$wavedeck" completion words "$@" 2>"$tmp/log" | tr '\n' ' '; }
equal 'a command' 'export ' "$(words exp)"
equal 'an experiment opens the workbench' 'range-latency ' "$(words range-l)"
equal 'an experiment after run' 'range-latency ' "$(words run range-l)"
equal 'its parameters' 'rangesize= ' "$(words run range-latency rang)"
equal 'its choices' 'variant=published variant=compiled variant=shuffled variant=pointers ' "$(words run range-latency variant=)"
equal 'its presets' '@small ' "$(words run range-latency @sm)"
equal 'options' '--format ' "$(words run range-latency --for)"
equal 'the values of an option' 'json ' "$(words run --format js)"
equal 'workers' 'auto ' "$(words validate --workers '')"
equal 'models as devices' 'soft:mi25 soft:mi210 ' "$(words run --device soft:mi2)"
equal 'models' 'mi25 mi210 ' "$(words exec --model mi2)"
equal 'settings' 'mouse= ' "$(words run --set mou)"
equal 'their values' 'mouse=on mouse=off ' "$(words --set mouse=)"
equal 'themes' 'theme=light ' "$(words --set theme=l)"
equal 'topics after help' 'config ' "$(words help conf)"
equal 'nothing where a file name is expected' '' "$(words open share/)"
equal 'nothing after an option that takes a file' '' "$(words run range-latency --timeline rang)"
for shell in bash zsh; do
	"$wavedeck" completion $shell >"$tmp/$shell" 2>"$tmp/log"
	result $? "completion $shell"
done
"$wavedeck" completion fish >"$tmp/log" 2>&1
[ $? = 2 ]
result $? 'other shells are rejected'
bash -n "$tmp/bash" 2>"$tmp/log"
result $? 'bash reads its completion'
if command -v zsh >/dev/null; then
	zsh -n "$tmp/zsh" 2>"$tmp/log"
	result $? 'zsh reads its completion'
fi
cat >"$tmp/drive" <<'END'
PATH=$1/bin:$PATH
source "$1/bash"
COMP_LINE=$2 COMP_POINT=${#2} COMPREPLY=()
_wavedeck 2>/dev/null
printf '%s ' "${COMPREPLY[@]}"
END
equal 'in bash: a command' 'validate ' "$(bash "$tmp/drive" "$tmp" 'wavedeck val')"
equal 'in bash: after an =, where bash splits words' 'published compiled shuffled pointers ' \
	"$(bash "$tmp/drive" "$tmp" 'wavedeck run range-latency variant=')"
equal 'in bash: after a :' 'mi25 mi210 ' "$(bash "$tmp/drive" "$tmp" 'wavedeck run --device soft:mi2')"
equal 'in bash: a new word' 'bash zsh ' "$(bash "$tmp/drive" "$tmp" 'wavedeck completion ')"
for command in $("$wavedeck" completion words ''); do
	"$wavedeck" help "$command" >/dev/null 2>&1 || continue
	case $command in
	worker | help | completion) continue ;;
	commands | keys | config | bindings | themes | scripts | files | environment | status) continue ;;
	esac
	for option in $(words "$command" --); do
		timeout $patience "$wavedeck" "$command" "$option" mi25 >"$tmp/out" 2>"$tmp/log" </dev/null
		! grep -q 'unknown option' "$tmp/log"
		result $? "$command takes $option"
	done
done

# --- configuration files ---
config=$tmp/config/wavedeck/config
printf 'canvas = dots\nlog-y = on\nexperiment = lds-latency\n' >"$config"
printf 'Ctrl-R = rnu\nF5 = zoom\n' >"$tmp/config/wavedeck/keys"
"$wavedeck" list >"$tmp/out" 2>"$tmp/log"
[ $? = 0 ] && grep -q "config:1: canvas must be auto|braille|blocks|ascii, not 'dots'" "$tmp/log" &&
	[ "$(wc -l <"$tmp/log")" = 1 ]
result $? 'a mistake in the settings is reported, and the command runs'
"$wavedeck" doctor >"$tmp/log" 2>&1
grep -q '^warning  configuration .*config:1:' "$tmp/log" &&
	grep -q '^warning  configuration .*keys:1:.*did you mean .*run' "$tmp/log"
result $? 'the doctor reports the mistakes'
"$wavedeck" --script - >"$tmp/log" 2>&1 <<'END'
size 200x50
wait device
expect unread
key F5
expect x: rangesize
action log
expect keys:1:
expect config:1:
action log
END
result $? 'the log view shows the mistakes, and other keys work'
"$wavedeck" --set mouse=sometimes list >"$tmp/out" 2>"$tmp/log"
[ $? = 2 ] && grep -q 'mouse must be on|off' "$tmp/log"
result $? '--set is checked'
"$wavedeck" list --set canvas=ascii >"$tmp/log" 2>&1; result $? '--set works before and after the command'
printf 'F5 = zoom\n' >"$tmp/config/wavedeck/keys"
cp "$config" "$tmp/before"
printf 'action set frames=60\naction theme light\naction save-settings\nexpect settings written to\n' |
	"$wavedeck" --script - >"$tmp/log" 2>&1
result $? 'save-settings'
! cmp -s "$tmp/before" "$config" && grep -q '^frames = 60' "$config" && grep -q '^theme = light' "$config" &&
	grep -q '^log-y = on' "$config"
result $? 'save-settings keeps the other lines' "$config"
finish
