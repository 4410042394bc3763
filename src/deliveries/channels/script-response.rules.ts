// Reads the response of a partner's Sheets script: Google responds 200 with a web page if the script threw, the script may report an error in
// JSON, and a redirect to its output means success (contract 5.6).
import { jsonResponse } from '../../platform/outbound/response-body.rules.ts';
import { checkTargetUrl } from '../../platform/outbound/target.rules.ts';

/** `receipt`: a script that threw may have added the row before; one that reports an error has not. */
export type ScriptFault = { readonly error: string; readonly receipt: 'no' | 'unknown' };

/** Longer bodies are not kept: only their start is examined. */
export const SCRIPT_BODY_BYTES = 64 * 1024;

const ERROR_LENGTH_MAX = 200;

const PAGE =
  /^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)*<(?:!doctype\s+html|html|head|title|meta|link|style|script|body)\b/i;

const TITLE = /<title\b[^>]*>([^<]*)/i;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** `body` is null if it was not received completely; `start` is the text that it begins with. Returns null if there is no error. */
export function scriptFault({
  body,
  start,
}: {
  readonly body: Uint8Array | null;
  readonly start: string | null;
}): ScriptFault | null {
  const decoded = body === null ? (start ?? '') : new TextDecoder().decode(body);
  const page = decoded.replace(/^\uFEFF/, '');
  if (PAGE.test(page)) return { error: titleOf(page) ?? 'The script responded with a web page.', receipt: 'unknown' };
  const response = jsonResponse(body);
  if (response === null) return null;
  const { error, ok } = { error: undefined, ok: undefined, ...response } as { error: unknown; ok: unknown };
  const isWrong = error !== undefined && error !== null && error !== false && error !== '';
  if (!isWrong && ok !== false) return null;
  const text = typeof error === 'string' ? oneLine(error) : '';
  return { error: text === '' ? 'The script reported an error.' : text, receipt: 'no' };
}

function titleOf(page: string): string | null {
  const title = TITLE.exec(page)?.[1]?.replaceAll(/&(#39|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
  const text = oneLine(title ?? '');
  return text === '' ? null : text;
}

function oneLine(text: string): string {
  return [...text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, ERROR_LENGTH_MAX).join('');
}

const SCRIPT_HOST = 'script.google.com';

const OUTPUT_HOST = 'script.googleusercontent.com';

export type Redirect = {
  /** The URL of the request. */
  readonly url: string;
  readonly status: number;
  readonly location: string | null;
};

/**
 * Whether a redirect is the success response of a Google script: exactly from the script host to the output host, by HTTPS on the default
 * port. It is not followed. A redirect to any other host does not prove that the script accepted the lead.
 */
export function isScriptOutput({ url, status, location }: Redirect): boolean {
  return status === 302 && location !== null && isAtHost(url, SCRIPT_HOST) && isAtHost(location, OUTPUT_HOST);
}

/** The target rules also reject spellings that the URL parser would normalize away. */
function isAtHost(raw: string, host: string): boolean {
  const verdict = checkTargetUrl(raw, []);
  return verdict.ok && verdict.url.host === host;
}
