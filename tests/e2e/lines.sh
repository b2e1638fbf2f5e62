#!/usr/bin/env bash
# Line tables in code objects change no instruction and no constant, and the folder of a source does not change its code
# object. TAP.
#   WHOLE=1   tests every kernel of the project; by default one of each kind
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
hip=(-I. -x hip --rocm-path="$ROCM_PATH" --rocm-device-lib-path="$BITCODE" --offload-arch=gfx900 --offload-device-only
     --no-gpu-bundle-output -mcode-object-version=4 -O3 --gpu-max-threads-per-block=1024)
assembly=(-I. -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx900 -mcode-object-version=4)

code() { "$LLVM_OBJCOPY" -O binary --only-section=.text --only-section=.rodata "$1" "$2"; }

sources='kernels/chase.hip kernels/fma.hip kernels/sgemm.hip kernels/reduction.hip kernels/fma_published.s'
[ -n "${WHOLE:-}" ] && sources=$(ls kernels/*.hip kernels/*.s)
for source in $sources; do
	name=$(basename "${source%.*}")
	case $source in *.s) flags=("${assembly[@]}") ;; *) flags=("${hip[@]}") ;; esac
	built=$BUILD/kernels/gfx900/$name.co
	kernels/in_scratch.sh "$CLANGXX" "${flags[@]}" -o "$tmp/plain.co" "$source" 2>"$tmp/log" &&
		code "$tmp/plain.co" "$tmp/plain" && code "$built" "$tmp/lines" &&
		[ -s "$tmp/plain" ] && cmp -s "$tmp/plain" "$tmp/lines" && readelf -SW "$built" | grep -q debug_line
	result $? "$name: the same code with and without line tables"
done

# A kernel of the user's own, compiled at run time in two folders.
for folder in here there; do
	mkdir -p "$tmp/$folder"
	cp kernels/store.hip "$tmp/$folder/"
	XDG_CACHE_HOME=$tmp/cache-$folder "$BUILD/wavedeck" isa "$tmp/$folder/store.hip" \
		>"$tmp/$folder.txt" 2>"$tmp/log"
done
cmp -s "$tmp"/cache-here/wavedeck/kernels/store-*.co "$tmp"/cache-there/wavedeck/kernels/store-*.co
result $? 'the folder of a source is not in its code object'
finish
