// Test marketplace for billing: posts charges, credits and payments at given times, and issues, pays and voids invoices.
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { newUuid } from '../../src/base/ids.ts';
import type { BillingTerms } from '../../src/buyers/buyer.ts';
import { defaultTerms } from '../../src/buyers/buyer-row.rules.ts';
import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { findInvoice, readInvoiceDetail, readInvoices } from '../../src/invoices/find-invoices.ts';
import type { Invoice, InvoiceDetail } from '../../src/invoices/invoice.ts';
import { type Issue, issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { type PaymentInput, payInvoice } from '../../src/invoices/pay-invoice.ts';
import { voidInvoice } from '../../src/invoices/void-invoice.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferType } from '../../src/ledger/transfer.rules.ts';
import type { Tx } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

export type Partner = {
  readonly buyerKey: string;
  readonly name: string;
  readonly timeZone: string;
  /** Beside the default terms. */
  readonly terms?: Partial<BillingTerms>;
};

export type BillingMarket = Awaited<ReturnType<typeof openBillingMarket>>;

export async function openBillingMarket() {
  const home: TestDatabase = await createTestDatabase();
  const { database } = home;
  let partners = 0;
  let sales = 0;

  const post = (partner: Partner, type: TransferType, amountCents: number, when: string | Date): Promise<unknown> => {
    sales += 1;
    const description = type === 'charge' ? `Lead Sale LS-${100_000 + sales}` : `Some ${type}`;
    const transfer = {
      businessKey: `${type}:${newUuid()}`,
      type,
      buyerKey: partner.buyerKey,
      amountCents,
      description,
    };
    return database.tx((tx) => postTransfers(tx, [transfer], new Date(when)));
  };
  const inputFor = ({ terms = {}, ...partner }: Partner, month: string) =>
    ({ buyer: { ...partner, billing: { ...defaultTerms, ...terms } }, month, actor: commandLineActor }) as const;
  /** Throws if the month is not over. */
  const issueIn = async (tx: Tx, partner: Partner, month: string, now: string | Date): Promise<Issue> => {
    const outcome = await issueInvoice(tx, inputFor(partner, month), new Date(now));
    if (!outcome.ok) throw new Error(outcome.code);
    return outcome.value;
  };
  const issue = (partner: Partner, month: string, now: string | Date): Promise<Issue> =>
    database.tx((tx) => issueIn(tx, partner, month, now));

  return {
    home,
    database,
    post,
    inputFor,
    issueIn,
    issue,
    /** Throws if nothing was issued. */
    async issued(partner: Partner, month: string, now: string | Date): Promise<Invoice> {
      const { kind, invoice } = await issue(partner, month, now);
      if (kind !== 'issued') throw new Error(`the invoice of ${month} is ${kind}`);
      return invoice;
    },
    /** A new partner. */
    async partner(timeZone = 'America/Los_Angeles'): Promise<Partner> {
      partners += 1;
      const partner = { buyerKey: `partner-${partners}`, name: `Partner ${partners}`, timeZone };
      await database.tx((tx) => openAccounts(tx, [partner.buyerKey]));
      return partner;
    },
    invoices: (partner: Partner, now: string | Date): Promise<Invoice[]> =>
      database.tx((tx) => readInvoices(tx, partner.buyerKey, new Date(now)), { snapshot: true }),
    async invoice(name: string, now: string | Date): Promise<Invoice> {
      const invoice = await database.tx((tx) => findInvoice(tx, name, new Date(now)));
      if (invoice === null) throw new Error(`there is no ${name}`);
      return invoice;
    },
    detail: (invoice: Invoice): Promise<InvoiceDetail> => database.tx((tx) => readInvoiceDetail(tx, invoice)),
    pay: (name: string, amountCents: PaymentInput['amountCents'], now: string | Date) =>
      database.tx((tx) => payInvoice(tx, { name, amountCents, actor: commandLineActor }, new Date(now))),
    void: (name: string, now: string | Date, note = 'Sent in error') =>
      database.tx((tx) => voidInvoice(tx, { name, note, actor: commandLineActor }, new Date(now))),
    /** Throws if the ledger or the invoices have faults. */
    async expectNoFaults(): Promise<void> {
      const faults = await database.tx(
        async (tx) => [...(await checkLedger(tx)).faults, ...(await checkInvoices(tx))],
        { snapshot: true },
      );
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    async rows(text: string): Promise<Array<Record<string, unknown>>> {
      return (await database.pool.query<Record<string, unknown>>(text)).rows;
    },
    close: () => home.drop(),
  };
}
