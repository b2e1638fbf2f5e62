#!/bin/sh
# Installs the packages that a Debian or Ubuntu machine still needs to build and run wavedeck. Without apt, lists them.
set -eu
packages='gcc make pkg-config libc6-dev clang-15 lld-15 llvm-15 rocm-device-libs libamdhip64-dev libamdhip64-5
libhsa-runtime64-1 libhiprtc-builtins5 librocm-smi64-1 hipcc rocminfo rocm-smi libncurses-dev libffi-dev
liblua5.4-dev libjansson-dev libmd4c-dev libcmocka-dev libdw-dev tmux procps csmith libcsmith-dev groff-base
clang-format shellcheck'

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	echo "apt not found; install the equivalents of these Debian 12 packages:" >&2
	echo $packages >&2
	exit 0
fi
missing=''
for p in $packages; do
	case "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null || true)" in
	*' installed') ;;
	*) missing="$missing $p" ;;
	esac
done
[ -z "$missing" ] && exit 0

echo "installing:$missing"
sudo=''
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null 2>&1 || { echo "sudo not found; run as root: apt-get install$missing" >&2; exit 1; }
	sudo=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq || echo "apt-get update failed; using the existing package lists" >&2
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
	{ echo "installation failed; to see why, run: ${sudo:+$sudo }apt-get install$missing" >&2; exit 1; }
