// The market of a simulation, in memory: the very rules of routing decide, and counters, slots, funds, people and turns move along
// with what is sold, fails and is posted (contract 4).
import { DAY_MS } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { PersonHash, SalesOfPersons } from '../leads/person-scope.rules.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import { decideBatch, type Decision, type Picture, scopeOf } from '../routing/decide-batch.rules.ts';
import { rememberSpans, windowsOf } from '../routing/gates.rules.ts';
import type { LeadToRoute } from '../routing/lead-facts.ts';
import { rememberLocalDays } from '../routing/local-day.rules.ts';
import { makeOfferBook, type OfferBook } from '../routing/offer-book.rules.ts';
import type { Offer } from '../routing/offer.ts';
import type { EndpointChange, MarketStart, PastDelivery } from './past.ts';

/** What is simulated: everything in force, with every endpoint in use. */
export type SimulatedConfiguration = {
  readonly settings: MarketplaceSettings;
  readonly offers: ReadonlyMap<string, Offer>;
  readonly buyers: ReadonlyMap<string, Buyer>;
};

/** What a sale has taken, so that a failure can give it back. */
export type Sale = {
  readonly saleId: number;
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly payoutCents: number;
  readonly counters: readonly string[];
  readonly appointmentAt: number | null;
  readonly persons: readonly PersonHash[];
  readonly scope: string;
};

export type Decided = { readonly decision: Decision; readonly sales: readonly Sale[] };

export type ReplayMarket = {
  /** Decides on one lead after the other, with the endpoints that were in use under this version, and takes what is sold. */
  decide(leads: readonly LeadToRoute[], at: { readonly now: number; readonly version: number }): Decided[];
  /** Takes what a delivery of the past had taken. */
  takePast(delivery: PastDelivery, persons: readonly PersonHash[]): Sale;
  /** The same for one that `MarketStart` contains: only its people are new. */
  takeStarted(delivery: PastDelivery, persons: readonly PersonHash[]): Sale;
  giveBack(sale: Sale): void;
  /** A sale of before the start that nothing gives back any more. */
  remember(persons: readonly PersonHash[], scope: string, soldAt: number): void;
  post(buyerKey: string, cents: number): void;
};

export function createReplayMarket(configuration: SimulatedConfiguration, start: MarketStart): ReplayMarket {
  const { settings, offers, buyers } = configuration;
  const calendar = { spanOf: rememberSpans(), dayOf: rememberLocalDays() };
  const counters = new Map(start.capUse.map(({ used, usedCents, ...key }) => [counterName(key), { used, usedCents }]));
  const slots = new Map<string, Map<number, number>>();
  for (const { offerKey, startsAt, used } of start.slotUse) addTo(slots, offerKey, startsAt, used);
  const funds = new Map(
    [...buyers.values()].flatMap(({ buyerKey, billing: { creditLimitCents: limit } }) =>
      limit === null ? [] : [[buyerKey, limit + (start.funds.get(buyerKey) ?? 0)] as const],
    ),
  );
  const turns = new Map(start.turns.map((offerKey, index) => [offerKey, index + 1]));
  let turnsTaken = turns.size;
  const people = rememberPeople();
  const bookAt = booksByVersion(configuration, start.endpoints);
  let salesMade = 0;

  const pictureAt = (leads: readonly LeadToRoute[], now: number, book: OfferBook): Picture => ({
    now: new Date(now),
    holdMs: settings.holdMinutes * 60_000,
    book,
    calendar,
    readings: (offerKey) => (window, startsAt) => counters.get(counterName({ offerKey, window, startsAt })) ?? null,
    funds,
    sales: settings.dedupDays === 0 ? new Map() : people.soldSince(leads, now - settings.dedupDays * DAY_MS),
    blocksRepeats: settings.dedupDays > 0,
    strategy: settings.strategy,
    turns,
    slots,
  });
  const move = (sale: Sale, sign: 1 | -1): void => {
    for (const name of sale.counters) {
      const before = counters.get(name) ?? { used: 0, usedCents: 0 };
      const usedCents = before.usedCents + sign * sale.payoutCents;
      counters.set(name, { used: before.used + sign, usedCents });
    }
    if (sale.appointmentAt !== null) addTo(slots, sale.offerKey, sale.appointmentAt, sign);
    post(sale.buyerKey, -sign * sale.payoutCents);
  };
  const post = (buyerKey: string, cents: number): void => {
    const before = funds.get(buyerKey);
    if (before !== undefined) funds.set(buyerKey, before + cents);
  };
  const pastSale = (delivery: PastDelivery, persons: readonly PersonHash[]): Sale => {
    const { offerKey, buyerKey, payoutCents, appointmentAt, scope, deliveredAt } = delivery;
    const offer = offers.get(offerKey);
    const buyer = buyers.get(buyerKey);
    const windows =
      offer === undefined || buyer === undefined
        ? []
        : windowsOf({ offer, buyer }, new Date(deliveredAt), calendar.spanOf);
    const names = windows.map(({ window, span }) => counterName({ offerKey, window, startsAt: span.from }));
    const sale = {
      saleId: ++salesMade,
      offerKey,
      buyerKey,
      payoutCents,
      counters: names,
      appointmentAt,
      persons,
      scope,
    };
    people.add(persons, { scope, soldAt: deliveredAt, saleId: sale.saleId });
    return sale;
  };

  return {
    decide(leads, { now, version }) {
      const batch = decideBatch(leads, pictureAt(leads, now, bookAt(version)));
      const names = new Map(
        batch.grants.map(({ offerKey, windows }) => [offerKey, windows.map((at) => counterName({ offerKey, ...at }))]),
      );
      const decided = batch.decisions.map((decision) => ({
        decision,
        sales: decision.choice.winners.map((winner): Sale => {
          const { offerKey, buyerKey, payoutCents } = winner.offer;
          const appointmentAt = decision.choice.appointments.get(offerKey) ?? null;
          const taken = { counters: names.get(offerKey) ?? [], appointmentAt, persons: decision.lead.persons };
          return { saleId: ++salesMade, offerKey, buyerKey, payoutCents, ...taken, scope: scopeOf(winner) };
        }),
      }));
      for (const sale of decided.flatMap(({ sales }) => sales)) {
        move(sale, 1);
        people.add(sale.persons, { scope: sale.scope, soldAt: now, saleId: sale.saleId });
      }
      for (const offerKey of batch.turns) turns.set(offerKey, ++turnsTaken);
      return decided;
    },
    takePast(delivery, persons) {
      const sale = pastSale(delivery, persons);
      move(sale, 1);
      return sale;
    },
    takeStarted: pastSale,
    giveBack(sale) {
      move(sale, -1);
      people.forget(sale);
    },
    remember: (persons, scope, soldAt) => people.add(persons, { scope, soldAt, saleId: 0 }),
    post,
  };
}

function counterName(key: { offerKey: string; window: string; startsAt: number }): string {
  return `${key.offerKey} ${key.window} ${key.startsAt}`;
}

function addTo(slots: Map<string, Map<number, number>>, offerKey: string, startsAt: number, more: number): void {
  let taken = slots.get(offerKey);
  if (taken === undefined) slots.set(offerKey, (taken = new Map()));
  taken.set(startsAt, (taken.get(startsAt) ?? 0) + more);
}

/** The last sale in each scope, as a chain: most people have one, and a collection for each of millions would be too large. */
type PersonSale = { scope: string; soldAt: number; saleId: number; next: PersonSale | null };

function rememberPeople() {
  const known = new Map<PersonHash, PersonSale>();
  const find = (person: PersonHash, scope: string): PersonSale | null => {
    let sale = known.get(person) ?? null;
    while (sale !== null && sale.scope !== scope) sale = sale.next;
    return sale;
  };
  return {
    add(persons: readonly PersonHash[], { scope, soldAt, saleId }: Omit<PersonSale, 'next'>): void {
      for (const person of persons) {
        const sale = find(person, scope);
        if (sale === null) known.set(person, { scope, soldAt, saleId, next: known.get(person) ?? null });
        else if (sale.soldAt <= soldAt) Object.assign(sale, { soldAt, saleId });
      }
    },
    forget({ persons, scope, saleId }: Sale): void {
      for (const person of persons) {
        const sale = find(person, scope);
        // Whoever was sold again since stays sold.
        if (sale?.saleId === saleId) sale.soldAt = Number.NEGATIVE_INFINITY;
      }
    },
    soldSince(leads: readonly LeadToRoute[], since: number): SalesOfPersons {
      const sales: SalesOfPersons = new Map();
      for (const person of leads.flatMap(({ persons }) => persons)) {
        for (let sale = known.get(person) ?? null; sale !== null; sale = sale.next) {
          if (sale.soldAt >= since) sales.set(person, (sales.get(person) ?? new Set()).add(sale.scope));
        }
      }
      return sales;
    },
  };
}

/** The book with the endpoints as they were under a version; a buyer with another URL than that which was out of use has it in use. */
function booksByVersion({ offers, buyers }: SimulatedConfiguration, changes: readonly EndpointChange[]) {
  let known: { readonly changed: number; readonly book: OfferBook } | null = null;
  return (version: number): OfferBook => {
    let changed = 0;
    while (changed < changes.length && (changes[changed]?.version ?? 0) <= version) changed += 1;
    if (known?.changed === changed) return known.book;
    const last = new Map(changes.slice(0, changed).map((change) => [change.buyerKey, change]));
    const asThen = [...buyers.values()].map((buyer): Buyer => {
      const change = last.get(buyer.buyerKey);
      const isOut = change?.isDisabled === true && change.webhookUrl === buyer.settings.webhookUrl;
      return { ...buyer, endpointDisabledAt: isOut ? new Date(0) : null };
    });
    const book = makeOfferBook(version, [...offers.values()], new Map(asThen.map((buyer) => [buyer.buyerKey, buyer])));
    known = { changed, book };
    return book;
  };
}
