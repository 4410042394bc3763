import { describe, expect, it } from 'vitest';

import { type BodyReading, readClaimBody } from './claim-body.rules.ts';

const plain = { deliveryId: 'dlv_x', reason: 'duplicate' };

function faultsOf(reading: BodyReading): string[] {
  return reading.ok ? [] : reading.faults.map(({ field, code }) => `${field} ${code}`);
}

describe('The body of a return', () => {
  it.each<[string, object, string | null]>([
    ['without a proof', plain, null],
    ['with a proof', { ...plain, proof: 'Three calls.' }, 'Three calls.'],
    ['with a proof of null', { ...plain, proof: null }, null],
    ['with a blank proof', { ...plain, proof: ' \u200b\n' }, null],
    ['with a proof that begins with a space', { ...plain, proof: ' so\n' }, ' so\n'],
    ['with a proof as long as may be', { ...plain, proof: '😀'.repeat(10_000) }, '😀'.repeat(10_000)],
  ])('%s is read as sent', (_, body, statement) => {
    const read = { deliveryId: 'dlv_x', reason: 'duplicate', statement, evidenceUrl: null };
    expect(readClaimBody('return', { ...body })).toEqual({ ok: true, body: read });
  });

  it.each<[object, string[]]>([
    [{}, ['deliveryId required', 'reason required']],
    [{ deliveryId: null, reason: ' ' }, ['deliveryId required', 'reason required']],
    [{ ...plain, deliveryId: 7 }, ['deliveryId wrong_type']],
    [{ ...plain, deliveryId: 'x'.repeat(101) }, ['deliveryId too_long']],
    [{ ...plain, reason: ['duplicate'] }, ['reason wrong_type']],
    [{ ...plain, reason: 'spam' }, ['reason reason_unknown']],
    [{ ...plain, reason: 'No Response' }, ['reason reason_not_objective']],
    [{ ...plain, proof: 1 }, ['proof wrong_type']],
    [{ ...plain, proof: {} }, ['proof wrong_type']],
    [{ ...plain, proof: 'x'.repeat(10_001) }, ['proof too_long']],
    [{ ...plain, detail: 'x' }, ['detail unknown_field']],
    [{ ...plain, evidenceUrl: 'https://x.example' }, ['evidenceUrl unknown_field']],
    [{ ...plain, constructor: 1, toString: 2 }, ['constructor unknown_field', 'toString unknown_field']],
    [
      { reason: 'gatekeeper', proof: 5, x: 1 },
      ['deliveryId required', 'reason reason_not_objective', 'proof wrong_type', 'x unknown_field'],
    ],
  ])('%j has errors, all reported at once', (body, faults) => {
    expect(faultsOf(readClaimBody('return', { ...body }))).toEqual(faults);
  });

  it('with many unknown members has errors that name only some', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, 1]));
    expect(faultsOf(readClaimBody('return', { ...plain, ...many }))).toHaveLength(50);
  });
});

describe('The body of a dispute', () => {
  const dispute = { ...plain, detail: 'Because.' };

  it.each<[unknown, string | null]>([
    [undefined, null],
    [null, null],
    ['', null],
    ['https://files.example.com/letter.pdf?x=1#2', 'https://files.example.com/letter.pdf?x=1#2'],
    ['HTTPS://FILES.example.com', 'HTTPS://FILES.example.com'],
    // It is never fetched, so that it may lead anywhere.
    ['https://127.0.0.1/x', 'https://127.0.0.1/x'],
  ])('takes the evidence at %j', (evidenceUrl, url) => {
    const reading = readClaimBody('dispute', { ...dispute, evidenceUrl });
    const read = { deliveryId: 'dlv_x', reason: 'duplicate', statement: 'Because.', evidenceUrl: url };
    expect(reading).toEqual({ ok: true, body: read });
  });

  it.each([
    ['http://files.example.com/x', 'invalid_format'],
    ['ftp://files.example.com', 'invalid_format'],
    ['javascript:alert(1)', 'invalid_format'],
    ['//files.example.com', 'invalid_format'],
    ['files.example.com', 'invalid_format'],
    ['https://', 'invalid_format'],
    ['https:///x', 'invalid_format'],
    ['https:files.example.com', 'invalid_format'],
    ['https://files.example.com/a b', 'invalid_format'],
    ['https:\\\\files.example.com', 'invalid_format'],
    [' https://files.example.com', 'invalid_format'],
    ['https://files.example.com:99999', 'invalid_format'],
    [`https://files.example.com/${'x'.repeat(2048)}`, 'too_long'],
    [{ url: 'https://files.example.com' }, 'wrong_type'],
  ])('rejects evidence at %j', (evidenceUrl, code) => {
    expect(faultsOf(readClaimBody('dispute', { ...dispute, evidenceUrl }))).toEqual([`evidenceUrl ${code}`]);
  });

  it('does not check for a missing detail, which depends on the delivery', () => {
    expect(readClaimBody('dispute', plain)).toMatchObject({ ok: true, body: { statement: null } });
    expect(faultsOf(readClaimBody('dispute', { ...plain, proof: 'x' }))).toEqual(['proof unknown_field']);
  });
});
