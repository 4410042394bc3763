// Which of a partner's transfers an invoice of a month takes up if it is issued now (contract 6.19).
import type { Buyer } from '../buyers/buyer.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { liveMonths, readProgress, type Selection } from './invoice.sql.ts';
import { billableSpans, monthSpan } from './period.rules.ts';

export type InvoiceMonth = {
  readonly buyer: Pick<Buyer, 'buyerKey' | 'timeZone'>;
  /** `YYYY-MM`. */
  readonly month: string;
};

export async function readSelection(tx: Tx, { buyer, month }: InvoiceMonth): Promise<Selection> {
  const { buyerKey, timeZone } = buyer;
  const [progress] = await tx.query(readProgress, { buyerKey });
  const invoiced = await tx.query(liveMonths, { buyerKey });
  const months = invoiced.map((one) => one.month);
  const spans = billableSpans(month, months, timeZone);
  return {
    accountKey: accountKey('buyer', buyerKey),
    settledVersion: progress?.settledVersion ?? 0,
    buyerKey,
    fromTimes: spans.map(({ from }) => new Date(from)),
    untilTimes: spans.map(({ until }) => new Date(until)),
    endsAt: new Date(monthSpan(month, timeZone).until),
  };
}
