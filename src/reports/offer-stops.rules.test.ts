import { describe, expect, it } from 'vitest';

import { anIndexed } from '../../test/support/offers.ts';
import { capSpan, type CapWindow } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Offer } from '../routing/offer.ts';
import { leadsUntilOutOfFunds, offerStop, offerStopInWords, resetOf } from './offer-stops.rules.ts';
import type { WindowUses } from './offer-windows.rules.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const none = { daily: null, weekly: null, monthly: null };

function uses(used: Partial<Record<CapWindow, { used?: number; usedCents?: number }>>): WindowUses {
  const useOf = (window: CapWindow) => ({
    span: capSpan(window, NOON, 'UTC'),
    used: used[window]?.used ?? 0,
    usedCents: used[window]?.usedCents ?? 0,
  });
  return { daily: useOf('daily'), weekly: useOf('weekly'), monthly: useOf('monthly') };
}

type Case = {
  readonly offer?: Partial<Offer>;
  readonly buyer?: Partial<Buyer>;
  readonly used?: Parameters<typeof uses>[0];
  readonly available?: number | null;
};

function stopOf({ offer = {}, buyer = {}, used = {}, available = null }: Case) {
  const indexed = anIndexed({ payoutCents: 4500, ...offer }, { channels: [], ...buyer });
  return offerStop(indexed.offer, indexed.buyer, { uses: uses(used), available });
}

describe('An offer receives no leads', () => {
  it.each<readonly [string, Case]>([
    ['The offer is closed', { offer: { status: 'closed' } }],
    ['The offer is paused', { offer: { status: 'paused' } }],
    ['The account is not active', { buyer: { status: 'paused' } }],
    ['Nowhere to deliver: no webhook URL is set', { buyer: { channels: ['webhook'] } }],
    ['Nowhere to deliver: no email address is set', { buyer: { channels: ['email', 'webhook'] } }],
    ['Cap full: 1,000 leads today', { offer: { caps: { ...none, daily: 1000 } }, used: { daily: { used: 1000 } } }],
    [
      'Cap full: 5 leads this month',
      { offer: { caps: { ...none, daily: 2, monthly: 5 } }, used: { daily: { used: 2 }, monthly: { used: 7 } } },
    ],
    [
      'Budget used: $5.00 of $500.00 left this week',
      { offer: { budgetCents: { ...none, weekly: 50_000 } }, used: { weekly: { usedCents: 49_500 } } },
    ],
    ['Out of funds: $6.00 available, price $45.00', { available: 600 }],
    ['Out of funds: $0.00 available, price $45.00', { available: -300 }],
    ['Nowhere to deliver: no webhook URL is set', { buyer: { channels: ['webhook'] }, available: 0 }],
  ])('%s', (words, given) => {
    const stop = stopOf(given);
    expect(stop === null ? null : offerStopInWords(stop, 'USD')).toBe(words);
  });

  it.each<readonly [string, Case]>([
    ['without limits', {}],
    ['that can be paid to the cent', { available: 4500 }],
    ['with one place left', { offer: { caps: { ...none, daily: 2 } }, used: { daily: { used: 1 } } }],
  ])('but it does if it is an offer %s', (_, given) => {
    expect(stopOf(given)).toBeNull();
  });

  it('until the last of its full windows ends, or with no end without funds', () => {
    const full = stopOf({
      offer: { caps: { daily: 1, weekly: 1, monthly: null } },
      used: { daily: { used: 1 }, weekly: { used: 1 } },
    });
    expect(full === null ? null : resetOf(full)?.toISOString()).toBe('2026-11-23T00:00:00.000Z');
    const broke = stopOf({ available: 0 });
    expect(broke === null ? undefined : resetOf(broke)).toBeNull();
  });
});

describe('leadsUntilOutOfFunds', () => {
  it.each([
    [null, 0, null],
    [4499, 0, null],
    [4500, 0, 1],
    [44_999, 0, 9],
    [45_000, 0, null],
    [90_000, 90_001, 20],
    [90_000, 90_000, null],
  ])('with funds of %s and %i spent a day returns %s', (available, spentADayCents, leads) => {
    expect(leadsUntilOutOfFunds(available, { priceCents: 4500, spentADayCents })).toBe(leads);
  });
});
