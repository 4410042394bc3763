// Puts a folder in the place of another one, beside other processes that do the same.
import { renameSync, rmSync } from 'node:fs';

/** Another process has just put its folder there; EPERM is what Windows says then. */
const IN_THE_WAY = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

/**
 * By renames, so that the folder is complete whenever it is there. `isThere` says whether another process has put the same there; then
 * `fresh` stays where it is.
 */
export function putInPlace(fresh: string, place: string, isThere: () => boolean): void {
  const old = `${place}.old.${process.pid}`;
  while (!isThere()) {
    try {
      renameUnless(['ENOENT'], place, old);
      if (renameUnless(IN_THE_WAY, fresh, place)) return;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** Whether it was renamed. */
function renameUnless(codes: readonly unknown[], from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && codes.includes(error.code))) throw error;
    return false;
  }
}
