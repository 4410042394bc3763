import { describe, expect, it } from 'vitest';

import type { OfferForm, VerticalForm } from './configuration-api.ts';
import type { Draft } from './draft.ts';
import { changedMembers, faultsIn } from './draft.ts';
import { formOf } from './form-paths.ts';
import { newOffer, newOwnField, newPartner, newSupplier, newVertical } from './new-things.ts';
import { newPartnerFrom, newSupplierFrom, offerInput, partnerInput, supplierInput, verticalInput } from './inputs.ts';

function draftOf<Form extends object>(before: Form, change: Partial<Form>): Draft<Form> {
  const values = { ...before, ...change };
  const nothing = (): void => undefined;
  return {
    ...{ values, changed: changedMembers(before, values), isDirty: true, version: 1, generation: 0 },
    ...{ set: nothing, reset: nothing, accept: nothing },
  };
}

describe('A form that is opened again from a dry run', () => {
  const change = { key: 'summit', timeZone: 'UTC' };

  it('has all values of a new partner, also those that the marketplace file has by default', () => {
    const settings = { ...newPartner.settings, webhookUrl: 'https://crm.summit.example/' };
    const began = { ...newPartner, timeZone: 'America/Denver' };
    const draft = draftOf(began, {
      ...change,
      settings,
      billing: { ...began.billing, creditLimit: null },
      betaTools: [],
    });
    expect({ ...began, ...newPartnerFrom(partnerInput(draft, began.settings, true)) }).toEqual(draft.values);
    expect(newPartnerFrom(null)).toEqual({});
  });

  it('has all values of a new supplier', () => {
    const began = { ...newSupplier, timeZone: 'America/Denver' };
    const draft = draftOf(began, change);
    expect({ ...began, ...newSupplierFrom(supplierInput(draft, true)) }).toEqual(draft.values);
    expect(newSupplierFrom(null)).toEqual({});
  });
});

describe('A form sends only changed values', () => {
  it('of an offer', () => {
    const before: OfferForm = { ...newOffer, key: 'summit-ca', payout: 45 };
    const draft = draftOf(before, { payout: 50, caps: { daily: 5, weekly: null, monthly: null } });
    expect(offerInput(draft, 'summit', false)).toEqual({
      isNew: false,
      fragment: {
        partners: [
          {
            key: 'summit',
            offers: [{ key: 'summit-ca', payout: 50, caps: { daily: 5, weekly: null, monthly: null } }],
          },
        ],
      },
    });
  });

  it('of a partner and of each of its settings, because the partner may change the others', () => {
    const before = { ...newPartner, key: 'summit', name: 'Summit' };
    const settings = { ...before.settings, webhookUrl: 'https://crm.summit.example/' };
    expect(partnerInput(draftOf(before, { name: 'Summit Ltd', settings }), before.settings, false).fragment).toEqual({
      partners: [{ key: 'summit', name: 'Summit Ltd', settings: { webhookUrl: 'https://crm.summit.example/' } }],
    });
    expect(partnerInput(draftOf(before, { name: 'Summit Ltd' }), before.settings, false).fragment).toEqual({
      partners: [{ key: 'summit', name: 'Summit Ltd' }],
    });
  });

  it('of a new entry, with a name only if one was typed', () => {
    expect(supplierInput(draftOf(newSupplier, { key: 'acme' }), true)).toEqual({
      isNew: true,
      fragment: { suppliers: [{ key: 'acme', status: 'approved' }] },
    });
    // What the form shows is what is applied, also where the file has another default: no limit, and no tools.
    const { fragment } = partnerInput(draftOf(newPartner, { key: 'summit' }), newPartner.settings, true);
    expect(fragment).toMatchObject({
      partners: [
        {
          key: 'summit',
          billing: { creditLimit: 0 },
          betaTools: ['timeline', 'delivery-logs', 'test-delivery', 'audit-log'],
        },
      ],
    });
    expect(offerInput(draftOf(newOffer, { key: 'a', payout: 5 }), 'summit', true).fragment).toEqual({
      partners: [{ key: 'summit', offers: [{ key: 'a', payout: 5, eventType: 'Lead Sale' }] }],
    });
  });
});

describe('The form of a vertical', () => {
  it('sends all fields if one is changed, those without a label with their name as one', () => {
    const field = { ...newOwnField, name: 'roof', label: 'Roof' };
    const before: VerticalForm = { ...newVertical, key: 'solar', name: 'Solar', fields: [field] };
    const fields = [field, { ...newOwnField, name: 'zip', type: 'zip' as const }];
    const sent = verticalInput(draftOf(before, { fields }), false).fragment?.verticals?.[0];
    expect(sent).toMatchObject({
      key: 'solar',
      fields: [{ label: 'Roof' }, { name: 'zip', label: 'zip', type: 'zip' }],
    });
    expect(Object.keys(sent ?? {})).toEqual(['fields', 'key']);
    expect(verticalInput(draftOf(newVertical, { key: 'auto' }), true).fragment).toEqual({
      verticals: [{ key: 'auto' }],
    });
  });

  it('has an error of something else that the change breaks without a field', () => {
    const fault = { path: 'verticals[0]', message: 'the offer "a": no', line: null, column: null };
    expect(faultsIn([fault], 'verticals[0]').all[0]?.path).toBe('');
  });
});

describe('faultsIn', () => {
  it('drops the errors of members that were changed since', () => {
    const found = ['payout', 'caps.daily', 'schedule[0].to'].map((path) => ({
      path: `offers[0].${path}`,
      message: 'is missing',
      line: null,
      column: null,
    }));
    const faults = faultsIn(found, 'offers[0]', { payout: 45, schedule: [] });
    expect(faults.all.map(({ path }) => path)).toEqual(['caps.daily']);
    expect(faults.of('payout')).toBeUndefined();
  });

  it('finds errors at their fields and at the enclosing field', () => {
    const fault = (path: string, message: string) => ({ path, message, line: null, column: null });
    const faults = faultsIn(
      [
        fault('partners[0].offers[0].schedule[1].to', 'must be later than "from"'),
        fault('partners[0].offers[0].filters.statesNot[0]', 'must be the two letters of a US state'),
        fault('partners[0].key', 'is missing'),
      ],
      'partners[0].offers[0]',
    );
    expect(faults.of('schedule[1]')).toBe('Must be later than "from"');
    expect(faults.of('schedule')).toBe('Must be later than "from"');
    expect(faults.of('schedule[0]')).toBeUndefined();
    expect(faults.of('filters.states')).toBeUndefined();
    expect(faults.of('filters.statesNot')).toMatch(/^Must be the two letters/);
    expect(faults.all.map(({ path }) => path)).toEqual(['schedule[1].to', 'filters.statesNot[0]', 'partners[0].key']);
  });
});

describe('formOf', () => {
  it.each([
    [{ fragment: { verticals: [{ key: 'solar' }] } }, '/verticals/$verticalKey', { verticalKey: 'solar' }],
    [{ fragment: { verticals: [{ key: 'solar' }] }, isNew: true }, '/verticals/new', {}],
    [{ fragment: { suppliers: [{ key: 'acme' }] } }, '/suppliers/$supplierKey', { supplierKey: 'acme' }],
    [{ fragment: { suppliers: [{ key: 'acme' }] }, isNew: true }, '/suppliers/new', {}],
    [{ fragment: { partners: [{ key: 'summit' }] } }, '/partners/$partnerKey', { partnerKey: 'summit' }],
    [
      { fragment: { partners: [{ key: 'summit', offers: [{ key: 'a' }] }] } },
      '/partners/$partnerKey/offers/$offerKey',
      { partnerKey: 'summit', offerKey: 'a' },
    ],
    [
      { fragment: { partners: [{ key: 'summit', offers: [{ key: 'a' }] }] }, isNew: true },
      '/partners/$partnerKey/offers/new',
      { partnerKey: 'summit' },
    ],
    [{ fragment: { marketplace: {} } }, '/marketplace', {}],
    [{ text: 'a: b' }, '/marketplace', {}],
  ])('returns for %j: %s', (input, to, params) => {
    expect(formOf(input, 'sim_1')).toMatchObject({ to, params, search: { draft: 'sim_1' } });
  });
});
