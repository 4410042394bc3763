// Reads the response of a partner's Sheets script: Google responds 200 with a web page if the script threw, otherwise with a redirect to the
// script's output, in which the script may report an error (contract 5.6).
import type { Members } from '../../base/json.ts';
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
  const text = oneLine(page);
  if (/^[{[]/.test(text) && body !== null && !isJson(page)) {
    return { error: 'The script’s response was broken JSON.', receipt: 'unknown' };
  }
  const response = jsonResponse(body);
  if (response === null) return NO_IN_TEXT.test(text) ? { error: text, receipt: 'no' } : null;
  return saysNo(response) ? { error: reasonIn(response) ?? 'The script reported an error.', receipt: 'no' } : null;
}

/** `Error: …`, `TypeError: …`, `Exception: …`, `FAILED`, as scripts write what they have caught. */
const NO_IN_TEXT = /^["']?(?:\w*error|\w*exception|fail(?:ed|ure)?)(?!\w)/i;
const NO_WORDS = /^(?:(?:\w*error|\w*exception|fail(?:ed|ure)?|invalid|denied|rejected)(?!\w)|(?:no|nok|ng|false)$)/i;
const NO_VALUES: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', 'no', 'n']);
const LOWEST_ERROR_STATUS = 400;

/** The common ways: `ok` or `success` is false, there is an `error`, or the result or status is called one. */
function saysNo(response: Members): boolean {
  const members = new Map(Object.entries(response).map(([name, value]) => [name.toLowerCase(), value]));
  if (['ok', 'success', 'successful'].some((name) => NO_VALUES.has(plain(members.get(name))))) return true;
  const { error, errors } = Object.fromEntries(members);
  if (!isNothing(error) || (Array.isArray(errors) && errors.length > 0)) return true;
  return ['result', 'status', 'state', 'outcome', 'code', 'statuscode'].some((name) => {
    const value = members.get(name);
    if (typeof value === 'number') return name !== 'result' && value >= LOWEST_ERROR_STATUS && value < 600;
    return value === false || (typeof value === 'string' && NO_WORDS.test(value.trim()));
  });
}

function isNothing(error: unknown): boolean {
  return error === undefined || error === null || plain(error) === '' || NO_VALUES.has(plain(error));
}

function plain(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

/** What the script says of it, in its own words. */
function reasonIn(response: Members): string | null {
  const { error, errors, message, msg, details } = response;
  const first: unknown = Array.isArray(errors) ? (errors as unknown[])[0] : errors;
  const said = [error, messageOf(error), message, msg, first, messageOf(first), details];
  const text = said.find((one) => typeof one === 'string' && !isNothing(one) && plain(one) !== 'true');
  return typeof text === 'string' ? oneLine(text) : null;
}

function messageOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'message' in value ? value.message : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function titleOf(page: string): string | null {
  const title = TITLE.exec(page)?.[1]?.replaceAll(/&(#39|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
  const text = oneLine(title ?? '');
  return text === '' ? null : text;
}

function oneLine(text: string): string {
  return [...text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, ERROR_LENGTH_MAX).join('');
}

/** Where scripts run, and where they are redirected to for what they have written. */
export type ScriptHosts = { readonly script: string; readonly output: string };

export const googleHosts: ScriptHosts = { script: 'script.google.com', output: 'script.googleusercontent.com' };

export type Redirect = {
  /** The URL of the request. */
  readonly url: string;
  readonly status: number;
  readonly location: string | null;
};

/**
 * The URL of a script's output: of a redirect exactly from the script host to the output host, by HTTPS on the default port. A redirect to any
 * other host, which does not prove that the script ran, is null.
 */
export function scriptOutput({ url, status, location }: Redirect, { script, output }: ScriptHosts): string | null {
  return status === 302 && location !== null && isAtHost(url, script) && isAtHost(location, output) ? location : null;
}

/** The target rules also reject spellings that the URL parser would normalize away. */
function isAtHost(raw: string, host: string): boolean {
  const verdict = checkTargetUrl(raw, []);
  return verdict.ok && verdict.url.host === host;
}
