// A partner pauses the receiving of leads by itself, until a day or until it resumes (contract 6.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PATH = '/portal/api/buyer/pause';

let clock: HandClock;
let market: TestMarketplace;
let summit: SignedIn;
let key: string;
let serial = 0;

beforeAll(async () => {
  // Half past three in the afternoon of summit's day.
  clock = handClock('2026-12-10T23:30:00.000Z');
  market = await startTestMarketplace({ yaml: marketYaml(), clock });
  summit = await market.signedIn.buyer('summit');
  key = await market.supplierKey('acme-media');
});
afterAll(() => market.close());

const pause = (untilDay: string | null) => summit.send('PUT', PATH, { untilDay });
/** The session of before has ended by then. */
const moveTo = async (instant: string): Promise<void> => {
  clock.set(instant);
  summit = await market.signedIn.buyer('summit');
};
const endPauses = async (): Promise<void> => {
  const job = scheduledJobs(market.database, clock).find(({ name }) => name === 'end-pauses');
  await job!.run();
  await market.runtime.refresh();
};
const shown = async (): Promise<unknown> => (await summit.get('/portal/api/buyer/channels')).json.pause;
const stopOf = async (): Promise<unknown> => (await summit.get('/portal/api/buyer/offers')).json.offers[0].stop;

/** What became of a new lead that summit would buy. */
async function fateOfLead(): Promise<string> {
  serial += 1;
  const { json } = await postLead(market.url, key, sampleLead(serial));
  return eventually('the lead is decided', async () => {
    const [row] = await select<{ state: string }>(
      market.database,
      `SELECT state FROM lead WHERE external_id = 'A-${serial}' AND decided_at IS NOT NULL`,
    );
    expect(json.id).not.toBeNull();
    return row?.state ?? null;
  });
}

describe('A partner that pauses', () => {
  it('receives no leads until the start of the day that it chose, in its own time zone', async () => {
    expect([await shown(), await fateOfLead()]).toEqual([null, 'routed']);
    const paused = await pause('2026-12-12');
    const since = clock.now().toISOString();
    expect([paused.status, paused.json]).toEqual([200, { pause: { since, until: '2026-12-12T08:00:00.000Z' } }]);
    expect(await shown()).toEqual(paused.json.pause);
    expect(await fateOfLead()).not.toBe('routed');
    expect(await stopOf()).toMatchObject({ code: 'paused_by_partner', since, resetsAt: '2026-12-12T08:00:00.000Z' });

    await moveTo('2026-12-12T07:59:00.000Z');
    await endPauses();
    expect(await shown()).not.toBeNull();
    await moveTo('2026-12-12T08:00:30.000Z');
    await Promise.all([endPauses(), endPauses()]);
    expect([await shown(), await stopOf(), await fateOfLead()]).toEqual([null, null, 'routed']);
  });

  it('without an end goes on when it says so, and says each change once in its history', async () => {
    await pause(null);
    await pause(null);
    expect(await fateOfLead()).not.toBe('routed');
    await pause('2026-12-20');
    const resumed = await summit.send('DELETE', PATH);
    await summit.send('DELETE', PATH);
    expect([resumed.json, await fateOfLead()]).toEqual([{ pause: null }, 'routed']);
    const events = await select<{ text: string }>(
      market.database,
      `SELECT action || ' ' || actor_type || ' ' || (changes->'until'->>'to' IS NOT NULL) AS text FROM audit_event
       WHERE action LIKE 'receiving.%' ORDER BY audit_id`,
    );
    expect(events.map(({ text }) => text)).toEqual([
      'receiving.paused buyer true',
      'receiving.resumed system false',
      'receiving.paused buyer false',
      'receiving.paused buyer true',
      'receiving.resumed buyer false',
    ]);
  });

  it('cannot end in the past, today, after a year or on no day', async () => {
    // The limit of changes has room again.
    await moveTo('2026-12-12T08:05:00.000Z');
    for (const day of ['2026-12-11', '2026-12-12', '2027-12-31', '2026-02-31', 'soon']) {
      const refused = await pause(day);
      expect([day, refused.status, refused.text]).toEqual([day, 422, expect.stringContaining('untilDay')]);
    }
    expect(await shown()).toBeNull();
  });
});
