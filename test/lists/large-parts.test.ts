// Large parts of lists, several at a time: others are served between the slices in which they are read (contract 15.4).
import { setImmediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createListParts } from '../../src/scopes/list-parts.ts';
import { marketYaml } from '../contract/market.ts';
import { askInside, inside } from '../support/ask-inside.ts';
import { watchTurnsBelow } from '../support/loop-turns.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const LIST = { key: 'customers', name: 'Our customers', kind: 'phone' };
const PATH = '/portal/api/buyer/lists';
/** No turn of the loop may take longer (contract 1.12). */
const TURN_MS = 50;

const phonesFrom = (first: number, count: number) =>
  `phone\n${Array.from({ length: count }, (_, index) => `+1555${2_000_000 + first + index}`).join('\n')}\n`;

describe('A large part of a list', () => {
  let market: TestMarketplace;
  let partners: SignedIn[];
  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    const signedIn = [await market.signedIn.buyer('summit'), await market.signedIn.buyer('harbor')];
    partners = signedIn.map((session) => inside(market.runtime.app, session));
  });
  afterAll(() => market.close());

  let made = 0;
  async function openLoad(partner: SignedIn): Promise<string> {
    made += 1;
    const { json: list } = await partner.send('POST', PATH, { ...LIST, key: `customers-${made}` });
    const { json: load } = await partner.send('POST', `${PATH}/${list.listId}/loads`, { mode: 'replace' });
    return `${PATH}/${list.listId}/loads/${load.loadId}/parts`;
  }

  it('is read in slices, between which health checks of four uploads side by side are served', async () => {
    const count = 15_000;
    const sent = partners.flatMap((partner, index) =>
      [0, 1].map((half) => ({ partner, first: 100_000 * index + half })),
    );
    const rows = sent.map(({ first }) => phonesFrom(first, count));
    let checked = 0;
    const { value, dearestMs } = await watchTurnsBelow(TURN_MS, async () => {
      const paths = await Promise.all(sent.map(({ partner }) => openLoad(partner)));
      let isLoading = true;
      const checks = (async () => {
        while (isLoading) {
          expect((await askInside(market.runtime.app, '/healthz')).status).toBe(200);
          checked += 1;
          await setImmediate();
        }
      })();
      const loaded = await Promise.all(
        sent.map(({ partner }, index) => partner.send('POST', paths[index] ?? '', { number: 1, rows: rows[index] })),
      );
      isLoading = false;
      await checks;
      return loaded;
    });
    expect(value.map(({ status, json }) => [status, json.entries])).toEqual(sent.map(() => [200, count]));
    // Each part has some twenty slices.
    expect(checked).toBeGreaterThan(4 * 10);
    expect(dearestMs).toBeLessThan(TURN_MS);
  });

  it.each([
    ['a header of 500,000 columns', `${',a'.repeat(499_999)}\n1`],
    ['a header of 8,000 columns', `${',a'.repeat(7999)}\n${'1\n'.repeat(100)}`],
    ['one row of a million cells', `phone\n${','.repeat(999_990)}`],
    ['one cell of a million characters', `phone\n${'5'.repeat(999_990)}`],
    ['a quote that is never closed', `phone\n"${'\n'.repeat(999_990)}`],
    ['fifty thousand rows without a value', `phone\n${'x\n'.repeat(50_000)}`],
    ['empty rows', `phone\n${'\n'.repeat(100_000)}`],
    ['an expiry of a million digits', `phone,expires\n+15552000001,${'2'.repeat(999_900)}`],
  ])('has %s and holds nobody up', async (_what, rows) => {
    const [partner] = partners as [SignedIn];
    const { value, dearestMs } = await watchTurnsBelow(TURN_MS, async () => {
      const path = await openLoad(partner);
      return partner.send('POST', path, { number: 1, rows });
    });
    expect([200, 422]).toContain(value.status);
    expect(dearestMs).toBeLessThan(TURN_MS);
  });
});

describe('Parts of lists', () => {
  it('are read one at a time, by turns of their senders', async () => {
    const parts = createListParts({ now: () => new Date(0) });
    const began: string[] = [];
    let atOnce = 0;
    const send = (buyerKey: string, name: string) =>
      parts.run({ buyerKey, characters: 10 }, async () => {
        began.push(name);
        atOnce += 1;
        await Promise.resolve();
        expect(atOnce).toBe(1);
        atOnce -= 1;
        return name;
      });
    await Promise.all([send('summit', 's1'), send('summit', 's2'), send('summit', 's3'), send('harbor', 'h1')]);
    expect(began).toEqual(['s1', 's2', 'h1', 's3']);
  });

  it('are at most four of one account at a time, and of a partner 20 million characters a minute', async () => {
    let nowMs = 0;
    const parts = createListParts({ now: () => new Date(nowMs) });
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const hold = (buyerKey: string | null) => parts.run({ buyerKey, characters: 1 }, () => end);
    const held = [0, 1, 2, 3].map(() => hold(null));
    expect(hold(null)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    const other = hold('summit');
    expect(other).toBeInstanceOf(Promise);
    resolve();
    await Promise.all([...held, other]);
    const send = (buyerKey: string | null) => parts.run({ buyerKey, characters: 1_000_000 }, () => end);
    for (let sent = 0; sent < 10; sent += 1) await send(null);
    for (let sent = 0; sent < 4; sent += 1) await send('summit');
    expect(send('summit')).toMatchObject({ status: 429, code: 'rate_limited', headers: { 'retry-after': '1' } });
    expect(await send('harbor')).toBeUndefined();
    nowMs += 3000;
    expect(await send('summit')).toBeUndefined();
  });
});
