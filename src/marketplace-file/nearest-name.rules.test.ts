import { describe, expect, it } from 'vitest';

import { nearestName } from './nearest-name.rules.ts';

const known = ['key', 'name', 'status', 'timeZone', 'channels', 'webhookUrl', 'editableFields'];

describe('nearestName', () => {
  it.each([
    ['timezone', 'timeZone'],
    ['time_zone', 'timeZone'],
    ['chanels', 'channels'],
    ['webhookURL', 'webhookUrl'],
    ['kye', 'key'],
    ['nmae', 'name'],
    ['editableField', 'editableFields'],
    ['webhook', 'webhookUrl'],
    ['edit', 'editableFields'],
    ['keyword', 'key'],
    ['st', null],
    ['payout', null],
    ['x', null],
    ['', null],
    ['a'.repeat(5000), null],
  ])('suggests for %.20s: %s', (name, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });
});
