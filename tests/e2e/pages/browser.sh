#!/usr/bin/env bash
# The pages that wavedeck writes, in a headless Chromium at the size of a phone: the report of a session with heat maps,
# the page on which phones vote, the export of a class session. Nothing sticks out, scripts run without errors, a vote
# is counted. PICTURES=DIR keeps the screenshots. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
# shellcheck source=../../live_script.bash
. tests/live_script.bash
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config LC_ALL=C.UTF-8
details() { head -n 20 "$1"; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
	skip 'pages in a browser' 'chromium or python3 is not installed'
	finish
fi
export pictures=${PICTURES:-$tmp/pictures}
mkdir -p "$pictures"
visit() { # what, lines of Python with the page `b`
	{
		cat tests/e2e/pages/browser.py
		printf 'b = Browser(%s)\n' "'$browser', '$tmp/profile'"
		cat
		echo 'b.close()'
	} >"$tmp/visit.py"
	python3 "$tmp/visit.py" >"$tmp/errors" 2>&1
	result $? "$1" "$tmp/errors"
}

# --- a report ---
"$BUILD/wavedeck" run channel-conflict window=128..128KiB total_threads=2^18,2^19 --format html >"$tmp/report.html" 2>"$tmp/errors"
result $? 'a report of two parameters is written' "$tmp/errors"
visit 'the report fits a phone and shows its heat maps' <<END
b.open("file://$tmp/report.html")
b.check_page("report")
cells = b.evaluate("document.querySelectorAll('.heatmap .cell rect').length")
assert cells == 2 * 22, cells # two metrics
assert b.evaluate("document.querySelectorAll('.tools button').length") >= 3 # made by the script
b.evaluate("[...document.querySelectorAll('.tools button')].find(x => x.textContent === 'log y').click()")
b.check_page("report-log")
b.set_size(1200, 1600, False)
b.check_page("report-wide")
b.dark()
b.check_page("report-dark")
END

# --- votes ---
start_script
say 'size 120x36' 'action lessons channels' 'key Right' 'key C' 'action lesson-phones 127.0.0.1:0'
sync phones
url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+/' "$tmp/phones" | head -n 1)
[ -n "$url" ]
result $? 'the page for phones is open' "$tmp/phones"
visit 'the page for phones fits one, and its buttons vote' <<END
b.open("$url")
b.check_page("vote")
sizes = b.evaluate("[...document.querySelectorAll('button')].map(x => x.getBoundingClientRect().height)")
assert len(sizes) == 4 and min(sizes) >= 44, sizes
b.evaluate("document.querySelectorAll('button')[1].click()")
b.wait_for("location.pathname === '/' && document.querySelectorAll('.chosen').length === 1")
assert b.evaluate("document.querySelector('.chosen').textContent").startswith("b) ")
b.check_page("vote-chosen")
b.dark()
b.check_page("vote-dark")
END
sync voted
grep -q '1 vote' "$tmp/voted"
result $? 'the screen counts the vote' "$tmp/voted"
say 'key Enter' "wait background $patience"
sync ended
visit 'after the vote, the page says that it is over' <<END
b.open("$url")
b.check_page("vote-over")
assert "The vote is over" in b.evaluate("document.body.textContent")
assert b.evaluate("[...document.querySelectorAll('button')].every(x => x.disabled)")
END
say "action lesson-class-export $tmp/class.html"
end_script
result $? 'the program ends without an error' "$tmp/log"
visit 'the export of the class shows votes and the curve' <<END
b.open("file://$tmp/class.html")
b.check_page("class")
assert b.evaluate("document.querySelectorAll('figure svg .series').length") == 1
assert b.evaluate("document.querySelectorAll('figure svg .chart .point').length") == 11
assert b.evaluate("document.querySelector('.right').textContent").count("256 bytes")
b.set_size(1000, 1200, False)
b.check_page("class-wide")
END
finish
