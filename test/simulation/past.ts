// Makes a past by the operations that make the present: leads come in, are routed by one or several workers, sent, paid for and
// returned, at the times of a clock that a test moves.
import { strict as assert } from 'node:assert';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type DeliveryId, typeId, type Uuid } from '../../src/base/ids.ts';
import { disableEndpoints, enableEndpoint } from '../../src/buyers/set-endpoint.ts';
import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { type SupplierVerticals, verticalsOf } from '../../src/leads/supplier-verticals.rules.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { postByHand } from '../../src/ledger/post-by-hand.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { exportFile } from '../../src/marketplace-file/export-file.ts';
import type { MarketplaceFile } from '../../src/marketplace-file/marketplace-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { readSettings } from '../../src/marketplace/stored-settings.ts';
import { readVerticals } from '../../src/marketplace/stored-verticals.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { isTransient } from '../../src/platform/database/sql-state.ts';
import { judge } from '../../src/platform/outbound/retry.rules.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { StaleSnapshotError } from '../../src/routing/reserve-capacity.ts';
import { type Simulation, simulateFile } from '../../src/simulation/simulate-file.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { readSuppliers } from '../../src/suppliers/read-suppliers.ts';
import { select } from '../support/ledger-faults.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { responded, beginDue, finishWith, resultOf } from '../support/sendings.ts';

export type Past = {
  readonly clock: HandClock;
  apply(yaml: string): Promise<void>;
  /** Answers the leads' ids. `serial` says who it is. */
  submit(...leads: ReadonlyArray<{ serial: number } & Record<string, unknown>>): Promise<Uuid[]>;
  /** Decides on whatever is due, `limit` leads at a time, by so many workers side by side. */
  route(options?: { workers?: number; limit?: number }): Promise<void>;
  /** Sends whatever is due and writes the answers down two seconds later; breakers open and close as the settings say. */
  send(response: (attempt: StartedAttempt) => SendOutcome): Promise<void>;
  pay(partner: string, amountCents: number): Promise<void>;
  enable(partner: string): Promise<void>;
  /** Marks a confirmed delivery as returned and credits it. */
  takeBack(deliveryId: DeliveryId): Promise<void>;
  exported(): Promise<string>;
  /** Simulates another file, or the difference that a function of the exported one makes. */
  simulate(days: number, yaml: string): Promise<Simulation>;
};

export const status = (code: number): SendOutcome => responded(code);

export function openPast(database: Database, start: string): Past {
  const clock = handClock(start);
  const market = createMarketReader();
  let posted = 0;
  let verticals: SupplierVerticals | null = null;
  const parsed = (yaml: string): MarketplaceFile => {
    const file = parseFile(yaml, { allowTargets: [] });
    assert(file.ok, JSON.stringify(file.ok ? [] : file.errors));
    return file.file;
  };

  const routeAll = async (limit: number): Promise<void> => {
    let lockFirst = false;
    for (;;) {
      try {
        const { leads } = await database.tx((tx) => routeLeads(tx, { market, limit, lockFirst }, clock.now()));
        if (leads === 0) return;
        lockFirst = false;
      } catch (error) {
        if (!(error instanceof StaleSnapshotError) && !isTransient(error)) throw error;
        lockFirst = true;
      }
    }
  };

  return {
    clock,
    async apply(yaml) {
      const options = { dryRun: false, prune: false, actor: commandLineActor };
      const applied = await database.tx((tx) => applyFile(tx, parsed(yaml), options, clock.now()));
      assert(applied.ok, 'the file is refused');
      const acme = (await readSuppliers(database)).get('acme');
      verticals = acme === undefined ? null : verticalsOf(acme, await readVerticals(database));
    },
    async submit(...leads) {
      const submissions = leads.map(({ serial, ...more }) => {
        const members = {
          ...leadBody(serial, { consent_timestamp: undefined, ...more }),
          external_id: `lead-${++posted}`,
        };
        const context = {
          supplierKey: 'acme',
          mapping: compileFieldMapping({}),
          regions: defaultSettings.regions,
          weights: defaultSettings.scoreWeights,
          verticals,
        };
        return prepareSubmission({ members, text: '{}' }, { ...context, returnRate: 0 }, clock.now());
      });
      assert.deepEqual(
        submissions.flatMap(({ reason }) => reason ?? []),
        [],
      );
      await database.tx((tx) => storeSubmissions(tx, submissions));
      return submissions.map(({ leadId }) => leadId);
    },
    async route({ workers = 1, limit = 100 } = {}) {
      await Promise.all(Array.from({ length: workers }, () => routeAll(limit)));
    },
    async send(response) {
      const begun = await database.tx((tx) => beginDue(tx, clock.now(), 16));
      if (begun.length === 0) return;
      const { settings } = await readSettings(database);
      clock.advance(2000);
      const results = begun.map((attempt) => {
        const outcome = response(attempt);
        const terms = { retrySeconds: settings.retrySeconds, chance: 0.5, now: clock.now() };
        return { attempt, ...resultOf(attempt, outcome, judge(outcome, attempt.job, terms)) };
      });
      await database.tx((tx) => finishWith(tx, results, clock.now(), settings.breaker.failures));
      const gone = results.flatMap(({ buyerKey, attempt, judgement }) => {
        const { webhookUrl } = attempt.recipient.settings;
        const isGone = judgement.kind === 'failed' && judgement.endpointGone && webhookUrl !== null;
        return isGone ? [{ buyerKey, webhookUrl, reason: 'gone', since: clock.now(), waiting: 0 } as const] : [];
      });
      if (gone.length > 0) await database.tx((tx) => disableEndpoints(tx, gone, clock.now()));
    },
    async pay(buyerKey, amountCents) {
      const posting = { buyerKey, type: 'payment', amountCents, description: 'Payment', idempotencyKey: null } as const;
      await database.tx((tx) => postByHand(tx, { ...posting, actor: commandLineActor }, clock.now()));
    },
    async enable(buyerKey) {
      await database.tx((tx) => enableEndpoint(tx, { buyerKey, actor: commandLineActor }, clock.now()));
    },
    async takeBack(deliveryId) {
      const [row] = await select<{ buyer_key: string; payout_cents: number }>(
        database,
        `WITH returned AS (
           UPDATE delivery SET status = 'Returned', returned_at = $2 WHERE delivery_id = $1 AND status = 'Confirmed' RETURNING *
         ), counted AS (
           INSERT INTO delivery_count
           SELECT buyer_key, (delivered_at AT TIME ZONE 'UTC')::date, step.status, event_type, offer_key, step.by, step.by * payout_cents
           FROM returned, (VALUES ('Confirmed', -1), ('Returned', 1)) AS step (status, by)
         )
         SELECT buyer_key, payout_cents FROM returned`,
        [deliveryId, clock.now()],
      );
      assert(row !== undefined, 'nobody has it');
      const credit = {
        businessKey: `return:${typeId('delivery', deliveryId)}`,
        type: 'credit',
        buyerKey: row.buyer_key,
        amountCents: row.payout_cents,
        description: 'Returned',
        deliveryId,
      } as const;
      await database.tx((tx) => postTransfers(tx, [credit], clock.now()));
    },
    exported: async () => (await database.tx((tx) => exportFile(tx))).text,
    async simulate(days, yaml) {
      const result = await database.tx((tx) => simulateFile(tx, parsed(yaml), { days }, clock.now()), {
        snapshot: true,
      });
      assert(result.ok, JSON.stringify(result));
      return result.simulation;
    },
  };
}
