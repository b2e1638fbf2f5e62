#!/usr/bin/env bash
# The README's commands on Debian sid, with newer compilers and ROCm libraries than any stable release. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
tests/distro/run.sh sid 2>&1 | tee "$tmp/log" | sed -u 's/^/# /'
status=${PIPESTATUS[0]}
skipped=$(sed -n 's/^SKIP sid: //p' "$tmp/log")
if [ -n "$skipped" ]; then
	skip 'make run and make check on sid' "$skipped"
else
	result $status "make run and make check on sid: $(tail -n 1 "$tmp/log")"
fi
finish
