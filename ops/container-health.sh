#!/bin/sh
# The health check of the container image: exits with 0 if the process in this container responds at its status port.
for node in /opt/leadmarket/node_modules/node-linux-*/bin/node; do
  # shellcheck disable=SC2093 # the loop only finds the one path
  exec "$node" -e 'fetch(`http://127.0.0.1:${process.env.STATUS_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))'
done
