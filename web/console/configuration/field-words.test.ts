import { describe, expect, it } from 'vitest';

import { daysWords, fieldWords, readableChanges, valueWords } from './field-words.ts';

describe('The words for a configured value', () => {
  it.each([
    ['caps.daily', 'Daily cap'],
    ['schedule[0].to', 'Hours, to'],
    ['filters.states[2]', 'States'],
    ['fieldMapping["contact name"].to', 'Field mapping, contact name.to'],
    ['fields[2].name', 'Field 3, Name'],
    ['fields[0]', 'Field 1'],
    ['fields.roof_age', 'Field roof_age'],
    ['filters.fields.roof_age.min', 'Own fields, roof_age, minimum'],
    ['filters.fields.zip.in[0]', 'Own fields, zip, any of'],
    ['filters.fields.zip', 'Own fields, zip'],
    ['something.quite.else', 'else'],
  ])('name the field %s: %s', (path, words) => expect(fieldWords(path)).toBe(words));

  it.each([
    ['payout', 45.5, '$45.50'],
    ['budget.daily', null, 'no limit'],
    ['caps.daily', 0, '0'],
    ['caps.daily', 1200, '1,200'],
    ['schedule', null, 'always open'],
    ['filters.states', [], 'any'],
    ['filters.statesNot', [], 'none'],
    ['filters.requireConsent', true, 'yes'],
    ['channels', ['sheets_script', 'email'], 'Google Sheets script, email'],
    ['editableFields', ['webhookUrl', 'phone'], 'Webhook URL, Phone'],
    ['sale', { sharedWith: 3 }, 'shared with up to 3 buyers in all'],
    ['schedule', [{ days: ['mon', 'tue', 'wed', 'sat'], from: '08:00', to: '24:00' }], 'Mon–Wed, Sat 08:00–24:00'],
    ['retention.leadDays', 'forever', 'forever'],
    ['pay.amount', 12, '$12.00'],
    ['pay.clawback.onReturn', 'none', 'paid all the same'],
    ['pay.rules', [], 'none'],
    [
      'pay.rules',
      [
        { when: { states: ['CA'], eventTypes: ['Calendar Assigned'], minScore: 70 }, percent: 65.5 },
        { when: { sources: ['search'] }, amount: 9 },
      ],
      'CA, booked calls, score from 70: 65.5 %; search: $9.00',
    ],
    ['vertical', null, 'none'],
    ['filters.fields', {}, 'any'],
    [
      'filters.fields',
      { roof: { in: ['metal', 'tile'] }, bill: { min: 1200 }, owner: { is: true }, zip: { notIn: ['941*'] } },
      'bill: from 1,200; owner: yes; roof: metal or tile; zip: not 941*',
    ],
    ['fields.roof', null, 'none'],
    [
      'fields.roof',
      { name: 'roof', label: 'Roof', type: 'enum', values: ['tile', 'flat'], required: true, delivered: false },
      'Roof (roof): one of several values, tile / flat, required, not delivered',
    ],
    [
      'fields',
      [
        { name: 'zip', type: 'zip' },
        { name: 'age', type: 'integer', min: 0, max: 99, personal: true },
      ],
      'zip: ZIP code\nage: whole number, from 0 to 99, personal',
    ],
    [
      'fieldMapping',
      { Mobile: { to: 'phone', transform: 'us_phone' }, who: 'full_name', $set: { source: 'x' } },
      'Mobile → phone (us_phone), who → full_name, source = x',
    ],
  ])('show for %s the value %j as %s', (path, value, words) => expect(valueWords(path, value, 'USD')).toBe(words));

  it.each([
    [['mon'], 'Mon'],
    [['tue', 'mon'], 'Mon, Tue'],
    [['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'Mon–Sun'],
    [['sun', 'wed', 'fri'], 'Wed, Fri, Sun'],
  ])('show the days %j as %s', (days, words) => expect(daysWords(days)).toBe(words));
});

describe('The list of changed fields', () => {
  it('follows the order of the forms, regardless of the stored order', () => {
    const fields = { 'caps.daily': { from: 1, to: 2 }, name: { from: 'a', to: 'b' }, payout: { from: 1, to: 2 } };
    expect(readableChanges(fields).map(({ path }) => path)).toEqual(['name', 'payout', 'caps.daily']);
  });

  it('keeps a field of a vertical and the filters on own fields in one piece', () => {
    const fields = {
      'fields.zip': { from: null, to: { name: 'zip', type: 'zip' } },
      filters: { from: null, to: { fields: { zip: { in: ['941*'] } } } },
    };
    expect(readableChanges(fields).map(({ path }) => path)).toEqual(['fields.zip', 'filters.fields']);
  });

  it('lists each member of a new entry, but a mapping and a sale in one piece', () => {
    const fields = {
      filters: { from: null, to: { states: ['CA'], debtAmount: { min: 5 } } },
      sale: { from: null, to: { sharedWith: 2 } },
      fieldMapping: { from: null, to: { a: 'b' } },
    };
    expect(readableChanges(fields)).toEqual([
      { path: 'fieldMapping', from: null, to: { a: 'b' } },
      { path: 'sale', from: null, to: { sharedWith: 2 } },
      { path: 'filters.states', from: null, to: ['CA'] },
      { path: 'filters.debtAmount.min', from: null, to: 5 },
    ]);
  });
});
