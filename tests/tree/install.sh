#!/usr/bin/env bash
# An installed copy, in a place with a blank in its name, has its parts; the README's own example runs from there; uninstall leaves nothing.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
here=$PWD
prefix="$tmp/a place"
make_it() { make -C "$here" --no-print-directory BUILD="$BUILD" MODE="${MODE:-release}" PREFIX="$prefix" "$1" >"$tmp/log" 2>&1; }

make_it install; result $? 'make install into a folder with a blank'
export HOME=$tmp XDG_DATA_HOME='' XDG_CACHE_HOME=''
cd "$tmp" || exit 1
"$prefix/bin/wavedeck" run lds-latency lanes=1 --format csv >"$tmp/log" 2>&1; result $? 'the installed program measures'
grep -q '^1,' "$tmp/log"; result $? 'and prints a row'
awk -v RS='```' '/^cpp\n/ { sub(/^cpp\n/, ""); printf "%s", $0 > "copy.hip" } /^lua\n/ { sub(/^lua\n/, ""); printf "%s", $0 > "copy.lua" }' "$here/README.md"
"$prefix/bin/wavedeck" run ./copy.lua stride=1,2 --format csv >"$tmp/log" 2>&1; result $? "the README's own experiment runs"
[ "$(grep -c '^[12],' "$tmp/log")" = 2 ]; result $? 'with a row for each point'

# --- a damaged library: one line with the fix, status 1 ---
library="$prefix/lib/wavedeck/libsoftgpu.so"
mv "$library" "$tmp/sound.so"
# shellcheck disable=SC2034 # the commands below use it
size=$(stat -c %s "$tmp/sound.so")
echo 'int stranger;' | ${CC:-cc} -shared -fPIC -x c -o "$tmp/stranger.so" -
damaged() { # what it is, words of the line, a command that makes it
	rm -f "$library"
	eval "$3" >"$library"
	for command in run\ lds-latency\ lanes=1 exec\ --\ true devices\ --model\ mi25; do
		# shellcheck disable=SC2086
		"$prefix/bin/wavedeck" $command >"$tmp/out" 2>"$tmp/log" </dev/null
		[ $? -eq 1 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -q "$2" "$tmp/log" && grep -q ': make$' "$tmp/log"
		result $? "libsoftgpu.so $1: ${command%% *} reports it"
	done
}
damaged 'is empty' 'not an ELF file' :
damaged 'is a text' 'not an ELF file' 'echo no library at all, but some words in its place'
damaged 'is cut off early' 'truncated' 'head -c 5000 "$tmp/sound.so"'
damaged 'is cut off half way' 'truncated' 'head -c $((size / 2)) "$tmp/sound.so"'
damaged 'lacks its last bytes' 'truncated' 'head -c $((size - 100)) "$tmp/sound.so"'
damaged 'is another library' 'is not the software GPU' 'cat "$tmp/stranger.so"'
rm -f "$library"
"$prefix/bin/wavedeck" doctor >"$tmp/log" 2>&1 </dev/null
grep -q 'software GPU not found' "$tmp/log"; result $? 'and the doctor misses it where it is not there'
mv "$tmp/sound.so" "$library"

# --- the manual and the completions lie where man and the shells look ---
grep -q '^.TH WAVEDECK' "$prefix/share/man/man1/wavedeck.1" 2>"$tmp/log"; result $? 'the manual is installed'
grep -q '^complete .*wavedeck$' "$prefix/share/bash-completion/completions/wavedeck" 2>"$tmp/log"; result $? 'the completion for bash is installed'
grep -q '^#compdef wavedeck' "$prefix/share/zsh/site-functions/_wavedeck" 2>"$tmp/log"; result $? 'the completion for zsh is installed'
printf 'theme light\ndump\n' | "$prefix/bin/wavedeck" --script - >"$tmp/log" 2>&1; result $? 'the installed program has its themes'

make_it uninstall; result $? 'make uninstall'
[ -z "$(find "$prefix" -type f)" ]; result $? 'leaves no file'
finish
