#!/usr/bin/env bash
# Builds the packages of the committed tree from `make dist` in a clean Debian, and uses them in another one: first the
# program with STATIC_DEPS=1 next to nothing but ncurses and ROCm, then the package as apt installs it, with the tests
# in debian/tests; reinstalled, upgraded and purged. Needs what system.bash needs. TAP.
#   tests/distro/package.sh SUITE [DIR]   SUITE: bookworm, trixie, sid; DIR: a new folder, removed at the end
suite=${1:-}
# shellcheck source=system.bash
. "$(dirname "$0")/system.bash"
case $# in 1 | 2) ;; *) fail 'usage: tests/distro/package.sh SUITE [DIR]; suites: bookworm, trixie, sid' ;; esac
enter_namespaces "${2:-}" "$@"
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
skip_system() {
	skip "the packages on $suite" "$1"
	finish
}
# Of a package build: its failed tests, which are far above the last lines.
details() { # file
	awk 'sub(/^    /, "")' "$1" | grep -E -A 8 '^not ok'
	tail -n 40 "$1"
}
progress() { printf '# %s: %s (%d:%02d)\n' "$suite" "$1" $((SECONDS / 60)) $((SECONDS % 60)); }
builder=$work/builder target=$work/target archives=var/cache/apt/archives

# Each runs a command in a system and prints one result.
try() { # what, folder, user, command
	local status
	progress "$1"
	inside "$2" "$3" "$4" >"$tmp/log" 2>&1 </dev/null
	status=$?
	result $status "$suite: $1"
	return $status
}
require() { # the arguments of try
	try "$@" || finish
}

# The command that runs a test of debian/tests as autopkgtest does.
debian_test() { # name, NAME=VALUE for its environment
	echo "cd wavedeck && env AUTOPKGTEST_TMP=\$(mktemp -d) ${2:-} debian/tests/$1"
}

# --- two systems, alike; the second gets nothing of what building needs ---
make_system "$builder" ca-certificates
cp -a "$builder" "$target"
mount_system "$builder"
mount_system "$target"
mount --bind "$builder/$archives" "$target/$archives" # downloads are shared

# --- build, from the tarball and without git ---
make --no-print-directory dist BUILD="$tmp/dist" >"$tmp/log" 2>&1
result $? "$suite: make dist"
tar -xzf "$tmp"/dist/wavedeck-*.tar.gz -C "$builder/home/user" && mv "$builder"/home/user/wavedeck-* "$builder/home/user/wavedeck"
chroot "$builder" chown -R user:user /home/user
download 'installing build dependencies' inside "$builder" root 'apt-get update -qq && \
	apt-get install -y -qq --no-install-recommends build-essential lintian && apt-get build-dep -y -qq --no-install-recommends ./wavedeck'
require 'dpkg-buildpackage makes the package, and its tests pass' "$builder" user \
	"cd wavedeck && DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -b -us -uc"
sed -n 's/^\([0-9]* passed, .*\)/# \1/p' "$tmp/log"
try 'lintian finds no error and no warning' "$builder" user 'lintian --fail-on error,warning wavedeck_*.changes'
require 'STATIC_DEPS=1 links the program' "$builder" user \
	'make -C wavedeck STATIC_DEPS=1 PREFIX=/usr DESTDIR=/home/user/static install'

# --- with STATIC_DEPS=1: only libc, ncurses and ROCm ---
install_rocm() {
	inside "$target" root 'apt-get update -qq && apt-get install -y -qq --no-install-recommends \
		libncursesw6 tmux librocm-smi64-1 \
		"$(apt-cache pkgnames libamdhip64 | grep -E "64-[0-9]+$" | sort -V | tail -n 1)"'
}
download 'installing ncurses and ROCm' install_rocm
try 'neither Lua, Jansson, md4c, libdw nor libarchive is installed' "$target" user \
	'! dpkg-query -W -f "\${Package}\n" | grep -E "^(liblua|libjansson|libmd4c|libdw|libarchive)"'
cp -a "$builder/home/user/static" "$builder/home/user/wavedeck" "$target/home/user/"
try 'the static program runs the default experiment there' "$target" user \
	'static/usr/bin/wavedeck | grep -E "^ *256 MiB +[0-9.]+ "'
try 'and reads the course, the code and a session' "$target" user \
	'static/usr/bin/wavedeck lesson && static/usr/bin/wavedeck isa fma-loop --profile &&
	static/usr/bin/wavedeck export static/usr/share/wavedeck/sessions/*.wbs --format csv'
try 'and opens the workbench in a terminal' "$target" user "$(debian_test workbench PATH=/home/user/static/usr/bin:/usr/bin:/bin)"
rm -rf "$target/home/user/static"

# --- the package ---
list_files() { # in the target: everything but what apt and dpkg write for themselves
	chroot "$target" find / -xdev \( -path /home -o -path /tmp -o -path '/var/cache/*' -o -path '/var/lib/*' \
		-o -path '/var/log/*' -o -path '/run/*' \) -prune -o -print | sort
}
cp "$builder"/home/user/wavedeck_*_amd64.deb "$target/home/user/wavedeck.deb"
download 'installing the package and what it recommends' \
	inside "$target" root 'apt-get install -y -qq ./wavedeck.deb rocminfo man-db tmux'
try 'no public folder has a library of the package' "$target" user \
	'! dpkg -L wavedeck | grep -E "^/(usr/)?lib/([^/]*|x86_64-linux-gnu/[^/]*)\.so"'
for test in $(sed -n 's/^Tests: //p' debian/tests/control | tr -d ,); do
	try "debian/tests/$test" "$target" user "$(debian_test "$test")"
done
try 'reinstalls' "$target" root 'apt-get install -y -qq --reinstall ./wavedeck.deb && wavedeck --version'
try 'is upgraded to a newer version' "$target" root 'dpkg-deb -R wavedeck.deb newer &&
	sed -i "s/^Version: .*/&+1/" newer/DEBIAN/control && dpkg-deb --root-owner-group -b newer newer.deb &&
	apt-get install -y -qq ./newer.deb && dpkg-query -W wavedeck | grep "+1$" && wavedeck --version'
chroot "$target" dpkg -L wavedeck | sort >"$tmp/installed"
list_files >"$tmp/before"
try 'is removed' "$target" root 'apt-get remove -y -qq wavedeck && ! dpkg-query -W wavedeck'
try 'is installed again and purged' "$target" root 'apt-get install -y -qq ./newer.deb && apt-get purge -y -qq wavedeck &&
	! dpkg-query -W wavedeck'
list_files >"$tmp/after"
comm -23 "$tmp/before" "$tmp/after" >"$tmp/gone"
check "$suite: only the package's files are gone" "$(comm -23 "$tmp/gone" "$tmp/installed")"
check "$suite: and none is left" "$(grep wavedeck "$tmp/after")"
finish
