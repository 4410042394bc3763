#!/usr/bin/env bash
# Installs what the tests use from Debian: the browser, the oldest PostgreSQL that is promised, proxies, busybox, and the programs that check the
# files of ops/. Needs root; does nothing where all of it is there. No daemon is started: neither PostgreSQL's, nor nginx's or another.
set -euo pipefail

wanted=(postgresql-15 nginx haproxy busybox-static patroni etcd-server prometheus shellcheck)
# CHROMIUM names another browser.
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || wanted+=(chromium)

missing() {
  for package in "${wanted[@]}"; do
    # A word of its own when installed; also for packages that dpkg has never heard of.
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

mapfile -t packages < <(missing)
[ ${#packages[@]} -eq 0 ] && exit 0
echo "Installing ${packages[*]} for the tests." >&2

export DEBIAN_FRONTEND=noninteractive
# invoke-rc.d asks this program before it starts a daemon; 101 forbids it.
policy=/usr/sbin/policy-rc.d
# Debian creates a cluster with the first server of a version.
clusters=/etc/postgresql-common/createcluster.d/leadmarket-tests.conf
made=()
cleanup() { [ ${#made[@]} -eq 0 ] || rm -f "${made[@]}"; }
trap cleanup EXIT
if [ ! -e "$policy" ]; then
  made+=("$policy")
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
fi
if [ ! -e "$clusters" ]; then
  made+=("$clusters")
  mkdir -p "${clusters%/*}"
  echo 'create_main_cluster = false' > "$clusters"
fi

for attempt in 1 2 3; do
  if apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; then
    exit 0
  fi
  echo "Could not install ${packages[*]} (attempt $attempt)." >&2
  sleep $((attempt * 10))
done
# Another release of Debian may lack one of them; the tests need each of the others as well.
for package in "${packages[@]}"; do
  apt-get install -y -qq --no-install-recommends "$package" || echo "$package could not be installed." >&2
done
[ -z "$(missing)" ]
