// A marketplace with sendings controlled by the test, on a separate database: workers that start and never end, late or repeated results,
// endpoints that fail and recover, clocks that jump. It records what the partners really received.
import { strict as assert } from 'node:assert';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import type { DeliveryId, Uuid } from '../../src/base/ids.ts';
import { enableEndpoint } from '../../src/buyers/set-endpoint.ts';
import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import { disableEndpoints } from '../../src/deliveries/sending/switch-endpoints.ts';
import type { AttemptResult } from '../../src/deliveries/sending/finish-attempts.ts';
import { requestRedelivery } from '../../src/deliveries/redelivery/request-redelivery.ts';
import { reviveDeliveries } from '../../src/routing/revive-deliveries.ts';
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import type { Database, Tx } from '../../src/platform/database/database.ts';
import { repeatTransient } from '../../src/platform/database/retry-transaction.ts';
import { giveUp, judge } from '../../src/platform/outbound/retry.rules.ts';
import { notTried, type SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { responded, beginDue, broke, finishWith, resultOf } from '../support/sendings.ts';

export const ENDINGS = [
  ...(['taken', 'lost', 'unreachable', 'refused', 'gone', 'put off'] as const),
  ...(['priced', 'rejected', 'duplicate', 'unpriced'] as const),
] as const;
export type Ending = (typeof ENDINGS)[number];

export type SendingMarket = {
  sell(leads: number): Promise<void>;
  /** A worker takes due jobs, at most this many of each endpoint queue. */
  begin(jobs: number): Promise<void>;
  /** The attempts of the `nth` worker end; `isTwice`: the response to the first commit was lost. */
  finish(nth: number, how: { endings: readonly Ending[]; isTwice: boolean; diesThen: boolean }): Promise<void>;
  /** The `nth` worker dies; `hasArrived` tells whether its messages had arrived. */
  kill(nth: number, hasArrived: boolean): void;
  move(ms: number): void;
  /** Sets the first partner's webhook to another address, or to the same one. */
  readdress(path: number): Promise<void>;
  enable(): Promise<void>;
  redeliver(): Promise<void>;
  /** Contradictions within the tables, or with the leads that the partners really have. */
  faults(): Promise<unknown[]>;
  /** Everything works again, and enough time passes for all jobs to end. */
  settle(): Promise<void>;
};

const NOWHERE = 'http://127.0.0.1:9';
const LEASE_OVER_MS = 60_000;
const HOUR_MS = 3_600_000;
const RETRY_SECONDS = [0, 10];
const OPENS_AFTER = 2;

const NAMES_PRICES = {
  format: 'custom',
  response: { rules: [{ when: { status: '2xx' }, outcome: 'accepted', price: { json: 'price' } }] },
};

const fileOf = (path: number): object => ({
  marketplace: { retrySeconds: RETRY_SECONDS, breaker: { failures: OPENS_AFTER, probeSeconds: 30 }, holdMinutes: 1 },
  suppliers: [{ key: 'acme', status: 'approved', pay: { model: 'share', percent: 33.33 } }],
  partners: [
    ['first', 30, ['webhook', 'sheets_script']],
    ['second', 20, ['webhook']],
    ['third', 10, []],
  ].map(([key, payout, channels]) => ({
    key,
    channels,
    settings: { webhookUrl: `${NOWHERE}/${key === 'first' ? path : 0}`, sheetsWebhookUrl: `${NOWHERE}/script` },
    ...(key === 'first' ? { webhook: NAMES_PRICES } : {}),
    offers: [
      {
        ...{ key, eventType: 'Lead Sale', payout, budget: { daily: 100_000 }, caps: { weekly: 100_000 } },
        ...(key === 'first' ? { price: 'answered', priceMin: 5.5 } : {}),
      },
    ],
  })),
});

export async function openSendingMarket(database: Database): Promise<SendingMarket> {
  const clock = handClock('2026-11-18T12:00:00.000Z');
  const market = createMarketReader();
  const workers: StartedAttempt[][] = [];
  /** Deliveries that their partner really has by their sale, without those sent again on request. */
  const arrived = new Set<Uuid>();
  const found: unknown[] = [];
  let serial = 0;
  const insist = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> => repeatTransient(() => database.tx(work));

  const apply = async (path: number): Promise<void> => {
    const parsed = parseFile(JSON.stringify(fileOf(path)), { allowTargets: [NOWHERE] });
    assert(parsed.ok, JSON.stringify(parsed));
    const options = { dryRun: false, prune: false, actor: commandLineActor };
    const applied = await insist((tx) => applyFile(tx, parsed.file, options, clock.now()));
    assert(applied.ok, JSON.stringify(applied));
  };
  await apply(0);

  const route = (): Promise<unknown> =>
    insist((tx) => routeLeads(tx, { market, limit: 100, lockFirst: false }, clock.now()));

  const begin = async (jobs: number): Promise<StartedAttempt[]> => {
    const started = await insist((tx) => beginDue(tx, clock.now(), jobs));
    const sales = started.filter(({ purpose }) => purpose === 'sale').map(({ deliveryId }) => deliveryId);
    found.push(
      ...(await select(
        database,
        `SELECT delivery_id, status, 'is sent and not pending' AS fault FROM delivery
         WHERE delivery_id = ANY($1) AND status <> 'Pending'`,
        [sales],
      )),
    );
    if (started.length > 0) workers.push(started);
    return started;
  };

  const resultFor = (attempt: StartedAttempt, ending: Ending): AttemptResult => {
    const now = clock.now();
    if (attempt.disabledAt !== null)
      return { ...resultOf(attempt, notTried('It is disabled.'), giveUp(attempt.job)), wasTried: false };
    if (ARRIVES.has(ending) && attempt.purpose !== 'replay') arrived.add(attempt.deliveryId);
    const terms = { retrySeconds: RETRY_SECONDS, chance: 0.5, now };
    const outcome = outcomeOf(ending, now);
    return resultOf(attempt, outcome, judge(outcome, attempt.job, terms));
  };

  const finish: SendingMarket['finish'] = async (nth, { endings, isTwice, diesThen }) => {
    const [attempts = []] = workers.splice(nth % Math.max(workers.length, 1), 1);
    if (attempts.length === 0) return;
    const results = attempts.map((attempt, index) => resultFor(attempt, endings[index % endings.length] ?? 'taken'));
    for (let times = isTwice ? 2 : 1; times > 0; times -= 1)
      await insist((tx) => finishWith(tx, results, clock.now(), OPENS_AFTER));
    if (diesThen) return;
    const gone = attempts.flatMap(({ buyerKey, recipient: { settings } }, index) => {
      const judgement = results[index]?.judgement;
      const isGone = judgement?.kind === 'failed' && judgement.endpointGone && settings.webhookUrl !== null;
      return isGone ? [{ buyerKey, webhookUrl: settings.webhookUrl, reason: 'gone', since: clock.now() } as const] : [];
    });
    if (gone.length > 0) await insist((tx) => disableEndpoints(tx, gone, clock.now()));
  };

  const enable = async (): Promise<void> => {
    for (const buyerKey of ['first', 'second'])
      await insist((tx) => enableEndpoint(tx, { buyerKey, actor: commandLineActor }, clock.now()));
  };

  return {
    finish,
    enable,
    move: (ms) => clock.advance(ms),
    readdress: apply,
    async begin(jobs) {
      await begin(jobs);
    },
    async sell(leads) {
      const context = {
        supplierKey: 'acme',
        mapping: compileFieldMapping({}),
        regions: defaultSettings.regions,
        weights: defaultSettings.scoreWeights,
      };
      const submissions = Array.from({ length: leads }, () => {
        const members = leadBody(++serial, { consent_timestamp: undefined });
        return prepareSubmission({ members, text: '{}' }, { ...context, returnRate: 0 }, clock.now());
      });
      await insist((tx) => storeSubmissions(tx, submissions));
      await route();
    },
    kill(nth, hasArrived) {
      const [attempts = []] = workers.splice(nth % Math.max(workers.length, 1), 1);
      const sent = attempts.filter(({ purpose, disabledAt }) => purpose !== 'replay' && disabledAt === null);
      for (const { deliveryId } of sent) if (hasArrived) arrived.add(deliveryId);
    },
    async redeliver() {
      const rows = await select<{ id: DeliveryId }>(
        database,
        'SELECT delivery_id AS id FROM delivery ORDER BY 1 DESC LIMIT 3',
      );
      const input = {
        deliveryIds: rows.map(({ id }) => id),
        buyerKey: null,
        actor: commandLineActor,
        origin: noOrigin,
        revive: reviveDeliveries,
      };
      await insist((tx) => requestRedelivery(tx, input, clock.now()));
    },
    async faults() {
      const doubled = await select(
        database,
        `SELECT lead_id, array_agg(status) AS doubled FROM delivery
         WHERE status <> 'Failed' OR may_have_arrived OR delivery_id = ANY($1) GROUP BY 1 HAVING count(*) > 1`,
        [[...arrived]],
      );
      // Both contain the opening time of a breaker; it may differ only if a clock was ahead when it opened.
      const outages = await select(
        database,
        `SELECT h.owner_key, o.owner_key AS out, h.opened_at, o.opened_at AS began
         FROM (SELECT * FROM endpoint_health WHERE opened_at IS NOT NULL) AS h
         FULL JOIN (SELECT * FROM endpoint_outage WHERE closed_at IS NULL) AS o USING (owner_kind, owner_key, channel)
         WHERE h.opened_at IS NULL OR o.opened_at IS NULL OR h.opened_at > o.opened_at`,
      );
      return [...found, ...doubled, ...outages, ...(await ledgerFaults(database, { atRest: false }))];
    },
    async settle() {
      workers.splice(0);
      // Until the last job that a clock ahead has deferred is due again.
      for (let round = 0; round < 500; round += 1) {
        await enable();
        await route();
        await begin(16);
        while (workers.length > 0) await finish(0, { endings: ['taken'], isTwice: false, diesThen: false });
        const [left] = await select<{ jobs: number }>(
          database,
          'SELECT (SELECT count(*)::int FROM send_job) + (SELECT count(*)::int FROM routing_inbox) AS jobs',
        );
        if (left?.jobs === 0) return;
        clock.advance(round < 400 ? LEASE_OVER_MS : HOUR_MS);
      }
      found.push('something waits for ever');
    },
  };
}

const ARRIVES: ReadonlySet<Ending> = new Set(['taken', 'lost', 'priced', 'unpriced']);

const facts200 = { responseCode: 200, responseSnippet: null, latencyMs: 40, error: null };

function decided(why: 'rejected' | 'duplicate' | 'unpriced', receipt: 'no' | 'unknown'): SendOutcome {
  return { kind: 'not_taken', why, reason: 'No more of these', receipt, retryAfterSeconds: 0, ...facts200 };
}

function outcomeOf(ending: Ending, now: Date): SendOutcome {
  const outcomes: Readonly<Record<Ending, SendOutcome>> = {
    taken: responded(200),
    lost: broke('unknown'),
    unreachable: broke('no'),
    refused: responded(400),
    gone: responded(410),
    'put off': { kind: 'deferred', until: new Date(now.getTime() + LEASE_OVER_MS) },
    priced: { ...facts200, kind: 'taken', reference: 'CRM 7', priceCents: 1234 },
    rejected: decided('rejected', 'no'),
    duplicate: decided('duplicate', 'no'),
    unpriced: decided('unpriced', 'unknown'),
  };
  return outcomes[ending];
}
