#!/usr/bin/env bash
# Runs the README's two commands in a clean Debian, in a clean clone of the committed tree: `make deps` once as root,
# then `make run` and `make check` as a user without privileges. Ends with the closing line of `make check`. Needs what
# system.bash needs. Without the package mirror the system is skipped.
#   tests/distro/run.sh SUITE [DIR]   SUITE: bookworm, trixie, sid; DIR: a new folder, removed at the end
#   FULL=1   also the tests of left_out.tsv, which are the same on every Debian
suite=${1:-}
# shellcheck source=system.bash
. "$(dirname "$0")/system.bash"
case $# in 1 | 2) ;; *) fail 'usage: tests/distro/run.sh SUITE [DIR]; suites: bookworm, trixie, sid' ;; esac
enter_namespaces "${2:-}" "$@"
tree=$(realpath "$(dirname "$0")/../..") root=$work/root

make_system "$root" git,make,ca-certificates
mount_system "$root"
# git refuses a tree of another user that is not declared safe.
HOME=$work git config --global safe.directory '*' && HOME=$work git clone -q "$tree" "$root/home/user/wavedeck" &&
	chroot "$root" chown -R user:user /home/user || fail 'cannot clone the tree'
download 'make deps' inside "$root" root 'cd wavedeck && make deps'

progress 'make run'
inside "$root" user 'cd wavedeck && make run' >"$log" 2>&1 </dev/null
status=$?
tail -n 5 "$log"
[ $status -eq 0 ] || fail "make run exited with $status"
left_out=tests/distro/left_out.tsv
[ -z "${FULL:-}" ] || left_out=''
progress 'make check'
inside "$root" user "cd wavedeck && make check LEFT_OUT=$left_out" </dev/null 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
closing=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
[ -n "$closing" ] || fail "make check exited with $status, without a closing line"
[ "$(tail -n 1 "$log")" = "$closing" ] || echo "$closing" # make's own errors came after it
exit "$status"
