// Finds in the output of a server process the log lines that are faults, without those that a process on a busy machine may write.

/** With LOG_LEVEL=warn, which tests set, each line of the log is one. Prints all, so that those that are allowed are seen too. */
export function faultLines(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  if (lines.length > 0) console.log(lines.join('\n'));
  return lines.filter((line) => !isOfBusyMachine(JSON.parse(line)));
}

/**
 * What a process may say that waited long for a processor: that the database did not respond in time, which it tries again, or that a response
 * to its question for the time took too long to tell whose clock is wrong.
 */
function isOfBusyMachine({ msg, err }: { readonly msg: string; readonly err?: { readonly type?: string } }): boolean {
  return (
    (msg === 'background work failed' && err?.type === 'OutsideError') ||
    msg === 'a connection to the database broke' ||
    msg.startsWith("this machine's clock is not the database's")
  );
}
