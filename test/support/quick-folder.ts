// Where the tests put their databases and other files of a moment.
import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Several times what the tests have there at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * In memory where that has room and may hold programs: a database is a thousand files, and on a disk, clearing those of one file of tests
 * away and making those of the next costs more than many a file does with them. Otherwise where temporary files always are.
 */
export function quickFolder(): string {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return tmpdir();
  const [, , kind, options = ''] =
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((mount) => mount.split(' '))
      .findLast(([, place]) => place === MEMORY) ?? [];
  if (kind !== 'tmpfs' || /\b(?:ro|noexec)\b/.test(options)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES ? tmpdir() : MEMORY;
}
