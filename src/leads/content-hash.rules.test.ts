import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries } from '../base/regions.ts';
import { isMembers, newMembers, type Members } from '../base/json.ts';
import { contentHash } from './content-hash.rules.ts';
import type { ValidLead } from './lead-fields.ts';
import { validateLead } from './validate-lead.rules.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

function lead(body: Members): ValidLead {
  const verdict = validateLead(body, { regions: countries }, now);
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.lead;
}

function hashOf(body: Members): string {
  return Buffer.from(contentHash(lead(body)), 'latin1').toString('hex');
}

const body = {
  external_id: 'X-1',
  full_name: 'Ann Lee',
  phone: '+15555550123',
  debt_amount: '12000',
  note: { a: [1, 2], b: 'x' },
};

describe('contentHash', () => {
  it('has 32 bytes', () => {
    expect(hashOf(body)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['white space around texts', { ...body, full_name: ' Ann Lee\n', phone: '+15555550123 ' }],
    ['white space around texts of extra members', { ...body, note: { a: [1, 2], b: ' x ' } }],
    ['the order of nested members', { ...body, note: { b: 'x', a: [1, 2] } }],
    ['the spelling of a phone', { ...body, phone: '+1 (555) 555-0123' }],
    ['the spelling of an amount', { ...body, debt_amount: 12000.0 }],
    ['another spelling of an amount', { ...body, debt_amount: '12000.00' }],
    ['absent fields', { ...body, email: null, state: ' ', first_name: '' }],
    ['the parts of a name', { ...body, full_name: undefined, first_name: 'Ann', last_name: 'Lee' }],
    ['the external id and the test flag, which are the key', { ...body, external_id: 'X-2', test: true }],
  ])('ignores %s', (_, other) => {
    expect(hashOf(other)).toBe(hashOf(body));
  });

  it.each<[string, Record<string, unknown>]>([
    ['another name', { ...body, full_name: 'Ann Li' }],
    ['another phone', { ...body, phone: '+15555550124' }],
    ['an added field', { ...body, state: 'CA' }],
    ['an added extra member', { ...body, more: null }],
    ['another order of a list', { ...body, note: { a: [2, 1], b: 'x' } }],
    ['a number in place of a text', { ...body, note: { a: ['1', 2], b: 'x' } }],
    ['another spelling of an email', { ...body, email: 'A@x.com' }],
    ['a first name beside a full name', { ...body, first_name: 'Anna' }],
  ])('changes with %s', (_, other) => {
    expect(hashOf(other)).not.toBe(hashOf(body));
  });

  it('is the same for parts of a name that an earlier release took for further members', () => {
    const parts = { middle_name: 'M.', name_prefix: 'Dr.', name_suffix: 'Jr.' };
    const earlier = { ...lead(body), extra: { ...lead(body).extra, ...parts } };
    expect(hashOf({ ...body, ...parts })).toBe(Buffer.from(contentHash(earlier), 'latin1').toString('hex'));
    expect(hashOf({ ...body, ...parts, middle_name: 'N.' })).not.toBe(hashOf({ ...body, ...parts }));
  });

  it('distinguishes null from a number that JSON.stringify would turn into null', () => {
    expect(hashOf({ ...body, note: Number.POSITIVE_INFINITY })).not.toBe(hashOf({ ...body, note: null }));
  });

  it('is unambiguous for texts that look like structure', () => {
    expect(hashOf({ ...body, source: 'a;state2:CA', state: null })).not.toBe(
      hashOf({ ...body, source: 'a', state: 'CA' }),
    );
    expect(hashOf({ ...body, a: '1","b":"2' })).not.toBe(hashOf({ ...body, a: '1', b: '2' }));
  });

  it('supports nesting deeper than the call stack', () => {
    const deep: unknown = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000));
    expect(hashOf({ ...body, deep })).not.toBe(hashOf(body));
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  return isMembers(value) ? reversedMembers(value) : value;
}

function reversedMembers(members: Members): Members {
  const result = newMembers();
  for (const [name, member] of Object.entries(members).toReversed()) result[name] = reversed(member);
  return result;
}

describe('contentHash of any members', () => {
  it('ignores the order of members at any depth', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (extra) => {
        const whole = { ...extra, ...body };
        expect(hashOf(reversedMembers(whole))).toBe(hashOf(whole));
      }),
    );
  });
});
