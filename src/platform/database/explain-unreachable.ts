// Explains in one sentence why a database cannot be reached, and whether waiting may help.
import type pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { serverNames } from './connector.ts';
import { codeOf, isConnectionFailure } from './sql-state.ts';

export type Unreachable = {
  /** For the operator: names servers and users, no password. */
  readonly says: string;
  /** Waiting does not help: a password, a name or a certificate has to be corrected. */
  readonly isFinal: boolean;
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ENOENT: 'there is no server socket',
  EACCES: 'this user has no permission to use the socket',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ETIMEDOUT: 'there is no response',
};

/** Null when the error is not about the connection. */
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

/** Unwraps OutsideErrors and connection failures; a failed migration keeps its own message, which is not about the connection. */
function innermost(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof OutsideError && cause !== undefined) return innermost(cause);
  return cause !== undefined && isConnectionFailure(cause) ? cause : error;
}

/** SQL states of a wrong user or password (28), a missing database (3D) or a missing right; the others are of the driver and of TLS. */
function isRefused(error: Error): boolean {
  const code = codeOf(error);
  if (code === null) return /^SASL|SSL/.test(error.message);
  return /^(?:28|3D|42501)/.test(code) || /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO/.test(code);
}

/** The operator has closed the database to connections (object_not_in_prerequisite_state). */
function isClosed(error: Error): boolean {
  return codeOf(error) === '55000';
}

function reasonOf(error: Error): string {
  if (error instanceof OutsideError) return 'it accepts no writes';
  const known = REASONS[codeOf(error) ?? ''];
  if (known !== undefined) return known;
  return /timeout|expired/i.test(error.message) ? 'there is no response' : error.message;
}
