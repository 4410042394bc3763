// Classifies PostgreSQL's error codes: connection failures, errors that may be retried, missing roles.

export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * The connection or server is gone, or is no longer a primary (25006), or lacks disk, memory or connections (53, 58), or aborted
 * (57, XX), or a lock is held too long (55P03): the statement is not at fault, and the outcome of a transaction is unknown.
 */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code === null) {
    return error instanceof Error && /connection|timeout exceeded|read timeout|not queryable/i.test(error.message);
  }
  return (
    /^(?:08|53|57|58|XX)/.test(code) ||
    code === '25006' ||
    code === '25P03' ||
    code === '55P03' ||
    /^E(?!RR_)/.test(code)
  );
}

/** Deadlock, serialization failure or lock timeout: nothing was changed, and the transaction may run again. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40P01' || code === '40001' || code === '55P03';
}

/** The role does not exist (22023), or this user is not a member (42501). */
export function isRoleRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === '22023' || code === '42501';
}
