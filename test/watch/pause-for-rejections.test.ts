// Offers whose partner rejects many leads of a day pause until the day ends or an operator lifts the pause (contract 13.7).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { registerOfferCommands, registerPartnerResponses } from '../../src/reports/responses.cli.ts';
import { call } from '../support/api-client.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';

type Answer = 'accepted' | 'rejected' | 'duplicate';

const fileOf = (origin: string, { rejections, name }: { readonly rejections: object; readonly name: string }): string =>
  JSON.stringify({
    marketplace: { rejections },
    suppliers: [{ key: 'acme', status: 'approved' }],
    partners: [
      {
        key: 'summit',
        timeZone: 'America/New_York',
        channels: ['webhook'],
        settings: { webhookUrl: `${origin}/summit` },
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
        offers: [{ key: 'west', name, eventType: 'Lead Sale', payout: 60 }],
      },
      { key: 'harbor', offers: [{ key: 'rest', eventType: 'Lead Sale', payout: 20 }] },
    ],
  });

const RULE = { pauseAbove: 40, responses: 4 };
/** Ten in the morning of a Wednesday in New York. */
const START = '2026-11-25T15:00:00.000Z';
const MIDNIGHT = '2026-11-26T05:00:00.000Z';

let market: TestMarketplace;
let clock: HandClock;
let receiver: Receiver;
let source: Supplier;
let answer: Answer;
let serial: number;

beforeEach(async () => {
  clock = handClock(START);
  answer = 'accepted';
  serial = 0;
  receiver = await startReceiver({ respond: () => ({ status: 200, body: JSON.stringify({ outcome: answer }) }) });
  market = await startTestMarketplace({
    clock,
    yaml: fileOf(receiver.origin, { rejections: RULE, name: 'West' }),
    allowTargets: [receiver.origin],
  });
  source = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 4 });
});
afterEach(async () => {
  await source.close();
  await market.close();
  await receiver.close();
});

/** Returns the id of a lead that is sold, and who bought it. */
async function sell(): Promise<{ readonly leadId: string; readonly buyer: string }> {
  const { status, json } = await source.post(leadBody(++serial));
  expect(status).toBe(202);
  const leadId = json.lead_id;
  const buyer = await eventually('the lead is sold', async () => {
    const { deliveries } = await traceOf(market.database, leadId);
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
     WHERE rejections_paused_at IS NOT NULL`,
  );
const actions = async (): Promise<unknown[]> =>
  (
    await select(
      market.database,
      `SELECT action FROM audit_event WHERE target = 'west' AND action ~ 'rejections|resumed' ORDER BY audit_id`,
    )
  ).map(({ action }) => action);
const codeOf = async (leadId: string): Promise<string | undefined> => {
  const { decision } = (await (await market.signedIn.operator()).get(`/console/api/leads/${leadId}`)).json;
  return decision.offers.find(({ offer }: { offer: string }) => offer === 'west')?.code;
};

describe('An offer whose partner rejects many leads', () => {
  it('pauses above the share, for every process and with notices, and its leads go to the next', async () => {
    await respond('accepted', 'accepted', 'rejected');
    await tick();
    expect(await pauses()).toEqual([]);
    await respond('duplicate');
    const before = Number(await version());
    await tick();
    expect(await pauses()).toEqual([{ offer: 'west', since: new Date(START), until: new Date(MIDNIGHT) }]);
    expect(await version()).toBe(before + 1);
    answer = 'accepted';
    const { leadId, buyer } = await sell();
    expect(buyer).toBe('harbor');
    expect(await codeOf(leadId)).toBe('rejections_paused');
    const data = { offer: 'west', rejected: 2, responses: 4, abovePercent: 40, since: START, until: MIDNIGHT };
    // In the portal, too; and on the page of the offer.
    expect(
      await select(
        market.database,
        `SELECT kind, recipient_key AS recipient, data FROM notice WHERE kind LIKE 'offer.%' ORDER BY kind`,
      ),
    ).toEqual([
      { kind: 'offer.rejecting', recipient: '', data: { ...data, partner: 'summit' } },
      { kind: 'offer.rejections_paused', recipient: 'summit', data },
    ]);
    const portal = await market.signedIn.buyer('summit');
    expect((await portal.get('/portal/api/buyer/offers')).json.offers[0].stop).toEqual({
      code: 'rejections_paused',
      text: 'Paused because many of its leads were rejected today',
      since: START,
      resetsAt: MIDNIGHT,
    });
    const pause = { since: START, until: MIDNIGHT };
    const console = await market.signedIn.operator();
    const today = { responses: 4, rejected: 1, duplicates: 1, rejectedRate: 0.25, duplicateRate: 0.25 };
    expect((await console.get('/console/api/offers/west/responses')).json).toEqual({
      timeZone: 'America/New_York',
      ...{ today, last7Days: today, last30Days: today },
      rule: { abovePercent: 40, responses: 4 },
      pause,
    });
    expect((await console.get('/console/api/partners/summit/responses')).json).toMatchObject({
      timeZone: 'America/New_York',
      offers: [{ offer: 'west', name: 'West', today }],
    });
    expect((await console.get('/console/api/offers/west')).json).toMatchObject({
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
    expect(await select(market.database, `SELECT count(*) AS n FROM notice WHERE kind LIKE 'offer.%'`)).toEqual([
      { n: 2 },
    ]);
    // The same from folded changes.
    await market.database.tx((tx) => foldSome(tx, clock.now()));
    await Promise.all([tick(), tick()]);
    expect(await version()).toBe(before + 1);
  });

  it('takes leads again when the partner’s day ends', async () => {
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    await tick();
    clock.set('2026-11-26T04:59:59.999Z');
    await tick();
    expect(await pauses()).toHaveLength(1);
    clock.set(MIDNIGHT);
    await Promise.all([tick(), tick()]);
    expect(await pauses()).toEqual([]);
    answer = 'accepted';
    expect((await sell()).buyer).toBe('summit');
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
      call(`${market.url}/api/v1/operator/offers/west/rejections-pause/lift`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await lift()).json).toEqual({ offer: 'west', wasPaused: true });
    expect((await lift()).json).toEqual({ offer: 'west', wasPaused: false });
    await Promise.all([tick(), tick()]);
    expect(await pauses()).toEqual([]);
    // Responses of the same quarter of an hour do not count either.
    await respond('rejected', 'rejected', 'rejected', 'rejected');
    expect((await sell()).buyer).toBe('harbor');
    await tick();
    expect(await pauses()).toEqual([]);
    clock.set('2026-11-25T15:15:00.000Z');
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
    await market.apply(fileOf(receiver.origin, { rejections: RULE, name: 'The west' }));
    expect(await pauses()).toHaveLength(1);
    const { leadId, buyer } = await sell();
    expect(buyer).toBe('harbor');
    expect(await codeOf(leadId)).toBe('rejections_paused');
    // Without a share there is nothing to pause for.
    await market.apply(fileOf(receiver.origin, { rejections: {}, name: 'The west' }));
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
    const shown = await command('offer', 'responses', 'west');
    expect(shown.stdout).toContain('50 % rejected, 25 % duplicates of 4');
    expect(shown.stdout).toContain(`Paused since ${START} until ${MIDNIGHT}.`);
    const ofPartner = await command('partner', 'responses', 'summit', '--json');
    expect(JSON.parse(ofPartner.stdout)).toMatchObject({
      total: { today: { responses: 4, rejected: 2, duplicates: 1 } },
      offers: [{ offer: 'west', last30Days: { rejectedRate: 0.5 } }],
    });
    expect((await command('offer', 'lift-pause', 'west')).stdout).toContain('west takes leads again.');
    expect(await pauses()).toEqual([]);
    expect((await command('offer', 'lift-pause', 'west')).stdout).toContain('was not paused');
    expect((await command('offer', 'lift-pause', 'nowhere')).exitCode).toBe(1);
  });
});
