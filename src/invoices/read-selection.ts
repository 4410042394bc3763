// Which of a partner's transfers an invoice of a month takes up if it is issued now (contract 6.19).
import type { Buyer } from '../buyers/buyer.ts';
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { liveMonths, readProgress } from './invoice.sql.ts';
import { billableSpans, monthSpan } from './period.rules.ts';

export type InvoiceMonth = {
  readonly buyer: Pick<Buyer, 'buyerKey' | 'timeZone'>;
  /** `YYYY-MM`. */
  readonly month: string;
};

/** The first parameters of the statements that select them, in order. */
export type Selection = readonly [
  accountKey: string,
  settledVersion: number,
  buyerKey: string,
  /** When the charges happened: from ≤ at < until, for one of the pairs. */
  from: readonly Date[],
  until: readonly Date[],
  /** The end of the month: credits of later ones belong to later invoices. */
  end: Date,
];

export async function readSelection(tx: Tx, { buyer, month }: InvoiceMonth): Promise<Selection> {
  const { buyerKey, timeZone } = buyer;
  const [progress] = await tx.query(readProgress, { buyerKey });
  const invoiced = await tx.query(liveMonths, { buyerKey });
  const months = invoiced.map((one) => one.month);
  const spans = billableSpans(month, months, timeZone);
  return [
    accountKey('buyer', buyerKey),
    progress?.settledVersion ?? 0,
    buyerKey,
    spans.map(({ from }) => new Date(from)),
    spans.map(({ until }) => new Date(until)),
    new Date(monthSpan(month, timeZone).until),
  ];
}
