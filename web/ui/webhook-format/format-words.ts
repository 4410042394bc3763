// Texts for the members of a webhook format, and the difference between two formats, member by member.
import type { WebhookFormat } from './format-form.ts';

/** As in a form, or with the members that a file states. */
export type RuleToName = {
  readonly when: Readonly<Record<string, unknown>>;
  readonly outcome: string;
  readonly reason?: unknown;
  readonly reference?: unknown;
  readonly price?: unknown;
};

/** A line for each rule: `1. status 409: duplicate, reason from json message` */
export function rulesWords(rules: readonly RuleToName[]): string {
  return rules.map((rule, index) => `${index + 1}. ${ruleWords(rule)}`).join('\n');
}

function ruleWords({ when, outcome, ...captures }: RuleToName): string {
  const conditions = Object.entries(when).flatMap(([name, test]) =>
    isNothing(test) ? [] : [`${name} ${setWords(test)}`],
  );
  const taken = Object.entries(captures).flatMap(([name, from]) =>
    isNothing(from) ? [] : [`${name} from ${setWords(from)}`],
  );
  const condition = conditions.length === 0 ? 'any response' : conditions.join(' and ');
  return `${condition}: ${[outcome === 'retry' ? 'try again' : outcome, ...taken].join(', ')}`;
}

/** The members that are set, such as `path status equals accepted`. */
function setWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .flatMap(([name, member]) => (isNothing(member) || member === false ? [] : [`${name} ${String(member)}`]))
    .join(' ');
}

export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A line for each header or parameter. */
export function templatesWords(templates: Readonly<Record<string, unknown>>): string {
  return Object.entries(templates)
    .map(([name, template]) => `${name}: ${String(template)}`)
    .join('\n');
}

export type FormatChange = { readonly member: string; readonly from: string; readonly to: string };

const NONE = 'none';

/** Null is the standard format. Empty for equal formats. */
export function formatChanges(before: WebhookFormat | null, after: WebhookFormat | null): FormatChange[] {
  const from = membersOf(before);
  const to = membersOf(after);
  return Object.keys({ ...from, ...to })
    .map((member) => ({ member, from: from[member] ?? NONE, to: to[member] ?? NONE }))
    .filter((change) => change.from !== change.to);
}

function membersOf(format: WebhookFormat | null): Readonly<Record<string, string>> {
  if (format?.format !== 'custom') return { Format: 'standard' };
  const { method, headers, query, body, response } = format;
  return {
    Format: 'custom',
    Method: method,
    Headers: templatesWords(headers) || NONE,
    Query: templatesWords(query) || NONE,
    'Type of the body': body?.type ?? NONE,
    Template: body?.template ?? NONE,
    Rules: rulesWords(response.rules) || NONE,
  };
}
