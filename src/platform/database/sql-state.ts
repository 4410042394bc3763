// What PostgreSQL's error codes mean to us: which failures are the connection's and which may be tried again.

export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * The connection or server is gone, or is no primary any more (25006), or lacks disk, memory or connections (53, 58), or gave up
 * (57, XX), or somebody holds a lock for too long (55P03): nothing is wrong with what was asked, and the outcome of what ran is unknown.
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

/** Deadlock or serialisation failure: nothing happened, the same work may run again. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40P01' || code === '40001' || code === '55P03';
}

/** There is no such role (22023), or this user may not enter it (42501). */
export function isRoleRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === '22023' || code === '42501';
}
