// Offers whose partner rejects many leads of a day pause until the day ends or an operator lifts the pause (contract 13.7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { registerOfferCommands, registerPartnerResponses } from '../../src/reports/responses.cli.ts';
import { call } from '../support/api-client.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { openSharedMarket, ownKeys, type SharedMarket } from '../support/shared-market.ts';

type Answer = 'accepted' | 'rejected' | 'duplicate';

const fileOf = (url: string, { rejections, name }: { readonly rejections: object; readonly name: string }): string =>
  JSON.stringify({
    marketplace: { rejections },
    suppliers: [{ key: 'acme', status: 'approved' }],
    partners: [
      {
        key: summit,
        timeZone: 'America/New_York',
        channels: ['webhook'],
        settings: { webhookUrl: url },
        webhook: {
          format: 'custom',
          body: { type: 'json', template: '{ "name": "{{ lead.fullName }}" }' },
          response: {
            rules: [
              { when: { json: { path: 'outcome', equals: 'rejected' } }, outcome: 'rejected' },
              { when: { json: { path: 'outcome', equals: 'duplicate' } }, outcome: 'duplicate' },
              { when: { status: '2xx' }, outcome: 'accepted' },
            ],
          },
        },
        offers: [{ key: west, name, eventType: 'Lead Sale', payout: 60 }],
      },
      { key: harbor, offers: [{ key: harbor, eventType: 'Lead Sale', payout: 20 }] },
    ],
  });

const RULE = { pauseAbove: 40, responses: 4 };
/** Ten in the morning of a Wednesday in New York. Each test has a week of its own, so that the clock of their marketplace never goes back. */
const FIRST_WEDNESDAY = Date.parse('2026-11-25T15:00:00.000Z');
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

let market: SharedMarket;
let clock: HandClock;
let answer: Answer;
let endpoint: string;
let summit: string;
let west: string;
let harbor: string;
let weeks = 0;
let start: string;
let midnight: string;

beforeAll(async () => {
  clock = handClock(new Date(FIRST_WEDNESDAY).toISOString());
  market = await openSharedMarket({ clock });
});
afterAll(() => market?.close());

beforeEach(async () => {
  const startMs = FIRST_WEDNESDAY + weeks * WEEK_MS;
  weeks += 1;
  start = new Date(startMs).toISOString();
  midnight = new Date(startMs + 14 * HOUR_MS).toISOString();
  clock.set(start);
  answer = 'accepted';
  ({ summit, west, harbor } = ownKeys('summit', 'west', 'harbor'));
  const receiver = await market.receive(() => ({ status: 200, body: JSON.stringify({ outcome: answer }) }));
  endpoint = `${receiver.origin}/leads`;
  await market.apply(fileOf(endpoint, { rejections: RULE, name: 'West' }), { prune: true });
  // Ends what an earlier test has paused.
  await tick();
});

/** Returns the id of a lead that is sold, and who bought it. */
async function sell(): Promise<{ readonly leadId: string; readonly buyer: string }> {
  const leadId = await market.sell();
  const buyer = await eventually('the lead is sold', async () => {
    const { deliveries } = await market.trace(leadId);
    const isOver = deliveries.every(({ status: now }) => now !== 'Pending');
    return isOver ? (deliveries.find(({ status: now }) => now === 'Confirmed')?.partner ?? null) : null;
  });
  return { leadId, buyer };
}

async function respond(...answers: readonly Answer[]): Promise<void> {
  for (const next of answers) {
    answer = next;
    await sell();
  }
}

const tick = async (): Promise<void> => {
  await scheduledJobs(market.database, clock)
    .find(({ name }) => name === 'pause-for-rejections')
    ?.run();
};
const version = async (): Promise<unknown> =>
  (await select(market.database, 'SELECT config_version FROM marketplace'))[0]?.['config_version'];
const pauses = () =>
  select(
    market.database,
    `SELECT offer_key AS offer, rejections_paused_at AS since, rejections_paused_until AS until FROM offer
     WHERE rejections_paused_at IS NOT NULL AND offer_key = $1`,
    [west],
  );
const actions = async (): Promise<unknown[]> =>
  (
    await select(
      market.database,
      `SELECT action FROM audit_event WHERE target = $1 AND action ~ 'rejections|resumed' ORDER BY audit_id`,
      [west],
    )
  ).map(({ action }) => action);
const codeOf = async (leadId: string): Promise<string | undefined> => {
  const { decision } = (await (await market.signedIn.operator()).get(`/console/api/leads/${leadId}`)).json;
  return decision.offers.find(({ offer }: { offer: string }) => offer === west)?.code;
};

describe('An offer whose partner rejects many leads', () => {
  it('pauses above the share, for every process and with notices, and its leads go to the next', async () => {
    await respond('accepted', 'accepted', 'rejected');
    await tick();
    expect(await pauses()).toEqual([]);
    await respond('duplicate');
    const before = Number(await version());
    await tick();
    expect(await pauses()).toEqual([{ offer: west, since: new Date(start), until: new Date(midnight) }]);
    expect(await version()).toBe(before + 1);
    answer = 'accepted';
    const { leadId, buyer } = await sell();
    expect(buyer).toBe(harbor);
    expect(await codeOf(leadId)).toBe('rejections_paused');
    const data = { offer: west, rejected: 2, responses: 4, abovePercent: 40, since: start, until: midnight };
    // In the portal, too; and on the page of the offer.
    expect(
      await select(
        market.database,
        `SELECT kind, recipient_key AS recipient, data FROM notice
         WHERE kind LIKE 'offer.%' AND data->>'offer' = $1 ORDER BY kind`,
        [west],
      ),
    ).toEqual([
      { kind: 'offer.rejecting', recipient: '', data: { ...data, partner: summit } },
      { kind: 'offer.rejections_paused', recipient: summit, data },
    ]);
    const portal = await market.signedIn.buyer(summit);
    expect((await portal.get('/portal/api/buyer/offers')).json.offers[0].stop).toEqual({
      code: 'rejections_paused',
      text: 'Paused because many of its leads were rejected today',
      since: start,
      resetsAt: midnight,
    });
    const pause = { since: start, until: midnight };
    const console = await market.signedIn.operator();
    const today = { responses: 4, rejected: 1, duplicates: 1, rejectedRate: 0.25, duplicateRate: 0.25 };
    expect((await console.get(`/console/api/offers/${west}/responses`)).json).toEqual({
      timeZone: 'America/New_York',
      ...{ today, last7Days: today, last30Days: today },
      rule: { abovePercent: 40, responses: 4 },
      pause,
    });
    expect((await console.get(`/console/api/partners/${summit}/responses`)).json).toMatchObject({
      timeZone: 'America/New_York',
      offers: [{ offer: west, name: 'West', today }],
    });
    expect((await console.get(`/console/api/offers/${west}`)).json).toMatchObject({
      offer: { rejectionsPause: pause },
      usage: { state: 'paused' },
    });
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('pauses once, however often and by however many workers it is looked at', async () => {
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    const before = Number(await version());
    await Promise.all(Array.from({ length: 6 }, () => tick()));
    await tick();
    expect(await version()).toBe(before + 1);
    expect(await actions()).toEqual(['offer.paused_for_rejections']);
    expect(
      await select(
        market.database,
        `SELECT count(*) AS n FROM notice WHERE kind LIKE 'offer.%' AND data->>'offer' = $1`,
        [west],
      ),
    ).toEqual([{ n: 2 }]);
    // The same from folded changes.
    await market.database.tx((tx) => foldSome(tx, clock.now()));
    await Promise.all([tick(), tick()]);
    expect(await version()).toBe(before + 1);
  });

  it('takes leads again when the partner’s day ends', async () => {
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    await tick();
    clock.set(new Date(Date.parse(midnight) - 1).toISOString());
    await tick();
    expect(await pauses()).toHaveLength(1);
    clock.set(midnight);
    await Promise.all([tick(), tick()]);
    expect(await pauses()).toEqual([]);
    answer = 'accepted';
    expect((await sell()).buyer).toBe(summit);
    await tick();
    expect(await actions()).toEqual(['offer.paused_for_rejections', 'offer.resumed']);
    expect(await pauses()).toEqual([]);
  });

  it('takes leads again when an operator lifts the pause, and pauses for later responses only', async () => {
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    await tick();
    clock.advance(60_000);
    const token = await market.operatorToken(['operate']);
    const lift = () =>
      call(`${market.url}/api/v1/operator/offers/${west}/rejections-pause/lift`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await lift()).json).toEqual({ offer: west, wasPaused: true });
    expect((await lift()).json).toEqual({ offer: west, wasPaused: false });
    await Promise.all([tick(), tick()]);
    expect(await pauses()).toEqual([]);
    // Responses of the same quarter of an hour do not count either.
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    expect((await sell()).buyer).toBe(harbor);
    await tick();
    expect(await pauses()).toEqual([]);
    clock.set(new Date(Date.parse(start) + 900_000).toISOString());
    await respond('rejected', 'rejected', 'rejected');
    await tick();
    expect(await pauses()).toEqual([]);
    await respond('rejected');
    await tick();
    expect(await pauses()).toHaveLength(1);
    expect(await actions()).toEqual([
      'offer.paused_for_rejections',
      'offer.rejections_pause_lifted',
      'offer.paused_for_rejections',
    ]);
  });

  it('stays paused when its configuration changes, and the trace still says so', async () => {
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    await tick();
    await market.apply(fileOf(endpoint, { rejections: RULE, name: 'The west' }));
    expect(await pauses()).toHaveLength(1);
    const { leadId, buyer } = await sell();
    expect(buyer).toBe(harbor);
    expect(await codeOf(leadId)).toBe('rejections_paused');
    // Without a share there is nothing to pause for.
    await market.apply(fileOf(endpoint, { rejections: {}, name: 'The west' }));
    await tick();
    expect(await pauses()).toEqual([]);
  });

  it('is shown and lifted by the command line', async () => {
    const command = (...argv: readonly string[]) =>
      captureCommand(argv, (program, out) => {
        const context = contextOf(market.database, clock, out);
        registerPartnerResponses(program.command('partner'), context);
        registerOfferCommands(program.command('offer'), context);
      });
    await respond('accepted', 'rejected', 'rejected', 'duplicate');
    await tick();
    const shown = await command('offer', 'responses', west);
    expect(shown.stdout).toContain('50 % rejected, 25 % duplicates of 4');
    expect(shown.stdout).toContain(`Paused since ${start} until ${midnight}.`);
    const ofPartner = await command('partner', 'responses', summit, '--json');
    expect(JSON.parse(ofPartner.stdout)).toMatchObject({
      total: { today: { responses: 4, rejected: 2, duplicates: 1 } },
      offers: [{ offer: west, last30Days: { rejectedRate: 0.5 } }],
    });
    expect((await command('offer', 'lift-pause', west)).stdout).toContain(`${west} takes leads again.`);
    expect(await pauses()).toEqual([]);
    expect((await command('offer', 'lift-pause', west)).stdout).toContain('was not paused');
    expect((await command('offer', 'lift-pause', 'nowhere')).exitCode).toBe(1);
  });
});
