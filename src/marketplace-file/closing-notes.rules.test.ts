import { describe, expect, it } from 'vitest';

import { anOffer } from '../../test/support/offers.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { closingNotes } from './closing-notes.rules.ts';

const vertical = (status: Vertical['status']): Vertical => ({ key: 'solar', name: 'Solar', status, fields: [] });
const supplier = (supplierKey: string, change: Partial<SupplierConfig>): [string, SupplierConfig] => [
  supplierKey,
  { supplierKey, status: 'approved', vertical: null, verticals: [], ...change } as SupplierConfig,
];

const current = {
  verticals: new Map([['solar', vertical('active')]]),
  suppliers: new Map([
    supplier('acme', { vertical: 'solar' }),
    supplier('bolt', { vertical: 'roofing', verticals: ['solar'] }),
    supplier('gone', { vertical: 'solar', status: 'suspended' }),
    supplier('plain', {}),
  ]),
  offers: new Map(
    [
      anOffer({ offerKey: 'west', vertical: 'solar' }),
      anOffer({ offerKey: 'old', vertical: 'solar', status: 'closed' }),
      anOffer({ offerKey: 'other' }),
    ].map((offer) => [offer.offerKey, offer]),
  ),
};
const nothing = { verticals: [], suppliers: [], offers: [] };

describe('The note on a vertical that is closed', () => {
  it('says whose leads are rejected and which offers get no more', () => {
    expect(closingNotes({ ...nothing, verticals: [vertical('closed')] }, current)).toEqual([
      'vertical solar: it is in use; once it is closed, leads of acme that name no vertical are rejected; ' +
        'leads of bolt that name it are rejected; no new leads for the offer west',
    ]);
  });

  it('counts with what the same change does to suppliers and offers', () => {
    const writes = {
      verticals: [vertical('closed')],
      suppliers: [supplier('acme', {})[1], supplier('bolt', {})[1]],
      offers: [anOffer({ offerKey: 'west', vertical: 'solar', status: 'closed' })],
    };
    expect(closingNotes(writes, current)).toEqual([]);
  });

  it('names ten and counts the others', () => {
    const offers = Array.from({ length: 12 }, (_, index) => anOffer({ offerKey: `o-${index}`, vertical: 'solar' }));
    const [note] = closingNotes({ ...nothing, verticals: [vertical('closed')], offers }, current);
    expect(note).toContain('no new leads for the offers west, o-0,');
    expect(note).toContain('and 3 more');
  });

  it('is not there for a vertical that is open, was closed already, or is new', () => {
    const closed = { ...nothing, verticals: [vertical('closed')] };
    expect(closingNotes({ ...nothing, verticals: [vertical('active')] }, current)).toEqual([]);
    expect(closingNotes(closed, { ...current, verticals: new Map([['solar', vertical('closed')]]) })).toEqual([]);
    expect(closingNotes(closed, { ...current, verticals: new Map() })).toEqual([]);
  });
});
