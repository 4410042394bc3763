// Endpoints that hang or fail cost nobody else anything (contract 4.12).
import { afterEach, expect, test } from 'vitest';

import { select } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import type { Reply } from '../support/receiver.ts';
import {
  closeAll,
  idOf,
  type MessengerHouse,
  news,
  openHouse,
  receive,
  SECOND,
  suppliersYaml,
  type WaitingMessage,
} from './messenger-house.ts';

afterEach(closeAll);

const many = (supplierKey: string, count: number) =>
  Array.from({ length: count }, (_, serial) => news(supplierKey, serial));

test('A thousand messages all arrive beside a supplier that hangs with its own eight', async () => {
  const release = Promise.withResolvers<Reply>();
  const [good, hanging] = [await receive(), await receive(() => release.promise)];
  const house = await openHouse({
    yaml: suppliersYaml({ good: good.origin, hanging: hanging.origin }),
    receivers: [good, hanging],
  });
  // Those of the one that hangs are the older ones.
  await house.tell(...many('hanging', 1000));
  house.start();
  await eventually('it holds what it may hold', () => hanging.requests.length === 8);
  await house.tell(...many('good', 1000));
  await eventually('all of the other’s are done', async () =>
    (await house.waiting()).every(({ ownerKey }) => ownerKey === 'hanging'),
  );
  expect(new Set(good.requests.map(idOf)).size).toBe(1000);
  expect(good.requests).toHaveLength(1000);
  expect(hanging.requests).toHaveLength(8);
  const left = await house.waiting();
  expect([left.length, left.filter(({ isLeased }) => isLeased).length]).toEqual([1000, 8]);
  release.resolve({ status: 200 });
  await house.onceEmpty();
  expect(new Set(hanging.requests.map(idOf)).size).toBe(1000);
});

/** A message to another supplier has come and gone: whatever the messenger was going to do by now it has done. */
async function lookOnce(house: MessengerHouse): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    await house.tell(news('marker'));
    await eventually('the marker is through', async () =>
      (await house.waiting()).every(({ ownerKey }) => ownerKey !== 'marker'),
    );
  }
}

const stepsOf = (messages: readonly WaitingMessage[]): number => messages.reduce((sum, { steps }) => sum + steps, 0);
const outages = ({ database }: MessengerHouse): Promise<{ closed: boolean }[]> =>
  select(
    database,
    `SELECT closed_at IS NOT NULL AS closed FROM endpoint_outage WHERE owner_key = 'acme' ORDER BY opened_at`,
  );

test('An endpoint that keeps failing is left alone but for one attempt every 30 s, which use up no step, until it is back', async () => {
  let isUp = false;
  const [acme, marker] = [await receive(() => (isUp ? { status: 200 } : { status: 500 })), await receive()];
  const house = await openHouse({
    yaml: suppliersYaml({ acme: acme.origin, marker: marker.origin }),
    receivers: [acme, marker],
    settings: { retrySeconds: [0, 0, 0, 0, 0, 0], breaker: { failures: 5, probeSeconds: 30 } },
  });
  house.start();
  await house.tell(...many('acme', 20));
  await eventually('its breaker is open', () => house.isBroken('acme'));
  await eventually('nothing is under way', async () => (await house.waiting()).every(({ isLeased }) => !isLeased));
  await lookOnce(house);
  const [asked, steps] = [acme.requests.length, stepsOf(await house.waiting())];
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(steps).toBe(asked);

  for (const probe of [1, 2, 3]) {
    house.pass(30 * SECOND);
    await eventually('it is asked once more', () => acme.requests.length >= asked + probe);
    await eventually('nothing is under way', async () => (await house.waiting()).every(({ isLeased }) => !isLeased));
    await lookOnce(house);
    expect(acme.requests).toHaveLength(asked + probe);
    expect(stepsOf(await house.waiting())).toBe(steps);
    expect(await house.isBroken('acme')).toBe(true);
  }
  expect(await outages(house)).toEqual([{ closed: false }]);

  isUp = true;
  house.pass(30 * SECOND);
  await house.onceEmpty();
  expect(await house.isBroken('acme')).toBe(false);
  expect(await outages(house)).toEqual([{ closed: true }]);
  // Nothing was lost.
  expect(new Set(acme.requests.map(idOf)).size).toBe(20);
  expect([await house.dead(), house.faults]).toEqual([[], []]);
});

test('What waits for an endpoint that is there no more goes at once, though its breaker was open', async () => {
  const acme = await receive(() => 'reset');
  const house = await openHouse({
    yaml: suppliersYaml({ acme: acme.origin }),
    receivers: [acme],
    settings: { breaker: { failures: 1, probeSeconds: 30 } },
  });
  house.start();
  await house.tell(...many('acme', 50));
  await eventually('its breaker is open', () => house.isBroken('acme'));
  await eventually('nothing is under way', async () => (await house.waiting()).every(({ isLeased }) => !isLeased));
  await house.apply(suppliersYaml({ acme: null }));
  const asked = acme.requests.length;
  house.pass(3600 * SECOND);
  await house.onceEmpty();
  expect(acme.requests).toHaveLength(asked);
  expect(await house.isBroken('acme')).toBe(false);
  expect(await house.dead()).toEqual([]);
});
