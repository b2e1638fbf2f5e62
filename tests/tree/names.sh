#!/usr/bin/env bash
# Names and words: functions named once, files named once, folders small, lines short, plain English. TAP, with figures.
#   tests/tree/names.sh          the checks
#   tests/tree/names.sh --list   also each function name that two or more files define, and each one-word name
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
product='base softgpu kernels gpu plot sessions experiments captures checks cli tui'
product_files() { # endings
	for room in $product; do for ending in "$@"; do tree_files "$room/*.$ending"; done; done
	case " $* " in *' c '*) tree_files wavedeck.c ;; esac
}

# --- functions: a definition begins in the first column, and its brace stands alone below it (clang-format) ---
definitions=$(product_files c h | tr '\n' '\0' | xargs -0 awk '
	FNR == 1 { head = ""; macro = comment = 0 }
	macro || /^#/ { macro = /\\$/; head = ""; next }
	comment || /^\/\*/ { comment = !/\*\//; head = ""; next }
	/^\{/ {
		gsub(/__attribute__ *\(\(([^()]|\([^()]*\))*\)\)/, "", head)
		if (head !~ /=/ && match(head, /[A-Za-z_][A-Za-z0-9_]*\(/))
			print substr(head, RSTART, RLENGTH - 1), FILENAME, head ~ /^static / ? "static" : "global"
		head = ""; next
	}
	/^}/ || /;[ \t]*(\/\*.*)?$/ || /^$/ { head = ""; next }
	/^[A-Za-z_]/ { head = $0; next }
	/^[ \t]/ && head != "" { head = head " " $0 }')
# Names that several files define because they implement one interface: several programs have a main.
interfaces='main'
report=$(printf '%s\n' "$definitions" | awk -v interfaces="$interfaces" -v list="${1:-}" '
	BEGIN { split(interfaces, word, " "); for (i in word) implements[word[i]] = 1 }
	{ count++; files[$1] = files[$1] " " $2; times[$1]++; if (!(($1, $2) in seen)) { seen[$1, $2]; distinct[$1]++ } }
	$1 !~ /_/ && !implements[$1] { single++; if ($3 == "global") print "global-word " $1 " in " $2 }
	END {
		for (name in times) {
			if (distinct[name] > 1 && implements[name]) { shared += times[name]; continue }
			if (distinct[name] > 1) repeated += times[name]
			if (list && distinct[name] > 1) print "repeated " name ":" files[name]
			if (list && name !~ /_/ && !implements[name]) print "one-word " name ":" files[name]
		}
		printf "figures %d %d %d %d\n", count, repeated, single, shared
	}' | sort)
read -r _ count repeated single shared <<<"$(printf '%s\n' "$report" | grep '^figures')"
permille() { echo $((1000 * $1 / $2)); }
percent() { awk "BEGIN { printf \"%.1f\", 100 * $1 / $2 }"; }
echo "# $count functions; $repeated ($(percent "$repeated" "$count") %) have a name that two or more files define (at most 4 %)"
echo "# interface implementations, not counted: $shared ($interfaces)"
echo "# $single functions ($(percent "$single" "$count") %) have a one-word name (at most 5 %)"
[ -z "${1:-}" ] || printf '%s\n' "$report" | grep -E '^(repeated|one-word)' | sed 's/^/# /'
check 'functions were found' "$([ "$count" -ge 3000 ] || echo "only $count")"
check 'at most 4 % of the functions have a name that two or more files define' \
	"$([ "$(permille "$repeated" "$count")" -le 40 ] || echo "$repeated of $count; names.sh --list shows them")"
check 'at most 5 % of the functions have a one-word name' \
	"$([ "$(permille "$single" "$count")" -le 50 ] || echo "$single of $count; names.sh --list shows them")"
# The C library, HSA and HIP calls that softgpu interposes have the names of the originals.
check 'no global function has a one-word name, interposed calls aside' \
	"$(printf '%s\n' "$report" | sed -n 's/^global-word //p' | grep -v ' in softgpu/driver/interpose/\| in softgpu/driver/check/hooks/\|^x[a-z]*alloc in base/\|^x[a-z]* in base/')"

# --- files ---
# HIP's headers for compilers of CUDA have HIP's names.
check 'every product file has a base name of its own' \
	"$(product_files c h def | grep -v '^kernels/on_cuda/' | sed 's|.*/||' | sort | uniq -d)"
# Folders with more than 30 files, each with the reason: sets that are open-ended and flat by nature.
large='kernels                one file for each kernel
sessions/published      one file for each published table
tests/golden/.*         one file for each state, size and glyph set of a screen
tests/softgpu/core      one file for each mechanism of the core, and the kernels it runs'
folders=$(tree_files '*' | grep / | sed 's|/[^/]*$||' | sort | uniq -c | sort -rn)
echo "# largest folder: $(printf '%s\n' "$folders" | awk -v large="$large" '
	BEGIN { k = split(large, line, "\n"); for (i = 1; i <= k; i++) { split(line[i], word, " "); skip[i] = word[1] } }
	{ for (i = 1; i <= k; i++) if ($2 ~ "^" skip[i] "$") next; print $2 " with " $1 " files"; exit }')"
check 'no folder has more than 30 files without a reason' "$(printf '%s\n' "$folders" | awk '$1 > 30 { print $2, $1 }' | while read -r folder size; do
	printf '%s\n' "$large" | awk -v folder="$folder" '{ if (folder ~ "^" $1 "$") found = 1 } END { exit !found }' || echo "$folder has $size files"
done)"

# --- lines: a tab counts as 8 columns ---
long=$({ tree_files '*.c' '*.h' '*.def' '*.inc' '*.cpp' '*.sh' '*.bash' Makefile; } | tr '\n' '\0' | xargs -0 awk '
	{ total++; s = $0; while ((at = index(s, "\t"))) s = substr(s, 1, at - 1) sprintf("%*s", 8 - (at - 1) % 8, "") substr(s, at + 1)
	  if (length(s) > 120) { over++; by[FILENAME]++ } }
	END { print total, over + 0; for (f in by) print by[f], f }')
read -r total over <<<"$(printf '%s\n' "$long" | head -n 1)"
echo "# $over of $total lines ($(awk "BEGIN { printf \"%.2f\", 100 * $over / $total }") %) are longer than 120 columns (under 0.5 %)"
check 'under 0.5 % of the lines are longer than 120 columns' \
	"$([ "$((1000 * over / total))" -lt 5 ] || printf '%s\n' "$long" | tail -n +2 | sort -rn | head -n 20)"

# --- words: what plain English does not say (tests/tree/words.txt: an extended regular expression a line) ---
words=tests/tree/words.txt
pattern=$(grep -vE '^(#|$)' $words | cut -f1 | paste -sd'|')
text=$(tree_files '*.c' '*.h' '*.def' '*.inc' '*.lua' '*.md' '*.hip' '*.s' '*.cpp' '*.sh' '*.bash' '*.awk' '*.theme' '*.css' '*.js' Makefile |
	grep -vE '^tests/tree/(names\.sh|words\.txt)$')
check 'messages, documents and comments use plain words (tests/tree/words.txt)' \
	"$(printf '%s\n' "$text" | tr '\n' '\0' | xargs -0 grep -nHiE "$pattern" | cut -c1-160)"
# In message strings, further forms: 'there is no X', 'X is no Y'.
check "messages say 'not found' and 'not a', not 'there is no' and 'is no'" \
	"$(product_files c h def lua | tr '\n' '\0' | xargs -0 grep -nHE '"[^"]*\b([Tt]here (is|are) no|(is|are) no [a-z]+)\b[^"]*"' | cut -c1-160)"
finish
