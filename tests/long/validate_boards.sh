#!/usr/bin/env bash
# tests/e2e/validate.sh with all rows of other boards.
ALL_BOARDS=1 exec "$(dirname "$0")/../e2e/validate.sh"
