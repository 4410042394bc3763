// Commits that may still be running somewhere while this one is started beside them, oldest first; the last is the newest release. A
// release adds its commit here, and commits that can no longer be running are removed.
export const released = ['1cc328e', '3eda746', 'cfb4c92', '453fa62', '34fd317', '8776c6e', '080f005'] as const;
