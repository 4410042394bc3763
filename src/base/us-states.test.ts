import { expect, test } from 'vitest';
import { isUsState, usStateCode, usStates } from './us-states.ts';

test('the table has 50 states, DC, five territories and three military regions, and cannot be changed', () => {
  expect(Object.keys(usStates)).toHaveLength(50 + 1 + 5 + 3);
  expect(Object.keys(usStates).every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
  expect(new Set(Object.values(usStates)).size).toBe(59);
  expect(Object.isFrozen(usStates)).toBe(true);
  for (const code of ['DC', 'AS', 'GU', 'MP', 'PR', 'VI', 'AA', 'AE', 'AP']) expect(isUsState(code)).toBe(true);
});

test('a code is two capitals and never a name that every object has', () => {
  for (const text of [
    'ca',
    'XX',
    'UK',
    'ON',
    '',
    'California',
    'toString',
    '__proto__',
    'constructor',
    'FM',
    'PW',
    'MH',
  ]) {
    expect(isUsState(text), text).toBe(false);
  }
});

test.each([
  ['California', 'CA'],
  ['  new   york ', 'NY'],
  ['WEST VIRGINIA', 'WV'],
  ['ca', 'CA'],
  ['D.C.', 'DC'],
  ['Washington, D.C.', 'DC'],
  ['District of Columbia', 'DC'],
  ['Washington', 'WA'],
  ['U.S. Virgin Islands', 'VI'],
  ['Virgin Islands', 'VI'],
  ['Puerto Rico', 'PR'],
  ['Northern Mariana Islands', 'MP'],
  ['armed forces pacific', 'AP'],
  ['ſd', null],
  ['Ontario', null],
  ['Calif', null],
  ['', null],
  ['constructor', null],
])('the name %j stands for %j', (name, code) => {
  expect(usStateCode(name)).toBe(code);
});

test('every name and every code leads back to its code', () => {
  for (const [code, name] of Object.entries(usStates)) {
    expect(usStateCode(name)).toBe(code);
    expect(usStateCode(code.toLowerCase())).toBe(code);
  }
});
