#!/usr/bin/env bash
# The packages on each Debian that has ROCm: built, checked by lintian, installed and used in clean systems. TAP.
#   SUITES='bookworm trixie' tests/long/packages.sh
set -u
status=0
for suite in ${SUITES:-bookworm trixie}; do
	"$(dirname "$0")/../distro/package.sh" "$suite" || status=1
done
exit $status
