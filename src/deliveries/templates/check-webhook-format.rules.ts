// Checks a partner's webhook format as a marketplace file or a form states it: templates, names of headers, and rules for responses
// (contract 13.1, 13.2).
import { Value } from 'typebox/value';

import type { Members } from '../../base/json.ts';
import type { WebhookFormat } from '../../buyers/buyer.ts';
import { HEADERS_MAX, PARAMETERS_MAX, WebhookFormatSchema } from '../../buyers/webhook-format.schema.ts';
import { formOf } from '../../marketplace/configured-form.rules.ts';
import { compileRules } from '../channels/read-response.rules.ts';
import type { KnownNames } from './names.rules.ts';
import { compileRequest, pointerTo } from './webhook-request.rules.ts';
import { findXmlFault } from './xml-template.rules.ts';

/** `at` is a JSON Pointer from the format. `inText` counts UTF-16 units from the start of a template. */
export type FormatFault = {
  readonly at: string;
  readonly message: string;
  readonly ofName?: boolean;
  readonly inText?: number;
};

const TEMPLATE_LENGTH_MAX = 4_000;
const NAME_LENGTH_MAX = 200;

/** Any name of an own field. */
const anyField: KnownNames = { ownFields: null };

/** `value` has its defaults filled in. Nothing is said of a value that does not fit the schema, which reports that. */
export function checkWebhookFormat(value: Members, known: KnownNames = anyField): FormatFault[] {
  const format: WebhookFormat = formOf(WebhookFormatSchema, value);
  if (!fitsWebhookSchema(format)) return [];
  const { method, headers, query, body, response } = format;
  if (format.format === 'standard') {
    const isStated = Object.keys({ ...headers, ...query }).length > 0 || body !== null || response.rules.length > 0;
    return isStated ? [{ at: '/format', message: 'must be custom for a request or rules of its own' }] : [];
  }
  const named = [...headerFaults(headers), ...queryFaults(query)];
  const request = compileRequest(format, known);
  const rules = compileRules(response.rules, { isBounded: true });
  return [
    ...named,
    ...(method === 'GET' && body !== null ? [{ at: '/body', message: 'must be left out: a GET has none' }] : []),
    ...(request.ok ? [] : request.faults.map(({ at, message, offset }) => ({ at, message, inText: offset }))),
    ...(body?.type === 'xml' ? xmlFaults(body.template) : []),
    ...(rules.ok ? [] : rules.faults.map(({ at, message }) => ({ at: `/response/rules${at}`, message }))),
  ];
}

/** A stored template of an earlier release may have them, and is sent as it is. */
function xmlFaults(template: string): FormatFault[] {
  const fault = findXmlFault(template);
  return fault === null ? [] : [{ at: '/body/template', message: fault.message, inText: fault.offset }];
}

export function fitsWebhookSchema(form: unknown): boolean {
  return Value.Check(WebhookFormatSchema, form);
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** The client sets these itself, or they would change where a request ends. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

function* headerFaults(headers: WebhookFormat['headers']): Generator<FormatFault> {
  const seen = new Set<string>();
  if (Object.keys(headers).length > HEADERS_MAX) yield { at: '/headers', message: `must be at most ${HEADERS_MAX}` };
  for (const [name, template] of Object.entries(headers)) {
    const at = pointerTo('headers', name);
    const lower = name.toLowerCase();
    if (!TOKEN.test(name)) yield { at, ofName: true, message: 'is no name of a header' };
    else if (OWN_HEADERS.has(lower)) yield { at, ofName: true, message: 'is a header that cannot be set' };
    else if (seen.has(lower)) yield { at, ofName: true, message: 'stands here for the second time' };
    else if (/\p{Cc}/u.test(template)) yield { at, message: 'must be one line without control characters' };
    else if (template.length > TEMPLATE_LENGTH_MAX)
      yield { at, message: `must have at most ${TEMPLATE_LENGTH_MAX} characters` };
    seen.add(lower);
  }
}

function* queryFaults(query: WebhookFormat['query']): Generator<FormatFault> {
  if (Object.keys(query).length > PARAMETERS_MAX) yield { at: '/query', message: `must be at most ${PARAMETERS_MAX}` };
  for (const [name, template] of Object.entries(query)) {
    const at = pointerTo('query', name);
    if (name.length > NAME_LENGTH_MAX || name.trim() === '')
      yield { at, ofName: true, message: 'is no name of a parameter' };
    else if (template.length > TEMPLATE_LENGTH_MAX)
      yield { at, message: `must have at most ${TEMPLATE_LENGTH_MAX} characters` };
  }
}
