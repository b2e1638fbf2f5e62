#!/usr/bin/env bash
# A lecture with peer instruction: fifty HTTP clients vote, discuss and vote again. Four of them misbehave: one asks for
# another host, one sends its request byte by byte, one votes with the page of the first round, one votes twice. Then the
# answer on screen and phones, votes by cookie from one address, a timer, kill -9 between the rounds, the exports, and the
# handout. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
# shellcheck source=../../live_script.bash
. tests/live_script.bash
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config HOME=$tmp LC_ALL=C.UTF-8
details() { head -n 40 "$1"; }
classes=$XDG_DATA_HOME/wavedeck/classes

cat >"$tmp/clients.py" <<'END'
import html, http.client, re, socket, sys, urllib.parse
url = urllib.parse.urlparse(sys.argv[1])
host = f"{url.hostname}:{url.port}"

# From the address 127.0.2.CLIENT; the cookie of a browser goes along.
def ask(client, method="GET", path="/", body=None, as_host=host, cookies=None):
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=600, source_address=(f"127.0.2.{client}", 0))
    headers = {"Host": as_host}
    if body is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    if cookies:
        headers["Cookie"] = cookies
    c.request(method, path, body, headers)
    r = c.getresponse()
    answer = r.status, r.read().decode(), (r.getheader("Set-Cookie") or "").split(";")[0]
    c.close()
    return answer

def number(page):
    return re.search(r'name="question" value="(\d+)"', page).group(1)

def choices(page):
    return [html.unescape(t)[3:] for t in re.findall(r"<button[^>]*>(?:&#10003; )?([^<]*)</button>", page)]

def vote(client, choice, question, cookies=None):
    return ask(client, "POST", "/vote", f"question={question}&choice={choice}", cookies=cookies)[0]
END
clients() { # name of the output, arguments; the script is on standard input
	{ cat "$tmp/clients.py" - >"$tmp/$1.py"; } && python3 "$tmp/$1.py" "$url" "${@:2}" >"$tmp/$1" 2>"$tmp/errors"
}
open_page() {
	say 'action lesson-phones 127.0.0.1:0'
	sync page
	url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+/' "$tmp/page" | head -n 1)
	[ -n "$url" ]
}

# --- the first round ---
start_script --set unsaved=discard
say 'size 120x36' 'action lessons caches' 'key C'
open_page
result $? 'the page is open' "$tmp/page"
clients first <<'END'
page = ask(2)[1]
question = number(page)
assert len(choices(page)) == 3 and "Choose one." in page
for client in range(2, 48): # 46 that behave: 26 for a, 14 for b, 6 for c
    n = client - 2
    assert vote(client, 1 if n < 26 else 2 if n < 40 else 3, question) == 303
# one asks for another host
assert ask(48, as_host="evil.example")[0] == 403
assert ask(48, "POST", "/vote", f"question={question}&choice=1", as_host="evil.example")[0] == 403
# one sends byte by byte, and never ends
slow = socket.create_connection((url.hostname, url.port), source_address=("127.0.2.49", 0))
for byte in b"POST /vote HTTP/1.1\r\nHost: ":
    slow.send(bytes([byte]))
# one votes twice: its last vote counts
assert vote(50, 1, question) == 303 and vote(50, 2, question) == 303
# one keeps the page of the first round
assert vote(51, 3, question) == 303
assert 'class="chosen">c) ' in ask(51)[1]
slow.close()
print(question)
for c in choices(page):
    print(c)
END
result $? 'fifty clients, of which 48 vote' "$tmp/errors"
sync_until open '48 votes, 48 addresses' && ! grep -q '[0-9] %' "$tmp/open"
result $? 'the screen shows how many votes and devices, but no split' "$tmp/open"
say 'key Space'
sync closed
! grep -qE 'votes?, [0-9]+ %|is right|latency over' "$tmp/closed" && grep -q 't: second vote' "$tmp/closed" && grep -q '48 votes' "$tmp/closed"
result $? 'Space closes the vote, without split and answer' "$tmp/closed"
clients closed_page <<'END'
page = ask(2)[1]
assert "The vote is over. Look at the screen." in page and "is right" not in page and "Not a:" not in page
assert vote(2, 1, number(page)) == 409
END
result $? 'the phones show that it is over, and nothing of the answer' "$tmp/errors"
say 'key s'
sync split
grep -q '26 votes, 54 %' "$tmp/split" && grep -q '15 votes, 31 %' "$tmp/split" && grep -q '7 votes, 15 %' "$tmp/split"
result $? 's shows the split' "$tmp/split"
say 'key s'
sync hidden
! grep -q '54 %' "$tmp/hidden"
result $? 's hides it' "$tmp/hidden"

# --- the second round ---
say 'key t'
sync second
grep -q 'round 2, 0 votes' "$tmp/second"
result $? 't starts the second round' "$tmp/second"
clients second_round "$(head -n 1 "$tmp/first")" "$(sed 1d "$tmp/first" | tr '\n' '|')" <<'END'
old, before = sys.argv[2], sys.argv[3].rstrip("|").split("|")
page = ask(2)[1]
question = number(page)
assert choices(page) == before, (choices(page), before) # the same order
assert question != old and "Second vote on this question" in page and 'class="chosen"' not in page
for client in range(2, 48): # 40 for b
    assert vote(client, 2 if client < 42 else 1, question) == 303
assert vote(51, 3, old) == 409 # the page of the first round
assert vote(50, 3, question) == 303 and vote(50, 3, question) == 303
END
result $? 'the order is the same; a page of the first round does not count' "$tmp/errors"
sync_until voted 'round 2, 47 votes'
result $? '47 votes' "$tmp/voted"
say 'key Enter' "wait background $patience"
sync result
grep -qE '1 .*26 votes, 54 %' "$tmp/result" && grep -qE '2 .*40 votes, 85 %' "$tmp/result" && grep -q 'latency, by range' "$tmp/result" &&
	[ "$(grep -cE '(Not [a-c]|[a-c] is right): ' "$tmp/result")" -eq 3 ]
result $? 'the result: both rounds, the measurement, and the reason for each choice' "$tmp/result"
clients answer <<'END'
page = ask(2)[1]
right = re.search(r"The vote is over: ([a-c]) is right\.</strong> (.{20})", page)
assert right, page
assert "Your vote was b." in page and page.count('class="reason">Not ') == 2 and page.count('class="right"') == 1
print(right.group(1))
END
result $? 'the phones show which answer was right and why' "$tmp/errors"
say "action lesson-class-export $tmp/class.csv" "action lesson-class-export $tmp/class.html"
sync exported
python3 - "$tmp/class.csv" "$tmp/class.html" "$(cat "$tmp/answer")" "$classes"/*.csv >"$tmp/errors" 2>&1 <<'END'
import csv, html.parser, re, sys
exported, page, right, kept = sys.argv[1:5]
assert open(exported).read() == open(kept).read() # the file of the lecture has both rounds
rows = list(csv.DictReader(open(exported, newline="")))
votes = {round_: [int(r["votes"]) for r in rows if r["round"] == round_] for round_ in ("1", "2")}
assert votes == {"1": [26, 15, 7], "2": [6, 40, 1]}, votes
assert {r["choice"] for r in rows if r["right"] == "1"} == {right}
assert [r["text"] for r in rows[:3]] == [r["text"] for r in rows[3:]]
text = open(page).read()
html.parser.HTMLParser().feed(text)
assert text.count("<h2>") == 1 and text.count("<svg ") == 1 and "first round" in text and "second round" in text
assert text.count('class="why"') == 3 and "54 %" in text and "85 %" in text
END
result $? 'exports: a row for each choice and round; one table with both rounds, the reasons and the curve' "$tmp/errors"

# --- phones at one address, by cookie ---
say 'key Right' 'key k'
sync cookies
grep -q 'one vote for each browser' "$tmp/cookies" && grep -q '0 votes, 0 browsers' "$tmp/cookies"
result $? 'k: one vote for each browser' "$tmp/cookies"
clients browsers <<'END'
seen = set()
for n in range(20):
    status, page, cookie = ask(2)
    assert status == 200 and cookie.startswith("wavedeck=") and cookie not in seen
    seen.add(cookie)
    assert vote(2, 1 + n % 2, number(page), cookie) == 303
assert vote(2, 1, number(page), cookie) == 303 # the last one changes its vote
assert vote(2, 1, number(page)) == 409         # without its cookie
END
result $? 'twenty browsers at one address vote; without a cookie, a vote does not count' "$tmp/errors"
sync_until shared '20 votes, 21 browsers'
result $? 'the screen counts browsers' "$tmp/shared"
say 'key k' 'key Esc'
sync kept
grep -q '20 votes, 21 browsers' "$tmp/kept"
result $? 'k asks before it drops votes; Esc keeps them' "$tmp/kept"

# --- a timer ends the vote; kill -9 between the rounds ---
say 'action lesson-timer 1'
sync_until over 't: second vote'
result $? 'the timer ends the vote' "$tmp/over"
say 'key t' 'key a' 'key a'
open_votes_are() {
	say 'wait 200' && sync open && [ -s "$(echo "$classes"/*.open.csv)" ]
}
wait_until open_votes_are
kill -9 "$program"
end_script 2>/dev/null
start_script --set unsaved=discard
say 'size 120x36' 'action lessons caches' 'key C'
sync recovered
grep -q 'votes of a question that was open when the program was killed' "$tmp/recovered"
result $? 'the next class mode reports the votes of a killed program' "$tmp/recovered"
python3 - "$classes"/*.csv >"$tmp/errors" 2>&1 <<'END'
import csv, sys
assert len(sys.argv) == 2, sys.argv
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
votes = {}
for r in rows:
    votes.setdefault((r["step"], r["round"]), []).append(int(r["votes"]))
assert list(votes) == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")], votes
assert votes["2", "1"][:2] == [11, 9] and votes["2", "2"][0] == 2, votes
END
result $? 'after kill -9, all rounds are in the file of the lecture' "$tmp/errors"
end_script
result $? 'the program ends' "$tmp/log"

# --- the handout ---
"$BUILD/wavedeck" lesson caches --handout "$tmp/caches.html" 2>"$tmp/errors" &&
	"$BUILD/wavedeck" lesson caches --handout "$tmp/answers.txt" --answers 2>"$tmp/errors"
result $? 'handouts are written' "$tmp/errors"
grep -q '&#9744;' "$tmp/caches.html" && ! grep -q 'three levels' "$tmp/caches.html" && grep -q 'three levels' "$tmp/answers.txt"
result $? 'one for students, without answers, and one with them' "$tmp/errors"
finish
