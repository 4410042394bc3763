// Reads a partner's response by the rules of its webhook format: whether it took the lead, why not, and its reference and price (contract 13.2).
import type { WebhookFormat } from '../../buyers/buyer.ts';
import type { ReceivedResponse } from '../../platform/outbound/http-outcome.ts';
import { partnerWords } from '../../platform/outbound/partner-words.rules.ts';
import { type JsonPath, parseJsonPath, valueAt } from './json-path.rules.ts';
import { type PatternSet, patternSet, type ResponsePattern } from './response-pattern.rules.ts';
import { responseText } from './response-text.rules.ts';

type Rule = WebhookFormat['response']['rules'][number];
type Capture = NonNullable<Rule['reason']>;

export type StatedResponse = ReceivedResponse & { readonly status: number };

export type ResponseReading = {
  readonly outcome: Rule['outcome'];
  readonly reason: string | null;
  readonly reference: string | null;
  /** As the response has it, to be checked. */
  readonly price: string | number | null;
  /** The index of the rule that matched. */
  readonly rule: number;
};

export type CompiledRules = {
  /** Null if no rule matches. */
  read(response: StatedResponse): ResponseReading | null;
  /** Whether a response is an acceptance only if a rule says so. */
  readonly isAcceptanceRuled: boolean;
};

export type RuleFault = { readonly at: string; readonly message: string };

/** What rules look at; the body is decoded and parsed at most once, and only if a rule asks. */
type Facts = {
  readonly status: number;
  header(name: string): string | null;
  text(): string;
  /** Undefined if there is none, or the body is no JSON. */
  json(path: JsonPath): unknown;
};

type Test = (facts: Facts) => boolean;
type Take = (facts: Facts) => unknown;

const LIST_MAX = 20;

/** Faults name the member by a JSON Pointer from the list of rules. `isBounded`: for a format that is saved (response-pattern.rules.ts). */
export function compileRules(
  rules: WebhookFormat['response']['rules'],
  { isBounded = false }: { readonly isBounded?: boolean } = {},
): { readonly ok: true; readonly rules: CompiledRules } | { readonly ok: false; readonly faults: RuleFault[] } {
  const faults: RuleFault[] = [];
  const patterns = patternSet({ isBounded });
  const compiled = rules.map((rule, index) => {
    patterns.nextRule();
    return compileRule(rule, patterns, (at, message) => faults.push({ at: `/${index}${at}`, message }));
  });
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    rules: {
      isAcceptanceRuled: rules.some(({ outcome }) => outcome === 'accepted'),
      read(response) {
        const facts = factsOf(response);
        const rule = compiled.findIndex(({ matches }) => matches(facts));
        return rule === -1 ? null : (compiled[rule]?.read(facts, rule) ?? null);
      },
    },
  };
}

type OnFault = (at: string, message: string) => void;

function compileRule(rule: Rule, patterns: PatternSet, onFault: OnFault) {
  const { outcome } = rule;
  const { status, header, json, text } = rule.when;
  const tests: Test[] = [
    ...(status.length === 0 ? [] : [statusTest(status)]),
    ...(header === null ? [] : [headerTest(header, patterns, under('/when/header', onFault))]),
    ...(json === null ? [] : [jsonTest(json, patterns, under('/when/json', onFault))]),
    ...(text === null ? [] : [bodyTest(text, patterns, under('/when/text', onFault))]),
  ];
  const reason = taken(rule.reason, patterns, under('/reason', onFault));
  const reference = taken(rule.reference, patterns, under('/reference', onFault));
  const price = taken(rule.price, patterns, under('/price', onFault));
  if (rule.reason !== null && outcome === 'accepted') onFault('/reason', 'belongs to a rule that does not accept');
  for (const name of ['reference', 'price'] as const) {
    if (rule[name] !== null && outcome !== 'accepted') onFault(`/${name}`, 'belongs to a rule that accepts');
  }
  return {
    matches: (facts: Facts) => tests.every((holds) => holds(facts)),
    read: (facts: Facts, index: number): ResponseReading => ({
      outcome,
      reason: lineOf(reason(facts)),
      reference: lineOf(reference(facts)),
      price: priceOf(price(facts)),
      rule: index,
    }),
  };
}

function under(prefix: string, onFault: OnFault): OnFault {
  return (path, message) => onFault(prefix + path, message);
}

function statusTest(wanted: ReadonlyArray<number | string>): Test {
  const exact = new Set(wanted.filter((one) => typeof one === 'number'));
  const classes = new Set(wanted.flatMap((one) => (typeof one === 'string' ? [Number(one.charAt(0))] : [])));
  return ({ status }) => exact.has(status) || classes.has(Math.floor(status / 100));
}

function headerTest(
  { name, ...tests }: NonNullable<Rule['when']['header']>,
  patterns: PatternSet,
  onFault: OnFault,
): Test {
  const holds = textTest(tests, patterns, onFault);
  const lower = name.toLowerCase();
  return (facts) => {
    const value = facts.header(lower);
    return value !== null && (holds === null || holds(value));
  };
}

function jsonTest(
  { path, exists, missing, ...tests }: NonNullable<Rule['when']['json']>,
  patterns: PatternSet,
  onFault: OnFault,
): Test {
  const parsed = pathOf(path, under('/path', onFault));
  const holds = textTest(tests, patterns, onFault);
  if (missing && (exists || holds !== null)) onFault('/missing', 'excludes the other tests of this value');
  if (!missing && !exists && holds === null) onFault('', 'needs equals, contains, pattern, exists or missing');
  return (facts) => {
    const value = facts.json(parsed);
    if (missing) return value === undefined;
    if (value === undefined) return false;
    const text = scalarText(value);
    return holds === null || (text !== null && holds(text));
  };
}

function bodyTest(tests: NonNullable<Rule['when']['text']>, patterns: PatternSet, onFault: OnFault): Test {
  const holds = textTest(tests, patterns, onFault);
  if (holds === null) onFault('', 'needs equals, contains or pattern');
  return (facts) => holds?.(facts.text()) ?? true;
}

type TextTests = NonNullable<Rule['when']['text']>;

/** Null without tests. */
function textTest(
  { equals, contains, pattern }: TextTests,
  patterns: PatternSet,
  onFault: OnFault,
): ((text: string) => boolean) | null {
  const compiled = pattern === null ? null : usable(patterns.compile(pattern, 'test'), under('/pattern', onFault));
  if (equals === null && contains === null && pattern === null) return null;
  const wanted = equals === null ? null : String(equals).trim();
  return (text) =>
    (wanted === null || text.trim() === wanted) &&
    (contains === null || text.includes(contains)) &&
    (compiled === null || compiled.matches(text));
}

function usable(pattern: ResponsePattern | string, onFault: OnFault): ResponsePattern | null {
  if (typeof pattern !== 'string') return pattern;
  onFault('', pattern);
  return null;
}

function pathOf(text: string, onFault: OnFault): JsonPath {
  const path = parseJsonPath(text);
  if (path === null) onFault('', 'is no path such as lead.id, errors[0].code or ["odd name"]');
  return path ?? [];
}

function taken(capture: Capture | null, patterns: PatternSet, onFault: OnFault): Take {
  if (capture === null) return () => null;
  const { json, header, pattern, text } = capture;
  if ([json, header, pattern, text].filter((given) => given !== null).length !== 1) {
    onFault('', 'must have exactly one of json, header, pattern and text');
  }
  if (text !== null) return () => text;
  if (header !== null) return (facts) => facts.header(header.toLowerCase());
  if (json !== null) {
    const path = pathOf(json, under('/json', onFault));
    return (facts) => facts.json(path);
  }
  if (pattern === null) return () => null;
  const compiled = usable(patterns.compile(pattern, 'capture'), under('/pattern', onFault));
  if (compiled !== null && compiled.groups > 1) onFault('/pattern', 'must have at most one group');
  return (facts) => compiled?.captures(facts.text()) ?? null;
}

function factsOf({ status, headers, body, isCut }: StatedResponse): Facts {
  let text: string | null = null;
  let document: { readonly value: unknown } | null = null;
  const header = (name: string): string | null => (Object.hasOwn(headers, name) ? (headers[name] ?? null) : null);
  const read = (): string => (text ??= responseText(body, header('content-type')));
  return {
    status,
    header,
    text: read,
    json(path) {
      document ??= { value: isCut ? undefined : parseJson(read()) };
      return document.value === undefined ? undefined : valueAt(document.value, path);
    },
  };
}

/** Undefined for text that is no JSON: a partner may send anything. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? 'null' : null;
}

/** One line that can be stored and shown, also of a list; null if nothing is left. */
function lineOf(value: unknown): string | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value.slice(0, LIST_MAX) : [value];
  return partnerWords(parts.flatMap((part) => (part === null ? [] : (scalarText(part) ?? []))).join(', '));
}

function priceOf(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return value.trim();
  // Anything else that was given is no price, which must not pass for none.
  return value === null || value === undefined ? null : '';
}
