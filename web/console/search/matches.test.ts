// The options of the search over everything.
import { describe, expect, it } from 'vitest';

import { foundMatches, groupByKind, isCut, pageMatches } from './matches.ts';

const pages = [
  { to: '/ledger', label: 'Ledger' },
  { to: '/leads', label: 'Leads' },
  { to: '/audit-log', label: 'Audit log' },
];

describe('the search over everything', () => {
  it.each([
    ['le', ['Ledger', 'Leads']],
    ['LEA', ['Leads']],
    ['log', ['Audit log']],
    ['audit l', ['Audit log']],
    ['edger', []],
    ['', ['Ledger', 'Leads', 'Audit log']],
  ])('finds pages by the beginnings of words: %j', (text, found) => {
    expect(pageMatches(pages, text).map(({ title }) => title)).toEqual(found);
  });

  it.each([
    [4, false],
    [5, true],
  ])('says that there may be more than %i partners: %j', (partners, cut) => {
    const found = Array.from({ length: partners }, () => ({ partner: 'summit', partnerName: 'Summit' }));
    const none = { leads: [], suppliers: [], offers: [], claims: [], invoices: [] };
    expect(isCut({ ...none, partners: found, note: null })).toBe(cut);
  });

  it('gives each match the address of its page, and groups them by kind', () => {
    const matches = foundMatches({
      leads: [
        { leadId: 'lead_1', name: null, externalId: null, supplierName: 'Acme', state: 'no_buyer' },
        { leadId: 'lead_2', name: 'Ann Lee', externalId: 'a-2', supplierName: 'Acme', state: 'routed' },
      ],
      partners: [{ partner: 'summit', partnerName: 'Summit' }],
      suppliers: [],
      offers: [{ offer: 'ca', offerName: 'California', partner: 'summit', partnerName: 'Summit' }],
      claims: [{ claimId: 'ret_1', kind: 'return', status: 'under_review', partnerName: 'Summit' }],
      invoices: [{ number: 'INV-1', month: '2026-10', status: 'paid', partnerName: 'Summit' }],
      note: null,
    });
    expect(groupByKind(matches).map(([kind, options]) => [kind, options.length])).toEqual([
      ['Leads', 2],
      ['Partners', 1],
      ['Offers', 1],
      ['Claims', 1],
      ['Invoices', 1],
    ]);
    expect(matches.map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
      'No name: No buyer · Acme · lead_1',
      'Ann Lee: Sold · Acme · a-2',
      'Summit: summit',
      'California: Summit · ca',
      'Return by Summit: under review · ret_1',
      'INV-1: Summit · October 2026 · paid',
    ]);
    expect(matches[3]).toMatchObject({
      to: '/partners/$partnerKey/offers/$offerKey',
      params: { partnerKey: 'summit', offerKey: 'ca' },
    });
  });
});
