#!/usr/bin/env bash
# tests/e2e/workers/pool.sh with 300 deaths of workers. TAP.
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
export BUILD DEATHS=${DEATHS:-300}
exec tests/e2e/workers/pool.sh
