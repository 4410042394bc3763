// Test marketplace of suppliers' money: posts costs, claw-backs and adjustments at given times, and issues statements.
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { newUuid, typeId } from '../../src/base/ids.ts';
import type { DeliveryId } from '../../src/base/ids.ts';
import { lockAccounts } from '../../src/ledger/accounts.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { draftTransfers, enterTransfers } from '../../src/ledger/post-transfers.ts';
import { accountsOf, type SupplierTransferInput } from '../../src/ledger/transfer.rules.ts';
import { checkStatements } from '../../src/statements/check-statements.ts';
import { foldEarnings } from '../../src/statements/fold-earnings.ts';
import { issueStatement } from '../../src/statements/issue-statement.ts';
import { readEarnings } from '../../src/statements/read-earnings.ts';
import { recordPayout } from '../../src/statements/record-payout.ts';
import type { SupplierStatement } from '../../src/statements/statement.ts';
import { readSupplier } from '../../src/suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../../src/suppliers/supplier.ts';
import type { Database } from '../../src/platform/database/database.ts';

export const earningYaml = `
marketplace: { name: Leads & Sons <Ltd>, currency: EUR }
suppliers:
  - { key: east, name: East <b>, status: approved, timeZone: America/New_York }
  - { key: west, name: West, status: approved, timeZone: America/Los_Angeles }
  - { key: idle, name: Idle, status: approved }
  - { key: many, name: Many, status: approved }
`;

export type EarningMarket = ReturnType<typeof earningMarket>;

export function earningMarket(database: Database) {
  const post = (transfer: SupplierTransferInput, at: string): Promise<void> =>
    database.tx(async (tx) => {
      const accounts = await lockAccounts(tx, accountsOf([transfer]));
      const { fresh } = await draftTransfers(tx, [transfer], new Date(at));
      enterTransfers(tx, { fresh, accounts }, new Date(at));
    });
  const supplier = async (supplierKey: string): Promise<SupplierConfig> => {
    const found = await database.tx((tx) => readSupplier(tx, supplierKey));
    if (found === null) throw new Error(`there is no supplier ${supplierKey}`);
    return found;
  };
  const issue = async (supplierKey: string, month: string, now: string) => {
    const input = { supplier: await supplier(supplierKey), month, actor: commandLineActor };
    return database.tx((tx) => issueStatement(tx, input, new Date(now)));
  };
  return {
    post,
    issue,
    /** Returns the delivery, for a claw-back. */
    async cost(supplierKey: string, amountCents: number, at: string, holdDays = 0): Promise<DeliveryId> {
      const deliveryId = newUuid();
      await database.pool.query(
        `INSERT INTO delivery_cost (delivery_id, model, cost_cents, clawback_days, hold_days) VALUES ($1, 'fixed', $2, 60, $3)`,
        [deliveryId, amountCents, holdDays],
      );
      const description = 'Cost of a lead';
      await post(
        {
          businessKey: `cost:${typeId('delivery', deliveryId)}`,
          type: 'cost',
          supplierKey,
          amountCents,
          description,
          deliveryId,
        },
        at,
      );
      return deliveryId;
    },
    clawback: (supplierKey: string, deliveryId: DeliveryId, amountCents: number, at: string): Promise<void> =>
      post(
        {
          businessKey: `clawback:${newUuid()}`,
          type: 'clawback',
          supplierKey,
          amountCents,
          description: 'Return',
          deliveryId,
        },
        at,
      ),
    adjust: (supplierKey: string, amountCents: number, at: string, description = 'Correction'): Promise<void> =>
      post({ businessKey: `hand:${newUuid()}`, type: 'adjustment', supplierKey, amountCents, description }, at),
    pay: (supplierKey: string, amountCents: number, reference: string, at: string) =>
      database.tx((tx) =>
        recordPayout(tx, { supplierKey, amountCents, reference, actor: commandLineActor }, new Date(at)),
      ),
    /** Throws if nothing was issued. */
    async issued(supplierKey: string, month: string, now: string): Promise<SupplierStatement> {
      const outcome = await issue(supplierKey, month, now);
      if (!outcome.ok || outcome.value.kind !== 'issued') throw new Error(`no statement of ${month} was issued`);
      return outcome.value.statement;
    },
    async fold(supplierKey: string): Promise<void> {
      const one = await supplier(supplierKey);
      while (await database.tx((tx) => foldEarnings(tx, one))) await Promise.resolve();
    },
    async earnings(supplierKey: string, days: number, now: string) {
      const one = await supplier(supplierKey);
      return database.tx((tx) => readEarnings(tx, one, { days }, new Date(now)), { snapshot: true });
    },
    /** Faults of the ledger and of the statements. */
    faults: (): Promise<readonly string[]> =>
      database.tx(async (tx) => [...(await checkLedger(tx)).faults, ...(await checkStatements(tx))], {
        snapshot: true,
      }),
  };
}
