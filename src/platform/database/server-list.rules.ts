// Reads the list of servers from a PostgreSQL URL, in the form that libpq knows: postgresql://user@one:5432,two:5433/leads.

/** `postgresql://`, the user with `@` if there is one, the hosts with their ports, and the rest. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#\s]*@)?)([^/?#\s@]*)([/?#]\S*)?$/;
const HOST = /^(?:\[[0-9a-f:.%]+\]|[^[\]:]+)(?::(\d{1,5}))?$/i;
/** A read-only server or a standby would do for the others, and for nothing that the service does. */
const WRITABLE = ['read-write', 'primary'];

/** The URL once for each server, in order; a URL with one server as it is. */
export function serverUrls(url: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
}

/** Whether a connection counts only where it can write: with several servers always, with one where the URL asks for it. */
export function needsWritableServer(url: string): boolean {
  return serverUrls(url).length > 1 || WRITABLE.includes(targetOf(url) ?? '');
}

/** What is wrong with the servers of the URL, as the end of a sentence that begins with the variable's name; null where nothing is. */
export function serverListFault(url: string): string | null {
  const [, , , hosts = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  const names = hosts.split(',');
  if (names.length > 1 && !names.every(isHost)) {
    return 'names several servers, and each must be a host or host:port, separated by commas';
  }
  if (/[?&](?:host|hostaddr|port)=[^&#]*(?:,|%2c)/i.test(rest)) {
    return 'names several servers after the ?; they must stand before the path, as in postgresql://user@one:5432,two:5432/leads';
  }
  const target = targetOf(url);
  return target === null || WRITABLE.includes(target)
    ? null
    : `has target_session_attrs=${target}, and must have read-write, primary or none`;
}

function isHost(text: string): boolean {
  const match = HOST.exec(text);
  return match !== null && Number(match[1] ?? 5432) <= 65_535;
}

function targetOf(url: string): string | null {
  return /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? null;
}
