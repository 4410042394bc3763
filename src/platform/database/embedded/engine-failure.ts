// Creates the error of an embedded engine that cannot run, with a text for the operator.
import { OutsideError } from '../../outside-error.ts';

export function engineFailure(text: string, cause?: unknown): OutsideError {
  return new OutsideError('database_unavailable', text, { cause, retryable: false });
}

/** The alternative to the embedded engine; ends most of the texts. */
export const USE_EXTERNAL = 'set DATABASE_URL to a PostgreSQL 15 or newer';

/** The `code` of a system error (`ENOENT`) or of a PostgreSQL error (`57P03`). */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
