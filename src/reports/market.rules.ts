// Finds problems that cost sales now, with remedies and what they cost: partners without a target or funds, full caps, unsold leads, no
// leads, claims that are due, failed deliveries.
import { formatMoney } from '../base/money.ts';
import { counted, number } from './counted.ts';
import { MORE, type Problem, type SpentADay } from './overview.rules.ts';
import { type LatestDecisions, unsoldProblems } from './unsold.rules.ts';

export type StoppedPartner = {
  readonly partner: string;
  readonly name: string;
  /** Active offers that receive nothing for this reason. */
  readonly offers: number;
};

export type Market = {
  readonly currency: string;
  readonly noTarget: readonly StoppedPartner[];
  /** Routing leaves these offers out, because a value of theirs or of their partner cannot be used. */
  readonly leftOut: readonly StoppedPartner[];
  readonly outOfFunds: ReadonlyArray<StoppedPartner & { readonly availableCents: number; readonly priceCents: number }>;
  readonly fundsPaused: ReadonlyArray<StoppedPartner & { readonly belowCents: number; readonly since: Date | null }>;
  readonly ownPaused: ReadonlyArray<StoppedPartner & { readonly until: Date | null; readonly since: Date | null }>;
  readonly lowFunds: ReadonlyArray<{
    readonly partner: string;
    readonly name: string;
    readonly availableCents: number;
    readonly leads: number;
  }>;
  /** Active offers with an exhausted cap or budget, of the partner's active offers with a working target. */
  readonly full: ReadonlyArray<StoppedPartner & { readonly of: number }>;
  /** The latest decisions, and those of them without a buyer, by reason. */
  readonly latest: LatestDecisions;
  /** Deliveries that failed for good in the last days, and their prices. */
  /** By partner: leads of the last days that it took without a price that counts, at the most that they could cost. */
  readonly unpriced: ReadonlyArray<{
    readonly partner: string;
    readonly name: string;
    readonly deliveries: number;
    readonly cents: number;
  }>;
  readonly failed: { readonly deliveries: number; readonly cents: number; readonly days: number };
  /** Open claims that are due soon or overdue, and the prices of their deliveries. */
  readonly claims: {
    readonly due: number;
    readonly overdue: number;
    readonly cents: number;
    readonly withinHours: number;
  };
  /** The average of the last whole days. */
  readonly leadsAnHour: number;
  /** What each partner usually spends a day, in cents. */
  readonly spentADay: ReadonlyMap<string, number>;
};

export type Flow = {
  /** Accepted leads of today that are sold or unsold by now. */
  readonly decidedToday: number;
  readonly minutesSinceLead: number | null;
  readonly lastLeadAt: Date | null;
};

/** Reported when no lead came for this long and this many leads are missing from the average. */
const QUIET_MINUTES = 120;
const LEADS_MISSING = 10;
/** This many partners get a line each, and one line covers the rest. */
const PARTNERS_NAMED = 20;

export function marketProblems(market: Market, flow: Flow): Problem[] {
  return [
    ...leftOutProblems(market),
    ...targetProblems(market),
    ...unsoldProblems(market.latest, { currency: market.currency, decidedToday: flow.decidedToday }),
    ...fundsProblems(market),
    ...pausedProblems(market),
    ...ownPauseProblems(market),
    ...quietProblems(market, flow),
    ...claimProblems(market),
    ...lowFundsProblems(market),
    ...failedProblems(market),
    ...unpricedProblems(market),
    ...capProblems(market),
  ];
}

export function spentADayOf({ spentADay }: Pick<Market, 'spentADay'>): SpentADay {
  return (partner) => Math.round(spentADay.get(partner) ?? 0);
}

function leftOutProblems(market: Market): Problem[] {
  return named(market.leftOut, market, {
    kind: 'account_left_out',
    severity: 'high',
    text: ({ name, offers }) =>
      `A value of ${name} cannot be used, so that it is left out: ${offersOf(offers)} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `Values of ${partners} more partners cannot be used, so that they are left out: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Correct its configuration. The notice to operators and the log of the service say what is wrong.',
  });
}

function targetProblems(market: Market): Problem[] {
  return named(market.noTarget, market, {
    kind: 'partner_unreachable',
    severity: 'high',
    text: ({ name, offers }) => `${name} has no place to deliver: ${offersOf(offers)} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `${partners} more partners have no place to deliver: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Ask the partner for its delivery address, or set it under Settings.',
  });
}

function fundsProblems(market: Market): Problem[] {
  const money = (cents: number): string => formatMoney(cents, market.currency);
  return named(market.outOfFunds, market, {
    kind: 'out_of_funds',
    severity: 'high',
    text: ({ name, offers, availableCents, priceCents }) =>
      `${name} is out of funds: ${money(availableCents)} available, price ${money(priceCents)}. ${capitalised(offersOf(offers))} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `${partners} more partners are out of funds: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Record a payment or raise the credit limit.',
  });
}

function pausedProblems(market: Market): Problem[] {
  return named(market.fundsPaused, market, {
    kind: 'funds_paused',
    severity: 'high',
    text: ({ name, offers, belowCents }) =>
      `${name} is paused, because its available funds are below ${formatMoney(belowCents, market.currency)}: ${offersOf(offers)} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `${partners} more partners are paused for low funds: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Record a payment, or lower the amount below which it pauses.',
  });
}

function ownPauseProblems(market: Market): Problem[] {
  return named(market.ownPaused, market, {
    kind: 'partner_paused_itself',
    severity: 'low',
    text: ({ name, offers, until }) =>
      `${name} has paused itself${until === null ? '' : ` until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`}: ${offersOf(offers)} ${verb(offers)} nothing.`,
    more: (partners, offers) =>
      `${partners} more partners have paused themselves: ${offersOf(offers)} ${verb(offers)} nothing.`,
    remedy: 'Ask the partner what it needs to receive leads again.',
  });
}

function lowFundsProblems(market: Market): Problem[] {
  return named(
    market.lowFunds.map((partner) => ({ ...partner, offers: 0 })),
    market,
    {
      kind: 'low_funds',
      severity: 'low',
      text: ({ name, availableCents, leads }) =>
        `${name} will soon be out of funds: ${formatMoney(availableCents, market.currency)} left, enough for ${counted(leads, 'lead')}.`,
      more: (partners) => `${partners} more partners will soon be out of funds.`,
      remedy: 'Ask for a payment before its offers stop.',
    },
  );
}

function capProblems(market: Market): Problem[] {
  return named(market.full, market, {
    kind: 'caps_full',
    severity: 'low',
    text: ({ name, offers, of }) =>
      `${name}: ${number(offers)} of ${counted(of, 'active offer')} ${offers === 1 ? 'has' : 'have'} a full cap or a used budget.`,
    more: (partners, offers) => `${partners} more partners have full caps or used budgets, in ${offersOf(offers)}.`,
    remedy: 'They receive leads again when the cap or budget resets.',
    // Intended, and over by itself.
    isFree: true,
  });
}

function quietProblems({ leadsAnHour, spentADay }: Market, { minutesSinceLead, lastLeadAt }: Flow): Problem[] {
  if (minutesSinceLead === null || minutesSinceLead < QUIET_MINUTES) return [];
  if ((leadsAnHour * minutesSinceLead) / 60 < LEADS_MISSING) return [];
  const usual = leadsAnHour >= 1 ? `about ${number(Math.round(leadsAnHour))} an hour` : 'less than one an hour';
  return [
    {
      kind: 'no_leads',
      subject: '',
      severity: 'high',
      text: `No leads for ${counted(Math.floor(minutesSinceLead / 60), 'hour')}; ${usual} is usual.`,
      remedy: 'Ask the suppliers, and check that they can reach the service.',
      partner: null,
      cents: Math.round([...spentADay.values()].reduce((sum, cents) => sum + cents, 0)),
      since: lastLeadAt,
    },
  ];
}

function claimProblems({ claims: { due, overdue, cents, withinHours }, currency }: Market): Problem[] {
  if (due === 0) return [];
  const late = overdue === 0 ? '' : ` ${number(overdue)} of them ${overdue === 1 ? 'is' : 'are'} overdue.`;
  return [
    {
      kind: 'claims_due',
      subject: '',
      severity: overdue === 0 ? 'low' : 'high',
      text: `${counted(due, 'claim', 'claims')} about ${formatMoney(cents, currency)} must be decided within ${counted(withinHours, 'hour')}.${late}`,
      remedy: 'Decide them, the earliest first.',
      partner: null,
      cents,
      since: null,
    },
  ];
}

function failedProblems({ failed: { deliveries, cents, days }, currency }: Market): Problem[] {
  if (deliveries === 0) return [];
  return [
    {
      kind: 'deliveries_failed',
      subject: '',
      severity: 'low',
      text: `${counted(deliveries, 'delivery', 'deliveries')} of the last ${days} days, worth ${formatMoney(cents, currency)}, failed for good and ${deliveries === 1 ? 'was' : 'were'} not charged.`,
      remedy: 'Check the reasons, and resend the deliveries that the partner still wants.',
      partner: null,
      cents: Math.round(cents / days),
      since: null,
    },
  ];
}

function unpricedProblems({ unpriced, currency }: Market): Problem[] {
  return unpriced.map(({ partner, name, deliveries, cents }) => ({
    kind: 'prices_unread',
    subject: partner,
    severity: 'high',
    text: `${name} took ${counted(deliveries, 'lead', 'leads')} at a price that cannot be read or is out of bounds: up to ${formatMoney(cents, currency)} is not charged.`,
    remedy:
      'Set the prices by hand at the failed deliveries, and mend the rule of its webhook format that takes the price.',
    partner,
    cents,
    since: null,
  }));
}

type Line<Partner> = Pick<Problem, 'kind' | 'severity' | 'remedy'> & {
  readonly text: (partner: Partner) => string;
  readonly more: (partners: string, offers: number) => string;
  /** True for what costs nothing that could be had. */
  readonly isFree?: true;
};

function named<Partner extends StoppedPartner & { readonly since?: Date | null }>(
  partners: readonly Partner[],
  market: Pick<Market, 'spentADay'>,
  { text, more, isFree, ...problem }: Line<Partner>,
): Problem[] {
  const spentADay = spentADayOf(market);
  const costOf = (some: readonly Partner[]): number | null =>
    isFree === true ? null : some.reduce((sum, { partner }) => sum + spentADay(partner), 0);
  const bySpending = partners.toSorted((one, other) => spentADay(other.partner) - spentADay(one.partner));
  const rest = bySpending.slice(PARTNERS_NAMED);
  const offers = rest.reduce((sum, partner) => sum + partner.offers, 0);
  return [
    ...bySpending.slice(0, PARTNERS_NAMED).map((partner) => ({
      ...problem,
      ...{ subject: partner.partner, text: text(partner), partner: partner.partner },
      ...{ cents: costOf([partner]), since: partner.since ?? null },
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            ...problem,
            ...{
              subject: MORE,
              text: more(number(rest.length), offers),
              partner: null,
              cents: costOf(rest),
              since: null,
            },
          },
        ]),
  ];
}

const verb = (offers: number): string => (offers === 1 ? 'receives' : 'receive');
const offersOf = (offers: number): string => counted(offers, 'active offer');

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
