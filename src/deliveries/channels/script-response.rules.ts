// What the body of a script's 2xx says: scripts of Google answer 200 with a web page where they threw, and may say in JSON that something
// is wrong (contract 5.6).
import { jsonResponse } from '../../platform/outbound/response-body.rules.ts';
import { checkTargetUrl } from '../../platform/outbound/target.rules.ts';

/** `receipt`: a script that threw may have added the row before; one that says so itself has not. */
export type ScriptFault = { readonly error: string; readonly receipt: 'no' | 'unknown' };

/** As much of a whole body as a script has to say; of a longer one its start is looked at. */
export const SCRIPT_BODY_BYTES = 64 * 1024;

const ERROR_LENGTH_MAX = 200;

const PAGE =
  /^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)*<(?:!doctype\s+html|html|head|title|meta|link|style|script|body)\b/i;

const TITLE = /<title\b[^>]*>([^<]*)/i;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** `body` is null where it did not come whole, `start` the text that it begins with. Null where nothing is wrong. */
export function scriptFault({
  body,
  start,
}: {
  readonly body: Uint8Array | null;
  readonly start: string | null;
}): ScriptFault | null {
  const text = body === null ? (start ?? '') : new TextDecoder().decode(body);
  const page = text.replace(/^\uFEFF/, '');
  if (PAGE.test(page)) return { error: titleOf(page) ?? 'The script answered with a web page.', receipt: 'unknown' };
  const response = jsonResponse(body);
  if (response === null) return null;
  const { error, ok } = { error: undefined, ok: undefined, ...response } as { error: unknown; ok: unknown };
  const isWrong = error !== undefined && error !== null && error !== false && error !== '';
  if (!isWrong && ok !== false) return null;
  const said = typeof error === 'string' ? oneLine(error) : '';
  return { error: said === '' ? 'The script answered that something is wrong.' : said, receipt: 'no' };
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
  /** What was posted to. */
  readonly url: string;
  readonly status: number;
  readonly location: string | null;
};

/** Exactly this pair, by HTTPS on its own port: whoever can redirect elsewhere has not taken the lead. */
export function isScriptOutput({ url, status, location }: Redirect): boolean {
  return status === 302 && location !== null && isAtHost(url, SCRIPT_HOST) && isAtHost(location, OUTPUT_HOST);
}

/** The target rules also see what the URL parser would hide. */
function isAtHost(raw: string, host: string): boolean {
  const verdict = checkTargetUrl(raw, []);
  return verdict.ok && verdict.url.host === host;
}
