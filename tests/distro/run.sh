#!/usr/bin/env bash
# Installs a clean Debian in a folder, and runs the README's two commands in a clean clone of the committed tree there:
# `make deps` once as root, then `make run` and `make check` as a user without privileges. Ends with the closing line of
# `make check`. Needs root, or user namespaces with subordinate ids. Without the package mirror the system is skipped.
#   tests/distro/run.sh SUITE [DIR]   SUITE: bookworm, trixie, sid; DIR: a new folder, removed at the end
set -u
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=$PATH:/usr/sbin:/sbin
suite=${1:-} tree=$(realpath "$(dirname "$0")/../..")

progress() { printf '== %s: %s (%d:%02d)\n' "$suite" "$1" $((SECONDS / 60)) $((SECONDS % 60)); }
fail() { # what
	echo "${suite:-tests/distro/run.sh}: $1" >&2
	exit 1
}

case $# in 1 | 2) ;; *) fail "usage: tests/distro/run.sh SUITE [DIR]; suites: bookworm, trixie, sid" ;; esac

# Mounts and processes stay in namespaces of their own, so they end with the script however it ends.
if [ -z "${DISTRO_WORK:-}" ]; then
	spaces=(--mount --pid --fork --kill-child)
	if [ "$(id -u)" -ne 0 ]; then
		spaces+=(--user --map-root-user --map-auto)
		unshare "${spaces[@]}" true 2>/dev/null ||
			fail "no user namespaces for this user; run as root, or install uidmap and add the user to /etc/subuid"
	fi
	[ $# -eq 1 ] || mkdir "$2" || fail "cannot create the folder '$2'; name a new one"
	DISTRO_WORK=$(realpath "${2:-$(mktemp -d)}")
	export DISTRO_WORK
	child=
	clean_up() {
		[ -z "$child" ] || kill -KILL "$child" 2>/dev/null
		wait
		# Processes of the namespace that are still ending may create files.
		until unshare "${spaces[@]}" rm -rf "$DISTRO_WORK"; do sleep 1; done
	}
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	unshare "${spaces[@]}" "$0" "$@" &
	child=$!
	wait "$child"
	status=$?
	child=
	exit $status
fi
root=$DISTRO_WORK/root log=$DISTRO_WORK/log

# Runs a command that downloads packages, up to three times.
download() { # what, command
	local what=$1 try
	shift
	for try in 1 2 3; do
		progress "$what$([ $try = 1 ] || echo ", try $try of 3")"
		"$@" >"$log" 2>&1 </dev/null && return
		[ $try = 3 ] || sleep 10
	done
	if grep -qE "$unreachable" "$log"; then
		echo "SKIP $suite: the package mirror cannot be reached: $(grep -m 1 -E "$unreachable" "$log")"
		exit 0
	fi
	tail -n 40 "$log" >&2
	fail "$what failed"
}
unreachable='Could not (resolve|connect)|Temporary failure|Unable to connect|Network is unreachable'
unreachable+='|Connection (timed out|refused|failed|reset)|[^0-9](403|407|429|50[0-9])  [A-Z]'

# --- the system ---
if ! command -v mmdebstrap >/dev/null; then
	command -v apt-get >/dev/null || fail "mmdebstrap not found; install it"
	[ -w /var/lib/dpkg ] || fail "mmdebstrap not found; install it: sudo apt-get install mmdebstrap"
	install_mmdebstrap() {
		apt-get update -qq && apt-get install -y -qq --no-install-recommends mmdebstrap debian-archive-keyring
	}
	download 'installing mmdebstrap' install_mmdebstrap
fi

# The host's Debian mirror and proxies, if it has any.
# shellcheck disable=SC2016 # the names are apt's
mirror=$(apt-get indextargets --format '$(SITE) $(ORIGIN) $(LABEL)' 'Created-By: Packages' 2>/dev/null |
	awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
options=(--aptopt='Acquire::http::Timeout "30"')
while IFS= read -r line; do
	options+=(--aptopt="${line%;}")
done < <(apt-config dump Acquire 2>/dev/null | grep -iE '^Acquire::https?::Proxy.* ".+";$')
install_system() {
	rm -rf "$root"
	mmdebstrap --mode=root --variant=apt --include=git,make,ca-certificates "${options[@]}" "$suite" "$root" \
		${mirror:+"$mirror"}
}
download 'installing the system' install_system

mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" &&
	mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" || fail 'cannot mount /proc, /sys and /dev'

# Runs a command in the clone, as a user of the new system.
inside() { # user and group, command
	chroot --userspec="$1" "$root" env -i HOME=/home/user PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
		TERM=xterm-256color CI="${CI:-}" ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		sh -c "cd /home/user/wavedeck && $2"
}

# --- the README's commands ---
printf 'user:x:1000:1000::/home/user:/bin/sh\n' >>"$root/etc/passwd" && echo 'user:x:1000:' >>"$root/etc/group" &&
	mkdir "$root/home/user" && HOME=$DISTRO_WORK git config --global safe.directory '*' &&
	HOME=$DISTRO_WORK git clone -q "$tree" "$root/home/user/wavedeck" &&
	chown -R 1000:1000 "$root/home/user" || fail 'cannot clone the tree'
download 'make deps' inside 0:0 'make deps'
progress 'make run'
inside 1000:1000 'make run' >"$log" 2>&1 </dev/null
status=$?
tail -n 5 "$log"
[ $status -eq 0 ] || fail "make run exited with $status"
progress 'make check'
inside 1000:1000 'make check' </dev/null 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
tail -n 1 "$log" | grep -qE '^[0-9]+ passed, [0-9]+ failed$' || fail "make check exited with $status, without a closing line"
exit "$status"
