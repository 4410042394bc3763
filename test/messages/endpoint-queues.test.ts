// Endpoints that hang or fail do not delay messages to others (contract 4.12).
import { afterEach, describe, expect, it } from 'vitest';

import { DRAWN_BY } from '../support/drawn.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import type { Reply } from '../support/receiver.ts';
import {
  closeAll,
  idOf,
  type MessageMarket,
  news,
  openMarket,
  receive,
  SECOND,
  suppliersYaml,
  type WaitingMessage,
} from './message-market.ts';

afterEach(closeAll);

/** More than the messengers look at in one round. */
const MANY = DRAWN_BY === 'all' ? 1000 : 300;

const many = (supplierKey: string, count: number) =>
  Array.from({ length: count }, (_, serial) => news(supplierKey, serial));

describe('Queues of messages per endpoint', () => {
  it('sends hundreds of messages beside a supplier whose own eight hang', async () => {
    const release = Promise.withResolvers<Reply>();
    const [good, hanging] = [await receive(), await receive(() => release.promise)];
    const market = await openMarket({
      yaml: suppliersYaml({ good: good.origin, hanging: hanging.origin }),
      receivers: [good, hanging],
    });
    // Those of the one that hangs are the older ones.
    await market.notify(...many('hanging', MANY));
    market.start();
    await eventually('it holds what it may hold', () => hanging.requests.length === 8);
    await market.notify(...many('good', MANY));
    await eventually('all of the other’s are done', async () =>
      (await market.waiting()).every(({ ownerKey }) => ownerKey === 'hanging'),
    );
    expect(new Set(good.requests.map(idOf)).size).toBe(MANY);
    expect(good.requests).toHaveLength(MANY);
    expect(hanging.requests).toHaveLength(8);
    const left = await market.waiting();
    expect([left.length, left.filter(({ isLeased }) => isLeased).length]).toEqual([MANY, 8]);
    release.resolve({ status: 200 });
    await market.onceEmpty();
    expect(new Set(hanging.requests.map(idOf)).size).toBe(MANY);
  });

  /** A message to another supplier has come and gone: whatever the messenger was going to do by now it has done. */
  async function lookOnce(market: MessageMarket): Promise<void> {
    for (let times = 0; times < 2; times += 1) {
      await market.notify(news('marker'));
      await eventually('the marker is through', async () =>
        (await market.waiting()).every(({ ownerKey }) => ownerKey !== 'marker'),
      );
    }
  }

  const stepsOf = (messages: readonly WaitingMessage[]): number => messages.reduce((sum, { steps }) => sum + steps, 0);
  const outages = ({ database }: MessageMarket): Promise<{ closed: boolean }[]> =>
    select(
      database,
      `SELECT closed_at IS NOT NULL AS closed FROM endpoint_outage WHERE owner_key = 'acme' ORDER BY opened_at`,
    );

  it('sends a failing endpoint one probe every 30 s, which uses up no step, until it works again', async () => {
    let isUp = false;
    const [acme, marker] = [await receive(() => (isUp ? { status: 200 } : { status: 500 })), await receive()];
    const market = await openMarket({
      yaml: suppliersYaml({ acme: acme.origin, marker: marker.origin }),
      receivers: [acme, marker],
      settings: { retrySeconds: [0, 0, 0, 0, 0, 0], breaker: { failures: 5, probeSeconds: 30 } },
    });
    market.start();
    await market.notify(...many('acme', 20));
    await eventually('its breaker is open', () => market.isBroken('acme'));
    await eventually('nothing is under way', async () => (await market.waiting()).every(({ isLeased }) => !isLeased));
    await lookOnce(market);
    const [asked, steps] = [acme.requests.length, stepsOf(await market.waiting())];
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(steps).toBe(asked);

    for (const probe of [1, 2, 3]) {
      market.pass(30 * SECOND);
      await eventually('it is asked once more', () => acme.requests.length >= asked + probe);
      await eventually('nothing is under way', async () => (await market.waiting()).every(({ isLeased }) => !isLeased));
      await lookOnce(market);
      expect(acme.requests).toHaveLength(asked + probe);
      expect(stepsOf(await market.waiting())).toBe(steps);
      expect(await market.isBroken('acme')).toBe(true);
    }
    expect(await outages(market)).toEqual([{ closed: false }]);

    isUp = true;
    market.pass(30 * SECOND);
    await market.onceEmpty();
    expect(await market.isBroken('acme')).toBe(false);
    expect(await outages(market)).toEqual([{ closed: true }]);
    // Nothing was lost.
    expect(new Set(acme.requests.map(idOf)).size).toBe(20);
    expect([await market.dead(), market.faults]).toEqual([[], []]);
  });

  it('drops messages for a removed endpoint at once, also behind an open breaker', async () => {
    const acme = await receive(() => 'reset');
    const market = await openMarket({
      yaml: suppliersYaml({ acme: acme.origin }),
      receivers: [acme],
      settings: { breaker: { failures: 1, probeSeconds: 30 } },
    });
    market.start();
    await market.notify(...many('acme', 50));
    await eventually('its breaker is open', () => market.isBroken('acme'));
    await eventually('nothing is under way', async () => (await market.waiting()).every(({ isLeased }) => !isLeased));
    await market.apply(suppliersYaml({ acme: null }));
    const asked = acme.requests.length;
    market.pass(3600 * SECOND);
    await market.onceEmpty();
    expect(acme.requests).toHaveLength(asked);
    expect(await market.isBroken('acme')).toBe(false);
    expect(await market.dead()).toEqual([]);
  });
});
