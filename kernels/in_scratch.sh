#!/bin/sh
# Runs a command with a TMPDIR of its own that is removed afterwards. Each time clang compiles HIP for a device only, it
# leaves a folder in TMPDIR.
TMPDIR=$(mktemp -d) || exit 1
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM
"$@"
