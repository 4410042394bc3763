import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../base/time.ts';
import { monthSpan } from '../invoices/period.rules.ts';
import { type HistoryStep, planHistory } from './history-plan.rules.ts';

const ZONES = ['America/Los_Angeles', 'America/New_York', 'America/Chicago', 'America/Denver'];
const HOUR_MS = 3_600_000;

type StepOf<Kind extends HistoryStep['kind']> = Extract<HistoryStep, { kind: Kind }>;

function stepsOf<Kind extends HistoryStep['kind']>(steps: readonly HistoryStep[], kind: Kind): StepOf<Kind>[] {
  return steps.filter((step): step is StepOf<Kind> => step.kind === kind);
}

describe('The plan of the demo’s history', () => {
  // Three hours are finer than any zone's distance from the next, and meet each hour of a day on some day.
  const starts = Array.from({ length: 2 * 366 * 8 }, (_, index) => Date.UTC(2026, 0, 1) + index * 3 * HOUR_MS);
  const nows = starts.map((at, index) => new Date(at + (index % 3) * HOUR_MS + (index % 7)));

  it('invoices a past month with a week of leads, at any time of any day on which it begins', () => {
    for (const now of nows) {
      const steps = planHistory(now, ZONES);
      const [invoices, ...more] = stepsOf(steps, 'invoices');
      if (invoices === undefined) throw new Error(`${now.toISOString()}: nothing is invoiced`);
      const spans = ZONES.map((zone) => monthSpan(invoices.month, zone));
      const from = Math.max(...spans.map((span) => span.from));
      const until = Math.min(...spans.map((span) => span.until));
      const leads = stepsOf(steps, 'leads').filter(
        ({ at }) => at.getTime() >= from && at.getTime() + 2 * HOUR_MS < until,
      );
      expect([more.length, leads.length >= 7], now.toISOString()).toEqual([0, true]);
      expect(Math.max(...spans.map((span) => span.until)), now.toISOString()).toBeLessThanOrEqual(
        invoices.at.getTime(),
      );
    }
  });

  it('is in order of time and ends before the demo begins, with two full weeks last and no day left out', () => {
    for (const now of nows) {
      const steps = planHistory(now, ZONES);
      const times = steps.map(({ at }) => at.getTime());
      expect(times, now.toISOString()).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1), now.toISOString()).toBeLessThanOrEqual(now.getTime());
      const leads = stepsOf(steps, 'leads');
      expect(leads.slice(-14).every(({ count }) => count === 12)).toBe(true);
      const days = leads.map(({ at }) => Math.trunc(at.getTime() / DAY_MS));
      expect(days.at(-1)).toBe(Math.trunc(now.getTime() / DAY_MS) - 1);
      expect(days).toEqual(days.map((_, index) => (days[0] ?? 0) + index));
    }
  });

  it('is short enough for a first start', () => {
    const most = Math.max(
      ...nows.map((now) => stepsOf(planHistory(now, ZONES), 'leads').reduce((sum, { count }) => sum + count, 0)),
    );
    expect(most).toBeLessThanOrEqual(250);
  });

  it('goes back to the month before the last one while it is still that month in a partner’s time zone', () => {
    const invoicedAt = (now: string): unknown => stepsOf(planHistory(new Date(now), ZONES), 'invoices')[0];
    expect(invoicedAt('2026-12-01T07:59:59Z')).toEqual({
      kind: 'invoices',
      month: '2026-10',
      at: new Date('2026-11-01T11:00:00Z'),
    });
    expect(invoicedAt('2026-12-01T08:00:00Z')).toEqual({
      kind: 'invoices',
      month: '2026-11',
      at: new Date('2026-12-01T08:00:00Z'),
    });
  });

  it('has the invoices paid after nine days, if these have passed', () => {
    const paidAt = (now: string): unknown => stepsOf(planHistory(new Date(now), ZONES), 'payments')[0]?.at;
    expect(paidAt('2026-12-10T12:00:00Z')).toBeUndefined();
    expect(paidAt('2026-12-10T12:00:00.001Z')).toEqual(new Date('2026-12-10T12:00:00Z'));
  });
});
