// Performs planned money operations through the service, and compares the result with the model.
import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type DeliveryId, newUuid } from '../../src/base/ids.ts';
import { draftCharges, enterCharges } from '../../src/deliveries/charge-deliveries.ts';
import { confirmDeliveries, failDeliveries } from '../../src/deliveries/settle-deliveries.ts';
import { clawBack } from '../../src/deliveries/claw-back.ts';
import type { ConfirmedDelivery } from '../../src/deliveries/delivery.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { holdFunds, lockFunds, releaseFunds } from '../../src/ledger/funds.ts';
import { postByHand } from '../../src/ledger/post-by-hand.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferInput } from '../../src/ledger/transfer.rules.ts';
import { statement, type Tx } from '../../src/platform/database/database.ts';
import { availableFunds } from '../../src/routing/reserve-capacity.ts';
import { foldEarnings } from '../../src/statements/fold-earnings.ts';
import { issueStatement } from '../../src/statements/issue-statement.ts';
import { statementCsv } from '../../src/statements/read-statement-lines.ts';
import { recordPayout } from '../../src/statements/record-payout.ts';
import { ofMonth } from '../../src/statements/statement.sql.ts';
import { type SaleCost, saleCost } from '../../src/suppliers/sale-cost.rules.ts';
import type { PayTerms } from '../../src/suppliers/supplier.ts';
import type { BillingMarket } from '../invoices/billing-market.ts';
import type { ModelAccount, ModelPartner, MoneyModel } from './money-model.ts';
import type { Delivery, Posting, Round, Step, Transaction } from './money-plan.ts';
import { HOLD_DAYS, type SupplierModel } from './supplier-model.ts';

class RolledBack extends Error {}

export async function perform(market: BillingMarket, step: Step, { at, now }: Round): Promise<void> {
  const { database } = market;
  switch (step.what) {
    case 'transaction': {
      const work = (isRolledBack: boolean) =>
        database.tx((tx) => transact(tx, step, { at: new Date(at), isRolledBack }));
      if (step.undone !== 'never')
        await assert.rejects(work(true), step.undone === 'thrown' ? RolledBack : /account_held_cents_check/);
      return work(false);
    }
    case 'by hand': {
      const { label, partner, asked } = step.posting;
      const origin = { type: 'payment', idempotencyKey: String(label), actor: commandLineActor } as const;
      const input = { ...origin, buyerKey: partner.buyerKey, amountCents: asked, description: `Payment ${label}` };
      const outcome = await database.tx((tx) => postByHand(tx, input, new Date(at)));
      const seen = outcome.ok ? (outcome.value.isNew ? 'new' : 'known') : outcome.code;
      return assert.equal(seen, step.expected, `posted by hand: ${label}`);
    }
    case 'issue': {
      const { taxBasisPoints } = step.partner;
      const input = market.inputFor({ ...step.partner, terms: { taxBasisPoints } }, step.month);
      const outcome = await database.tx((tx) => issueInvoice(tx, input, new Date(now)));
      const seen = outcome.ok ? outcome.value.kind : outcome.code;
      assert.equal(seen, typeof step.expected === 'string' ? step.expected : 'issued', `the invoice of ${step.month}`);
      if (typeof step.expected !== 'string' && outcome.ok) step.expected.number = outcome.value.invoice?.number ?? '';
      return;
    }
    case 'pay': {
      const outcome = await market.pay(step.invoice.number, step.cents, new Date(now));
      return assert.equal(outcome.ok ? 'ok' : outcome.code, step.expected, `payment of ${step.invoice.number}`);
    }
    case 'claim':
      return approve(market, step, new Date(at));
    case 'state':
      return state(market, step, new Date(now));
    case 'pay out': {
      const { supplierKey, reference, cents: amountCents } = step;
      const input = { supplierKey, reference, amountCents, actor: commandLineActor };
      const outcome = await database.tx((tx) => recordPayout(tx, input, new Date(now)));
      const seen = outcome.ok ? (outcome.value.isNew ? 'new' : 'known') : outcome.code;
      return assert.equal(seen, step.expected, `payout ${reference}`);
    }
    case 'fold':
      return void (await database.tx((tx) => foldEarnings(tx, step.supplier)));
    case 'void': {
      const outcome = await market.void(step.invoice.number, new Date(now));
      return assert.equal(outcome.ok ? 'ok' : outcome.code, step.expected, `voiding of ${step.invoice.number}`);
    }
  }
}

/** Twice at the same time, as by the scheduled run and by an operator: one of them issues. */
async function state(
  { database }: BillingMarket,
  { supplier, month, expected, isUndone }: Extract<Step, { what: 'state' }>,
  now: Date,
): Promise<void> {
  const name = supplier.supplierKey;
  const issue = (tx: Tx) =>
    issueStatement(tx, { supplier: { ...supplier, name }, month, actor: commandLineActor }, now);
  if (isUndone) {
    const killed = database.tx(async (tx) => {
      await issue(tx);
      throw new RolledBack();
    });
    await assert.rejects(killed, RolledBack);
  }
  const outcomes = await Promise.all([database.tx(issue), database.tx(issue)]);
  const seen = outcomes.map((outcome) => (outcome.ok ? outcome.value.kind : outcome.code)).toSorted();
  const [first, second] = typeof expected === 'string' ? [expected, expected] : ['exists', 'issued'];
  assert.deepEqual(seen, [first, second], `the statement of ${name} for ${month}`);
}

async function transact(
  tx: Tx,
  { holds, charges, confirms, postings, releases, undone }: Transaction,
  { at, isRolledBack }: { readonly at: Date; readonly isRolledBack: boolean },
): Promise<void> {
  const taken = holds.flatMap(({ delivery, isTaken }) => (isTaken ? [delivery] : []));
  const ended = releases.map(({ delivery }) => delivery);
  const deliveries = [...holds.map(({ delivery }) => delivery), ...charges, ...ended];
  await tx.query(insertSold, soldColumns(taken, at));
  const found = await confirm(tx, confirms, at);
  // A repeated charge is drafted although another transaction confirms its delivery.
  const drafted = await draftCharges(
    tx,
    charges.map((delivery) => found.get(delivery.deliveryId) ?? confirmed(delivery)),
    at,
  );
  const partners = new Set([...deliveries, ...postings].map(({ partner }) => partner));
  const funds = await lockFunds(
    tx,
    [...partners].map(({ buyerKey }) => buyerKey),
  );
  const left = new Map([...partners].map((one) => [one, availableFunds(funds.get(one.buyerKey), one.limitCents ?? 0)]));
  for (const { delivery, isTaken } of holds) {
    const { partner, reserved, label } = delivery;
    const available = left.get(partner) ?? 0;
    assert.equal(partner.limitCents === null || reserved <= available, isTaken, `hold of ${reserved} for ${label}`);
    if (isTaken) left.set(partner, available - reserved);
  }
  await holdFunds(tx, sumsOf(taken));
  await enterCharges(tx, drafted, at);
  const posted = await postTransfers(tx, postings.map(transferOf), at);
  for (const { label, cents } of postings)
    assert.equal(posted.get(`money:${label}`)?.amountCents, cents, `of ${label}`);
  const failures = releases.map(({ delivery, why }) => ({ ...delivery, certain: true, rejection: why }));
  await failDeliveries(tx, failures, at);
  if (!isRolledBack) return;
  // More than any partner ever holds.
  if (undone === 'overdrawn') await releaseFunds(tx, new Map([...partners].map(({ buyerKey }) => [buyerKey, 1e12])));
  throw new RolledBack();
}

function sumsOf(deliveries: readonly Delivery[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { partner, reserved } of deliveries)
    sums.set(partner.buyerKey, (sums.get(partner.buyerKey) ?? 0) + reserved);
  return sums;
}

/** At the prices that the partners name. */
async function confirm(tx: Tx, confirms: readonly Delivery[], at: Date): Promise<Map<DeliveryId, ConfirmedDelivery>> {
  const accepted = confirms.map(({ deliveryId, named }) => ({ deliveryId, reference: null, priceCents: named }));
  const { confirmed: rows } = await confirmDeliveries(tx, accepted, at);
  const found = new Map(rows.map((row) => [row.deliveryId, row]));
  for (const { deliveryId, label, cents } of confirms)
    assert.equal(found.get(deliveryId)?.payoutCents, cents, `the price of ${label}`);
  return found;
}

/** The cost as routing computes it from the terms of that time and a price. */
function costOf({ lead }: Delivery, priceCents: number): SaleCost | null {
  const { model, rate, clawbackDays } = lead.terms;
  const onReturn = clawbackDays === null ? 'none' : 'full';
  const terms: PayTerms = {
    model,
    amountCents: model === 'fixed' ? rate : null,
    share: model === 'share' ? rate : null,
    rules: [],
    clawback: { onReturn, days: clawbackDays ?? 0 },
    hold: { days: HOLD_DAYS },
  };
  return saleCost(terms, { state: 'CA', source: null, score: 50, eventType: 'Lead Sale', priceCents });
}

function confirmed(delivery: Delivery): ConfirmedDelivery {
  const { label, deliveryId, partner, reserved, cents, lead } = delivery;
  const cost = costOf(delivery, cents);
  return {
    deliveryId,
    leadId: lead.leadId,
    buyerKey: partner.buyerKey,
    supplierKey: lead.supplierKey,
    refNumber: label,
    eventType: 'Lead Sale',
    payoutCents: cents,
    reservedCents: reserved,
    costModel: cost?.model ?? null,
    costCents: cost?.costCents ?? null,
  };
}

function soldColumns(sold: readonly Delivery[], at: Date) {
  const costs = sold.flatMap((delivery) => {
    const cost = costOf(delivery, delivery.reserved);
    return cost === null ? [] : [{ deliveryId: delivery.deliveryId, ...cost }];
  });
  return {
    deliveryIds: sold.map(({ deliveryId }) => deliveryId),
    labels: sold.map(({ label }) => label),
    buyerKeys: sold.map(({ partner }) => partner.buyerKey),
    leadIds: sold.map(({ lead }) => lead.leadId),
    supplierKeys: sold.map(({ lead }) => lead.supplierKey),
    payoutsCents: sold.map(({ reserved }) => reserved),
    leastCents: sold.map(({ least }) => least),
    costIds: costs.map(({ deliveryId }) => deliveryId),
    models: costs.map(({ model }) => model),
    costsCents: costs.map(({ costCents }) => costCents),
    shares: costs.map(({ share }) => share),
    clawbackDays: costs.map(({ clawbackDays }) => clawbackDays),
    at,
  };
}

/** Pending sales as routing writes them, with the label as the number in their reference. */
const insertSold = statement<ReturnType<typeof soldColumns>>(
  'test.insert_sold',
  `WITH sold AS (
     INSERT INTO delivery (delivery_id, ref_number, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status,
                           payout_cents, price_min_cents, price_max_cents, channel, cap_windows, delivered_at)
     SELECT delivery_id, ref_number, buyer_key, lead_id, 'any', supplier_key, 'Lead Sale', false, 'Pending', payout_cents, least,
            CASE WHEN least IS NOT NULL THEN payout_cents END, 'webhook', '[]', $at
     FROM unnest($deliveryIds::uuid[], $labels::bigint[], $buyerKeys::text[], $leadIds::uuid[], $supplierKeys::text[],
                 $payoutsCents::bigint[], $leastCents::bigint[])
       AS u (delivery_id, ref_number, buyer_key, lead_id, supplier_key, payout_cents, least))
   INSERT INTO delivery_cost (delivery_id, model, cost_cents, share, clawback_days, hold_days)
   SELECT *, ${HOLD_DAYS} FROM unnest($costIds::uuid[], $models::text[], $costsCents::bigint[], $shares::int2[], $clawbackDays::int2[])`,
);
const returnSold = statement<{ readonly deliveryId: DeliveryId; readonly at: Date }>(
  'test.return_sold',
  `UPDATE delivery SET status = 'Returned', returned_at = $at WHERE delivery_id = $deliveryId`,
);

/** Twice, as after a commit whose response was lost: the second time nothing moves. */
async function approve(
  { database }: BillingMarket,
  { delivery, label, claimId }: Extract<Step, { what: 'claim' }>,
  at: Date,
): Promise<void> {
  const { partner, cents, deliveryId } = delivery;
  const kind = label % 2 === 0 ? 'return' : 'dispute';
  const posting = { label, kind: 'credit', partner, cents, asked: cents, deliveryId } as const;
  const isRepeated = label % 5 === 0;
  for (let times = isRepeated ? 2 : 1; times > 0; times -= 1) {
    await database.tx(async (tx) => {
      await tx.query(returnSold, { deliveryId, at });
      const posted = await postTransfers(tx, [transferOf(posting)], at);
      assert.equal(posted.get(`money:${label}`)?.amountCents, cents, `credit of claim ${label}`);
      await clawBack(tx, { kind, claimId, deliveryId, priceCents: cents, creditCents: cents }, at);
    });
  }
}

function transferOf({ label, kind, partner, asked, deliveryId }: Posting): TransferInput {
  const credited = deliveryId === undefined ? {} : { deliveryId, returnId: newUuid() };
  const description = `${kind} ${label}`;
  return {
    businessKey: `money:${label}`,
    type: kind,
    buyerKey: partner.buyerKey,
    amountCents: asked,
    description,
    ...credited,
  };
}

/** Compares the accounts with the model, after each round. */
export async function accountFaults(
  market: BillingMarket,
  accounts: ReadonlyMap<string, ModelAccount>,
): Promise<string[]> {
  const rows = await market.rows(
    'SELECT account_key AS key, balance_cents AS balance, held_cents AS held, version AS entries FROM account',
  );
  const actual = new Map(rows.map(({ key, ...account }) => [String(key), account]));
  return [...accounts].flatMap(([key, account]) =>
    isDeepStrictEqual(actual.get(key), { ...account })
      ? []
      : [`${key} is ${JSON.stringify(actual.get(key))} and should be ${JSON.stringify(account)}`],
  );
}

type History = {
  readonly model: MoneyModel;
  readonly partner: ModelPartner;
  /** Whether the order of the entries is known. */
  readonly isOrdered: boolean;
  readonly now: number;
};

/** Compares every entry on a partner's own account, and its invoices, with the model. */
export async function historyFaults(
  market: BillingMarket,
  { model, partner, isOrdered, now }: History,
): Promise<string[]> {
  const rows = await market.rows(`SELECT
      string_agg(concat_ws(' ', substring(t.description FROM 'INV-[0-9-]+$|[0-9]+$'), e.amount_cents, e.balance_after_cents), ','
                 ORDER BY e.account_version) AS entries
    FROM entry e JOIN transfer t USING (transfer_id) WHERE e.account_key = 'buyer:${partner.buyerKey}'`);
  const faults: string[] = [];
  let balance = 0;
  const found = rows
    .flatMap(({ entries }) => (typeof entries === 'string' ? entries.split(',') : []))
    .map((entry) => {
      const [label, cents, after] = entry.split(' ');
      balance += Number(cents);
      if (balance !== Number(after))
        faults.push(`${partner.buyerKey}: the balance after ${entry} should be ${balance}`);
      return `${label} ${cents}`;
    });
  const expected = model
    .movedOf(partner)
    .map(({ label, cents }) => `${typeof label === 'number' ? label : label.number} ${cents}`);
  const [is, should] = isOrdered ? [found, expected] : [found.toSorted(), expected.toSorted()];
  const wrong = should.findIndex((entry, index) => entry !== is[index]);
  if (wrong !== -1 || is.length !== should.length)
    faults.push(`${partner.buyerKey}: entry ${wrong} of ${is.length} is ${is[wrong]} and should be ${should[wrong]}`);
  const invoices = (await market.invoices(partner, new Date(now))).map((one) =>
    [
      one.number,
      one.month,
      one.subtotalCents,
      one.creditsCents,
      one.carriedInCents,
      one.carriedOutCents,
      one.taxCents,
      one.fromBalanceCents,
      one.paidCents,
      one.amountDueCents,
    ].join(' '),
  );
  const own = model.invoices.filter((one) => one.partner === partner);
  const billed = own.map((one) =>
    [
      ...[one.number, one.month, one.subtotal, one.credited, one.carriedIn, one.carriedOut, one.tax],
      ...[one.fromBalance, one.paid, one.due],
    ].join(' '),
  );
  if (!isDeepStrictEqual(invoices.toSorted(), billed.toSorted()))
    faults.push(`${partner.buyerKey}: the invoices are ${invoices.join()} and should be ${billed.join()}`);
  return faults;
}

/** Compares every statement with the model, and the lines of its file with the model's entries: each on one statement, none twice. */
export async function statementFaults({ database }: BillingMarket, supply: SupplierModel): Promise<string[]> {
  const faults: string[] = [];
  for (const expected of supply.statements) {
    const { supplierKey, month, from, upTo } = expected;
    const [found] = await database.query(ofMonth, { supplierKey, month });
    const is = found && {
      ...{ supplierKey, month, from: found.fromVersion, upTo: found.upToVersion, carried: found.carriedCents },
      ...{ leads: found.leads, earned: found.earnedCents, clawedBack: found.clawedBackCents },
      ...{ paidOut: found.paidOutCents, total: found.totalCents, held: found.heldCents },
    };
    if (!isDeepStrictEqual(is, expected) || found === undefined) {
      faults.push(`the statement is ${JSON.stringify(is)} and should be ${JSON.stringify(expected)}`);
      continue;
    }
    const parts: string[] = [];
    await database.tx(
      async (tx) => {
        for await (const part of statementCsv(tx, found)) parts.push(part);
      },
      { snapshot: true },
    );
    const listed = parts
      .join('')
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(3, 5).join(' '));
    const own = supply.linesOf(supplierKey).slice(from - 1, upTo);
    const lines = own.map(({ kind, cents }) => `${kind} ${(cents / 100).toFixed(2)}`);
    if (!isDeepStrictEqual(listed.toSorted(), lines.toSorted()))
      faults.push(`${found.number} has ${listed.length} lines that differ from the ${lines.length} of the model`);
  }
  return faults;
}
