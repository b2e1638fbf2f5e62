#!/usr/bin/env bash
# Checks the facts of the quick lessons on the software GPU (tests/long/lessons.sh checks all), and that they can fail;
# handouts; a lesson answered with keys, and the results as text, CSV and JSON. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
details() { head -n 10 "$1"; }
check_facts() { # arguments of lesson --check
	timeout $patience "$wavedeck" lesson --check "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}

for page in launch divergence lds races bounds; do
	check_facts "$page"
	status=$?
	grep -v '^  true' "$tmp/out" >"$tmp/say"
	[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && [ "$(grep -c '^  true' "$tmp/out")" -ge 5 ] &&
		! grep -q '^  FALSE' "$tmp/out"
	result $? "$page: $(tail -n 1 "$tmp/out")" "$tmp/say"
done

# On a machine with other constants the facts do not hold.
check_facts lds --device soft:mi25,lds_latency=145
[ $? -eq 1 ] && grep -q '^  FALSE step 2: latency at stride=1 85..85.7 cycles   185.* cycles$' "$tmp/out" &&
	grep -q '^  FALSE isa lds-bank-conflict --profile: says "LDS 49.00"$' "$tmp/out" &&
	! grep '^  true' "$tmp/out" | grep -qv 'the ticked choice is'
result $? 'with 100 cycles more LDS latency, no fact of the page holds' "$tmp/out"

# The lesson of the manual, as a file: its ticked choice is compared with the curve.
sed -n '/^    # The title/,/^    isa /s/^    //p' share/lessons/README.md >"$tmp/mine.md"
echo '```' >>"$tmp/mine.md"
check_facts "$tmp/mine.md"
[ $? -eq 0 ] && grep -q '^  true  step 1: the ticked choice is the highest: 115.* cycles at 16$' "$tmp/out"
result $? 'the lesson of the manual is right' "$tmp/out"
sed -i 's/At which of these \[strides\]/At which [stride]/' "$tmp/mine.md"
line=$(grep -n '\[x\] 16' "$tmp/mine.md" | cut -d: -f1)
check_facts "$tmp/mine.md"
[ $? -eq 1 ] && grep -q "^  FALSE mine.md:$line: the ticked choice '16' has 115.* cycles; at 32 words it is 147.* cycles;" "$tmp/out"
result $? 'a ticked choice that the curve does not show is refused, with its line' "$tmp/out"
mkdir -p "$XDG_DATA_HOME/wavedeck/lessons"
cp "$tmp/mine.md" "$XDG_DATA_HOME/wavedeck/lessons"
check_facts mine
[ $? -eq 1 ] && grep -q "^  FALSE mine.md:$line: " "$tmp/out"
result $? 'an own lesson is checked by its name, too' "$tmp/out"
rm -r "$XDG_DATA_HOME/wavedeck/lessons"

refuses() { # words of the error, arguments
	local words=$1
	shift
	check_facts "$@"
	[ $? -eq 2 ] && ! grep -q hold "$tmp/out" && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$words" "$tmp/err"
	result $? "rejected: lesson --check $*" "$tmp/err"
}
refuses "did you mean 'lds'" ldss
refuses 'cannot read the lesson' "$tmp/missing.md"
refuses 'unknown model' lds --device soft:mi26

# A page is shown without comments.
"$wavedeck" lesson lds >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 0 ] && grep -q 'One half takes 63 cycles' "$tmp/out" && ! grep -q -- 'expect\|<!--\|-->' "$tmp/out"
result $? 'a page is shown without its facts' "$tmp/out"
grep -q '^Answer: [a-d]) 16$' "$tmp/out" && grep -q '^Not [a-d]: 31 is odd' "$tmp/out"
result $? 'with the answer of each step, and why the other choices are wrong' "$tmp/out"
"$wavedeck" lesson lds 3 --format csv >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 2 ] && grep -q -- '--format needs --progress or --sources' "$tmp/err"
result $? '--format needs --progress' "$tmp/err"
"$wavedeck" lesson gpu 2 >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 0 ] && grep -q '^wavedeck run range-latency' "$tmp/err" && grep -q '665' "$tmp/out"
result $? 'a step is run by its number' "$tmp/out"

# --- handouts: for students without anything of the answers, for the lecturer with all of them ---
handout() { # name, file, options
	"$wavedeck" lesson "$1" --handout "$tmp/$2" "${@:3}" >"$tmp/out" 2>"$tmp/err" </dev/null
}
handout lds plain.html && handout lds full.html --answers && handout lds plain.txt && handout lds full.txt --answers
result $? 'handouts as HTML and text, with and without answers' "$tmp/err"
mkdir -p "$tmp/own"
hidden=$'\xe2\x80\xae\xe2\x81\xa6\xc2\x9b' # directions, a control character
sed "s/ change with /$hidden<script>\&/; s/^# .*/# A <b>title<\/b> \& more/" share/lessons/lds.md >"$tmp/own/own.md"
handout "$tmp/own/own.md" own.html --answers
result $? 'a handout of a file' "$tmp/err"
python3 - "$tmp" share/lessons/lds.md >"$tmp/log" 2>&1 <<'END'
import html, html.parser, pathlib, re, sys
folder = pathlib.Path(sys.argv[1])
page = {n: (folder / n).read_text() for n in ("plain.html", "full.html", "plain.txt", "full.txt", "own.html")}

class Check(html.parser.HTMLParser):
    void = {"meta", "hr", "br"}
    def __init__(self):
        super().__init__()
        self.open, self.text = [], []
    def handle_starttag(self, tag, attrs):
        if tag not in self.void:
            self.open.append(tag)
        assert not {"src", "href"} & dict(attrs).keys(), attrs # self-contained
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.open)
    def handle_startendtag(self, tag, attrs):
        pass
    def handle_data(self, data):
        self.text.append(data)

text = dict(page)
for name in page:
    if name.endswith(".html"):
        c = Check()
        c.feed(page[name])
        assert not c.open, c.open
        text[name] = " ".join(c.text)
    text[name] = re.sub(r"\s+", " ", text[name])

source = pathlib.Path(sys.argv[2]).read_text()
choices = re.findall(r"(?m)^- \[.\] (.{5,20})", source)
reasons = re.findall(r"(?m)^  > (.{20})", source)
answers = [t.strip()[:30] for t in re.findall(r"### Answer\n\n(.{30})", source)]
assert len(choices) >= 6 and len(reasons) >= 6 and len(answers) >= 3
for kind in ("html", "txt"):
    for c in choices:
        assert c in text[f"plain.{kind}"] and c in text[f"full.{kind}"], (kind, c)
    for t in reasons + answers:
        assert t in text[f"full.{kind}"], (kind, t)
        assert t not in text[f"plain.{kind}"], (kind, t)
steps = source.count("### Answer")
assert page["plain.html"].count("&#9744;") == page["full.html"].count("&#9744;") + steps
assert page["full.html"].count("&#9745;") == steps and "&#9745;" not in page["plain.html"]
assert page["plain.html"].count("<svg ") == steps and "Name: ____" in page["plain.html"]
assert "@media print" in page["plain.html"]
assert "???&lt;script&gt;" in page["own.html"] and "<script" not in page["own.html"], "text of other people"
END
result $? 'the handouts are complete, well-formed and self-contained; those for students have no answers' "$tmp/log"
refuses_handout() { # words of the error, arguments
	"$wavedeck" lesson "${@:2}" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$1" "$tmp/err"
	result $? "rejected: lesson ${*:2}" "$tmp/err"
}
refuses_handout 'must end with .html or .txt' lds --handout "$tmp/lds.pdf"
refuses_handout 'needs the name of one lesson' --handout "$tmp/lds.html"
refuses_handout "did you mean 'lds'" ldss --handout "$tmp/lds.html"
refuses_handout '--answers needs --handout' lds --answers

# --- a lesson with keys: drawn and right, wrong, skipped ---
script() {
	"$wavedeck" --script - >"$tmp/log" 2>&1
}
script <<END
action lessons gpu
expect A CPU core is built
key Right
expect Question 1 of 3
expect choose a to c
key a
expect Enter locks in a
key Enter
wait background $patience
expect rate of multiply-adds, by number of blocks
key Enter
expect Question 2 of 3
key x
wait background $patience
expect The answer is
expect latency of a read, by size of the range
key Esc
expect 2 of 3 done
key Esc
expect Experiments
END
result $? 'a lesson with keys: two answers, Esc to the list and to the workbench' "$tmp/log"
"$wavedeck" lesson --progress gpu >"$tmp/out" 2>&1
[ $? -eq 0 ] && grep -q '^gpu: 2 of 3 answered' "$tmp/out" && grep -qE '^  1  (right|wrong)  How many cores' "$tmp/out" &&
	grep -q '^  2  shown  How far' "$tmp/out" && grep -q '^  3  -      One thread' "$tmp/out"
result $? 'the results as text' "$tmp/out"
"$wavedeck" lesson --progress --format csv >"$tmp/out" 2>&1
python3 - "$tmp/out" >"$tmp/log" 2>&1 <<'END'
import csv, re, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert len(rows) > 60, len(rows)
first, second, third = rows[:3]
assert first["lesson"] == "gpu" and first["step"] == "1" and first["result"] in ("right", "wrong"), first
assert (first["choice"] == first["right_choice"]) == (first["result"] == "right") and first["tries"] == "1", first
assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", first["time"]), first
assert second["result"] == "shown" and second["choice"] == "", second
assert third["result"] == "" and third["tries"] == "0" and third["time"] == "", third
END
result $? 'the results as CSV: a row for each question of the course' "$tmp/log"
"$wavedeck" lesson --progress gpu --format json >"$tmp/out" 2>&1
python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert [x["step"] for x in r] == [1, 2, 3], r' "$tmp/out" \
	>"$tmp/log" 2>&1
result $? 'the results as JSON' "$tmp/log"
"$wavedeck" lesson --progress --format xml >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] && grep -q 'text, csv or json' "$tmp/err"
result $? 'an unknown format is refused' "$tmp/err"

finish
