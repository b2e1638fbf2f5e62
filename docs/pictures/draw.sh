#!/usr/bin/env bash
# Draws the pictures of the README into FOLDER: runs every script of this folder on the software GPU, or on the recording of
# share/sessions that it names. `make pictures` does it here, tests/tree/pictures.sh elsewhere.
#   docs/pictures/draw.sh FOLDER [SCRIPT...]     BUILD=DIR: the build folder
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "${BUILD:-build}" && pwd)/wavedeck
folder=$1
shift
[ $# -gt 0 ] || set -- "$here"/*.script
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Nothing of the user may change a picture.
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=$tmp/cache
unset NO_COLOR
cd "$folder"
for script in "$@"; do
	source=${script%.script}.hip
	if [ -e "$source" ]; then # on a program, which is ./app in a folder of its own
		cp "$source" "$tmp" # so that its name is short on the screen
		"$here/../../kernels/in_scratch.sh" env -u ROCM_PATH "${HIPCC:-hipcc}" --offload-arch=gfx900 -O2 -g -o "$tmp/app" "$tmp/$(basename "$source")"
		(cd "$tmp" && "$program" --script "$script" ./app </dev/null)
		mv "$tmp/$(basename "$source" .hip).svg" .
	elif recording=$(sed -n 's/^# recording: //p' "$script") && [ "$recording" ]; then
		"$program" --device "replay:$here/../../share/sessions/$recording" --script "$script" </dev/null
	else
		"$program" --device soft:mi25 --script "$script" </dev/null
	fi
done
