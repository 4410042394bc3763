// The form of a webhook's format: presets as the service reads them, and changes of its parts.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { buyerForm, noSettings } from '../../src/buyers/buyer-form.rules.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import {
  completeFormat,
  emptyRule,
  newConditions,
  type StatedFormat,
  statusesOf,
  testsOf,
  withOutcome,
  withTest,
} from '../../web/ui/webhook-format/format-form.ts';

const FOLDER = fileURLToPath(new URL('../../examples/deliveries/', import.meta.url));

describe('A preset', () => {
  it.each(readdirSync(FOLDER))('fills the form of a webhook as its file does: %s', (name) => {
    const text = readFileSync(FOLDER + name, 'utf8');
    const parsed = parseFile(text, { allowTargets: [] });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const [partner] = parsed.file.partners;
    if (partner === undefined) throw new Error('the file has no partner');
    const [stated] = (parse(text) as { partners: Array<{ webhook: StatedFormat }> }).partners;
    const form = completeFormat(stated?.webhook ?? {});
    expect(form).toEqual(buyerForm({ ...partner.buyer, settings: noSettings }).webhook);
  });
});

describe('The form of a webhook', () => {
  it('keeps the value of a condition when its test changes', () => {
    const condition = { ...newConditions.json, path: 'status', equals: 'ok' };
    const contains = withTest(condition, 'equals', 'contains');
    expect(contains).toMatchObject({ path: 'status', equals: null, contains: 'ok' });
    expect(testsOf(contains)).toEqual(['contains']);
    const exists = withTest(contains, 'contains', 'exists');
    expect(exists).toMatchObject({ contains: null, exists: true, missing: false });
    expect(withTest(exists, 'exists', 'equals')).toMatchObject({ exists: false, equals: '' });
  });

  it('reads statuses as numbers and classes, and keeps other text for the service to report', () => {
    expect(statusesOf(['200', ' 2XX ', 'soon'])).toEqual([200, '2xx', 'soon']);
  });

  it('takes a reason only with a rule that does not accept, and a reference only with one that does', () => {
    const capture = { json: 'id', header: null, pattern: null, text: null };
    const accepting = { ...emptyRule, reference: capture, price: capture };
    expect(withOutcome(accepting, 'rejected')).toMatchObject({ reference: null, price: null });
    expect(withOutcome({ ...emptyRule, outcome: 'retry', reason: capture }, 'accepted')).toMatchObject({
      reason: null,
    });
  });
});
