import { describe, expect, it } from 'vitest';

import { exampleChanges } from './example-changes.ts';

const caps = { daily: 25, weekly: null, monthly: 300 };
const offer = { key: 'summit-west', name: 'West', partner: 'summit', price: 'fixed', payout: 45.5, caps } as const;
const changes = (part: Partial<Parameters<typeof exampleChanges>[0]>) =>
  exampleChanges({ ...offer, ...part }).map(({ name, input }) => [name, input.fragment?.partners?.[0]]);

describe('the examples of a dry run', () => {
  it('change one member of the offer each', () => {
    const partner = (change: object) => ({ key: 'summit', offers: [{ key: 'summit-west', ...change }] });
    expect(changes({})).toEqual([
      ['Raise the price of West by 10%', partner({ payout: 50.05 })],
      ['Cap West at 12 a day', partner({ caps: { ...caps, daily: 12 } })],
      ['Pause West', partner({ status: 'paused' })],
    ]);
  });

  it('set a cap where there is none, and raise no price that the partner responds with', () => {
    expect(changes({ price: 'answered', caps: { ...caps, daily: null } }).map(([name]) => name)).toEqual([
      'Cap West at 10 a day',
      'Pause West',
    ]);
  });
});
