import { describe, expect, it } from 'vitest';

import { partnerOrders, readOrder, sortedBy } from './account-list-order.rules.ts';

const ROWS = [
  { key: 'a', value: 2 },
  { key: 'b', value: Infinity },
  { key: 'c', value: 2 },
  { key: 'd', value: -Infinity },
  { key: 'e', value: Infinity },
];
const keysBy = (isDescending: boolean): string =>
  sortedBy(ROWS, ({ value }) => value, isDescending)
    .map(({ key }) => key)
    .join('');

describe('the order of a list of accounts', () => {
  it('has the smallest or the largest first, and equal ones as they were', () => {
    expect([keysBy(false), keysBy(true)]).toEqual(['dacbe', 'beacd']);
  });

  it('is read from its name with or without a minus', () => {
    expect(readOrder<'sold'>('-sold')).toEqual({ by: 'sold', isDescending: true });
    expect(readOrder<'sold'>('sold')).toEqual({ by: 'sold', isDescending: false });
    expect(partnerOrders.slice(0, 2)).toEqual(['name', '-name']);
  });
});
