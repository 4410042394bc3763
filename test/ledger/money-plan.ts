// Plans random money operations and updates the model with their expected result: rounds of lanes that run concurrently. The exact balance
// of a lane's own partners is known at every moment; transfers of shared partners may be posted by several lanes at once.
import { type ClaimId, type DeliveryId, newUuid } from '../../src/base/ids.ts';
import { monthIn } from '../invoices/billing-model.ts';
import { chance } from '../support/chance.ts';
import type { Kind, ModelInvoice, ModelPartner, MoneyModel } from './money-model.ts';
import type { ModelLead, ModelStatement, ModelSupplier, ModelTerms, SupplierModel } from './supplier-model.ts';

export type Delivery = {
  readonly label: number;
  readonly deliveryId: DeliveryId;
  readonly partner: ModelPartner;
  /** What is held for it, which is the most that it may cost. */
  readonly reserved: number;
  /** The lowest price that the partner may name; null where the price is fixed. */
  readonly least: number | null;
  /** The price that the partner names when it takes the lead; null if it names none. */
  readonly named: number | null;
  /** What it costs in the end. */
  readonly cents: number;
  readonly heldIn: number;
  readonly lead: ModelLead;
};
/** A delivery that ends without a charge, because the partner's system decided so or for another reason. */
export type Ended = { readonly delivery: Delivery; readonly why: 'rejected' | 'duplicate' | null };
export type Posting = {
  readonly label: number;
  readonly kind: Exclude<Kind, 'charge'>;
  readonly partner: ModelPartner;
  /** The amount that the ledger must contain. */
  readonly cents: number;
  /** The requested amount; a repeat may request another one. */
  readonly asked: number;
  readonly deliveryId?: DeliveryId;
};
export type Transaction = {
  readonly what: 'transaction';
  readonly holds: ReadonlyArray<{ readonly delivery: Delivery; readonly isTaken: boolean }>;
  readonly charges: readonly Delivery[];
  /** Of the charges: deliveries that are confirmed now, each for the first time. */
  readonly confirms: readonly Delivery[];
  readonly postings: readonly Posting[];
  readonly releases: readonly Ended[];
  /** Numbers of charges and postings that the ledger already has, and that another lane posts concurrently. */
  readonly repeats: number;
  readonly races: number;
  /** Why a first run is rolled back, before a second one succeeds: an error at its end, or a release of more than is held. */
  readonly undone: 'never' | 'thrown' | 'overdrawn';
};
export type Step =
  | Transaction
  | {
      readonly what: 'by hand';
      readonly posting: Posting;
      readonly expected: 'new' | 'known' | 'idempotency_key_reused';
    }
  | {
      readonly what: 'issue';
      readonly partner: ModelPartner;
      readonly month: string;
      readonly expected: string | ModelInvoice;
    }
  | {
      readonly what: 'pay';
      readonly invoice: ModelInvoice;
      readonly cents: number | null;
      readonly expected: string;
    }
  | { readonly what: 'void'; readonly invoice: ModelInvoice; readonly expected: string }
  /** An approved return or dispute of a charged delivery. */
  | { readonly what: 'claim'; readonly delivery: Delivery; readonly label: number; readonly claimId: ClaimId }
  | {
      readonly what: 'state';
      readonly supplier: ModelSupplier;
      readonly month: string;
      readonly expected: string | ModelStatement;
      /** Why a first run is rolled back: its process is killed before the commit. */
      readonly isUndone: boolean;
    }
  | {
      readonly what: 'pay out';
      readonly supplierKey: string;
      readonly reference: string;
      readonly cents: number;
      readonly expected: string;
    }
  | { readonly what: 'fold'; readonly supplier: ModelSupplier };
export type Round = {
  /** The time of the transfers, and the current time: slightly later, as after a slow commit. */
  readonly at: number;
  readonly now: number;
  readonly lanes: ReadonlyArray<readonly Step[]>;
  /** Steps after all lanes have ended. */
  readonly after: readonly Step[];
};

export type Lane = { readonly own: readonly ModelPartner[] };
export type PlanOptions = {
  readonly seed: number;
  /** Mean number of operations per transaction. */
  readonly batch: number;
  readonly lanes: readonly Lane[];
  readonly shared: readonly ModelPartner[];
  readonly model: MoneyModel;
  readonly supply: SupplierModel;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Steps of a lane per round. */
const STEPS = 6;
/** Half of the repeats are among this many latest postings. */
const RECENT = 500;

/** So many leads at a time can be bought by more partners. */
const OPEN_LEADS = 200;
/** Claims after each round. */
const CLAIMS = 12;

type Past = { readonly posting: Posting | Delivery; readonly lane: number; readonly round: number };
type Where = { readonly lane: number; readonly round: number; readonly at: number };
type ByPartner = Map<ModelPartner, Delivery[]>;
type Draft = {
  /** Partners of the transaction; a wide one may repeat postings of any partner. */
  readonly among: readonly ModelPartner[];
  readonly isWide: boolean;
  readonly holds: Delivery[];
  readonly charges: Delivery[];
  readonly postings: Posting[];
  readonly releases: Ended[];
  repeats: number;
  races: number;
};

/** An endless plan, deterministic for its options except for the ids. */
export function* planMoney({
  seed,
  batch,
  lanes,
  shared,
  model,
  supply,
}: PlanOptions): Generator<Round, never, undefined> {
  const { below, cents, pick } = chance(seed);
  /** Held by the lane, neither charged nor released. */
  const pending: ByPartner[] = lanes.map(() => new Map());
  /** Charged, not credited. */
  const charged: ByPartner = new Map();
  /** When deliveries were charged. */
  const confirmedAt = new Map<Delivery, number>();
  /** Leads that more partners may buy. */
  const open: ModelLead[] = [];
  const past: Past[] = [];
  let label = 100_000;
  let now = Date.UTC(2026, 8, 20);

  const one = <Item>(items: readonly Item[]): Item => {
    const item = pick(items);
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
  const putInto = (list: ByPartner, delivery: Delivery): void => {
    const known = list.get(delivery.partner);
    if (known === undefined) list.set(delivery.partner, [delivery]);
    else known.push(delivery);
  };
  /** Removes a random delivery of the partner and returns it; [] if there is none. */
  const takeFrom = (list: ByPartner | undefined, partner: ModelPartner): Delivery[] => {
    const known = list?.get(partner) ?? [];
    const last = known.pop();
    if (last === undefined) return [];
    const index = below(known.length + 1);
    const taken = known[index] ?? last;
    if (taken !== last) known[index] = last;
    return [taken];
  };
  const newLabel = (): number => (label += 1);
  const newPosting = (kind: Posting['kind'], partner: ModelPartner, amount: number): Posting => {
    return { label: newLabel(), kind, partner, cents: amount, asked: amount };
  };

  /** Every third offer leaves the price to the partner, which names none in one of five responses. */
  const newPrice = (): Pick<Delivery, 'reserved' | 'least' | 'named' | 'cents'> => {
    const reserved = cents();
    if (below(3) > 0) return { reserved, least: null, named: null, cents: reserved };
    const least = 1 + below(reserved);
    const named = below(5) === 0 ? null : least + below(reserved - least + 1);
    return { reserved, least, named, cents: named ?? reserved };
  };

  /** A new lead, or one that other partners buy as well. */
  const leadFor = (partner: ModelPartner): ModelLead => {
    const known = below(3) === 0 ? pick(open) : undefined;
    if (known !== undefined && !known.buyers.has(partner)) {
      if (known.buyers.size === 1) supply.tally.sharedLeads += 1;
      known.buyers.add(partner);
      return known;
    }
    const { supplierKey, terms } = one(supply.suppliers);
    const more = { buyers: new Set([partner]), isPosted: false, owed: 0, heldUntil: '', kept: 0 };
    const lead: ModelLead = { leadId: newUuid(), supplierKey, terms, ...more };
    open[open.length < OPEN_LEADS ? open.length : below(OPEN_LEADS)] = lead;
    return lead;
  };
  const newTerms = (): ModelTerms => {
    const clawbackDays = below(4) === 0 ? null : below(60);
    const ticket = below(5);
    if (ticket === 0) return { model: 'none', rate: 0, clawbackDays };
    return ticket < 3
      ? { model: 'fixed', rate: below(3000), clawbackDays }
      : { model: 'share', rate: below(10_001), clawbackDays };
  };

  const draw: ReadonlyArray<readonly [weight: number, make: (draft: Draft, where: Where) => void]> = [
    [
      34,
      ({ among, holds }, { round }) => {
        const partner = one(among);
        const own = { label: newLabel(), deliveryId: newUuid(), partner, ...newPrice() };
        holds.push({ ...own, heldIn: round, lead: leadFor(partner) });
      },
    ],
    [30, ({ among, charges }, { lane }) => charges.push(...takeFrom(pending[lane], one(among)))],
    [
      4,
      ({ among, releases }, { lane }) => {
        const why = one(['rejected', 'duplicate', null] as const);
        releases.push(...takeFrom(pending[lane], one(among)).map((delivery) => ({ delivery, why })));
      },
    ],
    [
      6,
      ({ among, postings }) => {
        for (const { partner, cents: amount, deliveryId } of takeFrom(charged, one(among)))
          postings.push({ ...newPosting('credit', partner, amount), deliveryId });
      },
    ],
    [
      8,
      ({ among, postings }) => {
        const partner = one(among);
        // Prepaid partners pay enough most of the time.
        postings.push(newPosting('payment', partner, partner.limitCents === 0 ? 4 * cents() : 1 + below(4000)));
      },
    ],
    [
      3,
      ({ among, postings }) => postings.push(newPosting('adjustment', one(among), (below(2) === 0 ? 1 : -1) * cents())),
    ],
    [17, repeat],
  ];
  const kinds = draw.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));

  /** Repeats a posting; for a shared partner also one that another lane posts in this round, if it was held before. */
  function repeat(draft: Draft, { lane, round }: Where): void {
    const found = below(2) === 0 ? past.at(-1 - below(RECENT)) : pick(past);
    if (found === undefined || !(draft.isWide || draft.among.includes(found.posting.partner))) return;
    const { posting } = found;
    const isKnown = found.lane === lane || found.round < round;
    const isSure = shared.includes(posting.partner) && (!('heldIn' in posting) || posting.heldIn < round);
    if (!isKnown && !isSure) return;
    draft[isKnown ? 'repeats' : 'races'] += 1;
    if ('heldIn' in posting) draft.charges.push(posting);
    // The ledger returns the stored amount, whichever amount is requested.
    else draft.postings.push({ ...posting, asked: found.round < round && below(2) === 0 ? cents() : posting.cents });
  }

  function planTransaction(where: Where): Transaction {
    const { lane, round, at } = where;
    const own = lanes[lane]?.own ?? [];
    // Most transactions do not contend with other lanes.
    const isWide = below(5) < 2;
    const among = isWide ? [...own, ...shared] : own;
    const draft: Draft = { among, isWide, holds: [], charges: [], postings: [], releases: [], repeats: 0, races: 0 };
    for (let left = 1 + below(2 * batch - 1); left > 0; left -= 1) one(kinds)(draft, where);
    // In the order of execution.
    const holds = draft.holds.map((delivery) => ({
      delivery,
      isTaken: model.hold(delivery.partner, delivery.reserved),
    }));
    for (const { delivery, isTaken } of holds) {
      if (!isTaken) continue;
      putInto(pending[lane] ?? new Map(), delivery);
      supply.reserve(delivery);
    }
    const confirms: Delivery[] = [];
    for (const delivery of draft.charges) {
      if (!model.post({ ...delivery, kind: 'charge', at })) continue;
      model.release(delivery.partner, delivery.reserved);
      confirms.push(delivery);
      supply.sell(delivery, at);
      confirmedAt.set(delivery, at);
      putInto(charged, delivery);
      past.push({ posting: delivery, lane, round });
    }
    for (const posting of draft.postings) if (model.post({ ...posting, at })) past.push({ posting, lane, round });
    for (const { delivery } of draft.releases) {
      model.release(delivery.partner, delivery.reserved);
      supply.end(delivery);
    }
    const isEmpty = [holds, draft.charges, draft.postings, draft.releases].every((list) => list.length === 0);
    const undone = below(12) === 0 ? 'thrown' : below(20) === 0 && !isEmpty ? 'overdrawn' : 'never';
    const { charges, postings, releases, repeats, races } = draft;
    return { what: 'transaction', holds, charges, confirms, postings, releases, repeats, races, undone };
  }

  function planByHand({ lane, at }: Where): Step[] {
    const posting = newPosting('payment', one(lanes[lane]?.own ?? []), cents());
    model.post({ ...posting, at });
    const other = { ...posting, asked: posting.cents + 1 };
    return [
      { what: 'by hand', posting, expected: 'new' },
      { what: 'by hand', posting, expected: 'known' },
      { what: 'by hand', posting: other, expected: 'idempotency_key_reused' },
    ];
  }

  /**
   * In a lane only for leads that no other lane's sales bear on: whether a fixed amount is taken back depends on the lead's other sales, so
   * these claims come after all lanes.
   */
  function planClaims(partners: readonly ModelPartner[], { at }: Pick<Where, 'at'>, mayBeFixed: boolean): Step[] {
    return takeFrom(charged, one(partners)).flatMap((delivery): Step[] => {
      const { partner, lead, cents: credited } = delivery;
      if (lead.terms.model === 'fixed' && !mayBeFixed) {
        putInto(charged, delivery);
        return [];
      }
      const claim = { label: newLabel(), claimId: newUuid() };
      model.post({ label: claim.label, kind: 'credit', partner, cents: credited, at });
      supply.takeBack(delivery, confirmedAt.get(delivery) ?? at, at);
      return [{ what: 'claim', delivery, ...claim }];
    });
  }

  function planInvoicing(partners: readonly ModelPartner[]): Step[] {
    const partner = one(partners);
    const month = monthIn(partner.timeZone, now - below(4) * 20 * DAY_MS);
    const issue: Step = { what: 'issue', partner, month, expected: model.issue(partner, month, now) };
    const all = model.invoices.filter((known) => known.partner === partner);
    const due = all.filter((known) => known.due > 0);
    const invoice = pick(due.length > 0 && below(4) > 0 ? due : all);
    if (invoice === undefined) return [issue];
    if (below(6) === 0) return [issue, { what: 'void', invoice, expected: model.void(invoice) }];
    const paid = below(3) === 0 ? null : below(2) === 0 ? invoice.due + cents() : 100 * cents();
    return [issue, { what: 'pay', invoice, cents: paid, expected: model.pay(invoice, paid) }];
  }

  /** A month that is over for the lane's postings: the lane's supplier is stated while the others sell. Else after all lanes. */
  function planStatement(supplier: ModelSupplier, isAfter: boolean, at: number): Step[] {
    const month = monthIn(supplier.timeZone, now - below(4) * 20 * DAY_MS);
    if (!isAfter && monthIn(supplier.timeZone, at) <= month) return [];
    return [{ what: 'state', supplier, month, expected: supply.state(supplier, month, now), isUndone: below(3) === 0 }];
  }

  /** Also more than the balance, and an earlier reference. */
  function planPayout({ supplierKey }: ModelSupplier): Step[] {
    const balance = supply.balanceOf(supplierKey);
    const asked = below(3) === 0 ? balance + 1 : Math.floor((balance * (1 + below(10))) / 10);
    const amount = Math.max(1, asked);
    const reference = `transfer ${newLabel()}`;
    const expected = supply.payOut(supplierKey, reference, { cents: amount, at: now });
    const first = { what: 'pay out', supplierKey, reference, cents: amount, expected } as const;
    if (expected !== 'new') return [first];
    const other = amount + 1;
    return [
      first,
      { ...first, expected: supply.payOut(supplierKey, reference, { cents: amount, at: now }) },
      { ...first, cents: other, expected: supply.payOut(supplierKey, reference, { cents: other, at: now }) },
    ];
  }

  for (let round = 0; ; round += 1) {
    now += below(120) * HOUR_MS;
    if (below(3) === 0) {
      one(supply.suppliers).terms = newTerms();
      supply.tally.termChanges += 1;
    }
    // Sometimes before midnight, in the previous month.
    const at = now - below(3) * below(2 * HOUR_MS);
    const planned = lanes.map(({ own }, lane) =>
      Array.from({ length: STEPS }, () => {
        const where = { lane, round, at };
        const ticket = below(60);
        if (ticket === 0) return planByHand(where);
        if (ticket < 6) return planInvoicing(own);
        const supplier = supply.suppliers[lane];
        if (ticket < 9 && supplier !== undefined) return planStatement(supplier, false, at);
        return [planTransaction(where), ...(below(3) === 0 ? planClaims(own, where, false) : [])];
      }).flat(),
    );
    const all = [...lanes.flatMap(({ own }) => own), ...shared];
    const claims = Array.from({ length: CLAIMS }, () => planClaims(all, { at }, true)).flat();
    const invoicing = below(2) === 0 ? planInvoicing(shared) : [];
    const payouts = planPayout(one(supply.suppliers));
    const statements = below(2) === 0 ? planStatement(one(supply.suppliers), true, at) : [];
    const folds: Step[] = below(4) === 0 ? [{ what: 'fold', supplier: one(supply.suppliers) }] : [];
    yield { at, now, lanes: planned, after: [...invoicing, ...claims, ...payouts, ...statements, ...folds] };
  }
}
