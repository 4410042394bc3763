// The limits that a partner sets on an offer by itself: they narrow what the operator configured and never widen it (contract 6.16).
import { centsOf, wireAmount } from '../base/money.ts';
import { type CapWindow, capWindows } from '../base/time.ts';
import type { Offer, OwnLimits, PerWindow } from './offer.ts';
import type { OwnLimitsForm } from './own-limits.schema.ts';

export const noLimits: OwnLimits = {
  caps: { daily: null, weekly: null, monthly: null },
  budgetCents: { daily: null, weekly: null, monthly: null },
  statesNot: [],
};

/** The offer as leads are sold under it. What is stored, shown as a form and compared with a file is the offer itself. */
export function offerInForce(offer: Offer): Offer {
  const own = offer.ownLimits;
  if (own === null) return offer;
  return {
    ...offer,
    caps: lower(offer.caps, own.caps),
    budgetCents: lower(offer.budgetCents, own.budgetCents),
    filters: {
      ...offer.filters,
      statesNot: [...new Set([...offer.filters.statesNot, ...own.statesNot])].toSorted(),
    },
  };
}

function lower(one: PerWindow, other: PerWindow): PerWindow {
  const least = (window: CapWindow): number | null => {
    const limits = [one[window], other[window]].filter((limit) => limit !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  };
  return { daily: least('daily'), weekly: least('weekly'), monthly: least('monthly') };
}

/** Null if there is no limit in it. */
export function statedLimits({ caps, budgetCents, statesNot }: OwnLimits): OwnLimits | null {
  const isEmpty = capWindows.every((window) => caps[window] === null && budgetCents[window] === null);
  return isEmpty && statesNot.length === 0
    ? null
    : { caps, budgetCents, statesNot: [...new Set(statesNot)].toSorted() };
}

/** The limits above those of the operator, which would have no effect. */
export function limitsBeyond(
  { caps, budgetCents }: OwnLimits,
  bounds: Pick<Offer, 'caps' | 'budgetCents'>,
): ReadonlyArray<{ readonly kind: 'caps' | 'budget'; readonly window: CapWindow; readonly most: number }> {
  const beyond = (kind: 'caps' | 'budget', own: PerWindow, set: PerWindow) =>
    capWindows.flatMap((window) => {
      const [limit, most] = [own[window], set[window]];
      return limit !== null && most !== null && limit > most ? [{ kind, window, most }] : [];
    });
  return [...beyond('caps', caps, bounds.caps), ...beyond('budget', budgetCents, bounds.budgetCents)];
}

export function limitsForm({ caps, budgetCents, statesNot }: OwnLimits): OwnLimitsForm {
  return { caps, budget: budgetForm(budgetCents), statesNot: [...statesNot] };
}

export function budgetForm(cents: PerWindow): OwnLimitsForm['budget'] {
  return eachWindow(cents, wireAmount);
}

export function limitsOfForm({ caps, budget, statesNot }: OwnLimitsForm): OwnLimits {
  return { caps, budgetCents: eachWindow(budget, centsOf), statesNot };
}

function eachWindow({ daily, weekly, monthly }: PerWindow, change: (limit: number) => number): PerWindow {
  const changed = (limit: number | null): number | null => (limit === null ? null : change(limit));
  return { daily: changed(daily), weekly: changed(weekly), monthly: changed(monthly) };
}

/** What was sold on one day of the partner from one state. */
export type SoldOnDay = {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly state: string | null;
  readonly leads: number;
  readonly cents: number;
};

export type Sums = { readonly leads: number; readonly cents: number };

/**
 * How many of the sales would have been left under these limits. Leads of a day count at their average price, and the windows begin with the
 * first day of the sales.
 */
export function keptSales(sold: readonly SoldOnDay[], { caps, budgetCents, statesNot }: OwnLimits): Sums {
  const wanted = sold.filter(({ state }) => state === null || !statesNot.includes(state));
  const byDay = [...Map.groupBy(wanted, ({ day }) => day)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const used = new Map<string, { leads: number; cents: number }>();
  let all: Sums = { leads: 0, cents: 0 };
  for (const [day, rows] of byDay) {
    const leads = rows.reduce((sum, row) => sum + row.leads, 0);
    const cents = rows.reduce((sum, row) => sum + row.cents, 0);
    if (leads === 0) continue;
    const price = cents / leads;
    const open = capWindows.map((window) => ({ window, name: `${window} ${startOf(window, day)}` }));
    const room = open.map(({ window, name }) => {
      const { leads: taken, cents: spent } = used.get(name) ?? { leads: 0, cents: 0 };
      const [cap, budget] = [caps[window], budgetCents[window]];
      return Math.min(
        cap === null ? leads : cap - taken,
        budget === null || price === 0 ? leads : Math.floor((budget - spent) / price),
      );
    });
    const kept = Math.max(0, Math.min(leads, ...room));
    const keptCents = Math.round(kept * price);
    for (const { name } of open) {
      const before = used.get(name) ?? { leads: 0, cents: 0 };
      used.set(name, { leads: before.leads + kept, cents: before.cents + keptCents });
    }
    all = { leads: all.leads + kept, cents: all.cents + keptCents };
  }
  return all;
}

const DAY_MS = 86_400_000;

/** The first day of the window that the day is in; weeks begin on Monday. */
function startOf(window: CapWindow, day: string): string {
  if (window === 'daily') return day;
  if (window === 'monthly') return day.slice(0, 'YYYY-MM'.length);
  const at = Date.parse(`${day}T00:00:00Z`);
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - weekday * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
