// Finds offers whose price is below what a lead may cost under a supplier's terms (contract 11.1).
import { formatCents } from '../base/money.ts';
import type { Offer } from '../routing/offer.ts';
import type { PayRule, PayTerms, SupplierConfig } from '../suppliers/supplier.ts';
import type { Configuration, Writes } from './difference.rules.ts';

/** More would hide what else the notes say. */
const NOTES_MAX = 20;

/** Only pairs of which the offer or the supplier changes: an operator who has accepted a loss is not warned again by every change. */
export function lossNotes(writes: Pick<Writes, 'suppliers' | 'offers'>, current: Configuration): string[] {
  const suppliers = new Map(current.suppliers);
  for (const supplier of writes.suppliers) suppliers.set(supplier.supplierKey, supplier);
  const offers = new Map(current.offers);
  for (const offer of writes.offers) offers.set(offer.offerKey, offer);
  const changedSuppliers = new Set(writes.suppliers.map(({ supplierKey }) => supplierKey));
  const changedOffers = new Set(writes.offers.map(({ offerKey }) => offerKey));
  const paid = [...suppliers.values()].filter(({ status, pay }) => status !== 'suspended' && pay.model === 'fixed');
  const notes = [...offers.values()].flatMap((offer) => {
    const dear = paid.flatMap((supplier): string[] => {
      const { supplierKey, pay } = supplier;
      if (offer.status === 'closed' || !(changedOffers.has(offer.offerKey) || changedSuppliers.has(supplierKey)))
        return [];
      const cents = buysFrom(offer, supplier) ? highestCost(pay, offer) : 0;
      return cents > offer.payoutCents ? [`${formatCents(cents)} from ${supplierKey}`] : [];
    });
    return dear.length === 0
      ? []
      : [
          `offer ${offer.offerKey}: negative margin, because its price is ${formatCents(offer.payoutCents)} and a lead costs ${dear.join(', ')}`,
        ];
  });
  const more = notes.length - NOTES_MAX;
  return more <= 0 ? notes : [...notes.slice(0, NOTES_MAX), `${more} more offers have a negative margin`];
}

/** Of the amounts in a supplier's terms, in cents; 0 for a share, which is never more than the price. */
export function highestAmount({ pay: { model, amountCents, rules } }: Pick<SupplierConfig, 'pay'>): number {
  if (model !== 'fixed') return 0;
  return Math.max(amountCents ?? 0, ...rules.map((rule) => rule.amountCents ?? 0));
}

/** A supplier without a default vertical posts leads of none as well. */
function buysFrom(
  { vertical: wanted, filters: { suppliers, suppliersNot } }: Offer,
  { supplierKey, vertical, verticals }: SupplierConfig,
): boolean {
  if (wanted !== vertical && (wanted === null || !verticals.includes(wanted))) return false;
  return (suppliers.length === 0 || suppliers.includes(supplierKey)) && !suppliersNot.includes(supplierKey);
}

/** The highest amount that a lead which the offer admits may cost: rules after one that matches all of its leads are never reached. */
function highestCost({ amountCents, rules }: PayTerms, offer: Offer): number {
  const reached: number[] = [];
  for (const { when, amountCents: cents } of rules) {
    const fit = fitOf(when, offer);
    if (fit !== 'none') reached.push(cents ?? 0);
    if (fit === 'all') return Math.max(...reached);
  }
  return Math.max(...reached, amountCents ?? 0);
}

/** Whether a rule matches none, some or all of the leads that an offer admits. */
function fitOf({ states, sources, eventTypes, minScore }: PayRule['when'], { eventType, filters }: Offer) {
  if (eventTypes.length > 0 && !eventTypes.includes(eventType)) return 'none';
  const lists = [
    [states, filters.states, filters.statesNot],
    [sources, filters.sources, filters.sourcesNot],
  ] as const;
  const fits = lists.map(([rule, wanted, unwanted]) => {
    if (rule.length === 0) return 'all';
    const left = rule.filter((name) => (wanted.length === 0 || wanted.includes(name)) && !unwanted.includes(name));
    if (left.length === 0) return 'none';
    return wanted.length > 0 && wanted.every((name) => unwanted.includes(name) || rule.includes(name)) ? 'all' : 'some';
  });
  if (fits.includes('none')) return 'none';
  const isScoreMet = minScore === null || minScore <= (filters.minScore ?? 0);
  return isScoreMet && fits.every((fit) => fit === 'all') ? 'all' : 'some';
}
