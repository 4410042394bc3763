#!/bin/sh
# Watches one embedded database server from a separate process, and stops it when the last process that uses it is gone.
#
# Usage: watcher.sh LIFELINE DATABASE ADOPTED [COMMAND...], with the lifeline open for reading as descriptor 3. ADOPTED is the process id of
# a running server; if it is empty, COMMAND starts one.
#
# It reads the lifeline until no process holds it. It must then not stop the server while a process is opening the lifeline. So it first sets
# a sign (the FIFO's x bit) and reads again: a new process writes a line after opening and then checks the sign. Either the process sees no
# sign and the watcher sees its line, or the process sees the sign and waits until the sign is removed or the pipe ends.
#
# A server that the watcher starts is its child, so its pid cannot pass to another process unnoticed. The watcher ends with the server, so a
# lifeline without a reader means that there is no server, or an unwatched one. Stopping is repeated until it works, because a server that is
# just starting has no pid file yet.
trap '' HUP INT TERM
lifeline=$1 database=$2 adopted=$3
shift 3
is_server() {
  { kill -0 "$server" && read -r owner <"$database/postmaster.pid" && [ "$owner" = "$server" ]; } 2>/dev/null || return 1
  [ ! -d /proc/self ] || [ "$(readlink "/proc/$server/cwd")" = "$database" ]
}
if [ -n "$adopted" ]; then
  server=$adopted
else
  "$@" 3<&- </dev/null &
  server=$!
fi
(
  while :; do
    while read -r line; do :; done
    chmod 0700 "$lifeline"
    read -r line || break
    chmod 0600 "$lifeline"
  done
  until is_server && kill -INT "$server"; do
    kill -0 "$server" || exit
    sleep 0.1 || sleep 1
  done
) 2>/dev/null <&3 3<&- &
reader=$!
exec 3<&-
if [ -n "$adopted" ]; then
  while is_server; do sleep 1; done
else
  wait "$server"
fi
kill -KILL "$reader" 2>/dev/null
