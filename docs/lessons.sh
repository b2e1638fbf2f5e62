#!/usr/bin/env bash
# Writes docs/lessons.md: on what each answer of the course rests. `make sources` does it; tests/e2e/course/sources.sh fails
# when the file is out of date.
#   docs/lessons.sh [FILE]     BUILD=DIR: the build folder
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
program=$(cd "${BUILD:-build}" && pwd)/wavedeck
to=${1:-$here/docs/lessons.md}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# No lessons of the user's own.
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config
"$program" lesson --sources --format csv >"$tmp/rows.csv"
python3 - "$tmp/rows.csv" >"$tmp/lessons.md" <<'END'
import csv, sys
kinds = {
    "board": "a published measurement of the board that the lesson is about",
    "other": "a published measurement of another board",
    "manual": "a manual, a guide, a header or a compiler",
    "definition": "the program itself, or arithmetic",
    "model": "the software GPU alone; nothing was published, and a board can differ",
}
answers = {}
for row in csv.DictReader(open(sys.argv[1], newline="")):
    answers.setdefault((row["lesson"], row["step"]), set()).add(row["kind"])
unmeasured = sum(not k & {"board", "other"} for k in answers.values())
print("# On what the answers of the lessons rest\n")
print(f"The course has {len(answers)} questions. Each answer says on what it rests: in the workbench with `s`, after the answer;")
print("`wavedeck lesson --sources` prints them. Where the published figure of a board and that of the software GPU differ, both")
print("are named. [share/lessons/README.md](../share/lessons/README.md) has the titles of the documents, and")
print("[accuracy.md](accuracy.md) says how good the software GPU is. `make sources` writes this page.\n")
print("| kind | what it is | answers that rest on it, some on several |\n|---|---|---|")
for kind, meaning in kinds.items():
    print(f"| {kind} | {meaning} | {sum(kind in k for k in answers.values())} |")
print(f"\n{unmeasured} answers rest on no measurement of a board at all.\n")
END
"$program" lesson --sources --format markdown >>"$tmp/lessons.md"
cp "$tmp/lessons.md" "$to"
