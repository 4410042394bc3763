// Judges the folder of an embedded database.
import type { Finding } from './finding.ts';

const GIGABYTE = 1_000_000_000;
/** PostgreSQL stops when the disk is full. A million leads take some gigabytes. */
const WARN_BELOW = 5 * GIGABYTE;
const TOO_FULL_BELOW = GIGABYTE / 2;

type Storage = {
  readonly folder: string;
  readonly freeBytes: number;
  /** As of `stat`: the lowest nine bits are permissions. */
  readonly mode: number;
};

export function judgeStorage({ folder, freeBytes, mode }: Storage): Pick<Finding, 'ok' | 'detail' | 'warning'> {
  const isOpen = (mode & 0o077) !== 0;
  const parts = [
    `${folder}: ${(freeBytes / GIGABYTE).toFixed(1)} GB free`,
    ...(isOpen ? [`other users of this machine may enter it (chmod 700 ${folder})`] : []),
  ];
  const ok = freeBytes >= TOO_FULL_BELOW;
  const warns = isOpen || freeBytes < WARN_BELOW;
  return { ok, detail: parts.join(', '), ...(ok && warns ? { warning: true } : {}) };
}
