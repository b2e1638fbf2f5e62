# A copy of the tree with what is built, for tests that add something to it. Source tests/tap.bash first. Sets $tree.
# The copy keeps the times of sources and objects, so make compiles only what an addition changes.
# shellcheck shell=bash disable=SC2154
tree=$tmp/tree

copy_tree() {
	mkdir -p "$tree/build/obj" "$tree/build/pic" "$tree/tests"
	cp -a Makefile toolchain.sh LICENSE README.md wavedeck.c base softgpu kernels gpu plot sessions experiments captures checks cli tui share \
		"$tree/" || exit 1
	local part
	for part in "$BUILD"/obj/* "$BUILD"/pic/*; do
		case $part in */obj/tests) continue ;; esac
		cp -a "$part" "$tree/build/$(basename "$(dirname "$part")")/"
	done
	cp -a "$BUILD"/libwavedeck.a "$BUILD"/wavedeck "$BUILD"/libsoftgpu*.* "$BUILD"/kernels "$tree/build/"
	# The dependency files name what is in a build folder elsewhere by its own name.
	find "$tree/build" -name '*.d' -exec sed -i "s|$(realpath --relative-to=. "$BUILD")/|build/|g; s|$BUILD/|build/|g" {} +
	export HOME=$tmp XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=$tmp/cache
	unset MAKEFLAGS MAKELEVEL MFLAGS
}

# Builds targets in the copy into $tmp/log; fails if more than so many files are compiled.
build_copy() { # most files, targets
	local most=$1
	shift
	make -C "$tree" --no-print-directory -j2 BUILD=build MODE="${MODE:-release}" CC="${CC:-gcc}" "$@" >"$tmp/log" 2>&1 ||
		return 1
	local compiled
	compiled=$(grep -c '^  CC ' "$tmp/log")
	[ "$compiled" -le "$most" ] || { echo "$compiled files were compiled, more than $most" >>"$tmp/log"; return 1; }
}
