#!/bin/sh
# Installs what a database node, an etcd member or a proxy of the cluster needs from Debian 12, and leaves all of it stopped: run as root.
# docs/high-availability.md describes what to start where.
set -eu

packages='patroni etcd-server etcd-client haproxy postgresql-15 iproute2 iptables util-linux'
services='patroni etcd haproxy postgresql'

[ "$(id -u)" = 0 ] || { echo 'install.sh has to run as root.' >&2; exit 1; }

# A package starts its service at once unless this file says no. One that is there already stays as it is.
policy=/usr/sbin/policy-rc.d
made=no
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
  made=yes
fi
trap '[ "$made" = no ] || rm -f "$policy"' EXIT

# Debian would make a cluster of its own, on the port that Patroni's needs. One that is there already stays as it is.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
  mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/leadmarket.conf
fi

missing=
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  apt-get update -q
  # shellcheck disable=SC2086 # a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
  # Only what came just now: a service that was here before stays enabled.
  if command -v systemctl > /dev/null; then
    now=
    [ ! -d /run/systemd/system ] || now=--now
    for service in $services; do
      case "$missing" in *"$service"*) systemctl disable $now "$service.service" || true ;; esac
    done
  fi
fi
echo 'Installed. Nothing was started.'
