// Files of claims: which contents are taken, judged by their first bytes, and how a file is named (contract 6.10). Pure.

import type { FileId } from '../base/ids.ts';

export const FILES_PER_CLAIM = 5;
/** Five minutes of a compressed call, or a scanned letter. */
export const FILE_BYTES_MAX = 5 * 1024 * 1024;
const NAME_LENGTH_MAX = 100;

/** Extensions by type; the first is the one that a name without a fitting one gets. */
const EXTENSIONS = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'application/pdf': ['pdf'],
  'audio/wav': ['wav'],
  'audio/mpeg': ['mp3'],
  'text/plain': ['txt', 'csv', 'log'],
} as const;

export type FileType = keyof typeof EXTENSIONS;
export const fileTypes = Object.keys(EXTENSIONS) as readonly FileType[];

export type ClaimFile = {
  readonly fileId: FileId;
  readonly name: string;
  readonly type: FileType;
  readonly sizeBytes: number;
  readonly addedAt: Date;
};

/** The type that the content has, whatever the sender calls it; null for any other. */
export function fileTypeOf(content: Uint8Array): FileType | null {
  const startsWith = (text: string, at = 0): boolean =>
    [...text].every((character, index) => content[at + index] === character.charCodeAt(0));
  if (startsWith('\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (startsWith('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (startsWith('%PDF-')) return 'application/pdf';
  if (startsWith('RIFF') && startsWith('WAVE', 8)) return 'audio/wav';
  if (startsWith('ID3') || isMpegFrame(content)) return 'audio/mpeg';
  return isPlainText(content) ? 'text/plain' : null;
}

/** The header of an MPEG audio frame, layer III, with a bit rate and a sample rate. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isLayer3 = (second & 0b1110_0110) === 0b1110_0010 && (second & 0b0001_1000) !== 0b0000_1000;
  const bitRate = third >> 4;
  return first === 0xff && isLayer3 && bitRate !== 0 && bitRate !== 15 && (third & 0b1100) !== 0b1100;
}

// Every control character but tab, line feed and carriage return.
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** UTF-8 without control characters. Markup is refused, because programs open it by its content. */
function isPlainText(content: Uint8Array): boolean {
  if (content.length === 0) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return !CONTROL.test(text) && !/^\s*</u.test(text);
  } catch {
    return false;
  }
}

// Control, formatting (which can reverse the order of letters) and separator characters, and what file systems forbid.
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}"*:<>?|%;]/gu;

/** The last part of a path, in letters that every system can store, ending as its type does. */
export function cleanFileName(given: string, type: FileType): string {
  const [first, ...others] = EXTENSIONS[type];
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replaceAll(FORBIDDEN, '')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '');
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1).toLowerCase();
  const fits = dot > 0 && [first, ...others].some((one) => one === extension);
  const stem = [...(fits ? name.slice(0, dot) : name)].slice(0, NAME_LENGTH_MAX - 5).join('');
  return `${stem === '' ? 'file' : stem}.${fits ? extension : first}`;
}

/** A `Content-Disposition` with the name in ASCII and, for other letters, in UTF-8 (RFC 6266). */
export function attachmentHeader(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7E]|["\\]/gu, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*!]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
