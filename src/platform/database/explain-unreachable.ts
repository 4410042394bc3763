// Says in one sentence why a database cannot be reached, and whether it may help to wait for it.
import type pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { serverNames } from './connector.ts';
import { codeOf, isConnectionFailure } from './sql-state.ts';

export type Unreachable = {
  /** For the operator: names servers and users, no password. */
  readonly says: string;
  /** Somebody has to change something: a password, a name, a certificate. */
  readonly isFinal: boolean;
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ENOENT: 'there is no socket of a server',
  EACCES: 'this user may not use the socket',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ETIMEDOUT: 'there is no answer',
};

/** Null where the error is not about the connection. */
export function explainUnreachable(error: unknown, connection: pg.ClientConfig): Unreachable | null {
  const fault = innermost(error);
  if (!(fault instanceof Error)) return null;
  const where = `The database at ${serverNames(connection)}`;
  if (isRefused(fault)) {
    return { says: `${where} refuses this service: ${fault.message}. Check DATABASE_URL.`, isFinal: true };
  }
  if (!(fault instanceof OutsideError) && !isConnectionFailure(fault) && !isClosed(fault)) return null;
  return { says: `${where} cannot be reached: ${reasonOf(fault)}.`, isFinal: false };
}

/** Errors of ours carry what they were made of; a migration that failed names itself, and what it was refused is no matter of the way there. */
function innermost(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof OutsideError && cause !== undefined) return innermost(cause);
  return cause !== undefined && isConnectionFailure(cause) ? cause : error;
}

/** Codes of a wrong user or password (28), a missing database and a missing right; the rest are the driver's and the TLS library's words. */
function isRefused(error: Error): boolean {
  const code = codeOf(error);
  if (code === null) return /^SASL|SSL/.test(error.message);
  return /^(?:28|3D|42501)/.test(code) || /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO/.test(code);
}

/** The operator has closed it for a while. */
function isClosed(error: Error): boolean {
  return codeOf(error) === '55000';
}

function reasonOf(error: Error): string {
  if (error instanceof OutsideError) return 'it takes no writes';
  const known = REASONS[codeOf(error) ?? ''];
  if (known !== undefined) return known;
  return /timeout|expired/i.test(error.message) ? 'there is no answer' : error.message;
}
