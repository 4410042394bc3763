// The connection options of an embedded server, for `pg`.

export type Connection = {
  /** The directory of the Unix socket. On Windows it would be 127.0.0.1, with a random port and a SCRAM password. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
  /** Explicit, so that PGSSLMODE, meant for another server, does not request TLS on a socket. */
  readonly ssl: false;
};

export const SUPERUSER = 'leadmarket';
export const DATABASE = 'leadmarket';
/** Only a part of the socket's name. */
export const PORT = 5432;

export function connectionTo(socket: string): Connection {
  return { host: socket, port: PORT, user: SUPERUSER, database: DATABASE, ssl: false };
}
