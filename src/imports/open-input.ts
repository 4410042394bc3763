// Opens what is imported: a file, which can be read twice, or standard input or a pipe, which cannot (contract 7.10).
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';

import { maskSecrets } from '../audit/secret-mask.rules.ts';

export type ImportInput = {
  /** As given, for messages. */
  readonly path: string;
  /** For the audit log: without its folders, which may name people. */
  readonly name: string;
  /** Whether `open` may be called more than once. */
  readonly isRepeatable: boolean;
  readonly open: () => Readable;
};

export type OpenedInput =
  | { readonly ok: true; readonly input: ImportInput }
  | { readonly ok: false; readonly message: string };

const READ_BYTES = 256 * 1024;

/** `-` is standard input. */
export async function openInput(path: string, stdin: Readable): Promise<OpenedInput> {
  if (path === '-') {
    const name = 'standard input';
    return { ok: true, input: { path: name, name, isRepeatable: false, open: () => stdin } };
  }
  try {
    const status = await stat(path);
    if (status.isDirectory()) return { ok: false, message: 'is a folder' };
    const open = (): Readable => createReadStream(path, { highWaterMark: READ_BYTES });
    return { ok: true, input: { path, name: maskSecrets(basename(path)), isRepeatable: status.isFile(), open } };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { ok: false, message: error.message };
    throw error;
  }
}
