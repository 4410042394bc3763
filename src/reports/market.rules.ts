// Finds problems that cost sales now, with remedies for the operator's overview: partners without a target or funds, full caps, unsold
// leads, silent suppliers, failed deliveries.
import { formatMoney } from '../base/money.ts';
import { offerInWords } from '../routing/explain-in-words.rules.ts';
import type { StoredTrace } from '../routing/trace.rules.ts';
import type { Problem } from './overview.rules.ts';

export type StoppedPartner = {
  readonly partner: string;
  readonly name: string;
  /** Active offers that receive nothing for this reason. */
  readonly offers: number;
};

/** Why a lead found no buyer: the reason that stopped the offer that came farthest. */
export type UnsoldReason = 'funds' | 'caps' | 'schedule' | 'duplicates' | 'lists' | 'endpoints' | 'no_match';

export type Market = {
  readonly currency: string;
  readonly noTarget: readonly StoppedPartner[];
  readonly outOfFunds: ReadonlyArray<StoppedPartner & { readonly availableCents: number; readonly priceCents: number }>;
  readonly lowFunds: ReadonlyArray<{
    readonly partner: string;
    readonly name: string;
    readonly availableCents: number;
    readonly leads: number;
  }>;
  /** Active offers with an exhausted cap or budget, of all active offers with a working target. */
  readonly full: { readonly offers: number; readonly of: number };
  /** The latest leads without a buyer, by reason. */
  readonly unsold: Readonly<Partial<Record<UnsoldReason, number>>>;
  /** Deliveries that failed for good in the last days. */
  readonly failed: { readonly deliveries: number; readonly days: number };
  /** The average of the last whole days. */
  readonly leadsAnHour: number;
};

export type Flow = {
  /** Leads of today that were decided, and those without a buyer. */
  readonly decided: number;
  readonly noBuyer: number;
  readonly minutesSinceLead: number | null;
};

/** With fewer leads the share is chance, or the day has just begun. */
const DECIDED_AT_LEAST = 20;
const UNSOLD_SHARE = 0.25;
const UNSOLD_SHARE_HIGH = 0.5;
/** Reported when no lead came for this long and this many leads are missing from the average. */
const QUIET_MINUTES = 120;
const LEADS_MISSING = 10;
/** This many partners get a line each, and one line covers the rest. */
const PARTNERS_NAMED = 5;

export function marketProblems(market: Market, flow: Flow): Problem[] {
  return [
    ...targetProblems(market),
    ...unsoldProblems(market, flow),
    ...fundsProblems(market),
    ...quietProblems(market, flow),
    ...lowFundsProblems(market),
    ...capProblems(market),
    ...failedProblems(market),
  ];
}

function targetProblems({ noTarget }: Market): Problem[] {
  return named(noTarget, {
    kind: 'partner_unreachable',
    severity: 'high',
    text: ({ name, offers }) => `${name} has no place to deliver: ${offersOf(offers)} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `${partners} more partners have no place to deliver: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Ask the partner for its delivery address, or set it under Settings.',
  });
}

function fundsProblems({ outOfFunds, currency }: Market): Problem[] {
  const money = (cents: number): string => formatMoney(cents, currency);
  return named(outOfFunds, {
    kind: 'out_of_funds',
    severity: 'high',
    text: ({ name, offers, availableCents, priceCents }) =>
      `${name} is out of funds: ${money(availableCents)} available, price ${money(priceCents)}. ${capitalised(offersOf(offers))} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `${partners} more partners are out of funds: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Record a payment or raise the credit limit.',
  });
}

function lowFundsProblems({ lowFunds, currency }: Market): Problem[] {
  return named(
    lowFunds.map((partner) => ({ ...partner, offers: 0 })),
    {
      kind: 'low_funds',
      severity: 'low',
      text: ({ name, availableCents, leads }) =>
        `${name} will soon be out of funds: ${formatMoney(availableCents, currency)} left, enough for ${counted(leads, 'lead')}.`,
      more: (partners) => `${partners} more partners will soon be out of funds.`,
      remedy: 'Ask for a payment before its offers stop.',
    },
  );
}

function unsoldProblems({ unsold }: Market, { decided, noBuyer }: Flow): Problem[] {
  if (decided < DECIDED_AT_LEAST || noBuyer < decided * UNSOLD_SHARE) return [];
  const share = Math.round((noBuyer / decided) * 100);
  return [
    {
      kind: 'leads_unsold',
      severity: noBuyer >= decided * UNSOLD_SHARE_HIGH ? 'high' : 'low',
      text: `No buyer for ${number(noBuyer)} of ${counted(decided, 'lead')} decided today (${share}%).${describeReasons(unsold)}`,
      remedy: 'Fix what stops the offers, raise caps, or find buyers for leads that no offer matches.',
      queue: null,
      partner: null,
    },
  ];
}

const REASONS: Readonly<Record<UnsoldReason, string>> = {
  funds: 'buyers out of funds',
  caps: 'caps or budgets full',
  schedule: 'outside hours',
  duplicates: 'already sold to the buyers',
  lists: 'on exclusion lists',
  endpoints: 'endpoints failing',
  no_match: 'no offer matches',
};

function describeReasons(unsold: Market['unsold']): string {
  const reasons = (Object.entries(unsold) as Array<[UnsoldReason, number]>)
    .filter(([, leads]) => leads > 0)
    .toSorted(([, one], [, other]) => other - one);
  if (reasons.length === 0) return '';
  const all = reasons.reduce((sum, [, leads]) => sum + leads, 0);
  return ` Of the latest ${number(all)}: ${reasons.map(([reason, leads]) => `${number(leads)} ${REASONS[reason]}`).join(', ')}.`;
}

function capProblems({ full: { offers, of } }: Market): Problem[] {
  if (offers === 0) return [];
  return [
    {
      kind: 'caps_full',
      severity: 'low',
      text: `${number(offers)} of ${counted(of, 'active offer')} ${offers === 1 ? 'has' : 'have'} a full cap or a used budget.`,
      remedy: 'They receive leads again when the cap or budget resets.',
      queue: null,
      partner: null,
    },
  ];
}

function quietProblems({ leadsAnHour }: Market, { minutesSinceLead }: Flow): Problem[] {
  if (minutesSinceLead === null || minutesSinceLead < QUIET_MINUTES) return [];
  if ((leadsAnHour * minutesSinceLead) / 60 < LEADS_MISSING) return [];
  const usual = leadsAnHour >= 1 ? `about ${number(Math.round(leadsAnHour))} an hour are` : 'some are';
  return [
    {
      kind: 'no_leads',
      severity: 'high',
      text: `No lead for ${counted(Math.floor(minutesSinceLead / 60), 'hour')}; ${usual} usual.`,
      remedy: 'Ask the suppliers, and check that they can reach the service.',
      queue: null,
      partner: null,
    },
  ];
}

function failedProblems({ failed: { deliveries, days } }: Market): Problem[] {
  if (deliveries === 0) return [];
  return [
    {
      kind: 'deliveries_failed',
      severity: 'low',
      text: `${counted(deliveries, 'delivery', 'deliveries')} of the last ${days} days failed for good and ${deliveries === 1 ? 'was' : 'were'} not charged.`,
      remedy: 'Check the reasons, and resend the deliveries that the partner still wants.',
      queue: null,
      partner: null,
    },
  ];
}

type Line<Partner> = Pick<Problem, 'kind' | 'severity' | 'remedy'> & {
  readonly text: (partner: Partner) => string;
  readonly more: (partners: string, offers: number) => string;
};

function named<Partner extends StoppedPartner>(
  partners: readonly Partner[],
  { text, more, ...problem }: Line<Partner>,
): Problem[] {
  const rest = partners.slice(PARTNERS_NAMED);
  const offers = rest.reduce((sum, partner) => sum + partner.offers, 0);
  return [
    ...partners
      .slice(0, PARTNERS_NAMED)
      .map((partner) => ({ ...problem, text: text(partner), queue: null, partner: partner.partner })),
    ...(rest.length === 0 ? [] : [{ ...problem, text: more(number(rest.length), offers), queue: null, partner: null }]),
  ];
}

const verb = (offers: number): string => (offers === 1 ? 'receives' : 'receive');
const offersOf = (offers: number): string => counted(offers, 'active offer');

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

const REASON_OF: Readonly<Record<string, UnsoldReason>> = {
  schedule: 'schedule',
  caps: 'caps',
  funds: 'funds',
  duplicates: 'duplicates',
};

/** A trace lists the offers that other rules than filters left out; without such an offer no filters admitted the lead. */
function unsoldReason({ left }: Pick<StoredTrace, 'left'>): UnsoldReason {
  const [farthest] = left.map(([, code]) => ({ code, ...offerInWords({ code }) })).toSorted((a, b) => b.rank - a.rank);
  if (farthest === undefined) return 'no_match';
  if (farthest.code === 'endpoint_failing') return 'endpoints';
  if (farthest.code === 'on_exclusion_list') return 'lists';
  return REASON_OF[farthest.stage] ?? 'no_match';
}

export function countReasons(traces: readonly string[]): Partial<Record<UnsoldReason, number>> {
  const counts: Partial<Record<UnsoldReason, number>> = {};
  for (const text of traces) {
    const trace = JSON.parse(text) as StoredTrace;
    // A suppressed lead had no buyer to lose.
    if (trace.suppressedBy !== undefined) continue;
    const reason = unsoldReason(trace);
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
