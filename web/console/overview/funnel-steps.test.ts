import { describe, expect, it } from 'vitest';

import { funnelSteps } from './funnel-steps.ts';

describe('funnelSteps', () => {
  it('divides each step by the one before and says what was lost', () => {
    const totals = {
      ...{ submitted: 200, accepted: 160, refused: 40, sold: 100, unsold: 50 },
      ...{ deliveries: 120, confirmed: 110, kept: 99, returned: 11 },
    };
    expect(
      funnelSteps(totals).map(({ measure, count, share, lost, open }) => [measure, count, share, lost, open]),
    ).toEqual([
      ['submitted', 200, null, 0, 0],
      ['accepted', 160, 0.8, 40, 0],
      ['sold', 100, 0.625, 50, 10],
      ['deliveries', 120, 1.2, 0, 0],
      ['confirmed', 110, 110 / 120, 10, 0],
      ['kept', 99, 0.9, 11, 0],
    ]);
    expect(funnelSteps(totals).map(({ width }) => width)).toEqual([1, 0.8, 0.5, 0.6, 0.55, 0.495]);
  });

  it('has no shares and no bars without leads', () => {
    const steps = funnelSteps({ submitted: 0, accepted: 0 });
    expect(new Set(steps.map(({ share, width, lost }) => `${share} ${width} ${lost}`))).toEqual(new Set(['null 0 0']));
  });
});
