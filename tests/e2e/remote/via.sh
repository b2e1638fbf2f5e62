#!/usr/bin/env bash
# Workers on other machines: a real sshd on 127.0.0.1, and commands that behave as bad connections do. Sessions are the
# same as those of this machine, but for the host and the time. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
wavedeck=$BUILD/wavedeck readme=$PWD/README.md
export XDG_CACHE_HOME=$tmp/cache XDG_CONFIG_HOME=$tmp/config HOME=$tmp TMPDIR=$tmp/temporary
mkdir -p "$TMPDIR" "$tmp/far" "$tmp/config/wavedeck" "$tmp/own"
cd "$tmp" || exit 1
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd)

# --- tools ---
hosts_of() { # session: the hosts of its points
	grep '"type":"point"' "$1" | grep -o '"host":"[^"]*"' | sort -u | cut -d'"' -f4
}
# The session without what may differ: times, the hosts, the order in which points came.
plain() { # session
	sed -E 's/,"host":"[^"]*"//g; s/,"at":[0-9.e+-]*//; s/"time":"[^"]*",//' "$1" | sort
}
same_session() { # what, session
	plain local.wbs >want
	plain "$2" >got
	[ -s want ] && diff want got >difference
	result $? "$1: the session is the one of this machine" difference
}
points=(range-latency @small)
measure() { # name, --via...: "$name".csv, "$name".wbs, log
	local name=$1
	shift
	"$wavedeck" run "${points[@]}" --device "${device:-soft:mi25}" --record "$name.wbs" --format csv --no-header-comments "$@" >"$name.csv" 2>log
}
refused() { # what, text, --via...
	local what=$1 text=$2
	shift 2
	measure refused "$@"
	[ $? -ne 0 ] && grep -qF -- "$text" log && [ "$(wc -l <log)" -eq 1 ]
	result $? "$what" log
}
# A command that starts the worker and changes what it says.
bad_connection() { # name, filter
	printf '#!/bin/sh\nshift\nexec 3<&0\n"%s" "$@" <&3 | { %s; }\n' "$wavedeck" "$2" >"$1.sh"
}

measure local --workers 1
result $? 'a session of this machine' log

# --- the command ---
measure env --via "env HERE=1 $wavedeck*2"
result $? 'through a command' log
same_session 'through a command' env.wbs
equal 'the points name their host' "$(hostname)" "$(hosts_of env.wbs)"
equal 'the points of this machine name none' '' "$(hosts_of local.wbs)"
equal 'no folder of a worker remains' '' "$(ls "$TMPDIR")"
echo "box = env HERE=1 $wavedeck" >config/wavedeck/hosts
measure named --via 'box*2' --via local
result $? 'a name from the file of hosts, with this machine' log
same_session 'a name from the file of hosts' named.wbs
refused 'an unknown name' "unknown host 'bxo'; did you mean 'box'?" --via bxo
device='soft:mi25;id' refused 'a device that a shell would change' 'a shell on another machine would change' --via box
device=hip:0 refused 'several workers of one GPU' 'gets one worker in each place' --via 'box*2'
refused '--workers' 'write the number there: --via local*2' --workers 2 --via box
refused 'a program that is not here' 'no-such-program is not installed on this machine' --via 'no-such-program node7'

# --- an experiment of the user's own, whose folder the worker does not see ---
awk '/^```cpp/ { out = "own/copy.hip"; next } /^```lua/ { out = "own/copy.lua"; next } /^```/ { out = ""; next } out { print > out }' "$readme"
mkdir -p own/parts
echo '#include "more.h"' >own/parts/first.h
echo '#define MORE 1' >own/parts/more.h
sed -i '1i #include "parts/first.h"' own/copy.hip
if unshare -rm mount -t tmpfs none own 2>/dev/null; then
	cat >hidden.sh <<-HIDDEN
		shift
		exec unshare -rm sh -c 'mount -t tmpfs none $tmp/own && mount -t tmpfs none $tmp/cache && exec $wavedeck "\$@"' sh "\$@"
	HIDDEN
	points=(./own/copy.lua)
	rm -f local.wbs
	measure local --workers 1
	measure hidden --via 'sh ./hidden.sh*2'
	result $? "the user's own experiment" log
	same_session "the user's own experiment" hidden.wbs
	sed -i 's/from\[i\]/from[i] + MORE - 1/' own/copy.hip
	rm -f local.wbs hidden.wbs
	measure local --workers 1
	measure hidden --via 'sh ./hidden.sh*2'
	same_session 'an edited kernel' hidden.wbs
	sed -i 's/from\[i\]/fro[i]/' own/copy.hip
	measure mistake --workers 1
	sed 's/^.*failed: //' log >want
	measure hidden-mistake --via 'sh ./hidden.sh'
	sed 's/^.*failed: //' log >got
	grep -q "^$tmp/own/copy.hip:[0-9]*:.*error: use of undeclared identifier" got && diff want got >difference
	result $? 'a mistake in the kernel has the same message' difference
	points=(range-latency @small)
	rm -f local.wbs
	measure local --workers 1
else
	skip "the user's own experiment" 'unshare -rm does not work here'
fi

# --- bad connections ---
bad_connection version 'sed -u s/wavedeck.0[.][0-9.]*/wavedeck.0.0.9/'
refused 'another version' "has wavedeck.0.0.9 (protocol 1), this is wavedeck " --via 'sh ./version.sh'
grep -qF "install this one there: wavedeck install --via 'sh ./version.sh'" log
result $? 'another version: what to do' log
bad_connection compiler 'sed -u "s/\"compiler\":\"[^\"]*/\"compiler\":\"clang 3.0/"'
refused 'another compiler' 'results could differ: sh ./compiler.sh compiles kernels with clang 3.0, here it is ' --via 'sh ./compiler.sh'
bad_connection softgpu 'sed -u "s/\"software_gpu\":\"[^\"]*/\"software_gpu\":\"0123456789/"'
refused 'another software GPU' 'results could differ: the software GPU of sh ./softgpu.sh is another build (01234567, here ' --via 'sh ./softgpu.sh'
bad_connection program 'sed -u "s/\"build\":\"[^\"]*/\"build\":\"0123456789/"'
refused 'another program' 'results could differ: the program of sh ./program.sh is another build' --via 'sh ./program.sh'
bad_connection banner 'echo Welcome to node7.; echo; cat'
measure banner --via 'sh ./banner.sh'
result $? 'a text before the worker' log
same_session 'a text before the worker' banner.wbs

# With a second place, the sweep goes on there.
bad_connection flood 'head -n 2; exec yes flood'
measure flood --via 'sh ./flood.sh' --via local
result $? 'a worker that floods' log
grep -q 'worker on sh ./flood.sh killed: it sent [0-9]* lines that are not records' log && [ "$(wc -l <log)" -lt 20 ]
result $? 'a worker that floods: a few lines' log
same_session 'a worker that floods' flood.wbs
bad_connection hang 'head -n 3; exec sleep 1000'
measure hang --via 'sh ./hang.sh' --via local
result $? 'a worker that hangs' log
grep -q 'worker on sh ./hang.sh killed: no answer for 20 s while running point [0-9]*; trying the point again (2 of 3)' log
result $? 'a worker that hangs: its point is measured elsewhere' log
same_session 'a worker that hangs' hang.wbs

# A worker that dies leaves no folder on its machine. Not by SIGSEGV: HIP may be compiling, and LLVM's crash recovery takes
# that for a fault of its own and goes on.
mkfifo requests
has_no_folder() { [ -z "$(ls "$TMPDIR")" ]; }
for signal in TERM KILL; do
	"$wavedeck" worker --device soft:mi25 <requests >records 2>/dev/null &
	worker=$!
	exec 4>requests
	wait_until grep -q '"type":"device"' records && ! has_no_folder && kill -s $signal $worker && wait_until has_no_folder
	result $? "no folder remains of a worker that ends by SIG$signal" <(ls "$TMPDIR")
	exec 4>&-
	wait $worker 2>/dev/null
done

# A place that waits, such as a queue for machines, does not hold up the others.
echo 'exec sleep 1000' >waits.sh
measure waits --via 'sh ./waits.sh' --via local
result $? 'a place that waits' log
same_session 'a place that waits' waits.wbs

# What the other machine answers is no command here.
while IFS= read -r folder; do
	printf 'cat >/dev/null; echo "wavedeck-is-in %s"\n' "$folder" >evil.sh
	"$wavedeck" install --via 'sh ./evil.sh' >installed 2>log
	[ $? -eq 1 ] && [ ! -s installed ] && [ ! -e PWNED ] && [ "$(wc -l <log)" -eq 1 ] &&
		grep -qF "answers that wavedeck is in '$folder'" log
	result $? "install: a folder that is a command: $folder" log
done <<'END'
/x; touch PWNED; echo
/home/a b/wavedeck
/x/(touch PWNED)
relative/folder
END

# --- a real connection ---
if [ -z "$sshd" ] || ! command -v ssh >/dev/null; then
	skip 'ssh' 'openssh-server and openssh-client are not installed'
	finish
fi
mkdir -p ssh
chmod 700 ssh
ssh-keygen -qt ed25519 -N '' -f ssh/host && ssh-keygen -qt ed25519 -N '' -f ssh/key && ssh-keygen -qt ed25519 -N '' -f ssh/other
cp ssh/key.pub ssh/authorized_keys
[ "$(id -u)" -eq 0 ] && mkdir -p /run/sshd
# The first port that is free.
start_sshd() {
	: >ssh/log
	for port in $(seq $((20000 + $$ % 20000)) $((20000 + $$ % 20000 + 50))); do
		cat >ssh/sshd_config <<-CONFIG
			Port $port
			ListenAddress 127.0.0.1
			HostKey $tmp/ssh/host
			AuthorizedKeysFile $tmp/ssh/authorized_keys
			PidFile $tmp/ssh/pid
			UsePAM no
			StrictModes no
			PasswordAuthentication no
			KbdInteractiveAuthentication no
		CONFIG
		"$sshd" -D -e -f "$tmp/ssh/sshd_config" 2>ssh/log &
		server=$!
		until grep -q 'Server listening' ssh/log || ! kill -0 $server 2>/dev/null; do sleep 0.05; done
		grep -q 'Server listening' ssh/log && return 0
	done
	return 1
}
start_sshd
result $? 'sshd starts' ssh/log
trap 'kill $server 2>/dev/null; rm -rf "$tmp"' EXIT
cat >ssh/config <<CONFIG
Host *
  HostName 127.0.0.1
  Port $port
  User $(id -un)
  IdentitiesOnly yes
  UserKnownHostsFile $tmp/ssh/known
  LogLevel ERROR
Host node7
  IdentityFile $tmp/ssh/key
Host stranger
  IdentityFile $tmp/ssh/other
CONFIG
ssh="ssh -F $tmp/ssh/config"
refused 'a host that is not known' "node7 is not known yet; connect once by hand: $ssh node7" --via "$ssh node7"
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 ssh/host.pub)" >ssh/known
refused 'a host that asks for a password' "$ssh stranger needs a password or a key; set up a key: ssh-copy-id stranger" --via "$ssh stranger"
refused 'a host without wavedeck' "wavedeck is not installed on node7; copy it there: wavedeck install --via '$ssh node7'" \
	--via "$ssh node7 /nonexistent/wavedeck"
echo "node7 = $ssh node7 env TMPDIR=$tmp/far $wavedeck" >config/wavedeck/hosts
measure ssh --via 'node7*2'
result $? 'through ssh' log
same_session 'through ssh' ssh.wbs
equal 'through ssh: the points name their host' "$(hostname)" "$(hosts_of ssh.wbs)"
far_is_empty() { [ -z "$(ls far)" ]; }
wait_until far_is_empty
result $? 'the workers there remove their folders' far

# A connection that breaks while a point runs there: the wrapper notes its ssh, and that a point runs.
cat >breaks.sh <<BREAKS
exec 3<&0
shift
sh -c 'echo \$\$ >ssh.pid; exec $ssh node7 env TMPDIR=$tmp/far $wavedeck "\$@"' sh "\$@" <&3 |
	while IFS= read -r line; do
		printf '%s\\n' "\$line"
		case \$line in *'"state":"running"'*) echo yes >running ;; esac
	done
BREAKS
points=(range-latency 'rangesize=64KiB' variant=published 'reads=400000,400001,400002,400003')
rm -f local.wbs
measure local --workers 1
measure broken --via 'sh ./breaks.sh' --via local &
run=$!
is_running() { [ -s running ]; }
wait_until is_running
kill -9 "$(cat ssh.pid)"
wait $run
result $? 'a connection breaks' log
grep -q 'lost the connection to sh ./breaks.sh while running point [0-9]*.*; trying the point again (2 of 3)' log
result $? 'a connection breaks: its point is measured elsewhere' log
same_session 'a connection breaks' broken.wbs
wait_until far_is_empty
result $? 'a connection breaks: the worker there ends and removes its folder' far

# --- install ---
points=(range-latency @small)
rm -f local.wbs
measure local --workers 1
"$wavedeck" install --via "$ssh node7 env HOME=$tmp/far TMPDIR=$tmp/temporary" >installed 2>log
result $? 'install' log
there=$(sed -n 's/^installed in \(.*\);.*/\1/p' installed)
[ -x "$there/bin/wavedeck" ] && [ "${there#"$tmp/far/.local/share/wavedeck/"}" != "$there" ]
result $? 'install: where it is' installed
sed -n '2s/.*= /far = /p' installed >config/wavedeck/hosts
measure installed --via 'far*2'
result $? 'with the installed program' log
same_session 'with the installed program' installed.wbs
rm -rf "$there/lib/wavedeck/kernels" "$there/share/wavedeck/kernels" installed.wbs
measure installed --via 'far*2'
result $? 'kernels that are missing there' log
same_session 'kernels that are missing there' installed.wbs
"$wavedeck" install --via "$ssh stranger" >installed 2>log
grep -qF 'needs a password or a key; set up a key: ssh-copy-id stranger' log
result $? 'install never asks for a password' log
"$wavedeck" install --via local >installed 2>log
grep -qF 'wavedeck runs on this machine already' log
result $? 'install on this machine' log
finish
