#!/usr/bin/env bash
# A lecture with keys: three lessons in class mode, a vote of ten HTTP clients on phones' page with two that misbehave,
# results exported as CSV and HTML. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
# shellcheck source=../../live_script.bash
. tests/live_script.bash
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config LC_ALL=C.UTF-8
details() { head -n 40 "$1"; }

start_script
say 'size 120x36' 'action lessons lds' 'key Right' 'key a' 'key Enter' "wait background $patience" 'key C'
sync vote
result $? 'class mode opens on a question' "$tmp/log"
grep -q '0 votes' "$tmp/vote" && ! grep -q 'your answer' "$tmp/vote" && ! grep -q 'latency over' "$tmp/vote"
result $? "it shows nothing of the lecturer's own answer" "$tmp/vote"
say 'action lesson-phones 127.0.0.1:0'
sync phones
url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+/' "$tmp/phones" | head -n 1)
[ -n "$url" ]
result $? 'the address stands on the screen' "$tmp/phones"
grep -q '█.*▄' "$tmp/phones"
result $? 'with its QR code' "$tmp/phones"

cat >"$tmp/clients.py" <<'END'
import html, http.client, re, sys, urllib.parse
url = urllib.parse.urlparse(sys.argv[1])
host = f"{url.hostname}:{url.port}"

def ask(client, method, path, body=None, headers=None, as_host=host):
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=60, source_address=(f"127.0.0.{client}", 0))
    h = {"Host": as_host}
    if body is not None:
        h["Content-Type"] = "application/x-www-form-urlencoded"
    h.update(headers or {})
    c.request(method, path, body, h)
    r = c.getresponse()
    text = r.read().decode()
    c.close()
    return r.status, text

def number(page):
    return re.search(r'name="question" value="(\d+)"', page).group(1)

def vote(client, choice, question=None):
    if question is None:
        question = number(ask(client, "GET", "/")[1])
    return ask(client, "POST", "/vote", f"question={question}&choice={choice}")

# What a phone sees.
status, page = ask(2, "GET", "/")
assert status == 200, status
choices = [html.unescape(t) for t in re.findall(r'<button[^>]*>([^<]*)</button>', page)]
assert len(choices) == 3 and choices[0].startswith("a) "), choices
assert "viewport" in page and "How does the latency change" in page, page
# Eight clients that behave: five for a, three for b. One of them changes its mind, one votes twice.
for client, choice in zip(range(2, 10), (1, 1, 1, 1, 2, 2, 2, 3)):
    assert vote(client, choice)[0] == 303
assert vote(9, 1)[0] == 303
assert vote(2, 1)[0] == 303
# A browser sends its origin with a vote, and `null` if the page forbids that.
c = http.client.HTTPConnection(url.hostname, url.port, timeout=60, source_address=("127.0.0.2", 0))
c.request("GET", "/", headers={"Host": host})
assert c.getresponse().getheader("Referrer-Policy") == "same-origin"
assert ask(2, "POST", "/vote", f"question={number(page)}&choice=1", {"Origin": f"http://{host}"})[0] == 303
assert 'class="chosen">a) ' in ask(2, "GET", "/")[1]
# One asks without end: it is refused after a while, and its last vote stays one vote.
assert vote(10, 3)[0] == 303
answers = [ask(10, "GET", "/")[0] for _ in range(80)]
assert answers[0] == 200 and answers[-1] == 429, answers
assert vote(10, 1, 1)[0] == 429
# One sends what no phone sends.
question = number(page)
assert ask(11, "POST", "/vote", "question=1&choice=9")[0] == 400
assert ask(11, "POST", "/vote", "choice=-1")[0] == 400
assert ask(11, "POST", "/vote", "x" * 5000)[0] == 400
assert ask(11, "POST", "/vote", "question=999&choice=1")[0] == 409
assert ask(11, "GET", "/../../etc/passwd")[0] == 404
assert ask(11, "DELETE", "/")[0] == 405
assert ask(11, "GET", "/", as_host="evil.example")[0] == 403
assert ask(11, "POST", "/vote", f"question={question}&choice=1", {"Origin": "http://evil.example"})[0] == 403
assert ask(2, "GET", "/")[0] == 200
print(question)
END
question=$(python3 "$tmp/clients.py" "$url" 2>"$tmp/errors")
result $? 'ten clients vote; what two of them try beyond a vote is refused' "$tmp/errors"
say 'key b'
sync_until open '10 votes' && ! grep -qE 'votes?, [0-9]+ %' "$tmp/open"
result $? 'nine votes from phones and a typed one; who votes does not see the votes of others' "$tmp/open"
say 'key Enter' "wait background $patience"
sync result
grep -qE '5 votes, 50 %' "$tmp/result" && grep -qE '4 votes, 40 %' "$tmp/result" && grep -qE '1 vote, 10 %' "$tmp/result" &&
	grep -q 'latency, by number of lanes' "$tmp/result"
result $? 'the result shows all votes, and the curve' "$tmp/result"
python3 - "$url" "$question" >"$tmp/errors" 2>&1 <<'END'
import http.client, sys, urllib.parse
url = urllib.parse.urlparse(sys.argv[1])
c = http.client.HTTPConnection(url.hostname, url.port, timeout=60, source_address=("127.0.0.12", 0))
c.request("POST", "/vote", f"question={sys.argv[2]}&choice=1", {"Host": f"{url.hostname}:{url.port}"})
assert c.getresponse().status == 409
END
result $? 'a vote after the end is refused' "$tmp/errors"

# Two more lessons. `n` stays in class mode; V closes the page.
say 'key n'
sync next
grep -q 'Question 1 of 3: Memory channels' "$tmp/next" && grep -q '0 votes' "$tmp/next"
result $? 'n goes to the next lesson, in class mode' "$tmp/next"
say 'key a' 'key a' 'key b' 'key Enter' "wait background $patience" 'key V'
sync closed
grep -q 'the page for phones is closed' "$tmp/closed" && ! python3 - "$url" >/dev/null 2>&1 <<'END'
import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=60)
END
result $? 'V closes the page' "$tmp/closed"
say 'key n' 'key c' 'key Enter' "wait background $patience" "action lesson-class-export $tmp/class.csv" \
	"action lesson-class-export $tmp/class.html" "action lesson-class-export $tmp/class.txt"
sync exported
grep -q 'must end with .csv or .html' "$tmp/exported"
result $? 'an unknown format is refused' "$tmp/exported"
end_script
result $? 'the program ends without an error' "$tmp/log"
python3 - "$tmp/class.csv" >"$tmp/errors" 2>&1 <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
votes = {}
for r in rows:
    votes.setdefault((r["lesson"], r["step"]), []).append(r)
assert list(votes) == [("lds", "1"), ("channels", "1"), ("coalescing", "1")], list(votes)
first = votes["lds", "1"]
assert [r["choice"] for r in first] == ["a", "b", "c"], first
assert sorted(int(r["votes"]) for r in first) == [1, 4, 5], first
assert sum(int(r["right"]) for r in first) == 1
assert [int(r["votes"]) for r in votes["channels", "1"]][:2] == [2, 1]
assert [r["share_percent"] for r in votes["coalescing", "1"]][2] == "100"
END
result $? 'the results as CSV' "$tmp/errors"
python3 - "$tmp/class.html" >"$tmp/errors" 2>&1 <<'END'
import html.parser, sys
text = open(sys.argv[1]).read()
html.parser.HTMLParser().feed(text)
assert text.count("<h2>") == 3 and text.count('class="right"') == 3, text
assert "LDS: latency and banks: How long a read takes" in text and "50 %" in text
assert text.count("<svg ") == 3 and text.count('data-label="latency"') == 1, text # the curve that was asked about
END
result $? 'the results as HTML, with the curves' "$tmp/errors"
finish
