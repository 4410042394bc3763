// Puts a folder in the place of another one, beside other processes that do the same.
import { renameSync, rmSync } from 'node:fs';

/** Another process has just put its folder there; EPERM is what Windows says then. */
const IN_THE_WAY = ['ENOTEMPTY', 'EEXIST', 'EPERM'];
/** Each failed try means that another process was first; so many in a row mean that the place cannot be written. */
const TRIES = 1000;

/**
 * By renames, so that the folder is complete whenever it exists. `isThere` says whether another process has put the same there; then
 * `fresh` stays where it is. Throws the error of the last rename when no try succeeds.
 */
export function putInPlace(fresh: string, place: string, isThere: () => boolean): void {
  const old = `${place}.old.${process.pid}`;
  for (let left = TRIES; !isThere(); left -= 1) {
    try {
      renameUnless(['ENOENT'], place, old);
      if (renameUnless(left > 1 ? IN_THE_WAY : [], fresh, place)) return;
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
