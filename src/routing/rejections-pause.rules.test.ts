// Tests when offers pause because their partner rejects leads, when they go on, and which responses count (contract 13.7).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { changedPauses, countedFrom, type Responses, type WatchedOffer } from './rejections-pause.rules.ts';

const NOW = new Date('2026-11-25T15:07:00.000Z');
const OFF = { pauseAbove: null, responses: 20 };
const common = { pauseAbove: 40, responses: 10 };
const unset = { pauseAbove: null, responses: null };

function watched(responses: Partial<Responses>, offer: Partial<WatchedOffer['offer']> = {}): WatchedOffer {
  return {
    offer: {
      ...{ offerKey: 'west', buyerKey: 'summit', status: 'active', rejections: unset, rejectionsPause: null },
      ...offer,
    },
    timeZone: 'America/New_York',
    responses: { accepted: 0, rejected: 0, duplicates: 0, ...responses },
  };
}

const paused = (until: string) => ({ rejectionsPause: { since: new Date(0), until: new Date(until) } });

type Case = {
  readonly what: string;
  readonly responses: Partial<Responses>;
  readonly offer?: Partial<WatchedOffer['offer']>;
  readonly rules?: typeof common | typeof OFF;
  readonly becomes: 'paused' | 'open' | null;
};

const CASES: readonly Case[] = [
  { what: 'pauses above the share', responses: { accepted: 5, rejected: 5 }, becomes: 'paused' },
  { what: 'does not pause at the share', responses: { accepted: 6, rejected: 4 }, becomes: null },
  {
    what: 'counts duplicates as rejections',
    responses: { accepted: 5, rejected: 3, duplicates: 2 },
    becomes: 'paused',
  },
  { what: 'does not pause after too few responses', responses: { rejected: 9 }, becomes: null },
  { what: 'never pauses without a share', responses: { rejected: 99 }, rules: OFF, becomes: null },
  {
    what: 'takes the share of the offer before the common one',
    responses: { accepted: 5, rejected: 5 },
    offer: { rejections: { pauseAbove: 50, responses: null } },
    becomes: null,
  },
  {
    what: 'pauses by the offer’s own share where there is no common one',
    responses: { accepted: 1, rejected: 3 },
    offer: { rejections: { pauseAbove: 50, responses: 4 } },
    rules: OFF,
    becomes: 'paused',
  },
  {
    what: 'never pauses an offer with a share of 100',
    responses: { rejected: 99 },
    offer: { rejections: { pauseAbove: 100, responses: 1 } },
    becomes: null,
  },
  {
    what: 'pauses after any rejection with a share of 0',
    responses: { accepted: 99, duplicates: 1 },
    offer: { rejections: { pauseAbove: 0, responses: 1 } },
    becomes: 'paused',
  },
  {
    what: 'leaves an offer that is not active',
    responses: { rejected: 99 },
    offer: { status: 'paused' },
    becomes: null,
  },
  {
    what: 'stays paused until the end, whatever the responses say',
    responses: { accepted: 99 },
    offer: paused('2026-11-25T15:07:00.001Z'),
    becomes: null,
  },
  {
    what: 'goes on at the end',
    responses: { rejected: 99 },
    offer: paused('2026-11-25T15:07:00.000Z'),
    becomes: 'open',
  },
  {
    what: 'goes on when the share is removed',
    responses: { rejected: 99 },
    offer: paused('2026-11-26T05:00:00.000Z'),
    rules: OFF,
    becomes: 'open',
  },
];

describe('changedPauses', () => {
  it.each(CASES)('$what', ({ responses, offer = {}, rules = common, becomes }) => {
    const changes = changedPauses([watched(responses, offer)], rules, NOW);
    expect(changes.map(({ pause }) => (pause === null ? 'open' : 'paused'))).toEqual(becomes === null ? [] : [becomes]);
  });

  it('pauses until the partner’s day ends, and says by what', () => {
    expect(changedPauses([watched({ accepted: 3, rejected: 6, duplicates: 1 })], common, NOW)).toEqual([
      {
        ...{ offerKey: 'west', buyerKey: 'summit' },
        pause: { until: new Date('2026-11-26T05:00:00.000Z'), rejected: 7, responses: 10, abovePercent: 40 },
      },
    ]);
  });

  it('agrees with the exact share for any numbers', () => {
    const number = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        number,
        number,
        number,
        fc.integer({ min: 0, max: 100 }),
        (accepted, rejected, duplicates, percent) => {
          const rules = { pauseAbove: percent, responses: 1 };
          const all = accepted + rejected + duplicates;
          const isAbove = all > 0 && BigInt(rejected + duplicates) * 100n > BigInt(percent) * BigInt(all);
          expect(changedPauses([watched({ accepted, rejected, duplicates })], rules, NOW)).toHaveLength(
            isAbove ? 1 : 0,
          );
        },
      ),
    );
  });
});

describe('countedFrom', () => {
  it.each([
    ['the start of the partner’s day', null, '2026-11-25T05:00:00.000Z'],
    ['the quarter of an hour after a pause was lifted', '2026-11-25T14:31:00.000Z', '2026-11-25T14:45:00.000Z'],
    ['a lift at the quarter itself', '2026-11-25T14:45:00.000Z', '2026-11-25T14:45:00.000Z'],
    ['the start of the day after a lift on the day before', '2026-11-25T04:00:00.000Z', '2026-11-25T05:00:00.000Z'],
  ])('is %s', (_what, lifted, from) => {
    const liftedAt = lifted === null ? null : new Date(lifted);
    expect(countedFrom('America/New_York', liftedAt, NOW)).toEqual(new Date(from));
  });
});
