#!/bin/sh
# Watches one embedded database server, outside of all processes that use it, and stops it when the last of them is gone.
#
# Usage: watcher.sh LIFELINE DATABASE ADOPTED [COMMAND...], with the lifeline open for reading as descriptor 3. ADOPTED is the process id of
# a server that runs already; where it is empty, COMMAND starts one.
#
# It reads the lifeline until nobody holds it, and then must not stop the server under a process that opened it in that very moment. So it
# first puts up a sign (the FIFO's x bit), and looks again: a newcomer writes a line after opening and then looks for the sign. Either the
# newcomer sees no sign and the watcher sees the newcomer, or the newcomer sees the sign and waits until its line is answered by the sign's
# removal or by the pipe's end.
#
# The server is the watcher's child where the watcher starts it: its number cannot pass to another process unnoticed. The watcher ends with
# the server, so a lifeline without a reader means: no server, or one that is not watched. Stopping is tried until it works because a server
# that is just starting has no file to be known by.
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
