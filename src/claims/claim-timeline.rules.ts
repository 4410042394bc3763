// Builds the timeline of a claim from its columns, its audit events and the invoice of its credit (contract 6.10). Pure.
import type { AuditMention } from '../audit/read-audit.ts';
import { type InvoiceId, typeId, uuidOf } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Claim } from './claim.ts';
import { claimSteps, type ClaimTimeline } from './claim-timeline.schema.ts';

type Moment = ClaimTimeline[number];
type Author = Moment['by'];

/** Steps whose author, and mostly time, only the audit log has. */
export const auditedSteps = ['filed', 'file_added', 'under_review', 'withdrawn'] as const;

export type ClaimHistory = {
  readonly claim: Claim;
  /** Audit events about the claim. */
  readonly mentions: readonly AuditMention[];
  /** With the credit; null if there is none. */
  readonly invoiceId: InvoiceId | null;
  /** Of the partner's tokens among the authors, by their `tok_…` ids. */
  readonly tokenLabels: ReadonlyMap<string, string>;
};

/** `viewer` decides whether operators are named. */
export function claimTimeline(history: ClaimHistory, viewer: 'partner' | 'operator'): ClaimTimeline {
  const { claim } = history;
  const moments = [...auditedMoments(history), ...decision(claim), ...credit(history)];
  const shown = moments.map((moment) => (viewer === 'operator' ? moment : { ...moment, by: unnamed(moment.by) }));
  return shown.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at) || rankOf(one) - rankOf(other));
}

function auditedMoments({ claim, mentions, tokenLabels }: ClaimHistory): Moment[] {
  const moments = mentions.flatMap((mention) => {
    const step = auditedSteps.find((one) => mention.action === `${claim.kind}.${one}`);
    return step === undefined
      ? []
      : [{ step, at: mention.at.toISOString(), by: authorOf(mention, claim, tokenLabels), credit: null }];
  });
  if (moments.some(({ step }) => step === 'filed')) return moments;
  return [{ step: 'filed', at: claim.filedAt.toISOString(), by: partnerWith(null, null), credit: null }, ...moments];
}

/** A token acts under its id; in events of earlier releases, under the key of its partner. */
function authorOf(
  { actor: { type, name } }: AuditMention,
  { buyerKey }: Claim,
  tokenLabels: ClaimHistory['tokenLabels'],
): Author {
  if (type !== 'buyer') return marketplace(name);
  const isToken = name === buyerKey || uuidOf('token', name) !== null;
  return isToken ? partnerWith(null, tokenLabels.get(name) ?? null) : partnerWith(name, null);
}

function partnerWith(name: string | null, tokenLabel: string | null): Author {
  return { party: 'partner', name, tokenLabel };
}

function marketplace(name: string): Author {
  return { party: 'marketplace', name, tokenLabel: null };
}

function decision({ status, decidedAt, decidedBy }: Claim): Moment[] {
  if (decidedAt === null || (status !== 'approved' && status !== 'denied')) return [];
  const by = decidedBy === null ? null : marketplace(decidedBy);
  return [{ step: status, at: decidedAt.toISOString(), by, credit: null }];
}

/** Posted in the transaction of the approval. */
function credit({ claim: { decidedAt, creditCents, creditTransferId }, invoiceId }: ClaimHistory): Moment[] {
  if (decidedAt === null || creditCents === null || creditTransferId === null) return [];
  const posted = {
    amount: wireAmount(creditCents),
    entryId: typeId('transfer', creditTransferId),
    invoiceId: invoiceId === null ? null : typeId('invoice', invoiceId),
  };
  return [{ step: 'credited', at: decidedAt.toISOString(), by: null, credit: posted }];
}

function unnamed(by: Author): Author {
  return by?.party === 'marketplace' ? { ...by, name: null } : by;
}

function rankOf({ step }: Moment): number {
  return claimSteps.indexOf(step);
}
