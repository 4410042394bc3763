// Computes what a sale costs under a supplier's terms, and how much of it a return takes back (contract 11.1, 11.2).
import type { EventType } from '../marketplace/configured.schema.ts';
import type { PayTerms } from './supplier.ts';

/** The facts of a lead and of the offer that buys it which the rules go by. */
export type SaleFacts = {
  readonly state: string | null;
  readonly source: string | null;
  readonly score: number;
  readonly eventType: EventType;
  readonly priceCents: number;
};

/** The cost of a sale with the terms for it; they stay what they were when the lead was routed. */
export type SaleCost = {
  readonly model: 'fixed' | 'share';
  /** Whole cents of 0 or more. Under `fixed` it is owed once per lead, at the first sale that is confirmed. */
  readonly costCents: number;
  /** Hundredths of a percent of the price; null under `fixed`. */
  readonly share: number | null;
  /** null: nothing is taken back. */
  readonly clawbackDays: number | null;
  readonly holdDays: number;
};

/** Null where the supplier's leads cost nothing. The first matching rule holds. */
export function saleCost(terms: PayTerms, sale: SaleFacts): SaleCost | null {
  const { model, clawback, hold } = terms;
  if (model === 'none') return null;
  const rate = terms.rules.find(({ when }) => matches(when, sale)) ?? terms;
  const common = { clawbackDays: clawback.onReturn === 'full' ? clawback.days : null, holdDays: hold.days };
  if (model === 'fixed') return { model, costCents: rate.amountCents ?? 0, share: null, ...common };
  const share = rate.share ?? 0;
  return { model, costCents: shareOf(sale.priceCents, share), share, ...common };
}

function matches({ states, sources, eventTypes, minScore }: PayTerms['rules'][number]['when'], sale: SaleFacts) {
  return (
    (states.length === 0 || (sale.state !== null && states.includes(sale.state))) &&
    (sources.length === 0 || (sale.source !== null && sources.includes(sale.source))) &&
    (eventTypes.length === 0 || eventTypes.includes(sale.eventType)) &&
    (minScore === null || sale.score >= minScore)
  );
}

const WHOLE_SHARE = 10_000;

/** `share` in hundredths of a percent; half a cent up. */
export function shareOf(cents: number, share: number): number {
  return partOf(cents, share, WHOLE_SHARE);
}

/**
 * What an approved return or dispute takes back, in cents: never more than is owed for the sale. A credit of a part of the price takes back
 * the same part of a share, half a cent up; what is owed once for the lead is taken back as a whole, if no sale of the lead is kept.
 */
export function clawbackCents(sale: {
  readonly model: SaleCost['model'];
  /** What was posted for the sale and is not taken back yet. */
  readonly owedCents: number;
  readonly priceCents: number;
  readonly creditCents: number;
  readonly isLeadKept: boolean;
}): number {
  const { model, owedCents, priceCents, creditCents, isLeadKept } = sale;
  if (model === 'fixed') return isLeadKept ? 0 : owedCents;
  if (priceCents === 0 || creditCents >= priceCents) return owedCents;
  return Math.min(owedCents, partOf(owedCents, creditCents, priceCents));
}

const DAY_MS = 24 * 3_600_000;

/** Whether an approval comes within the days; one before the confirmation, on a clock that was set back, does. */
export function isInTime(confirmedAt: Date, clawbackDays: number, now: Date): boolean {
  return now.getTime() - confirmedAt.getTime() <= clawbackDays * DAY_MS;
}

/** `amount` × `part` / `whole`, half up; with whole numbers only, because the product of two large amounts is not a safe integer. */
function partOf(amount: number, part: number, whole: number): number {
  const doubled = 2n * BigInt(amount) * BigInt(part);
  return Number((doubled + BigInt(whole)) / (2n * BigInt(whole)));
}
