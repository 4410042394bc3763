#!/bin/sh
# Writes a backup into FOLDER each day at HH:MM UTC, and keeps the newest KEEP: backup-nightly.sh FOLDER HH:MM KEEP
set -u
folder=$1 at=$2 keep=$3
leadmarket=$(dirname -- "$0")/../bin/leadmarket
trap 'exit 0' TERM INT
while :; do
  now=$(date -u +%s)
  next=$(date -u -d "today $at" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  # In the background, so that SIGTERM ends the wait.
  sleep $((next - now)) &
  wait $!
  "$leadmarket" backup "$folder/leads-$(date -u +%Y-%m-%dT%H%M).backup" || echo "The backup failed; the next one is tomorrow." >&2
  ls -1 "$folder"/leads-*.backup 2>/dev/null | sort -r | tail -n +$((keep + 1)) | while read -r old; do rm -f -- "$old"; done
done
