// What a look for facts knows of the one before, and where it says whom it had to leave out (contract 12.3).
import type { LeftOut } from '../notices/left-out.ts';

export type Look = {
  /** Everything up to then has been looked at; null before the first look. */
  readonly lookedAt: Date | null;
  readonly leaveOut: (one: LeftOut) => void;
};
