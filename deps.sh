#!/bin/sh
# Installs the packages that this machine still needs; share/packages.tsv lists them by distribution. On Debian and
# Ubuntu it chooses packages that are in the package lists, says what it installs and how, and installs it with apt-get,
# as root or with sudo. On other distributions it prints the command. If nothing is missing, it does nothing.
#   ./deps.sh [run|check]   what `make run` needs, or also what `make check` needs (default)
# Exit status: 0 the needs are met, or only optional packages are missing; 1 something is missing; 2 usage error.
#   WAVEDECK_SYSROOT=DIR    looks for files below DIR; programs are looked for in PATH
set -eu
cd "$(dirname "$0")"
target=${1:-check}
case $target in run|check) ;; *) echo "unknown target '$target'; use run or check" >&2; exit 2 ;; esac
root=${WAVEDECK_SYSROOT:-}
table=share/packages.tsv
tab=$(printf '\t')
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

# --- what is there ---
eval "$(./toolchain.sh)"
# A compiler without device libraries is replaced by one that has them, with its linker and tools.
# shellcheck disable=SC2034 # is_found reads them
[ -n "$BITCODE" ] || { CLANG=''; LLD=''; LLVM_MC=''; LLVM_VERSION=''; }

is_file() { # paths, one of which may be a pattern that matches
	for path; do [ ! -e "$path" ] || return 0; done
	return 1
}

is_header() {
	is_file "$root"/usr/include/"$1" "$root"/usr/include/x86_64-linux-gnu/"$1" "$root"/usr/local/include/"$1" \
		"$root"/usr/lib*/gcc/x86_64-*/*/include/"$1" "$root"/opt/rocm*/include/"$1"
}

is_library() {
	is_file "$root"/usr/lib/x86_64-linux-gnu/"$1"* "$root"/usr/lib64/"$1"* "$root"/usr/lib/"$1"* \
		"$root"/usr/local/lib/"$1"* "$root"/opt/rocm*/lib/"$1"* "$root"/opt/rocm*/lib64/"$1"*
}

is_found() { # KIND:NAME|NAME...
	for name in $(echo "${1#*:}" | tr '|' ' '); do
		case $1 in
		program:*) ! command -v "$name" >/dev/null || return 0 ;;
		header:*) ! is_header "$name" || return 0 ;;
		library:*) ! is_library "$name" || return 0 ;;
		variable:*) eval "[ -z \"\$$name\" ]" || return 0 ;;
		esac
	done
	return 1
}

# Prints need, for and packages of each need of the target that is not met.
missing_needs() {
	# shellcheck disable=SC2034 # $column names one of them
	grep -v '^#' "$table" | while IFS=$tab read -r need for found debian fedora arch opensuse; do
		case $target:$for in run:check*|*:extra) continue ;; esac
		is_found "$found" && continue
		eval "packages=\$$column"
		printf '%s\t%s\t%s\n' "$need" "$for" "$packages"
	done
}

# --- which distribution ---
find_distribution() {
	ID='' ID_LIKE='' PRETTY_NAME='this distribution'
	# shellcheck disable=SC1091
	[ ! -r "$root/etc/os-release" ] || . "$root/etc/os-release"
	case " $ID $ID_LIKE " in
	*' debian '*|*' ubuntu '*) column=debian ;;
	*' fedora '*|*' rhel '*) column=fedora install='dnf install' ;;
	*' arch '*) column=arch install='pacman -S' ;;
	*suse*) column=opensuse install='zypper install' ;;
	*) column=need ;;
	esac
}

# --- which packages of Debian or Ubuntu ---
versions='amd 15 17 16 18 19 20 21 22 23 rocm'

# Every package that the needs name, with every version.
possible_packages() {
	echo "$needs" | cut -f3 | tr '|' '\n' | sed 's/^[a-z0-9]*://' | while read -r package; do
		case $package in
		*@*) for version in $versions; do echo "$package" | sed "s/@/$version/"; done ;;
		*) echo "$package" ;;
		esac
	done
}

# Sets $listed to the packages that can be installed.
read_package_lists() {
	# shellcheck disable=SC2046
	listed=" $(apt-cache policy $(possible_packages) 2>/dev/null |
		awk '/^[^ ]/ { name = $1; sub(/:$/, "", name) } /^ *Candidate:/ && $2 != "(none)" { printf "%s ", name }')"
}

choose_package() { # alternatives, version of LLVM
	for package in $(echo "$1" | tr '|' ' '); do
		case $package in
		*:*) [ "${package%%:*}" = "$2" ] || continue ;;
		*@*) [ -n "$2" ] && [ "$2" != amd ] || continue ;;
		esac
		package=$(echo "${package#*:}" | sed "s/@/$2/")
		case $listed in *" $package "*) echo "$package"; return ;; esac
	done
	return 1
}

# Compiler, linker, tools and device libraries must be of one version: that of the installed compiler, or the first one
# with all that is missing.
choose_version() {
	for version in ${LLVM_VERSION:+"$LLVM_VERSION"} $versions; do
		echo "$needs" | grep @ | cut -f3 | {
			while read -r packages; do choose_package "$packages" "$version" >/dev/null || exit 1; done
		} && return
	done
	version=''
}

is_installed() {
	case $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null || true) in *' installed') ;; *) return 1 ;; esac
}

# Sets $required and $optional to packages, $unlisted to required needs without a package.
choose_packages() {
	read_package_lists
	choose_version
	required='' optional='' unlisted=''
	while IFS=$tab read -r need for packages; do
		package=$(choose_package "$packages" "$version") || package=''
		case $for:$package in
		*-optional:) ;;
		*:) unlisted="$unlisted${unlisted:+, }$need" ;;
		*) is_installed "$package" || add_package "$for" "$package" ;;
		esac
	done <<-END
		$needs
	END
}

add_package() { # for, package
	case " $required " in *" $2 "*) return 0 ;; esac
	case $1 in
	*-optional) optional="$(without "$2" "$optional") $2" ;;
	*) required="$required $2" optional=$(without "$2" "$optional") ;;
	esac
}

without() { # package, packages
	for package in $2; do [ "$package" = "$1" ] || printf ' %s' "$package"; done
}

# --- install ---
# Sets $sudo to what gives privileges and $how to its name; fails without any.
find_privilege() {
	if [ "$(id -u)" -eq 0 ]; then
		sudo='' how='as root'
	elif command -v sudo >/dev/null; then
		sudo='sudo ' how='with sudo'
	else
		return 1
	fi
}

update_package_lists() {
	${sudo}apt-get update -qq || echo "apt-get update failed; using the existing package lists" >&2
}

run_apt_get() { # packages
	${sudo}apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

install_packages() { # packages
	echo "installing $how: $*"
	run_apt_get "$@" && return
	echo "reading the package lists again $how, because the installation failed"
	update_package_lists
	run_apt_get "$@" || { echo "cannot install packages; to see why, run: ${sudo}apt-get install $*" >&2; exit 1; }
}

# Says which packages are missing; fails if one of them is required.
report_missing() { # how to install them
	for package in $required $optional; do set -- "$1 $package"; done
	[ -z "$required" ] || { echo "packages are missing; $1" >&2; exit 1; }
	[ -z "$optional" ] || echo "optional packages are missing; $1" >&2
}

install_on_debian() {
	choose_packages
	privileged=yes
	find_privilege || { privileged='' sudo=''; }
	if [ -n "$unlisted" ] && [ -n "$privileged" ]; then
		echo "reading the package lists again $how; not in them: $unlisted"
		update_package_lists
		choose_packages
	fi
	if [ -n "$unlisted" ]; then
		echo "not in the package lists of $PRETTY_NAME: $unlisted;" \
			"run apt-get update as root, or add AMD's ROCm repository" >&2
		exit 1
	fi
	if [ -n "$required" ] && [ -n "$privileged" ]; then
		# shellcheck disable=SC2086
		install_packages $required $optional
	else
		[ -n "$sudo" ] && where='' || where=' as root'
		report_missing "run$where: ${sudo}apt-get install --no-install-recommends"
	fi
}

# The first alternative counts.
report_packages() { # how to install them
	required='' optional=''
	while IFS=$tab read -r need for packages; do
		add_package "$for" "${packages%%|*}"
	done <<-END
		$needs
	END
	report_missing "$1"
}

find_distribution
needs=$(missing_needs)
[ -n "$needs" ] || exit 0
case $column in
debian) install_on_debian ;;
need) report_packages "install what provides these on $PRETTY_NAME ($table lists packages):" ;;
*) report_packages "run as root: $install" ;;
esac
