#!/usr/bin/env bash
# The manual and the shells' completions, made of the program's tables: man reads them without a warning, bash completes with them, and every option that is
# offered is one. Then the person's files: what is wrong in them is told, and the rest works.
set -u
: "${BUILD:=build}"
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_CONFIG_HOME=$tmp/config XDG_DATA_HOME=$tmp/data LC_ALL=C.UTF-8
mkdir -p "$tmp/config/wavedeck" "$tmp/bin"
ln -s "$BUILD/wavedeck" "$tmp/bin/wavedeck"
wavedeck=$BUILD/wavedeck
n=0 status=0
result() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; head -n 20 "$tmp/log" 2>/dev/null | sed 's/^/# /'; fi; }

# --- manual ---
"$wavedeck" help --man >"$tmp/wavedeck.1" 2>"$tmp/log"; result $? 'help --man'
groff -ww -man -Tutf8 "$tmp/wavedeck.1" >"$tmp/page" 2>"$tmp/log" && [ ! -s "$tmp/log" ]; result $? 'groff formats it without a warning'
if command -v man >/dev/null; then
	MANWIDTH=80 man --warnings -l "$tmp/wavedeck.1" >/dev/null 2>"$tmp/log" && [ ! -s "$tmp/log" ]; result $? 'man formats it without a warning'
fi
sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(ga/`/g; s/\\(ti/~/g; s/\\(ha/^/g; s/\\e/\\/g' "$tmp/wavedeck.1" >"$tmp/flat"
topics=$("$wavedeck" help | awk '/help TOPIC:$/ { on = 1; next } on { print $1 }')
[ "$(echo "$topics" | wc -w)" -ge 8 ]; result $? 'help lists topics'
for topic in $topics; do
	"$wavedeck" help "$topic" >"$tmp/log" 2>&1 && [ -s "$tmp/log" ]; result $? "help $topic"
	# Each thing that is told there stands in the manual, too; two columns begin a row, three an entry.
	: >"$tmp/missing"
	awk '/^  [^ ]/ { print $1 }' "$tmp/log" | while read -r word; do grep -qF -- "$word" "$tmp/flat" || echo "$word" >>"$tmp/missing"; done
	if [ "$topic" != themes ]; then [ ! -s "$tmp/missing" ]; result $? "the manual contains all of it"; fi
done

# --- completion ---
words() { "$wavedeck" completion words "$@" 2>"$tmp/log" | tr '\n' ' '; }
is() { [ "$2" = "$3" ]; local r=$?; [ $r = 0 ] || echo "got '$2' and not '$3'" >"$tmp/log"; result $r "$1"; }
is 'a command' "$(words exp)" 'export '
is 'an experiment opens the workbench' "$(words range-l)" 'range-latency '
is 'an experiment after run' "$(words run range-l)" 'range-latency '
is 'its parameters' "$(words run range-latency rang)" 'rangesize= '
is 'its choices' "$(words run range-latency variant=)" 'variant=published variant=compiled '
is 'its presets' "$(words run range-latency @sm)" '@small '
is 'options' "$(words run range-latency --for)" '--format '
is 'the values of an option' "$(words run --format js)" 'json '
is 'models as devices' "$(words run --device soft:mi2)" 'soft:mi25 '
is 'models' "$(words exec --model mi2)" 'mi25 '
is 'settings' "$(words run --set mou)" 'mouse= '
is 'their values' "$(words --set mouse=)" 'mouse=on mouse=off '
is 'themes' "$(words --set theme=l)" 'theme=light '
is 'topics after help' "$(words help conf)" 'config '
is 'nothing where a file name is expected' "$(words open share/)" ''
is 'nothing after an option that takes a file' "$(words run range-latency --timeline rang)" ''
for shell in bash zsh; do "$wavedeck" completion $shell >"$tmp/$shell" 2>"$tmp/log"; result $? "completion $shell"; done
"$wavedeck" completion fish >"$tmp/log" 2>&1; [ $? = 2 ]; result $? 'other shells are rejected'
bash -n "$tmp/bash" 2>"$tmp/log"; result $? 'bash reads it'
if command -v zsh >/dev/null; then zsh -n "$tmp/zsh" 2>"$tmp/log"; result $? 'zsh reads it'; fi
cat >"$tmp/drive" <<'END'
PATH=$1/bin:$PATH
source "$1/bash"
COMP_LINE=$2 COMP_POINT=${#2} COMPREPLY=()
_wavedeck 2>/dev/null
printf '%s ' "${COMPREPLY[@]}"
END
is 'in bash: a command' "$(bash "$tmp/drive" "$tmp" 'wavedeck val')" 'validate '
is 'in bash: after an =, where bash splits words' "$(bash "$tmp/drive" "$tmp" 'wavedeck run range-latency variant=')" 'published compiled '
is 'in bash: after a :' "$(bash "$tmp/drive" "$tmp" 'wavedeck run --device soft:mi2')" 'mi25 '
is 'in bash: a new word' "$(bash "$tmp/drive" "$tmp" 'wavedeck completion ')" 'bash zsh '
for command in $("$wavedeck" completion words '' | while read -r w; do "$wavedeck" help "$w" >/dev/null 2>&1 && echo "$w"; done); do
	case $command in worker | help | completion | commands | keys | config | bindings | themes | scripts | files | environment | status) continue ;; esac
	for option in $(words "$command" --); do
		timeout 20 "$wavedeck" "$command" "$option" mi25 >"$tmp/out" 2>"$tmp/log" </dev/null
		! grep -q 'unknown option' "$tmp/log"; result $? "$command takes $option"
	done
done

# --- the person's files ---
printf 'canvas = dots\nlog-y = on\nexperiment = lds-latency\n' >"$tmp/config/wavedeck/config"
printf 'Ctrl-R = rnu\nF5 = zoom\n' >"$tmp/config/wavedeck/keys"
"$wavedeck" list >"$tmp/out" 2>"$tmp/log"; [ $? = 0 ] && grep -q "config:1: canvas must be braille|blocks|ascii, not 'dots'" "$tmp/log" && [ "$(wc -l <"$tmp/log")" = 1 ]
result $? 'a mistake in the settings is reported, and the command runs'
"$wavedeck" doctor >"$tmp/log" 2>&1; grep -q '^warning  configuration .*config:1:' "$tmp/log" && grep -q '^warning  configuration .*keys:1:.*did you mean .*run' "$tmp/log"
result $? 'the doctor reports the mistakes'
printf 'wait device\nexpect unread\nkey F5\nexpect x: rangesize\naction log\nexpect keys:1:\nexpect config:1:\naction log\n' | "$wavedeck" --script - >"$tmp/log" 2>&1
result $? 'the log view shows the mistakes, and other keys work'
"$wavedeck" --set mouse=sometimes list >"$tmp/out" 2>"$tmp/log"; [ $? = 2 ] && grep -q 'mouse must be on|off' "$tmp/log"; result $? '--set is checked'
"$wavedeck" list --set canvas=ascii >"$tmp/log" 2>&1; result $? '--set may stand anywhere'
printf 'F5 = zoom\n' >"$tmp/config/wavedeck/keys"
printf 'action set frames=60\naction theme light\naction save-settings\nexpect settings written to\n' | "$wavedeck" --script - >"$tmp/log" 2>&1; result $? 'save-settings'
printf 'canvas = dots\nlog-y = on\nexperiment = lds-latency\n' | cmp -s - "$tmp/config/wavedeck/config"; [ $? = 1 ] && grep -q '^frames = 60' "$tmp/config/wavedeck/config" &&
	grep -q '^theme = light' "$tmp/config/wavedeck/config" && grep -q '^log-y = on' "$tmp/config/wavedeck/config"; result $? 'save-settings keeps the other lines'
echo "1..$n"
exit $status
