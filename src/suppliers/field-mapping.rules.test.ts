import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyFieldMapping,
  checkFieldMapping,
  compileFieldMapping,
  standardNames,
  type FieldMapping,
} from './field-mapping.rules.ts';

function checked(mapping: unknown): FieldMapping {
  const result = checkFieldMapping(mapping);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.mapping;
}

function mapped(mapping: unknown, body: Record<string, unknown>): unknown {
  const result = applyFieldMapping(compileFieldMapping(checked(mapping)), body);
  // Through JSON, so that objects without prototype compare with ordinary ones.
  return JSON.parse(JSON.stringify(result));
}

const cases: ReadonlyArray<{ title: string; mapping: object; body: Record<string, unknown>; result: object }> = [
  {
    title: 'a name is replaced and everything else stays',
    mapping: { Mobile: 'phone' },
    body: { Mobile: '+15555550123', note: 'x', nested: { a: [1] } },
    result: { phone: '+15555550123', note: 'x', nested: { a: [1] } },
  },
  {
    title: 'a transform is applied',
    mapping: { Mobile: { to: 'phone', transform: 'us_phone' } },
    body: { Mobile: '(555) 555-0123' },
    result: { phone: '+15555550123' },
  },
  {
    title: 'a value that the transform cannot read stays as it is under the new name',
    mapping: { Mobile: { to: 'phone', transform: 'us_phone' } },
    body: { Mobile: { home: 1 } },
    result: { phone: { home: 1 } },
  },
  {
    title: 'a dotted name is a path, and an object that it empties goes',
    mapping: { 'contact.name': 'full_name', 'contact.phone.home': 'phone' },
    body: { contact: { name: 'Ann Lee', phone: { home: '+15555550123' } } },
    result: { full_name: 'Ann Lee', phone: '+15555550123' },
  },
  {
    title: 'what a path leaves in an object stays',
    mapping: { 'contact.name': 'full_name' },
    body: { contact: { name: 'Ann Lee', age: 40 } },
    result: { full_name: 'Ann Lee', contact: { age: 40 } },
  },
  {
    title: 'a member that has the dotted name itself comes before the path, and both are taken',
    mapping: { 'contact.name': 'full_name' },
    body: { contact: { name: 'Path' }, 'contact.name': 'Flat' },
    result: { full_name: 'Flat' },
  },
  {
    title: 'a path goes through arrays by position and leaves their elements where they are',
    mapping: { 'phones.0.number': 'phone', 'mails.1': 'email' },
    body: { phones: [{ number: '+15555550123', kind: 'home' }, { number: 2 }], mails: ['a', 'b'] },
    result: { phone: '+15555550123', email: 'b', phones: [{ kind: 'home' }, { number: 2 }], mails: ['a', 'b'] },
  },
  {
    title: 'an entry of a list is found by the value of a member, in any order, and the list stays',
    mapping: { 'field_data[name=email].values.0': 'email', 'field_data[name="who.is"].values.0': 'full_name' },
    body: {
      field_data: [
        { name: 'who.is', values: ['Ann Lee'] },
        null,
        { name: 'email', values: ['a@b.co'] },
        { name: 'email', values: ['c@d.co'] },
      ],
    },
    result: {
      full_name: 'Ann Lee',
      email: 'a@b.co',
      field_data: [
        { name: 'who.is', values: ['Ann Lee'] },
        null,
        { name: 'email', values: ['a@b.co'] },
        { name: 'email', values: ['c@d.co'] },
      ],
    },
  },
  {
    title: 'an entry is found below a path and by a number, and nothing in what is no list',
    mapping: { 'lead.answers[id=7].value': 'phone', 'lead[id=7].value': 'email', 'lead.answers[id=8].value': 'state' },
    body: {
      lead: {
        answers: [
          { id: 6, value: 'x' },
          { id: 7, value: '1' },
        ],
        id: 7,
        value: 'y',
      },
    },
    result: {
      phone: '1',
      lead: {
        answers: [
          { id: 6, value: 'x' },
          { id: 7, value: '1' },
        ],
        id: 7,
        value: 'y',
      },
    },
  },
  {
    title: 'a name with brackets is a name',
    mapping: { 'answers[phone]': 'phone', 'a[b=c]': 'email' },
    body: { 'answers[phone]': '1', 'a[b=c]': 'x' },
    result: { phone: '1', email: 'x' },
  },
  {
    title: 'a transform has its format and zone',
    mapping: { at: { to: 'consent_timestamp', transform: 'time', format: 'M/D/YYYY H:mm', timeZone: 'us/pacific' } },
    body: { at: '11/20/2026 17:03' },
    result: { consent_timestamp: '2026-11-21T01:03:00.000Z' },
  },
  {
    title: 'a path that ends early finds nothing and takes nothing',
    mapping: { 'contact.name.first': 'first_name' },
    body: { contact: { name: 'Ann' } },
    result: { contact: { name: 'Ann' } },
  },
  {
    title: 'a name that ends in a full stop is a name',
    mapping: { 'What is your phone no.': 'phone' },
    body: { 'What is your phone no.': '1' },
    result: { phone: '1' },
  },
  {
    title: 'the first name that holds something wins in the order of the mapping, and all are taken',
    mapping: { mobile: 'phone', home: 'phone', work: 'phone' },
    body: { work: '3', home: '2', mobile: ' \u200b' },
    result: { phone: '2' },
  },
  {
    title: 'a mapping wins over a member of the standard name',
    mapping: { Mobile: 'phone' },
    body: { phone: 'old', Mobile: 'new' },
    result: { phone: 'new' },
  },
  {
    title: 'a mapped name that holds nothing leaves the standard member alone',
    mapping: { Mobile: 'phone' },
    body: { phone: 'own', Mobile: null },
    result: { phone: 'own' },
  },
  {
    title: 'two names can be swapped',
    mapping: { phone: 'external_id', id: 'phone' },
    body: { phone: 'X-1', id: '+15555550123' },
    result: { external_id: 'X-1', phone: '+15555550123' },
  },
  {
    title: 'a standard name can be mapped to itself for the transform',
    mapping: { state: { to: 'state', transform: 'state_name' } },
    body: { state: 'Texas' },
    result: { state: 'TX' },
  },
  {
    title: 'a constant wins over everything',
    mapping: { campaign: 'source', $set: { source: 'facebook', tcpa_consent: true, debt_amount: 0 } },
    body: { source: 'own', campaign: 'mapped' },
    result: { source: 'facebook', tcpa_consent: true, debt_amount: 0 },
  },
  {
    title: 'false and 0 count as values',
    mapping: { optin: 'tcpa_consent', owed: 'debt_amount' },
    body: { optin: false, owed: 0 },
    result: { tcpa_consent: false, debt_amount: 0 },
  },
];

describe('A field mapping', () => {
  it.each(cases)('$title', ({ mapping, body, result }) => {
    const before = structuredClone(body);
    expect(mapped(mapping, body)).toEqual(result);
    expect(body).toEqual(before);
  });

  it('without members does not change the body', () => {
    const body = { phone: '1' };
    expect(applyFieldMapping(compileFieldMapping(checked({})), body)).toBe(body);
    expect(applyFieldMapping(compileFieldMapping(checked(null)), body)).toBe(body);
    expect(applyFieldMapping(compileFieldMapping(checked({ $set: {} })), body)).toBe(body);
  });

  it('produces an object without a prototype', () => {
    const result = applyFieldMapping(compileFieldMapping(checked({ a: 'phone' })), { b: 1 });
    expect(Object.getPrototypeOf(result)).toBeNull();
    expect('toString' in result).toBe(false);
  });

  it.each([
    ['a text', 'phone', ['']],
    ['a list', ['phone'], ['']],
    ['an unknown target', { a: 'fullName' }, ['/a']],
    ['a target that every object has', { a: 'constructor' }, ['/a']],
    ['an unsafe target', { a: { to: '__proto__' } }, ['/a/to']],
    ['no target', { a: {} }, ['/a/to']],
    ['a number as target', { a: 5 }, ['/a']],
    ['an unknown transform', { a: { to: 'phone', transform: 'toString' } }, ['/a/transform']],
    ['an unknown member', { a: { to: 'phone', tranform: 'trim' } }, ['/a/tranform']],
    ['an unsafe incoming name', JSON.parse('{"__proto__": "phone"}'), ['/__proto__']],
    ['an unsafe part of a path', { 'a.constructor.b': 'phone' }, ['/a.constructor.b']],
    ['an empty incoming name', { '': 'phone' }, ['/']],
    ['a long incoming name', { ['x'.repeat(201)]: 'phone' }, [`/${'x'.repeat(201)}`]],
    ['an unknown directive', { $sett: { source: 'x' } }, ['/$sett']],
    ['constants that are no object', { $set: 'source' }, ['/$set']],
    ['a constant for an unknown name', { $set: { sauce: 'x' } }, ['/$set/sauce']],
    ['a constant that is an object', { $set: { source: {} } }, ['/$set/source']],
    ['a constant that is null', { $set: { source: null } }, ['/$set/source']],
    ['a format of another transform', { a: { to: 'phone', transform: 'trim', format: 'MM' } }, ['/a/format']],
    ['a format without a transform', { a: { to: 'phone', format: 'YYYY-MM-DD' } }, ['/a/format']],
    ['a format that is none', { a: { to: 'consent_timestamp', transform: 'time', format: 'noon' } }, ['/a/format']],
    ['a format that is no text', { a: { to: 'consent_timestamp', transform: 'time', format: 5 } }, ['/a/format']],
    ['a zone of a day', { a: { to: 'phone', transform: 'date', timeZone: 'UTC' } }, ['/a/timeZone']],
    ['an abbreviated zone', { a: { to: 'phone', transform: 'time', timeZone: 'PST' } }, ['/a/timeZone']],
    ['a test flag that may be left out', { a: { to: 'test', orNothing: true } }, ['/a/orNothing']],
    ['a consent that may be left out', { a: { to: 'tcpa_consent', orNothing: true } }, ['/a/orNothing']],
    ['a word for leaving out', { a: { to: 'email', orNothing: 'yes' } }, ['/a/orNothing']],
    ['a selector with an unsafe member', { 'a[__proto__=b].c': 'phone' }, ['/a[__proto__=b].c']],
    ['several faults at once', { 'a/b': 'x', c: { to: 'y', transform: 'z' } }, ['/a~1b', '/c/to', '/c/transform']],
  ])('with the error "%s" is rejected with the path', (_, mapping: unknown, paths) => {
    const result = checkFieldMapping(mapping);
    expect(result.ok ? [] : result.faults.map((fault) => fault.path)).toEqual(paths);
  });

  it('is the same after the check as in the file', () => {
    const mapping = {
      'contact.name': 'full_name',
      Mobile: { to: 'phone', transform: 'us_phone' },
      ip: { to: 'lead_ip', orNothing: true },
      at: { to: 'consent_timestamp', transform: 'time', format: 'YYYY-MM-DD', timeZone: 'America/New_York' },
      $set: { source: 'x' },
    };
    expect(JSON.stringify(checked(mapping))).toBe(JSON.stringify(mapping));
  });

  const names = fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'a',
      'a.b',
      'a.__proto__.x',
      '$set',
      'phone',
      '0',
      'a[b=c].d',
      'a[__proto__=c]',
    ),
    fc.string(),
  );
  const mappings = fc.dictionary(
    names,
    fc.oneof(
      fc.constantFrom<unknown>(...standardNames, '__proto__', 'constructor'),
      fc.record({ to: fc.constantFrom(...standardNames), transform: fc.constantFrom('digits', 'money', 'x') }),
      fc.jsonValue(),
    ),
  );
  const bodies = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue())));

  it('never throws, and changes neither prototypes nor the body, for hostile mappings and bodies', () => {
    const ordinary = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(mappings, bodies, (entries, body) => {
        // Keeps the entries that are valid on their own, because hardly any random mapping is valid as a whole.
        const mapping = Object.fromEntries(
          Object.entries(entries).filter(([name, entry]) => checkFieldMapping({ [name]: entry }).ok),
        );
        const before = JSON.stringify(body);
        const out = applyFieldMapping(compileFieldMapping(checked(mapping)), body);
        expect(JSON.stringify(body)).toBe(before);
        for (const name of Object.keys(out)) {
          expect(Object.hasOwn(body, name) || (standardNames as readonly string[]).includes(name)).toBe(true);
        }
        expect([null, Object.prototype]).toContain(Object.getPrototypeOf(out));
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(ordinary);
      }),
    );
  });
});
