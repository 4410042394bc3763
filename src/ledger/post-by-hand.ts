// Posts payments, credits and adjustments that an operator enters or imports (contract 7.2, 7.10).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditEvent, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { type InvoiceId, newUuid, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LedgerEntry } from './entry.rules.ts';
import { lockFunds, readFunds } from './funds.ts';
import { selectByBusinessKeys } from './ledger.sql.ts';
import { type Posted, postTransfers } from './post-transfers.ts';
import type { TransferInput } from './transfer.rules.ts';

export type HandPosting = {
  readonly buyerKey: string;
  readonly type: 'payment' | 'credit' | 'adjustment';
  /** Not 0; negative for an adjustment only. */
  readonly amountCents: number;
  readonly description: string;
  /** A key posts once; without a key every call is a new posting. */
  readonly idempotencyKey: string | null;
  /** The invoice that a payment is for. */
  readonly invoiceId?: InvoiceId | null;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

export type HandRefusal = 'partner_not_found' | 'idempotency_key_reused';

export async function postByHand(tx: Tx, posting: HandPosting, now: Date): Promise<Outcome<Posted, HandRefusal>> {
  const [outcome] = await postAllByHand(tx, [posting], now);
  assert(outcome !== undefined, 'a posting has no outcome');
  return outcome;
}

/** Posts all that can be posted, each with its audit event; the outcomes are in the order of the postings. Keys must be unique among them. */
export async function postAllByHand(
  tx: Tx,
  postings: readonly HandPosting[],
  now: Date,
): Promise<Array<Outcome<Posted, HandRefusal>>> {
  const funds = await lockFunds(
    tx,
    postings.map(({ buyerKey }) => buyerKey),
  );
  const transfers = postings.map(transferOf);
  const known = transfers.filter(({ buyerKey }) => funds.has(buyerKey));
  const posted = await postTransfers(tx, known, now);
  const outcomes = transfers.map((transfer) => {
    const entry = posted.get(transfer.businessKey);
    if (entry === undefined) return refuse('partner_not_found');
    return entry.isNew || isSame(transfer, entry) ? done(entry) : refuse('idempotency_key_reused');
  });
  const events = outcomes.flatMap((outcome, index) => {
    const posting = postings[index];
    return outcome.ok && outcome.value.isNew && posting !== undefined ? [postingEvent(posting, outcome.value)] : [];
  });
  await appendAudit(tx, events);
  return outcomes;
}

/** What `postAllByHand` would do, without posting: `isNew` for a posting whose idempotency key is unused. */
export async function previewPostings(
  tx: Tx,
  postings: readonly HandPosting[],
): Promise<Array<Outcome<{ readonly isNew: boolean }, HandRefusal>>> {
  const transfers = postings.map(transferOf);
  const funds = await readFunds(tx, [...new Set(transfers.map(({ buyerKey }) => buyerKey))]);
  const businessKeys = transfers.map(({ businessKey }) => businessKey);
  const entries = new Map(
    (await tx.query(selectByBusinessKeys, { businessKeys })).map((one) => [one.businessKey, one]),
  );
  return transfers.map((transfer) => {
    if (!funds.has(transfer.buyerKey)) return refuse('partner_not_found');
    const entry = entries.get(transfer.businessKey);
    if (entry === undefined) return done({ isNew: true });
    return isSame(transfer, entry) ? done({ isNew: false }) : refuse('idempotency_key_reused');
  });
}

/** The business key of a posting by hand or by an import. */
export function handKey(idempotencyKey: string): string {
  return `hand:${idempotencyKey}`;
}

type HandTransfer = TransferInput & { readonly type: HandPosting['type'] };

function transferOf(posting: HandPosting): HandTransfer {
  const { buyerKey, type, amountCents, idempotencyKey, invoiceId = null } = posting;
  assert(amountCents !== 0, 'an amount of 0 cannot be posted');
  const businessKey = handKey(idempotencyKey ?? newUuid());
  const description = maskSecrets(posting.description);
  const reference = invoiceId === null ? {} : { invoiceId };
  return { businessKey, buyerKey, type, amountCents, description, ...reference };
}

function isSame({ buyerKey, type, amountCents, description, invoiceId }: HandTransfer, entry: LedgerEntry): boolean {
  return (
    entry.buyerKey === buyerKey &&
    entry.type === type &&
    entry.amountCents === amountCents &&
    entry.description === description &&
    entry.invoiceId === (invoiceId ?? null)
  );
}

function postingEvent({ actor, origin = noOrigin }: HandPosting, posted: Posted): AuditEvent {
  const { buyerKey, type, transferId, amountCents, balanceAfterCents, createdAt } = posted;
  return {
    at: createdAt,
    actor,
    buyerKey,
    supplierKey: null,
    action: `${type}.posted`,
    target: typeId('transfer', transferId),
    changes: {
      currentBalance: { from: wireAmount(balanceAfterCents - amountCents), to: wireAmount(balanceAfterCents) },
    },
    ...origin,
  };
}
