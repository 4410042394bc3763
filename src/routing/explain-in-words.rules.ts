// Describes the decision on one offer in words for the operator: the rule, the values compared, and how far the offer came (contract 7.2).
import { formatCents } from '../base/money.ts';
import type { LeftOutCode } from './eligibility.rules.ts';
import type { ExplainedOffer } from './trace.rules.ts';

/** The stages of a decision in order; an offer that is left out at one has passed all earlier ones. */
export const stages = ['standing', 'filters', 'schedule', 'caps', 'funds', 'duplicates', 'choice', 'won'] as const;
export type Stage = (typeof stages)[number];

export type OfferInWords = {
  readonly stage: Stage;
  /** Position of the rule among all rules; a higher one means that the offer came farther. */
  readonly rank: number;
  /** The rule, without values: offers with the same rule read the same. */
  readonly rule: string;
  /** The values compared; empty where the rule compares none. */
  readonly values: string;
  /** ISO 8601: since when an endpoint has failed or been disabled, or when the offer opens. */
  readonly moment: { readonly is: 'since' | 'opens'; readonly at: string } | null;
};

type Rule = { readonly stage: Stage; readonly rule: string };

/** In the order in which the rules are checked. */
const RULES = {
  suppressed: { stage: 'standing', rule: 'On a list of leads that must not be sold' },
  partner_not_active: { stage: 'standing', rule: 'The partner is not active' },
  offer_not_active: { stage: 'standing', rule: 'The offer is not active' },
  channel_not_ready: { stage: 'standing', rule: 'The delivery channel is not set up' },
  endpoint_disabled: { stage: 'standing', rule: 'The endpoint is disabled' },
  paused_by_partner: { stage: 'standing', rule: 'Paused by the partner itself' },
  funds_paused: { stage: 'standing', rule: 'Paused while the balance is low' },
  rejections_paused: { stage: 'standing', rule: 'Paused because the partner rejected many leads' },
  rule_failed: { stage: 'standing', rule: 'One of its values could not be used' },
  vertical_not_wanted: { stage: 'filters', rule: 'Another vertical' },
  state_not_wanted: { stage: 'filters', rule: 'State not wanted' },
  state_excluded: { stage: 'filters', rule: 'State excluded' },
  debt_amount_missing: { stage: 'filters', rule: 'No debt amount' },
  debt_amount_too_low: { stage: 'filters', rule: 'Debt amount too low' },
  debt_amount_too_high: { stage: 'filters', rule: 'Debt amount too high' },
  score_too_low: { stage: 'filters', rule: 'Score too low' },
  supplier_not_wanted: { stage: 'filters', rule: 'Supplier not wanted' },
  supplier_excluded: { stage: 'filters', rule: 'Supplier excluded' },
  source_not_wanted: { stage: 'filters', rule: 'Source not wanted' },
  source_excluded: { stage: 'filters', rule: 'Source excluded' },
  consent_missing: { stage: 'filters', rule: 'No consent to be called' },
  email_missing: { stage: 'filters', rule: 'No email address' },
  phone_missing: { stage: 'filters', rule: 'No phone number' },
  field_missing: { stage: 'filters', rule: 'Field missing' },
  field_not_wanted: { stage: 'filters', rule: 'Field value not wanted' },
  field_excluded: { stage: 'filters', rule: 'Field value excluded' },
  field_too_low: { stage: 'filters', rule: 'Field value too low' },
  field_too_high: { stage: 'filters', rule: 'Field value too high' },
  endpoint_failing: { stage: 'schedule', rule: 'The endpoint has been failing for longer than leads may wait' },
  outside_schedule: { stage: 'schedule', rule: 'Outside its hours' },
  cap_reached: { stage: 'caps', rule: 'Cap reached' },
  budget_reached: { stage: 'caps', rule: 'Budget reached' },
  over_pace: { stage: 'caps', rule: 'Ahead of its even pace' },
  funds_missing: { stage: 'funds', rule: 'Not enough funds' },
  on_exclusion_list: { stage: 'duplicates', rule: 'On an exclusion list' },
  had_it_before: { stage: 'duplicates', rule: 'The partner had this lead before' },
  no_slot: { stage: 'duplicates', rule: 'No appointment slot is free' },
  duplicate: { stage: 'duplicates', rule: 'The person was sold before' },
  better_offer_of_partner: { stage: 'choice', rule: 'Another offer of the partner came first' },
  outranked: { stage: 'choice', rule: 'Another partner’s offer came first' },
  sold: { stage: 'won', rule: 'Won' },
} as const satisfies Record<LeftOutCode | 'sold', Rule>;

const ORDER = Object.keys(RULES);
const LISTED_MAX = 20;

/** Values in an unknown form, which an older version may have stored, are shown as they are. */
export function offerInWords({ code, got, want }: Pick<ExplainedOffer, 'code' | 'got' | 'want'>): OfferInWords {
  const { stage, rule } = RULES[code];
  return {
    stage,
    rank: ORDER.indexOf(code),
    rule,
    values: valuesOf(code, got, want),
    moment: momentOf(code, got, want),
  };
}

function valuesOf(code: LeftOutCode | 'sold', got: unknown, want: unknown): string {
  const words = WORDS[code]?.(got, want);
  if (words !== undefined && words !== null) return words;
  if (got === undefined && want === undefined) return '';
  return [
    ...(got === undefined ? [] : [`found ${textOf(got)}`]),
    ...(want === undefined ? [] : [`wanted ${textOf(want)}`]),
  ].join(', ');
}

/** Null where a value does not have the expected form. */
type Words = (got: unknown, want: unknown) => string | null;

const isOne: Words = (got) => (typeof got === 'string' ? `it is ${got}` : null);
const found =
  (what: string): Words =>
  (got, want) =>
    isNames(want) ? `${got === null ? `no ${what}` : textOf(got)}; wanted ${want.join(', ')}` : null;
const excluded: Words = (got, want) => (isNames(want) ? `${textOf(got)} is among ${want.join(', ')}` : null);
const nothing: Words = () => '';
/** Two numbers that were compared. */
const compared =
  (say: (got: number, want: number) => string): Words =>
  (got, want) =>
    typeof got === 'number' && typeof want === 'number' ? say(got, want) : null;

const WORDS: Partial<Record<LeftOutCode | 'sold', Words>> = {
  suppressed: listName,
  on_exclusion_list: listName,
  partner_not_active: isOne,
  offer_not_active: isOne,
  channel_not_ready: (got, want) =>
    typeof got === 'string' && typeof want === 'string' ? `${got} is missing, which ${want} needs` : null,
  endpoint_disabled: nothing,
  paused_by_partner: nothing,
  funds_paused: nothing,
  rejections_paused: nothing,
  endpoint_failing: nothing,
  rule_failed: (got) => (typeof got === 'string' ? got : null),
  vertical_not_wanted: (got, want) => `${verticalText(got, 'the lead')}; ${verticalText(want, 'the offer')}`,
  state_not_wanted: found('state'),
  state_excluded: excluded,
  debt_amount_missing: (_got, want) => rangeInWords(want),
  debt_amount_too_low: compared((got, want) => `${formatCents(got)}; wanted at least ${formatCents(want)}`),
  debt_amount_too_high: compared((got, want) => `${formatCents(got)}; wanted at most ${formatCents(want)}`),
  score_too_low: compared((got, want) => `${got}; wanted at least ${want}`),
  supplier_not_wanted: found('supplier'),
  supplier_excluded: excluded,
  source_not_wanted: found('source'),
  source_excluded: excluded,
  consent_missing: nothing,
  email_missing: nothing,
  phone_missing: nothing,
  field_missing: (got) => ownFieldText(got, () => 'has no value'),
  field_not_wanted: (got, want) => ownFieldText(got, (value) => `${value}wanted ${listText(want)}`),
  field_excluded: (got, want) => ownFieldText(got, (value) => `${value}excluded are ${listText(want)}`),
  field_too_low: (got, want) => ownFieldText(got, (value) => `${value}wanted at least ${textOf(want)}`),
  field_too_high: (got, want) => ownFieldText(got, (value) => `${value}wanted at most ${textOf(want)}`),
  outside_schedule: (got) => (typeof got === 'string' ? `the partner’s clock showed ${got}` : null),
  cap_reached: capInWords,
  budget_reached: budgetInWords,
  over_pace: compared((got, want) => `${got} sold today, ${want} allowed by then`),
  funds_missing: compared((got, want) => `${formatCents(got)} can be spent, ${formatCents(want)} are needed`),
  duplicate: (got) => (typeof got === 'string' ? (BLOCKS[got] ?? null) : listName(got)),
  better_offer_of_partner: rivals,
  outranked: rivals,
};

function verticalText(key: unknown, whose: string): string {
  return key === null ? `${whose} has none` : `${whose} has ${textOf(key)}`;
}

/** `Roof: it is flat; wanted tile`; without the value of a personal field. */
function ownFieldText(got: unknown, say: (value: string) => string): string | null {
  const { field, label = field, value } = membersOf(got);
  if (typeof label !== 'string') return null;
  return `${label}: ${say(value === undefined || value === null ? '' : `it is ${textOf(value)}; `)}`;
}

/** Long lists are cut: the offer shows them whole. */
function listText(want: unknown): string {
  if (!Array.isArray(want)) return textOf(want);
  const shown = want.slice(0, LISTED_MAX).map(textOf).join(', ');
  return want.length > LISTED_MAX ? `${shown} and ${want.length - LISTED_MAX} more` : shown;
}

/** The lists of a partner have keys of their own, so its owner is named with it. */
function listName(got: unknown): string | null {
  const { list, of: owner } = membersOf(got);
  if (typeof list !== 'string') return null;
  return typeof owner === 'string' ? `the list ${list} of ${owner}` : `the list ${list}`;
}

const BLOCKS: Readonly<Record<string, string>> = {
  'exclusive sale': 'exclusively, so no partner can get it yet',
  'shared sale': 'to this partner',
};

function capInWords(got: unknown, want: unknown): string | null {
  const { window, used } = membersOf(got);
  const isWhole = typeof window === 'string' && typeof used === 'number' && typeof want === 'number';
  return isWhole ? `${window} cap: ${used} of ${want}` : null;
}

function budgetInWords(got: unknown, want: unknown): string | null {
  const { window, usedCents, payoutCents } = membersOf(got);
  if (typeof window !== 'string' || typeof usedCents !== 'number') return null;
  if (typeof payoutCents !== 'number' || typeof want !== 'number') return null;
  const spent = `${formatCents(usedCents)} of ${formatCents(want)} spent`;
  return `${window} budget: ${spent}, and the lead costs ${formatCents(payoutCents)}`;
}

/** Offers are compared by priority first, then by payout if the marketplace's strategy is price. */
function rivals(got: unknown, want: unknown): string | null {
  const own = rankOf(got);
  const winner = rankOf(want);
  if (own === null || winner === null) return null;
  const { offers } = membersOf(want);
  const winners = isNames(offers) ? offers.join(' and ') : 'the winner';
  if (own.priority !== winner.priority) return `${winners} had priority ${winner.priority}, this one ${own.priority}`;
  const paid = `${winners} paid ${formatCents(winner.payoutCents)}, this one ${formatCents(own.payoutCents)}`;
  // By price the higher payout wins; under another strategy, and on a tie, something else decided.
  return own.payoutCents < winner.payoutCents ? paid : `${paid}; the turn, the weight or the kind of sale decided`;
}

function rankOf(value: unknown): { readonly priority: number; readonly payoutCents: number } | null {
  const { priority, payoutCents } = membersOf(value);
  return typeof priority === 'number' && typeof payoutCents === 'number' ? { priority, payoutCents } : null;
}

function rangeInWords(want: unknown): string | null {
  const { min, max } = membersOf(want);
  const bounds = [
    ...(typeof min === 'number' ? [`at least ${formatCents(min)}`] : []),
    ...(typeof max === 'number' ? [`at most ${formatCents(max)}`] : []),
  ];
  return bounds.length === 0 ? null : `wanted ${bounds.join(' and ')}`;
}

/** Codes whose value is the time since when it has been so. */
const SINCE: ReadonlySet<string> = new Set([
  'endpoint_failing',
  'endpoint_disabled',
  'paused_by_partner',
  'funds_paused',
  'rejections_paused',
]);

function momentOf(code: LeftOutCode | 'sold', got: unknown, want: unknown): OfferInWords['moment'] {
  if (SINCE.has(code)) return instant('since', got);
  return code === 'outside_schedule' ? instant('opens', want) : null;
}

function instant(is: 'since' | 'opens', value: unknown): OfferInWords['moment'] {
  if (value instanceof Date) return { is, at: value.toISOString() };
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? { is, at: value } : null;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
