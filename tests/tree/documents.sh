#!/usr/bin/env bash
# The documents: links and pictures exist, the README is short and has pictures, the architecture page names the rooms,
# the README's commands are commands of the program. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
documents='README.md CONTRIBUTING.md CHANGELOG.md docs/*.md tests/README.md share/lessons/README.md'
# shellcheck disable=SC2086 # a list of patterns
check 'every link of a document leads to a file' "$(for document in $documents; do
	[ -f "$document" ] || { echo "$document is missing"; continue; }
	grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -vE '^[a-z]+:' | while read -r target; do
		[ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
	done
done)"
lines=$(wc -l <README.md)
check "the README has about 90 lines ($lines)" "$([ "$lines" -le 125 ] || echo "$lines lines")"
check 'the README shows at least four pictures' "$([ "$(grep -c '^!\[.*\](docs/pictures/.*\.svg)' README.md)" -ge 4 ] || echo 'fewer')"
check 'the architecture page names every room' "$(for room in base softgpu/*/ kernels gpu plot sessions experiments cli tui share tests; do
	[ ! -d "$room" ] || grep -qF "\`${room%/}/\`" docs/architecture.md || echo "$room"
done)"
check "the README's commands are commands of the program" "$(sed -n 's/^\(build\/\)\{0,1\}wavedeck \([a-z]*\) .*/\2/p' README.md | sort -u | while read -r command; do
	"$BUILD/wavedeck" help "$command" >/dev/null 2>&1 || echo "$command"
done)"
"$BUILD/wavedeck" validate >"$tmp/validate" 2>/dev/null
check "docs/accuracy.md quotes the summary that 'validate' prints" \
	"$(sed -n '/^```$/,/^```$/p' docs/accuracy.md | grep -v '^```' | grep -vxFf "$tmp/validate")"
for model in mi25 rx7900xtx; do
	"$BUILD/wavedeck" devices --model $model
done >"$tmp/constants" 2>/dev/null
check 'docs/accuracy.md lists every constant that was fitted' \
	"$(grep -B1 'fitted to' "$tmp/constants" | sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p' | while read -r constant; do
		grep -qF "\`$constant\`" docs/accuracy.md || echo "$constant"
	done)"
finish
