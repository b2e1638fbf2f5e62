#!/usr/bin/env bash
# What becomes of the votes of a class: the page for phones closes and opens again, keys leave an open vote, results are
# in a file when the program is killed, and open votes when it ends by a signal or loses its terminal. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
# shellcheck source=../../live_script.bash
. tests/live_script.bash
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config HOME=$tmp LC_ALL=C.UTF-8
details() { head -n 40 "$1"; }
classes=$XDG_DATA_HOME/wavedeck/classes

# Votes from the addresses 127.0.0.FIRST and so on.
vote() { # first, count, choice
	python3 - "$url" "$@" >"$tmp/errors" 2>&1 <<'END_VOTE'
import re, sys, http.client, urllib.parse
url = urllib.parse.urlparse(sys.argv[1])
first, count, choice = map(int, sys.argv[2:])

def ask(client, method, path, body=None):
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=60, source_address=(f"127.0.0.{client}", 0))
    c.request(method, path, body, {"Content-Type": "application/x-www-form-urlencoded"} if body else {})
    r = c.getresponse()
    return r.status, r.read().decode()

for client in range(first, first + count):
    number = re.search(r'name="question" value="(\d+)"', ask(client, "GET", "/")[1]).group(1)
    assert ask(client, "POST", "/vote", f"question={number}&choice={choice}")[0] == 303
END_VOTE
}
open_page() {
	say 'action lesson-phones 127.0.0.1:0'
	sync page
	url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+/' "$tmp/page" | head -n 1)
	[ -n "$url" ]
}
# LESSON/STEP=VOTES,VOTES,... of each vote in the files of a folder of classes, in their order.
saved_votes() { # folder
	python3 - "$1" <<'END_SAVED'
import csv, pathlib, sys
votes = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
    for row in csv.DictReader(path.open(newline="")):
        votes.setdefault((row["time"], row["lesson"], row["step"]), []).append(row["votes"])
print(" ".join(f"{lesson}/{step}={','.join(counts)}" for (_, lesson, step), counts in votes.items()))
END_SAVED
}

# --- the page closes and opens ---
start_script --set unsaved=discard
say 'size 120x36' 'action lessons lds' 'key Right' 'key C'
open_page && vote 2 5 1 && say 'key a' && sync_until open ' 6 votes'
result $? 'five votes from phones and a typed one' "$tmp/page"
say 'key V'
sync closed
grep -q 'the page for phones is closed; its 5 votes count' "$tmp/closed" && grep -q ' 6 votes' "$tmp/closed" &&
	! grep -qE 'votes?, [0-9]+ %' "$tmp/closed"
result $? 'V closes the page and keeps its votes, which stay hidden' "$tmp/closed"
say 'key b'
sync typed
grep -q ' 7 votes' "$tmp/typed"
result $? 'votes can be typed meanwhile' "$tmp/typed"
open_page && grep -q ' 7 votes' "$tmp/page" && vote 6 2 2 && sync_until again ' 8 votes'
result $? 'V opens the page again: a phone changes its vote, another one votes' "$tmp/errors"

# --- keys that leave an open vote ---
for line in 'key C' 'key n' 'key Esc' 'action lessons channels' 'action lessons lds' 'action lesson-class'; do
	say "$line"
	sync asked
	say 'key x' 'key Enter' 'key Esc'
	sync stayed
	grep -q '8 votes of an open question: s save, d drop, Esc stay' "$tmp/asked" && grep -q 'LDS' "$tmp/stayed" &&
		grep -q ' 8 votes' "$tmp/stayed"
	result $? "'$line' asks before it drops votes; Esc stays" "$tmp/asked"
done
say 'key n' 'key s'
sync saved
grep -q 'Question 1 of 3: Memory channels' "$tmp/saved" && grep -q ' 0 votes' "$tmp/saved"
result $? 's saves them and goes on' "$tmp/saved"
equal 'they are in the file of the lecture' 'lds/1=5,3,0' "$(saved_votes "$classes")"
vote 2 3 1 && sync_until phones ' 3 votes' && say 'key a' 'key n' 'key d' && sync dropped &&
	grep -q ': Coalescing' "$tmp/dropped" && grep -q ' 0 votes' "$tmp/dropped"
result $? 'd drops them and goes on' "$tmp/dropped"
say 'key b' 'key Enter' "wait background $patience"
sync result
grep -qF "votes saved in ~/data/wavedeck/classes/$(basename "$classes"/*.csv)" "$tmp/result"
result $? 'the screen shows where the file is' "$tmp/result"
equal 'each vote that has ended is in the file' 'lds/1=5,3,0 coalescing/1=0,1,0' "$(saved_votes "$classes" | sed 's/\(1=0,1,0\),0*/\1/')"

# --- an earlier question is asked again while one is open ---
say 'key Right'
vote 2 4 2 && sync_until second ' 4 votes'
say 'key Left' 'key Right'
sync back
grep -q ' 4 votes' "$tmp/back"
result $? 'a look at an earlier result drops no votes' "$tmp/back"
say 'key Left' 'key t'
sync asked
grep -q '4 votes of an open question' "$tmp/asked"
result $? 'asking an earlier question again asks first' "$tmp/asked"
say 'key s'
sync retried
grep -q ' 0 votes' "$tmp/retried"
result $? 'and goes on with s' "$tmp/retried"

# --- kill -9 ---
kill -9 "$program"
end_script 2>/dev/null
saved=$(saved_votes "$classes")
[[ $saved == 'lds/1=5,3,0 coalescing/1=0,1,0'*' coalescing/2=0,4,'* ]]
result $? 'after kill -9, all ended votes are in the file' <(echo "$saved")
equal 'the lecture has one file' 1 "$(find "$classes" -name '*.csv' | wc -l)"

# --- kill -9 while a question is open ---
export XDG_DATA_HOME=$tmp/killed
classes=$XDG_DATA_HOME/wavedeck/classes
open_votes_are() { # votes
	say 'wait 200' && sync open # the program works only while a line waits
	[ "$(saved_votes "$classes")" = "$1" ]
}
start_script --set unsaved=discard
say 'size 120x36' 'action lessons lds' 'key Right' 'key C'
open_page && vote 2 3 1 && say 'key b' && wait_until open_votes_are 'lds/1=3,1,0'
result $? 'the votes of an open question are in a file' <(saved_votes "$classes")
say 'key Enter' "wait background $patience" 'key Right' 'key a'
wait_until open_votes_are 'lds/1=3,1,0 lds/2=1,0,0,0'
kill -9 "$program"
end_script 2>/dev/null
equal 'after kill -9, they are in a file of their own' 2 "$(find "$classes" -name '*.csv' | wc -l)"
start_script --set unsaved=discard
say 'size 120x36' 'action lessons channels' 'key Right' 'key C'
sync recovered
grep -q 'votes of a question that was open when the program was killed are in ~/killed/wavedeck/classes/' "$tmp/recovered"
result $? 'the next class mode reports them' "$tmp/recovered"
[[ $(saved_votes "$classes") == 'lds/1=3,1,0 lds/2=1,0,0,0' ]] && [ "$(find "$classes" -name '*.csv' | wc -l)" -eq 1 ]
result $? 'and adds them to the file of their lecture' <(saved_votes "$classes")
say 'key a' 'key BackSpace'
end_script
result $? 'the program ends' "$tmp/log"
equal 'a vote that was removed leaves no file' 1 "$(find "$classes" -type f | wc -l)"

# --- a folder that cannot be written, and a lesson with characters that direct text ---
export XDG_DATA_HOME=$tmp/blocked
classes=$XDG_DATA_HOME/wavedeck/classes
mkdir -p "$XDG_DATA_HOME/wavedeck/lessons" && : >"$classes"
hidden=$'\u202e\u2066\u200b\u0085\u009b'
sed "s/ change with /$hidden&$hidden/; s/It grows steadily/$hidden&/" share/lessons/lds.md \
	>"$XDG_DATA_HOME/wavedeck/lessons/hidden.md"
start_script --set unsaved=discard
say 'size 120x36' 'action lessons hidden' 'key C'
open_page
python3 - "$url" >"$tmp/errors" 2>&1 <<'END'
import re, sys, urllib.request
page = urllib.request.urlopen(sys.argv[1], timeout=60).read().decode()
assert "????? change with ?????" in page, page
assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u0080-\u009f]", page), page
END
result $? 'the page for phones has only printable text' "$tmp/errors"
say 'key a' 'key x'
sync failed
grep -q 'cannot write the votes to' "$tmp/failed"
result $? 'a file that cannot be written is reported' "$tmp/failed"
say "action lesson-class-export $tmp/hidden.csv" "action lesson-class-export $tmp/hidden.html" 'action quit'
sync asked
grep -q 'results cannot be saved: q quit, Esc stay' "$tmp/asked"
result $? 'the program does not end without a question' "$tmp/asked"
say 'key Esc'
sync stayed
grep -q 'cannot write the votes to' "$tmp/stayed"
result $? 'Esc stays, and shows the reason' "$tmp/stayed"
rm "$classes"
say 'action quit'
end_script
result $? 'the program ends when the folder can be written' "$tmp/log"
equal 'then the votes are in the file' 'hidden/1=1,0,0' "$(saved_votes "$classes")"
python3 - "$tmp/hidden.csv" "$tmp/hidden.html" "$classes"/*.csv >"$tmp/errors" 2>&1 <<'END'
import re, sys
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8", newline="").read()
    assert "????? change with ?????" in text and "?????It grows" in text, path
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u0080-\u009f]", text), path
END
result $? 'exports and the file have only printable text' "$tmp/errors"

# --- the end of the program on a terminal, while a vote is open ---
cat >"$tmp/terminal.py" <<'END'
import os, pty, select, signal, sys, time
how, program = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(program[0], program)

# Until the screen has the text. Keys that draw the whole screen are sent again while it is silent.
def wait_for(text, again=b""):
    seen, end = b"", time.monotonic() + 600
    while text not in seen:
        assert time.monotonic() < end, seen[-3000:]
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 65536)
        elif again:
            os.write(terminal, again)

wait_for(b"points measured")
os.write(terminal, b":lessons lds\r")
wait_for(b"LDS: latency", b"\f")
os.write(terminal, b"C")
wait_for(b"0 votes", b"\f")
os.write(terminal, b"aab")
wait_for(b"3 votes", b"\f")
if how == "q":
    os.write(terminal, b"q")
elif how == "close":
    os.close(terminal)
else:
    os.kill(pid, getattr(signal, how))
while how != "close":
    try:
        if not os.read(terminal, 65536):
            break
    except OSError: # the program has closed its side
        break
status = os.waitpid(pid, 0)[1]
if how == "q":
    assert status == 0, status
elif how != "close": # which is a SIGHUP or an error of the terminal, whichever comes first
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == getattr(signal, how), status
END
for how in SIGTERM SIGHUP close q; do
	export XDG_DATA_HOME=$tmp/$how
	skip_tour "$XDG_DATA_HOME"
	python3 "$tmp/terminal.py" $how "$BUILD/wavedeck" --device soft:mi25 --set unsaved=discard >"$tmp/errors" 2>&1
	result $? "the program ends on a terminal: $how" "$tmp/errors"
	equal 'the votes of the open question are in the file' 'lds/1=2,1,0' "$(saved_votes "$XDG_DATA_HOME/wavedeck/classes")"
done
finish
