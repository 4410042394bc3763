// Parses the list of servers in a PostgreSQL URL, in libpq's form: postgresql://user@one:5432,two:5433/leads.

/** `postgresql://`, the user with `@` if there is one, the hosts with their ports, and the rest. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#\s]*@)?)([^/?#\s@]*)([/?#]\S*)?$/;
const HOST = /^(?:\[[0-9a-f:.%]+\]|[^[\]:]+)(?::(\d{1,5}))?$/i;
/** The other values allow a read-only server or a standby, which the service cannot use. */
const WRITABLE = ['read-write', 'primary'];

/** One URL per server, in order. */
export function serverUrls(url: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
}

/** Whether only a writable server is accepted: always with several servers, and with one if the URL says so. */
export function needsWritableServer(url: string): boolean {
  return serverUrls(url).length > 1 || WRITABLE.includes(targetOf(url) ?? '');
}

/**
 * The error in the URL's servers, as the rest of a sentence that begins with the variable's name; null without one. `needs`: whether the
 * service writes to the server.
 */
export function serverListFault(url: string, needs: 'writable' | 'any' = 'writable'): string | null {
  const [, , , hosts = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  const names = hosts.split(',');
  if (names.length > 1 && !names.every(isHost)) {
    return 'names several servers, and each must be a host or host:port, separated by commas';
  }
  if (/[?&](?:host|hostaddr|port)=[^&#]*(?:,|%2c)/i.test(rest)) {
    return 'names several servers after the ?; they must stand before the path, as in postgresql://user@one:5432,two:5432/leads';
  }
  const target = targetOf(url);
  return target === null || needs === 'any' || WRITABLE.includes(target)
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
