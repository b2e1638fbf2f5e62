# shellcheck shell=bash
# Prints a folder of device libraries that has the version file of a target. Debian 12's libraries lack that of gfx1100;
# then FOLDER gets links to them and the file.
#   device_libraries.bash gfxNNNN FOLDER
set -eu
number=${1#gfx} folder=$2
[ -e "$BITCODE/oclc_isa_version_$number.bc" ] && { echo "$BITCODE"; exit; }
mkdir -p "$folder"
ln -sf "$BITCODE"/*.bc "$folder"
"$CLANG" -x ir -target amdgcn-amd-amdhsa -nogpulib -emit-llvm -c -o "$folder/oclc_isa_version_$number.bc" - <<END
target triple = "amdgcn-amd-amdhsa"
@__oclc_ISA_version = linkonce_odr protected addrspace(4) constant i32 $((number / 100 * 1000 + number / 10 % 10 * 100 + number % 10))
END
echo "$folder"
