// Chooses the folder for the databases and other temporary files of tests: in memory where possible.
import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Several times what the tests store there at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Memory, if it has room and allows programs; otherwise the system's temporary folder. A database is a thousand files, and creating and
 * deleting them on disk takes longer than many of the tests that use it.
 */
export function quickFolder(): string {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return tmpdir();
  const [, , kind, options = ''] =
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((mount) => mount.split(' '))
      .findLast(([, mountPoint]) => mountPoint === MEMORY) ?? [];
  if (kind !== 'tmpfs' || /\b(?:ro|noexec)\b/.test(options)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES ? tmpdir() : MEMORY;
}
