#!/usr/bin/env bash
# Installs Debian's Chromium, which the browser tests drive. Needs root; does nothing where it is there already.
set -euo pipefail
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] && exit 0
export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  if apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; then
    exit 0
  fi
  echo "Chromium could not be installed (attempt $attempt)." >&2
  sleep $((attempt * 10))
done
exit 1
