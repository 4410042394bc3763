import { describe, expect, it } from 'vitest';

import { anIndexed } from '../../test/support/offers.ts';
import { noSettings } from '../buyers/buyer-form.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Offer } from '../routing/offer.ts';
import { type ChangedOffer, stopNotes } from './stop-notes.rules.ts';

const settings = { ...noSettings, webhookUrl: 'https://crm.summit.example/leads' };
const summit: Partial<Buyer> = { buyerKey: 'summit', name: 'Summit', channels: ['webhook'], settings };

function changed(
  offerKey: string,
  after: { offer?: Partial<Offer>; buyer?: Partial<Buyer> },
  before = summit,
): ChangedOffer {
  return {
    before: anIndexed({ offerKey }, before),
    after: anIndexed({ offerKey, ...after.offer }, { ...before, ...after.buyer }),
  };
}
const notes = (...offers: ChangedOffer[]): string[] =>
  stopNotes(offers, { currency: 'USD', soldOf: () => '2 leads for $90.00 in 28 days' });

describe('The offers that a change stops', () => {
  it.each<readonly [string, Parameters<typeof changed>[1], string]>([
    ['by clearing the URL', { buyer: { settings: noSettings } }, 'Nowhere to deliver: no webhook URL is set'],
    ['by pausing the partner', { buyer: { status: 'paused' } }, 'The account is not active'],
    ['by pausing the offer', { offer: { status: 'paused' } }, 'The offer is paused'],
    [
      'by another channel without an address',
      { buyer: { channels: ['sms'] } },
      'Nowhere to deliver: no number for text messages is set',
    ],
  ])('are named with the reason: %s', (_, after, reason) => {
    expect(notes(changed('west', after))).toEqual([
      `Summit: 1 offer stops receiving leads: west (2 leads for $90.00 in 28 days). ${reason}.`,
    ]);
  });

  it('are told apart from those that receive nothing already, and from those that begin to', () => {
    const paused = { ...summit, status: 'paused' } as const;
    expect(notes(changed('west', { buyer: { settings: noSettings } }, paused))).toEqual([]);
    expect(notes(changed('west', { buyer: { status: 'active' } }, paused))).toEqual([]);
    expect(notes(changed('west', { offer: { payoutCents: 1 } }))).toEqual([]);
  });

  it('stand together for one partner and reason', () => {
    const after = { buyer: { status: 'suspended' } } as const;
    expect(notes(changed('east', after), changed('west', after))).toEqual([
      'Summit: 2 offers stop receiving leads: east (2 leads for $90.00 in 28 days), west (2 leads for $90.00 in 28 days). The account is not active.',
    ]);
  });

  it('include leads that would be sold and sent nowhere', () => {
    expect(notes(changed('west', { buyer: { channels: [] } }))).toEqual([
      'Summit: no channel is left. Its leads are sold and charged, but sent nowhere; it must read them from the API.',
    ]);
  });
});
