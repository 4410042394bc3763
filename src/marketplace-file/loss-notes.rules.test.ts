import { describe, expect, it } from 'vitest';

import { defaultSettings } from '../marketplace/settings.ts';
import type { Configuration } from './difference.rules.ts';
import { highestAmount, lossNotes } from './loss-notes.rules.ts';
import { parseFile } from './parse-file.ts';

function marketOf(pay: string, offer: string, supplier = 'status: approved') {
  const parsed = parseFile(
    `
suppliers: [{ key: acme, ${supplier}, pay: ${pay} }]
partners: [{ key: summit, offers: [{ key: west, eventType: Lead Sale, payout: 10.00, ${offer} }] }]`,
    { allowTargets: [] },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { suppliers, partners } = parsed.file;
  return { suppliers: [...suppliers], offers: partners.flatMap(({ offers }) => offers) };
}

const nothing: Configuration = {
  settings: defaultSettings,
  verticals: new Map(),
  suppliers: new Map(),
  buyers: new Map(),
  fileSettings: new Map(),
  offers: new Map(),
};

const rule = (when: string, amount: string): string => `{ when: { ${when} }, amount: ${amount} }`;
const fixed = (amount: string, ...rules: readonly string[]): string =>
  `{ model: fixed, amount: ${amount}, rules: [${rules.join(', ')}] }`;
const NOTE = 'offer west: negative margin, because its price is 10.00 and a lead costs 12.00 from acme';

describe('lossNotes', () => {
  it.each<[string, string, string, string[]]>([
    ['an amount above the price', fixed('12.00'), '', [NOTE]],
    ['the price itself', fixed('10.00'), '', []],
    ['a share of all of the price', '{ model: share, percent: 100 }', '', []],
    ['a rule above the price', fixed('5.00', rule('states: [CA]', '12.00')), '', [NOTE]],
    ['a rule for other states', fixed('5.00', rule('states: [CA]', '12.00')), 'filters: { states: [NV] }', []],
    ['a rule for an excluded state', fixed('5.00', rule('states: [CA]', '12.00')), 'filters: { statesNot: [CA] }', []],
    ['a rule for another type', fixed('5.00', rule('eventTypes: [Calendar Assigned]', '12.00')), '', []],
    ['a rule for the best leads', fixed('5.00', rule('minScore: 90', '12.00')), '', [NOTE]],
    [
      'an amount that an earlier rule always keeps it from',
      fixed('12.00', rule('states: [CA, NV], minScore: 20', '5.00')),
      'filters: { states: [CA], minScore: 40 }',
      [],
    ],
    [
      'an amount that an earlier rule keeps it from for some leads only',
      fixed('12.00', rule('states: [CA]', '5.00')),
      'filters: { states: [CA, NV] }',
      [NOTE],
    ],
    ['a supplier that the offer excludes', fixed('12.00'), 'filters: { suppliersNot: [acme] }', []],
    ['a supplier that the offer does not name', fixed('12.00'), 'filters: { suppliers: [other] }', []],
    ['a closed offer', fixed('12.00'), 'status: closed', []],
  ])('of %s', (_case, pay, offer, notes) => {
    expect(lossNotes(marketOf(pay, offer), nothing)).toEqual(notes);
  });

  it('says nothing of a suspended supplier, nor of what does not change', () => {
    expect(lossNotes(marketOf(fixed('12.00'), '', 'status: suspended'), nothing)).toEqual([]);
    const { suppliers, offers } = marketOf(fixed('12.00'), '');
    const current = {
      ...nothing,
      suppliers: new Map(suppliers.map((one) => [one.supplierKey, one])),
      offers: new Map(offers.map((one) => [one.offerKey, one])),
    };
    expect(lossNotes({ suppliers: [], offers: [] }, current)).toEqual([]);
    expect(lossNotes({ suppliers, offers: [] }, { ...current, suppliers: new Map() })).toEqual([NOTE]);
    expect(lossNotes({ suppliers: [], offers }, { ...current, offers: new Map() })).toEqual([NOTE]);
  });

  it('counts the offers beyond the first twenty', () => {
    const { suppliers, offers } = marketOf(fixed('12.00'), '');
    const many = Array.from({ length: 23 }, (_, index) => offers.map((one) => ({ ...one, offerKey: `o-${index}` })));
    const notes = lossNotes({ suppliers, offers: many.flat() }, nothing);
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('3 more offers have a negative margin');
  });
});

describe('highestAmount', () => {
  it('is that of all rules, and 0 for a share', () => {
    const [supplier] = marketOf(fixed('5.00', rule('minScore: 90', '12.00')), '').suppliers;
    const [sharing] = marketOf('{ model: share, percent: 99.99 }', '').suppliers;
    expect(supplier && highestAmount(supplier)).toBe(1200);
    expect(sharing && highestAmount(sharing)).toBe(0);
  });
});
