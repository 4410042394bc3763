// Says why leads find no buyer and what that costs, from the traces of the latest decisions.
import { formatMoney } from '../base/money.ts';
import { offerInWords } from '../routing/explain-in-words.rules.ts';
import type { StoredTrace } from '../routing/trace.rules.ts';
import { counted, number } from './counted.ts';
import type { Problem } from './overview.rules.ts';

/** Why a lead found no buyer: the reason that stopped the offer that came farthest. */
export type UnsoldReason = 'funds' | 'caps' | 'schedule' | 'duplicates' | 'lists' | 'endpoints' | 'no_match';

/** Leads without a buyer, and what the offers that came farthest would have paid for them. */
export type Unsold = { readonly leads: number; readonly cents: number };

/** The latest decisions, and those of them without a buyer. */
export type LatestDecisions = {
  readonly decided: number;
  readonly unsold: Readonly<Partial<Record<UnsoldReason, Unsold>>>;
};

/** With fewer decisions the share is chance. */
const DECIDED_AT_LEAST = 20;
const UNSOLD_SHARE = 0.25;
const UNSOLD_SHARE_HIGH = 0.5;

/** Leads that buyers have already, or do not want, are nobody's loss. */
const NO_LOSS: readonly UnsoldReason[] = ['duplicates', 'lists'];

export function unsoldProblems(
  { decided, unsold }: LatestDecisions,
  { currency, decidedToday }: { readonly currency: string; readonly decidedToday: number },
): Problem[] {
  const reasons = Object.entries(unsold) as Array<[UnsoldReason, Unsold]>;
  const lost = reasons.filter(([reason]) => !NO_LOSS.includes(reason));
  const noBuyer = lost.reduce((sum, [, { leads }]) => sum + leads, 0);
  if (decided < DECIDED_AT_LEAST || noBuyer < decided * UNSOLD_SHARE) return [];
  const share = Math.round((noBuyer / decided) * 100);
  const lostCents = lost.reduce((sum, [, { cents }]) => sum + cents, 0);
  const today = Math.round((lostCents / decided) * Math.max(decided, decidedToday));
  const money = today === 0 ? '' : ` About ${formatMoney(today, currency)} of sales lost today.`;
  return [
    {
      kind: 'leads_unsold',
      subject: '',
      severity: noBuyer >= decided * UNSOLD_SHARE_HIGH ? 'high' : 'low',
      text: `No buyer for ${number(noBuyer)} of the latest ${counted(decided, 'lead')} (${share}%): ${describeReasons(lost, currency)}.${money}`,
      remedy: 'Fix what stops the offers, raise caps, or find buyers for leads that no offer matches.',
      partner: null,
      cents: today,
      since: null,
    },
  ];
}

const REASONS: Readonly<Record<UnsoldReason, string>> = {
  funds: 'because buyers were out of funds',
  caps: 'because caps or budgets were full',
  schedule: 'outside of business hours',
  duplicates: 'already sold to the buyers',
  lists: 'on exclusion lists',
  endpoints: 'because endpoints were failing',
  no_match: 'because no offer matched',
};

/** `120 because buyers were out of funds ($5,400.00), 10 because no offer matched` */
function describeReasons(reasons: ReadonlyArray<[UnsoldReason, Unsold]>, currency: string): string {
  return reasons
    .toSorted(([, one], [, other]) => other.leads - one.leads)
    .map(([reason, { leads, cents }]) => {
      const money = cents === 0 ? '' : ` (${formatMoney(cents, currency)})`;
      return `${number(leads)} ${REASONS[reason]}${money}`;
    })
    .join(', ');
}

const REASON_OF: Readonly<Record<string, UnsoldReason>> = {
  schedule: 'schedule',
  caps: 'caps',
  funds: 'funds',
  duplicates: 'duplicates',
};

/** A trace lists the offers that other rules than filters left out; without such an offer no filters admitted the lead. */
function unsoldReason(
  { left }: Pick<StoredTrace, 'left'>,
  priceOf: (offerKey: string) => number,
): { readonly reason: UnsoldReason; readonly cents: number } {
  const ranked = left.map(([offerKey, code]) => ({ offerKey, code, ...offerInWords({ code }) }));
  const rank = Math.max(...ranked.map((offer) => offer.rank));
  const farthest = ranked.filter((offer) => offer.rank === rank);
  const [first] = farthest;
  if (first === undefined) return { reason: 'no_match', cents: 0 };
  const cents = Math.max(...farthest.map(({ offerKey }) => priceOf(offerKey)));
  if (first.code === 'endpoint_failing') return { reason: 'endpoints', cents };
  if (first.code === 'on_exclusion_list') return { reason: 'lists', cents: 0 };
  const reason = REASON_OF[first.stage] ?? 'no_match';
  return { reason, cents: reason === 'duplicates' || reason === 'no_match' ? 0 : cents };
}

export function countReasons(
  traces: readonly string[],
  priceOf: (offerKey: string) => number,
): Partial<Record<UnsoldReason, Unsold>> {
  const counts: Partial<Record<UnsoldReason, Unsold>> = {};
  for (const text of traces) {
    const trace = JSON.parse(text) as StoredTrace;
    // A suppressed lead had no buyer to lose.
    if (trace.suppressedBy !== undefined) continue;
    const { reason, cents } = unsoldReason(trace, priceOf);
    const known = counts[reason] ?? { leads: 0, cents: 0 };
    counts[reason] = { leads: known.leads + 1, cents: known.cents + cents };
  }
  return counts;
}
