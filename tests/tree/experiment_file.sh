#!/usr/bin/env bash
# docs/experiment-file.md documents every field that a definition can have, and no others.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
doc=docs/experiment-file.md
# The lists of field names that the readers check tables against, and the readings of metrics
fields=$(awk '/char \*const (known|kernel_keys|point_readings|code_readings)\[\] *=/ { on = 1 } on { print } /};/ { on = 0 }' experiments/definition/lua/*.c |
	grep -o '"[a-z_]*"' | tr -d '"' | sort -u)
check 'the readers have fields' "$([ "$(echo "$fields" | wc -l)" -ge 60 ] || echo "only $(echo "$fields" | wc -l)")"
check 'every field is documented' "$(for f in $fields; do grep -qE "(\`|\.)$f(\`|\[|\.| =)|[{,] $f =" $doc || echo "$f"; done)"
check 'every documented field exists' "$(sed -n 's/^| \(`[^|]*\) |.*/\1/p' $doc | grep -o '`[a-z_.A-Z]*' | tr -d '`' | grep -v NAME | sed 's/.*\.//' | while read -r f; do
	case "$f" in m | "") continue ;; esac
	echo "$fields" | grep -qx "$f" || echo "$f"; done)"
finish
