// Makes the request of a custom webhook from its templates for one delivery (contract 13.1). The same delivery gives the same request.
import type { WebhookFormat } from '../../buyers/buyer.ts';
import {
  type Compiled,
  compileText,
  type Escape,
  type Render,
  type Rendering,
  REQUEST_LENGTH_MAX,
} from './compile-template.rules.ts';
import { compileJson } from './json-template.rules.ts';
import type { KnownNames, TemplateInput } from './names.rules.ts';
import { compileXml } from './xml-template.rules.ts';
import type { TemplateFault } from './expression.rules.ts';

export type CompiledRequest = {
  readonly method: WebhookFormat['method'];
  readonly contentType: string | null;
  readonly headers: ReadonlyArray<readonly [name: string, render: Render]>;
  readonly query: ReadonlyArray<readonly [name: string, render: Render]>;
  readonly body: Render | null;
};

export type WebhookRequest = {
  readonly method: WebhookFormat['method'];
  readonly url: string;
  /** Names in lower case; values have no control characters, but may have characters beyond ASCII. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Texts that came from secrets, which must be shown nowhere. */
  readonly hidden: readonly string[];
};

/** The error may be shown to the partner. */
export type RenderedRequest =
  | { readonly ok: true; readonly request: WebhookRequest }
  | {
      readonly ok: false;
      readonly error: string;
      /** Whether the operator can mend it, by setting a secret; else this lead cannot be sent in this form. */
      readonly isMendable: boolean;
    };

/** A JSON Pointer to a member of a map of templates. */
export function pointerTo(member: 'headers' | 'query', name: string): string {
  return `/${member}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

type PartFault = TemplateFault & { readonly at: string };

const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

const asIs: Escape = (text) => text;

/** Faults name the member by a JSON Pointer from the format; at most one for each template. */
export function compileRequest(
  { method, headers, query, body }: Pick<WebhookFormat, 'method' | 'headers' | 'query' | 'body'>,
  known: KnownNames,
): { readonly ok: true; readonly request: CompiledRequest } | { readonly ok: false; readonly faults: PartFault[] } {
  const faults: PartFault[] = [];
  const part = (at: string, compiled: Compiled<string>): Render => {
    if (compiled.ok) return compiled.render;
    faults.push({ at, ...compiled.fault });
    return () => '';
  };
  const named = (member: 'headers' | 'query', templates: Readonly<Record<string, string>>, escape: Escape) =>
    Object.entries(templates).map(([name, template]) => {
      return [name, part(pointerTo(member, name), compileText(template, { known, escape, literal: escape }))] as const;
    });
  const request: CompiledRequest = {
    method,
    contentType: body === null ? null : CONTENT_TYPES[body.type],
    headers: named('headers', headers, asIs).map(([name, render]) => [name.toLowerCase(), render] as const),
    query: named('query', query, percentEncoded),
    body: body === null ? null : part('/body/template', compileBody(body, known)),
  };
  return faults.length === 0 ? { ok: true, request } : { ok: false, faults };
}

function compileBody({ type, template }: NonNullable<WebhookFormat['body']>, known: KnownNames): Compiled<string> {
  if (type === 'json') return compileJson(template, known);
  if (type === 'xml') return compileXml(template, known);
  if (type === 'text') return compileText(template, { known, escape: asIs });
  return compileText(template, { known, escape: percentEncoded, literal: withoutLineBreaks });
}

/** As in forms, but with `%20` for a blank, which every receiver decodes. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A form may be written with one member on each line. */
function withoutLineBreaks(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, '');
}

/** The most that common servers read of a request's first line, and of its headers. */
const URL_LENGTH_MAX = 8_000;
const HEADERS_LENGTH_MAX = 12_000;

/** `url` is the partner's webhook URL, whose own query stays in front. */
export function renderRequest(compiled: CompiledRequest, url: string, input: TemplateInput): RenderedRequest {
  const rendering: Rendering = {
    input,
    problems: new Set(),
    hidden: new Set(),
    isSecretMissing: false,
    room: REQUEST_LENGTH_MAX,
  };
  const { problems } = rendering;
  const headers: Record<string, string> = {};
  if (compiled.contentType !== null) headers['content-type'] = compiled.contentType;
  let headersLength = 0;
  for (const [name, render] of compiled.headers) {
    const value = render(rendering).trim();
    if (/\p{Cc}/u.test(value)) problems.add(`The header ${name} has a line break or another control character.`);
    headersLength += name.length + value.length + 4;
    headers[name] = value;
  }
  if (headersLength > HEADERS_LENGTH_MAX) problems.add('The headers would be too long.');
  const query = compiled.query.map(([name, render]) => `${percentEncoded(name)}=${render(rendering)}`).join('&');
  const target = withQuery(url, query);
  if (target.length > URL_LENGTH_MAX) problems.add('The URL would be too long.');
  const body = compiled.body?.(rendering) ?? null;
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, error: problem, isMendable: rendering.isSecretMissing };
  return { ok: true, request: { method: compiled.method, url: target, headers, body, hidden: [...rendering.hidden] } };
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const [before = '', ...fragment] = url.split('#');
  const mark = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?';
  return [`${before}${mark}${query}`, ...fragment].join('#');
}
