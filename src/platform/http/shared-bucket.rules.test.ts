import { describe, expect, it } from 'vitest';

import {
  afterExchange,
  chargeOf,
  decide,
  NEW_BUCKET,
  type SharedBucket,
  withoutRefilled,
} from './shared-bucket.rules.ts';
import { draw } from './token-bucket.rules.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const RATE = { perSecond: 100, burst: 200 };
const CALM = { nowMs: NOW, processes: 4, isAway: false, isAsking: false };

/** Requests at one instant, until one is not decided as the first was. */
function inARow(
  bucket: SharedBucket,
  rate = RATE,
  circumstances = CALM,
): { kind: string; count: number; bucket: SharedBucket } {
  const first = decide(bucket, rate, circumstances);
  let [found, count] = [first, 0];
  while (found.kind === first.kind && count < 1000) {
    count += 1;
    found = decide(found.bucket, rate, circumstances);
  }
  return { kind: first.kind, count, bucket: found.bucket };
}

/** A bucket after an exchange that charged some requests and left some tokens. */
function known(left: number, admitted = 0, wanted = 0): SharedBucket {
  const perTokenMs = 1000 / RATE.perSecond;
  const charge = chargeOf({ ...NEW_BUCKET, uncharged: admitted }, RATE, { bucket: 'one', wanted, processes: 4 });
  const charged = { bucket: 'one', fullAtMs: NOW + (RATE.burst - left) * perTokenMs, granted: 0 };
  return afterExchange({ ...NEW_BUCKET, uncharged: admitted }, RATE, {
    ...{ charge, charged, waiting: 0 },
    ...{ nowMs: NOW, processes: 4 },
  });
}

describe('A process with others beside it', () => {
  it.each([
    { name: 'a fortieth of the burst when it has not used the bucket lately', bucket: NEW_BUCKET, count: 5 },
    { name: 'four times what it admitted before', bucket: known(200, 10), count: 40 },
    { name: 'the least after requests that had to ask', bucket: known(200, 10, 1), count: 5 },
    { name: 'its share of what is left, if that is less', bucket: known(80, 30), count: 20 },
    {
      name: 'no more than without a past when its last exchange is long over',
      bucket: { ...known(200, 10), allowanceUntilMs: NOW },
      count: 5,
    },
    { name: 'one request with the smallest burst', bucket: NEW_BUCKET, rate: { perSecond: 1, burst: 1 }, count: 1 },
    {
      name: 'its share of the burst while the database is away',
      bucket: NEW_BUCKET,
      circumstances: { isAway: true },
      count: 50,
    },
  ])('admits by itself $name', ({ bucket, count, rate = RATE, circumstances = {} }) => {
    expect(inARow(bucket, rate, { ...CALM, ...circumstances })).toMatchObject({ kind: 'allowed', count });
  });

  it('asks for further requests, for as many as there may be tokens, and rejects the rest', () => {
    const alone = inARow(NEW_BUCKET);
    const asking = inARow(alone.bucket, RATE, { ...CALM, isAsking: true });
    expect(asking).toMatchObject({ kind: 'unsure', count: 194 });
    const over = decide(asking.bucket, RATE, { ...CALM, isAsking: true });
    expect([over.kind, over.draw.retryAfterSeconds, over.draw.remaining]).toEqual(['rejected', 1, 0]);
  });

  it('lets no request pass those that wait for the database', () => {
    expect(decide(known(200, 10), RATE, { ...CALM, isAsking: true }).kind).toBe('unsure');
  });

  it('waits until an overdrawn bucket has been paid for', () => {
    const overdrawn = known(-150);
    expect(decide(overdrawn, RATE, { ...CALM, nowMs: NOW + 1500 }).kind).toBe('rejected');
    expect(decide(overdrawn, RATE, { ...CALM, nowMs: NOW + 1510 }).kind).toBe('unsure');
    expect(decide(overdrawn, RATE, { ...CALM, nowMs: NOW + 1550 }).kind).toBe('allowed');
  });

  it('should exchange soon when half of what it may admit is admitted', () => {
    let bucket = known(200, 5);
    const urgencies = Array.from({ length: 20 }, () => {
      const found = decide(bucket, RATE, CALM);
      bucket = found.bucket;
      return found.urgency;
    });
    expect(urgencies.indexOf('now')).toBe(10);
    expect(new Set(urgencies.slice(10))).toEqual(new Set(['now']));
  });
});

describe('The only process', () => {
  it('decides as a bucket in its memory does while the database is away', () => {
    let [bucket, fullAtMs] = [NEW_BUCKET, 0];
    for (let step = 0; step < 500; step += 1) {
      const nowMs = NOW + step * 7;
      const found = decide(bucket, RATE, { nowMs, processes: 1, isAway: true, isAsking: false });
      const expected = draw(RATE, fullAtMs, nowMs);
      expect(found.draw).toEqual(expected);
      [bucket, fullAtMs] = [found.bucket, expected.fullAtMs];
    }
  });
});

describe('After an outage', () => {
  it('charges no requests whose tokens have been refilled since', () => {
    const bucket = { ...NEW_BUCKET, uncharged: 3000, shareFullAtMs: NOW + 1000 };
    expect(withoutRefilled(bucket, RATE, CALM).uncharged).toBe(25);
    expect(withoutRefilled(bucket, RATE, { ...CALM, nowMs: NOW + 1000 }).uncharged).toBe(0);
    expect(withoutRefilled({ ...bucket, uncharged: 7 }, RATE, CALM).uncharged).toBe(7);
  });
});
