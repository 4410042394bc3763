// Reads a marketplace file from disk: UTF-8 text, or the reason why it is none.
import { readFile } from 'node:fs/promises';

export async function readFileText(
  path: string,
): Promise<{ readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string }> {
  try {
    const bytes = await readFile(path);
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, message: 'is no UTF-8 text' };
    if (error instanceof Error && 'code' in error) return { ok: false, message: error.message };
    throw error;
  }
}
