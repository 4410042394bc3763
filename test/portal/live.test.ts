// Live updates: changes appear on open pages, whichever process made them (decision 022).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { setBuyerStatus } from '../../src/buyers/save-buyers.ts';
import { statement } from '../../src/platform/database/database.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';
import { call, postLead, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { type LiveLine, openLine } from '../support/live-line.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PORTAL = '/portal/api/stream';
const CONSOLE = '/console/api/stream';
let market: TestMarketplace;
/** A second process on the same database, API only. */
let other: TestMarketplace;
const lines: LiveLine[] = [];
let serial = 0;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml() });
  other = await startTestMarketplace({ yaml: marketYaml(), role: 'api', on: market.testDatabase });
});
afterEach(() => {
  for (const line of lines.splice(0)) line.close();
});
afterAll(async () => {
  await other.close();
  await market.close();
});

async function open(who: SignedIn, path: string, url = other.url): Promise<LiveLine> {
  const line = await openLine(url, who, path);
  lines.push(line);
  return line;
}

async function submit(): Promise<string> {
  serial += 1;
  const response = await postLead(market.url, await market.supplierKey('acme-media'), sampleLead(serial));
  return response.json.lead_id;
}

describe('a live update stream', () => {
  it('notifies partner, supplier and operator of a sale in another process', async () => {
    const buyer = await open(await market.signedIn.buyer('summit'), PORTAL);
    const stranger = await open(await market.signedIn.buyer('harbor'), PORTAL);
    const supplier = await open(await market.signedIn.supplier('acme-media'), PORTAL);
    const rival = await open(await market.signedIn.supplier('rival-media'), PORTAL);
    const operator = await open(await market.signedIn.operator(), CONSOLE);
    expect([buyer.status, buyer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(buyer.headers.get('cache-control')).toBe('no-store');
    await eventually('the line has begun', () => buyer.text() !== '');
    expect(buyer.text()).toBe('retry: 3000\n\n');
    // Streams of other sessions are not affected.
    expect(stranger.topics()).toEqual(new Set());
    const seen = [
      buyer.next('deliveries'),
      buyer.next('billing'),
      supplier.next('submissions'),
      operator.next('leads'),
      operator.next('deliveries'),
      operator.next('money'),
    ];
    await submit();
    await Promise.all(seen);
    expect([...stranger.topics(), ...rival.topics()]).toEqual([]);
  });

  it('notifies of claims and settings', async () => {
    const summit = await market.signedIn.buyer('summit');
    const buyer = await open(summit, PORTAL);
    const operator = await open(await market.signedIn.operator(), CONSOLE);
    await submit();
    const [delivery] = await eventually('it is delivered', async () => {
      const { data } = (await summit.get('/portal/api/v1/buyer/leads?status=Confirmed')).json;
      return data.length > 0 && data;
    });
    const seen = [buyer.next('claims'), operator.next('claims')];
    const filed = await summit.send('POST', '/portal/api/v1/buyer/returns', {
      deliveryId: delivery.deliveryId,
      reason: 'invalid_phone',
      proof: 'The number is not in service.',
    });
    expect([filed.status, filed.text]).toEqual([201, expect.anything()]);
    await Promise.all(seen);
    const changed = [buyer.next('account'), operator.next('configuration')];
    const { data } = (await summit.get('/portal/api/buyer/tokens')).json;
    await summit.send('DELETE', `/portal/api/buyer/tokens/${data.at(-1).id}`);
    await market.apply(marketYaml({ acmeStatus: 'suspended' }));
    await Promise.all(changed);
    await market.apply(marketYaml());
  });

  it.each([PORTAL, CONSOLE])('at %s requires a session and the own origin', async (path) => {
    const nobody = await call(market.url + path, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(problemFacts(nobody)).toEqual(problem(401, 'unauthorized'));
    const elsewhere = await call(market.url + path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(problemFacts(elsewhere)).toEqual(problem(403, 'cross_origin_refused'));
    const head = await call(market.url + path, { method: 'HEAD', headers: { 'sec-fetch-site': 'same-origin' } });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('ends with its session, in whichever process that ended', async () => {
    const summit = await market.signedIn.buyer('summit');
    const spare = await market.signedIn.buyer('summit');
    const [ended, stays] = [await open(summit, PORTAL), await open(spare, PORTAL)];
    await summit.send('DELETE', '/portal/api/session');
    await eventually('the line is closed', () => !ended.isOpen());
    expect(stays.isOpen()).toBe(true);
    expect((await open(summit, PORTAL, market.url)).status).toBe(401);
  });

  it('ends when the partner is suspended', async () => {
    const line = await open(await market.signedIn.buyer('harbor'), PORTAL);
    const set = (status: 'suspended' | 'active') =>
      market.database.tx((tx) =>
        setBuyerStatus(tx, { buyerKey: 'harbor', status, actor: commandLineActor }, new Date()),
      );
    await set('suspended');
    await eventually('the line is closed', () => !line.isOpen());
    expect(line.isOpen()).toBe(false);
    await set('active');
  });

  it('is limited to four per session, so that a browser keeps connections for requests', async () => {
    const summit = await market.signedIn.buyer('summit');
    const four = [];
    for (let count = 0; count < 4; count += 1) four.push(await open(summit, PORTAL));
    expect(four.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await open(summit, PORTAL)).status).toBe(429);
    expect((await open(await market.signedIn.buyer('summit'), PORTAL)).status).toBe(200);
    four[0]?.close();
    await eventually('the place is free again', async () => (await open(summit, PORTAL)).status === 200);
  });

  it('does not keep its session alive', async () => {
    const summit = await market.signedIn.buyer('summit');
    const idle = statement('test.idle', `UPDATE session SET last_used_at = last_used_at - interval '11 hours'`);
    await market.database.query(idle);
    await open(summit, PORTAL);
    const [row] = await market.database.query(
      statement<void, { hours: number }>(
        'test.idle-since',
        `SELECT extract(epoch FROM max(created_at - last_used_at))::integer / 3600 AS hours FROM session`,
      ),
    );
    expect(row?.hours).toBe(11);
  });

  it('does not delay the shutdown of a process', async () => {
    const ending = await startTestMarketplace({ yaml: marketYaml(), role: 'api', on: market.testDatabase });
    const line = await open(await market.signedIn.buyer('summit'), PORTAL, ending.url);
    expect(line.isOpen()).toBe(true);
    await ending.close();
    await eventually('the line is closed', () => !line.isOpen());
  });
});
