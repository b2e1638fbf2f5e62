#!/usr/bin/env bash
# Line tables in code objects change no instruction and no constant, and the same source gives the same file wherever it lies. TAP.
# WHOLE=1: every kernel of the project; else one of each kind.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
clang=${CLANG:-clang++-15} bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
hip=(-I. -x hip --rocm-path=/usr --rocm-device-lib-path="$bitcode" --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output
     -O3 --gpu-max-threads-per-block=1024)
assembly=(-I. -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx900)

report() { # status what
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=1; fi
}
code() { llvm-objcopy-15 -O binary --only-section=.text --only-section=.rodata "$1" "$2"; }

sources='kernels/chase.hip kernels/fma.hip kernels/sgemm.hip kernels/reduction.hip kernels/fma_published.s'
[ -n "${WHOLE:-}" ] && sources=$(ls kernels/*.hip kernels/*.s)
for source in $sources; do
	name=$(basename "${source%.*}")
	case $source in *.s) flags=("${assembly[@]}") ;; *) flags=("${hip[@]}") ;; esac
	"$clang" "${flags[@]}" -o "$tmp/plain.co" "$source" 2>"$tmp/err" && code "$tmp/plain.co" "$tmp/plain" && code "$BUILD/kernels/gfx900/$name.co" "$tmp/lines" &&
		[ -s "$tmp/plain" ] && cmp -s "$tmp/plain" "$tmp/lines" && readelf -SW "$BUILD/kernels/gfx900/$name.co" | grep -q debug_line
	report $? "$name: the same code with line tables as without"
done

# A kernel of one's own, compiled at run time in two folders.
for folder in here there; do
	mkdir -p "$tmp/$folder"
	cp kernels/store.hip "$tmp/$folder/"
	XDG_CACHE_HOME=$tmp/cache-$folder "$BUILD/wavedeck" isa "$tmp/$folder/store.hip" >"$tmp/$folder.txt" 2>"$tmp/err"
done
cmp -s "$tmp"/cache-here/wavedeck/kernels/store-*.co "$tmp"/cache-there/wavedeck/kernels/store-*.co
report $? 'the folder that a source lies in is not in its code object'
echo "1..$n"
exit $failed
