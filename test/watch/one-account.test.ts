// A value of one partner or supplier that cannot be used stops no scheduled work on the others: their notices, documents, sums and pauses
// come as always, and the operators are told whom the work left out (contract 12.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { PartnerNoticesSchema } from '../../src/marketplace/notices.schema.ts';
import { type LeadId, newUuid } from '../../src/base/ids.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { beginSends, dueQueues } from '../../src/notices/begin-sends.ts';
import type { NewNotice } from '../../src/notices/notice.ts';
import { planNotices } from '../../src/notices/plan-notices.ts';
import { raiseNotices } from '../../src/notices/raise-notices.ts';
import { PartlyDoneError } from '../../src/platform/work-apart.ts';
import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads } from '../../src/routing/route-leads.ts';
import { traceLead } from '../../src/routing/trace-lead.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { select } from '../support/ledger-faults.ts';
import { storeMarket, type StoredMarket } from '../support/stored-market.ts';

const offers = (key: string): string =>
  `[{ key: ${key}-offer, eventType: Lead Sale, payout: 40, sale: { sharedWith: 2 }, caps: { daily: 2 } }]`;
const yaml = `
marketplace: { billing: { invoices: true, statements: true } }
suppliers:
  - { key: acme, status: approved, pay: { model: fixed, amount: 5 } }
  - { key: mars-media, status: approved, pay: { model: fixed, amount: 5 } }
partners:
  - { key: earth, settings: { notificationEmail: leads@earth.example }, billing: { mode: prepaid, pauseBelow: 100 }, offers: ${offers('earth')} }
  - { key: mars, settings: { notificationEmail: leads@mars.example }, billing: { mode: prepaid, pauseBelow: 100 }, offers: ${offers('mars')} }
`;
const clock = handClock('2026-11-25T12:00:00.000Z');
let market: StoredMarket;

beforeAll(async () => {
  market = await storeMarket({ yaml, clock });
});
afterAll(() => market.close());

const rows = (sql: string): Promise<Array<Record<string, unknown>>> => select(market.database, sql);

/** Runs all scheduled jobs once; returns what they left out. Any other error fails the test. */
async function runJobs(): Promise<string[]> {
  const leftOut: string[] = [];
  for (const { name, run } of scheduledJobs(market.database, clock)) {
    await run().catch((error: unknown) => {
      if (!(error instanceof PartlyDoneError) && name !== 'bill') throw error;
      leftOut.push(`${name}: ${error instanceof Error ? error.message : ''}`);
    });
  }
  return leftOut;
}

/** Posts a lead and routes it. */
async function route(serial: number, supplierKey = 'acme'): Promise<LeadId> {
  const [leadId] = await market.submit([leadBody(serial, { consent_timestamp: undefined })]);
  if (leadId === undefined) throw new Error('no lead was stored');
  await select(market.database, 'UPDATE lead SET supplier_key = $1 WHERE lead_id = $2', [supplierKey, leadId]);
  const options = { market: createMarketReader(), limit: 10, lockFirst: false };
  await market.database.tx((tx) => routeLeads(tx, options, clock.now()));
  return leadId;
}

const pay = (buyerKey: string, cents: number): Promise<unknown> =>
  market.database.tx((tx) =>
    postTransfers(
      tx,
      [
        {
          businessKey: newUuid(),
          type: cents > 0 ? 'payment' : 'adjustment',
          buyerKey,
          amountCents: cents,
          description: 'Posted',
        },
      ],
      clock.now(),
    ),
  );

describe('The scheduled work', () => {
  it('goes on for all others when a partner and a supplier have a time zone that nothing knows', async () => {
    await pay('earth', 50_000);
    await pay('mars', 50_000);
    expect(await runJobs()).toEqual([]);
    const leadId = await route(1);
    await runJobs();
    await route(3, 'mars-media');
    expect(await rows(`SELECT buyer_key FROM delivery WHERE lead_id = '${leadId}' ORDER BY 1`)).toHaveLength(2);
    await rows(`UPDATE buyer SET time_zone = 'Mars/Base' WHERE buyer_key = 'mars'`);
    await rows(`UPDATE supplier SET time_zone = 'Mars/Base' WHERE supplier_key = 'mars-media'`);
    await rows(`INSERT INTO notice_setting (owner_kind, owner_key, settings, updated_at)
      VALUES ('buyer', 'mars', '{"quietHours": {"from": "00:00", "to": "23:59"}}', now())`);
    await rows(`UPDATE marketplace SET config_version = config_version + 1`);
    await rows('DELETE FROM notice');
    clock.set('2026-12-01T12:30:00.000Z');
    for (const key of ['earth', 'mars']) {
      await pay(key, -45_000);
      await pay(key, 1000);
    }

    const leftOut = await runJobs();

    expect(leftOut).toEqual([
      'fold-counts: left out: supplier mars-media (earnings)',
      'bill: 2 documents could not be issued',
      'watch-facts: left out: offer mars-offer (limits)',
    ]);
    expect(await rows('SELECT buyer_key AS key, status FROM invoice')).toMatchObject([{ key: 'earth' }]);
    expect(await rows('SELECT supplier_key AS key FROM supplier_statement')).toEqual([{ key: 'acme' }]);
    expect(
      await rows(`SELECT owner_key AS key, outcome, error FROM billing_run_item WHERE outcome = 'failed' ORDER BY 1`),
    ).toEqual([
      { key: 'mars', outcome: 'failed', error: expect.stringContaining('MARS/BASE') as string },
      { key: 'mars-media', outcome: 'failed', error: expect.stringContaining('MARS/BASE') as string },
    ]);
    expect(await rows('SELECT DISTINCT supplier_key AS key FROM supplier_earning_day')).toEqual([{ key: 'acme' }]);
    // What needs no time zone happens for it as well.
    expect(await rows('SELECT buyer_key AS key FROM buyer WHERE funds_paused_at IS NOT NULL ORDER BY 1')).toEqual([
      { key: 'earth' },
      { key: 'mars' },
    ]);
    const kinds = await rows(
      `SELECT recipient_key AS key, array_agg(DISTINCT kind ORDER BY kind) AS kinds FROM notice GROUP BY 1 ORDER BY 1`,
    );
    expect(kinds).toMatchObject([
      { key: '', kinds: expect.arrayContaining(['account.left_out']) as string[] },
      { key: 'acme', kinds: ['statement.issued'] },
      {
        key: 'earth',
        kinds: expect.arrayContaining(['invoice.issued', 'offer.paused', 'payment.received']) as string[],
      },
      { key: 'mars', kinds: expect.arrayContaining(['offer.paused', 'payment.received']) as string[] },
    ]);
  });

  it('sends the notices whose time cannot be computed at once, and those of others when they are due', async () => {
    const { planned, leftOut } = await market.database.tx((tx) => planNotices(tx, clock.now()));
    expect(planned).toBeGreaterThan(4);
    expect(leftOut.map(({ account, key, work }) => `${account} ${key} ${work}`)).toContain('partner mars notices');
    expect(
      await rows(`SELECT count(*)::int AS left FROM notice WHERE state = 'raised' AND kind <> 'account.left_out'`),
    ).toEqual([{ left: 0 }]);
    const sends = await rows(
      `SELECT DISTINCT recipient_key AS key, channel, due_at AS due FROM notice_send WHERE recipient_key IN ('earth', 'mars') ORDER BY 1`,
    );
    expect(sends).toEqual(['earth', 'mars'].map((key) => ({ key, channel: 'email', due: clock.now() })));
    // The notice about it is planned like any other, and brings no further one.
    await market.database.tx((tx) => planNotices(tx, clock.now()));
    expect(await market.database.tx((tx) => planNotices(tx, clock.now()))).toEqual({ planned: 0, leftOut: [] });
  });

  it('says in the decision and as a warning that routing leaves the partner out', async () => {
    await pay('earth', 90_000);
    await pay('mars', 90_000);
    await runJobs();
    const leadId = await route(2);
    const trace = await market.database.tx((tx) => traceLead(tx, leadId));
    expect(trace?.decision?.offers.map(({ offerKey, code, got }) => ({ offerKey, code, got }))).toEqual([
      { offerKey: 'earth-offer', code: 'sold', got: undefined },
      { offerKey: 'mars-offer', code: 'rule_failed', got: 'RangeError' },
    ]);
    expect(await rows(`SELECT kind, subject FROM warning WHERE kind = 'account_left_out'`)).toEqual([
      { kind: 'account_left_out', subject: 'mars' },
    ]);
  });

  it('sends the notices of others whatever the notice settings of one are', async () => {
    await rows(`UPDATE buyer SET time_zone = 'UTC'`);
    const clear = () => rows('TRUNCATE notice, notice_send CASCADE');
    await clear();
    const junk = ['7', '"x"', '{}', '[]', '[null]', 'true', '{"from": 1, "to": 2}', '[{}]'];
    let raised = 0;
    for (const member of Object.keys(PartnerNoticesSchema.properties)) {
      for (const value of junk) {
        await rows(`UPDATE notice_setting SET settings = '{"${member}": ${value}}'`);
        const notices = ['mars', 'earth'].map((partner): NewNotice => ({
          ...{ kind: 'funds.low', recipient: { partner }, occurrence: `${(raised += 1)}` },
          data: { available: 1, threshold: 2 },
        }));
        await market.database.tx((tx) => raiseNotices(tx, notices, clock.now()));
        await market.database.tx((tx) => planNotices(tx, clock.now()));
        const started = await market.database.tx(async (tx) => {
          const due = (await dueQueues(tx, clock.now())).map((queue) => ({ ...queue, jobs: 9 }));
          return beginSends(tx, { queues: due, leaseMs: 1000, probeSeconds: 1 }, clock.now());
        });
        const keys = started.map(({ recipientKey }) => recipientKey);
        expect(keys, `${member}: ${value} stopped the notice of another partner`).toContain('earth');
        await clear();
      }
    }
    expect(raised).toBeGreaterThan(100);
  });
});
