#!/usr/bin/env bash
# Writes share/accuracy/MODEL.json: the errors of a model by kind of measurement. `make accuracy` does it for the models of
# gfx9; the RX 7900 XTX takes hours. A model without published rows, or with rows that were not measured, keeps its file.
#   docs/accuracy.sh [MODEL...]     BUILD=DIR: the build folder
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
program=$(cd "${BUILD:-build}" && pwd)/wavedeck
[ $# -gt 0 ] || set -- mi25 mi60 mi100 mi210
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=$tmp/cache
written=0
for model in "$@"; do
	if "$program" validate --summary --json --device "soft:$model" >"$tmp/$model.json"; then
		cp "$tmp/$model.json" "$here/share/accuracy/$model.json"
		written=$((written + 1))
	fi
done
echo "wrote $written of $# files in share/accuracy"
[ $written -gt 0 ]
