# Clean Debian systems in folders, for the scripts in this folder, which set $suite and source this file. Mounts and
# processes are in namespaces of their own, so they end with the script however it ends. Needs root, or user namespaces
# with subordinate ids. Sets $work, a folder that is removed at the end, and $log in it.
# shellcheck shell=bash disable=SC2154,SC2034
set -u
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=$PATH:/usr/sbin:/sbin

progress() { printf '== %s: %s (%d:%02d)\n' "$suite" "$1" $((SECONDS / 60)) $((SECONDS % 60)); }
fail() { # what
	echo "${suite:-$0}: $1" >&2
	exit 1
}
# Called when the package mirror cannot be reached. A script may define its own version.
skip_system() { # reason
	echo "SKIP $suite: $1"
	exit 0
}

# Runs the script again, in namespaces and with $DISTRO_WORK set, and exits with its status.
enter_namespaces() { # the folder to use ('': a temporary one), the script's arguments
	local folder=$1 spaces=(--mount --pid --fork --kill-child)
	shift
	[ -z "${DISTRO_WORK:-}" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		spaces+=(--user --map-root-user --map-auto)
		unshare "${spaces[@]}" true 2>/dev/null ||
			fail "no user namespaces for this user; run as root, or install uidmap and add the user to /etc/subuid"
	fi
	[ -z "$folder" ] || mkdir "$folder" || fail "cannot create the folder '$folder'; name a new one"
	DISTRO_WORK=$(realpath "${folder:-$(mktemp -d)}")
	export DISTRO_WORK
	# In the background, because a trap runs only when the command in the foreground has ended.
	unshare "${spaces[@]}" "$0" "$@" &
	child=$!
	trap 'remove_system "${spaces[@]}"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	wait "$child"
	exit
}

# Processes that are still ending may create files, so the folder is removed until it is gone.
remove_system() { # the namespaces
	kill -KILL "$child" 2>/dev/null
	wait
	until unshare "$@" rm -rf "$DISTRO_WORK"; do sleep 1; done
}

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
		skip_system "the package mirror cannot be reached: $(grep -m 1 -E "$unreachable" "$log")"
	fi
	tail -n 40 "$log" >&2
	fail "$what failed"
}
unreachable='Could not (resolve|connect)|Temporary failure|Unable to connect|Network is unreachable'
unreachable+='|Connection (timed out|refused|failed|reset)|[^0-9](403|407|429|50[0-9])  [A-Z]'

install_mmdebstrap() {
	apt-get update -qq && apt-get install -y -qq --no-install-recommends mmdebstrap debian-archive-keyring
}
# Installs a system with the host's Debian mirror, proxies and validity check, if it has any, and a user named user.
make_system() { # folder, packages
	local root=$1 packages=$2 mirror line options=(--aptopt='Acquire::http::Timeout "30"')
	if ! command -v mmdebstrap >/dev/null; then
		command -v apt-get >/dev/null || fail "mmdebstrap not found; install it"
		[ -w /var/lib/dpkg ] || fail "mmdebstrap not found; install it: sudo apt-get install mmdebstrap"
		download 'installing mmdebstrap' install_mmdebstrap
	fi
	mirror=$(apt-get indextargets --format '$(SITE) $(ORIGIN) $(LABEL)' 'Created-By: Packages' 2>/dev/null |
		awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
	while IFS= read -r line; do
		options+=(--aptopt="${line%;}")
	done < <(apt-config dump Acquire 2>/dev/null | grep -iE '^Acquire::(https?::Proxy|Check-Valid-Until).* ".+";$')
	# shellcheck disable=SC2317 # download calls it
	install_system() {
		rm -rf "$root"
		mmdebstrap --mode=root --variant=apt --include="$packages" "${options[@]}" "$suite" "$root" ${mirror:+"$mirror"}
	}
	download 'installing the system' install_system
	printf 'user:x:1000:1000::/home/user:/bin/sh\n' >>"$root/etc/passwd" && echo 'user:x:1000:' >>"$root/etc/group" &&
		mkdir "$root/home/user" && chroot "$root" chown user:user /home/user || fail 'cannot add a user to the system'
}

mount_system() { # folder
	mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" &&
		mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" || fail 'cannot mount /proc, /sys and /dev'
}

# Runs a shell command in a system, in the home folder of its user.
inside() { # folder, user, command
	chroot --userspec="$2:$2" "$1" env -i HOME=/home/user PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
		TERM=xterm-256color LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CI="${CI:-}" \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} sh -c "cd /home/user && $3"
}

work=${DISTRO_WORK:-} log=${DISTRO_WORK:-}/log
