// Remaining capacity of a simulated market: cap counters, appointment slots and buyers' funds, updated by sales, failures and postings
// (contract 4.5, 4.7).
import type { IdentityHash } from '../leads/identity.rules.ts';
import type { Snapshot } from '../routing/decide-batch.rules.ts';
import type { SaleCost } from '../suppliers/sale-cost.rules.ts';
import type { MarketStart } from './past.ts';
import type { SimulatedConfiguration } from './simulated-configuration.rules.ts';

/** The capacity taken by a sale, which a failure gives back. */
export type Sale = {
  readonly saleId: number;
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly payoutCents: number;
  /** Under the simulated terms; null where the supplier is not paid, and for sales from before the window. */
  readonly cost: SaleCost | null;
  /** Names of the counters in which it counts. */
  readonly counters: readonly string[];
  readonly appointmentAt: number | null;
  readonly identities: readonly IdentityHash[];
  readonly scope: string;
};

export type RemainingCapacity = Pick<Snapshot, 'readings' | 'funds' | 'slots'> & {
  take(sale: Sale): void;
  giveBack(sale: Sale): void;
  post(buyerKey: string, cents: number): void;
};

export function createRemainingCapacity({ buyers }: SimulatedConfiguration, start: MarketStart): RemainingCapacity {
  const counters = new Map(start.capUse.map(({ used, usedCents, ...key }) => [counterName(key), { used, usedCents }]));
  const slots = new Map<string, Map<number, number>>();
  for (const { offerKey, startsAt, used } of start.slotUse) addTo(slots, { offerKey, startsAt }, used);
  const funds = new Map(
    [...buyers.values()].flatMap(({ buyerKey, billing: { creditLimitCents: limit } }) =>
      limit === null ? [] : [[buyerKey, limit + (start.funds.get(buyerKey) ?? 0)] as const],
    ),
  );
  const post = (buyerKey: string, cents: number): void => {
    const before = funds.get(buyerKey);
    if (before !== undefined) funds.set(buyerKey, before + cents);
  };
  const move = ({ offerKey, buyerKey, payoutCents, appointmentAt, counters: names }: Sale, sign: 1 | -1): void => {
    for (const name of names) {
      const { used, usedCents } = counters.get(name) ?? { used: 0, usedCents: 0 };
      counters.set(name, { used: used + sign, usedCents: usedCents + sign * payoutCents });
    }
    if (appointmentAt !== null) addTo(slots, { offerKey, startsAt: appointmentAt }, sign);
    post(buyerKey, -sign * payoutCents);
  };
  return {
    readings: (offerKey) => (window, startsAt) => counters.get(counterName({ offerKey, window, startsAt })) ?? null,
    funds,
    slots,
    take: (sale) => move(sale, 1),
    giveBack: (sale) => move(sale, -1),
    post,
  };
}

export function counterName(key: { offerKey: string; window: string; startsAt: number }): string {
  return `${key.offerKey} ${key.window} ${key.startsAt}`;
}

type Slot = { readonly offerKey: string; readonly startsAt: number };

function addTo(slots: Map<string, Map<number, number>>, { offerKey, startsAt }: Slot, more: number): void {
  const taken = slots.get(offerKey) ?? new Map<number, number>();
  slots.set(offerKey, taken.set(startsAt, (taken.get(startsAt) ?? 0) + more));
}
