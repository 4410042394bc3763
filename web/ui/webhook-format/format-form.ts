// The form of a webhook format: values while they are edited, and the changes of its parts.
import type { PartnerForm } from '../../../src/buyers/partner.schema.ts';

export type WebhookFormat = NonNullable<PartnerForm['webhook']>;
export type Rule = WebhookFormat['response']['rules'][number];
export type When = Rule['when'];
export type Capture = NonNullable<Rule['reason']>;
export type BodyType = NonNullable<WebhookFormat['body']>['type'];

/** The error of a member by its path in the format: `body.template`, `response.rules[0].when.json.path`. */
export type FaultOf = (path: string) => string | undefined;

const NO_TESTS = { equals: null, contains: null, pattern: null };

export const emptyFormat: WebhookFormat = {
  format: 'custom',
  method: 'POST',
  headers: {},
  query: {},
  body: { type: 'json', template: '{\n  "phone": "{{ lead.phone }}"\n}' },
  response: { rules: [] },
};

export const emptyRule: Rule = {
  when: { status: [200], header: null, json: null, text: null },
  outcome: 'accepted',
  reason: null,
  reference: null,
  price: null,
};

export const newConditions = {
  header: { name: '', ...NO_TESTS, equals: '' },
  json: { path: '', ...NO_TESTS, equals: '', exists: false, missing: false },
  text: { ...NO_TESTS, contains: '' },
} as const;

export type Source = keyof typeof newConditions;
export type TestName = 'equals' | 'contains' | 'pattern' | 'exists' | 'missing';

export const TEST_WORDS: Readonly<Record<TestName, string>> = {
  equals: 'equals',
  contains: 'contains',
  pattern: 'matches the pattern',
  exists: 'is there',
  missing: 'is missing',
};
const ALL_TESTS = Object.keys(TEST_WORDS) as TestName[];

type Tests = { readonly [Name in TestName]?: unknown };

/** The tests of a condition that are set, in a fixed order. */
export function testsOf(condition: Tests): TestName[] {
  return ALL_TESTS.filter((name) => {
    const value = condition[name];
    return value !== null && value !== undefined && value !== false;
  });
}

/** The condition with another test in place of `before`; a typed value goes along. */
export function withTest<Condition extends Tests>(condition: Condition, before: TestName, after: TestName): Condition {
  const value = condition[before];
  const text = typeof value === 'boolean' || value === null || value === undefined ? '' : value;
  const unset = before === 'exists' || before === 'missing' ? false : null;
  const set = after === 'exists' || after === 'missing' ? true : text;
  return { ...condition, [before]: unset, [after]: set };
}

/** Only a rule that accepts takes a reference and a price, and only the others a reason. */
export function withOutcome(rule: Rule, outcome: Rule['outcome']): Rule {
  return outcome === 'accepted'
    ? { ...rule, outcome, reason: null }
    : { ...rule, outcome, reference: null, price: null };
}

export type CaptureSource = keyof Capture;

export const CAPTURE_WORDS: Readonly<Record<CaptureSource, string>> = {
  json: 'JSON path',
  header: 'header',
  pattern: 'pattern in the body',
  text: 'this text',
};

export const NO_CAPTURE: Capture = { json: null, header: null, pattern: null, text: null };

export function captureSource(capture: Capture): CaptureSource {
  return (Object.keys(CAPTURE_WORDS) as CaptureSource[]).find((name) => capture[name] !== null) ?? 'json';
}

/** `200, 2xx` as the statuses of a rule. Other text is kept, and the service reports it. */
export function statusesOf(words: readonly string[]): When['status'] {
  return words.map((word) => (/^\d{1,9}$/.test(word.trim()) ? Number(word) : word.trim().toLowerCase()));
}

/** A format as in a marketplace file, whose conditions and captures may leave out members. */
export type StatedFormat = {
  readonly method?: WebhookFormat['method'];
  readonly headers?: WebhookFormat['headers'];
  readonly query?: WebhookFormat['query'];
  readonly body?: WebhookFormat['body'];
  readonly response?: { readonly rules?: readonly StatedRule[] };
};

type StatedRule = {
  readonly when: {
    readonly status?: When['status'];
    readonly header?: { readonly name: string };
    readonly json?: { readonly path: string };
    readonly text?: object;
  };
  readonly outcome: Rule['outcome'];
  readonly reason?: Partial<Capture>;
  readonly reference?: Partial<Capture>;
  readonly price?: Partial<Capture>;
};

/** With every member, as the form edits it. */
export function completeFormat({ body = null, response, ...stated }: StatedFormat): WebhookFormat {
  const capture = (part: Partial<Capture> | undefined): Capture | null =>
    part === undefined ? null : { ...NO_CAPTURE, ...part };
  const rules = (response?.rules ?? []).map(({ when, outcome, reason, reference, price }): Rule => {
    const { status = [], header, json, text } = when;
    return {
      when: {
        status,
        header: header === undefined ? null : { ...NO_TESTS, ...header },
        json: json === undefined ? null : { ...NO_TESTS, exists: false, missing: false, ...json },
        text: text === undefined ? null : { ...NO_TESTS, ...text },
      },
      outcome,
      reason: capture(reason),
      reference: capture(reference),
      price: capture(price),
    };
  });
  // The service trims texts.
  const trimmed = body === null ? null : { ...body, template: body.template.trim() };
  return { ...emptyFormat, ...stated, body: trimmed, response: { rules } };
}
