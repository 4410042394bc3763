import { describe, expect, it } from 'vitest';

import { createProcessCounts, type ProcessCounts } from './process-counts.ts';

const MINUTE_MS = 60_000;
const start = Date.parse('2026-11-20T12:00:00.000Z');

function counting(): { counts: ProcessCounts; at: (ms: number) => void } {
  let now = start;
  return { counts: createProcessCounts({ now: () => new Date(now) }), at: (ms) => (now = start + ms) };
}
const taken = (counts: ProcessCounts): Array<[string, number]> =>
  counts.take().map(({ minute, counts: { accepted } }) => [minute.toISOString().slice(11, 16), accepted]);

describe('The counts of a process', () => {
  it('are kept per minute, and returned once they have changed', () => {
    const { counts, at } = counting();
    counts.count('accepted');
    counts.count('accepted', 2);
    counts.count('accepted', 0);
    expect(taken(counts)).toEqual([['12:00', 3]]);
    expect(taken(counts)).toEqual([]);
    at(MINUTE_MS);
    counts.count('accepted');
    expect(taken(counts)).toEqual([['12:01', 1]]);
  });

  it('of a current minute are returned as totals each time, so that writing them twice changes nothing', () => {
    const { counts, at } = counting();
    counts.count('accepted');
    counts.take();
    at(MINUTE_MS - 1);
    counts.count('accepted');
    expect(taken(counts)).toEqual([['12:00', 2]]);
  });

  it('that could not be written are returned again, with later counts', () => {
    const { counts, at } = counting();
    counts.count('accepted');
    const first = counts.take();
    counts.count('accepted');
    counts.giveBack(first);
    expect(taken(counts)).toEqual([['12:00', 2]]);
    counts.count('accepted');
    at(5 * MINUTE_MS);
    const late = counts.take();
    counts.giveBack(late);
    expect(taken(counts)).toEqual([['12:00', 3]]);
  });

  it('are bounded while nothing can be written', () => {
    const { counts, at } = counting();
    for (let minute = 0; minute < 100; minute += 1) {
      at(minute * MINUTE_MS);
      counts.count('accepted');
    }
    expect(counts.take()).toHaveLength(60);
  });

  it('of responses separate the partner API from pages, and exclude health checks', () => {
    const { counts } = counting();
    const seen: number[] = [];
    const meter = counts.metered({ forRoute: () => (status) => void seen.push(status) });
    meter.forRoute('GET', '/api/v1/buyer/leads')(200, 1);
    meter.forRoute('GET', '/api/v1/buyer/leads')(503, 1);
    meter.forRoute('GET', '/console/api/health')(500, 1);
    meter.forRoute('GET', '/portal/api/v1/buyer/leads')(404, 1);
    meter.forRoute('GET', '/healthz')(500, 1);
    expect(counts.take()[0]?.counts).toMatchObject({ apiAnswers: 2, apiFaults: 1, pageAnswers: 2, pageFaults: 1 });
    expect(seen).toEqual([200, 503, 500, 404, 500]);
  });
});
