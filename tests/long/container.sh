#!/usr/bin/env bash
# The image of the Containerfile: built in a clean Debian and used with a keyboard. TAP.
exec "$(dirname "$0")/../distro/container.sh"
